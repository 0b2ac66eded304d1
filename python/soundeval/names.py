"""Putting clip ids and labels into messages: short lists, counts and "did you mean"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

# Enough to recognise a pattern ("all of folder x"), few enough to read.
MAX_LISTED = 10


def listed(names: Iterable[object], limit: int = MAX_LISTED) -> str:
    """Return the names quoted and joined, cut after `limit` with a count of the rest.

    Examples
    --------
    >>> listed(["a", "b", "c"], limit=2)
    "'a', 'b' and 1 more"
    """
    names = list(names)
    text = ", ".join(map(repr, names[:limit]))
    return text if len(names) <= limit else f"{text} and {len(names) - limit} more"


def counted(number: int, noun: str) -> str:
    """Return "1 clip" or "2 clips".

    Examples
    --------
    >>> counted(1, "clip"), counted(2, "class")
    ('1 clip', '2 classes')
    """
    if number == 1:
        return f"{number} {noun}"
    return f"{number} {noun}{'es' if noun.endswith('s') else 's'}"


def folded(name: str) -> str:
    """Return the name without what the eye cannot see: case, outer blanks, invisible characters."""
    visible = "".join(
        character
        for character in unicodedata.normalize("NFKC", name)
        if unicodedata.category(character) not in {"Cf", "Cc"}
    )
    return re.sub(r"\s+", " ", visible).strip().casefold()


def did_you_mean(name: str, candidates: Collection[str]) -> str:
    """Return "; did you mean 'Dog'?" for the closest candidate, or "" when none is close.

    Examples
    --------
    >>> did_you_mean("dgo", ["Dog", "Cat"])
    "; did you mean 'Dog'?"
    >>> did_you_mean("Dog ", ["Dog", "Cat"])
    "; did you mean 'Dog' (it differs only in case, blanks or invisible characters)?"
    """
    # Imported here because only an error message needs it.
    import difflib

    by_fold = {folded(candidate): candidate for candidate in reversed(list(candidates))}
    fold = folded(name)
    if fold in by_fold:
        return (
            f"; did you mean {by_fold[fold]!r} (it differs only in case, blanks or invisible "
            "characters)?"
        )
    close = difflib.get_close_matches(fold, by_fold, n=1)
    return f"; did you mean {by_fold[close[0]]!r}?" if close else ""


def look_alikes(names: Iterable[str]) -> list[list[str]]:
    """Return the groups of names that differ only in blanks or invisible characters.

    Names that differ in case are left alone: they can be told apart by reading them.
    """
    names = list(names)
    # Almost every class list passes here, without looking at single characters.
    if all(name.isascii() and name.isprintable() and name == name.strip() for name in names):
        return []
    groups: dict[str, list[str]] = {}
    for name in names:
        key = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip()
        key = "".join(c for c in key if unicodedata.category(c) not in {"Cf", "Cc"})
        groups.setdefault(key, []).append(name)
    return [group for group in groups.values() if len(group) > 1]

"""Examples in the documentation run, and print what the documentation says they print."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benches/*.md")])
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Yield the line and the text of every Python block of a page."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        yield text[: match.start(1)].count("\n"), match[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_of_a_page_run(page, tmp_path, monkeypatch):
    # Blocks of a page build on each other, as a reader reads them. What they write is thrown away.
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False
    )
    report = []
    for line, text in blocks(page):
        if ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), line)
            runner.run(test, out=report.append, clear_globs=False)
            names = test.globs
        else:
            # A block without prompts may need a reader's own files: it must at least be Python.
            compile(text, f"{page.name}:{line}", "exec")
    assert not report, "".join(report)

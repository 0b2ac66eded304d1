"""Maximum matchings: pairs of detections and targets, each used once, as many as there can be.

A matching is as large as it can be when no *augmenting path* is left (Berge, 1957): a path from a
detection without a partner to a target without one, on which every other pair belongs to the
matching. Swapping the pairs of such a path makes the matching one pair larger.
"""

from __future__ import annotations

from collections.abc import Sequence


def maximum_matching(partners: Sequence[Sequence[int]]) -> dict[int, int]:
    """Match as many detections as possible with targets.

    Parameters
    ----------
    partners : sequence of sequence of int
        For each detection the positions of the targets that it may be matched with.

    Returns
    -------
    dict of int to int
        Position of a target to position of its detection. Its size is what counts: there may be
        other matchings of the same size.

    Examples
    --------
    The first detection could have either target, the second only target 0:

    >>> maximum_matching([[0, 1], [0]])
    {0: 1, 1: 0}
    """
    detection_of: dict[int, int] = {}

    def find_partner(detection: int, seen: set[int]) -> bool:
        for target in partners[detection]:
            if target in seen:
                continue
            seen.add(target)
            # A target that is taken is free again if its detection finds another one.
            if target not in detection_of or find_partner(detection_of[target], seen):
                detection_of[target] = detection
                return True
        return False

    for detection in range(len(partners)):
        find_partner(detection, set())
    return detection_of

"""One maximum matching, and always the same one of several.

How many pairs a largest matching has does not depend on any order; which pairs these are does. Here
it is the algorithm of Hopcroft and Karp (1973) in the formulation that Eppstein published and that
mir_eval and sed_eval run, with everything in the order of its Python dictionaries.

It calls itself once for each pair of a path, so chains of about a thousand events are too long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def matching_in_order(hits: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Match as many detections as possible with targets, in the order in which they are given.

    Parameters
    ----------
    hits : mapping of int to sequence of int
        For each detection that hits anything the targets that it hits. The order of the mapping is
        that in which detections choose, and each takes its first free target.

    Returns
    -------
    dict of int to int
        Target to its detection.

    Examples
    --------
    Both could have target 0, so the one that comes first takes it; then it has to move on.

    >>> matching_in_order({1: [0, 2], 0: [0]})
    {0: 0, 2: 1}
    >>> matching_in_order({1: [0], 0: [0]})
    {0: 1}
    """
    detection_of: dict[int, int] = {}
    for detection, targets in hits.items():
        free = [target for target in targets if target not in detection_of]
        if free:
            detection_of[free[0]] = detection

    while True:
        # Detections that were reached, with the target through which, and targets with detections.
        matched = set(detection_of.values())
        through: dict[int, int | None] = {d: None for d in hits if d not in matched}
        reached_by: dict[int, list[int]] = {}
        free_targets: list[int] = []
        layer = list(through)
        while layer and not free_targets:
            new: dict[int, list[int]] = {}
            for detection in layer:
                for target in hits[detection]:
                    if target not in reached_by:
                        new.setdefault(target, []).append(detection)
            reached_by.update(new)
            layer = []
            for target in new:
                if target in detection_of:
                    layer.append(detection_of[target])
                    through[detection_of[target]] = target
                else:
                    free_targets.append(target)
        if not free_targets:
            return dict(sorted(detection_of.items()))

        def go_back(
            target: int,
            reached_by: dict[int, list[int]] = reached_by,
            through: dict[int, int | None] = through,
        ) -> bool:
            for detection in reached_by.pop(target, []):
                if detection in through:
                    before = through.pop(detection)
                    if before is None or go_back(before):
                        detection_of[target] = detection
                        return True
            return False

        for target in free_targets:
            go_back(target)


def hits_in_order(by_target: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    """Put detections into the order in which they first appear, from one target to the next.

    Parameters
    ----------
    by_target : sequence of sequence of int
        For each target the detections that hit it, ascending.

    Returns
    -------
    dict of int to list of int
        As `matching_in_order` takes them.

    Examples
    --------
    >>> hits_in_order([[1], [0, 1]])
    {1: [0, 1], 0: [1]}
    """
    hits: dict[int, list[int]] = {}
    for target, detections in enumerate(by_target):
        for detection in detections:
            hits.setdefault(detection, []).append(target)
    return hits

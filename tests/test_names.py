"""Names and sizes of the package's modules: no retired name, no class name used twice, no long module, no import cycle."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .test_imports import modules, name_of

RETIRED = Path(__file__).with_name("retired_names.txt")
MAXIMUM_LINES = 400


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def named() -> Iterator[str]:
    """The qualified name of each module, of each of its classes, and of each of its public functions."""
    for path in modules():
        module = name_of(path)
        yield module
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                yield f"{module}.{node.name}"


def retired() -> frozenset[str]:
    lines = RETIRED.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def test_no_name_is_a_retired_one() -> None:
    names = retired()
    assert len(names) > 500
    assert [each for each in named() if each in names or each.rsplit(".", 1)[-1] in names] == []


def test_no_class_name_is_used_twice() -> None:
    places = defaultdict(list)
    for path in modules():
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name_of(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_module_is_long() -> None:
    lengths = {name_of(path): path.read_text(encoding="utf-8").count("\n") for path in modules()}
    assert {module: lines for module, lines in lengths.items() if lines > MAXIMUM_LINES} == {}


def test_no_imports_form_a_cycle() -> None:
    """Imports for annotations count: a cycle of types is a cycle for the reader."""
    known = {name_of(path) for path in modules()}
    imports = {name_of(path): _imported(path) & known - {name_of(path)} for path in modules()}
    # a module whose imports are all in no cycle is in none itself
    while ends := [module for module, others in imports.items() if not others & imports.keys()]:
        for module in ends:
            del imports[module]
    assert sorted(imports) == []


def _imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
    return found

"""Every regular expression of the package takes linear time, in steps of a backtracking matcher."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import openclsp
import pytest

from .step_matcher import StepMatcher, TooManySteps, adversarial

SIZES = (16, 32)
LIMIT = 200_000
GROWTH = 2.6
PACKAGE = Path(openclsp.__file__).parent
SEARCHING = frozenset(("search", "finditer", "findall", "sub", "subn", "split", "scanner"))
MATCHING = frozenset(("match", "fullmatch", "compile"))

MADE_OF_NAMES = frozenset(
    (
        "ide/fixes/function_calls.py",
        "ide/fixes/unused_names.py",
        "ide/fixes/program_scope_rendering.py",
        "ide/refactorings/extraction_variables.py",
        "language/builtin_functions/descriptions.py",
        "language/builtin_functions/parameter_names.py",
        "lsp/features/extraction_actions.py",
        "source/line_reader.py",
        "source/macro_comparison.py",
        "workspace/evidence_scanner.py",
        "host_code/python_strings.py",
        "host_code/scanned_literals.py",
        "host_code/stringifying_macros.py",
        "host_options/kernel_names.py",
        "host_options/makefile_reader.py",
        "host_options/host_language_versions.py",
    )
)
r"""Modules that build patterns while they run. They are alternatives of escaped names; with something between the names only
in `kernel_names` (`[^/]*`, matched with names of files), `host_language_versions` (`.*`, matched with names of language
versions) and `parameter_names` (`\w*`, matched with names of built-in functions); with blanks and a bracket around
a parameter's name in `stringifying_macros`, and after `[\s*\w]*?` in `extraction_variables`."""
TEMPLATES = frozenset(("source/templates.py",))
"""The marks of templates, of which `test_growth.py` has inputs"""
BOUNDED = {
    "host_code.notebook_cells._LINE": "searched in a range that `_CELL` has matched as complete strings",
    "ide.structure.selection_ranges._LITERAL": "searched in at most 4,096 bytes",
    "host_options.kernel_names._SUFFIXES": "searched in names of at most 200 characters, which the caller checks",
    "source.other_languages._BEGINS": "searched in 16 bytes",
    "workspace.evidence_scanner._BEFORE": "searched in 200 bytes",
}


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The compiled patterns of all modules and their classes, also under the names that import them."""
    for info in pkgutil.walk_packages(openclsp.__path__, "openclsp."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        scopes = [vars(module)]
        scopes += [vars(each) for each in vars(module).values() if isinstance(each, type)]
        for name, value in (item for scope in scopes for item in list(scope.items())):
            values = value if isinstance(value, tuple | list) else (value,)
            for number, each in enumerate(values):
                if isinstance(each, re.Pattern):
                    yield f"{info.name.removeprefix('openclsp.')}.{name}{number or ''}", each


@cache
def searched_names() -> frozenset[str]:
    """Returns the names on which a searching method is called, with their modules and import sources."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        module = path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
        tree = ast.parse(path.read_text())
        origins: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    origins[alias.asname or alias.name] = (
                        f"{node.module.removeprefix('openclsp.')}.{alias.name}"
                    )
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in SEARCHING:
                value = node.value.value if isinstance(node.value, ast.Subscript) else node.value
                if isinstance(value, ast.Name):
                    found |= {f"{module}.{value.id}", origins.get(value.id, "")}
                elif isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name):
                    found |= {f"{origins.get(value.value.id, module)}.{value.attr}"}
    return frozenset(found)


def written_in_bodies() -> Iterator[tuple[str, str, ast.Call]]:
    """The calls of `re` within functions: module, function of `re`, call."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text())
        at_import = {
            id(each)
            for node in tree.body
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for each in ast.walk(node)
        }
        for node in ast.walk(tree):
            if (
                not isinstance(node, ast.Call)
                or not isinstance(node.func, ast.Attribute)
                or id(node) in at_import
            ):
                continue
            of = node.func.value
            if isinstance(of, ast.Name) and of.id == "re" and node.func.attr in SEARCHING | MATCHING:
                yield path.relative_to(PACKAGE).as_posix(), node.func.attr, node


def inline_patterns() -> Iterator[tuple[str, re.Pattern[Any], bool]]:
    """Yields the patterns that are literals in a call of `re`, and whether the call searches."""
    for module, function, call in written_in_bodies():
        if isinstance(call.args[0], ast.Constant):
            flags = [ast.unparse(each) for each in (*call.args, *(word.value for word in call.keywords))]
            value = sum(
                (getattr(re, each[3:]) for each in flags if re.fullmatch(r"re\.[A-Z]+", each)),
                re.RegexFlag(0),
            )
            yield (
                f"{module}:{call.args[0].value!r}",
                re.compile(call.args[0].value, value),
                function != "fullmatch",
            )


@cache
def worst(pattern: re.Pattern[Any], *, search: bool) -> tuple[float, str]:
    """Returns the greatest growth of the steps when the text doubles in length, with a text that shows it."""
    matcher = StepMatcher(pattern)
    found = 0.0, ""
    for make in adversarial(matcher.tree, pattern.flags):
        try:
            large = matcher.run(make(SIZES[1]), LIMIT, search=search)
            if large <= 200:
                continue
            small = matcher.run(make(SIZES[0]), LIMIT, search=search)
        except TooManySteps:
            return 99.0, make(3)
        found = max(found, (large / (small + 20), make(3)))
    return found


def in_deep_stack(action: Any) -> Any:
    """Runs an action in a thread with a stack deep enough for the matcher's recursion; returns its result."""
    results: list[Any] = []
    limit, size = sys.getrecursionlimit(), threading.stack_size(256 << 20)
    sys.setrecursionlimit(100_000)
    try:
        thread = threading.Thread(target=lambda: results.append(action()))
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    assert results, "the matcher raised"
    return results[0]


def superlinear(tried: Iterable[tuple[str, re.Pattern[Any]]], *, search: bool) -> list[str]:
    """Returns the names of the patterns that take more steps than in proportion, each with a text that shows it."""

    def compare() -> list[str]:
        grown = [(name, *worst(pattern, search=search)) for name, pattern in tried]
        return [f"{name}: longer and longer {text!r}" for name, growth, text in grown if growth > GROWTH]

    return list(in_deep_stack(compare))


@cache
def first_names(*, searched: bool) -> dict[re.Pattern[Any], str]:
    """Returns all patterns, or those that are searched, with the first of the names under which modules import them."""
    found: dict[re.Pattern[Any], str] = {}
    for name, pattern in patterns():
        if not searched or (re.sub(r"\d+\Z", "", name) in searched_names() and name not in BOUNDED):
            found.setdefault(pattern, name)
    return found


def of_room(names: dict[re.Pattern[Any], str], room: str) -> list[tuple[str, re.Pattern[Any]]]:
    return [(name, pattern) for pattern, name in names.items() if name.startswith(f"{room}.")]


ROOMS = sorted({path.stem for path in PACKAGE.iterdir() if not path.name.startswith("_")})


@pytest.mark.parametrize("room", ROOMS)
def test_a_match_takes_steps_in_proportion_to_the_text(room: str) -> None:
    assert superlinear(of_room(first_names(searched=False), room), search=False) == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_search_takes_steps_in_proportion_to_the_text(room: str) -> None:
    assert superlinear(of_room(first_names(searched=True), room), search=True) == []


@pytest.mark.parametrize("searches", [False, True])
def test_a_pattern_in_a_body(searches: bool) -> None:
    tried = [(name, pattern) for name, pattern, search in inline_patterns() if search is searches]
    assert tried
    assert superlinear(tried, search=searches) == []


def test_patterns_that_are_built_are_known() -> None:
    built = {module for module, _, call in written_in_bodies() if not isinstance(call.args[0], ast.Constant)}
    own = {"language/builtin_functions/notation.py", "language/builtin_functions/motion_estimation.py"}
    assert (
        built - own - {"source/conditions.py", "host_options/option_splitter.py"} == MADE_OF_NAMES | TEMPLATES
    )


@pytest.mark.parametrize(
    ("pattern", "linear"),
    [
        (r"(a+)+b", False),
        (r"(?:a|ab|b)*c", False),
        (r"a*a*b", False),
        (r"\s*;?\s*x", False),
        (r"%[0]*\d*x", False),
        (r"a+b", True),
        (r"(?:a|b)*c", True),
        (r'"(?:[^"\\]|\\.)*"', True),
    ],
)
def test_the_matcher_finds_patterns_that_are_not_linear(pattern: str, linear: bool) -> None:
    growth, _ = in_deep_stack(lambda: worst(re.compile(pattern), search=False))
    assert (growth <= GROWTH) is linear


@pytest.mark.parametrize(
    ("pattern", "linear"),
    [
        (r"a+b", False),
        (r"/\*.*?\*/", False),
        (r"[ \t]*//", False),
        (r"\w+\Z", False),
        (r"(?<!a)a+b", True),
        (r"/\*.*?(?:\*/|\Z)", True),
        (r"^[ \t]*//", True),
    ],
)
def test_the_matcher_finds_searches_that_are_not_linear(pattern: str, linear: bool) -> None:
    growth, _ = in_deep_stack(lambda: worst(re.compile(pattern, re.DOTALL), search=True))
    assert (growth <= GROWTH) is linear


def test_patterns_are_found() -> None:
    names = set(dict(patterns()))
    assert {"source.lexer.TOKEN", "ide.ignore.ignore_comments._COMMENT"} <= names
    searched = set(first_names(searched=True).values())
    assert {"source.chunks._COMMENT", "host_options.host_lexer._OPTION"} <= searched
    assert len(searched) > 60

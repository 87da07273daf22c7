"""Names that exist only from OpenCL C 2.0 on: clang refuses each in OpenCL C 1.2 with every extension."""

from __future__ import annotations

import re

import pytest
from openclsp.language.builtin_functions import builtin_names
from openclsp.language.dialect import Dialect, DialectError, make_dialect
from openclsp.language.features import FEATURES
from openclsp.language.newer_names import NEWER_CONSTANTS, NEWER_FUNCTIONS, NEWER_TYPES

from .clang import QUIETLY, needs_clang, run_clang

_REFUSED = re.compile(r"(?:undeclared (?:identifier|function)|unknown type name) '(\w+)'")
_NAMES = {**NEWER_FUNCTIONS, **NEWER_CONSTANTS, **NEWER_TYPES}


def _refused(standard: str) -> set[str]:
    """The names that clang does not know."""
    uses = [
        f"void v{i}(void) {{ (void){name}; }}"
        for i, name in enumerate({**NEWER_FUNCTIONS, **NEWER_CONSTANTS})
    ]
    types = [f"void t{i}({name} *x);" for i, name in enumerate(NEWER_TYPES)]
    ran = run_clang(Dialect.of(standard), "\n".join([*uses, *types]), *QUIETLY)
    return set(_REFUSED.findall(ran.stderr)) & _NAMES.keys()


@needs_clang
@pytest.mark.parametrize("standard", ["CL1.0", "CL1.1", "CL1.2"])
def test_older_versions_have_none_of_them(standard: str) -> None:
    assert _refused(standard) == _NAMES.keys()


@needs_clang
def test_each_is_there_from_its_version_on() -> None:
    assert _refused("CL2.0") == {name for name, version in _NAMES.items() if version > 200}
    assert _refused("CL3.0") == set()


def test_what_extensions_bring_to_older_versions_is_not_among_them() -> None:
    older = "atomic_add atom_add atomic_xchg half double image2d_depth_t sub_group_all get_sub_group_size read_imageh"
    assert not set(older.split()) & _NAMES.keys()


def test_they_are_what_the_table_of_built_in_functions_has_anew() -> None:
    optional = [f"-{name}" for name, feature in FEATURES.items() if 200 not in feature.core]
    made = make_dialect("CL2.0", optional)
    assert not isinstance(made, DialectError)
    new = builtin_names(made[0]) - builtin_names(Dialect.of("CL1.2"))
    assert {name for name in new if not name.startswith(("__", "sub_group_"))} == NEWER_FUNCTIONS.keys()

"""Names that exist only from OpenCL C 2.0 on are errors in clang in 1.2 with every extension."""

from __future__ import annotations

import re

import pytest
from openclsp.language.dialect import Dialect
from openclsp.language.newer_names import NEWER_CONSTANTS, NEWER_TYPES, newer_functions

from .clang import QUIETLY, needs_clang, run_clang

_REFUSED = re.compile(r"(?:undeclared (?:identifier|function)|unknown type name) '(\w+)'")
_NAMES = {**newer_functions(), **NEWER_CONSTANTS, **NEWER_TYPES}


def _refused(standard: str) -> set[str]:
    """The names that clang does not know."""
    uses = [
        f"void v{i}(void) {{ (void){name}; }}"
        for i, name in enumerate({**newer_functions(), **NEWER_CONSTANTS})
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


def test_functions_of_every_kind_are_among_them() -> None:
    named = "to_global get_fence ctz work_group_barrier work_group_reduce_add atomic_load atomic_fetch_xor_explicit"
    more = (
        "read_pipe work_group_commit_write_pipe enqueue_kernel ndrange_3D get_global_linear_id release_event"
    )
    assert newer_functions().keys() >= {*named.split(), *more.split()}

"""A `read_write` image in a dialect whose images are either read or written (OpenCL C 6.6)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import suggest_newer_versions
from openclsp.semantics.facts.declarations import Declaration
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.types.type_model import Opaque

CODE = "read-write-image"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an image with an access qualifier that the dialect does not support.

    `read_write` requires 2.0 or a feature of 3.0. A written 3D image requires `cl_khr_3d_image_writes`.
    """
    type_ = fact.entity.type
    if fact.entity.kind is not EntityKind.PARAMETER or not isinstance(type_, Opaque):
        return
    if type_.category == "image" and type_.access == "read_write" and not dialect.read_write_images:
        needs = "OpenCL C 2.0" if dialect.version < 200 else "the feature `__opencl_c_read_write_images`"
        message = (
            f"image `{fact.entity.name}` cannot be `read_write` in {dialect.title}: this requires {needs}"
        )
        fixes = tuple(suggest_newer_versions(dialect, lambda newer: newer.read_write_images))
        yield Finding(CODE, Severity.ERROR, message, fact.entity.place, fixes=fixes)
    elif type_.name == "image3d_t" and type_.access != "read_only" and not dialect.writes_3d_images:
        message = f"image `{fact.entity.name}` cannot be written: writes to 3D images require the extension `cl_khr_3d_image_writes`"
        yield Finding(CODE, Severity.ERROR, message, fact.entity.place)


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.type",
        ),
    ),
)

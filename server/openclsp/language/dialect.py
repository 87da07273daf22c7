"""A dialect: an OpenCL C version with its extensions and optional features."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from functools import cache

from openclsp.dataclass import dataclass
from openclsp.language.features import FEATURES, SYNONYMS, available_in, requirements

DEFAULT_VERSION = 120
"""OpenCL C 1.2, an OpenCL compiler's default without `-cl-std`, if the device supports it.

Unified specification of the API, clBuildProgram, `-cl-std`.
"""

_STANDARDS = {100: "CL1.0", 110: "CL1.1", 120: "CL1.2", 200: "CL2.0", 300: "CL3.0"}
_VERSION_OF = {"CL": 100, **{name: version for version, name in _STANDARDS.items()}}
_VERSION_OF |= {name.lower(): version for name, version in _VERSION_OF.items()}
_CPP_FOR_OPENCL = frozenset(
    prefix + suffix for prefix in ("clc++", "CLC++") for suffix in ("", "1.0", "2021")
)

GENERIC_ADDRESS_SPACE = "__opencl_c_generic_address_space"
PROGRAM_SCOPE_GLOBAL_VARIABLES = "__opencl_c_program_scope_global_variables"


@dataclass(frozen=True, slots=True)
class Dialect:
    """A language version with its options.

    - `version`: the value of `__OPENCL_C_VERSION__`: 100, 110, 120, 200 or 300
    - `extensions`: the names of the extensions and features that are on, each of which is also defined as a
      macro. A feature that is part of the version may be missing here: call `has`.
    - `address_bits`: 32 or 64, the size of `size_t` and related types on the device (OpenCL C 6.3.1)
    - `unmet`: the features that an option requests by name although their requirements are off, each with
      these requirements. Such a feature is off, because no device has it without its requirements.
    - `blocks_enabled`: whether an option (`-fblocks`) enables blocks in any version
    - `single_precision`: whether an unsuffixed floating constant is a `float`
      (`-cl-single-precision-constant`)
    """

    version: int
    extensions: frozenset[str]
    address_bits: int = 64
    unmet: tuple[tuple[str, tuple[str, ...]], ...] = ()
    blocks_enabled: bool = False
    single_precision: bool = False

    def has(self, name: str) -> bool:
        """Whether programs can use the extension or feature: it is on, or it is part of the version."""
        if name in self.extensions:
            return True
        feature = FEATURES.get(name)
        return feature is not None and self.version in feature.core

    @property
    def generic(self) -> bool:
        """Whether the generic address space exists (OpenCL C 2.0, or 3.0 with the feature)."""
        return self.has(GENERIC_ADDRESS_SPACE)

    @property
    def program_scope_globals(self) -> bool:
        """Whether variables at program scope may be in the global address space."""
        return self.has(PROGRAM_SCOPE_GLOBAL_VARIABLES)

    @property
    def device_enqueue(self) -> bool:
        """Whether `enqueue_kernel` and the types that it needs exist."""
        return self.has("__opencl_c_device_enqueue")

    @property
    def blocks(self) -> bool:
        """Whether block types and literals exist: with device enqueue, or if an option enables them."""
        return self.blocks_enabled or self.device_enqueue

    @property
    def pipes(self) -> bool:
        """Whether the `pipe` qualifier and its functions exist."""
        return self.has("__opencl_c_pipes")

    @property
    def read_write_images(self) -> bool:
        """Whether an image can be `read_write`."""
        return self.has("__opencl_c_read_write_images")

    @property
    def writes_3d_images(self) -> bool:
        """Whether `write_only image3d_t` exists."""
        return self.has("cl_khr_3d_image_writes")

    @property
    def double(self) -> bool:
        """Whether double precision types exist."""
        return self.has("cl_khr_fp64")

    @property
    def half(self) -> bool:
        """Whether `half` is an arithmetic type, not only a storage type."""
        return self.has("cl_khr_fp16")

    @property
    def standard(self) -> str:
        """The value of `-cl-std` that selects the version: `CL1.2`."""
        return _STANDARDS[self.version]

    @property
    def name(self) -> str:
        """The dialect's short name: `CL3.0-generic` is OpenCL C 3.0 without the generic address space."""
        if self.version < 300:
            return self.standard
        generic = "" if self.generic else "-generic"
        return self.standard + generic + ("" if self.program_scope_globals else "-globals")

    @property
    def title(self) -> str:
        """The dialect's name in messages: `OpenCL C 3.0 without the generic address space`."""
        missing = [
            what
            for what, there in (
                ("the generic address space", self.generic),
                ("program-scope global variables", self.program_scope_globals),
            )
            if self.version >= 300 and not there
        ]
        version = f"OpenCL C {self.version // 100}.{self.version // 10 % 10}"
        return f"{version} without {' and '.join(missing)}" if missing else version

    @staticmethod
    @cache
    def of(name: str) -> Dialect:
        """Returns the dialect with this short name, such as `CL1.2` or `CL3.0-generic`.

        Every feature that the name does not turn off is on. Raises KeyError if no dialect has this name.
        """
        standard, *off = name.split("-")
        switched_off = [f"-{_SWITCHES[switch]}" for switch in off]
        made = make_dialect(standard, switched_off)
        if isinstance(made, DialectError) or made[0].name != name:
            raise KeyError(name)
        return made[0]


@dataclass(frozen=True, slots=True)
class DialectError:
    """The reason why options select no dialect.

    `message` is one line that names the faulty part.
    """

    message: str


_SWITCHES = {"generic": GENERIC_ADDRESS_SPACE, "globals": PROGRAM_SCOPE_GLOBAL_VARIABLES}


def make_dialect(
    standard: str | None, switches: Iterable[str] = ()
) -> tuple[Dialect, tuple[str, ...]] | DialectError:
    """Returns the dialect that `-cl-std=STANDARD` and `-cl-ext=SWITCHES` select, and notes.

    The notes are messages about features that are off because their requirements are off, and about names
    that the version lacks.

    `standard` is spelled as for clang (`CL1.2`, `cl1.2`, `CL`); None selects the default, OpenCL C 1.2.

    `switches` are `+NAME`, `-NAME`, `NAME` (on), `+all` and `-all`, or comma-separated lists of these. A
    later switch overrides an earlier one; initially everything is on, as in clang for spir64. Synonyms are
    switched together.

    In OpenCL C 3.0, a feature is turned off if one of its requirements is off (unified specification 6.2.1).
    If the feature was requested by name, the dialect lists it in `unmet`; otherwise a note reports the
    change.
    """
    version = _version(standard)
    if isinstance(version, DialectError):
        return version
    known = available_in(version)
    on = set(known)
    requested: set[str] = set()
    notes: dict[str, None] = {}
    for switch in split_switches(switches):
        name = _switched_name(switch)
        is_on = not switch.startswith("-")
        if name == "all":
            on = set(known) if is_on else set()
            requested.clear()
            continue
        error = unknown_switch(switch)
        if error is not None:
            return error
        # as in clang, a known name that the version lacks is no error
        if name not in known:
            if is_on:
                notes[_too_new(name, version)] = None
            continue
        pair = {name}
        if version >= 300 and name in SYNONYMS:
            pair.add(SYNONYMS[name])
        on = on | pair if is_on else on - pair
        requested = requested | pair if is_on else requested - pair
    # turned off: features whose requirements are unmet, and their synonyms; for those requested by name, the
    # dialect records why (`unmet`), for others a note does
    dropped = _unsupported(version, on)
    unmet = tuple(
        (name, missing) for missing, names in dropped.items() for name in names if name in requested
    )
    for missing, names in dropped.items():
        on -= {other for name in names for other in (name, SYNONYMS.get(name, name))}
        others = [name for name in names if name not in requested]
        if others:
            several = len(others) > 1
            off = f"{'are' if several else 'is'} off as well: {'they need' if several else 'it needs'}"
            notes[f"{listed(others)} {off} {listed(missing)}"] = None
    return Dialect(version, frozenset(on), unmet=unmet), tuple(notes)


def split_switches(switches: Iterable[str]) -> tuple[str, ...]:
    """Splits comma-separated lists into switches, without blanks and empty parts."""
    return tuple(part for item in switches for part in (raw.strip() for raw in item.split(",")) if part)


def unknown_switch(switch: str) -> DialectError | None:
    """Returns the error of a switch (`+NAME`, `-NAME`, `NAME`) with an unknown name, else None."""
    name = _switched_name(switch)
    if name == "all" or name in FEATURES:
        return None
    return DialectError(f"unknown extension or feature '{name}'{_nearest(name, (*FEATURES, 'all'))}")


def is_cpp_for_opencl(standard: str) -> bool:
    """Whether the value of `-cl-std` selects C++ for OpenCL."""
    return standard in _CPP_FOR_OPENCL


def _switched_name(switch: str) -> str:
    return switch[1:] if switch.startswith(("+", "-")) else switch


def _version(standard: str | None) -> int | DialectError:
    if standard is None:
        return DEFAULT_VERSION
    if standard in _VERSION_OF:
        return _VERSION_OF[standard]
    if is_cpp_for_opencl(standard):
        return DialectError(f"'{standard}' is C++ for OpenCL, which is not supported: only OpenCL C is")
    known = tuple(_STANDARDS.values())
    nearest = _nearest(standard.upper(), known)
    return DialectError(f"unknown language version '{standard}'{nearest} (known: {', '.join(known)})")


def _unsupported(version: int, on: set[str]) -> dict[tuple[str, ...], list[str]]:
    """Returns the features in `on` that have an unmet requirement, grouped by their missing requirements.

    A feature that requires one of these features has an unmet requirement, too.
    """
    kept = set(on)
    dropped: dict[tuple[str, ...], list[str]] = {}
    while True:
        unmet = {
            feature: tuple(name for name in needed if name not in kept)
            for feature, needed in requirements(version).items()
            if feature in kept and not kept.issuperset(needed)
        }
        if not unmet:
            return dropped
        for feature, missing in unmet.items():
            dropped.setdefault(missing, []).append(feature)
            kept -= {feature, SYNONYMS.get(feature, feature)}


def listed(names: Sequence[str]) -> str:
    """Joins the names with commas and "and"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _too_new(name: str, version: int) -> str:
    since = FEATURES[name].since
    return f"{name} is not in {_STANDARDS[version]}: it needs {_STANDARDS[since]} or newer"


def _nearest(name: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(name, tuple(known), n=1, cutoff=0.6)
    return f"; did you mean '{found[0]}'?" if found else ""


REFERENCE_DIALECTS: tuple[Dialect, ...] = tuple(
    Dialect.of(name)
    for name in (
        "CL1.0",
        "CL1.1",
        "CL1.2",
        "CL2.0",
        "CL3.0",
        "CL3.0-generic",
        "CL3.0-globals",
        "CL3.0-generic-globals",
    )
)
"""The eight dialects whose rules for address spaces differ, each with everything else on"""

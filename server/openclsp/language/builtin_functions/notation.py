"""The notation of the tables of built-in functions, and its expansion.

A row expands to the overloads of one name in one dialect. A row is `range | names | overloads | needs`; a
line that begins with a blank continues the row above.

- `range` names the set of types that `T` ranges over (`RANGES`). It is empty if the row has no `T`.
- `names` are separated by blanks. `{a,b}` stands for each of its alternatives, `{T}` for the type, `{n}` for
  its width, `{w}` for its width or nothing if the width is 1, and `{s}` for the suffix of image functions
  (`f`, `i`, `ui`, `h`).
- `overloads` are separated by semicolons and written as `result(parameter, …)`. `[a b]` stands for each of
  its alternatives, `{1}` for the alternative chosen for the name's first `{a,b}`.
- In an overload, `T` is the type and `t` its element type. These types have as many elements as `T`: `S` with
  signed integers of the same size, `U` with unsigned integers of the same size, `W` with integers of twice the
  size, `N` with each built-in number type in turn, `int#` with `int`. `B` is the result of a comparison: `int`
  if `T` is a scalar, otherwise `S`. `M` is each vector of 2, 4, 8 or 16 elements with the element type of `T`.
- The address space of a pointee is a keyword of OpenCL C, or one of these words: `plain` (the space of an
  unqualified pointee), `out` (generic; without a generic space, each of global, local and private), `in`
  (`out` and constant), `atomic` (generic if the dialect has it, and from OpenCL C 3.0 on also global and
  local), `floating` (the spaces in which a feature of cl_ext_float_atomics provides the function).
- `needs` lists the first version (`2.0`), extensions and features, all of which the overloads require.
  `_STANDS_FOR` explains the abbreviations. The requirements of types (`double`, `half`, images …) are
  implied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect

_SIGNED = ("char", "short", "int", "long")
_UNSIGNED = ("uchar", "ushort", "uint", "ulong")
_INTEGERS = tuple(name for pair in zip(_SIGNED, _UNSIGNED, strict=True) for name in pair)
_FLOATING = ("float", "double", "half")
_NUMBERS = (*_INTEGERS, *_FLOATING)
_VECTOR = (2, 3, 4, 8, 16)
_ALL = (1, *_VECTOR)
_ATOMIC = ("int", "uint", "long", "ulong")

RANGES: Mapping[str, tuple[tuple[str, ...], tuple[int, ...]]] = {
    "numbers": (_NUMBERS, _ALL),
    "scalars": (_NUMBERS, (1,)),
    "vectors": (_NUMBERS, _VECTOR),
    "even_vectors": (_NUMBERS, (2, 4, 8, 16)),
    "integers": (_INTEGERS, _ALL),
    "integers_1": (_INTEGERS, (1,)),
    "signed": (_SIGNED, _ALL),
    "below_long": (_INTEGERS[:6], _ALL),
    "int_uint": (("int", "uint"), _ALL),
    "int_uint_1": (("int", "uint"), (1,)),
    "long_ulong": (("long", "ulong"), (1,)),
    "uint": (("uint",), _ALL),
    "ulong": (("ulong",), _ALL),
    "floats": (_FLOATING, _ALL),
    "floats_1": (_FLOATING, (1,)),
    "floats_1_4": (_FLOATING, (1, 2, 3, 4)),
    "floats_3_4": (_FLOATING, (3, 4)),
    "float": (("float",), _ALL),
    "float_1_4": (("float",), (1, 2, 3, 4)),
    "float_vectors": (("float",), _VECTOR),
    "float_double": (("float", "double"), (1,)),
    "float_double_v": (("float", "double"), _VECTOR),
    "half_1": (("half",), (1,)),
    "texels": (("float", "int", "uint", "half"), (4,)),
    "full_texels": (("float", "int", "uint"), (4,)),
    "atomics": ((*_ATOMIC, "float", "double"), (1,)),
    "atomic_integers": (_ATOMIC, (1,)),
    "group_numbers": (("int", "uint", "long", "ulong", *_FLOATING), (1,)),
    "short_numbers": (("char", "uchar", "short", "ushort"), (1,)),
    "short_ushort": (("short", "ushort"), (1,)),
    "char_uchar": (("char", "uchar"), (1,)),
    "wide_shuffled": (("float", "int", "uint"), _ALL),
    "long_shuffled": (("long", "ulong", "half", "double"), (1,)),
    "short_shuffled": (("short", "ushort"), _ALL),
    "char_shuffled": (("char", "uchar"), _ALL),
    "short_broadcast": (("short", "ushort"), (1, 2, 3, 4, 8)),
    "char_broadcast": (("char", "uchar"), (1, 2, 3, 4, 8)),
    "uchar_block": (("uchar",), (1, 2, 4, 8, 16)),
    "ushort_block": (("ushort",), (1, 2, 4, 8, 16)),
    "uint_block": (("uint",), (1, 2, 4, 8)),
    "ulong_block": (("ulong",), (1, 2, 4, 8)),
}
"""The sets of types: elements, and widths (1 for the scalar)"""

_STANDS_FOR: Mapping[str, tuple[frozenset[str], ...]] = {
    "order": (frozenset({"__opencl_c_atomic_order_seq_cst"}),),
    "scope": (frozenset({"__opencl_c_atomic_scope_device"}),),
    "generic": (frozenset({"__opencl_c_generic_address_space"}),),
    "subgroups": (frozenset({"cl_intel_subgroups", "cl_khr_subgroups", "__opencl_c_subgroups"}),),
    "sized_blocks": (
        frozenset({"cl_intel_subgroups_char", "cl_intel_subgroups_short", "cl_intel_subgroups_long"}),
    ),
    "int64_atomics": (
        frozenset({"cl_khr_int64_base_atomics"}),
        frozenset({"cl_khr_int64_extended_atomics"}),
    ),
}
"""Abbreviations of requirements: one name of each set must be on"""

_FLOAT_ATOMICS = ("load_store", "min_max", "add")
_SIZES = {"char": 8, "short": 16, "int": 32, "long": 64, "half": 16, "float": 32, "double": 64}
_OF_SIZE = {8: "char", 16: "short", 32: "int", 64: "long"}
_IMAGE_SUFFIXES = {"float": "f", "int": "i", "uint": "ui", "half": "h"}
_QUALIFIERS = ("const", "volatile")
_WORD = re.compile(r"[A-Za-z_]\w*#?")
_BRACES = re.compile(r"\{([^{}]*)\}")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Signature:
    """An overload of a built-in function.

    Types are spelled in OpenCL C with the pointee's space first: `global const float *`.
    """

    name: str
    result: str
    parameters: tuple[str, ...]
    variadic: bool = False

    def __str__(self) -> str:
        parameters = (*self.parameters, "...") if self.variadic else self.parameters
        return f"{self.result} {self.name}({', '.join(parameters) or 'void'})"


@dataclass(frozen=True, slots=True)
class Family:
    """A function name from a row of a table, with its overloads, in which `T` stands for a type.

    `elements` and `widths` are the element types and widths that `T` ranges over. `choice` is the alternative
    chosen for the first `{a,b}` in the name.
    """

    name: str
    elements: tuple[str, ...]
    widths: tuple[int, ...]
    overloads: str
    needs: tuple[str, ...]
    choice: str


def families(rows: str) -> Iterator[Family]:
    """Yields a `Family` for each function name in the rows of a table."""
    for row in re.sub(r"\n[ \t]+", " ", rows).splitlines():
        if not row or row.startswith("#"):
            continue
        parts = [part.strip() for part in row.split("|")]
        elements, widths = RANGES[parts[0]] if parts[0] else (("",), (1,))
        needs = tuple(parts[3].split()) if len(parts) > 3 else ()
        for pattern in parts[1].split():
            for name, choice in _named(pattern):
                for bound, its_elements, its_widths in _bound_names(name, elements, widths):
                    yield Family(bound, its_elements, its_widths, parts[2], needs, choice)


def overloads(family: Family, dialect: Dialect) -> Iterator[Signature]:
    """Yields the overloads of a family in the dialect."""
    if not is_available(family, dialect):
        return
    text = family.overloads.replace("{1}", family.choice)
    for element, width in product(family.elements, family.widths):
        if not _has_element(element, dialect):
            continue
        for overload in text.split(";"):
            yield from _bind(family, overload.strip(), element, width, dialect)


def is_available(family: Family, dialect: Dialect) -> bool:
    """Whether the dialect meets the requirements in `family.needs`; those of its types are not checked."""
    return _all_on(family.needs, dialect)


def needed(family: Family) -> Iterator[str]:
    """Yields the versions, extensions and features that a family may require, with abbreviations expanded."""
    for need in family.needs:
        yield from (name for names in _STANDS_FOR.get(need, (frozenset((need,)),)) for name in names)


def unknown_needs(rows: str, known: Iterable[str]) -> frozenset[str]:
    """Returns the unknown requirements in a table, which are errors.

    A requirement is unknown if it is neither a version nor a known name nor an abbreviation.
    """
    words = {need for family in families(rows) for need in family.needs if not need[0].isdigit()}
    return frozenset(words.difference(known, _STANDS_FOR, _FLOAT_ATOMICS))


def _named(pattern: str) -> Iterator[tuple[str, str]]:
    """Yields the names of a pattern, each with the alternative chosen for its first `{a,b}`.

    `{T}`, `{n}`, `{w}` and `{s}` remain in the names.
    """
    pieces = re.split(r"(\{[^{},]*,[^{}]*\})", pattern)
    options = [piece[1:-1].split(",") if "," in piece else [piece] for piece in pieces]
    for chosen in product(*options):
        yield "".join(chosen), chosen[1] if len(chosen) > 1 else ""


def _bound_names(
    name: str, elements: tuple[str, ...], widths: tuple[int, ...]
) -> Iterator[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """Yields each name that results from replacing `{T}`, `{n}`, `{w}` and `{s}` in `name`.

    Each comes with the element types and widths that the type `T` can then have.
    """
    tokens = set(_BRACES.findall(name))
    by_element = [(each,) for each in elements] if tokens & {"T", "s"} else [elements]
    by_width = [(each,) for each in widths] if tokens & {"T", "n", "w"} else [widths]
    for its_elements, its_widths in product(by_element, by_width):
        element, width = its_elements[0], its_widths[0]
        bound = name.replace("{T}", _type(element, width)).replace("{n}", str(width))
        bound = bound.replace("{w}", "" if width == 1 else str(width))
        yield bound.replace("{s}", _IMAGE_SUFFIXES.get(element, "")), its_elements, its_widths


def _bind(family: Family, overload: str, element: str, width: int, dialect: Dialect) -> Iterator[Signature]:
    words = set(_WORD.findall(overload))
    others = [name for name in _NUMBERS if _has_element(name, dialect)] if "N" in words else [element]
    widths = (2, 4, 8, 16) if "M" in words else (width,)
    for other, other_width in product(others, widths):
        bound = _WORD.sub(_binding(element, width, other, other_width), overload)
        for plain in _alternatives(bound):
            result, _, rest = plain.partition("(")
            parameters = [part.strip() for part in rest.rstrip(")").split(",")]
            variadic = parameters[-1] == "..."
            fixed = [part for part in parameters if part not in ("void", "...")]
            choices = [list(_spelled(part, family, element, dialect)) for part in fixed]
            for chosen in product(*choices):
                if all(_has_type(type_, dialect) for type_ in (result, *chosen)):
                    yield Signature(family.name, result, chosen, variadic)


def _binding(element: str, width: int, other: str, other_width: int) -> Callable[[re.Match[str]], str]:
    def bound(match: re.Match[str]) -> str:
        word = match[0]
        if word.endswith("#"):
            return _type(word[:-1], width)
        if word == "T":
            return _type(element, width)
        if word == "t":
            return element
        if word == "atomic_T":
            return f"atomic_{element}"
        if word == "N":
            return _type(other, width)
        if word == "M":
            return _type(element, other_width)
        if word in ("S", "U", "B", "W"):
            return _type("int" if word == "B" and width == 1 else _related(word, element), width)
        return word

    return bound


def _related(word: str, element: str) -> str:
    size = _SIZES[element if element in _SIZES else element[1:]] * (2 if word == "W" else 1)
    unsigned = word == "U" or (word == "W" and element in _UNSIGNED)
    return ("u" if unsigned else "") + _OF_SIZE[size]


def _type(element: str, width: int) -> str:
    return element if width == 1 else f"{element}{width}"


def _alternatives(text: str) -> Iterator[str]:
    """Yields the text with each `[a b]` replaced by one of its alternatives."""
    pieces = _BRACKETS.split(text)
    options = [piece.split() if number % 2 else [piece] for number, piece in enumerate(pieces)]
    return ("".join(chosen) for chosen in product(*options))


def _spelled(parameter: str, family: Family, element: str, dialect: Dialect) -> Iterator[str]:
    """Yields a parameter's type in OpenCL C, once for each space of its pointee."""
    if not parameter.endswith("*"):
        yield parameter
        return
    words = parameter[:-1].split()
    qualifiers = " ".join(word for word in words if word in _QUALIFIERS)
    space, base = (word for word in words if word not in _QUALIFIERS)
    for each in _spaces(space, family, element, dialect):
        yield f"{each} {qualifiers} {base} *" if qualifiers else f"{each} {base} *"


def _spaces(word: str, family: Family, element: str, dialect: Dialect) -> tuple[str, ...]:
    anywhere = ("generic",) if dialect.generic else ("global", "local", "private")
    if word == "out":
        return anywhere
    if word == "in":
        return (*anywhere, "constant")
    if word == "plain":
        return ("generic",) if dialect.generic else ("private",)
    if word == "atomic":
        generic = ("generic",) if dialect.generic else ()
        return (*generic, "global", "local") if dialect.version >= 300 else generic
    if word == "floating":
        action = next(need for need in family.needs if need in _FLOAT_ATOMICS)
        named = tuple(
            space
            for space in ("global", "local")
            if f"__opencl_c_ext_fp{_SIZES[element]}_{space}_atomic_{action}" in dialect.extensions
        )
        # if both are on, the header also declares the unqualified overload, whatever unqualified means
        return (*named, "generic" if dialect.generic else "private") if len(named) == 2 else named
    return (word,)


def _all_on(needs: Iterable[str], dialect: Dialect) -> bool:
    on = dialect.extensions
    for need in needs:
        if need[0].isdigit():
            if dialect.version < int(need.replace(".", "")) * 10:
                return False
        elif need not in _FLOAT_ATOMICS:
            sets = _STANDS_FOR.get(need)
            if need not in on if sets is None else any(on.isdisjoint(each) for each in sets):
                return False
    return True


def _has_element(element: str, dialect: Dialect) -> bool:
    if element == "half":
        return dialect.half
    return dialect.double if element == "double" else True


def _has_type(spelled: str, dialect: Dialect) -> bool:
    """Whether the dialect has the type as a parameter of built-in functions.

    This checks only the types that a dialect can lack although it meets the row's requirements: images, and
    pointers to 64-bit atomic types.
    """
    on = dialect.extensions
    if spelled.startswith(("global ", "local ", "private ", "generic ")) and "atomic_" in spelled:
        wide = spelled.endswith(("long *", "double *", "ptr_t *"))
        return not wide or _all_on(("int64_atomics",), dialect)
    if "image" not in spelled:
        return True
    if dialect.version >= 300 and "__opencl_c_images" not in on:
        return False
    if spelled.startswith("read_write") and "__opencl_c_read_write_images" not in on:
        return False
    if "msaa" in spelled and "cl_khr_gl_msaa_sharing" not in on:
        return False
    if (
        "depth" in spelled
        and "msaa" not in spelled
        and dialect.version < 200
        and "cl_khr_depth_images" not in on
    ):
        return False
    return "image3d" not in spelled or spelled.startswith("read_only") or dialect.writes_3d_images

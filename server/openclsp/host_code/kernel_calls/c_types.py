"""The kinds and sizes of C and C++ types that a host passes to kernels, by the types' names.

A type whose size differs between hosts (`long`, `size_t`, pointers) has no size.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.host_code.kernel_calls.kernel_uses import UNKNOWN_VALUE, PassedKind, PassedValue

_INTEGERS: Final = {
    "char": 1,
    "short": 2,
    "int": 4,
    "long long": 8,
    "bool": 1,
    "int8_t": 1,
    "int16_t": 2,
    "int32_t": 4,
    "int64_t": 8,
    "gboolean": 4,
    "gint": 4,
    "gint8": 1,
    "gint16": 2,
    "gint32": 4,
    "gint64": 8,
    "gshort": 2,
    "gchar": 1,
    "unsigned": 4,
    "signed": 4,
}
_UNSIGNED: Final = {f"u{name}": size for name, size in _INTEGERS.items() if name.endswith("_t")} | {
    f"gu{name[1:]}": size for name, size in _INTEGERS.items() if name.startswith("gint")
}
_FLOATS: Final = {"float": 4, "double": 8, "gfloat": 4, "gdouble": 8}
_CL: Final = {
    "char": 1,
    "uchar": 1,
    "short": 2,
    "ushort": 2,
    "int": 4,
    "uint": 4,
    "long": 8,
    "ulong": 8,
    "half": 2,
    "float": 4,
    "double": 8,
    "bool": 4,
}
_ADDRESS_SIZED: Final = frozenset(
    ("long", "size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "gsize")
)
_CL_TYPE: Final = re.compile(
    r"cl_(?P<element>u?(?:char|short|int|long)|half|float|double|bool)(?P<width>2|3|4|8|16)?\Z"
)
_QUALIFIERS: Final = re.compile(
    r"\b(?:const|volatile|static|register|extern|inline|constexpr|mutable|thread_local|restrict|struct|auto|std\s*::)(?!\w)\s*"
)
_SIGN: Final = re.compile(r"\b(?:unsigned|signed)\b")
_CLASS: Final = re.compile(r"(?:::)?(?:cl|compute|boost\s*::\s*compute)\s*::\s*(?P<name>\w+)\Z")
_CLASSES: Final = {
    "Buffer": PassedKind.BUFFER,
    "BufferGL": PassedKind.BUFFER,
    "Memory": PassedKind.MEMORY,
    "Image": PassedKind.IMAGE,
    "Image1D": PassedKind.IMAGE,
    "Image1DBuffer": PassedKind.IMAGE,
    "Image1DArray": PassedKind.IMAGE,
    "Image2D": PassedKind.IMAGE,
    "Image2DArray": PassedKind.IMAGE,
    "Image2DGL": PassedKind.IMAGE,
    "ImageGL": PassedKind.IMAGE,
    "Image3D": PassedKind.IMAGE,
    "Sampler": PassedKind.SAMPLER,
    "LocalSpaceArg": PassedKind.LOCAL,
    "buffer": PassedKind.BUFFER,
    "image2d": PassedKind.IMAGE,
    "image3d": PassedKind.IMAGE,
    "image_sampler": PassedKind.SAMPLER,
}
_COMMENT: Final = re.compile(r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)")
_HANDLES: Final = {"cl_mem": PassedKind.MEMORY, "cl_sampler": PassedKind.SAMPLER}


def normalized_type(written: str) -> str:
    """Returns the name of a type without qualifiers, storage classes and comments, with single spaces."""
    plain = _COMMENT.sub(" ", written) if "/" in written else written
    return re.sub(r"\s+", " ", _QUALIFIERS.sub("", plain)).replace(" ::", "::").strip()


def value_of_type(written: str, *, unqualified_classes: bool = False) -> PassedValue:
    """Returns the kernel argument that results from passing an object of the type `written`.

    `unqualified_classes`: the classes of namespace `cl` may be named without `cl::`.
    """
    name = normalized_type(written).removesuffix("&").strip()
    kind = _HANDLES.get(name)
    if kind is not None:
        return PassedValue(kind, None, name)
    cl = _CL_TYPE.match(name)
    if cl is not None:
        element, width = cl["element"], int(cl["width"] or 1)
        size = _CL[element] * (4 if width == 3 else width)
        is_float = element in ("half", "float", "double") if width == 1 else None
        return PassedValue(PassedKind.VALUE, size, name, is_float)
    if name in _FLOATS:
        return PassedValue(PassedKind.VALUE, _FLOATS[name], name, True)
    integer = _integer_size(name)
    if integer is not None or name in _ADDRESS_SIZED or _is_long(name):
        return PassedValue(PassedKind.VALUE, integer, name, False)
    match = _CLASS.match(name)
    plain = match["name"] if match is not None else name if unqualified_classes else ""
    if plain in _CLASSES:
        return PassedValue(_CLASSES[plain], None, name)
    return UNKNOWN_VALUE


def _integer_size(name: str) -> int | None:
    if name in _INTEGERS:
        return _INTEGERS[name]
    if name in _UNSIGNED:
        return _UNSIGNED[name]
    words = _SIGN.sub("", name).split()
    if len(words) > 1 and words[-1] == "int":
        words.pop()
    if words == ["long", "long"]:
        return 8
    return _INTEGERS.get(" ".join(words)) if _SIGN.search(name) or "int" in name.split() else None


def _is_long(name: str) -> bool:
    return _SIGN.sub("", name).split() in (["long"], ["long", "int"])

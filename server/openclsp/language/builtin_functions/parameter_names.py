"""The names and meanings of the parameters of built-in functions, for signature help.

Compilers declare built-in functions without parameter names; these are the names of the specification.

A row is `functions | parameters`. The first row that matches a function applies. In a function's name,
`{a,b}` stands for each of its alternatives, and `*` for any rest. Parameters are separated by `,`. A
parameter is a name, or a name with its meaning after `:`. A name without a meaning has the meaning that
`_MEANINGS` gives, if any.
"""

from __future__ import annotations

import re
from functools import lru_cache

from openclsp.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class BuiltinParameter:
    """A parameter of a built-in function. `meaning` is a phrase in Markdown; it may be empty."""

    name: str
    meaning: str


_MEANINGS = {
    "dimindx": "the dimension, from 0 to `get_work_dim() - 1`",
    "flags": "the memory to order: `CLK_LOCAL_MEM_FENCE`, `CLK_GLOBAL_MEM_FENCE` or both, joined by `|`",
    "scope": "the work-items that see the order: `memory_scope_work_group`, `memory_scope_device` …",
    "order": "the memory order: `memory_order_relaxed`, `memory_order_acquire` …",
    "success": "the memory order if the values are equal",
    "failure": "the memory order if the values differ",
    "dst": "the memory to write",
    "src": "the memory to read",
    "num_gentypes": "the number of elements to copy",
    "event": "an event to join with the copy, or 0 for a new one",
    "offset": "in vectors: the address is `p + offset * n` for vectors of n elements",
    "p": "the address",
    "object": "the address of the atomic object",
    "image": "the image",
    "sampler": "how coordinates are addressed and pixels filtered",
    "coord": "the coordinates, x first",
    "lod": "the level of the mipmap",
    "x": "",
    "y": "",
    "p0": "the first point",
    "p1": "the second point",
    "format": "a string literal in constant memory",
    "value": "the value of this work-item",
    "queue": "the device queue",
    "ndrange": "the index space",
    "block": "the block to run",
    "pipe": "the pipe",
    "reserve_id": "the reservation",
    "index": "the packet in the reservation, from 0",
    "num_packets": "the number of packets",
    "delta": "the distance in work-items",
    "predicate": "the condition of this work-item",
    "ballot": "one bit for each work-item of the sub-group",
    "clustersize": "the number of work-items in a cluster: a power of two",
}

_ROWS = """
get_{global_id,global_size,global_offset,group_id,local_id,local_size,num_groups,enqueued_local_size} | dimindx
barrier | flags
{work_group,sub_group}_barrier | flags, scope
{,read_,write_}mem_fence | flags
atomic_work_item_fence | flags, order, scope
get_fence | ptr: a pointer
to_{global,local,private} | ptr: a generic pointer
async_work_group_copy | dst, src, num_gentypes, event
async_work_group_strided_copy | dst, src, num_gentypes, stride: the distance of elements in global memory, event
wait_group_events | num_events: the number of events, event_list: the events
prefetch | p, num_gentypes: the number of elements
printf | format
vload_half | offset: in elements, p
vload* | offset, p
vstore_half{,_rte,_rtz,_rtp,_rtn} | data: the number to write, offset: in elements, p
vstore* | data: the vector to write, offset, p
convert_* | x: the value to convert
as_* | x: the value whose bits are kept
atan2{,pi} | y, x
{ldexp,} | x, n: the power of two
pown | x, y: the exponent
rootn | x, n: the root
powr | x: not negative, y: the exponent
{,half_,native_}pow{,r} | x, y: the exponent
{half_,native_}divide | x: the dividend, y: the divisor
{fmod,remainder} | x: the dividend, y: the divisor
remquo | x: the dividend, y: the divisor, quo: receives the low bits of the quotient
fract | x, iptr: receives `floor(x)`
modf | x, iptr: receives the integer part
frexp | x, exp: receives the exponent
sincos | x, cosval: receives the cosine
lgamma_r | x, signp: receives the sign
copysign | x: gives the magnitude, y: gives the sign
nextafter | x: the start, y: the direction
nan | nancode: the payload
{fma,mad,mad_hi,mad_sat} | a, b, c
mad24 | x, y, z
rotate | v: the bits, i: the number of places
upsample | hi: the upper half, lo: the lower half
bitfield_insert | base: the bits to change, insert: the bits to put in, offset: the lowest bit to change, count: the number of bits
bitfield_extract_{signed,unsigned} | base: the bits to read, offset: the lowest bit to read, count: the number of bits
dot_acc_sat* | a, b, acc: the number to add
dot_4x8packed* | a, b
clamp | x, minval: the lower bound, maxval: the upper bound
mix | x: the result for a = 0, y: the result for a = 1, a: the share, from 0 to 1
step | edge: the threshold, x
smoothstep | edge0: the result is 0 below it, edge1: the result is 1 above it, x
degrees | radians: the angle
radians | degrees: the angle
{dot,cross,distance,fast_distance} | p0, p1
{length,normalize,fast_length,fast_normalize} | p: the vector
bitselect | a: the bits where c is 0, b: the bits where c is 1, c: the mask
select | a: the result where c is false, b: the result where c is true, c: scalar: not 0; vector: highest bit set
shuffle | x: the vector, mask: the index of each element
shuffle2 | x: the first vector, y: the second vector, mask: the index of each element in both vectors
{atomic,atom}_cmpxchg | p, cmp: the value to compare with, val: the value to store if they are equal
{atomic,atom}_{inc,dec} | p
{atomic,atom}_{add,sub,xchg,min,max,and,or,xor} | p, val: the operand
atomic_compare_exchange_{strong,weak} | object, expected: receives the value if it differs, desired: the value to store
atomic_compare_exchange_{strong,weak}_explicit | object, expected: receives the value if it differs, desired: the value to store, success, failure, scope
atomic_{init,store,exchange} | object, desired: the value to store
atomic_{store,exchange}_explicit | object, desired: the value to store, order, scope
atomic_load{,_explicit} | object, order, scope
atomic_fetch_*_explicit | object, operand: the operand, order, scope
atomic_fetch_* | object, operand: the operand
atomic_flag_* | object, order, scope
read_image* | image, sampler, coord, lod
write_image* | image, coord, lod, color: the pixel
get_image_* | image
{work_group,sub_group,sub_group_non_uniform}_{all,any} | predicate
work_group_broadcast | a: the value, local_id_x: the work-item that gives it, local_id_y: the work-item that gives it, local_id_z: the work-item that gives it
{,intel_}sub_group{,_non_uniform}_broadcast | x: the value, sub_group_local_id: the work-item that gives it
sub_group_broadcast_first | x: the value
{work_group,sub_group,intel_sub_group}_{reduce,scan}* | value
sub_group_non_uniform_{all_equal,reduce,scan}* | value
{,intel_}sub_group_shuffle_xor | value, mask: combined with the index of this work-item
sub_group_shuffle_{up,down} | value, delta
intel_sub_group_shuffle_up | previous: the values before the sub-group, current: the values of the sub-group, delta
intel_sub_group_shuffle_down | current: the values of the sub-group, next: the values after the sub-group, delta
{,intel_}sub_group_shuffle | value, index: the work-item that gives the value
sub_group_rotate | value, delta
sub_group_clustered_rotate | value, delta, clustersize
sub_group_clustered_reduce* | value, clustersize
sub_group_ballot | predicate
sub_group_ballot_bit_extract | ballot, index: the work-item
sub_group_{inverse_ballot,ballot_*} | ballot
intel_sub_group_block_{read,prefetch}* | p, coord: in bytes and rows
intel_sub_group_block_write* | p, data: the elements of this work-item
enqueue_kernel | queue, flags: when the block may start: `CLK_ENQUEUE_FLAGS_NO_WAIT` …, ndrange, block
enqueue_marker | queue, num_events: the number of events, event_wait_list: the events to wait for, event_ret: receives the event of the marker
ndrange_{1D,2D,3D} | global_work_size: the number of work-items
get_kernel_{work_group_size,preferred_work_group_size_multiple} | block
get_kernel_* | ndrange, block
{retain_event,release_event,is_valid_event} | event: the event
set_user_event_status | event: the event, status: `CL_COMPLETE` or a negative error
capture_event_profiling_info | event: the event, name: `CLK_PROFILING_COMMAND_EXEC_TIME`, value: receives the times
{read,write}_pipe | pipe, ptr: the packet
{work_group_,sub_group_,}reserve_{read,write}_pipe | pipe, num_packets
{work_group_,sub_group_,}commit_{read,write}_pipe | pipe, reserve_id
get_pipe_* | pipe
is_valid_reserve_id | reserve_id
"""

_ALTERNATIVES = re.compile(r"\{([^{}]*)\}|\*")
_SPECIAL_ARITIES = {
    ("ndrange", 2): "global_work_size: the number of work-items, local_work_size: the size of a work-group",
    (
        "ndrange",
        3,
    ): "global_work_offset: the first index, global_work_size: the number of work-items, local_work_size: the size of a work-group",
    ("pipe", 4): "pipe, reserve_id, index, ptr: the packet",
    ("block_write_image", 3): "image, coord: in bytes and rows, data: the elements of this work-item",
}
"""The parameters of overloads with another number of parameters than their row."""


@lru_cache(maxsize=512)
def builtin_parameters(name: str, types: tuple[str, ...]) -> tuple[BuiltinParameter, ...]:
    """Returns the parameters of the overload with these parameter types, as spelled in OpenCL C.

    If the names of the parameters are not known, up to three parameters are called `x`, `y` and `z`. More than
    three parameters have no names.
    """
    row = next((parameters for pattern, parameters in _rows() if pattern.fullmatch(name)), "")
    special = ""
    if name.startswith("ndrange_"):
        special = _SPECIAL_ARITIES.get(("ndrange", len(types)), "")
    elif name in ("read_pipe", "write_pipe"):
        special = _SPECIAL_ARITIES.get(("pipe", len(types)), "")
    elif name.startswith("intel_sub_group_block_write"):
        special = _SPECIAL_ARITIES.get(("block_write_image", len(types)), "")
    found = [_parameter(each) for each in _split(special or row)]
    if name.startswith("read_image"):
        found = _image_parameters(found, types)
    elif name.startswith("write_image") and len(types) == 3:
        del found[2]
    if not found and len(types) <= len("xyz"):
        found = [BuiltinParameter(letter, "") for letter in "xyz"]
    if found and found[0].name == "p" and types and "image" in types[0]:
        found[0] = BuiltinParameter("image", _MEANINGS["image"])
    unnamed = [BuiltinParameter("", "")] * (len(types) - len(found))
    return (*found[: len(types)], *unnamed)


def untyped_parameters(name: str) -> tuple[tuple[BuiltinParameter, ...], ...]:
    """Returns the parameter lists of a function whose arguments compilers check by special rules.

    `read_pipe` and `write_pipe` have two lists, any other function has one.
    """
    row = next((parameters for pattern, parameters in _rows() if pattern.fullmatch(name)), "")
    lists = [row, _SPECIAL_ARITIES["pipe", 4]] if name in ("read_pipe", "write_pipe") else [row]
    return tuple(tuple(_parameter(each) for each in _split(parameters)) for parameters in lists)


def _image_parameters(found: list[BuiltinParameter], types: tuple[str, ...]) -> list[BuiltinParameter]:
    """Adapts the parameters in the row of `read_image…` to the overload with these parameter types.

    `found` are the parameters in the row. Removes the sampler if the overload has none, and changes the last
    parameters for multisampled images and for overloads with gradients.
    """
    if len(types) < 2 or not types[1].endswith("sampler_t"):
        found = [found[0], found[2], found[3]]
        if "msaa" in types[0]:
            found[2] = BuiltinParameter("sample", "the number of the sample")
    if len(types) == 5:
        found[3:] = [
            BuiltinParameter("gradient_x", "the gradient in x direction"),
            BuiltinParameter("gradient_y", "the gradient in y direction"),
        ]
    return found


def _split(parameters: str) -> list[str]:
    """Splits the parameters of a row at commas; a meaning may contain further commas."""
    return re.split(r", (?=[a-z_0-9]+(?:[:,]|\Z))", parameters) if parameters else []


def _parameter(written: str) -> BuiltinParameter:
    name, colon, meaning = written.partition(":")
    return BuiltinParameter(name, meaning.strip() if colon else _MEANINGS.get(name, ""))


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = []
    for row in _ROWS.strip().splitlines():
        functions, _, parameters = row.partition(" | ")
        rows.append((re.compile(_ALTERNATIVES.sub(_alternatives, functions)), parameters))
    return tuple(rows)


def _alternatives(match: re.Match[str]) -> str:
    if match[0] == "*":
        return r"\w*"
    return f"(?:{'|'.join(each.replace('*', chr(92) + 'w*') for each in match[1].split(','))})"

"""Table of how often kernels use the names of the language, depending on the preceding token.

Each row of the table contains a name and, for each of `token_context.POSITIONS`, the number of uses of the
name per million identifiers. The numbers were determined by `python -m tests.benchmarks.common_names`, from
the twelve repositories that docs/benchmarks.md lists.
"""

from __future__ import annotations

from functools import lru_cache

from openclsp.ide.completion.token_context import POSITIONS

_ROWS = """
int 12660 8340 326 17385
const 11577 5540 260 7143
float 4841 2274 141 11806
if 12641 9 303 644
__global 1180 9612 61 662
uint 3441 3260 123 3267
for 6961 10 262 766
void 744 25 421 5272
unsigned 2455 1657 23 2117
global 231 4486 14 244
get_global_id 29 413 4307 1
return 3748 0 153 74
get_local_id 56 417 2966 1
mad 0 8 3345 16
else 2876 0 4 26
float4 1463 898 17 470
barrier 2611 0 30 61
CLK_LOCAL_MEM_FENCE 0 2592 0 0
__local 1568 756 51 167
__kernel 1571 1 574 319
get_group_id 20 389 1861 1
float3 472 211 11 1503
int2 392 1334 8 291
get_local_size 20 88 1784 1
fabs 0 448 1401 4
kernel 816 0 402 626
double 576 303 37 895
__private 200 1557 9 22
break 1613 0 117 10
uint4 595 783 13 288
get_global_size 15 110 1482 0
case 1291 0 123 7
local 246 904 18 140
max 28 146 1078 55
uchar 518 253 0 516
restrict 0 0 1279 0
bool 762 156 8 324
size_t 659 123 16 353
min 51 82 906 43
float2 232 469 0 327
while 834 0 22 46
length 25 122 539 109
inline 649 0 50 72
typedef 466 0 221 69
vload4 0 416 297 1
char 8 9 0 686
uint2 169 391 0 128
int4 226 318 0 138
__constant 132 451 30 25
double4 344 155 8 110
struct 33 13 8 511
dot 2 121 416 11
select 0 4 544 0
fma 12 229 294 0
image2d_t 0 17 0 509
clamp 0 79 418 22
mad24 0 40 448 0
volatile 54 329 7 79
__attribute__ 230 0 67 170
read_imagef 0 0 437 0
false 0 82 349 0
true 0 49 381 0
M_PI_F 0 22 384 0
get_num_groups 0 47 353 0
native_cos 2 33 364 0
ushort 105 100 0 193
ushort2 194 71 0 123
fmax 0 25 356 2
vstore4 338 0 8 36
CLK_GLOBAL_MEM_FENCE 0 136 235 0
double2 32 80 18 228
native_sin 0 41 291 0
sampler_t 16 128 0 158
static 186 0 33 78
sqrt 5 45 244 1
mul24 0 89 206 0
rotate 0 0 285 0
switch 267 0 2 1
convert_float4 0 7 249 0
ulong 113 53 3 82
constant 33 150 32 36
do 242 0 0 2
default 184 0 51 1
native_sqrt 3 16 209 0
pow 8 20 195 1
read_only 0 216 0 0
uchar4 22 30 0 164
floor 96 21 96 0
short 5 3 0 204
exp 4 10 190 1
atom_add 143 6 53 0
sign 3 23 172 2
__read_only 5 122 0 68
distance 17 83 59 27
sizeof 1 37 141 0
long 32 0 0 139
sin 0 29 138 1
cos 2 32 129 1
step 15 10 59 70
vstore2 148 0 1 1
convert_int4 0 28 121 0
atom_inc 111 0 37 0
char4 80 55 8 0
INFINITY 0 52 87 0
abs 0 17 116 3
vload2 0 15 121 1
CLK_NORMALIZED_COORDS_FALSE 0 0 130 0
union 107 0 2 17
__write_only 0 93 0 19
atan2 0 42 67 1
printf 107 0 0 0
log 1 26 75 2
write_imagef 102 0 0 0
normalize 0 2 94 3
CLK_ADDRESS_CLAMP 0 0 95 0
convert_uint4 0 42 52 0
fmin 0 7 84 2
M_PI 6 30 56 0
round 3 23 58 6
read_imageui 0 53 34 0
atomic_add 35 0 53 0
int3 8 46 3 27
CLK_FILTER_NEAREST 0 0 82 0
isinf 0 18 58 3
vload8 0 48 29 0
M_SQRT1_2 0 30 44 0
atomic_inc 30 0 38 2
mix 0 6 55 8
fmod 0 44 25 0
convert_uint2 0 31 37 0
enum 2 3 8 53
FLT_MAX 2 2 61 0
sincos 0 16 40 8
vstore8 56 0 5 2
continue 63 0 0 1
uint3 0 38 0 23
as_uint 0 35 24 1
native_log2 0 30 30 0
vload16 0 32 25 0
as_int4 0 3 54 0
int8 23 26 0 3
CLK_FILTER_LINEAR 0 0 48 0
M_1_PI_F 0 6 42 0
image2d_array_t 0 0 0 48
vstore16 42 0 1 3
NULL 0 37 9 0
rsqrt 0 0 46 0
isnan 0 29 14 3
cross 0 24 19 1
atom_or 0 0 44 0
as_int2 0 12 30 0
convert_uchar4 0 3 39 0
any 0 25 13 4
write_imageui 38 0 0 0
convert_int2 0 25 12 0
as_double2 0 0 36 0
uchar2 32 1 0 0
event_t 16 0 0 16
async_work_group_copy 0 0 32 0
wait_group_events 32 0 0 0
read_imagei 0 31 1 0
asin 0 2 28 0
as_double 0 12 18 0
ceil 20 0 10 0
intel_sub_group_shuffle 0 28 0 0
atom_min 0 0 26 0
acos 0 0 26 0
atomic_xchg 3 0 23 0
uchar16 13 0 0 13
get_image_width 0 0 25 0
native_divide 1 1 23 0
atomic_uint 0 24 0 0
get_image_height 0 0 24 0
write_only 0 24 0 0
atan 0 7 16 1
get_sub_group_local_id 0 0 22 0
M_PI_2_F 0 1 20 0
CLK_ADDRESS_CLAMP_TO_EDGE 0 0 20 0
half 0 0 0 20
convert_float 3 8 9 0
write_mem_fence 12 0 0 6
native_exp 0 6 11 1
hypot 0 4 14 0
vload_half 0 13 4 1
atom_xchg 0 0 18 0
atomic_min 0 0 18 0
FLT_MIN 0 0 18 0
convert_float8 0 17 0 0
signbit 0 13 4 0
as_half8 0 14 3 0
modf 0 0 16 0
vstore3 14 0 1 1
all 0 1 10 4
convert_float16 0 12 3 0
as_ushort8 0 16 0 0
tan 0 0 15 0
convert_uchar4_sat 0 0 15 0
CLK_ADDRESS_NONE 0 0 15 0
atomic_or 0 14 0 0
mem_fence 12 0 2 0
as_char16 0 12 2 0
INT_MIN 0 14 0 0
as_uint2 0 2 12 0
vload3 0 10 2 1
atomic_dec 0 0 11 2
atom_sub 13 0 0 0
goto 13 0 0 0
atomic_cmpxchg 0 12 0 1
ldexp 0 0 13 0
as_uchar16 0 0 12 0
atomic_store 12 0 0 0
atomic_load_explicit 0 6 6 0
memory_order_relaxed 0 12 0 0
memory_scope_device 0 12 0 0
as_long 0 0 12 0
isequal 0 8 0 4
convert_double4 0 0 11 0
uchar8 7 0 4 0
char16 5 3 0 2
as_float 0 2 7 1
pown 0 0 10 0
isless 0 8 2 0
exp2 0 0 10 0
ushort4 0 0 0 9
atom_max 9 0 0 0
double8 0 4 4 1
convert_double 0 0 8 0
NAN 0 0 8 0
convert_int8 0 0 8 0
float8 0 4 0 4
private 8 0 0 0
atomic_max 7 0 0 0
upsample 0 0 7 0
as_half 0 2 5 0
intel_sub_group_block_read_us 0 7 0 0
intel_sub_group_block_read 0 7 0 0
float16 3 3 0 2
get_global_offset 0 0 7 0
int16 0 0 6 1
isgreater 0 4 2 0
get_enqueued_local_size 0 6 0 0
mad_hi 0 0 6 0
read_mem_fence 6 0 0 0
long2 0 6 0 0
rint 0 0 6 0
M_SQRT2 0 6 0 0
UINT_MAX 0 0 6 0
mul_hi 0 0 6 0
ulong16 0 1 0 4
as_int 0 0 4 1
degrees 0 0 3 2
isnotequal 0 5 0 0
image1d_buffer_t 0 0 0 4
uint16 0 0 0 4
smoothstep 0 0 0 4
extern 3 0 1 0
"""


@lru_cache(maxsize=1)
def _counts() -> dict[str, tuple[int, ...]]:
    rows = (row.split() for row in _ROWS.split("\n") if row)
    return {name: tuple(map(int, counts)) for name, *counts in rows}


def commonness(name: str, position: str) -> float:
    """Returns the frequency of a name at a position, in uses per million identifiers.

    The result includes 2 % of the name's frequency at all positions, so that a name that is common at other
    positions ranks before a rare one.
    """
    counts = _counts().get(name)
    if counts is None:
        return 0.0
    return counts[POSITIONS.index(position)] + 0.02 * sum(counts)


def is_common(name: str) -> bool:
    """Whether kernels use a name often. The frequency table contains only such names."""
    return name in _counts()

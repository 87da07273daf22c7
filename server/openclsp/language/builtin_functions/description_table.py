"""The table of descriptions of built-in functions; descriptions.py explains its notation."""

from __future__ import annotations

DESCRIPTION_ROWS = """
# work-items
get_work_dim | Returns the number of dimensions of the kernel's index space: 1, 2 or 3.
get_global_id | Returns the global index of this work-item in the given dimension, including the offset.
get_global_offset | Returns the offset that the host adds to all global indices in the given dimension.
get_global_size | Returns the total number of work-items in the given dimension.
get_group_id | Returns the index of this work-item's work-group in the given dimension.
get_local_id | Returns the index of this work-item within its work-group in the given dimension.
get_local_size | Returns the number of work-items of this work-group in the given dimension. Work-groups at the edge of
 the index space may be smaller than others (OpenCL C 2.0).
get_num_groups | Returns the number of work-groups in the given dimension.
get_enqueued_local_size | Returns the work-group size that the host requested in the given dimension, also in a smaller
 work-group at the edge.
get_global_linear_id | Returns the global index of this work-item as one number, without the offset; dimension 0 varies
 fastest.
get_local_linear_id | Returns the index of this work-item within its work-group as one number; dimension 0 varies
 fastest.

# synchronisation
barrier work_group_barrier | Waits until all work-items of the work-group reach the barrier; their accesses to the
 memory that the flags name are then visible to all of them. Either all work-items of the group must reach it, or none.
sub_group_barrier | Waits until all work-items of the sub-group reach the barrier; their accesses to the memory that the
 flags name are then visible to all of them.
mem_fence | Orders this work-item's loads and stores before the fence with those after it, in the memory that the flags
 name.
read_mem_fence | Orders this work-item's loads before the fence with those after it.
write_mem_fence | Orders this work-item's stores before the fence with those after it.
atomic_work_item_fence | Executes a fence with the given memory order and scope for the memory that the flags name.
get_fence | Returns the fence flags for the memory that the pointer points to: local or global memory.
to_{global,local,private} | Converts the pointer to one into {1} if its object is there; otherwise returns a null
 pointer.

# copies
async_work_group_copy | Starts an asynchronous copy of `num_gentypes` elements between global and local memory, which
 all work-items of the work-group perform together. Wait for the returned event before you use the data.
async_work_group_strided_copy | Like `async_work_group_copy`, with a stride in elements on the side of global memory.
wait_group_events | Waits until the copies of these events are complete.
prefetch | Prefetches the given number of elements of global memory into the cache.

# output
printf | Writes formatted text to the host's standard output. The format is a string literal in constant memory;
 `%v4hlf` and similar conversions print vectors. Returns 0, or -1 after an error.

# vector data
vload{2,3,4,8,16} | Loads {1} elements from `p + offset * {1}` as a vector. The address must be aligned to the size of
 one element.
vstore{2,3,4,8,16} | Stores the {1} elements of a vector at `p + offset * {1}`. The address must be aligned to the size
 of one element.
vload_half | Loads the half at `p + offset` as a float; cl_khr_fp16 is not required.
vload_half{2,3,4,8,16} | Loads {1} halves from `p + offset * {1}` as a vector of float; cl_khr_fp16 is not required.
vloada_half3 | Loads three halves from `p + offset * 4` as a vector of float. The address must be aligned for four
 halves.
vloada_half{2,4,8,16} | Loads {1} halves from `p + offset * {1}` as a vector of float. The address must be aligned for
 all of them.
vstore_half{=as the mode is,_rte=to nearest,_rtz=toward zero,_rtp=upwards,_rtn=downwards} | Stores a float or double as
 a half at `p + offset`, rounded {1}; cl_khr_fp16 is not required.
vstore_half{2,3,4,8,16}{=as the mode is,_rte=to nearest,_rtz=toward zero,_rtp=upwards,_rtn=downwards} | Stores {1}
 numbers as halves from `p + offset * {1}` on, rounded {2}.
vstorea_half{2,4,8,16}{=as the mode is,_rte=to nearest,_rtz=toward zero,_rtp=upwards,_rtn=downwards} | Stores {1}
 numbers as halves from `p + offset * {1}` on, rounded {2}. The address must be aligned for all of them.
vstorea_half3{=as the mode is,_rte=to nearest,_rtz=toward zero,_rtp=upwards,_rtn=downwards} | Stores three numbers as
 halves from `p + offset * 4` on, rounded {1}. The address must be aligned for four halves.

# conversions
convert_*_sat_rte | Converts to `{1}`, rounded to nearest even; values out of range are saturated.
convert_*_sat_rtz | Converts to `{1}`, rounded toward zero; values out of range are saturated.
convert_*_sat_rtp | Converts to `{1}`, rounded upwards; values out of range are saturated.
convert_*_sat_rtn | Converts to `{1}`, rounded downwards; values out of range are saturated.
convert_*_sat | Converts to `{1}`; values out of range are saturated.
convert_*_rte | Converts to `{1}`, rounded to nearest even.
convert_*_rtz | Converts to `{1}`, rounded toward zero.
convert_*_rtp | Converts to `{1}`, rounded upwards.
convert_*_rtn | Converts to `{1}`, rounded downwards.
convert_* | Converts to `{1}`, element by element; conversion to an integer truncates the fraction.

# mathematical
{a=arc ,}{cos=cosine,sin=sine,tan=tangent} | The {1}{2}; angles are in radians.
{a=inverse ,}{cosh=hyperbolic cosine,sinh=hyperbolic sine,tanh=hyperbolic tangent} | The {1}{2}.
{acospi=arc cosine,asinpi=arc sine,atanpi=arc tangent} | The {1}, divided by pi.
{cospi=cosine,sinpi=sine,tanpi=tangent} | The {1} of pi times x.
atan2 | The angle of the point (x, y), from -pi to pi: `atan2(y, x)`.
atan2pi | The angle of the point (x, y) divided by pi: `atan2pi(y, x)`.
cbrt | The cube root.
ceil | The smallest integer that is not less than x, as a floating-point number.
floor | The largest integer that is not greater than x, as a floating-point number.
rint | The nearest integer, halfway cases to even, as a floating-point number.
round | The nearest integer, halfway cases away from zero, whatever the rounding mode.
trunc | The integer nearest to x that is not larger in magnitude.
copysign | The first number with the sign of the second.
erf | The error function.
erfc | One minus the error function, accurate also where the result is small.
{exp=e,exp2=2,exp10=10} | {1} to the power of x.
expm1 | e to the power of x, minus 1, accurate also for small x.
{log=natural logarithm,log2=logarithm to base 2,log10=logarithm to base 10} | The {1}.
log1p | The natural logarithm of 1 + x, accurate also for small x.
logb | The exponent of x to base 2, as a floating-point number.
ilogb | The exponent of x to base 2, as an integer.
fabs | The absolute value of a floating-point number.
fdim | x - y if that is positive, otherwise 0.
fma | a * b + c, rounded once.
mad | a * b + c; speed takes precedence over accuracy, so the rounding is implementation-defined.
fmax | The larger of the two numbers; if one is a NaN, the other.
fmin | The smaller of the two numbers; if one is a NaN, the other.
fmod | The remainder of x / y with the quotient rounded toward zero; it has the sign of x.
remainder | The remainder of x / y with the quotient rounded to the nearest integer.
remquo | Like `remainder`; also stores the sign and the low bits of the quotient through the pointer.
fract | x - floor(x), always less than 1; also stores floor(x) through the pointer.
modf | The fraction of x, with the sign of x; also stores the integer part through the pointer.
frexp | The mantissa of x, at least 0.5 and less than 1; also stores the exponent through the pointer.
ldexp | x times 2 to the power of n.
sincos | The sine of x; also stores the cosine through the pointer.
hypot | The square root of x * x + y * y, without intermediate overflow.
lgamma | The natural logarithm of the absolute value of the gamma function.
lgamma_r | Like `lgamma`; also stores the sign of the gamma function through the pointer.
tgamma | The gamma function.
maxmag | The argument with the larger absolute value; the larger argument if these are equal.
minmag | The argument with the smaller absolute value; the smaller argument if these are equal.
nan | A quiet NaN with the given payload.
nextafter | The next representable number after x in the direction of y.
pow | x to the power of y.
pown | x to the power of an integer.
powr | x to the power of y, for x that is not negative.
rootn | The n-th root of x.
rsqrt | One divided by the square root.
sqrt | The square root.
half_{cos=cosine,sin=sine,tan=tangent} | The {1}, accurate to at least 10 bits, for x from -65536 to 65536.
half_{exp=e,exp2=2,exp10=10} | {1} to the power of x, accurate to at least 10 bits.
half_{log=natural logarithm,log2=logarithm to base 2,log10=logarithm to base 10,recip=reciprocal,sqrt=square root} | The
 {1}, accurate to at least 10 bits.
half_rsqrt | One divided by the square root, accurate to at least 10 bits.
half_divide | x / y, accurate to at least 10 bits.
half_powr | x to the power of y, for x that is not negative, accurate to at least 10 bits.
native_{cos=cosine,sin=sine,tan=tangent,log=natural logarithm,log2=logarithm to base 2,log10=logarithm to base
 10,recip=reciprocal,sqrt=square root} | The {1}, possibly by native instructions; the accuracy is
 implementation-defined.
native_{exp=e,exp2=2,exp10=10} | {1} to the power of x, possibly by native instructions; the accuracy is
 implementation-defined.
native_rsqrt | One divided by the square root, possibly by native instructions; the accuracy is implementation-defined.
native_divide | x / y, possibly by native instructions; the accuracy is implementation-defined.
native_powr | x to the power of y, for x that is not negative, possibly by native instructions; the accuracy is
 implementation-defined.

# integer
abs | The absolute value, as an unsigned number.
abs_diff | The absolute difference, without overflow, as an unsigned number.
add_sat | x + y, saturated.
sub_sat | x - y, saturated.
hadd | (x + y) / 2, rounded down, without intermediate overflow.
rhadd | (x + y + 1) / 2, rounded down, without intermediate overflow.
mul_hi | The upper half of the product.
mad_hi | The upper half of a * b, plus c.
mad_sat | a * b + c, saturated.
rotate | x rotated left by the given number of bits.
clz | The number of zero bits above the highest set bit; for 0, the width of the type.
ctz | The number of zero bits below the lowest set bit; for 0, the width of the type.
popcount | The number of set bits.
upsample | A number of twice the width, with the first argument as its upper half and the second as its lower half.
mul24 | The product of two 24-bit numbers, which many devices compute faster.
mad24 | x * y + z with 24-bit factors, which many devices compute faster.
bit_reverse | The bits in reverse order.
bitfield_insert | The first argument with some bits, from an offset on, replaced by the low bits of the second.
bitfield_extract_{signed,unsigned} | The given number of bits from an offset on, as a number that is {1}.
dot | The dot product. With cl_khr_integer_dot_product also of vectors of four bytes, as an integer.
dot_acc_sat | The dot product of vectors of four bytes, added to the last argument and saturated.
dot_4x8packed_* | The dot product of two vectors of four bytes, each packed into an integer.
dot_acc_sat_4x8packed_* | The dot product of two vectors of four packed bytes, added to the last argument and saturated.

# common
clamp | min(max(x, minval), maxval).
max | The larger of the two.
min | The smaller of the two.
degrees | Converts radians to degrees.
radians | Converts degrees to radians.
mix | The linear interpolation x + (y - x) * a.
step | 0 if x is less than the edge, otherwise 1.
smoothstep | 0 below the first edge, 1 above the second, and a smooth interpolation between them.
sign | 1, 0 or -1 if x is positive, zero or negative; 0 for a NaN.

# geometric
cross | The cross product of two vectors; a fourth element becomes 0.
distance | The distance between two points.
length | The length of a vector.
normalize | The vector of length 1 in the same direction.
fast_{distance=distance of two points,length=length of a vector} | The {1}, computed with `half_sqrt`.
fast_normalize | The vector of length 1 in the same direction, computed with `half_rsqrt`.

# relational
isequal | Whether x == y; for vectors, -1 for each element for which it is true.
isnotequal | Whether x != y; for vectors, -1 for each element for which it is true.
isgreater | Whether x > y; for vectors, -1 for each element for which it is true.
isgreaterequal | Whether x >= y; for vectors, -1 for each element for which it is true.
isless | Whether x < y; for vectors, -1 for each element for which it is true.
islessequal | Whether x <= y; for vectors, -1 for each element for which it is true.
islessgreater | Whether x < y or x > y, which is false for a NaN; for vectors, -1 for each element for which it is true.
isfinite | Whether x is neither infinite nor a NaN; for vectors, -1 for each element for which it is true.
isinf | Whether x is infinite; for vectors, -1 for each element for which it is true.
isnan | Whether x is a NaN; for vectors, -1 for each element for which it is true.
isnormal | Whether x is a normal number: not 0, subnormal, infinite or a NaN; for vectors, -1 for each element for which
 it is true.
isordered | Whether neither argument is a NaN; for vectors, -1 for each element for which it is true.
isunordered | Whether an argument is a NaN; for vectors, -1 for each element for which it is true.
signbit | Whether the sign bit is set; for vectors, -1 for each element for which it is.
any | Whether the most significant bit of any element is set.
all | Whether the most significant bit of every element is set.
bitselect | Each bit of the second argument if the corresponding bit of the third is set, otherwise that of the first.
select | Each element of the second argument if the third selects it (a scalar that is not 0, a vector element whose
 most significant bit is set), otherwise that of the first.
shuffle | The elements of a vector in the order that the mask specifies.
shuffle2 | Elements of two vectors in the order that the mask specifies.

# atomic functions of OpenCL C 1.x
{atomic,atom}_add | Atomically adds to the object. Returns the old value.
{atomic,atom}_sub | Atomically subtracts from the object. Returns the old value.
{atomic,atom}_xchg | Atomically stores a value. Returns the old value.
{atomic,atom}_inc | Atomically adds 1 to the object. Returns the old value.
{atomic,atom}_dec | Atomically subtracts 1 from the object. Returns the old value.
{atomic,atom}_cmpxchg | Atomically stores the third argument if the object equals the second. Returns the old value.
{atomic,atom}_{min=smaller,max=larger} | Atomically stores the {2} of the object and the argument. Returns the old
 value.
{atomic,atom}_{and,or,xor} | Atomically combines the object and the argument by {2}. Returns the old value.

# atomic functions of OpenCL C 2.0
atomic_init | Initialises an atomic object. The initialisation itself is not atomic.
atomic_store{,_explicit} | Atomically stores a value{1}.
atomic_load{,_explicit} | Atomically loads the value{1}.
atomic_exchange{,_explicit} | Atomically stores a value and returns the old one{1}.
atomic_compare_exchange_strong{,_explicit} | Atomically compares the object with the expected value: if they are equal,
 stores the desired value, otherwise copies the object to the expected value{1}. Returns whether they were equal.
atomic_compare_exchange_weak{,_explicit} | Like `atomic_compare_exchange_strong`, but may fail even if the values are
 equal; for use in a loop{1}.
atomic_fetch_{add=Adds to,sub=Subtracts from}{,_explicit} | {1} the object atomically{2}. Returns the old value.
atomic_fetch_{and,or,xor}{,_explicit} | Atomically combines the object with the argument by {1}{2}. Returns the old
 value.
atomic_fetch_{min=smaller,max=larger}{,_explicit} | Atomically stores the {1} of the object and the argument{2}. Returns
 the old value.
atomic_flag_test_and_set{,_explicit} | Atomically sets the flag and returns whether it was already set{1}.
atomic_flag_clear{,_explicit} | Atomically clears the flag{1}.

# images
read_image{f=float,h=half,i=int,ui=uint} | Reads the pixel at the coordinates as four components of {1}. A sampler
 specifies the addressing and filtering modes; without one, the coordinates are integers.
write_image{f=float,h=half,i=int,ui=uint} | Writes a pixel, given as {1}, at integer coordinates.
get_image_{width,height,depth} | Returns the {1} of the image in pixels.
get_image_dim | Returns the width, the height and, for a 3D image, the depth of the image as a vector.
get_image_array_size | Returns the number of images in the image array.
get_image_channel_data_type | Returns the data type of the image's channels, such as CLK_UNORM_INT8.
get_image_channel_order | Returns the order of the image's channels, such as CLK_RGBA.
get_image_num_mip_levels | Returns the number of mipmap levels of the image.
get_image_num_samples | Returns the number of samples per pixel of the image.

# work-groups
work_group_{all,any} | Returns whether the argument is not 0 for {1} of the work-items of the work-group. All of them
 must call it.
work_group_broadcast | Returns the value of one work-item to all work-items of the work-group. All of them must call it.
work_group_reduce_{add=sum,min=smallest,max=largest} | Returns the {1} of the values of all work-items of the
 work-group. All of them must call it.
work_group_scan_{exclusive=before this one,inclusive=up to this one}_{add=sum,min=smallest,max=largest} | Returns the
 {2} of the values of the work-items {1} in the work-group. All of them must call it.

# sub-groups
get_sub_group_size | Returns the number of work-items in this sub-group.
get_max_sub_group_size | Returns the number of work-items in the largest sub-group of the work-group.
get_num_sub_groups | Returns the number of sub-groups in this work-group.
get_enqueued_num_sub_groups | Returns the number of sub-groups in a full work-group.
get_sub_group_id | Returns the index of this sub-group within the work-group.
get_sub_group_local_id | Returns the index of this work-item within its sub-group.
sub_group_{all,any} | Returns whether the argument is not 0 for {1} of the work-items of the sub-group.
sub_group_broadcast | Returns the value of one work-item to all work-items of the sub-group.
sub_group_reduce_{add=sum,min=smallest,max=largest} | Returns the {1} of the values of all work-items of the sub-group.
sub_group_scan_{exclusive=before this one,inclusive=up to this one}_{add=sum,min=smallest,max=largest} | Returns the {2}
 of the values of the work-items {1} in the sub-group.
sub_group_elect | Returns true for the active work-item with the lowest index in the sub-group, and false for the
 others.
sub_group_non_uniform_{all,any} | Returns whether the argument is not 0 for {1} of the active work-items of the
 sub-group.
sub_group_non_uniform_all_equal | Returns whether the value is the same for all active work-items of the sub-group.
sub_group_non_uniform_broadcast | Returns the value of the active work-item with the given index to all active
 work-items. All of them must pass the same index.
sub_group_broadcast_first | Returns the value of the active work-item with the lowest index to all active work-items.
sub_group_ballot | Returns a mask with a bit for each active work-item of the sub-group: whether its argument is not 0.
sub_group_inverse_ballot | Returns the bit of this work-item in a ballot mask.
sub_group_ballot_bit_extract | Returns the bit of the work-item with the given index in a ballot mask.
sub_group_ballot_bit_count | Returns the number of set bits in a ballot mask.
sub_group_ballot_{inclusive_scan=up to this work-item's,exclusive_scan=below this work-item's} | Returns the number of
 set bits in a ballot mask {1}.
sub_group_ballot_find_lsb | Returns the index of the lowest set bit in a ballot mask.
sub_group_ballot_find_msb | Returns the index of the highest set bit in a ballot mask.
get_sub_group_{eq=equal to,ge=at least,gt=above,le=at most,lt=below}_mask | Returns a ballot mask with the bits of all
 work-items whose index is {1} this one's.
sub_group_non_uniform_reduce_{add=sum,mul=product,min=smallest,max=largest,and,or,xor,logical_and,logical_or,logical_xor}
 | Returns the {1} of the values of the active work-items of the sub-group.
sub_group_non_uniform_scan_inclusive_{add=sum,mul=product,min=smallest,max=largest,and,or,xor,logical_and,logical_or,logical_xor}
 | Returns the {1} of the values of the active work-items up to this one.
sub_group_non_uniform_scan_exclusive_{add=sum,mul=product,min=smallest,max=largest,and,or,xor,logical_and,logical_or,logical_xor}
 | Returns the {1} of the values of the active work-items before this one.
sub_group_shuffle | Returns the value of the work-item with the given index in the sub-group.
sub_group_shuffle_xor | Returns the value of the work-item whose index is this one's exclusive or the mask.
sub_group_shuffle_up | Returns the value of the work-item whose index is lower by the given distance.
sub_group_shuffle_down | Returns the value of the work-item whose index is higher by the given distance.
sub_group_rotate | Returns the value of the work-item whose index is higher by the given distance, modulo the size of
 the sub-group.
sub_group_clustered_rotate | Like `sub_group_rotate`, within clusters of the given size.
sub_group_clustered_reduce_{add=sum,mul=product,min=smallest,max=largest,and,or,xor,logical_and,logical_or,logical_xor}
 | Returns the {1} of the values of the active work-items in this work-item's cluster of neighbours, which has the given
 size.

# clocks
clock_read_{device,work_group,sub_group} | Returns the 64-bit value of a clock that all work-items of the same {1}
 share.
clock_read_hilo_{device,work_group,sub_group} | Returns the value of a clock that all work-items of the same {1} share
 as two 32-bit halves, the lower one first.

# enqueuing
enqueue_kernel | Enqueues a block in a device queue, to be executed over an index space once its events and flags allow
 it. The sizes of the block's parameters, which point to local memory, follow the block. Returns 0, or an error.
enqueue_marker | Enqueues a marker in a device queue; it is complete when all events of a list are.
get_default_queue | Returns the default queue of this device; null if there is none.
ndrange_{1D=one dimension,2D=two dimensions,3D=three dimensions} | Creates an index space of {1} from its size; from its
 size and that of its work-groups; or from offset, size and work-group size.
get_kernel_work_group_size | Returns the maximum work-group size with which the block can run on this device.
get_kernel_preferred_work_group_size_multiple | Returns the number of which the work-group size should be a multiple for
 this block.
get_kernel_max_sub_group_size_for_ndrange | Returns the maximum sub-group size of the block in this index space.
get_kernel_sub_group_count_for_ndrange | Returns the number of sub-groups of the block in each work-group of this index
 space.
create_user_event | Creates an event whose status the program sets. It must be released.
retain_event | Increments the reference count of the event.
release_event | Decrements the reference count of the event.
is_valid_event | Returns whether the event is valid, that is, not null.
set_user_event_status | Sets the status of a user event: complete, or an error.
capture_event_profiling_info | Writes the execution times of the event's command to global memory once the command is
 complete.

# pipes
read_pipe | Reads a packet from the pipe into the object that the pointer points to; with a reservation, the packet with
 that index. Returns 0, or a negative number if there is none.
write_pipe | Writes the packet that the pointer points to into the pipe; with a reservation, at that index. Returns 0,
 or a negative number if the pipe is full.
reserve_{read=reading,write=writing}_pipe | Reserves packets of the pipe for {1} by this work-item.
work_group_reserve_{read=reading,write=writing}_pipe | Reserves packets of the pipe for {1} by the whole work-group.
sub_group_reserve_{read=reading,write=writing}_pipe | Reserves packets of the pipe for {1} by the whole sub-group.
{,work_group_,sub_group_}commit_{read=reads,write=writes}_pipe | Marks all {2} of the reservation as complete.
is_valid_reserve_id | Returns whether the reservation is valid.
get_pipe_num_packets | Returns the current number of packets in the pipe, which other work-items may change at any time.
get_pipe_max_packets | Returns the maximum number of packets in the pipe.

# vendors
amd_bitalign | The 64-bit concatenation of the first two arguments, shifted right by the third in bits; the lower 32
 bits.
amd_bytealign | The 64-bit concatenation of the first two arguments, shifted right by the third in bytes; the lower 32
 bits.
amd_lerp | The averages of the bytes of the first two arguments; the bytes of the third specify the rounding.
amd_{sad,sadhi,sad4,sadd,sadw,msad,qsad,mqsad} | A sum of absolute differences of packed numbers, added to the last
 argument (AMD's `{1}` instruction).
amd_pack | Four floats as packed bytes.
amd_unpack{0,1,2,3} | Byte {1} of the argument as a float.
amd_bfe | The given number of bits of the first argument, from an offset on.
amd_bfm | A mask with the given number of ones, from an offset on.
amd_{max3=largest,median3=middle one,min3=smallest} | The {1} of three numbers.
intel_convert_bfloat16*_as_ushort* | Rounds to bfloat16 and returns its bits.
intel_convert_as_bfloat16* | Converts the bits of a bfloat16 to a float.
intel_sub_group_shuffle | Returns the value of the work-item with the given index in the sub-group.
intel_sub_group_shuffle_xor | Returns the value of the work-item whose index is this one's exclusive or the mask.
intel_sub_group_shuffle_up | Returns the value of the work-item whose index is lower by the given distance; values
 before the first work-item come from the first vector.
intel_sub_group_shuffle_down | Returns the value of the work-item whose index is higher by the given distance; values
 after the last work-item come from the second vector.
intel_sub_group_broadcast | Returns the value of one work-item to all work-items of the sub-group.
intel_sub_group_reduce_{add=sum,min=smallest,max=largest} | Returns the {1} of the values of all work-items of the
 sub-group.
intel_sub_group_scan_{exclusive=before this one,inclusive=up to this one}_{add=sum,min=smallest,max=largest} | Returns
 the {2} of the values of the work-items {1} in the sub-group.
intel_sub_group_block_read* | Reads a block of memory, starting at the pointer or at the coordinates in the image; each
 work-item of the sub-group receives its own elements.
intel_sub_group_block_write* | Writes a block of memory, starting at the pointer or at the coordinates in the image;
 each work-item of the sub-group provides its own elements.
intel_sub_group_block_prefetch_* | Prefetches the block that the sub-group will read into the cache.
intel_sub_group_ime_ref_window_size | Returns the size of the reference window of an integer motion estimation.
intel_sub_group_avc_{mce=common,ime=integer,ref=refinement,sic=skip and intra check}_get_* | Motion estimation, {1}
 phase: returns {2} from a result, or its default.
intel_sub_group_avc_{mce=common,ime=integer,ref=refinement,sic=skip and intra check}_set_* | Motion estimation, {1}
 phase: returns the payload with {2} set.
intel_sub_group_avc_{ime=integer,sic=skip and intra check}_initialize | Motion estimation, {1} phase: creates a payload.
intel_sub_group_avc_{fme=fractional,bme=bidirectional}_initialize | Motion estimation, {1} refinement: creates a
 payload.
intel_sub_group_avc_{mce=common,ime=integer,ref=refinement,sic=skip and intra check}_convert_to_* | Motion estimation,
 {1} phase: converts to {2}.
intel_sub_group_avc_{ime=integer,ref=refinement,sic=skip and intra check}_* | Motion estimation, {1} phase: runs {2}.
intel_sub_group_avc_* | Motion estimation of cl_intel_device_side_avc_motion_estimation: {1}.
"""

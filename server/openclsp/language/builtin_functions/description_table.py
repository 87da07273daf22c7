"""Short descriptions of the built-in functions, for hovers and completion.

A row is `names | text`; a line that begins with a blank continues the row above. `{a,b}` in a name stands for
each of its alternatives, `*` for any rest of a name. In the text, `{1}` is the alternative of the name's
first `{a,b}`, `{2}` of the second, then those of `*`. An alternative `a=b` is `a` in the name and `b` in the
text. A literal name takes precedence over a name with `*`, an earlier `*` over a later one.
"""

ROWS = """
# work-items
get_work_dim | How many dimensions the index space of this kernel has: 1, 2 or 3.
get_global_id | This work-item's index in the whole index space, along the given dimension.
get_global_offset | What the host added to every global index along the dimension.
get_global_size | How many work-items there are in all along the dimension.
get_group_id | The index of this work-item's work-group along the dimension.
get_local_id | This work-item's index within its work-group along the dimension.
get_local_size | How many work-items this work-group has along the dimension; at the edge of an uneven index space that may
 be fewer than elsewhere.
get_num_groups | How many work-groups there are along the dimension.
get_enqueued_local_size | How many work-items a full work-group has along the dimension, wherever this one lies.
get_global_linear_id | This work-item's global index as one number, without the offset, dimension 0 the fastest.
get_local_linear_id | This work-item's index in its work-group as one number, dimension 0 the fastest.

# synchronisation
barrier work_group_barrier | Every work-item of the work-group waits here for all others; accesses to the memory that the
 flags name are then seen by all of them. All work-items of the group must come here, or none.
sub_group_barrier | Every work-item of the sub-group waits here for all others; accesses to the memory that the flags name
 are then seen by all of them.
mem_fence | Orders this work-item's loads and stores before the fence against those behind it, for the memory that the
 flags name.
read_mem_fence | Orders this work-item's loads before the fence against those behind it.
write_mem_fence | Orders this work-item's stores before the fence against those behind it.
atomic_work_item_fence | A fence of the given memory order and scope for the memory that the flags name.
get_fence | The flags for a fence that fits where the pointer points: for local memory or for global memory.
to_{global,local,private} | The pointer as one into {1} if its object is there, else a null pointer. No copy is made.

# copies
async_work_group_copy | The work-group copies so many elements from global to local memory or back, all its work-items
 together, in the background. Wait with the returned event before the data are used.
async_work_group_strided_copy | As `async_work_group_copy`, with a stride in elements between the pieces on the global side.
wait_group_events | The work-group waits until the copies that these events stand for are done.
prefetch | Asks for so many elements of global memory to be brought into the cache. It changes no result.

# output
printf | Writes to the host's standard output. The format is a string literal in constant memory; vectors are written with
 `%v4hlf` and its like. Yields 0, or -1 where it failed.

# vector data
vload{2,3,4,8,16} | Reads {1} elements from `p + offset * {1}` as a vector; the pointer needs to be aligned for one element only.
vstore{2,3,4,8,16} | Writes the vector's {1} elements to `p + offset * {1}`; the pointer needs to be aligned for one element only.
vload_half | Reads the half at `p + offset` as a float; it works without half arithmetic.
vload_half{2,3,4,8,16} | Reads {1} halves from `p + offset * {1}` as a vector of float; it works without half arithmetic.
vloada_half3 | Reads three halves from `p + offset * 4`, which must be aligned for four, as a vector of float.
vloada_half{2,4,8,16} | Reads {1} halves from `p + offset * {1}`, which must be aligned for all of them, as a vector of float.
vstore_half{=as the mode is,_rte=to nearest,_rtz=toward zero,_rtp=upwards,_rtn=downwards} | Writes a float or double as a half to
 `p + offset`, rounded {1}; it works without half arithmetic.
vstore_half{2,3,4,8,16}{=as the mode is,_rte=to nearest,_rtz=toward zero,_rtp=upwards,_rtn=downwards} | Writes {1} numbers as halves from
 `p + offset * {1}` on, rounded {2}.
vstorea_half{2,4,8,16}{=as the mode is,_rte=to nearest,_rtz=toward zero,_rtp=upwards,_rtn=downwards} | Writes {1} numbers as halves from
 `p + offset * {1}` on, which must be aligned for all of them, rounded {2}.
vstorea_half3{=as the mode is,_rte=to nearest,_rtz=toward zero,_rtp=upwards,_rtn=downwards} | Writes three numbers as halves from
 `p + offset * 4` on, which must be aligned for four, rounded {1}.

# conversions
convert_*_sat_rte | Converts to `{1}`, rounded to nearest even; what does not fit becomes the nearest value that does.
convert_*_sat_rtz | Converts to `{1}`, rounded toward zero; what does not fit becomes the nearest value that does.
convert_*_sat_rtp | Converts to `{1}`, rounded upwards; what does not fit becomes the nearest value that does.
convert_*_sat_rtn | Converts to `{1}`, rounded downwards; what does not fit becomes the nearest value that does.
convert_*_sat | Converts to `{1}`; what does not fit becomes the nearest value that does.
convert_*_rte | Converts to `{1}`, rounded to nearest even.
convert_*_rtz | Converts to `{1}`, rounded toward zero.
convert_*_rtp | Converts to `{1}`, rounded upwards.
convert_*_rtn | Converts to `{1}`, rounded downwards.
convert_* | Converts to `{1}`, element by element; a fraction is cut off where it becomes an integer.

# mathematical
{a=arc ,}{cos=cosine,sin=sine,tan=tangent} | The {1}{2}; angles are in radians.
{a=inverse ,}{cosh=hyperbolic cosine,sinh=hyperbolic sine,tanh=hyperbolic tangent} | The {1}{2}.
{acospi=arc cosine,asinpi=arc sine,atanpi=arc tangent} | The {1}, divided by pi.
{cospi=cosine,sinpi=sine,tanpi=tangent} | The {1} of pi times x.
atan2 | The angle of the point (x, y), from -pi to pi: `atan2(y, x)`.
atan2pi | The angle of the point (x, y) divided by pi: `atan2pi(y, x)`.
cbrt | The cube root.
ceil | The next integer upwards, still as a floating number.
floor | The next integer downwards, still as a floating number.
rint | The nearest integer, halves to even, still as a floating number.
round | The nearest integer, halves away from zero, whatever the rounding mode.
trunc | The integer part, toward zero.
copysign | The first number with the sign of the second.
erf | The error function.
erfc | One minus the error function, exact also where that is small.
{exp=e,exp2=2,exp10=10} | {1} to the power of x.
expm1 | e to the power of x, minus 1, exact also for small x.
{log=natural logarithm,log2=logarithm to base 2,log10=logarithm to base 10} | The {1}.
log1p | The natural logarithm of 1 + x, exact also for small x.
logb | The exponent of x to base 2, as a floating number.
ilogb | The exponent of x to base 2, as an integer.
fabs | The absolute value of a floating number.
fdim | x - y where that is positive, else 0.
fma | a * b + c, rounded once.
mad | a * b + c, as fast as it goes: how it is rounded is not defined.
fmax | The larger of the two; of a number and a NaN, the number.
fmin | The smaller of the two; of a number and a NaN, the number.
fmod | The remainder of x / y with the quotient rounded toward zero; it has the sign of x.
remainder | The remainder of x / y with the quotient rounded to the nearest integer.
remquo | As `remainder`; through the pointer it also stores the low bits of the quotient, with its sign.
fract | x - floor(x), always below 1; through the pointer it also stores floor(x).
modf | The fraction of x, with the sign of x; through the pointer it also stores the integer part.
frexp | The mantissa of x, from 0.5 to below 1; through the pointer it also stores the exponent.
ldexp | x times 2 to the power of n.
sincos | The sine of x; through the pointer it also stores the cosine.
hypot | The square root of x * x + y * y, without overflow on the way.
lgamma | The natural logarithm of the absolute value of the gamma function.
lgamma_r | As `lgamma`; through the pointer it also stores the sign of the gamma function.
tgamma | The gamma function.
maxmag | The one with the larger absolute value; where these are equal, the larger one.
minmag | The one with the smaller absolute value; where these are equal, the smaller one.
nan | A quiet NaN with this payload.
nextafter | The next number that can be represented after x, in the direction of y.
pow | x to the power of y.
pown | x to the power of an integer.
powr | x to the power of y, where x is not negative.
rootn | The n-th root of x.
rsqrt | One divided by the square root.
sqrt | The square root.
half_{cos=cosine,sin=sine,tan=tangent} | The {1} with at least 10 bits right, for x from -65536 to 65536.
half_{exp=e,exp2=2,exp10=10} | {1} to the power of x with at least 10 bits right.
half_{log=natural logarithm,log2=logarithm to base 2,log10=logarithm to base 10,recip=reciprocal,sqrt=square root} |
 The {1} with at least 10 bits right.
half_rsqrt | One divided by the square root, with at least 10 bits right.
half_divide | x / y with at least 10 bits right.
half_powr | x to the power of y, where x is not negative, with at least 10 bits right.
native_{cos=cosine,sin=sine,tan=tangent,log=natural logarithm,log2=logarithm to base 2,log10=logarithm to base
 10,recip=reciprocal,sqrt=square root} | The {1} as fast as the device can; how exact, the device defines.
native_{exp=e,exp2=2,exp10=10} | {1} to the power of x as fast as the device can; how exact, the device defines.
native_rsqrt | One divided by the square root as fast as the device can; how exact, the device defines.
native_divide | x / y as fast as the device can; how exact, the device defines.
native_powr | x to the power of y, x not negative, as fast as the device can; how exact, the device defines.

# integer
abs | The absolute value, as an unsigned number.
abs_diff | The absolute difference, without overflow, as an unsigned number.
add_sat | x + y; what does not fit becomes the nearest value that does.
sub_sat | x - y; what does not fit becomes the nearest value that does.
hadd | (x + y) / 2 rounded down, without overflow on the way.
rhadd | (x + y + 1) / 2 rounded down, without overflow on the way.
mul_hi | The upper half of the product.
mad_hi | The upper half of a * b, plus c.
mad_sat | a * b + c; what does not fit becomes the nearest value that does.
rotate | x shifted to the left by so many bits, which come in again at the right.
clz | How many zero bits stand above the highest one; the width for 0.
ctz | How many zero bits stand below the lowest one; the width for 0.
popcount | How many bits are one.
upsample | The two numbers joined to one of twice the width, the first one above.
mul24 | The product of two numbers of 24 bits, which many devices do faster.
mad24 | x * y + z with the product of numbers of 24 bits, which many devices do faster.
bit_reverse | The bits in the opposite order.
bitfield_insert | The first number with some of its bits, from an offset on, replaced by the low bits of the second.
bitfield_extract_{signed,unsigned} | So many bits from an offset on, as a number that is {1}.
dot | The dot product. Of four bytes each, with cl_khr_integer_dot_product, as a whole number.
dot_acc_sat | The dot product of four bytes each, added to the last argument; what does not fit becomes the nearest value that
 does.
dot_4x8packed_* | The dot product of two times four bytes, which are packed into an integer each.
dot_acc_sat_4x8packed_* | The dot product of two times four packed bytes, added to the last argument; what does not fit
 becomes the nearest value that does.

# common
clamp | x, but at least the lower and at most the upper bound.
max | The larger of the two.
min | The smaller of the two.
degrees | Radians as degrees.
radians | Degrees as radians.
mix | The way from x to y by the share a: x + (y - x) * a.
step | 0 below the edge, else 1.
smoothstep | 0 below the first edge, 1 above the second, and a smooth curve between.
sign | 1, 0 or -1, as x is positive, zero or negative; 0 for a NaN.

# geometric
cross | The cross product of two vectors; of four elements the last becomes 0.
distance | The distance of two points.
length | The length of a vector.
normalize | The vector of the same direction with length 1.
fast_{distance=distance of two points,length=length of a vector} | The {1}, by `half_sqrt`.
fast_normalize | The vector of the same direction with length 1, by `half_rsqrt`.

# relational
isequal | x == y; of vectors -1 for each element where it holds.
isnotequal | x != y; of vectors -1 for each element where it holds.
isgreater | x > y; of vectors -1 for each element where it holds.
isgreaterequal | x >= y; of vectors -1 for each element where it holds.
isless | x < y; of vectors -1 for each element where it holds.
islessequal | x <= y; of vectors -1 for each element where it holds.
islessgreater | x < y or x > y, so that neither is a NaN; of vectors -1 for each element where it holds.
isfinite | Whether x is neither infinite nor a NaN; of vectors -1 for each element where it is so.
isinf | Whether x is infinite; of vectors -1 for each element where it is so.
isnan | Whether x is a NaN; of vectors -1 for each element where it is so.
isnormal | Whether x is a normal number: not 0, not denormal, not infinite, no NaN.
isordered | Whether neither is a NaN; of vectors -1 for each element where it is so.
isunordered | Whether one of the two is a NaN; of vectors -1 for each element where it is so.
signbit | Whether the sign bit is set; of vectors -1 for each element where it is.
any | Whether the highest bit is set in any element.
all | Whether the highest bit is set in every element.
bitselect | For each bit, that of the second number where the third has a one, else that of the first.
select | For each element, the second where the third argument says so (scalar: is not 0; vector: has its highest bit set), else
 the first.
shuffle | The elements of a vector in the order that the mask gives.
shuffle2 | Elements of two vectors, in the order that the mask gives.

# atomic functions of OpenCL C 1.x
{atomic,atom}_add | Adds to the object in one step. Yields the old value.
{atomic,atom}_sub | Subtracts from the object in one step. Yields the old value.
{atomic,atom}_xchg | Stores a value and yields the old one, in one step.
{atomic,atom}_inc | Adds 1 to the object in one step. Yields the old value.
{atomic,atom}_dec | Subtracts 1 from the object in one step. Yields the old value.
{atomic,atom}_cmpxchg | Stores the third argument if the object equals the second, in one step. Yields the old value.
{atomic,atom}_{min=smaller,max=larger} | Stores the {2} of the object and the argument, in one step. Yields the old value.
{atomic,atom}_{and,or,xor} | Combines the object and the argument by {2}, in one step. Yields the old value.

# atomic functions of OpenCL C 2.0
atomic_init | Gives an atomic object its first value. This itself is not atomic.
atomic_store{,_explicit} | Stores a value atomically{1}.
atomic_load{,_explicit} | Reads the value atomically{1}.
atomic_exchange{,_explicit} | Stores a value and yields the old one, atomically{1}.
atomic_compare_exchange_strong{,_explicit} | Stores the desired value if the object equals the expected one, else copies the
 object to the expected one, atomically{1}. Yields whether it was stored.
atomic_compare_exchange_weak{,_explicit} | As `atomic_compare_exchange_strong`, but it may fail though the values are
 equal: for use in a loop{1}.
atomic_fetch_{add=Adds to,sub=Subtracts from}{,_explicit} | {1} the object atomically{2}. Yields the old value.
atomic_fetch_{and,or,xor}{,_explicit} | Combines the object with the argument by {1}, atomically{2}. Yields the old
 value.
atomic_fetch_{min=smaller,max=larger}{,_explicit} | Stores the {1} of the object and the argument atomically{2}. Yields the
 old value.
atomic_flag_test_and_set{,_explicit} | Sets the flag and yields whether it was set already, atomically{1}.
atomic_flag_clear{,_explicit} | Clears the flag atomically{1}.

# images
read_image{f=float,h=half,i=int,ui=uint} | Reads the pixel at the coordinates, as four components of {1}; through a sampler,
 which says how coordinates are meant and pixels mixed, or without one at the very pixel.
write_image{f=float,h=half,i=int,ui=uint} | Writes a pixel given as {1} at integer coordinates.
get_image_{width,height,depth} | The image's {1} in pixels.
get_image_dim | The image's width and height, and depth if it has one, as a vector.
get_image_array_size | How many images the array of images has.
get_image_channel_data_type | How the image stores a channel, as one of CLK_UNORM_INT8 and its like.
get_image_channel_order | Which channels the image has, as one of CLK_RGBA and its like.
get_image_num_mip_levels | How many mipmap levels the image has.
get_image_num_samples | How many samples a pixel of the image has.

# work-groups
work_group_{all,any} | Whether the argument is not 0 for {1} of the work-items of the work-group. All of them must call it.
work_group_broadcast | Gives the value that one work-item has to the whole work-group. All of them must call it.
work_group_reduce_{add=sum,min=smallest,max=largest} | The {1} of the values of all work-items of the work-group, which all must
 call it.
work_group_scan_{exclusive=before this one,inclusive=up to this one}_{add=sum,min=smallest,max=largest} | The {2} of the values
 of the work-items {1} in the work-group, which all must call it.

# sub-groups
get_sub_group_size | How many work-items this sub-group has.
get_max_sub_group_size | How many work-items the largest sub-group of the work-group has.
get_num_sub_groups | How many sub-groups this work-group has.
get_enqueued_num_sub_groups | How many sub-groups a full work-group has.
get_sub_group_id | The index of this sub-group within the work-group.
get_sub_group_local_id | This work-item's index within its sub-group.
sub_group_{all,any} | Whether the argument is not 0 for {1} of the work-items of the sub-group.
sub_group_broadcast | Gives the value that one work-item has to the whole sub-group.
sub_group_reduce_{add=sum,min=smallest,max=largest} | The {1} of the values of all work-items of the sub-group.
sub_group_scan_{exclusive=before this one,inclusive=up to this one}_{add=sum,min=smallest,max=largest} | The {2} of the values
 of the work-items {1} in the sub-group.
sub_group_elect | True for one of the active work-items of the sub-group, the one with the lowest index.
sub_group_non_uniform_{all,any} | Whether the argument is not 0 for {1} of the active work-items of the sub-group.
sub_group_non_uniform_all_equal | Whether all active work-items of the sub-group have the same value.
sub_group_non_uniform_broadcast | Gives the value that one active work-item has to the others; which one may differ from
 work-item to work-item only as the extension allows.
sub_group_broadcast_first | Gives the value of the active work-item with the lowest index to the others.
sub_group_ballot | A bit for each active work-item of the sub-group: whether its argument is not 0.
sub_group_inverse_ballot | This work-item's bit of a ballot.
sub_group_ballot_bit_extract | The bit of a ballot for the work-item with this index.
sub_group_ballot_bit_count | How many bits of a ballot are set.
sub_group_ballot_{inclusive_scan=up to this work-item's,exclusive_scan=below this work-item's} | How many bits of a ballot are
 set {1}.
sub_group_ballot_find_lsb | The index of the lowest bit of a ballot that is set.
sub_group_ballot_find_msb | The index of the highest bit of a ballot that is set.
get_sub_group_{eq=equal to,ge=at least,gt=above,le=at most,lt=below}_mask | A ballot with the bits of all work-items whose
 index is {1} this one's.
sub_group_non_uniform_reduce_{add=sum,mul=product,min=smallest,max=largest,and,or,xor,logical_and,logical_or,logical_xor} |
 The {1} of the values of the active work-items of the sub-group.
sub_group_non_uniform_scan_inclusive_{add=sum,mul=product,min=smallest,max=largest,and,or,xor,logical_and,logical_or,logical_xor}
 | The {1} of the values of the active work-items up to this one.
sub_group_non_uniform_scan_exclusive_{add=sum,mul=product,min=smallest,max=largest,and,or,xor,logical_and,logical_or,logical_xor}
 | The {1} of the values of the active work-items before this one.
sub_group_shuffle | The value of the work-item of the sub-group with this index.
sub_group_shuffle_xor | The value of the work-item whose index is this one's, combined with the mask by exclusive or.
sub_group_shuffle_up | The value of the work-item so many places before this one.
sub_group_shuffle_down | The value of the work-item so many places behind this one.
sub_group_rotate | The value of the work-item so many places behind this one, the last followed by the first.
sub_group_clustered_rotate | As `sub_group_rotate`, within clusters of so many work-items.
sub_group_clustered_reduce_{add=sum,mul=product,min=smallest,max=largest,and,or,xor,logical_and,logical_or,logical_xor} |
 The {1} of the values of the active work-items of this one's cluster, which has so many
 neighbours.

# clocks
clock_read_{device,work_group,sub_group} | A clock that all work-items with the same {1} share, as 64 bits.
clock_read_hilo_{device,work_group,sub_group} | A clock that all work-items with the same {1} share, as two times 32 bits, the low
 ones first.

# enqueuing
enqueue_kernel | Puts a block into a device queue, to run over an index space when its events and flags allow it. The block's
 parameters are pointers into local memory, whose sizes follow. Yields 0, or an error.
enqueue_marker | Puts a marker into a device queue, which is complete when all events of a list are.
get_default_queue | The default queue of this device; null where there is none.
ndrange_{1D=one dimension,2D=two dimensions,3D=three dimensions} | An index space of {1}: its size, or its size and that of
 its work-groups, or its offset first.
get_kernel_work_group_size | The largest work-group in which the block can run on this device.
get_kernel_preferred_work_group_size_multiple | What the size of a work-group should be a multiple of for this block.
get_kernel_max_sub_group_size_for_ndrange | The largest sub-group that the block would have in this index space.
get_kernel_sub_group_count_for_ndrange | How many sub-groups each work-group of this index space would have for the block.
create_user_event | A new event whose status the program itself sets. It must be released.
retain_event | Counts one more user of the event.
release_event | Counts one user of the event less.
is_valid_event | Whether this is an event, and not null.
set_user_event_status | Sets the status of a user event: complete, or an error.
capture_event_profiling_info | Writes times of the command that the event stands for into global memory once it is complete.

# pipes
read_pipe | Takes a packet out of the pipe and writes it through the pointer; with a reservation, the packet of that index.
 Yields 0, or a negative number where there is none.
write_pipe | Puts the packet that the pointer points to into the pipe; with a reservation, at that index. Yields 0, or a
 negative number where the pipe is full.
reserve_{read=reading,write=writing}_pipe | Reserves so many packets of the pipe for {1}, by this work-item.
work_group_reserve_{read=reading,write=writing}_pipe | Reserves so many packets of the pipe for {1}, by the whole work-group.
sub_group_reserve_{read=reading,write=writing}_pipe | Reserves so many packets of the pipe for {1}, by the whole sub-group.
{,work_group_,sub_group_}commit_{read=reads,write=writes}_pipe | Says that all {2} of this reservation are done.
is_valid_reserve_id | Whether the reservation was given.
get_pipe_num_packets | How many packets are in the pipe now; others may change that at any time.
get_pipe_max_packets | How many packets the pipe can hold.

# vendors
amd_bitalign | The 32 bits of the first two arguments, taken as 64 bits, from the bit on that the third gives.
amd_bytealign | The 32 bits of the first two arguments, taken as 64 bits, from the byte on that the third gives.
amd_lerp | The average of the bytes of the first two arguments, rounded as the bytes of the third say.
amd_{sad,sadhi,sad4,sadd,sadw,msad,qsad,mqsad} | A sum of absolute differences of packed numbers, added to the last argument
 (AMD's `{1}` instruction).
amd_pack | Four floats as packed bytes.
amd_unpack{0,1,2,3} | Byte {1} of the argument as a float.
amd_bfe | So many bits of the first argument from an offset on.
amd_bfm | A mask of so many ones from an offset on.
amd_{max3=largest,median3=middle one,min3=smallest} | The {1} of three.
intel_convert_bfloat16*_as_ushort* | Rounds to bfloat16 and yields the bits.
intel_convert_as_bfloat16* | The float that these bits mean as bfloat16.
intel_sub_group_shuffle | The value of the work-item of the sub-group with this index.
intel_sub_group_shuffle_xor | The value of the work-item whose index is this one's, combined with the mask by exclusive or.
intel_sub_group_shuffle_up | The value of the work-item so many places before this one; from the first vector before the
 sub-group's begin.
intel_sub_group_shuffle_down | The value of the work-item so many places behind this one; from the second vector beyond the
 sub-group's end.
intel_sub_group_broadcast | Gives the value that one work-item has to the whole sub-group.
intel_sub_group_reduce_{add=sum,min=smallest,max=largest} | The {1} of the values of all work-items of the sub-group.
intel_sub_group_scan_{exclusive=before this one,inclusive=up to this one}_{add=sum,min=smallest,max=largest} | The {2} of the
 values of the work-items {1} in the sub-group.
intel_sub_group_block_read* | The sub-group reads a block from the pointer, or the image, on, each work-item the elements
 that are its own.
intel_sub_group_block_write* | The sub-group writes a block from the pointer, or in the image, on, each work-item the
 elements that are its own.
intel_sub_group_block_prefetch_* | Asks for the block that the sub-group will read to be brought into the cache.
intel_sub_group_ime_ref_window_size | The size of the reference window of an integer motion estimation.
intel_sub_group_avc_{mce=common,ime=integer,ref=refinement,sic=skip and intra check}_get_* | Motion estimation, {1} phase: reads
 {2} off a payload's defaults or a result.
intel_sub_group_avc_{mce=common,ime=integer,ref=refinement,sic=skip and intra check}_set_* | Motion estimation, {1} phase: the
 payload with {2} set.
intel_sub_group_avc_{ime=integer,sic=skip and intra check}_initialize | Motion estimation, {1} phase: a
 new payload.
intel_sub_group_avc_{fme=fractional,bme=bidirectional}_initialize | Motion estimation, {1} refinement: a new payload.
intel_sub_group_avc_{mce=common,ime=integer,ref=refinement,sic=skip and intra check}_convert_to_* | Motion estimation, {1} phase:
 the same as {2}.
intel_sub_group_avc_{ime=integer,ref=refinement,sic=skip and intra check}_* | Motion estimation, {1} phase: runs {2}.
intel_sub_group_avc_* | Motion estimation of cl_intel_device_side_avc_motion_estimation: {1}.
"""

"""Functions of AMD's and Intel's extensions, as a table (see the module `notation`).

They are those that clang 22 declares.
"""

ROWS = """
# cl_amd_media_ops, cl_amd_media_ops2
uint  | amd_bitalign amd_bytealign amd_lerp amd_sad amd_sadhi | T(T, T, T) | cl_amd_media_ops
uint  | amd_unpack{0,1,2,3} | float#(T) | cl_amd_media_ops
| amd_pack | uint(float4) | cl_amd_media_ops
| amd_sad4 | uint(uint4, uint4, uint) | cl_amd_media_ops
int_uint | amd_bfe | T(T, uint#, uint#) | cl_amd_media_ops2
uint     | amd_bfm | T(T, T) | cl_amd_media_ops2
uint     | amd_msad amd_sadd amd_sadw | T(T, T, T) | cl_amd_media_ops2
int_uint | amd_max3 amd_median3 amd_min3 | T(T, T, T) | cl_amd_media_ops2
float    | amd_max3 amd_median3 amd_min3 | T(T, T, T) | cl_amd_media_ops2
ulong    | amd_mqsad amd_qsad | T(T, uint#, T) | cl_amd_media_ops2

# cl_intel_bfloat16_conversions
| intel_convert_bfloat16_as_ushort | ushort(float) | cl_intel_bfloat16_conversions
| intel_convert_as_bfloat16_float | float(ushort) | cl_intel_bfloat16_conversions
float_vectors | intel_convert_bfloat16{n}_as_ushort{n} | ushort#(T) | cl_intel_bfloat16_conversions
float_vectors | intel_convert_as_bfloat16{n}_float{n} | T(ushort#) | cl_intel_bfloat16_conversions

# cl_intel_subgroups and its companions: shuffles
wide_shuffled | intel_sub_group_shuffle intel_sub_group_shuffle_xor | T(T, uint) | cl_intel_subgroups
wide_shuffled | intel_sub_group_shuffle_down intel_sub_group_shuffle_up | T(T, T, uint) | cl_intel_subgroups
long_shuffled | intel_sub_group_shuffle intel_sub_group_shuffle_xor | T(T, uint) | cl_intel_subgroups
long_shuffled | intel_sub_group_shuffle_down intel_sub_group_shuffle_up | T(T, T, uint) | cl_intel_subgroups
short_shuffled | intel_sub_group_shuffle intel_sub_group_shuffle_xor | T(T, uint) | cl_intel_subgroups_short
short_shuffled | intel_sub_group_shuffle_down intel_sub_group_shuffle_up | T(T, T, uint) | cl_intel_subgroups_short
short_broadcast | intel_sub_group_broadcast | T(T, uint) | cl_intel_subgroups_short
short_ushort | intel_sub_group_{reduce,scan_exclusive,scan_inclusive}_{add,max,min} | T(T) | cl_intel_subgroups_short
char_shuffled | intel_sub_group_shuffle intel_sub_group_shuffle_xor | T(T, uint) | cl_intel_subgroups_char
char_shuffled | intel_sub_group_shuffle_down intel_sub_group_shuffle_up | T(T, T, uint) | cl_intel_subgroups_char
char_broadcast | intel_sub_group_broadcast | T(T, uint) | cl_intel_subgroups_char
char_uchar   | intel_sub_group_{reduce,scan_exclusive,scan_inclusive}_{add,max,min} | T(T) | cl_intel_subgroups_char

# block reads and writes
uint_block | intel_sub_group_block_read{w} | T(const global t*) | cl_intel_subgroups
uint_block | intel_sub_group_block_read{w} | T([read_only read_write] image2d_t, int2)
           | cl_intel_subgroups
uint_block | intel_sub_group_block_read{w} | T(const local t*) | cl_intel_subgroup_local_block_io
uint_block | intel_sub_group_block_write{w} | void(global t*, T) | cl_intel_subgroups
uint_block | intel_sub_group_block_write{w} | void([write_only read_write] image2d_t, int2, T)
           | cl_intel_subgroups
uint_block | intel_sub_group_block_write{w} | void(local t*, T) | cl_intel_subgroup_local_block_io
uint_block | intel_sub_group_block_read_ui{w} | T(const global t*) | cl_intel_subgroups sized_blocks
uint_block | intel_sub_group_block_read_ui{w} | T([read_only read_write] image2d_t, int2)
           | cl_intel_subgroups sized_blocks
uint_block | intel_sub_group_block_read_ui{w} | T(const local t*) | cl_intel_subgroup_local_block_io sized_blocks
uint_block | intel_sub_group_block_write_ui{w} | void(global t*, T) | cl_intel_subgroups sized_blocks
uint_block | intel_sub_group_block_write_ui{w} | void([read_only read_write] image2d_t, int2, T)
           | cl_intel_subgroups sized_blocks
uint_block | intel_sub_group_block_write_ui{w} | void(local t*, T) | cl_intel_subgroup_local_block_io sized_blocks
uint_block | intel_sub_group_block_prefetch_ui{w} | void(const global t*)
           | cl_intel_subgroups cl_intel_subgroup_buffer_prefetch
ushort_block | intel_sub_group_block_read_us{w} | T(const global t*) | cl_intel_subgroups_short
ushort_block | intel_sub_group_block_read_us{w} | T([read_only read_write] image2d_t, int2)
             | cl_intel_subgroups_short
ushort_block | intel_sub_group_block_read_us{w} | T(const local t*)
             | cl_intel_subgroups_short cl_intel_subgroup_local_block_io
ushort_block | intel_sub_group_block_write_us{w} | void(global t*, T) | cl_intel_subgroups_short
ushort_block | intel_sub_group_block_write_us{w} | void([write_only read_write] image2d_t, int2, T)
             | cl_intel_subgroups_short
ushort_block | intel_sub_group_block_write_us{w} | void(local t*, T)
             | cl_intel_subgroups_short cl_intel_subgroup_local_block_io
ushort_block | intel_sub_group_block_prefetch_us{w} | void(const global t*)
             | cl_intel_subgroups_short cl_intel_subgroup_buffer_prefetch
uchar_block  | intel_sub_group_block_read_uc{w} | T(const global t*) | cl_intel_subgroups_char
uchar_block  | intel_sub_group_block_read_uc{w} | T([read_only read_write] image2d_t, int2)
             | cl_intel_subgroups_char
uchar_block  | intel_sub_group_block_read_uc{w} | T(const local t*)
             | cl_intel_subgroups_char cl_intel_subgroup_local_block_io
uchar_block  | intel_sub_group_block_write_uc{w} | void(global t*, T) | cl_intel_subgroups_char
uchar_block  | intel_sub_group_block_write_uc{w} | void([write_only read_write] image2d_t, int2, T)
             | cl_intel_subgroups_char
uchar_block  | intel_sub_group_block_write_uc{w} | void(local t*, T)
             | cl_intel_subgroups_char cl_intel_subgroup_local_block_io
uchar_block  | intel_sub_group_block_prefetch_uc{w} | void(const global t*)
             | cl_intel_subgroups_char cl_intel_subgroup_buffer_prefetch
ulong_block  | intel_sub_group_block_read_ul{w} | T(const global t*) | cl_intel_subgroups_long
ulong_block  | intel_sub_group_block_read_ul{w} | T([read_only read_write] image2d_t, int2)
             | cl_intel_subgroups_long
| intel_sub_group_block_read_ul16 | ulong16([read_only read_write] image2d_t, int2)
             | cl_intel_subgroups_long
ulong_block  | intel_sub_group_block_read_ul{w} | T(const local t*)
             | cl_intel_subgroups_long cl_intel_subgroup_local_block_io
ulong_block  | intel_sub_group_block_write_ul{w} | void(global t*, T) | cl_intel_subgroups_long
ulong_block  | intel_sub_group_block_write_ul{w} | void([write_only read_write] image2d_t, int2, T)
             | cl_intel_subgroups_long
| intel_sub_group_block_write_ul16 | void([write_only read_write] image2d_t, int2, ulong16)
             | cl_intel_subgroups_long
ulong_block  | intel_sub_group_block_write_ul{w} | void(local t*, T)
             | cl_intel_subgroups_long cl_intel_subgroup_local_block_io
ulong_block  | intel_sub_group_block_prefetch_ul{w} | void(const global t*)
             | cl_intel_subgroups_long cl_intel_subgroup_buffer_prefetch
"""

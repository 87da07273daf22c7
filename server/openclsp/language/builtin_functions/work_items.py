"""Functions of work-items, work-groups and sub-groups, as a table (see the module `notation`).

The module also contains the functions for synchronisation, printf, enqueuing and pipes (unified specification
6.15.1, 6.15.8 to 6.15.10, 6.15.14, 6.15.16 to 6.15.18).
"""

ROWS = """
# work-items
| get_work_dim | uint(void)
| get_global_id get_global_offset get_global_size get_group_id get_local_id get_local_size get_num_groups | size_t(uint)
| get_enqueued_local_size | size_t(uint) | 2.0
| get_global_linear_id get_local_linear_id | size_t(void) | 2.0

# synchronisation
| barrier mem_fence read_mem_fence write_mem_fence | void(cl_mem_fence_flags)
| work_group_barrier | void(cl_mem_fence_flags); void(cl_mem_fence_flags, memory_scope) | 2.0
| get_fence | cl_mem_fence_flags(generic void*); cl_mem_fence_flags(const generic void*) | generic

# output
| printf | int(const constant char*, ...) | 1.2

# work-groups
| work_group_all work_group_any | int(int) | __opencl_c_work_group_collective_functions
group_numbers | work_group_broadcast | T(T, size_t); T(T, size_t, size_t); T(T, size_t, size_t, size_t)
              | __opencl_c_work_group_collective_functions
group_numbers | work_group_{reduce,scan_exclusive,scan_inclusive}_{add,max,min} | T(T)
              | __opencl_c_work_group_collective_functions

# sub-groups
| get_sub_group_size get_max_sub_group_size get_num_sub_groups get_sub_group_id get_sub_group_local_id | uint(void)
  | 1.2 subgroups
| get_enqueued_num_sub_groups | uint(void) | 2.0 subgroups
| sub_group_barrier | void(cl_mem_fence_flags) | 1.2 subgroups
| sub_group_barrier | void(cl_mem_fence_flags, memory_scope) | 2.0 subgroups
| sub_group_all sub_group_any | int(int) | 1.2 subgroups
group_numbers | sub_group_broadcast | T(T, uint) | 1.2 subgroups
group_numbers | sub_group_{reduce,scan_exclusive,scan_inclusive}_{add,max,min} | T(T) | 1.2 subgroups
numbers       | sub_group_broadcast | T(T, uint) | cl_khr_subgroup_extended_types
short_numbers | sub_group_{reduce,scan_exclusive,scan_inclusive}_{add,max,min} | T(T) | cl_khr_subgroup_extended_types
| sub_group_elect | int(void) | cl_khr_subgroup_non_uniform_vote
| sub_group_non_uniform_{all,any} | int(int) | cl_khr_subgroup_non_uniform_vote
scalars  | sub_group_non_uniform_all_equal | int(T) | cl_khr_subgroup_non_uniform_vote
numbers  | sub_group_non_uniform_broadcast | T(T, uint) | cl_khr_subgroup_ballot
scalars  | sub_group_broadcast_first | T(T) | cl_khr_subgroup_ballot
| sub_group_ballot | uint4(int) | cl_khr_subgroup_ballot
| sub_group_inverse_ballot | int(uint4) | cl_khr_subgroup_ballot
| sub_group_ballot_bit_extract | int(uint4, uint) | cl_khr_subgroup_ballot
| sub_group_ballot_{bit_count,inclusive_scan,exclusive_scan,find_lsb,find_msb} | uint(uint4) | cl_khr_subgroup_ballot
| get_sub_group_{eq,ge,gt,le,lt}_mask | uint4(void) | cl_khr_subgroup_ballot
scalars  | sub_group_non_uniform_{reduce,scan_inclusive,scan_exclusive}_{add,mul,min,max} | T(T)
         | cl_khr_subgroup_non_uniform_arithmetic
integers_1 | sub_group_non_uniform_{reduce,scan_inclusive,scan_exclusive}_{and,or,xor} | T(T)
         | cl_khr_subgroup_non_uniform_arithmetic
| sub_group_non_uniform_{reduce,scan_inclusive,scan_exclusive}_logical_{and,or,xor} | int(int)
         | cl_khr_subgroup_non_uniform_arithmetic
scalars  | sub_group_shuffle sub_group_shuffle_xor | T(T, uint) | cl_khr_subgroup_shuffle
scalars  | sub_group_shuffle_up sub_group_shuffle_down | T(T, uint) | cl_khr_subgroup_shuffle_relative
scalars  | sub_group_clustered_reduce_{add,mul,min,max} | T(T, uint) | cl_khr_subgroup_clustered_reduce
integers_1 | sub_group_clustered_reduce_{and,or,xor} | T(T, uint) | cl_khr_subgroup_clustered_reduce
| sub_group_clustered_reduce_logical_{and,or,xor} | int(int, uint) | cl_khr_subgroup_clustered_reduce
scalars  | sub_group_rotate | T(T, int) | cl_khr_subgroup_rotate
scalars  | sub_group_clustered_rotate | T(T, int, uint) | cl_khr_subgroup_rotate

# clocks
| clock_read_device | ulong(void) | cl_khr_kernel_clock __opencl_c_kernel_clock_scope_device
| clock_read_hilo_device | uint2(void) | cl_khr_kernel_clock __opencl_c_kernel_clock_scope_device
| clock_read_work_group | ulong(void) | cl_khr_kernel_clock __opencl_c_kernel_clock_scope_work_group
| clock_read_hilo_work_group | uint2(void) | cl_khr_kernel_clock __opencl_c_kernel_clock_scope_work_group
| clock_read_sub_group | ulong(void) | cl_khr_kernel_clock __opencl_c_kernel_clock_scope_sub_group
| clock_read_hilo_sub_group | uint2(void) | cl_khr_kernel_clock __opencl_c_kernel_clock_scope_sub_group

# enqueuing
| ndrange_1D | ndrange_t(size_t); ndrange_t(size_t, size_t); ndrange_t(size_t, size_t, size_t)
  | 2.0 __opencl_c_device_enqueue
| ndrange_2D ndrange_3D | ndrange_t(const private size_t*); ndrange_t(const private size_t*, const private size_t*);
  ndrange_t(const private size_t*, const private size_t*, const private size_t*) | 2.0 __opencl_c_device_enqueue
| enqueue_marker | int(queue_t, uint, const generic clk_event_t*, generic clk_event_t*) | 2.0 __opencl_c_device_enqueue
| retain_event release_event | void(clk_event_t) | 2.0 __opencl_c_device_enqueue
| create_user_event | clk_event_t(void) | 2.0 __opencl_c_device_enqueue
| is_valid_event | bool(clk_event_t) | 2.0 __opencl_c_device_enqueue
| set_user_event_status | void(clk_event_t, int) | 2.0 __opencl_c_device_enqueue
| capture_event_profiling_info | void(clk_event_t, clk_profiling_info, global void*) | 2.0 __opencl_c_device_enqueue
| get_default_queue | queue_t(void) | 2.0 __opencl_c_device_enqueue

# pipes
| is_valid_reserve_id | bool(reserve_id_t) | __opencl_c_pipes
"""

UNCHECKED_ROWS = """
| enqueue_kernel | int(...) | 2.0 __opencl_c_device_enqueue
| get_kernel_work_group_size get_kernel_preferred_work_group_size_multiple | uint(...) | 2.0 __opencl_c_device_enqueue
| get_kernel_max_sub_group_size_for_ndrange get_kernel_sub_group_count_for_ndrange | uint(...)
  | 2.0 __opencl_c_device_enqueue subgroups
| read_pipe write_pipe | int(...) | __opencl_c_pipes
| {,work_group_,sub_group_}reserve_{read,write}_pipe | reserve_id_t(...) | __opencl_c_pipes
| {,work_group_,sub_group_}commit_{read,write}_pipe | void(...) | __opencl_c_pipes
| get_pipe_num_packets get_pipe_max_packets | uint(...) | __opencl_c_pipes
| to_global to_local to_private | unknown(...) | generic
"""
"""Functions that no signature can express.

They take a pipe's packets, a block or a pointer to any type. The compiler knows them by name, and no header
declares them.
"""

"""Functions that read and write memory, as a table (see the module `notation`).

Vector loads and stores, copies between local and global memory, and atomic functions (unified specification
6.15.7, 6.15.11, 6.15.12).
"""

ROWS = """
# vector data
vectors        | vload{n} | T(size_t, in const t*)
vectors        | vstore{n} | void(T, size_t, out t*)
| vload_half | float(size_t, in const half*)
float_vectors  | {vload,vloada}_half{n} | T(size_t, in const half*)
float_double   | vstore_half{,_rte,_rtz,_rtp,_rtn} | void(T, size_t, out half*)
float_double_v | {vstore,vstorea}_half{n}{,_rte,_rtz,_rtp,_rtn} | void(T, size_t, out half*)

# copies
numbers | async_work_group_copy | event_t(local T*, const global T*, size_t, event_t);
          event_t(global T*, const local T*, size_t, event_t)
numbers | async_work_group_strided_copy | event_t(local T*, const global T*, size_t, size_t, event_t);
          event_t(global T*, const local T*, size_t, size_t, event_t)
| wait_group_events | void(int, plain event_t*)
numbers | prefetch | void(const global T*, size_t)

# atomic functions of OpenCL C 1.x
int_uint_1 | atomic_{add,and,max,min,or,sub,xchg,xor} | T(volatile [global local] T*, T)
| atomic_xchg | float(volatile [global local] float*, float)
int_uint_1 | atomic_{inc,dec} | T(volatile [global local] T*)
int_uint_1 | atomic_cmpxchg | T(volatile [global local] T*, T, T)
int_uint_1 | atom_{add,sub,xchg} | T(volatile global T*, T) | cl_khr_global_int32_base_atomics
int_uint_1 | atom_{inc,dec} | T(volatile global T*) | cl_khr_global_int32_base_atomics
int_uint_1 | atom_cmpxchg | T(volatile global T*, T, T) | cl_khr_global_int32_base_atomics
int_uint_1 | atom_{add,sub,xchg} | T(volatile local T*, T) | cl_khr_local_int32_base_atomics
int_uint_1 | atom_{inc,dec} | T(volatile local T*) | cl_khr_local_int32_base_atomics
int_uint_1 | atom_cmpxchg | T(volatile local T*, T, T) | cl_khr_local_int32_base_atomics
int_uint_1 | atom_{min,max,and,or,xor} | T(volatile global T*, T) | cl_khr_global_int32_extended_atomics
int_uint_1 | atom_{min,max,and,or,xor} | T(volatile local T*, T) | cl_khr_local_int32_extended_atomics
long_ulong | atom_{add,sub,xchg} | T(volatile [global local] T*, T) | cl_khr_int64_base_atomics
long_ulong | atom_{inc,dec} | T(volatile [global local] T*) | cl_khr_int64_base_atomics
long_ulong | atom_cmpxchg | T(volatile [global local] T*, T, T) | cl_khr_int64_base_atomics
long_ulong | atom_{min,max,and,or,xor} | T(volatile [global local] T*, T) | cl_khr_int64_extended_atomics

# atomic functions of OpenCL C 2.0: with the default order and scope, with the default scope, and with both given
atomics | atomic_init | void(volatile atomic atomic_T*, T) | 2.0
atomics | atomic_store | void(volatile atomic atomic_T*, T) | 2.0 order scope
atomics | atomic_store_explicit | void(volatile atomic atomic_T*, T, memory_order) | 2.0 scope
atomics | atomic_store_explicit | void(volatile atomic atomic_T*, T, memory_order, memory_scope) | 2.0
atomics | atomic_load | T(volatile atomic atomic_T*) | 2.0 order scope
atomics | atomic_load_explicit | T(volatile atomic atomic_T*, memory_order) | 2.0 scope
atomics | atomic_load_explicit | T(volatile atomic atomic_T*, memory_order, memory_scope) | 2.0
atomics | atomic_exchange | T(volatile atomic atomic_T*, T) | 2.0 order scope
atomics | atomic_exchange_explicit | T(volatile atomic atomic_T*, T, memory_order) | 2.0 scope
atomics | atomic_exchange_explicit | T(volatile atomic atomic_T*, T, memory_order, memory_scope) | 2.0
atomics | atomic_compare_exchange_{strong,weak} | bool(volatile generic atomic_T*, generic T*, T)
        | 2.0 order scope generic
atomics | atomic_compare_exchange_{strong,weak}_explicit
        | bool(volatile generic atomic_T*, generic T*, T, memory_order, memory_order) | 2.0 scope generic
atomics | atomic_compare_exchange_{strong,weak}_explicit
        | bool(volatile generic atomic_T*, generic T*, T, memory_order, memory_order, memory_scope) | 2.0 generic
atomics | atomic_compare_exchange_{strong,weak}
        | bool(volatile [global local] atomic_T*, [private global local] T*, T) | 3.0 order scope
atomics | atomic_compare_exchange_{strong,weak}_explicit
        | bool(volatile [global local] atomic_T*, [private global local] T*, T, memory_order, memory_order)
        | 3.0 scope
atomics | atomic_compare_exchange_{strong,weak}_explicit
        | bool(volatile [global local] atomic_T*, [private global local] T*, T,
          memory_order, memory_order, memory_scope) | 3.0
atomic_integers | atomic_fetch_{add,sub,or,xor,and,min,max} | T(volatile atomic atomic_T*, T) | 2.0 order scope
atomic_integers | atomic_fetch_{add,sub,or,xor,and,min,max}_explicit
                | T(volatile atomic atomic_T*, T, memory_order) | 2.0 scope
atomic_integers | atomic_fetch_{add,sub,or,xor,and,min,max}_explicit
                | T(volatile atomic atomic_T*, T, memory_order, memory_scope) | 2.0
| atomic_fetch_{add,sub} | uintptr_t(volatile atomic atomic_uintptr_t*, ptrdiff_t) | 2.0 order scope
| atomic_fetch_{add,sub}_explicit | uintptr_t(volatile atomic atomic_uintptr_t*, ptrdiff_t, memory_order)
  | 2.0 scope
| atomic_fetch_{add,sub}_explicit
  | uintptr_t(volatile atomic atomic_uintptr_t*, ptrdiff_t, memory_order, memory_scope) | 2.0
| atomic_fetch_{or,xor,and,min} | uintptr_t(volatile [global local] atomic_uintptr_t*, intptr_t);
  intptr_t(volatile [global local] atomic_intptr_t*, uintptr_t) | 3.0 order scope
| atomic_fetch_{or,xor,and,min}_explicit
  | uintptr_t(volatile [global local] atomic_uintptr_t*, intptr_t, memory_order);
    intptr_t(volatile [global local] atomic_intptr_t*, uintptr_t, memory_order) | 3.0 scope
| atomic_fetch_{or,xor,and,min}_explicit
  | uintptr_t(volatile [global local] atomic_uintptr_t*, intptr_t, memory_order, memory_scope);
    intptr_t(volatile [global local] atomic_intptr_t*, uintptr_t, memory_order, memory_scope) | 3.0
| atomic_flag_test_and_set | bool(volatile atomic atomic_flag*) | 2.0 order scope
| atomic_flag_test_and_set_explicit | bool(volatile atomic atomic_flag*, memory_order) | 2.0 scope
| atomic_flag_test_and_set_explicit | bool(volatile atomic atomic_flag*, memory_order, memory_scope) | 2.0
| atomic_flag_clear | void(volatile atomic atomic_flag*) | 2.0 order scope
| atomic_flag_clear_explicit | void(volatile atomic atomic_flag*, memory_order) | 2.0 scope
| atomic_flag_clear_explicit | void(volatile atomic atomic_flag*, memory_order, memory_scope) | 2.0
| atomic_work_item_fence | void(cl_mem_fence_flags, memory_order, memory_scope) | 2.0

# cl_ext_float_atomics
half_1   | atomic_store | void(volatile floating atomic_T*, T) | cl_ext_float_atomics load_store
half_1   | atomic_store_explicit | void(volatile floating atomic_T*, T, memory_order);
           void(volatile floating atomic_T*, T, memory_order, memory_scope) | cl_ext_float_atomics load_store
half_1   | atomic_load | T(volatile floating atomic_T*) | cl_ext_float_atomics load_store
half_1   | atomic_load_explicit | T(volatile floating atomic_T*, memory_order);
           T(volatile floating atomic_T*, memory_order, memory_scope) | cl_ext_float_atomics load_store
half_1   | atomic_exchange | T(volatile floating atomic_T*, T) | cl_ext_float_atomics load_store
half_1   | atomic_exchange_explicit | T(volatile floating atomic_T*, T, memory_order);
           T(volatile floating atomic_T*, T, memory_order, memory_scope) | cl_ext_float_atomics load_store
floats_1 | atomic_fetch_{min,max} | T(volatile floating atomic_T*, T) | cl_ext_float_atomics min_max
floats_1 | atomic_fetch_{min,max}_explicit | T(volatile floating atomic_T*, T, memory_order);
           T(volatile floating atomic_T*, T, memory_order, memory_scope) | cl_ext_float_atomics min_max
floats_1 | atomic_fetch_{add,sub} | T(volatile floating atomic_T*, T) | cl_ext_float_atomics add
floats_1 | atomic_fetch_{add,sub}_explicit | T(volatile floating atomic_T*, T, memory_order);
           T(volatile floating atomic_T*, T, memory_order, memory_scope) | cl_ext_float_atomics add
"""

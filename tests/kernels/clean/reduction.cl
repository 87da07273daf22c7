// One pass of a sum: each work-group leaves the sum of its part of `values` in `partial[group]`.
#define REDUCE(T, name)                                                                                       \
    kernel void name(global const T *values, global T *partial, local T *scratch, uint count)                 \
    {                                                                                                         \
        const uint item = get_local_id(0);                                                                    \
        T sum = 0;                                                                                            \
        for (uint i = get_global_id(0); i < count; i += get_global_size(0))                                   \
            sum += values[i];                                                                                 \
        scratch[item] = sum;                                                                                  \
        for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {                         \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            if (item < half_size)                                                                             \
                scratch[item] += scratch[item + half_size];                                                   \
        }                                                                                                     \
        if (item == 0)                                                                                        \
            partial[get_group_id(0)] = scratch[0];                                                            \
    }

REDUCE(int, sum_int)
REDUCE(float, sum_float)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
REDUCE(double, sum_double)
#endif

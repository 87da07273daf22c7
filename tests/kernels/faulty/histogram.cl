// 256 bins for each work-group. The bins belong to the kernel's outermost scope, and every pointer argument needs a space.
#include "bins.clh"

kernel void histogram(global const uchar *pixels, uint *bins, uint count)
{
    const uint item = get_local_id(0);
    if (item < BINS) {
        local uint group_bins[BINS];
        group_bins[item] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = item; i < count; i += get_local_size(0))
            atomic_inc(&group_bins[bin_of(pixels[i])]);
        barrier(CLK_LOCAL_MEM_FENCE);
        bins[item] = group_bins[item];
    }
}

// A horizontal blur that keeps a row in local memory. Two slips, both about where a pointer points.
#define RADIUS 4

static float window_sum(local const float *samples, int at)
{
    float sum = 0.0f;
    for (int i = -RADIUS; i <= RADIUS; ++i)
        sum += samples[at + i];
    return sum / (2 * RADIUS + 1);
}

kernel void blur(global const float *input, global float *output, local float *row, int width)
{
    const int x = get_global_id(0), item = get_local_id(0);

    local const float *samples = input + x;
    row[item + RADIUS] = samples[0];
    barrier(CLK_LOCAL_MEM_FENCE);

    if (x < width)
        output[x] = window_sum((local const float *)output, item + RADIUS);
}

// A 5 x 5 Gaussian over an image; the weights are a table in constant memory.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

constant float weights[5] = { 0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f };

static float4 weighted_row(read_only image2d_t source, int2 centre, constant float *row)
{
    float4 sum = (float4)(0.0f);
    for (int dx = -2; dx <= 2; ++dx)
        sum += row[dx + 2] * read_imagef(source, nearest, centre + (int2)(dx, 0));
    return sum;
}

kernel void gaussian(read_only image2d_t source, write_only image2d_t target)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = (float4)(0.0f);
    for (int dy = -2; dy <= 2; ++dy)
        sum += weights[dy + 2] * weighted_row(source, at + (int2)(0, dy), weights);
    sum.w = 1.0f;
    write_imagef(target, at, sum);
}

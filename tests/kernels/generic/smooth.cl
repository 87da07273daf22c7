// OpenCL C 2.0: one helper for rows in any memory. Out of the generic address space leads only a cast.
global int launches = 0;

static float mean(const float *row, int count)
{
    float sum = 0.0f;
    for (int i = 0; i < count; ++i)
        sum += row[i];
    return sum / count;
}

static float *nearer(float *far, float *near, int distance)
{
    return distance > 16 ? far : near;
}

kernel void smooth(global float *rows, local float *cached, int width)
{
    const int row = get_global_id(0);
    for (int x = 0; x < width; ++x)
        cached[x] = mean(rows + row * width, width);

    float *source = nearer(rows, cached, width);
    global float *target = source;
    target[row] = mean(cached, width);
    launches += 1;
}

// Palettes: a table at program scope has to be constant in OpenCL C 1.2, and helpers have to say what they read.
uint palette_size = 4;

constant uint palette[4] = { 0xff000000u, 0xff0000ffu, 0xff00ff00u, 0xffff0000u };

static uint pick(const uint *colours, int index)
{
    return colours[index & 3];
}

kernel void colourize(global const uchar *indices, global uint *pixels)
{
    const int i = get_global_id(0);
    pixels[i] = pick(palette, indices[i]);
}

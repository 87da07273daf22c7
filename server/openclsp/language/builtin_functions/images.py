"""Image functions, as a table (see the module `notation`).

Unified specification 6.15.15 and the extensions cl_khr_depth_images, cl_khr_gl_msaa_sharing,
cl_khr_mipmap_image.
"""

ROWS = """
# reads with a sampler
texels | read_image{s} | T(read_only image1d_t, sampler_t, [int float]); T(read_only image2d_t, sampler_t, [int2 float2]);
         T(read_only image3d_t, sampler_t, [int4 float4]); T(read_only image1d_array_t, sampler_t, [int2 float2]);
         T(read_only image2d_array_t, sampler_t, [int4 float4])
| read_imagef | float(read_only image2d_depth_t, sampler_t, [int2 float2]);
  float(read_only image2d_array_depth_t, sampler_t, [int4 float4])

# reads without a sampler
texels | read_image{s} | T(read_only [image1d_t image1d_buffer_t], int); T(read_only [image1d_array_t image2d_t], int2);
         T(read_only [image2d_array_t image3d_t], int4) | 1.2
| read_imagef | float(read_only image2d_depth_t, int2); float(read_only image2d_array_depth_t, int4) | 1.2
texels | read_image{s} | T(read_write [image1d_t image1d_buffer_t], int);
         T(read_write [image1d_array_t image2d_t], int2); T(read_write [image2d_array_t image3d_t], int4)
| read_imagef | float(read_write image2d_depth_t, int2); float(read_write image2d_array_depth_t, int4)
full_texels | read_image{s} | T([read_only read_write] image2d_msaa_t, int2, int);
              T([read_only read_write] image2d_array_msaa_t, int4, int)
| read_imagef | float([read_only read_write] image2d_msaa_depth_t, int2, int);
  float([read_only read_write] image2d_array_msaa_depth_t, int4, int)

# reads of one level
full_texels | read_image{s} | T([read_only read_write] image1d_t, sampler_t, float, float);
    T([read_only read_write] image1d_t, sampler_t, float, float, float);
    T([read_only read_write] image1d_array_t, sampler_t, float2, float);
    T([read_only read_write] image1d_array_t, sampler_t, float2, float, float);
    T([read_only read_write] image2d_t, sampler_t, float2, float);
    T([read_only read_write] image2d_t, sampler_t, float2, float2, float2);
    T([read_only read_write] image2d_array_t, sampler_t, float4, float);
    T([read_only read_write] image2d_array_t, sampler_t, float4, float2, float2);
    T([read_only read_write] image3d_t, sampler_t, float4, float);
    T([read_only read_write] image3d_t, sampler_t, float4, float4, float4) | cl_khr_mipmap_image
| read_imagef | float([read_only read_write] image2d_depth_t, sampler_t, float2, float);
    float([read_only read_write] image2d_depth_t, sampler_t, float2, float2, float2);
    float([read_only read_write] image2d_array_depth_t, sampler_t, float4, float);
    float([read_only read_write] image2d_array_depth_t, sampler_t, float4, float2, float2) | cl_khr_mipmap_image

# writes
texels | write_image{s} | void([write_only read_write] [image1d_t image1d_buffer_t], int, T);
         void([write_only read_write] [image1d_array_t image2d_t], int2, T);
         void([write_only read_write] [image2d_array_t image3d_t], int4, T)
| write_imagef | void([write_only read_write] image2d_depth_t, int2, float);
  void([write_only read_write] image2d_array_depth_t, int4, float)
full_texels | write_image{s} | void([write_only read_write] image1d_t, int, int, T);
    void([write_only read_write] [image1d_array_t image2d_t], int2, int, T);
    void([write_only read_write] [image2d_array_t image3d_t], int4, int, T) | cl_khr_mipmap_image_writes
| write_imagef | void([write_only read_write] image2d_depth_t, int2, int, float);
    void([write_only read_write] image2d_array_depth_t, int4, int, float) | cl_khr_mipmap_image_writes

# queries
| get_image_width get_image_channel_data_type get_image_channel_order
  | int([read_only write_only read_write] [image1d_t image1d_buffer_t image1d_array_t image2d_t image2d_array_t image3d_t
    image2d_depth_t image2d_array_depth_t image2d_msaa_t image2d_array_msaa_t
    image2d_msaa_depth_t image2d_array_msaa_depth_t])
| get_image_height
  | int([read_only write_only read_write] [image2d_t image2d_array_t image3d_t image2d_depth_t image2d_array_depth_t
    image2d_msaa_t image2d_array_msaa_t image2d_msaa_depth_t image2d_array_msaa_depth_t])
| get_image_depth | int([read_only write_only read_write] image3d_t)
| get_image_dim
  | int2([read_only write_only read_write] [image2d_t image2d_array_t image2d_depth_t image2d_array_depth_t
    image2d_msaa_t image2d_array_msaa_t image2d_msaa_depth_t image2d_array_msaa_depth_t]);
    int4([read_only write_only read_write] image3d_t)
| get_image_array_size
  | size_t([read_only write_only read_write] [image1d_array_t image2d_array_t image2d_array_depth_t image2d_array_msaa_t
    image2d_array_msaa_depth_t])
| get_image_num_mip_levels
  | int([read_only write_only read_write] [image1d_t image1d_array_t image2d_t image2d_array_t image2d_depth_t
    image2d_array_depth_t image3d_t]) | cl_khr_mipmap_image
| get_image_num_samples
  | int([read_only write_only read_write] [image2d_msaa_t image2d_array_msaa_t image2d_msaa_depth_t
    image2d_array_msaa_depth_t])
"""

"""Generates valid OpenCL C 2.0 of any length: pointers, call chains, structs, vectors and macros.

Every block has helpers of each kind and a kernel. One helper, `hub_load`, is called from every block, so that a change
of its signature affects one line in 25.
"""

from __future__ import annotations

_HEAD = """\
// generated OpenCL C, about {lines} lines
#define SCALE 3
#define CLAMP01(x) ((x) < 0.0f ? 0.0f : ((x) > 1.0f ? 1.0f : (x)))
#define IDX(r, c, w) ((r) * (w) + (c))

typedef struct
{
  float4 pos;
  int count;
  __global float *data;
  float acc[4];
} node_t;

__constant float k_weights[8] = { 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f };

static float hub_load(__global const float *p, int i)
{
  return p[i * SCALE];
}

static float hub_any(const float *p, int i)
{
  return p[i];
}
"""

_BLOCK = """
// block {n}
static float leaf_{n}(const float *p, int n)
{{
  float s = 0.0f;
  for (int i = 0; i < n; i++)
  {{
    s = mad(p[i], (float)SCALE, s);
    if (s > {n}.0f) s -= CLAMP01(s);
  }}
  return s;
}}

static void store_{n}(__global float *dst, __local float *tile, int i)
{{
  __private float tmp[4] = {{ 0.0f, 1.0f, 2.0f, 3.0f }};
  float *g = tile + i;
  g = i & 1 ? (float *)dst : (float *)tile;
  g[i] = tmp[i & 3] + leaf_{n}(g, 4);
  dst[i] = hub_load(dst, i) + tile[i] * k_weights[i & 7];
}}

static float mix_{n}(__global const float *a, float *b, node_t *nd, int i)
{{
  __global float *d = nd->data + i;
  float4 v = (float4)(a[i], b[i], d[0], nd->acc[i & 3]);
  v = v * v.wzyx + fma(v, v, nd->pos);
  float r = hub_load(a, i) + hub_any(b, i);
{calls}  nd->count += (int)v.x;
  return r + dot(v.xyz, v.yzw) + native_sqrt(fabs(v.s0));
}}

__kernel void kern_{n}(__global float *restrict out, __global const float *in, __local float *tile, const int w)
{{
  const int gx = get_global_id(0);
  const int lx = get_local_id(0);
  node_t nd;
  float pr[8];
  for (int i = 0; i < 8; i++) pr[i] = in[IDX(gx, i, w)];
  nd.pos = vload4(gx, in);
  nd.count = 0;
  nd.data = out;
  tile[lx] = in[gx];
  barrier(CLK_LOCAL_MEM_FENCE);
  store_{n}(out, tile, lx);
  float r = mix_{n}(in, pr, &nd, gx & 7);
  r += mix_{n}(in, (float *)out, &nd, lx);
  r += leaf_{n}(tile, 8) + leaf_{n}(pr, 8);
  out[gx] = r * convert_float(nd.count) + CLAMP01(r);
}}
"""

_CHAIN = 16
"""Blocks in a row whose helpers call one another."""


def kernel(lines: int) -> str:
    """Returns a generated file of about this many lines; the same number always gives the same text."""
    parts, total, number = [_HEAD.replace("{lines}", str(lines))], _HEAD.count("\n"), 0
    while total < lines - 20:
        calls = f"  r += mix_{number - 1}(a, b, nd, i + 1);\n" if number % _CHAIN else ""
        if number >= 2:
            calls += f"  r += leaf_{number // 2}(b, i) + leaf_{number - 1}((const float *)d, i);\n"
        parts.append(_BLOCK.format(n=number, calls=calls))
        total += parts[-1].count("\n")
        number += 1
    return "".join(parts)

"""Arithmetic functions, as a table (see the module `notation`).

Conversions, mathematical, integer, common, geometric, relational and vector functions (unified specification
6.4.3, 6.15.2 to 6.15.6, 6.15.13).
"""

ROWS = """
# conversions
integers   | convert_{T}{,_sat}{,_rte,_rtz,_rtp,_rtn} | T(N)
floats     | convert_{T}{,_rte,_rtz,_rtp,_rtn} | T(N)

# mathematical
floats | acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erf erfc exp exp10 exp2
         expm1 fabs floor lgamma log log10 log1p log2 logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi
         tgamma trunc | T(T)
floats | atan2 atan2pi copysign fdim fmod hypot maxmag minmag nextafter pow powr remainder | T(T, T)
floats | fma mad | T(T, T, T)
floats | fmax fmin | T(T, T); T(T, t)
floats | fract modf sincos | T(T, out T*)
floats | frexp lgamma_r | T(T, out int# *)
floats | remquo | T(T, T, out int# *)
floats | ilogb | int#(T)
floats | ldexp | T(T, int#); T(T, int)
floats | pown rootn | T(T, int#)
floats | nan | T(U)
float  | {half,native}_{cos,exp,exp2,exp10,log,log2,log10,recip,rsqrt,sin,sqrt,tan} | T(T)
float  | {half,native}_{divide,powr} | T(T, T)

# integer
integers      | abs | U(T)
integers      | abs_diff | U(T, T)
integers      | add_sat hadd mul_hi rhadd rotate sub_sat | T(T, T)
integers      | mad_hi mad_sat | T(T, T, T)
integers      | clz | T(T)
integers      | popcount | T(T) | 1.2
integers      | ctz | T(T) | 2.0
below_long    | upsample | W(T, U)
int_uint      | mad24 | T(T, T, T)
int_uint      | mul24 | T(T, T)
integers      | bit_reverse | T(T) | cl_khr_extended_bit_ops
integers      | bitfield_insert | T(T, T, uint, uint) | cl_khr_extended_bit_ops
integers      | bitfield_extract_signed | S(T, uint, uint) | cl_khr_extended_bit_ops
integers      | bitfield_extract_unsigned | U(T, uint, uint) | cl_khr_extended_bit_ops
| dot | uint(uchar4, uchar4); int(char4, char4); int(uchar4, char4); int(char4, uchar4)
      | __opencl_c_integer_dot_product_input_4x8bit
| dot_acc_sat | uint(uchar4, uchar4, uint); int(char4, char4, int); int(uchar4, char4, int); int(char4, uchar4, int)
      | __opencl_c_integer_dot_product_input_4x8bit
| dot_4x8packed_{ss,su,us}_int | int(uint, uint) | __opencl_c_integer_dot_product_input_4x8bit_packed
| dot_4x8packed_uu_uint | uint(uint, uint) | __opencl_c_integer_dot_product_input_4x8bit_packed
| dot_acc_sat_4x8packed_{ss,su,us}_int | int(uint, uint, int) | __opencl_c_integer_dot_product_input_4x8bit_packed
| dot_acc_sat_4x8packed_uu_uint | uint(uint, uint, uint) | __opencl_c_integer_dot_product_input_4x8bit_packed

# common
numbers | clamp | T(T, T, T); T(T, t, t)
numbers | max min | T(T, T); T(T, t)
floats  | degrees radians sign | T(T)
floats  | mix | T(T, T, T); T(T, T, t)
floats  | step | T(T, T); T(t, T)
floats  | smoothstep | T(T, T, T); T(t, t, T)

# geometric
floats_3_4 | cross | T(T, T)
floats_1_4 | dot distance | t(T, T)
floats_1_4 | length | t(T)
floats_1_4 | normalize | T(T)
float_1_4  | fast_distance | t(T, T)
float_1_4  | fast_length | t(T)
float_1_4  | fast_normalize | T(T)

# relational
floats  | isequal isgreater isgreaterequal isless islessequal islessgreater isnotequal isordered isunordered | B(T, T)
floats  | isfinite isinf isnan isnormal signbit | B(T)
signed  | all any | int(T)
numbers | bitselect | T(T, T, T)
numbers | select | T(T, T, [S U])

# vectors
even_vectors | shuffle | T(M, U)
even_vectors | shuffle2 | T(M, M, U)
"""

"""Functions of cl_intel_device_side_avc_motion_estimation, as a table (see the module `notation`).

In the rows, `~` stands for `intel_sub_group_avc_`, the prefix of all names and types of the extension. The
rows do not name the extension, which all of them require: `rows` adds it.
"""

from __future__ import annotations

import re

_NEEDED = "cl_intel_device_side_avc_motion_estimation"

_ROWS = """
# what every phase shares: mce, ime, ref and sic have the same functions on their own payload and result
| ~{mce,ime,ref,sic}_set_ac_only_haar | ~{1}_payload_t(~{1}_payload_t)
| ~{mce,ime,ref,sic}_set_dual_reference_interlaced_field_polarities | ~{1}_payload_t(uchar, uchar, ~{1}_payload_t)
| ~{mce,ime,ref,sic}_set_inter_base_multi_reference_penalty ~{mce,ime,ref,sic}_set_inter_direction_penalty
  ~{mce,ime,ref,sic}_set_single_reference_interlaced_field_polarity
  ~{mce,ime,ref,sic}_set_source_interlaced_field_polarity | ~{1}_payload_t(uchar, ~{1}_payload_t)
| ~{mce,ime,ref,sic}_set_inter_shape_penalty | ~{1}_payload_t(ulong, ~{1}_payload_t)
| ~{mce,ime,ref,sic}_set_motion_vector_cost_function | ~{1}_payload_t(ulong, uint2, uchar, ~{1}_payload_t)
| ~{mce,ime,ref}_get_motion_vectors | ulong(~{1}_result_t)
| ~{mce,ime,ref}_get_best_inter_distortion ~{mce,ime,ref,sic}_get_inter_distortions | ushort(~{1}_result_t)
| ~{mce,ime,ref}_get_inter_directions ~{mce,ime,ref}_get_inter_major_shape ~{mce,ime,ref}_get_inter_minor_shapes
  ~{mce,ime,ref}_get_inter_motion_vector_count | uchar(~{1}_result_t)
| ~{mce,ime,ref}_get_inter_reference_ids | uint(~{1}_result_t)
| ~{mce,ime,ref}_get_inter_reference_interlaced_field_polarities | uchar(uint, uint, ~{1}_result_t)
| ~{ime,ref,sic}_convert_to_mce_payload | ~mce_payload_t(~{1}_payload_t)
| ~{ime,ref,sic}_convert_to_mce_result | ~mce_result_t(~{1}_result_t)
| ~mce_convert_to_{ime,ref,sic}_payload | ~{1}_payload_t(~mce_payload_t)
| ~mce_convert_to_{ime,ref,sic}_result | ~{1}_result_t(~mce_result_t)

# defaults
| ~mce_get_default_inter_base_multi_reference_penalty ~mce_get_default_inter_direction_penalty
  ~mce_get_default_intra_luma_mode_penalty | uchar(uchar, uchar)
| ~mce_get_default_inter_shape_penalty | ulong(uchar, uchar)
| ~mce_get_default_intra_luma_shape_penalty | uint(uchar, uchar)
| ~mce_get_default_inter_motion_vector_cost_table | uint2(uchar, uchar)
| ~mce_get_default_{high,medium,low}_penalty_cost_table | uint2(void)
| ~mce_get_default_non_dc_luma_intra_penalty | uint(void)
| ~mce_get_default_intra_chroma_mode_base_penalty | uchar(void)

# integer motion estimation
| ~ime_initialize | ~ime_payload_t(ushort2, uchar, uchar)
| ~ime_set_single_reference | ~ime_payload_t(short2, uchar, ~ime_payload_t)
| ~ime_set_dual_reference | ~ime_payload_t(short2, short2, uchar, ~ime_payload_t)
| ~ime_set_max_motion_vector_count ~ime_set_early_search_termination_threshold | ~ime_payload_t(uchar, ~ime_payload_t)
| ~ime_set_unidirectional_mix_disable | ~ime_payload_t(~ime_payload_t)
| ~ime_set_weighted_sad | ~ime_payload_t(uint, ~ime_payload_t)
| ~ime_ref_window_size intel_sub_group_ime_ref_window_size | ushort2(uchar, char)
| ~ime_adjust_ref_offset | short2(short2, ushort2, ushort2, ushort2)
| ~ime_evaluate_with_single_reference
  | ~ime_result_t(read_only image2d_t, read_only image2d_t, sampler_t, ~ime_payload_t)
| ~ime_evaluate_with_dual_reference
  | ~ime_result_t(read_only image2d_t, read_only image2d_t, read_only image2d_t, sampler_t, ~ime_payload_t)
| ~ime_evaluate_with_single_reference_streamin
  | ~ime_result_t(read_only image2d_t, read_only image2d_t, sampler_t, ~ime_payload_t,
    ~ime_single_reference_streamin_t)
| ~ime_evaluate_with_dual_reference_streamin
  | ~ime_result_t(read_only image2d_t, read_only image2d_t, read_only image2d_t, sampler_t, ~ime_payload_t,
    ~ime_dual_reference_streamin_t)
| ~ime_evaluate_with_single_reference_streamout
  | ~ime_result_single_reference_streamout_t(read_only image2d_t, read_only image2d_t, sampler_t, ~ime_payload_t)
| ~ime_evaluate_with_dual_reference_streamout
  | ~ime_result_dual_reference_streamout_t(read_only image2d_t, read_only image2d_t, read_only image2d_t, sampler_t,
    ~ime_payload_t)
| ~ime_evaluate_with_single_reference_streaminout
  | ~ime_result_single_reference_streamout_t(read_only image2d_t, read_only image2d_t, sampler_t, ~ime_payload_t,
    ~ime_single_reference_streamin_t)
| ~ime_evaluate_with_dual_reference_streaminout
  | ~ime_result_dual_reference_streamout_t(read_only image2d_t, read_only image2d_t, read_only image2d_t, sampler_t,
    ~ime_payload_t, ~ime_dual_reference_streamin_t)
| ~ime_get_{single,dual}_reference_streamin
  | ~ime_{1}_reference_streamin_t(~ime_result_{1}_reference_streamout_t)
| ~ime_strip_{single,dual}_reference_streamout | ~ime_result_t(~ime_result_{1}_reference_streamout_t)
| ~ime_get_streamout_major_shape_motion_vectors
  | uint(~ime_result_single_reference_streamout_t, uchar); uint(~ime_result_dual_reference_streamout_t, uchar, uchar)
| ~ime_get_streamout_major_shape_distortions
  | ushort(~ime_result_single_reference_streamout_t, uchar);
    ushort(~ime_result_dual_reference_streamout_t, uchar, uchar)
| ~ime_get_streamout_major_shape_reference_ids
  | uchar(~ime_result_single_reference_streamout_t, uchar); uchar(~ime_result_dual_reference_streamout_t, uchar, uchar)
| ~ime_get_border_reached | uchar(uchar, ~ime_result_t)
| ~ime_get_truncated_search_indication ~ime_get_unidirectional_early_search_termination | uchar(~ime_result_t)
| ~ime_get_weighting_pattern_minimum_motion_vector | uint(~ime_result_t)
| ~ime_get_weighting_pattern_minimum_distortion | ushort(~ime_result_t)

# refinement
| ~fme_initialize | ~ref_payload_t(ushort2, ulong, uchar, uchar, uchar, uchar, uchar)
| ~bme_initialize | ~ref_payload_t(ushort2, ulong, uchar, uchar, uchar, uchar, uchar, uchar)
| ~ref_set_bidirectional_mix_disable ~ref_set_bilinear_filter_enable | ~ref_payload_t(~ref_payload_t)
| ~{ref,sic}_evaluate_with_single_reference
  | ~{1}_result_t(read_only image2d_t, read_only image2d_t, sampler_t, ~{1}_payload_t)
| ~{ref,sic}_evaluate_with_dual_reference
  | ~{1}_result_t(read_only image2d_t, read_only image2d_t, read_only image2d_t, sampler_t, ~{1}_payload_t)
| ~{ref,sic}_evaluate_with_multi_reference
  | ~{1}_result_t(read_only image2d_t, uint, sampler_t, ~{1}_payload_t);
    ~{1}_result_t(read_only image2d_t, uint, uchar, sampler_t, ~{1}_payload_t)

# skip and intra check
| ~sic_initialize | ~sic_payload_t(ushort2)
| ~sic_configure_skc | ~sic_payload_t(uint, uint, ulong, uchar, uchar, ~sic_payload_t)
| ~sic_configure_ipe | ~sic_payload_t(uchar, uchar, uchar, uchar, uchar, uchar, uchar, ~sic_payload_t);
  ~sic_payload_t(uchar, uchar, uchar, uchar, uchar, uchar, ushort, ushort, ushort, uchar, ~sic_payload_t)
| ~sic_get_motion_vector_mask | uint(uint, uchar)
| ~sic_set_intra_luma_shape_penalty | ~sic_payload_t(uint, ~sic_payload_t)
| ~sic_set_intra_luma_mode_cost_function | ~sic_payload_t(uchar, uint, uint, ~sic_payload_t)
| ~sic_set_intra_chroma_mode_cost_function ~sic_set_block_based_raw_skip_sad | ~sic_payload_t(uchar, ~sic_payload_t)
| ~sic_set_skc_bilinear_filter_enable | ~sic_payload_t(~sic_payload_t)
| ~sic_set_skc_forward_transform_enable | ~sic_payload_t(ulong, ~sic_payload_t)
| ~sic_evaluate_ipe | ~sic_result_t(read_only image2d_t, sampler_t, ~sic_payload_t)
| ~sic_get_ipe_luma_shape ~sic_get_ipe_chroma_mode | uchar(~sic_result_t)
| ~sic_get_best_ipe_luma_distortion ~sic_get_best_ipe_chroma_distortion ~sic_get_inter_raw_sads
  | ushort(~sic_result_t)
| ~sic_get_packed_ipe_luma_modes ~sic_get_packed_skc_luma_sum_threshold | ulong(~sic_result_t)
| ~sic_get_packed_skc_luma_count_threshold | uint(~sic_result_t)
"""


def rows() -> str:
    """Returns the table of these functions, in the notation that the module `notation` describes."""
    made = []
    for row in re.sub(r"\n[ \t]+", " ", _ROWS).splitlines():
        if row and not row.startswith("#"):
            made.append(f"{row} {'|' if row.count('|') == 2 else ''} {_NEEDED}")
    return "\n".join(made).replace("~", "intel_sub_group_avc_")

"""The macros of `cl_intel_device_side_avc_motion_estimation` (clang's opencl-c-base.h)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_VALUES = {
    "MAJOR": "16x16=0x0 16x8=0x1 8x16=0x2 8x8=0x3 BACKWARD=0x1 BIDIRECTIONAL=0x2 FORWARD=0x0",
    "MINOR": "4x4=0x3 4x8=0x2 8x4=0x1 8x8=0x0",
    "PARTITION_MASK": "16x16=0x7E 16x8=0x7D 4x4=0x3F 4x8=0x5F 8x16=0x7B 8x4=0x6F 8x8=0x77 ALL=0x0",
    "SLICE_TYPE": "BPRED=0x1 INTRA=0x2 PRED=0x0",
    "SEARCH_WINDOW": (
        "CUSTOM=0x8 DIAMOND=0x4 EXHAUSTIVE=0x0 EXTRA_TINY=0x3 LARGE_DIAMOND=0x5 RESERVED0=0x6 "
        "RESERVED1=0x7 SMALL=0x1 TINY=0x2"
    ),
    "SAD_ADJUST_MODE": "HAAR=0x2 NONE=0x0",
    "SUBPIXEL_MODE": "HPEL=0x1 INTEGER=0x0 QPEL=0x3",
    "COST_PRECISION": "DPEL=0x3 HPEL=0x1 PEL=0x2 QPEL=0x0",
    "BIDIR_WEIGHT": "HALF=0x20 QUARTER=0x10 THIRD=0x15 THREE_QUARTER=0x30 TWO_THIRD=0x2B",
    "BORDER_REACHED": "BOTTOM=0x8 LEFT=0x0 RIGHT=0x2 TOP=0x4",
    "INTRA_LUMA_PARTITION_MASK": "16x16=0x6 4x4=0x3 8x8=0x5 ALL=0x0",
    "INTRA_NEIGHBOR": (
        "LEFT_MASK_ENABLE=0x60 UPPER_LEFT_MASK_ENABLE=0x4 UPPER_MASK_ENABLE=0x10 UPPER_RIGHT_MASK_ENABLE=0x8"
    ),
    "INTRA": "16x16=0x0 4x4=0x2 8x8=0x1",
    "SKIP_BLOCK_PARTITION": "16x16=0x0 8x8=0x4000",
    "BLOCK_BASED_SKIP": "4x4=0x00 8x8=0x80",
    "LUMA_PREDICTOR_MODE": (
        "DC=0x2 DIAGONAL_DOWN_LEFT=0x3 DIAGONAL_DOWN_RIGHT=0x4 HORIZONTAL_DOWN=0x6 HORIZONTAL=0x1 "
        "HORIZONTAL_UP=0x8 PLANE=0x4 VERTICAL=0x0 VERTICAL_LEFT=0x7 VERTICAL_RIGHT=0x5"
    ),
    "CHROMA_PREDICTOR_MODE": "DC=0x0 HORIZONTAL=0x1 PLANE=0x3 VERTICAL=0x2",
    "FRAME": "BACKWARD=0x2 DUAL=0x3 FORWARD=0x1",
    "INTERLACED_SCAN": "BOTTOM_FIELD=0x1 TOP_FIELD=0x0",
}

_SKIP_BLOCKS = "BACKWARD=0x2 DUAL=0x3 FORWARD=0x1"
_SKIP_ALL_8X8 = "BACKWARD=0xAA DUAL=0xFF FORWARD=0x55"
_ZERO = """ME IME_PAYLOAD IME_RESULT IME_RESULT_SINGLE_REFERENCE_STREAMIN
    IME_RESULT_SINGLE_REFERENCE_STREAMOUT IME_RESULT_DUAL_REFERENCE_STREAMIN
    IME_RESULT_DUAL_REFERENCE_STREAMOUT REF_PAYLOAD REF_RESULT SIC_PAYLOAD SIC_RESULT"""


def _pairs(values: str) -> Iterator[tuple[str, str]]:
    for pair in values.split():
        name, _, value = pair.partition("=")
        yield name, value


def _all() -> Iterator[tuple[str, str]]:
    for family, values in _VALUES.items():
        for name, value in _pairs(values):
            yield f"CLK_AVC_ME_{family}_{name}_INTEL", value
    for shape, values in (("16x16", _SKIP_BLOCKS), ("8x8", _SKIP_ALL_8X8)):
        for name, value in _pairs(values):
            yield f"CLK_AVC_ME_SKIP_BLOCK_{shape}_{name}_ENABLE_INTEL", f"({value} << 24)"
    for block in range(4):
        for name, value in (("FORWARD", "0x1"), ("BACKWARD", "0x2")):
            yield f"CLK_AVC_ME_SKIP_BLOCK_8x8_{block}_{name}_ENABLE_INTEL", f"({value} << {24 + 2 * block})"
    for name in _ZERO.split():
        yield f"CLK_AVC_{name}_INITIALIZE_INTEL", "0x0"


MOTION_ESTIMATION_MACROS: Mapping[str, str] = dict(_all())

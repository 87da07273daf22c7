"""The opaque types, as programs spell them."""

from __future__ import annotations

TYPES = {
    "image": "image2d_t",
    "read": "read_only image2d_t",
    "write": "write_only image3d_t",
    "both": "read_write image1d_t",
    "sampler": "sampler_t",
    "event": "event_t",
    "clk_event": "clk_event_t",
    "queue": "queue_t",
    "reserve_id": "reserve_id_t",
    "ndrange": "ndrange_t",
    "pipe": "pipe int",
    "write_pipe": "write_only pipe int",
}

EACH = {
    name: spelled for name, spelled in TYPES.items() if name not in ("read", "write", "both", "write_pipe")
}
"""Those that differ in more than their access."""

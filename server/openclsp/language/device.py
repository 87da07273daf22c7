"""The device that kernels are built for, beside what is part of the dialect."""

from __future__ import annotations

from openclsp.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Device:
    """What a host would learn from `clGetDeviceInfo`.

    `embedded` is the profile (OpenCL C 6.13, `__EMBEDDED_PROFILE__`); `version` is the value of
    `__OPENCL_VERSION__`, None for that of the language.
    `limits` are sorted by name, as the queries are called without CL_DEVICE_: `max-constant-args`.
    """

    embedded: bool = False
    version: int | None = None
    limits: tuple[tuple[str, int], ...] = ()


DEFAULT_DEVICE = Device()

"""Properties of the target device that are no part of the dialect."""

from __future__ import annotations

from openclsp.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Device:
    """Device properties, as returned by `clGetDeviceInfo`.

    - `embedded`: whether the device has the embedded profile (OpenCL C 6.13, `__EMBEDDED_PROFILE__`)
    - `version`: the value of `__OPENCL_VERSION__`; if None, the language version
    - `limits`: pairs of a limit's name and value, sorted by name. The name is that of the query without
      `CL_DEVICE_`, in lower case with hyphens: `max-constant-args`.
    """

    embedded: bool = False
    version: int | None = None
    limits: tuple[tuple[str, int], ...] = ()


DEFAULT_DEVICE = Device()

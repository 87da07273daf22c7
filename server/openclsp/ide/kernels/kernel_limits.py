"""Device limits that a kernel may exceed.

They are configured by `[device.limits]` in `openclsp.toml`. The defaults are the minimum values that the
specification requires of a device (OpenCL API 4.2 for the full profile, 7 for the embedded profile).
"""

from __future__ import annotations

from math import prod

from openclsp.dataclass import dataclass
from openclsp.ide.kernels.kernel_memory import KernelMemory, total_known_bytes
from openclsp.ide.kernels.local_arguments import LocalArgumentSize
from openclsp.language.device import Device

CONSTANT_ARGUMENTS, CONSTANT_BUFFER = "max-constant-args", "max-constant-buffer-size"
LOCAL_MEMORY, PARAMETERS, WORK_GROUP = "local-mem-size", "max-parameter-size", "max-work-group-size"

_FULL = {CONSTANT_ARGUMENTS: 8, CONSTANT_BUFFER: 64 * 1024, LOCAL_MEMORY: 32 * 1024, PARAMETERS: 1024}
_FULL_1_0 = {**_FULL, LOCAL_MEMORY: 16 * 1024, PARAMETERS: 256}
_EMBEDDED = {CONSTANT_ARGUMENTS: 4, CONSTANT_BUFFER: 1024, LOCAL_MEMORY: 1024, PARAMETERS: 256}
_1_1 = 110


@dataclass(frozen=True, slots=True)
class DeviceLimit:
    """A device limit. `name` is its key in `openclsp.toml`.

    `is_configured` is whether `openclsp.toml` sets the limit. Otherwise, `value` is the minimum that the
    specification requires.
    """

    name: str
    value: int
    is_configured: bool


@dataclass(frozen=True, slots=True)
class ExceededLimit:
    """A limit that a kernel exceeds, with a message."""

    limit: DeviceLimit
    needed: int
    message: str


def device_limits(device: Device, version: int) -> tuple[DeviceLimit, ...]:
    """Returns the limits of a device.

    `version` is the kernels' language version (120 for 1.2). It is used if the device has no version.
    """
    least = _EMBEDDED if device.embedded else _FULL if (device.version or version) >= _1_1 else _FULL_1_0
    given = dict(device.limits)
    return tuple(
        DeviceLimit(name, given.get(name, least.get(name, 0)), name in given) for name in (*least, WORK_GROUP)
    )


def find_limit(limits: tuple[DeviceLimit, ...], name: str) -> DeviceLimit:
    """Returns the limit with that name."""
    return next(each for each in limits if each.name == name)


def find_exceeded_limits(
    memory: KernelMemory, limits: tuple[DeviceLimit, ...], local_sizes: tuple[LocalArgumentSize, ...] = ()
) -> tuple[ExceededLimit, ...]:
    """Finds the limits that the kernel certainly exceeds.

    `local_sizes` are the bytes of local memory that host code passes for arguments.
    """
    by_name = {limit.name: limit for limit in limits}
    largest = max((each.layout.size for _, each in memory.constant if each.layout is not None), default=0)
    group = prod(memory.work_group) if memory.work_group else 0
    constant = total_known_bytes(memory.constant)
    given = _largest_given(local_sizes)
    needing = "its variables and the arguments that the host sizes need" if given else "its variables need"
    wanted = (
        (LOCAL_MEMORY, total_known_bytes(memory.local) + given, f"local memory: {needing} {{}} bytes"),
        (
            CONSTANT_ARGUMENTS,
            memory.constants,
            "constant memory: {} arguments and variables may each count as one",
        ),
        (CONSTANT_BUFFER, largest, "constant memory: one variable has {} bytes"),
        (
            CONSTANT_BUFFER,
            constant,
            "constant memory: its variables have {} bytes, if the compiler places them in one buffer",
        ),
        (PARAMETERS, memory.argument_bytes, "arguments: they have {} bytes"),
        (WORK_GROUP, group, "work-group: the kernel requires {} work-items"),
    )
    found: dict[str, ExceededLimit] = {}
    for name, needed, message in wanted:
        limit = by_name[name]
        if needed > limit.value and (limit.is_configured or name != WORK_GROUP):
            text = f"{message.format(f'{needed:,}')}; {_describe_limit(limit)}"
            found.setdefault(name, ExceededLimit(limit, needed, text))
    return tuple(found.values())


def _largest_given(local_sizes: tuple[LocalArgumentSize, ...]) -> int:
    """Returns a lower bound for the most local memory, in bytes, that a single call passes in total.

    It is not known which sizes belong to the same call. But a call that passes the largest size for one
    argument passes at least the smallest size for each other argument.
    """
    least = sum(each.least for each in local_sizes)
    return max((least - each.least + each.sizes[-1] for each in local_sizes), default=0)


def _describe_limit(limit: DeviceLimit) -> str:
    if limit.is_configured:
        return f"the device has {limit.value:,} ({limit.name} in openclsp.toml)"
    return f"not every device has more than {limit.value:,}"

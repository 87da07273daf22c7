"""`check --shard I/N`: selects the part of the inputs that one of N jobs checks."""

from __future__ import annotations

import re
from dataclasses import replace

from openclsp.cli.command_error import CommandError
from openclsp.cli.inputs import CheckInputs

_SHARD = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


def parse_shard(given: str) -> tuple[int, int]:
    """Parses `I/N` to the number of the shard, from 1, and the number of shards. Raises CommandError."""
    match = _SHARD.fullmatch(given)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise CommandError(f"--shard '{given}': write I/N, with I from 1 to N")
    return int(match[1]), int(match[2])


def select_shard(inputs: CheckInputs, shard: tuple[int, int]) -> CheckInputs:
    """Returns every N-th of the inputs, beginning with the I-th; each input is in exactly one shard.

    Large files of a folder often have similar names, so neighbours are put into different shards. Files that
    cannot be read, or whose kernels are not checked, are reported by the first shard.
    """
    number, count = shard
    return replace(
        inputs,
        inputs=inputs.inputs[number - 1 :: count],
        callers=inputs.callers[number - 1 :: count],
        not_checked=inputs.not_checked if number == 1 else (),
        notices=inputs.notices if number == 1 else (),
        named_like_host_code=inputs.named_like_host_code if number == 1 else (),
    )

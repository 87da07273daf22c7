"""Options for one kernel from a build file of any format."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.workspace.configuration import Layer


@dataclass(frozen=True, slots=True)
class Told:
    """Layers of options in ascending precedence.

    `problems` are complete messages. If `complete`, the file contains a compilation of the kernel, and host
    code is not searched for more options.
    """

    layers: tuple[Layer, ...] = ()
    problems: tuple[str, ...] = ()
    complete: bool = False

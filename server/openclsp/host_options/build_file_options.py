"""Options for one kernel from a build file of any format."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.project.option_layers import OptionLayer


@dataclass(frozen=True, slots=True)
class BuildFileOptions:
    """Layers of options in ascending precedence.

    `problems` are complete messages. If `has_compilation`, the file contains a compilation of the kernel, and
    host code is not searched for more options.
    """

    layers: tuple[OptionLayer, ...] = ()
    problems: tuple[str, ...] = ()
    has_compilation: bool = False

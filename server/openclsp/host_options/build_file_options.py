"""The options of one kernel in a build file of any format."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.project.option_layers import OptionLayer


@dataclass(frozen=True, slots=True)
class BuildFileOptions:
    """The options of one kernel in a build file.

    - `layers`: the options, in ascending order of precedence.
    - `problems`: messages for the user.
    - `has_compilation`: the file contains a compilation of the kernel, so host code is not searched for
      options.
    """

    layers: tuple[OptionLayer, ...] = ()
    problems: tuple[str, ...] = ()
    has_compilation: bool = False

"""What a file beside the kernels says of one of them, whatever kind of file it is."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.workspace.configuration import Layer


@dataclass(frozen=True, slots=True)
class Told:
    """Layers of options, the weaker first; `problems` are whole lines. `complete` says that a compilation of the kernel
    was found, so that nothing else is to be guessed."""

    layers: tuple[Layer, ...] = ()
    problems: tuple[str, ...] = ()
    complete: bool = False

"""Result types of the editor features.

Positions are byte offsets; no protocol types, no references to the analysis.
"""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.rules.finding import Severity


@dataclass(frozen=True, slots=True)
class Location:
    """A range of a document as written, before preprocessing: bytes `start` to `end` (exclusive), from 0."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RelatedLocation:
    """A location related to a diagnostic, with a message."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class DiagnosticGroup:
    """The group of a diagnostic. The diagnostics of one document with the same `group` are folded into one.

    `name` is the subject of this member if the members have different ones. `names` contains the names of all
    members once they are folded.
    """

    group: str
    name: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A diagnostic at its place in the source text.

    `identity` refers to the finding in the analysis that produced it, so that its fixes can be computed.
    `group` is the group of diagnostics that are shown as one.
    """

    code: str
    severity: Severity
    message: str
    location: Location
    related: tuple[RelatedLocation, ...] = ()
    identity: object = None
    group: DiagnosticGroup | None = None


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replaces the bytes of a location by `text`. `copy_source` is the origin of the text if it is a copy."""

    location: Location
    text: str
    copy_source: CopySource | None = None


@dataclass(frozen=True, slots=True)
class CopySource:
    """The origin of a copied text.

    From byte `start` on, the text of an edit is a copy of the text at `source`, changed by `edits`.
    """

    start: int
    source: Location
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class CheckedFix:
    """A fix confirmed by re-analysis: it removes the fault and introduces none.

    It has either `edits`, or a `dialect` (`CL2.0`, `CL3.0`) that becomes the language version of the whole
    workspace.
    """

    title: str
    preferred: bool
    edits: tuple[TextEdit, ...] = ()
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class SpaceReason:
    """The origin of one level's address space.

    Level 0 is the object itself. No location if no qualifier is written.
    """

    space: str
    level: int
    reason: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One step of a chain by which an address space reaches a pointer.

    `line` is the first line of its location, from 1. `function` is the enclosing function, and `kernel`
    whether that is a kernel.
    """

    location: Location
    line: int
    function: str
    kernel: bool
    description: str


@dataclass(frozen=True, slots=True)
class FlowWitness:
    """A chain by which an address space reaches the pointer, from the object to the pointer."""

    space: Space
    steps: tuple[FlowStep, ...]


@dataclass(frozen=True, slots=True)
class FlowCaller:
    """A call that passes a value to the parameter from which a pointer comes.

    `location` is the argument, `line` its first line, from 1, and `function` the calling function. `spaces`,
    `null` and `unknown` are what the argument brings into the pointer.
    """

    location: Location
    line: int
    function: str
    kernel: bool
    spaces: tuple[Space, ...]
    null: bool
    unknown: bool


@dataclass(frozen=True, slots=True)
class PointerFlow:
    """The address spaces that a generic pointer may hold at a position.

    `declared` is its declaration with the address space of every level. `witnesses` has the shortest chain of each
    address space, or every chain if these were requested; `more_chains`: there are more than it has. `function` is the enclosing function,
    `reached_by_kernel` whether a kernel of the unit calls it directly or indirectly, and
    `callable_from_other_files` whether other files may call it. `callers` are the calls that determine it, if
    it comes from one parameter. `differs_in` is the root file of a program of the project that has other tokens in the
    function, so that the flow is not known.
    """

    name: str
    declared: str
    spaces: tuple[Space, ...]
    null: bool
    unknown: bool
    reached_by_kernel: bool
    function: str
    witnesses: tuple[FlowWitness, ...]
    callable_from_other_files: bool = False
    callers: tuple[FlowCaller, ...] = ()
    more_chains: bool = False
    differs_in: str = ""


@dataclass(frozen=True, slots=True)
class Hover:
    """The entity or expression under the cursor.

    `type` is the full declaration with the address space of every level. `flow_if_generic` is the flow that a
    pointer whose pointee is private by default would have if it were generic; None if it adds no information.
    `documentation` are the paragraphs of the documentation comment. In these and in the notes, code is
    between backticks.
    """

    location: Location
    type: str
    spaces: tuple[str, ...]
    why: tuple[SpaceReason, ...]
    dialect: str
    dialect_reason: str
    notes: tuple[str, ...] = ()
    flow: PointerFlow | None = None
    flow_if_generic: PointerFlow | None = None
    documentation: tuple[str, ...] = ()

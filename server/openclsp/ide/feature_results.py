"""Result types of the editor features.

Positions are byte offsets. The types contain no types of the protocol and no references to the analysis.
"""

from __future__ import annotations

from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.semantics.facts.entities import ItemKey


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

    `name` is the subject of this diagnostic; it is empty if the diagnostic has none. `names` contains the
    names of all members once they are folded.
    """

    group: str
    name: str = ""
    names: tuple[str, ...] = ()


class ItemFinding(NamedTuple):
    """A finding of the item `key`."""

    key: ItemKey
    finding: Finding


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A diagnostic at its location in the source text.

    - `origin`: the finding from which the diagnostic was created, from which its fixes are computed; None if no
      item has it, as for a preprocessor problem
    - `group`: diagnostics of one document with the same group are shown as one
    - `fixes`: the fixes of a diagnostic without `origin`, such as one about an ignore comment
    """

    code: str
    severity: Severity
    message: str
    location: Location
    related: tuple[RelatedLocation, ...] = ()
    origin: ItemFinding | None = None
    group: DiagnosticGroup | None = None
    fixes: tuple[CheckedFix, ...] = ()


@dataclass(frozen=True, slots=True)
class TextEdit:
    """The replacement of the bytes at a location by `text`.

    `copy_source` is None unless the text contains a copy of other text.
    """

    location: Location
    text: str
    copy_source: CopySource | None = None


@dataclass(frozen=True, slots=True)
class CopySource:
    """Describes the copied part of an edit's text.

    From byte `start` on, the text of the edit is a copy of the text at `source`, changed by `edits`.
    """

    start: int
    source: Location
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class CheckedFix:
    """A fix that re-analysis confirmed: it removes the fault and introduces none.

    The fix consists either of `edits`, or of a `dialect` (`CL2.0`, `CL3.0`) that becomes the language version
    of the whole workspace.
    """

    title: str
    preferred: bool
    edits: tuple[TextEdit, ...] = ()
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class SpaceReason:
    """The address space of one level of a type, and the reason for it.

    Level 0 is the object itself. `location` is the qualifier or declaration that determines the address
    space; None if there is none, as for a string literal.
    """

    space: str
    level: int
    reason: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One step of a chain by which the address of an object flows to a pointer.

    - `line`: the first line of the location, from 1.
    - `function`: the name of the enclosing function.
    - `kernel`: whether the enclosing function is a kernel.
    """

    location: Location
    line: int
    function: str
    kernel: bool
    description: str


@dataclass(frozen=True, slots=True)
class FlowWitness:
    """A chain of steps from an object to a pointer that may point to it.

    `space` is the address space of the object.
    """

    space: Space
    steps: tuple[FlowStep, ...]


@dataclass(frozen=True, slots=True)
class FlowCaller:
    """A call that passes an argument to the parameter from which a pointer comes.

    `location` is the argument, `line` its first line, from 1, and `function` the calling function. `kernel`
    is whether that function is a kernel. `spaces`, `null` and `unknown` describe what the argument may hold.
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

    - `declared`: the pointer's declaration with the address space of every level.
    - `witnesses`: the shortest chain of each address space, or every chain if these were requested.
    - `more_chains`: whether there are more chains than `witnesses` contains.
    - `function`: the enclosing function.
    - `reached_by_kernel`: whether a kernel of the unit calls the function directly or indirectly.
    - `callable_from_other_files`: whether other files may call the function.
    - `callers`: if the pointer comes from one parameter, the calls that pass a value to that parameter.
    - `differs_in`: the root file of another program whose version of the function has different tokens, so
      that the flow is not known; empty if there is none.
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

    - `type`: the full declaration with the address space of every level.
    - `spaces`: the address spaces of the levels; `why` contains the reason for each.
    - `flow`: the flow of a generic pointer.
    - `flow_if_generic`: for a pointer whose pointee is private by default, the flow that it would have if it
      were generic; None if this adds no information.
    - `documentation`: the paragraphs of the documentation comment. In these and in `notes`, code is between
      backticks.
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

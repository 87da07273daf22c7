"""The values that every feature answers with: places in documents, in bytes; no protocol type, no analysis inside."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.rules.finding import Severity


@dataclass(frozen=True, slots=True)
class Location:
    """Bytes `start` to `end` (exclusive, from 0) of a document, as the person wrote it."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RelatedLocation:
    """A place that a diagnostic also speaks of, and what is to be said there."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Fold:
    """What makes one of several diagnostics: those of one document with the same `group` are shown as one. `name` is what
    this member is about, where the members are about different things; `names` are those of all, once they are one."""

    group: str
    name: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A diagnostic at its written place. `identity` finds it again in the analysis that made it, for its fixes; `fold` is
    the group of diagnostics that are shown as one."""

    code: str
    severity: Severity
    message: str
    location: Location
    related: tuple[RelatedLocation, ...] = ()
    identity: object = None
    fold: Fold | None = None


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Put `text` for the bytes of the location. `copied` tells of what it is a copy, if it is one."""

    location: Location
    text: str
    copied: Copied | None = None


@dataclass(frozen=True, slots=True)
class Copied:
    """What an edit's text repeats from byte `begin` on: the text at `source`, with the edits `inner` made in it."""

    begin: int
    source: Location
    inner: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class CheckedFix:
    """A fix that was re-analysed: the fault is gone and none is new. Either `edits`, or `dialect` (`CL2.0`, `CL3.0`)
    where the whole workspace is to be checked as that language version."""

    title: str
    preferred: bool
    edits: tuple[TextEdit, ...] = ()
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """Where the space of one level comes from; level 0 is the object itself. No location where nothing is written."""

    space: str
    level: int
    reason: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One step of a chain. `line` is where its location starts, from 1. `function` is the one that it stands in, `kernel`
    whether that is a kernel."""

    location: Location
    line: int
    function: str
    kernel: bool
    what: str


@dataclass(frozen=True, slots=True)
class FlowWitness:
    """The shortest chain by which a space reaches the pointer, the object first."""

    space: Space
    steps: tuple[FlowStep, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """What a generic pointer may hold at a place. `declared` is its declaration, every level's space spelled out.
    `reached` says whether a kernel of the unit reaches `function`, in which it stands; `shared` whether other files may call
    that function."""

    name: str
    declared: str
    spaces: tuple[Space, ...]
    null: bool
    unknown: bool
    reached: bool
    function: str
    witnesses: tuple[FlowWitness, ...]
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Hover:
    """What stands under the cursor. `type` is the full declaration, every level's space spelled out. `would_hold` is what a
    pointer would hold that is private only because no space is written, if it were generic; None where that adds nothing."""

    location: Location
    type: str
    spaces: tuple[str, ...]
    why: tuple[Why, ...]
    dialect: str
    dialect_reason: str
    notes: tuple[str, ...] = ()
    flow: Flow | None = None
    would_hold: Flow | None = None

"""The union of all kinds of facts."""

from __future__ import annotations

from openclsp.semantics.facts.calls import (
    BarrierFence,
    BlockLiteral,
    Call,
    EnqueueCall,
    FormatArgument,
    InvalidArgument,
    KernelCall,
    MissingBarrier,
    RecursiveCall,
    UnresolvedCall,
)
from openclsp.semantics.facts.constructs import (
    Construct,
    LimitReached,
    SyntaxFault,
    UnavailableName,
    UnknownName,
)
from openclsp.semantics.facts.declarations import (
    Declaration,
    FunctionDeclaration,
    KernelRecord,
    Redeclaration,
    TagRedeclaration,
    TypeName,
    UnionMembers,
)
from openclsp.semantics.facts.expressions import (
    Access,
    Application,
    Conversion,
    EndianConversion,
    HalfStorage,
    NarrowStore,
    Operation,
    Reinterpretation,
    SizeOperation,
)
from openclsp.semantics.facts.faults import (
    ArrayInitialiser,
    CalledObject,
    ConstMemberWrite,
    FailedAssertion,
    InvalidAttribute,
    InvalidDeclarator,
    InvalidLiteral,
    InvalidMember,
    InvalidOperands,
    InvalidSpecifiers,
    InvalidStatement,
    NoLvalue,
    NotConstant,
    UndeclaredName,
    UnusedFunction,
    UnusedName,
    ValuelessReturn,
    VectorElements,
)
from openclsp.semantics.facts.points_to import (
    AddressSpaceTest,
    EnqueuedCapture,
    GenericCast,
    PointerStore,
    ReachedComparison,
    ReachedDeclaration,
    ReachedObject,
    ReturnedAddress,
    UnreachedPointerUse,
)

Fact = (
    Conversion
    | Operation
    | SizeOperation
    | Application
    | BlockLiteral
    | EnqueueCall
    | UnionMembers
    | Access
    | Declaration
    | FunctionDeclaration
    | KernelRecord
    | TypeName
    | Redeclaration
    | TagRedeclaration
    | Call
    | RecursiveCall
    | KernelCall
    | UnresolvedCall
    | InvalidArgument
    | Reinterpretation
    | FormatArgument
    | HalfStorage
    | NarrowStore
    | Construct
    | EndianConversion
    | SyntaxFault
    | LimitReached
    | UnknownName
    | UnavailableName
    | UndeclaredName
    | UnusedFunction
    | UnusedName
    | InvalidAttribute
    | InvalidDeclarator
    | InvalidSpecifiers
    | InvalidLiteral
    | InvalidMember
    | InvalidOperands
    | NoLvalue
    | ConstMemberWrite
    | ArrayInitialiser
    | CalledObject
    | VectorElements
    | ValuelessReturn
    | InvalidStatement
    | NotConstant
    | FailedAssertion
    | BarrierFence
    | MissingBarrier
    | GenericCast
    | AddressSpaceTest
    | ReachedComparison
    | UnreachedPointerUse
    | PointerStore
    | ReturnedAddress
    | EnqueuedCapture
    | ReachedDeclaration
    | ReachedObject
)

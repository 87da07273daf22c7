"""Checks the arguments that host code passes to kernels against the parameters of the kernels.

Nothing is reported that depends on an unknown argument or parameter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from openclsp.host_code.kernel_calls.kernel_uses import (
    ArgumentList,
    ArgumentSet,
    HostSpan,
    KernelLaunch,
    KernelUses,
    ListForm,
    NamedKernel,
    PassedKind,
    PassedValue,
)
from openclsp.ide.feature_results import Diagnostic, Location, RelatedLocation
from openclsp.ide.host_contract.kernel_signature import KernelParameter, KernelSignature, ParameterKind
from openclsp.rules.finding import Severity
from openclsp.source.document import DocumentName

ARGUMENT_COUNT: Final = "host-argument-count"
ARGUMENT_KIND: Final = "host-argument-kind"
ARGUMENT_SIZE: Final = "host-argument-size"
ARGUMENT_TYPE: Final = "host-argument-type"
ARGUMENT_UNSET: Final = "host-argument-unset"
WORK_GROUP_SIZE: Final = "host-work-group-size"
KERNEL_NAME: Final = "host-kernel-name"

_HANDLES: Final = frozenset(
    (PassedKind.BUFFER, PassedKind.IMAGE, PassedKind.MEMORY, PassedKind.SAMPLER, PassedKind.SHARED)
)
_HANDLE_SIZE: Final = 8
_ACCEPTED: Final = {
    ParameterKind.BUFFER: frozenset(
        (PassedKind.BUFFER, PassedKind.MEMORY, PassedKind.SHARED, PassedKind.NULL)
    ),
    ParameterKind.LOCAL: frozenset((PassedKind.LOCAL, PassedKind.NULL)),
    ParameterKind.IMAGE: frozenset((PassedKind.IMAGE, PassedKind.MEMORY, PassedKind.NULL)),
    ParameterKind.SAMPLER: frozenset((PassedKind.SAMPLER, PassedKind.NULL)),
    ParameterKind.VALUE: frozenset((PassedKind.VALUE,)),
}
_EXPECTED: Final = {
    ParameterKind.BUFFER: "takes a buffer",
    ParameterKind.LOCAL: "takes a number of bytes and no value",
    ParameterKind.IMAGE: "takes an image",
    ParameterKind.SAMPLER: "takes a sampler",
    ParameterKind.VALUE: "is passed by value",
}

FindSignature = Callable[[str], "KernelSignature | None"]
"""Returns the signature of the kernel with a name; None if it is not known"""
FindNearNames = Callable[[str], "tuple[str, ...]"]
"""Returns the kernels for which a name may be a misspelling; empty if a kernel may have the name"""


def check_contract(
    host: DocumentName, uses: KernelUses, signature: FindSignature, near: FindNearNames
) -> list[Diagnostic]:
    """Computes the diagnostics of a host file, in the order of the file.

    `signature` returns the signature of a kernel. `near` returns the names of kernels for which a name may be
    a misspelling.
    """
    return sorted(_Check(host, uses, signature, near).diagnostics(), key=_place)


class _Check:
    def __init__(
        self, host: DocumentName, uses: KernelUses, signature: FindSignature, near: FindNearNames
    ) -> None:
        self._host, self._uses, self._signature, self._near = host, uses, signature, near
        self._misnumbered: set[tuple[NamedKernel, int]] = set()
        """Arguments that are certainly set by mistake: another argument was meant."""
        self._converted = {
            each.kernel.name
            for each in uses.uses
            if isinstance(each, ArgumentList) and each.form is ListForm.NUMBER_TYPES
        }

    def diagnostics(self) -> Iterator[Diagnostic]:
        unset = tuple(self._unset_arguments())
        for use in self._uses.uses:
            signature = self._signature(use.kernel.name)
            if signature is None:
                continue
            if isinstance(use, ArgumentSet):
                yield from self._argument(use, signature)
            elif isinstance(use, ArgumentList):
                yield from self._arguments(use, signature)
            else:
                yield from self._launch(use, signature)
        yield from unset
        yield from self._unknown_names()

    def _argument(self, use: ArgumentSet, signature: KernelSignature) -> Iterator[Diagnostic]:
        parameters = signature.parameters
        if parameters is None or use.index is None:
            return
        if not 0 <= use.index < len(parameters):
            message = (
                f"there is no argument {use.index} of kernel `{signature.name}`: "
                f"it has {_counted(len(parameters), 'parameter')}, numbered from 0"
            )
            yield self._error(ARGUMENT_COUNT, message, use.index_span, _related_kernel(signature))
            return
        is_mistaken = (use.kernel, use.index) in self._misnumbered
        for each in self._value(signature, use.index, parameters[use.index], use.value, use.value_span):
            # The value is meant for another parameter, whose type may be right.
            if not is_mistaken or each.severity is Severity.ERROR:
                yield each

    def _arguments(self, use: ArgumentList, signature: KernelSignature) -> Iterator[Diagnostic]:
        parameters = signature.parameters
        if parameters is None:
            return
        given = len(use.arguments)
        if given > len(parameters) or (use.is_whole and given != len(parameters)):
            noun = "type" if use.form in (ListForm.NUMBER_TYPES, ListForm.FUNCTOR) else "argument"
            message = (
                f"{_counted(given, noun)} for kernel `{signature.name}`, "
                f"which has {_counted(len(parameters), 'parameter')}"
            )
            yield self._error(ARGUMENT_COUNT, message, use.span, _related_kernel(signature))
            return
        for index, each in enumerate(use.arguments):
            yield from self._value(signature, index, parameters[index], each.value, each.span)

    def _value(
        self,
        signature: KernelSignature,
        index: int,
        parameter: KernelParameter,
        value: PassedValue,
        span: HostSpan,
    ) -> Iterator[Diagnostic]:
        """Yields the faults of one argument."""
        if parameter.kind is ParameterKind.UNKNOWN or value.kind is PassedKind.UNKNOWN:
            return
        where = f"argument {index} of kernel `{signature.name}`"
        related = (RelatedLocation(parameter.location, f"the parameter is `{parameter.declaration}`"),)
        if value.kind not in _ACCEPTED[parameter.kind]:
            if not _is_certain(parameter, value):
                return
            message = f"cannot pass {_described(value)} as {where}: `{parameter.declaration}` {_EXPECTED[parameter.kind]}"
            yield self._error(ARGUMENT_KIND, message, span, related)
        elif value.kind in _HANDLES and value.size not in (None, _HANDLE_SIZE):
            message = (
                f"{_counted(value.size or 0, 'byte')} for {where}: {value.kind.value} has the size of its handle; "
                f"give `sizeof({value.type_name})`"
            )
            yield self._error(ARGUMENT_SIZE, message, span, related)
        elif value.kind is PassedKind.VALUE and signature.name not in self._converted:
            yield from self._number(where, parameter, value, span, related)

    def _number(
        self,
        where: str,
        parameter: KernelParameter,
        value: PassedValue,
        span: HostSpan,
        related: tuple[RelatedLocation, ...],
    ) -> Iterator[Diagnostic]:
        if value.size is None or parameter.size is None:
            return
        if value.may_be_array and parameter.is_float is None and parameter.size % value.size == 0:
            # The parameter is a vector or structure, and the host may pass an array of its elements.
            return
        if value.size != parameter.size:
            of = f" of `{value.type_name}`" if value.type_name else ""
            message = (
                f"{_counted(value.size, 'byte')}{of} for {where}: "
                f"`{parameter.declaration}` has {_counted(parameter.size, 'byte')}"
            )
            yield self._error(ARGUMENT_SIZE, message, span, related)
        elif None not in (value.is_float, parameter.is_float) and value.is_float is not parameter.is_float:
            number = "a floating-point number" if value.is_float else "an integer"
            of = f" `{value.type_name}`" if value.type_name else ""
            message = (
                f"the bytes of {number}{of} are passed as {where}, `{parameter.declaration}`: "
                "they are not converted"
            )
            yield self._warning(ARGUMENT_TYPE, message, span, related)

    def _launch(self, use: KernelLaunch, signature: KernelSignature) -> Iterator[Diagnostic]:
        required = signature.work_group
        if not required or not use.work_group or len(use.work_group) > len(required):
            return
        given = (*use.work_group, *(1 for _ in required[len(use.work_group) :]))
        if any(one is not None and one != other for one, other in zip(given, required, strict=True)):
            shown = " x ".join("?" if each is None else str(each) for each in use.work_group)
            message = (
                f"work-groups of {shown} for kernel `{signature.name}`: "
                f"it is compiled for {' x '.join(map(str, required))} by `reqd_work_group_size`"
            )
            yield self._error(WORK_GROUP_SIZE, message, use.work_group_span, _related_kernel(signature))

    def _unset_arguments(self) -> Iterator[Diagnostic]:
        objects: dict[NamedKernel, list[ArgumentSet | KernelLaunch]] = defaultdict(list)
        listed = set()
        for use in self._uses.uses:
            if isinstance(use, ArgumentList):
                listed.add(use.kernel.name)
            else:
                objects[use.kernel].append(use)
        known = sum(isinstance(each, ArgumentSet) for each in self._uses.uses)
        for kernel, uses in objects.items():
            signature = self._signature(kernel.name)
            if signature is None or signature.parameters is None or kernel.name in listed:
                continue
            if known < self._uses.argument_calls and any("[" in each.holder for each in uses):
                # `clSetKernelArg(kernels[i], …)` may be for this element.
                continue
            indices = {each.index for each in uses if isinstance(each, ArgumentSet)}
            everywhere = self._indices_of(kernel.name)
            if None in everywhere or not indices:
                continue
            missing = [number for number in range(len(signature.parameters)) if number not in indices]
            if not missing:
                continue
            twice = _set_twice(uses)
            closed = {each.holder for each in uses} <= self._uses.closed_holders
            launch = next((each for each in uses if isinstance(each, KernelLaunch)), None)
            if closed and launch is None:
                continue
            if twice is not None and not everywhere.issuperset(missing):
                first = f"argument {twice.index} is set twice, and "
                if twice.index is not None:
                    self._misnumbered.add((kernel, twice.index))
                yield self._unset(signature, missing, twice.index_span, first)
            elif closed and launch is not None:
                span = HostSpan(launch.span.start, launch.work_group_span.end)
                yield self._unset(signature, missing, span, "")

    def _indices_of(self, name: str) -> set[int | None]:
        """Returns the indices of the arguments that the file sets for kernels with this name.

        An index is None if it is unknown.
        """
        return {
            each.index
            for each in self._uses.uses
            if isinstance(each, ArgumentSet) and each.kernel.name == name
        }

    def _unset(
        self, signature: KernelSignature, missing: list[int], span: HostSpan, first: str
    ) -> Diagnostic:
        parameters = signature.parameters or ()
        names = ", ".join(f"{each} (`{parameters[each].declaration}`)" for each in missing[:3])
        names += ", …" if len(missing) > 3 else ""
        noun = "argument" if len(missing) == 1 else "arguments"
        message = f"{first}{noun} {names} of kernel `{signature.name}` {'is' if len(missing) == 1 else 'are'} never set"
        related = tuple(
            RelatedLocation(parameters[each].location, f"argument {each} is declared here")
            for each in missing[:3]
        )
        return self._warning(ARGUMENT_UNSET, message, span, related)

    def _unknown_names(self) -> Iterator[Diagnostic]:
        for kernel in self._uses.mentions:
            if self._signature(kernel.name) is not None:
                continue
            near = self._near(kernel.name)
            if near:
                message = f"there is no kernel `{kernel.name}` in the program; did you mean `{near[0]}`?"
                signature = self._signature(near[0])
                related = () if signature is None else _related_kernel(signature)
                yield self._warning(KERNEL_NAME, message, kernel.span, related)

    def _error(
        self, code: str, message: str, span: HostSpan, related: tuple[RelatedLocation, ...]
    ) -> Diagnostic:
        return Diagnostic(code, Severity.ERROR, message, Location(self._host, *span), related)

    def _warning(
        self, code: str, message: str, span: HostSpan, related: tuple[RelatedLocation, ...]
    ) -> Diagnostic:
        return Diagnostic(code, Severity.WARNING, message, Location(self._host, *span), related)


def _set_twice(uses: list[ArgumentSet | KernelLaunch]) -> ArgumentSet | None:
    """Finds the first call that sets an argument again in the same branch, before the kernel is enqueued.

    None if there is no such call.
    """
    seen: dict[tuple[int, str, object], ArgumentSet] = {}
    for use in uses:
        if isinstance(use, KernelLaunch):
            seen.clear()
        elif use.index is not None:
            key = use.index, use.holder, use.scope
            if key in seen:
                return use
            seen[key] = use
    return None


def _is_certain(parameter: KernelParameter, value: PassedValue) -> bool:
    """Whether an argument whose kind differs from that of its parameter is certainly wrong.

    An argument of an unknown type may be a handle, and therefore correct, if it has the size of a handle.
    """
    if value.kind is PassedKind.LOCAL:
        # A null pointer is never a value; its size may be that of a handle.
        return bool(value.type_name) or parameter.kind is ParameterKind.VALUE
    if (
        value.kind is PassedKind.NULL
        or value.type_name
        or value.kind in (PassedKind.BUFFER, PassedKind.IMAGE)
    ):
        return True
    if value.kind is PassedKind.VALUE:
        return parameter.kind is not ParameterKind.LOCAL and value.size not in (None, _HANDLE_SIZE)
    if value.kind is PassedKind.SHARED:
        return True
    return parameter.kind is ParameterKind.VALUE and parameter.size not in (None, _HANDLE_SIZE)


def _described(value: PassedValue) -> str:
    if value.kind is not PassedKind.VALUE:
        return str(value.kind.value)
    if value.type_name == "number":
        return "a number"
    if value.type_name:
        return f"a value of type `{value.type_name}`"
    return f"a value of {_counted(value.size or 0, 'byte')}"


def _related_kernel(signature: KernelSignature) -> tuple[RelatedLocation, ...]:
    return (RelatedLocation(signature.location, f"kernel `{signature.name}` is defined here"),)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _place(diagnostic: Diagnostic) -> tuple[int, int, str]:
    return diagnostic.location.start, diagnostic.location.end, diagnostic.code

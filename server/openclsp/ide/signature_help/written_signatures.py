"""Signatures as text, with the range and the documentation of each parameter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from openclsp.dataclass import dataclass
from openclsp.ide.doc_comments import DocComment
from openclsp.language.builtin_functions import builtin_function, is_unchecked
from openclsp.language.builtin_functions.parameter_names import builtin_parameters, untyped_parameters
from openclsp.language.dialect import Dialect
from openclsp.semantics.types.type_model import Function, spell
from openclsp.source.macros import Macro


@dataclass(frozen=True, slots=True)
class SignatureParameter:
    """A parameter: its range in the label, in characters from 0, and its documentation."""

    start: int
    end: int
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class CallSignature:
    """A signature as shown in the editor. In `documentation`, code is between backticks.

    `is_variadic` is whether the last parameter takes all further arguments.
    """

    label: str
    parameters: tuple[SignatureParameter, ...]
    documentation: str = ""
    is_variadic: bool = False


def write_signature(
    head: str,
    parameters: Sequence[tuple[str, str]],
    documentation: str,
    *,
    is_variadic: bool = False,
) -> CallSignature:
    """Builds the signature with the label `head(parameter, …)` from its parts.

    `parameters` contains the text and the documentation of each parameter.
    """
    label = f"{head}("
    found = []
    for number, (text, about) in enumerate(parameters):
        label += ", " if number else ""
        found.append(SignatureParameter(len(label), len(label) + len(text), about))
        label += text
    return CallSignature(f"{label})", tuple(found), documentation, is_variadic)


def function_signature(
    name: str, type_: Function, names: Sequence[str], comment: DocComment | None
) -> CallSignature:
    """Creates the signature of a function of the program, with documentation from its comment."""
    parameters = [
        (spell(each, names[number] if number < len(names) else ""), "")
        for number, each in enumerate(type_.parameters)
    ]
    if comment is not None:
        parameters = [
            (text, comment.parameter(names[number]) if number < len(names) else "")
            for number, (text, _) in enumerate(parameters)
        ]
    if type_.variadic:
        parameters.append(("...", ""))
    about = describe_comment(comment)
    return write_signature(spell(type_.result, name), parameters, about, is_variadic=type_.variadic)


def describe_comment(comment: DocComment | None) -> str:
    """Returns the summary of a comment and its description of the result."""
    if comment is None:
        return ""
    result = f"Returns: {comment.returns}" if comment.returns else ""
    return "\n\n".join(each for each in (comment.summary, result) if each)


@lru_cache(maxsize=1024)
def builtin_signature(name: str, type_: Function, about: str) -> CallSignature:
    """Creates the signature of one overload of a built-in function.

    The parameter names are those of the specification. `about` is the description of the function.
    """
    spelled = tuple(spell(each) for each in type_.parameters)
    named = builtin_parameters(name, spelled)
    parameters = [
        (spell(each, parameter.name), parameter.meaning)
        for each, parameter in zip(type_.parameters, named, strict=True)
    ]
    if type_.variadic:
        parameters.append(("...", ""))
    return write_signature(spell(type_.result, name), parameters, about, is_variadic=type_.variadic)


def untyped_signatures(name: str, dialect: Dialect, about: str) -> list[CallSignature]:
    """Creates the signatures of a built-in function that has no fixed parameter types, such as `printf`.

    `about` is the description of the function. The list is empty if `name` is not such a function.
    """
    found = builtin_function(name, dialect)
    if found is None or not is_unchecked(name):
        return []
    result = "" if found[0].result == "unknown" else f"{found[0].result} "
    variadic = name == "enqueue_kernel"
    return [
        write_signature(
            f"{result}{name}",
            [*((each.name, each.meaning) for each in parameters), *((("...", ""),) if variadic else ())],
            about,
            is_variadic=variadic,
        )
        for parameters in untyped_parameters(name)
    ]


def macro_signature(macro: Macro, comment: DocComment | None) -> CallSignature:
    """Creates the signature of a function-like macro, with documentation from its comment."""
    names = [each.decode("utf-8", "replace") for each in macro.parameters or ()]
    if macro.variadic and names:
        last = names[-1]
        names[-1] = "..." if last == "__VA_ARGS__" else f"{last}..."
    about = [
        (name, (comment.parameter(name.removesuffix("...") or "...") if comment is not None else ""))
        for name in names
    ]
    head = macro.name.decode("utf-8", "replace")
    return write_signature(head, about, describe_comment(comment), is_variadic=macro.variadic)

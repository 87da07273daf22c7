"""Intended differences from clang, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deviation:
    """An intended difference, for programs that `program` matches, on lines whose message `message` matches.

    `clang` is True if only clang reports an error, False if only openclsp does. `text` is the text of the specification
    that openclsp follows; if it is empty, the page about clang counts the difference as a fault or as out of scope.
    """

    reason: str
    program: re.Pattern[str]
    message: re.Pattern[str]
    clang: bool = True
    text: str = ""


DEVIATIONS = (
    Deviation(
        "a compound literal in a function is a private object (OpenCL C 6.7.8); clang gives it no address space",
        re.compile(r"\((private )?(int|struct T)(\[\])?\)\s*\{"),
        re.compile(r"'(const )?int \*'.*changes address space|to parameter of type '__private struct T \*'"),
        text="OpenCL C 6.7.8: a variable in a function without a space is private; C99 6.5.2.5p6",
    ),
    Deviation(
        "the result of `?:` with a `void` pointer and a pointer into another space: clang gives it an address space"
        " that combines the bits of both",
        re.compile(
            r"void \*b\)\{ .* = n \? a : b; \}|\? .*\((global|local|constant|private) void \*\)0"
            r"|\(n \? (NULL|0|\(void \*\)0) : (NULL|0|\(void \*\)0)\)"
        ),
        re.compile(r"\[pointer-(operands|conversion)\].*void \*`.*(operands of one `\?:`|cannot initialise)"),
        clang=False,
        text="OpenCL C, clause 6.5.15: disjoint spaces are a compile-time error; spaces that overlap give the enclosing one",
    ),
    Deviation(
        "clang's parser does not accept an address space keyword after a struct or enum definition",
        re.compile(r"\} ((private|constant|global|local|generic) )+(x|T)\b"),
        re.compile(r"expected ';' after (struct|enum)"),
        text="C99 6.7p1: declaration specifiers stand in any order",
    ),
    Deviation(
        "clang ignores `generic` after a `*` if there is no generic address space",
        re.compile(r"\*\s*generic "),
        re.compile(r"\[generic-qualifier\]"),
        clang=False,
        text="OpenCL C 6.1.9: `generic` is reserved in every version",
    ),
    Deviation(
        "clang accepts a write to a component of a vector in `constant` memory through `->`",
        re.compile(r"float4 \*x\)\{ x->x = 1"),
        re.compile(r"\[write-to-constant\]"),
        clang=False,
        text="OpenCL C 6.7.7: a const-qualified object is not modifiable; C99 6.5.2.3p4",
    ),
    Deviation(
        "clang does not check the members of an anonymous structure whose declaration it rejected",
        re.compile(r"struct \{ .*x; \}; \};\n.*kernel void f\("),
        re.compile(r"\[(kernel-argument-type|half-storage)\]"),
        clang=False,
        text="OpenCL C 6.11: restrictions k and n hold for structures with such members",
    ),
    Deviation(
        "clang checks a pipe's access qualifier and packets on the parameter only, not on a typedef",
        re.compile(r"typedef (write_only )?pipe int T;"),
        re.compile(r"invalid pipe access modifier|to function 'read_pipe' \(expecting 'T \*'"),
        text="C99 6.7.7p3: a typedef names the type itself; OpenCL C 6.8",
    ),
    Deviation(
        "clang accepts members that are pipes",
        re.compile(r"\bpipe\b"),
        re.compile(r"\[opaque-type-use\].*`pipe .* cannot be the type of a member"),
        clang=False,
        text="OpenCL C 2.0, 6.13.16: the pipe qualifier cannot be used with a structure or union field",
    ),
    Deviation(
        "clang discards a typedef of a pipe if there are no pipes, and reports its uses as unknown names",
        re.compile(r"typedef pipe int T;"),
        re.compile(r"unknown type name 'T'"),
        text="C99 6.7.7p3: a typedef names the type itself",
    ),
    Deviation(
        "labels and jumps inside blocks",
        re.compile(r"\^\{"),
        re.compile(r"use of undeclared label|statement not in"),
    ),
    Deviation(
        "a reinterpretation of `ndrange_t`, whose size the compilers' headers determine",
        re.compile(r"\bndrange_t\b"),
        re.compile(r"invalid reinterpretation"),
    ),
    Deviation(
        "a fault of plain C that does not involve an address space",
        re.compile(
            r"\A(?!.*(\(\^|\^\{|\b(image\w+_t|sampler_t|event_t|clk_event_t|queue_t|reserve_id_t|ndrange_t|pipe)\b))",
            re.DOTALL,
        ),
        re.compile(
            r"invalid operands to binary|invalid argument type .* to unary|incomplete (element )?type|is not assignable"
            r"|address of an rvalue|no member named|member reference|cannot increment"
            r"|illegal vector component|vector component access|subscript|indirection requires|arithmetic on a pointer"
            r"|statement not in|statement requires|label|case value|called object type|unknown type name"
            r"|non-void function .* should return|array (type|designator|with a negative)|size of array|explicit size"
            r"|field designator|between vector types|vector init|static assertion|duplicate member|enumerator"
            r"|as different kind of symbol|does not match previous|cannot be signed|definition is not allowed here"
            r"|thread-local|array initializer must be|storage class( specifier)?$|cannot combine with previous|specifier missing|redefinition of parameter"
            r"|argument may not have 'void'|must be the first and only|octal constant|array of functions|void type"
            r"|used type .* where arithmetic or pointer type is required"
            r"|follows (non-)?static declaration|requires an explicit|definition of type|never completed"
        ),
    ),
    Deviation(
        "`half`, except for pointers to it",
        re.compile(r"\bhalf\b"),
        re.compile(
            r"type '__(private|global) half'|pointer to type 'half'|type of a kernel parameter|half precision constant"
        ),
    ),
    Deviation(
        "a declaration that declares nothing is reported as an error",
        re.compile(r"^(const int|static);"),
        re.compile(r"\[syntax-error\]"),
        clang=False,
        text="C99 6.7p2: a declaration declares a declarator, a tag or enumerators",
    ),
    Deviation(
        "a tag is not compared with its earlier definition",
        re.compile(r"(struct T|enum E) .*\n(struct T|enum E) "),
        re.compile(r"redefinition of '[TE]'"),
    ),
    Deviation(
        "a declaration in a function is not compared with those at program scope, nor are functions compared with built-in functions",
        re.compile(r"extern constant float x|int printf\("),
        re.compile(r"with a different type|conflicting types"),
    ),
    Deviation(
        "a declaration as the statement after `if` is not rejected",
        re.compile(r"if \(1\) int x;"),
        re.compile(r"expected expression"),
    ),
    Deviation(
        "the declaration of an object of type void",
        re.compile(r"^void x;"),
        re.compile(r"program scope variable must reside"),
    ),
    Deviation(
        "a keyword of OpenCL C that names no address space, used as an identifier",
        re.compile(r"\b(kernel|read_only|generic|__generic)\b"),
        re.compile(
            r"expected identifier|anonymous struct|applies to functions|pipe and image type|'(__)?generic' type"
        ),
    ),
    Deviation(
        "the use of a name that is not declared: the name may be a built-in function's or come from the host",
        re.compile(r""),
        re.compile(r"use of undeclared identifier '\w+'|call to undeclared function"),
    ),
)


CLANG_TEST_DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        "a program's own `ndrange_t` is a different type from that of the built-in functions",
        re.compile(r"ndrange_t r = ndrange_2D"),
        re.compile(r"\[opaque-conversion\]"),
        clang=False,
        text="C99 6.7.2.3p5: a structure without a tag is a type of its own",
    ),
    Deviation(
        "a function whose parameter of type `half` was rejected counts as defined",
        re.compile(r"half_arg\(half x\) \{ \}"),
        re.compile(r"\[conflicting-redeclaration\]"),
        clang=False,
        text="C99 6.9p3: a function has one definition",
    ),
    Deviation(
        "the functions of particular GPUs (`__builtin_amdgcn_…`) are not known, so their calls are not checked",
        re.compile(r"__builtin_"),
        re.compile(r"changes address space"),
    ),
    Deviation(
        "the extensions are those of the version, whatever `-triple` names",
        re.compile(r"^(amdgcn|nvptx|r600)\.languageOptsOpenCL\.cl:"),
        re.compile(r"\[error-directive\]"),
        clang=False,
    ),
    Deviation(
        "clang's extensions for function pointers and storage classes have no rules of their own",
        re.compile(r"^(func\.cl:foo\(|opencl-storage-class\.cl:)"),
        re.compile(r"changes address space of pointer|variable must reside in constant"),
    ),
)
"""The same for clang's own tests, where `program` is searched for in the file's name, a colon, and the line."""


def explained(program: str, message: str, by_clang: bool) -> str | None:
    """Returns the reason why only one side may report this error; None if there is none."""
    return _reason(DEVIATIONS, program, message, by_clang)


def explained_in_clang_test(file: str, line: str, message: str, by_clang: bool) -> str | None:
    """Returns the reason why only one side may report an error on this line of one of clang's tests; None without one."""
    return _reason(CLANG_TEST_DEVIATIONS, f"{file}:{line}", message, by_clang)


def _reason(deviations: Sequence[Deviation], where: str, message: str, by_clang: bool) -> str | None:
    for deviation in deviations:
        if (
            deviation.clang == by_clang
            and deviation.program.search(where)
            and deviation.message.search(message)
        ):
            return deviation.reason
    return None

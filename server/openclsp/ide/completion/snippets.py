"""Snippets: a kernel, loops over a range, and a tile in local memory with its barrier."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.ide.completion.completion_list import CompletionCandidate
from openclsp.ide.completion.predefined_names import NameKind

_PROGRAM = (
    (
        "kernel function",
        "a kernel over a one-dimensional range",
        """\
kernel void ${1:name}(global const ${2:float} *${3:input}, global $2 *${4:output}, const uint ${5:count}) {
    const size_t ${6:index} = get_global_id(0);
    if ($6 >= $5) {
        return;
    }
    $4[$6] = $3[$6];$0
}""",
    ),
)
_BODY = (
    (
        "for range",
        "a loop over a range",
        "for (${1:int} ${2:i} = ${3:0}; $2 < ${4:count}; ++$2) {\n    $0\n}",
    ),
    (
        "for grid stride",
        "a loop over a range that the work-items of all work-groups share",
        "for (size_t ${1:i} = get_global_id(0); $1 < ${2:count}; $1 += get_global_size(0)) {\n    $0\n}",
    ),
    (
        "local tile",
        "a tile of a buffer, copied to local memory by the work-group",
        """\
local ${1:float} ${2:tile}[${3:64}];
$2[get_local_id(0)] = ${4:input}[get_global_id(0)];
barrier(CLK_LOCAL_MEM_FENCE);
$0""",
    ),
)


def snippet_candidates(*, in_body: bool) -> Iterator[CompletionCandidate]:
    """Yields the snippets for a statement if `in_body`, otherwise those for program scope.

    The label of a snippet begins with its keyword, so that typing the keyword finds the snippet.
    """
    for name, about, text in _BODY if in_body else _PROGRAM:
        yield CompletionCandidate(name, NameKind.SNIPPET, about, insertion=text, score=0.4)

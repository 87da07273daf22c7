"""Orders the inputs of a run so that files with the same headers are checked one after another.

The analysed unit of a file is reused for the next file (`reusable_units`): only the differences between the
two files are analysed. In the order of their names, files with different includes often alternate: `a0.cl`,
`a0-fast.cl`, `a1.cl`, …
"""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.cli.inputs import CheckInput
from openclsp.source.header_directives import header_directives


def order_by_headers(inputs: Sequence[CheckInput]) -> list[int]:
    """Returns the indices of the inputs in the order in which they are to be checked.

    The sort key of an input is the directives up to its last include (`header_directives`). The sort is
    stable.
    """
    keys = [header_directives(each.document.text.data) for each in inputs]
    return sorted(range(len(inputs)), key=keys.__getitem__)

"""Every fix offered for a kernel of the rule pages has the properties that any fix must have."""

from __future__ import annotations

import pytest
from openclsp.semantics.translation_unit import TranslationUnit

from ..dialects import DIALECTS, tried_dialects
from ..rules.analysis import analyse
from ..rules.marked_page import marked_pages, strip_marks
from .applied_fixes import tried_fixes


def again(data: bytes, dialect: str) -> TranslationUnit:
    return analyse(data.decode(), dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_fix_of_every_page_is_one(dialect: str) -> None:
    count = 0
    wrong: list[str] = []
    for page in marked_pages():
        for block in page.blocks:
            if dialect not in tried_dialects(block.dialects, block.line):
                continue
            for each in tried_fixes(analyse(strip_marks(block.text), dialect), again):
                count += 1
                wrong += [
                    f"{page.code}: {each.fix.title}: {fault}\n{each.after.decode()}" for fault in each.wrong
                ]
    assert count > 70
    assert not wrong, f"{len(wrong)} of {count}\n" + "\n".join(wrong)

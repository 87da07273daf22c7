"""Preprocesses a document: `full` from its text alone, `update` by reusing the result before an edit.

Both give the same result (`tests/test_reuse_contracts.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.code_extraction import code_after
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache, root_key
from openclsp.source.incremental_preprocessing import (
    EditedDocument,
    PreprocessingUpdate,
    expanded_edits,
    preprocess_incrementally,
)
from openclsp.source.options import ForcedInclude, Loader, PreprocessorOptions
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessing_run import Session
from openclsp.source.preprocessor import UnitRun, preprocess_balanced
from openclsp.source.text import Edit, edit_between


def full(
    document: Document,
    options: PreprocessorOptions,
    loader: Loader,
    cache: IncludeCache | None = None,
    forced: Sequence[ForcedInclude] = (),
    checkpoint: Checkpoint = no_checkpoint,
) -> Preprocessed:
    """Returns the expanded text of `document` with its source map.

    It raises no exception, whatever the text is, but `checkpoint` may raise one. Results of included
    documents are taken from `cache` and added to it. The documents `forced` are included before the first
    line, as by the option `-include`.
    """
    results = IncludeCache() if cache is None else cache
    key = root_key(document, options, forced)
    if (known := results.find_root(key, loader)) is not None:
        return known

    def begin(session: Session) -> UnitRun:
        return UnitRun(document, session, results, forced)

    run, unit = preprocess_balanced(document, options, loader, begin, checkpoint)
    # a result of a second run also depends on what the first run loaded, which is not known here
    if not run.session.joins_unbalanced:
        results.add_root(key, tuple(run.loads), unit)
    return unit


def update(
    previous: Preprocessed,
    document: Document,
    edit: Edit | None,
    options: PreprocessorOptions,
    loader: Loader,
    cache: IncludeCache,
    forced: Sequence[ForcedInclude] = (),
    *,
    headers_changed: bool = False,
) -> PreprocessingUpdate:
    """Preprocesses `document`, which is `previous.document` after `edit`; the result equals that of `full`.

    `edit` is None if the text is unchanged. The options must be those of `previous`. Unless
    `headers_changed`, the loader must return the same documents as for `previous`.
    """
    before = previous.code
    code = before if edit is None else code_after(before, previous.document.text, edit, document.text)
    # a raw string or template began or ceased to be one: nearly every row may differ
    if code.plain is before.plain:
        if edit is None or not code.plain:
            edit = edit_between(before.text, code.text)
        wanted = EditedDocument(document, code, options, loader, cache, forced)
        found = preprocess_incrementally(previous, wanted, edit, headers_changed)
        if found is not None:
            return found
    result = full(document, options, loader, cache, forced)
    old, new = previous.text, result.text
    return PreprocessingUpdate(result, expanded_edits(old, new, 0, len(old), len(new)), False)

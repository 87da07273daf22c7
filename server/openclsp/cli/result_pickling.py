"""Pickles results, to transfer them between the processes of a run.

Instances of compiled data classes cannot be pickled directly. They are pickled as their class and fields.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from openclsp.source.text import Text


def pickle_result(value: object) -> bytes:
    """Encodes a value made of data classes, enumerations and built-in types."""
    stream = io.BytesIO()
    _ResultPickler(stream, pickle.HIGHEST_PROTOCOL).dump(value)
    return stream.getvalue()


def unpickle_result(data: bytes) -> Any:
    """Decodes a value that another process of this run has encoded."""
    return pickle.loads(data)


class _ResultPickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Returns how to rebuild a Text or an instance of a data class; NotImplemented for other values."""
        if isinstance(value, Text):
            return _shared_text, (value.data,)
        fields = getattr(value, "__match_args__", None)
        if isinstance(value, type) or not fields:
            return NotImplemented
        return _rebuild, (type(value), tuple(getattr(value, each) for each in fields))


def _rebuild(cls: Callable[..., object], values: tuple[object, ...]) -> object:
    return cls(*values)


@lru_cache(maxsize=256)
def _shared_text(data: bytes) -> Text:
    """Returns a text with the bytes `data`. Equal bytes, such as those of a header, give the same object."""
    return Text.of(data)

"""Names of the documents that programs in host files are: the host file's name and a number."""

from __future__ import annotations

import os.path
import re
from typing import Final

from openclsp.host_code.host_language import host_language_of_file
from openclsp.source.document import DocumentName

_PROGRAM_NAME: Final = re.compile(r"(?P<host>.+)#(?P<number>[0-9]{1,6})\.cl\Z", re.DOTALL)


def program_name(host: DocumentName, index: int) -> DocumentName:
    """Returns the name of a program's document: no file has it, and its folder is that of the host file."""
    return f"{host}#{index + 1}.cl"


def host_of_program(name: DocumentName) -> tuple[DocumentName, int] | None:
    """Returns the host file and the index of a program's document; None for other documents."""
    match = _PROGRAM_NAME.match(name)
    if match is None or host_language_of_file(os.path.basename(match["host"])) is None:
        return None
    return match["host"], int(match["number"]) - 1

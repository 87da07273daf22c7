"""Document names of the programs in host files: the name of the host file, a number and `.cl`."""

from __future__ import annotations

import os.path
import re
from typing import Final

from openclsp.host_code.host_language import host_language_of_file
from openclsp.source.document import DocumentName

_PROGRAM_NAME: Final = re.compile(r"(?P<host>.+)#(?P<number>[0-9]{1,6})\.cl\Z", re.DOTALL)


def program_name(host: DocumentName, index: int) -> DocumentName:
    """Returns the name of a program's document.

    No file has this name. The folder in the name is the host file's folder.
    """
    return f"{host}#{index + 1}.cl"


def host_of_program(name: DocumentName) -> tuple[DocumentName, int] | None:
    """Returns the host file's name and the program's index; None if `name` is not that of a program."""
    match = _PROGRAM_NAME.match(name)
    if match is None or host_language_of_file(os.path.basename(match["host"])) is None:
        return None
    return match["host"], int(match["number"]) - 1

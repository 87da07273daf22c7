"""Entry point of `python -m openclsp`, equivalent to the `openclsp` command."""

from __future__ import annotations

import sys

from openclsp.cli import main

sys.exit(main())

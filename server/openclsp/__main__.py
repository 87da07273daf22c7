"""`python -m openclsp` is `openclsp`."""

from __future__ import annotations

import sys

from openclsp.cli import main

sys.exit(main())

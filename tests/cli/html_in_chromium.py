"""Opens an HTML report, which has no scripts, in Chromium without a network.

    python -m tests.cli.html_in_chromium FOLDER [--picture FILE.png] [--of NAME] [--chromium PROGRAM]
        [check's options…]

Writes the report of the kernels in FOLDER to a temporary folder, and prints its size and the time. The index and the
largest page must show the text that they contain, and request no other address than their own file.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

MAXIMUM_BYTES = 5_000_000
_ALONE = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--no-first-run",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)

_BROWSER_SERVICES = re.compile(r"https?://[\w.]+\.(google|googleapis)\.com/")
"""What Chromium asks for itself."""


def opened(program: str, page: Path, folder: Path, *options: str) -> str:
    """Opens a page and returns its text as Chromium has it; fails if it requests another address."""
    log = folder / "net.json"
    command = [program, *_ALONE, f"--user-data-dir={folder / 'profile'}", f"--log-net-log={log}", *options]
    ran = subprocess.run([*command, page.as_uri()], capture_output=True, text=True, check=True, timeout=120)
    urls = re.findall(r'"url":"(https?://[^"]+)', log.read_text(encoding="utf-8"))
    requested = [url for url in urls if not _BROWSER_SERVICES.match(url)]
    assert not requested, requested
    return ran.stdout


class PageText(HTMLParser):
    """The text of a page without its style, in single spaces."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self._in_style = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False

    def handle_data(self, data: str) -> None:
        self.words += () if self._in_style else data.split()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--picture", metavar="FILE")
    parser.add_argument(
        "--of",
        metavar="NAME",
        default="index",
        help="what the name of the picture's page contains (default: index)",
    )
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--window", default="1100,1000", help="width and height of the picture in pixels")
    given, options = parser.parse_known_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder, report = Path(name), Path(name, "report")
        began = time.monotonic()
        check = "import sys; from openclsp.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", check, "check", "--format", "html", "-o", str(report), *options]
        ran = subprocess.run([*command, given.folder], check=False)
        assert ran.returncode in (0, 1, 2)
        seconds = time.monotonic() - began
        pages = sorted(report.iterdir(), key=lambda page: page.stat().st_size)
        size = sum(page.stat().st_size for page in pages)
        print(f"{len(pages)} pages, {size / 1e6:.2f} MB, {seconds:.1f} s")
        for page in (report / "index.html", pages[-1]):
            written = page.read_text(encoding="utf-8")
            assert "<script" not in written
            assert (
                PageText(opened(given.chromium, page, folder, "--dump-dom")).words == PageText(written).words
            )
            print(f"{page.name}: {page.stat().st_size / 1e3:.0f} kB, complete, without scripts and network")
        if given.picture:
            shown = next(page for page in pages if given.of in page.name)
            picture = Path(given.picture).resolve()
            opened(given.chromium, shown, folder, f"--screenshot={picture}", f"--window-size={given.window}")
            print(json.dumps({"picture": str(picture), "of": shown.name}))
    return 0 if size < MAXIMUM_BYTES else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

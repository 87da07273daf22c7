"""Checks folders with real kernels and validates every output that is JSON.

    python -m tests.cli.corpus_formats FOLDER… [--fixes] [--positions N] [--sarif-schema FILE] [--rdjson-schema FILE]
        [--gitlab-schema FILE] [--multitool FILE]

Each folder is checked once, and its report rendered in every format; all formats must have the same number of
diagnostics. `hover`, `flow`, `layout` and `expand` answer at N random names of the folder's files each (default: 1).
The outputs are valid by the schemas that openclsp ships, closed against further keys. The other programs' schemas and
SARIF's multitool (npm: `@microsoft/sarif-multitool-linux`) judge if they are named.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
from openclsp.cli import main as openclsp
from openclsp.cli.baseline import write_baseline
from openclsp.cli.check_command import check
from openclsp.cli.check_report import CheckReport
from openclsp.cli.formats.annotations import github_text, gitlab_text, rdjson_text
from openclsp.cli.formats.sarif import sarif_text
from openclsp.cli.inputs import read_inputs
from openclsp.cli.json_output import check_json, dumps
from openclsp.cli.kernels_output import kernels_json
from openclsp.cli.options_output import options_json
from openclsp.cli.schemas import schema_text
from openclsp.cli.statistics_text import statistics_json
from openclsp.project.option_parser import BuildOptions

from .test_schemas import closed

COMMANDS = "hover", "flow", "layout", "expand"
_PLACES = {
    "hover": re.compile(rb"([A-Za-z_]\w*)"),
    # An unqualified pointer, which may be generic.
    "flow": re.compile(
        rb"[(,;{]\s*(?:const\s+)?(?:float|u?int|u?char|void)\d*\s*\*\s*([A-Za-z_]\w*)\s*[,)=;]"
    ),
    "layout": re.compile(rb"\b(?:struct|union)\s+([A-Za-z_]\w*)"),
    # A name in capitals is usually a macro.
    "expand": re.compile(rb"^[^#\n]*\b([A-Z][A-Z0-9_]{2,})\b", re.MULTILINE),
}


class Judge:
    """The schemas, and the number of outputs that were valid."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given, self.valid = given, Counter[str]()
        self._known: dict[str, Any] = {}
        for name, path in (
            ("sarif", given.sarif_schema),
            ("rdjson", given.rdjson_schema),
            ("gitlab entry", given.gitlab_schema),
        ):
            if path is not None:
                schema = json.loads(Path(path).read_text(encoding="utf-8"))
                self._known[name] = jsonschema.validators.validator_for(schema)(schema)

    def own(self, name: str, text: str) -> Any:
        """The document, valid by the shipped schema."""
        if name not in self._known:
            self._known[name] = jsonschema.Draft202012Validator(closed(json.loads(schema_text(name))))
        document = json.loads(text)
        self._known[name].validate(document)
        self.valid[name] += 1
        return document

    def other(self, name: str, text: str) -> Any:
        """The document of another program's format, valid by its schema if that is named."""
        document = json.loads(text)
        if name == "gitlab":
            for entry in document if "gitlab entry" in self._known else ():
                self._known["gitlab entry"].validate(entry)
        elif name in self._known:
            self._known[name].validate(document)
        self.valid[name] += 1
        return document

    def sarif_tool(self, text: str) -> None:
        """Runs the multitool's own rules; any error fails."""
        if self.given.multitool is None:
            return
        with tempfile.TemporaryDirectory() as folder:
            log, found = Path(folder, "log.sarif"), Path(folder, "found.sarif")
            log.write_text(text, encoding="utf-8")
            ran = subprocess.run(
                [self.given.multitool, "validate", log, "--output", found, "--log", "ForceOverwrite"],
                capture_output=True,
                text=True,
                check=False,
            )
            assert found.exists(), ran.stdout + ran.stderr
            run = json.loads(found.read_text(encoding="utf-8-sig"))["runs"][0]
            errors = [each for each in run["results"] if each.get("level", "warning") == "error"]
            assert not errors, errors[:3]
            self.valid["multitool"] += 1


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--fixes", action="store_true")
    parser.add_argument("--positions", type=int, default=1)
    for name in ("--sarif-schema", "--rdjson-schema", "--gitlab-schema", "--multitool"):
        parser.add_argument(name, metavar="FILE")
    given = parser.parse_args(arguments)
    judge = Judge(given)
    for folder in given.folders:
        report = check(
            read_inputs([folder], None, io.BytesIO()),
            BuildOptions(),
            with_fixes=given.fixes,
            with_kernels=True,
        )
        count = judge_report(judge, report)
        chance = random.Random(folder)
        for command in COMMANDS:
            judge_positions(judge, command, report, chance, given.positions)
        print(f"{folder}: {len(report.files)} files, {count} diagnostics", flush=True)
    print(", ".join(f"{name}: {number} valid" for name, number in judge.valid.items()))


def judge_report(judge: Judge, report: CheckReport) -> int:
    """Judges all formats of a report; returns the number of its diagnostics."""
    document = check_json(report) | kernels_json(report.kernels)
    document |= options_json(report.options) | statistics_json(report)
    files = judge.own("check", dumps(document))["files"]
    count = sum(len(file["diagnostics"]) for file in files)
    log = sarif_text(report, executed=not report.not_checked)
    results = judge.other("sarif", log)["runs"][0]["results"]
    judge.sarif_tool(log)
    counts = {
        "sarif": len(results),
        "fingerprints": len({str(each["partialFingerprints"]) for each in results}),
        "gitlab": len(judge.other("gitlab", gitlab_text(report))),
        "rdjson": len(judge.other("rdjson", rdjson_text(report))["diagnostics"]),
        "github": github_text(report).count("\n") - len(report.not_checked),
    }
    assert set(counts.values()) == {count}, (count, counts)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "baseline.json")
        assert write_baseline(path, report) == count
        judge.own("baseline", Path(path).read_text(encoding="utf-8"))
    return count


def judge_positions(
    judge: Judge, command: str, report: CheckReport, chance: random.Random, count: int
) -> None:
    """Validates the answers of a command at random names. `flow` is run with OpenCL C 2.0."""
    files = [file.path for file in report.files if os.path.isfile(file.path)]
    chance.shuffle(files)
    asked = 0
    for path in files:
        data = Path(path).read_bytes()
        found = list(_PLACES[command].finditer(data))
        if not found:
            continue
        if asked == count:
            break
        asked += 1
        start = chance.choice(found).start(1)
        line = data.count(b"\n", 0, start) + 1
        column = len(data[data.rfind(b"\n", 0, start) + 1 : start].decode("utf-8", "replace")) + 1
        options = ("--std", "CL2.0") if command == "flow" else ()
        code, text, error = run(command, *options, "--format", "json", f"{path}:{line}:{column}")
        if code == 0:
            judge.own(command, text)
        else:
            # There is nothing at the position that the command shows; the reason is one line.
            assert (code, text, error.count("\n")) == (2, "", 1), (command, path, line, column, error)
            judge.valid[f"{command} with nothing to show"] += 1


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit code, output and notices of a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = openclsp(arguments)
    return code, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    main(sys.argv[1:])

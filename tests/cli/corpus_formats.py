"""Checks folders with real kernels and validates every format: `python -m tests.cli.corpus_formats FOLDER…`.

OPENCLSP_SARIF_SCHEMA names the schema of SARIF; without it, SARIF is only parsed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema

from .test_schemas import closed

FORMATS = "json", "sarif", "gitlab", "rdjson", "github"


def run(form: str, folder: str) -> str:
    options = ("--kernels", "--show-options", "--statistics") if form == "json" else ()
    ran = subprocess.run(
        [sys.executable, "-c", "import sys; from openclsp.cli import main; sys.exit(main())"]
        + ["check", "--no-fixes", "--format", form, *options, folder],
        capture_output=True,
        check=False,
        text=True,
    )
    assert "Traceback" not in ran.stderr, ran.stderr
    return ran.stdout


def main(folders: list[str]) -> None:
    from openclsp.cli.schemas import schema_text

    check = jsonschema.Draft202012Validator(closed(json.loads(schema_text("check"))))
    named = os.environ.get("OPENCLSP_SARIF_SCHEMA")
    schema: Any = json.loads(Path(named).read_text(encoding="utf-8")) if named else {}
    sarif = jsonschema.validators.validator_for(schema, jsonschema.Draft7Validator)(schema)
    for folder in folders:
        found = {form: run(form, folder) for form in FORMATS}
        document, log = json.loads(found["json"]), json.loads(found["sarif"])
        check.validate(document)
        sarif.validate(log)
        count = sum(len(file["diagnostics"]) for file in document["files"])
        results = log["runs"][0]["results"]
        identities = {str(each["partialFingerprints"]) for each in results}
        counts = {
            len(results),
            len(identities),
            len(json.loads(found["gitlab"])),
            len(json.loads(found["rdjson"])["diagnostics"]),
            found["github"].count("\n") - len(document.get("notChecked", ())),
        }
        assert counts == {count}, (folder, count, counts)
        print(f"{folder}: {len(document['files'])} files, {count} diagnostics", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Searches for edits after which the server's answers differ from those of a new server.

    python -m tests.equality [--edits 1000] [--seed 0] [--every 1] [--largest 4000] [--package darktable …] [--folder FOLDER …]
                             [--examples 6] [--steps 100] [--no-shrinking] [FILE …]

Without FILE, --package or --folder it edits the project's sample kernels; with --folder all kernels below a folder,
each with its includes. All edits are made in copies. A difference ends the run, and the smallest series of edits that
causes it is printed. The same seed gives the same edits.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from .kernels import of_file, of_folder, real, samples
from .machine import Editing

SETTINGS = settings(derandomize=False, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def main() -> int:
    """Runs the requested number of edits; raises if answers differ."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--package", action="append", default=[], help="fetched kernels")
    parser.add_argument("--folder", action="append", type=Path, default=[], help="kernels of a checkout")
    parser.add_argument(
        "--largest",
        type=int,
        default=4000,
        help="of these, leave out those of more lines, with what they include",
    )
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first round; each round adds one")
    parser.add_argument("--every", type=int, default=1, help="compare after so many steps")
    parser.add_argument("--examples", type=int, default=6, help="series of edits in a round")
    parser.add_argument("--steps", type=int, default=100, help="steps of a series")
    parser.add_argument("--no-shrinking", action="store_true", help="print the first series as it was found")
    options = parser.parse_args()
    if folders := [str(each) for each in options.files if each.is_dir()]:
        parser.error(f"a folder needs --folder: {', '.join(folders)}")
    found = [of_file(path) for path in options.files]
    found += [each for name in options.package for each in real(name, most_lines=options.largest)]
    for root in options.folder:
        found += of_folder(root, most_lines=options.largest)

    class EditingThese(Editing):
        kernels = found or samples()
        every = options.every

    # pygls logs every request that is given up
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False
    print(f"{len(EditingThese.kernels)} kernels", flush=True)
    phases = [Phase.generate] if options.no_shrinking else list(Phase)
    number = settings(
        SETTINGS, max_examples=options.examples, stateful_step_count=options.steps, phases=phases
    )
    round_seed = options.seed
    while EditingThese.edits < options.edits:
        begun = time.process_time()
        run_state_machine_as_test(seed(round_seed)(EditingThese), settings=number)
        print(
            f"seed {round_seed}: {EditingThese.edits} edits, {EditingThese.compared} times compared, no difference, "
            f"{time.process_time() - begun:.0f} s CPU",
            flush=True,
        )
        round_seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

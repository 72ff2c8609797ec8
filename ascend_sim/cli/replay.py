"""``ascend-sim replay``: run a program under a schedule from a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ascend_sim.cli import run
from ascend_sim.cli.help import asked, helped
from ascend_sim.explore.counterexamples.files import BadReplayFile, Recording, load
from ascend_sim.findings.output import tell
from ascend_sim.untrusted.escaping import escaped

__all__ = ["USAGE", "main"]

USAGE = """\
usage: ascend-sim replay FILE PROGRAM [arguments]

Run PROGRAM as `ascend-sim run` does, on the simulator and under the schedule of FILE, which `ascend-sim explore` wrote.
Options of `ascend-sim run` may stand before or after PROGRAM, but for --schedule, --soc, --seed, --devices and the
others that the file sets. A line on stderr says when the run was not as recorded.
"""


def main(arguments: Sequence[str]) -> int:
    """Run the command; the exit code is that of ``ascend-sim run``."""
    if len(arguments) < 2 or arguments[0] in ("-h", "--help"):
        asks = arguments[:1] in (["-h"], ["--help"])
        if arguments and not asks:
            tell("name the FILE that `ascend-sim explore -o FILE` wrote, and behind it the PROGRAM")
        print(helped(USAGE, asked(arguments)), end="", file=sys.stdout if asks else sys.stderr)
        return 0 if asks else 2
    path, *rest = arguments
    try:
        recording = load(path)
    except OSError as error:
        tell(f"{path!r} cannot be read: {error.strerror}")
        return 2
    except BadReplayFile as error:
        tell(error)
        return 2
    if recording.hash_seed:
        os.environ["PYTHONHASHSEED"] = recording.hash_seed
    what = f"{recording.kind}: {recording.title}" if recording.kind else "a schedule"
    tell(f"replaying {escaped(what)}")
    return run.main([*_settings(recording), "--schedule", f"replay({os.path.abspath(path)})", *rest], table=False)


def _settings(recording: Recording) -> list[str]:
    """What the file says about the simulator, as options of ``ascend-sim run``."""
    options = recording.options
    words = []
    names = {"soc": "--soc", "devices": "--devices", "seed": "--seed", "block_order": "--block-order",
             "checks": "--check", "faults": "--inject"}  # fmt: skip
    for name, option in names.items():
        if options.get(name):
            words += [f"{option}={options[name]}"]
    for name, option in (("limits", "--limits"), ("switches", "--switch")):
        words += [f"{option}={key}={value}" for key, value in options.get(name, {}).items()]
    return words

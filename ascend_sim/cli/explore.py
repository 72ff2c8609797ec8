"""``ascend-sim explore``: run a program under every order of its tasks that could make a difference."""

from __future__ import annotations

import argparse
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.cli.failing import add_failing_options, failing
from ascend_sim.cli.help import Parser, asked
from ascend_sim.cli.run import (
    add_kernels_and_models,
    kernels_and_models,
    located,
    no_program,
    signals_to,
    skipped_frames,
    split,
)
from ascend_sim.findings.baseline import Entry, entry_of
from ascend_sim.findings.languages import LANGUAGES, VARIABLE, chosen
from ascend_sim.findings.output import tell
from ascend_sim.native.home.compilers import CompilerError
from ascend_sim.native.programs import native_command
from ascend_sim.source.callsite import SKIP_FRAMES
from ascend_sim.torch.gate import shut_gate

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ascend_sim.explore.native.program import NativeProgram
    from ascend_sim.explore.report import Failure

__all__ = ["main", "parser"]

DESCRIPTION = """\
Run PROGRAM again and again, each time under another order of its tasks, and say what depends on the order: findings,
deadlocks, exceptions, results. Python that does `import acl` runs in this process, a C or C++ program that links to
libascendcl.so in a process for each order. The schedule of each failure goes to a file: `ascend-sim replay FILE PROGRAM`
runs it again, with the same --kernels, --models and --ops.

What the program prints is its result, and is not shown. It must do the same whenever the order is the same.
"""


def parser() -> Parser:
    """The options of the command."""
    from ascend_sim.explore.control.blocks.granularity import BLOCKS
    from ascend_sim.explore.explorer import HOSTS, WAYS
    from ascend_sim.explore.report import DIFFERING

    made = Parser(
        prog="ascend-sim explore",
        description=DESCRIPTION,
        usage="ascend-sim explore [options] PROGRAM [arguments]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = made.add_argument
    add("--budget", default="20s", metavar="TIME", help="how long to search (default 20s; 500ms, 2m, 1h are possible)")
    add(
        "--bound",
        type=int,
        default=2,
        metavar="N",
        help="with so many preemptions the search counts as complete (default 2); more come later",
    )
    add("--first", action="store_true", help="stop at the first failure")
    add("--way", choices=WAYS, default="all", help="all (default), or random: schedules drawn until the time is up")
    add(
        "--hosts",
        choices=HOSTS,
        default="both",
        help="what host threads share: locks, queues and API objects (shared), anything (all), or first the one, then "
        "the other (both, default)",
    )
    add(
        "--blocks",
        choices=BLOCKS,
        default="few",
        help="which blocks of a kernel are steps of their own, where they conflict: four of a launch (few, default), all, "
        "or none (whole)",
    )
    add(
        "--differing",
        choices=DIFFERING,
        default="unmarked",
        help="when results that differ are a failure: when no order mark gives leave to (unmarked, default), always "
        "(error), or never (table)",
    )
    add("--jobs", type=int, default=1, metavar="N", help="run the schedules in N processes (default 1: in this one)")
    add(
        "--executor",
        metavar="WHERE",
        help="run the schedules in process:N (N processes; one that dies costs its share) or on dask:ADDRESS (a cluster of "
        "dask.distributed)",
    )
    add(
        "-o",
        "--save",
        dest="save",
        metavar="FILE",
        help="where the schedule of the first failure goes; those of others get numbers (default: a folder of the cache, "
        "$XDG_CACHE_HOME/ascend-sim or ~/.cache/ascend-sim)",
    )
    add("--lang", choices=LANGUAGES, help="the language of findings (default: zh where LANG says so, else en)")
    add("--quiet", action="store_true", help="show no progress, on a terminal either")
    add("--devices", type=int, default=1, metavar="N", help="number of devices (default 1)")
    add("--soc", metavar="NAME", help="the product to simulate (default Ascend910B3)")
    add("--seed", type=int, default=0, metavar="N", help="the one source of randomness (default 0)")
    add("--limits", action="append", default=[], metavar="KEY=VALUE", help="a smaller limit, e.g. stream_depth=64")
    add("--skip-frames", action="append", metavar="PATTERN", help="reports show the caller of such functions: wrappers")
    add_kernels_and_models(made)
    add_failing_options(made)
    add("--check", dest="checks", default="all", metavar="NAMES", help="who looks for faults: all (default), none, ...")
    return made


def _mode(path: str) -> int:
    """What *path* is; 0 for nothing."""
    try:
        return os.stat(path).st_mode
    except OSError:
        return 0


def _in_cache(program: str) -> str:
    """Where schedules of *program* (a full path) go: a folder of its own, so that equal names do not meet."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        cache = os.path.join(os.path.expanduser("~"), ".cache")
    name = os.path.splitext(os.path.basename(program))[0]
    folder = os.path.join(cache, "ascend-sim", f"{name}-{sha256(os.fsencode(program)).hexdigest()[:8]}")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        folder = tempfile.mkdtemp(prefix="ascend-sim-")
    return os.path.join(folder, "schedule.json")


@contextmanager
def workers(many: int) -> Iterator[Executor | None]:
    """So many processes that run schedules; None for one, which is this."""
    if many == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor

    from ascend_sim.explore.workers import SafeSpawn, start_worker  # a fork would take half-ended threads along

    with ProcessPoolExecutor(
        many, mp_context=SafeSpawn(), initializer=start_worker, initargs=(os.environ.get("PYTHONSAFEPATH"),)
    ) as pool:
        yield pool


def main(arguments: Sequence[str]) -> int:
    """Run the command: 1 when something failed, 2 for a mistake, 3 when the program is not deterministic.

    4: a process that ran schedules was killed, or no run had ended when the time was up.
    """
    line = parser()
    line.language = asked(arguments)
    ours, program = split(arguments, line)
    options = line.parse_args(ours)
    if options.lang:
        os.environ[VARIABLE] = options.lang
    if not program:
        line.error("name the PROGRAM to explore")
    program[0] = located(program[0])
    wrong = no_program(program[0])
    if wrong:
        tell(wrong)
        return 2
    if options.save and (stat.S_ISDIR(_mode(options.save)) or stat.S_ISFIFO(_mode(options.save))):
        tell(f"--save {options.save!r} is no regular file")  # it is written once more for what is found about it
        return 2
    native = native_command(program[0]) is not None
    if not native:
        shut_gate(
            "torch keeps its streams and memory in the process, and explore runs the program again and again in one: "
            "try `ascend-sim run --schedule 'random(7)'` with several numbers"
        )
    if native:
        os.environ.setdefault("PYTHONHASHSEED", "0")
    elif "PYTHONHASHSEED" not in os.environ and sys.flags.hash_randomization:
        # sets of strings have their order from it: the same in this run and in a replay
        again = [sys.executable, os.path.join(PACKAGE, "__main__.py"), "explore", *arguments]
        child = subprocess.Popen(again, env={**os.environ, "PYTHONHASHSEED": "0"})
        with child, signals_to(child):  # after Ctrl-C it has something to say
            return child.wait()
    if options.jobs < 1:
        line.error(f"--jobs is {options.jobs}: at least 1 is required")
    try:
        judging = failing(options)
    except ValueError as error:
        tell(error)
        return 2
    from concurrent.futures import BrokenExecutor

    from ascend_sim.explore.executors import chosen_executor
    from ascend_sim.explore.explorer import explore
    from ascend_sim.explore.programs import Script, provide_acl
    from ascend_sim.findings import rendering

    os.environ[SKIP_FRAMES] = "\n".join(skipped_frames(options.skip_frames))
    provide_acl()
    os.environ.update(kernels_and_models(options))  # workers have them, too
    try:
        script: Script | NativeProgram
        if native:
            from ascend_sim.explore.native.program import NativeProgram  # who explores Python does not pay for it

            script = NativeProgram(program[0], program[1:])
        else:
            script = Script(program[0], program[1:])
        with chosen_executor(options.executor) if options.executor else workers(options.jobs) as executor:
            report = explore(
                script,
                bound=options.bound,
                budget=options.budget,
                blocks=options.blocks,
                stop="finding" if options.first else "never",
                way=options.way,
                hosts=options.hosts,
                differing=options.differing,
                executor=executor,
                save=options.save or _in_cache(script.path),
                devices=options.devices,
                seed=options.seed,
                checks=options.checks,
                progress=False if options.quiet else None,
                error_on=options.error_on or (),
                baseline=judging.baseline.fingerprints,
                limits={key: int(value) for key, _, value in (text.partition("=") for text in options.limits)},
                **({"soc": options.soc} if options.soc else {}),
            )
    except BrokenExecutor:
        tell("a worker of --jobs was killed, perhaps for want of memory: nothing was found out")
        return 4
    except (OSError, SyntaxError, ValueError, KeyError, CompilerError) as error:
        said = error.args[0] if len(error.args) == 1 else error
        tell(said if os.path.basename(program[0]) in str(said) else f"{program[0]}: {said}")
        return 2
    first = next((finding for failure in report.new if (finding := failure.finding) is not None), None)
    first = first or next(iter(report.met), None)
    if first is not None:
        print(rendering.full(first) + "\n")
    print(report.text(chosen()))
    if report.trouble:
        return 3
    if report.interrupted and judging.update:
        tell("the baseline stays as it was: the search did not come to its end")
        return 130
    found_by = f"explore {script.__qualname__}"
    if report.exhausted or judging.update:  # else what did not come may still come
        for text in judging.closing(found_by, [failure.fingerprint for failure in report.failures]):
            tell(text)
    entries = [_entry(failure, found_by) for failure in report.failures]
    if judging.keep(found_by, entries + [entry_of(finding, found_by) for finding in report.met]):
        return 1
    if report.interrupted:
        return 130
    if not report and (report.lost or not report.runs):
        return 4
    return 1 if report and not judging.update else 0


def _entry(failure: Failure, found_by: str) -> Entry:
    if failure.finding is not None:
        return entry_of(failure.finding, found_by)
    return Entry(found_by, failure.kind, "", failure.fingerprint, failure.title[:200])

"""``ascend-sim run``: a child process runs the program on the simulator; this one watches it and sums up.

The child of a Python program runs ``ascend_sim/_boot.py``; a C or C++ program is the child itself, and finds the
simulator as its library. It and every process it starts find ``acl`` through a folder of shims on
PYTHONPATH, read their settings from ``ASCEND_SIM_*`` and leave their findings in the spool folder.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from types import FrameType

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.cli.config import words_of_table
from ascend_sim.cli.failing import Failing, add_failing_options, failing
from ascend_sim.cli.help import Parser
from ascend_sim.findings import rendering, spool
from ascend_sim.findings.baseline import entry_of, worth_keeping
from ascend_sim.findings.files import write_whole
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.languages import LANGUAGES, VARIABLE
from ascend_sim.findings.output import say, tell
from ascend_sim.findings.project_file import listed
from ascend_sim.findings.suppressions import EXTERNAL, Suppressions
from ascend_sim.kernels.launching.orders import make_order
from ascend_sim.native.home.compilers import CompilerError
from ascend_sim.native.home.scripts import put_script
from ascend_sim.native.programs import ONE_THREAD, fixed_addresses, native_command, native_environment
from ascend_sim.observers.checks import parse_checks
from ascend_sim.observers.fault_plans import SYNTAX, parse_faults
from ascend_sim.runtime.processes import board
from ascend_sim.source.callsite import SKIP_FRAMES, shown_path, working_folder
from ascend_sim.torch.versions import is_installed
from ascend_sim.untrusted.escaping import escaped
from ascend_sim.untrusted.files import may_never_end

__all__ = [
    "add_kernels_and_models", "kernels_and_models", "located", "main", "no_program", "parser", "signals_to", "split",
]  # fmt: skip

SHIMS = os.path.join(PACKAGE, "shims")
GUESTS = os.path.join(SHIMS, "guests")

DESCRIPTION = """\
Run PROGRAM on the simulator: Python that does `import acl`, or a C or C++ program that links to libascendcl.so
(`ascend-sim home`, `ascend-sim cc`), or a script that starts such ones. Its output stays its own; findings and one line
about the simulator go to stderr.

Options of ascend-sim may stand before or after PROGRAM. What ascend-sim does not know goes to the program, and
everything after `--` does, untouched:

    ascend-sim run train.py --devices 2 --epochs 3            # --epochs 3 is the program's
    ascend-sim run train.py -- --devices 8                    # --devices 8 is the program's
    ascend-sim run -m pytest tests                            # a module instead of a file
    ascend-sim run make test                                  # a command: PATH is searched where no file is called so
"""


NO_CALL = (
    "no call of the API was seen, so nothing was checked; if the program should have made some: `import acl; "
    "print(acl.__file__)` in it says whose library it uses, and a process that it starts needs its environment"
)
NO_CALL_NATIVE = (
    "no call of the API was seen, so nothing was checked; if the program should have made some: `ldd` of it says whose "
    "libascendcl it uses, and a process that it starts needs its environment"
)
"""What is said of a run in which the simulator had nothing to do."""


def _setting(text: str) -> str:
    """A KEY=VALUE, several of them with commas between; what keys there are is the simulator's business."""
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not (key and equals and value):
            raise argparse.ArgumentTypeError(f"{part!r} is not KEY=VALUE")
    return text


def _checks(text: str) -> str:
    try:
        parse_checks(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _limit(text: str) -> str:
    for part in _setting(text).split(","):
        if not part.partition("=")[2].isdecimal():
            raise argparse.ArgumentTypeError(f"{part!r}: a limit is a whole number")
    return text


def _kernels(text: str) -> str:
    """FILE or NAME=FILE with the path of the kernel file made absolute: the program may change its folder."""
    return ",".join(_named_file(part, "kernel") for part in text.split(","))


def _models(text: str) -> str:
    """NAME=MODEL with the path of the stand-in made absolute."""
    return ",".join(_named_file(part, "model") for part in _setting(text).split(","))


def _named_file(text: str, what: str) -> str:
    name, equals, file = text.rpartition("=")
    if not os.path.isfile(file):
        raise argparse.ArgumentTypeError(f"there is no {what} file {file!r}")
    return f"{name}{equals}{os.path.abspath(file)}"


def _output(text: str) -> str:
    """A file that can be written when the run is over: said before it begins."""
    folder = os.path.dirname(os.path.abspath(text))
    if not os.path.isdir(folder):
        raise argparse.ArgumentTypeError(f"{text!r}: there is no folder {folder!r}")
    if os.path.isdir(text) or not os.access(text if os.path.exists(text) else folder, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text!r} cannot be written")
    return text


def _faults(text: str) -> str:
    try:
        parse_faults(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _exit_code(text: str) -> int:
    """What a process can end with: of a larger number only the lowest 8 bits would be left."""
    if not text.isdecimal() or int(text) > 255:
        raise argparse.ArgumentTypeError(f"{text!r}: 0 to 255 is required")
    return int(text)


def _block_order(text: str) -> str:
    try:
        make_order(text, 0)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _seconds(text: str) -> str:
    try:
        fine = 0 <= float(text) < float("inf")
    except ValueError:
        fine = False
    if not fine:
        raise argparse.ArgumentTypeError(f"{text!r}: a number of seconds is required, 0 for no limit")
    return text


def _at_least_two(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 2 <= int(text[:19]) < 1 << 60):
        raise argparse.ArgumentTypeError(f"{text!r}: a number from 2 on is required")
    return int(text)


def _timeline(text: str) -> str:
    """A file whose form is known; its path is made absolute, since the program may change its folder."""
    from ascend_sim.timeline import saving  # costs as much as numpy

    try:
        form = saving.check(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text if form == "-" else os.path.abspath(text)


def add_kernels_and_models(parser: argparse.ArgumentParser) -> None:
    """The options that say what stands for compiled kernels, models and operators, for all commands that run programs."""
    add = parser.add_argument
    add(
        "--kernels",
        action="append",
        type=_kernels,
        metavar="[NAME=]FILE.py",
        help="the kernel file that stands for a compiled one, e.g. add_custom.o=add_kernels.py; NAME may be a glob; "
        "without NAME: one that the program loads itself, or stubs of it",
    )
    add(
        "--trust-kernel-files",
        action="store_true",
        help="run all Python code that the program loads as kernel binaries, not only the files that --kernels names",
    )
    add(
        "--ops",
        choices=("strict", "open"),
        help="strict (default): operators need a model directory or a compile call; open: all known ones are there",
    )
    add(
        "--models",
        action="append",
        type=_models,
        metavar="MODEL.om=STAND_IN.om",
        help="what a program loads for a compiled model: a stand-in (ascend-sim om) or an ONNX file",
    )
    add(
        "--allow-model-module",
        action="append",
        metavar="MODULE",
        help="let models run the functions of this Python module; without it they run none",
    )
    add(
        "--model-seconds",
        type=_seconds,
        metavar="S",
        help="stop a run of an ONNX model with loops after S seconds of real time (default 300; 0: never)",
    )


def kernels_and_models(options: argparse.Namespace) -> dict[str, str]:
    """The variables that these options set."""
    values = {
        "OPS": options.ops,
        "KERNELS": _joined("KERNELS", options.kernels),
        "TRUST_KERNEL_FILES": "1" if options.trust_kernel_files else None,
        "MODELS": _joined("MODELS", options.models),
        "MODEL_MODULES": _joined("MODEL_MODULES", options.allow_model_module),
        "MODEL_SECONDS": options.model_seconds,
    }
    return {f"ASCEND_SIM_{name}": value for name, value in values.items() if value is not None}


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(
        prog="ascend-sim run",
        description=DESCRIPTION,
        usage="ascend-sim run [options] PROGRAM [arguments]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        epilog=f"faults on purpose (--inject PLAN, may be given several times):\n{SYNTAX}",
    )
    add = made.add_argument
    add("-m", dest="module", metavar="MODULE", help="run a module, as python -m does")
    add("--devices", type=int, metavar="N", help="number of devices (default 1)")
    add("--soc", metavar="NAME", help="the product to simulate (default Ascend910B3; ascend-sim info lists them)")
    add("--seed", type=int, metavar="N", help="the one source of randomness (default 0)")
    add("--schedule", metavar="NAME", help="virtual-time (default), late, early, random")
    add(
        "--block-order",
        type=_block_order,
        metavar="ORDER",
        help="in which order the blocks of a kernel run: ascending (default), reversed, random, random(SEED)",
    )
    add_kernels_and_models(made)
    add(
        "--threads",
        choices=("deterministic", "free"),
        help="who orders the program's threads: deterministic (default), or free, nobody (default of C and C++ programs "
        "that load OpenMP)",
    )
    add(
        "--check",
        "--checks",
        dest="checks",
        action="append",
        type=_checks,
        metavar="NAMES",
        help="who looks for faults: memory,races,rules (default); all adds codes (failing codes that the program ignores); "
        "none (a queued task then costs about two thirds); races=off leaves one out, races=raise stops at the call",
    )
    add(
        "--inject",
        action="append",
        type=_faults,
        metavar="PLAN",
        help="let something fail, e.g. aclrtMalloc:3=207001: see below",
    )
    add(
        "--torch",
        choices=("auto", "on", "off"),
        default="auto",
        help="let `import torch_npu` find the simulator: auto (default) where it is installed",
    )
    add("--limits", action="append", type=_limit, metavar="KEY=VALUE", help="a smaller limit, e.g. stream_depth=64")
    add(
        "--switch",
        action="append",
        type=_setting,
        metavar="KEY=VALUE",
        help="how to behave where sources conflict (ascend-sim info --switches lists them)",
    )
    add("--log", choices=("calls",), help="write every call of the API with its result to stderr")
    add(
        "--timeline",
        type=_timeline,
        metavar="FILE",
        help="write what happened in virtual time: FILE.html (a page), .json (for ui.perfetto.dev), .txt, .png, .svg; "
        "- prints lanes of text",
    )
    add(
        "--timeline-tasks",
        type=_at_least_two,
        metavar="N",
        help="keep N tasks and calls of a longer run in the timeline (default 100000): the first half and the latest half",
    )
    add("--format", choices=("full", "short", "json"), help="how findings are written (default full)")
    add("--color", choices=("auto", "always", "never"), help="colour in findings (default auto)")
    add("--lang", choices=LANGUAGES, help="the language of findings (default: zh where LANG says so, else en)")
    add("--json", type=_output, metavar="FILE", help="also write all findings to FILE")
    add(
        "--sarif",
        type=_output,
        metavar="FILE",
        help="also write all findings to FILE as SARIF 2.1.0, for code review tools",
    )
    add(
        "--suppress",
        action="append",
        metavar="KIND:FILE:FUNCTION",
        help="do not report findings of KIND with a call in FILE and FUNCTION (globs; the last parts may be missing)",
    )
    add(
        "--skip-frames",
        action="append",
        metavar="PATTERN",
        help="reports show the caller of functions whose file, name or FILE:FUNCTION the glob fits: wrappers of the API",
    )
    add_failing_options(made)
    add(
        "--error-exitcode",
        type=_exit_code,
        default=1,
        metavar="N",
        help="exit code when a finding fails the run and the program itself ended with 0 (default 1)",
    )
    return made


def split(arguments: Sequence[str], options: argparse.ArgumentParser) -> tuple[list[str], list[str]]:
    """Tell the options of ascend-sim from the program and its arguments; `--` ends our options.

    >>> split(["p.py", "--devices", "2", "--epochs", "3"], parser())
    (['--devices', '2'], ['p.py', '--epochs', '3'])
    """
    takes = {name: action.nargs != 0 for action in options._actions for name in action.option_strings}
    ours: list[str] = []
    program: list[str] = []
    rest = list(arguments)
    module = False
    while rest:
        word = rest.pop(0)
        started = module or bool(program)
        name = word.split("=", 1)[0]
        if word == "--":
            return ours, program + rest
        if name in takes and not (started and name in ("-m", "-h", "--help")):
            ours.append(word)
            module = module or name == "-m"
            if takes[name] and "=" not in word and rest:
                ours.append(rest.pop(0))
        elif not started and word.startswith("-") and word != "-":
            ours.append(word)  # unknown: argparse says so
        else:
            program.append(word)
    return ours, program


def _environment(options: argparse.Namespace, folder: str) -> dict[str, str]:
    """The variables of the child: its settings, the shims, the spool."""
    variables = dict(os.environ)
    settings = {
        "DEVICES": options.devices,
        "SOC": options.soc,
        "SEED": options.seed,
        "SCHEDULE": options.schedule,
        "THREADS": options.threads,
        "CHECKS": ",".join(options.checks or ()) or None,
        "LOG": options.log,
        "FORMAT": options.format,
        "TIMELINE": options.timeline,
        "TIMELINE_TASKS": options.timeline_tasks,
        "COLOR": options.color,
        "LIMITS": ",".join(options.limits or ()) or None,
        "SWITCHES": ",".join(options.switch or ()) or None,
        "FAULTS": _joined("FAULTS", options.inject),
        "BLOCK_ORDER": options.block_order,
        "SKIP_FRAMES": "\n".join(skipped_frames(options.skip_frames)) or None,
        "SUPPRESS": "\n".join(_suppressed(options)) or None,
    }
    for name, value in settings.items():
        if value is not None:
            variables[f"ASCEND_SIM_{name}"] = str(value)
    variables.update(kernels_and_models(options))
    if options.torch == "on" or (options.torch == "auto" and is_installed()):
        variables["ASCEND_SIM_BEFORE"] = "ascend_sim.torch.gate"
        tools = os.path.join(folder, "bin")  # programs ask npu-smi for cards before they import torch_npu
        put_script(tools, "npu-smi", "home.npu_smi")
        variables["PATH"] = os.pathsep.join(filter(None, [tools, variables.get("PATH")]))
        shims = [SHIMS, GUESTS]  # processes that the program starts, a launcher's workers among them, find it, too
    else:
        shims = [SHIMS]
    variables[spool.VARIABLE] = folder
    variables[board.VARIABLE] = board.name_for(str(os.getpid()))
    variables.pop(board.FIRST, None)
    path = [*shims, *(p for p in variables.get("PYTHONPATH", "").split(os.pathsep) if p and p not in (SHIMS, GUESTS))]
    variables["PYTHONPATH"] = os.pathsep.join(path)
    return variables


def _joined(name: str, values: list[str] | None) -> str | None:
    """The values of an option behind those of the variable, with commas between; None: leave the variable alone."""
    return ",".join([v for v in (os.environ.get(f"ASCEND_SIM_{name}"), *values) if v]) if values else None


def _suppressed(options: argparse.Namespace) -> list[str]:
    """The patterns of the command line and of pyproject.toml."""
    return [*(options.suppress or ()), *listed(working_folder(), "suppress")[1]]


def skipped_frames(given: Sequence[str] | None) -> list[str]:
    """The patterns of the command line, of the variable and of pyproject.toml."""
    variable = os.environ.get(SKIP_FRAMES, "").split("\n")
    return [*(given or ()), *filter(None, variable), *listed(working_folder(), "skip-frames")[1]]


def located(path: str) -> str:
    """The file that *path* names: one of this folder; else, for a name without a slash, the command that a shell would run.

    Beside a file NAME.py it is more likely that this was meant: `no_program` says so.
    """
    if os.path.dirname(path) or os.path.exists(path) or os.path.exists(f"{path}.py"):
        return path
    return shutil.which(path) or path


def no_program(path: str) -> str:
    """Why *path* cannot be run, in a sentence; empty when it can."""
    if not os.path.exists(path):
        folder, name = os.path.split(path)
        try:
            near = get_close_matches(name, os.listdir(folder or os.curdir), 1, 0.75)
        except OSError:
            near = []
        near = [f"{name}.py"] if os.path.exists(f"{path}.py") else near
        if near:
            return f"there is no file {path!r}; did you mean {os.path.join(folder, near[0])}?"
        if folder:
            return f"there is no file {path!r}"
        return f"there is no file {path!r}, and no command of that name in PATH"
    if os.path.isdir(path) and not os.path.exists(os.path.join(path, "__main__.py")):
        return f"{path!r} is a folder without a __main__.py: name the program in it"
    if may_never_end(path):
        return f"{path!r} is a pipe or a device: name a file"
    if path.endswith(".ipynb"):
        return (
            f"{path!r} is a notebook: open it in Jupyter, where `%load_ext ascend_sim` gives cells a simulator, or make a "
            "program of it with `jupyter nbconvert --to script`"
        )
    return ""


def main(arguments: Sequence[str], table: bool = True) -> int:
    """Run the command; the exit code is the program's own, 128 + n when signal n ended it.

    *table*: options that the command line does not set come from ``[tool.ascend_sim]``.
    """
    line = parser()
    ours, program = split(arguments, line)
    if table:
        try:
            file = program[0] if program and "-m" not in ours else None
            ours = [*words_of_table(line, working_folder(), file), *ours]
        except ValueError as error:
            tell(error)
            return 2
    options, unknown = line.parse_known_args(ours)
    if options.lang:
        os.environ[VARIABLE] = options.lang
    if unknown:
        names = [name for action in line._actions for name in action.option_strings]
        near = get_close_matches(unknown[0].partition("=")[0], names, 1)
        hint = f"did you mean {near[0]}?" if near else "options of the program itself stand behind its name"
        line.error(f"there is no option {unknown[0]}; {hint}")
    if options.module is None and not program:
        line.error("name the PROGRAM to run")
    if options.module is None:
        program[0] = located(program[0])
    wrong = "" if options.module is not None else no_program(program[0])
    if wrong:
        tell(wrong)
        return 2
    target = program if options.module is None else ["-m", options.module, *program]
    try:
        judging = failing(options)
    except ValueError as error:
        tell(error)
        return 2
    try:
        folder = tempfile.mkdtemp(prefix="ascend-sim-")
    except OSError as error:
        if error.filename is None:
            raise
        tell(f"findings cannot be kept: {error}; TMPDIR names another folder for them")
        return 1
    found: list[Finding] = []
    marks: dict[str, int] = {}
    codes: list[int] = []
    environment: dict[str, str] = {}
    try:
        try:
            environment = _environment(options, folder)
            if judging.baseline.entries:
                environment["ASCEND_SIM_BASELINE"] = judging.path
        except ValueError as error:  # pyproject.toml
            tell(error)
            return 2
        native = native_command(program[0]) if options.module is None else None
        if native is not None:
            command = [*native, *program[1:]]
            environment[board.FIRST] = board.NOBODY
            try:
                if (options.schedule or "").startswith("replay("):
                    environment = ONE_THREAD | environment  # as it was explored
                environment = native_environment(environment)
            except (CompilerError, OSError) as error:
                tell(error)
                return 1
        else:
            environment.setdefault("ASCEND_SIM_THREADS", "deterministic")
            command = [sys.executable, os.path.join(PACKAGE, "_boot.py"), *target]
        child = subprocess.Popen(
            command,
            env=environment,
            close_fds=False,  # what the shell has opened for the program (`run <(...)`, `3<file`) stays open
            preexec_fn=fixed_addresses if native else None,  # noqa: PLW1509  # this process has one thread
        )
        with signals_to(child):
            status = child.wait()
        lost = ""
        alive: list[int] = []
        silent = False
        try:
            alive = spool.living(folder, child.pid)
            found, missing = spool.read_all(folder, child.pid, alive)
            marks = spool.read_nondeterminism(folder)
            codes = spool.read_codes(folder)
            silent = status == 0 and not alive and not found and spool.nobody_called(folder, child.pid)
            for process in sorted(set(spool.unfinished(folder)) - set(alive)) if status >= 0 else ():
                tell(
                    f"process {process} ended without its exit handlers (_exit, a signal): what was alive then is not known"
                )
            if missing:
                lost = "some findings of this run could not be written where they are collected, and are missing here"
        except (OSError, ValueError, TypeError, AttributeError) as error:
            lost = f"the findings of this run cannot be read ({error}): what it found is not known"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(environment.get(board.VARIABLE, folder), ignore_errors=True)
    if silent and options.format != "json":
        tell(NO_CALL_NATIVE if native is not None else NO_CALL)
    return _conclude(status, found, options, target, marks, lost, alive, native is not None, judging, codes)


def _conclude(
    status: int,
    found: list[Finding],
    options: argparse.Namespace,
    target: list[str],
    marks: dict[str, int] | None = None,
    lost: str = "",
    alive: Sequence[int] = (),
    native: bool = False,
    judging: Failing | None = None,
    codes: Sequence[int] = (),
) -> int:
    """Write the closing lines and the JSON file, and decide on the exit code."""
    code = status if status >= 0 else 128 - status
    if status < 0 and -status not in (signal.SIGINT, signal.SIGTERM):
        name, reason = _described(-status, native)
        found.append(
            Finding(
                f"F{len(found) + 1}",
                "crash",
                "error",
                f"the program was ended by signal {-status} ({name}): {reason}",
                fix="run it in a debugger, or build it with -fsanitize=address, to see the line"
                if native
                else "run it again with PYTHONFAULTHANDLER=1 to see the line",
            )
        )
        rendering.Printer(
            sys.stderr, options.format or "full", rendering.Style.of(sys.stderr, options.color or "auto")
        )(found[-1], True)
    seed = options.seed if options.seed is not None else os.environ.get("ASCEND_SIM_SEED", "0")
    schedule = options.schedule or os.environ.get("ASCEND_SIM_SCHEDULE", "virtual-time")
    text = rendering.summary(found, f"seed {seed}, schedule {schedule}", codes=codes)
    if text and options.format != "json":
        say(sys.stderr, text)
        for line in _suppressed_by(found, options):
            tell(line)
    judging = failing(options) if judging is None else judging
    found_by = "run " + " ".join(target[:2] if target[0] == "-m" else [os.path.basename(target[0])])
    if options.format != "json":
        for line in judging.closing(found_by, [f.fingerprint for f in found if f.cause is None]):
            tell(line)
    for process in alive:
        tell(_outlives(process, found))
    if lost:
        tell(lost)
    if options.json:
        run = {
            "program": shlex.join(target),
            "profile": options.soc or os.environ.get("ASCEND_SIM_SOC", "Ascend910B3"),
            "schedule": schedule,
            "seed": int(seed),
            "exit_code": code,
            **({"order_marks": marks} if marks else {}),
            **({"still_running": list(alive)} if alive else {}),
        }
        value = {"schema": 1, "run": run, "findings": [finding.to_json() for finding in found]}
        lost = _write(options.json, value) or lost
    if options.sarif:
        from ascend_sim.cli.explain import render_kind
        from ascend_sim.findings.kinds import KINDS
        from ascend_sim.findings.sarif import sarif

        texts = {finding.kind: render_kind(finding.kind) for finding in found if finding.kind in KINDS}
        lost = _write(options.sarif, sarif(found, working_folder(), texts)) or lost
    kept = [entry_of(finding, found_by) for finding in found if worth_keeping(finding, judging.levels)]
    if judging.update and (lost or status < 0):
        tell("the baseline stays as it was: the run did not come to its end")
    else:
        lost = judging.keep(found_by, kept) or lost
    if lost and code == 0:
        return options.error_exitcode or 1
    faulty = [] if judging.update else [finding for finding in found if judging.levels.fails(finding)]
    if faulty and code == 0 and options.format != "json" and all(f.severity != "error" for f in faulty):
        tell(f"{faulty[0].id} {faulty[0].kind} fails the run (--error-on)")
    return options.error_exitcode if faulty and code == 0 else code


def _write(path: str, value: object) -> str:
    """Write a file of findings; returns what went wrong, which was said, too."""
    try:
        write_whole(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
    except OSError as error:
        text = f"{path!r} was not written: {error.strerror}"
        tell(text)
        return text
    return ""


def _suppressed_by(found: Sequence[Finding], options: argparse.Namespace) -> list[str]:
    """Which pattern, and of which file, hides each finding that is not shown."""
    hidden = [finding for finding in found if finding.suppressed == EXTERNAL]
    if not hidden:
        return []
    path, patterns = listed(working_folder(), "suppress")
    lines = []
    for finding in hidden:
        for text in [*(options.suppress or ()), *patterns]:
            if Suppressions([text]).why(finding.kind, finding.sites) == EXTERNAL:
                where = "--suppress" if text in (options.suppress or ()) else shown_path(path)
                lines.append(f"{finding.id} {finding.kind} is suppressed by {escaped(text)!r} of {where}")
                break
    return lines


def _outlives(process: int, found: Sequence[Finding]) -> str:
    """What to say about a process that had not ended when the run did."""
    if not process:
        return "a process that the program forked outlives the run: what it finds from now on it prints itself"
    own = sum(finding.id.endswith(f"@{process}") for finding in found)
    so_far = f"what it found so far ({own}) is in this report" if own else "it found nothing so far"
    return f"process {process} outlives the run: {so_far}, what it finds from now on it prints itself, with a summary"


def _described(number: int, native: bool) -> tuple[str, str]:
    reasons = {
        "SIGSEGV": "it used memory that is not there"
        if native
        else "it used memory that is not there (ctypes, ptr_to_bytes or ptr_to_numpy with a wrong address?)",
        "SIGBUS": "it used memory that is not there",
        "SIGKILL": "it was killed from outside; memory is the likely cause: the machine ran out of it "
        "(`--inject memory:SIZE` lets the simulated device have less)",
        "SIGABRT": "it aborted itself",
    }
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = "unknown"
    return name, reasons.get(name, "nobody caught it")


@contextmanager
def signals_to(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """While the child runs: pass on what is sent to us, and outlive Ctrl-C, which a terminal sends to both."""
    interrupts = 0

    def interrupted(number: int, frame: FrameType | None) -> None:
        nonlocal interrupts
        interrupts += 1
        with suppress(ProcessLookupError):
            if interrupts >= 3:
                child.kill()
            elif not sys.stdin or not sys.stdin.isatty():
                child.send_signal(number)

    def terminated(number: int, frame: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            child.send_signal(number)

    old = [(s, signal.signal(s, h)) for s, h in ((signal.SIGINT, interrupted), (signal.SIGTERM, terminated))]
    try:
        yield
    finally:
        for number, handler in old:
            signal.signal(number, handler)

"""The child side of ``ascend-sim run``: ``python ascend_sim/_boot.py [-m] PROGRAM arguments``; of a C or C++ program, which
has no Python of its own, `open_door`.

Makes the simulator from ``ASCEND_SIM_*``, puts ``acl`` in place, runs the program as ``python PROGRAM`` would, and
closes the simulator after the program's own exit handlers.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import signal
import sys
import threading
import weakref
from contextlib import suppress
from types import CodeType, FunctionType, MethodType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_sim.observers.failed_calls import FailedCalls
    from ascend_sim.runtime.schedules import Schedule
    from ascend_sim.simulator import Simulator
    from ascend_sim.source.callsite import CallSite

if __name__ == "__main__" and sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
    # Started as a file, so that the working directory is not on the path while the simulator is imported. Its parent is
    # there only until the program's own folder takes this place.
    sys.path[0] = os.path.dirname(sys.path[0])

__all__ = ["join_natively", "join_run", "main", "open_door"]

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_SHIMS = os.path.join(_PACKAGE, "shims")

_PROGRAM: list[tuple[ModuleType, set[str], str]] = []
"""The program that `main` runs: its module, the modules that were there before, its folder."""


def join_run(in_python: bool = True, threads: str = "deterministic") -> Simulator:
    """Make this process part of the run: a simulator from the environment; *in_python*: ``acl`` in ``sys.modules``.

    *threads*: who orders the program's threads where no variable says so.

    Called by the shim when a process that the program started imports ``acl``, and by :func:`main`. Findings go to
    stderr at once, and to the spool of the run when there is one. Doing it twice changes nothing.
    """
    from ascend_sim import simulator
    from ascend_sim.findings import rendering, spool
    from ascend_sim.findings.output import say, tell
    from ascend_sim.observers.failed_calls import FailedCalls
    from ascend_sim.runtime.processes.neighbours import enter_run
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads
    from ascend_sim.runtime.threads.patches.install import install_patches
    from ascend_sim.source.fence import DEBUG_TEXTS, passes_by

    sim = simulator.current()
    if in_python:
        from ascend_sim import pyacl  # a C program does not pay for it

        pyacl.put_into(sys.modules)
    if sim is not None:
        return sim
    sim = simulator.Simulator.from_environment({"ASCEND_SIM_THREADS": threads, **os.environ}, _recorded())
    if isinstance(sim.threads, DeterministicThreads):
        install_patches(sim.threads, in_python)
        starting = sim.threads.here.os_thread
        if starting is not None and not in_python:
            starting.exempt = True  # until all is loaded: locks of imports are no matter of the program
    sim.open()
    sim.follow_environment()
    enter_run(sim)
    if "calls" in os.environ.get("ASCEND_SIM_LOG", "").split(","):
        from ascend_sim.observers.call_log import CallLog

        sim.attach(CallLog(sys.stderr))
    record = os.environ.pop("ASCEND_SIM_RECORD", None)  # of this process: not of those that it starts
    if record:
        from ascend_sim.observers.call_record import CallRecord

        sim.attach(CallRecord(record, sys.argv[0]))
    path = os.environ.get("ASCEND_SIM_TIMELINE")
    if path:
        from ascend_sim.timeline.recording import MOST_TASKS, Timeline

        most = int(os.environ.get("ASCEND_SIM_TIMELINE_TASKS", MOST_TASKS))
        sim.attach(Timeline(sim, _own(path), os.path.basename(sys.argv[0]), most))
    colour = os.environ.get("ASCEND_SIM_COLOR", "auto")
    form = os.environ.get("ASCEND_SIM_FORMAT", "full")
    folder = os.environ.get(spool.VARIABLE)
    pages = spool.Spool(folder) if folder and os.path.isdir(folder) else None
    if pages is not None:
        sim.findings.sinks.append(pages)  # first: what cannot be printed must not be lost
    sim.findings.sinks.append(rendering.Printer(sys.stderr, form, rendering.Style.of(sys.stderr, colour)))

    failed = FailedCalls(sim)
    sim.attach(failed)

    def let_go() -> None:
        if _PROGRAM and (sim.process.init_count or sim.contexts):
            _let_go(sim, later)
        if pages is not None and _calls(sim):
            spool.called(pages.folder)

    def leave() -> None:
        if pages is not None:
            pages.close()
            if sim.checks is not None and sim.checks.races is not None and sim.checks.races.nondeterminism:
                try:
                    spool.write_nondeterminism(pages.folder, sim.checks.races.nondeterminism.counts)
                except OSError:
                    pages.lose()

    def sum_up(badly: bool) -> None:
        codes = failed.codes(ended_badly=badly)
        if pages is not None and codes:
            try:
                spool.write_codes(pages.folder, codes)
            except OSError:
                pages.lose()
        if (pages is None or pages.lost) and form != "json":  # nobody else sums up
            text = rendering.summary(list(sim.findings), codes=codes)
            if text:
                say(sys.stderr, text)

    def close() -> None:
        badly = hasattr(sys, "last_value")
        came_by: BaseException | None = None
        for step in (let_go, sim.close, lambda: _say_last(sim, form, failed, badly), leave, lambda: sum_up(badly)):
            try:
                step()
            except BaseException as error:  # noqa: BLE001 - told, and the other steps are not its matter
                if pages is not None:
                    pages.lose()
                if passes_by(error) or os.environ.get(DEBUG_TEXTS, "0") not in ("", "0"):
                    came_by = error
                else:
                    tell(f"{type(error).__name__} at the end of the run: an error of the simulator, not of the program")
        if came_by is not None:
            raise came_by

    if pages is not None and hasattr(os, "register_at_fork"):
        folder_of_run = pages.folder  # what a fork calls nobody may hear of: it often ends without its exit handlers
        os.register_at_fork(after_in_child=lambda: spool.called(folder_of_run))
    atexit.register(close)  # registered before the program's own: runs after them
    later = _Later()
    return sim


def _calls(sim: Simulator) -> bool:
    """Whether the program has used the API: functions of it are made then, whichever simulator was called.

    Native code in the process calls without them, and so does who launches kernels on objects.
    """
    face = sys.modules.get("ascend_sim.ascendcl")
    if face is not None and any(name.startswith(("acl", "hi_")) for name in vars(face)):
        return True
    others = ("ascend_sim.native.inside", "ascend_sim.kernels.launching.submit", "ascend_sim.native.guest")
    return bool(sim.contexts) or any(name in sys.modules for name in others)


def join_natively() -> Simulator:
    """Make the process of a C or C++ program part of the run. The first such process of a run says so on stderr."""
    from ascend_sim.findings import spool
    from ascend_sim.findings.output import say, tell
    from ascend_sim.runtime.own_imports import look_elsewhere
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads

    beside = os.path.dirname(os.path.realpath(sys.argv[0]))
    look_elsewhere(beside)
    sys.path.append(beside)  # modules that the user named lie beside a C program as well
    openmp = _openmp()
    sim = join_run(in_python=False, threads="free" if openmp else "deterministic")
    if isinstance(sim.threads, DeterministicThreads) and sim.threads.here.os_thread is not None:
        sim.threads.here.os_thread.exempt = False
    folder = os.environ.get(spool.VARIABLE)
    if folder is not None:
        spool.begin(folder)
    if spool.first_of_run("begun"):
        say(sys.stderr, _banner(sim))
    if openmp and spool.first_of_run("openmp"):
        tell(
            f"{os.path.basename(sys.argv[0])} has loaded {openmp}: barriers and critical sections of OpenMP are not seen "
            "here, so its threads run free (--threads deterministic orders what it can, and reports races that are none)"
        )
    return sim


def _openmp() -> str:
    """The OpenMP library of the program, where that decides who orders its threads: nobody else has."""
    from ascend_sim.native.threads import openmp_library

    if "ASCEND_SIM_THREADS" in os.environ or os.environ.get("ASCEND_SIM_SCHEDULE", "").startswith("replay("):
        return ""
    return openmp_library()


def open_door(path: str, guest: int) -> Callable[[Any], CallSite]:
    """What the library at *path* calls first (`native/c/door.c`). *guest*: Python was in the process before."""
    from ascend_sim.native import inside

    if guest:
        return inside.enter_guest(path, join_run)
    if "ASCEND_SIM_EXPLORE" in os.environ:
        return inside.enter_program(path, lambda: _explored(path))
    return inside.enter_program(path, join_natively)


def _explored(path: str) -> Simulator:
    """The simulator of a run of `ascend-sim explore`; it returns in each of the processes of these runs."""
    from ascend_sim.explore.native.served import serve
    from ascend_sim.native import inside

    run = serve(path, inside.called_functions)
    sim = run.open()
    inside.be_explored(run)
    return sim


def _let_go(sim: Simulator, over: _Later) -> None:
    """Drop the modules of the program as the interpreter does a moment later, while calls still work.

    The destructor of an object in a global variable frees and finalises: on the real library that comes in time.
    *over*: the handlers of the program, which have run.
    """
    own = {t.os_ident for t in sim.threads.attached() if t.service} | {threading.get_ident()}
    if any(thread.ident not in own for thread in threading.enumerate()):
        return  # a daemon thread still uses them
    main, known, folder = _PROGRAM.pop()
    if sys.modules.get("__main__") is not main:
        return
    # The modules go, their variables stay: the collector calls destructors while what they use is still there.
    held = [_Held(main)]
    for name in ("last_value", "last_traceback", "last_exc"):  # frames of what ended it; `last_type` tells checkers
        sys.__dict__.pop(name, None)
    sys.modules["__main__"] = ModuleType("__main__")
    for name in [name for name in sys.modules if name not in known]:
        found = sys.modules[name]  # what is no module is asked for nothing
        if isinstance(found, ModuleType) and str(vars(found).get("__file__") or "").startswith(folder + os.sep):
            del sys.modules[name]
            held.append(_Held(found))
    del main
    with suppress(BaseException):  # what compares handlers may be the program's
        atexit.unregister(cast("Any", over))  # the interpreter holds them until the last one has run
    gc.collect()
    spaces = [space for one in held if (space := one.variables()) is not None]
    if spaces:
        _restore_streams()
        _silence_signals()
    for space in spaces:
        _destroy(space)


class _Held:
    """Tells whether somebody still holds the variables of a module that went: a hook, a handler of `logging` or of a
    signal is a function of the program, and functions hold them all."""

    def __init__(self, module: ModuleType) -> None:
        probe = _Probe(vars(module))
        self._alive = weakref.ref(probe)
        probe.space[_Probe.__name__] = probe

    def variables(self) -> dict[str, Any] | None:
        probe = self._alive()
        return None if probe is None else probe.space


class _Probe:
    """Lies in the variables of a module, and goes with them."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space


class _Later:
    """Equal to every exit handler that is registered after this was made. Nobody tells them but by comparing."""

    def __init__(self) -> None:
        self._before: list[object] = []
        self._made = False
        atexit.unregister(cast("Any", self))
        self._made = True

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, handler: object) -> bool:
        if not self._made:
            self._before.append(handler)
            return False
        return not any(handler is one for one in self._before)


def _restore_streams() -> None:
    """What the program prints through is told to flush, and then nobody prints through it: as the interpreter does."""
    for name in ("stdout", "stderr"):
        with suppress(BaseException):  # it is the program's
            getattr(sys, name).flush()
            setattr(sys, name, getattr(sys, f"__{name}__"))


def _silence_signals() -> None:
    """What comes from here on, such as a timer of the program, meets nobody: its handlers have lost their variables."""
    for number in signal.valid_signals():
        if isinstance(signal.getsignal(number), FunctionType | MethodType):
            signal.signal(number, lambda number, frame: None)


def _destroy(space: dict[str, Any]) -> None:
    """Let the objects in these variables go, the latest first: it may use those before it. What code needs stays."""
    for name in reversed(list(space)):
        if not isinstance(space[name], (ModuleType, FunctionType, type)) and gc.is_tracked(space[name]):
            del space[name]
    gc.collect()


def _recorded() -> Schedule | None:
    """The schedule of a file, for ``ASCEND_SIM_SCHEDULE=replay(FILE)``: the program itself gets it, not its children."""
    name, _, rest = os.environ.get("ASCEND_SIM_SCHEDULE", "").partition("(")
    if name != "replay":
        return None
    os.environ["ASCEND_SIM_SCHEDULE"] = "virtual-time"
    from ascend_sim.explore.counterexamples.files import replay

    path = rest.removesuffix(")")
    try:
        return replay(path)
    except OSError as error:
        raise ValueError(f"schedule replay(FILE): {path!r} cannot be read: {error.strerror}") from None


def _own(path: str) -> str:
    """The file of this process: the one that was asked for belongs to the program, others add their process id."""
    taken = os.environ.setdefault("ASCEND_SIM_TIMELINE_PID", str(os.getpid()))
    if taken == str(os.getpid()) or path == "-":
        return path
    stem, form = os.path.splitext(path)
    return f"{stem}.{os.getpid()}{form}"


def _say_last(sim: Simulator, form: str, failed: FailedCalls, badly: bool) -> None:
    """Which calls failed, what the run decided by chance, what was not as recorded, suppressions that no finding met."""
    if form == "json":
        return
    from ascend_sim.findings.output import tell

    texts = []
    difference = getattr(sim.scheduler.schedule, "difference", "")
    if difference:
        texts.append(f"not as recorded: {difference}")
    marks = sim.checks.nondeterminism() if sim.checks is not None else ""
    if marks:
        texts.append(marks)
    texts += [f"nothing was suppressed by {text}" for text in sim.findings.suppressions.unused()]
    texts += _idle_mappings(sim)
    texts += failed.lines(ended_badly=badly)
    for text in texts:
        tell(text)


def _idle_mappings(sim: Simulator) -> list[str]:
    """Mappings of ``--models`` and ``--kernels`` that no load of the program has met: their names are wrong, perhaps."""
    if not (os.environ.get("ASCEND_SIM_MODELS") or "=" in os.environ.get("ASCEND_SIM_KERNELS", "")):
        return []
    from ascend_sim.models.registry import ModelRegistry

    return [*sim.part(ModelRegistry).idle(), *sim.kernels.idle()]


def real_acl() -> str | None:
    """Where a real ``acl`` is: already imported, or first on the path. None when there is none.

    A real one is a compiled extension module. Simulated devices and real ones in one process would be a disaster that
    nobody notices, so this stops the run.
    """
    from importlib.machinery import EXTENSION_SUFFIXES, PathFinder

    known = sys.modules.get("acl")
    if known is not None:
        origin = getattr(known, "__file__", None) or repr(known)
        return None if origin.startswith(_PACKAGE) or not origin.endswith(tuple(EXTENSION_SUFFIXES)) else origin
    path = [p for p in sys.path if os.path.normpath(p) != _SHIMS]
    spec = PathFinder.find_spec("acl", path)
    if spec is None or spec.origin is None or not spec.origin.endswith(tuple(EXTENSION_SUFFIXES)):
        return None
    return spec.origin


def main() -> None:
    """Run the program named in ``sys.argv``."""
    arguments = sys.argv[1:]
    if not arguments:
        _stop("usage: _boot.py [-m] PROGRAM arguments (`ascend-sim run` calls this)")
    module = arguments[0] == "-m"
    if module:
        arguments.pop(0)
    sys.argv[:] = arguments
    # Imported while the program's folder is not on the path: its file names are its own business.
    import ascend_sim.findings.rendering
    import ascend_sim.findings.spool
    import ascend_sim.observers.races.reports
    import ascend_sim.pyacl
    import ascend_sim.runtime.threads.patches.install
    import ascend_sim.source.tracebacks
    import ascend_sim.source.variables
    import ascend_sim.source.wrappers  # noqa: F401 - a report may be made when no file can be opened any more
    from ascend_sim import ascendcl
    from ascend_sim.findings.output import say
    from ascend_sim.runtime.own_imports import look_elsewhere
    from ascend_sim.runtime.own_names import keep_apart
    from ascend_sim.runtime.threads.signal_handlers import open_to_signals
    from ascend_sim.source.callsite import working_folder
    from ascend_sim.untrusted.files import real_path

    ascendcl.load()
    folder = os.path.dirname(real_path(arguments[0]))
    look_elsewhere(folder)
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = working_folder() if module else folder
    found = real_acl()
    if found is not None and not os.environ.get("ASCEND_SIM_SHADOW_REAL_ACL"):
        _stop(
            f"a real `acl` is installed here ({found}), and the simulator would hide it.",
            "If you want the device, run the program with plain python. If you want the simulator all the same,\n"
            "set ASCEND_SIM_SHADOW_REAL_ACL=1, or use an environment without CANN on PYTHONPATH.",
        )
    if "ASCEND_SIM_SPOOL" in os.environ:
        _end_with_parent()
    try:
        sim = join_run()
    except (ValueError, KeyError, RuntimeError) as error:  # a setting that the simulator refuses; it says which
        _stop(str(error.args[0] if error.args else error))
    say(sys.stderr, _banner(sim))
    before = os.environ.get("ASCEND_SIM_BEFORE")
    if before:  # rooms above this one, which the command has chosen for this program
        importlib.import_module(before)
    if os.environ.get("ASCEND_SIM_TRACEBACK") != "full":  # for those who look for a fault of the simulator itself
        hooks = _Hooks()
        sys.excepthook, threading.excepthook, sys.unraisablehook = hooks.of_main, hooks.of_thread, hooks.of_nobody
    for runs in (_run_module, _run_file):
        open_to_signals(runs)
    if not getattr(sys.flags, "safe_path", False):
        keep_apart(arguments[0] if not module and _is_archive(arguments[0]) else sys.path[0])
    if module:
        _run_module(arguments[0])
    else:
        _run_file(arguments[0])


def _end_with_parent() -> None:
    """When the watching parent is killed, this process is to end as well (Linux; elsewhere it goes on)."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    parent_death_signal = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGTERM)


def _banner(sim: Simulator) -> str:
    from ascend_sim._version import __version__
    from ascend_sim.findings.languages import in_lines

    devices = f"{len(sim.devices)} device{'s' if len(sim.devices) != 1 else ''}"
    return in_lines(
        f"ascend-sim {__version__}: simulated {sim.profile.name}, {devices}, seed {sim.seed}, "
        f"schedule {sim.scheduler.schedule.name}"
    )


def _is_archive(path: str) -> bool:
    """Whether a program is a folder or an archive of modules, which is what it imports from."""
    return os.path.isdir(path) or path.endswith((".zip", ".pyz"))


def _run_file(path: str) -> None:
    if _is_archive(path):
        import runpy

        sys.path.pop(0)
        runpy.run_path(path, run_name="__main__")
        return
    try:
        full = os.path.abspath(path)
        with open(full, "rb") as file:
            source = file.read()
        code: CodeType = compile(source, full, "exec", dont_inherit=True)
    except OSError as error:
        _stop(f"can't open {path!r}: {error.strerror}")
    module = ModuleType("__main__")
    module.__dict__.update(__file__=full, __builtins__=__builtins__, __spec__=None, __cached__=None)
    _be_main(module, os.path.dirname(os.path.realpath(full)))
    exec(code, module.__dict__)


def _run_module(name: str) -> None:
    import runpy

    from ascend_sim.source.callsite import working_folder

    module = ModuleType("__main__")
    module.__dict__.update(__builtins__=__builtins__)
    _be_main(module, working_folder())
    runpy._run_module_as_main(name)  # type: ignore[attr-defined] # what `python -m` itself calls


def _be_main(module: ModuleType, folder: str) -> None:
    """Make *module*, of a program in *folder*, ``__main__``.

    It stays until the end, so that threads, exit handlers, pickle and multiprocessing find the program.
    """
    sys.modules["__main__"] = module
    _PROGRAM.append((module, set(sys.modules), folder))


class _Hooks:
    """Show a traceback as the program would have it: without the simulator's frames.

    What they use is bound here: a destructor may raise when the interpreter can import nothing any more.
    """

    def __init__(self) -> None:
        from ascend_sim.findings.output import tell
        from ascend_sim.pyacl.hints import hint
        from ascend_sim.source.tracebacks import strip

        self.tell, self.hint, self.strip = tell, hint, strip

    def of_main(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        more = self.hint(error)
        self.strip(error)
        sys.__excepthook__(kind, error, error.__traceback__)
        if more:
            self.tell(more)

    def of_thread(self, args: threading.ExceptHookArgs) -> None:
        more = ""
        if args.exc_value is not None:
            more = self.hint(args.exc_value)
            self.strip(args.exc_value)
            args = threading.ExceptHookArgs((args.exc_type, args.exc_value, args.exc_value.__traceback__, args.thread))
        threading.__excepthook__(args)
        if more:
            self.tell(more)

    def of_nobody(self, args: sys.UnraisableHookArgs) -> None:
        """What ends a thread of ``acl.util.start_thread``, or leaves a ``__del__``."""
        if args.exc_value is not None and not sys.is_finalizing():
            self.strip(args.exc_value)
            shown = (args.exc_type, args.exc_value, args.exc_value.__traceback__, args.err_msg, args.object)
            args = type(args)(shown)  # type: ignore[call-arg]
        sys.__unraisablehook__(args)


def _stop(text: str, more: str = "") -> NoReturn:
    from ascend_sim.findings.output import tell

    tell(text, more=more)
    sys.exit(2)


if __name__ == "__main__":
    main()

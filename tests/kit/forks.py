"""Programs in processes of their own, without the price of a start: a server has imported the simulator, and forks.

A fresh `ascend-sim run` takes 0.3 CPU seconds, nearly all of them for imports: in the process that watches, and again in
that of the program. Here both are forks of processes that stand at the end of Python's own start
(`fork_server/sitecustomize.py`) with everything imported; from there a fork goes on as a fresh process would: the
interpreter runs its main program, and ends by itself. What cannot be had so is a setting that Python reads when it
starts (PYTHONHASHSEED, -X): tests of those, and of the start itself, take a fresh process. So do all where there is no
fork.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]
HANG = 600.0
"""Seconds after which a program is taken for hung: a guard, far from what the slowest machine needs."""
DIFFERS = "FORKS_DIFFERS"
"""The variable with the file for what `round_trips.py` sees in a program."""
_BOOT = str(ROOT / "ascend_sim" / "_boot.py")
_MAIN = str(ROOT / "ascend_sim" / "__main__.py")
_SCENARIOS = str(ROOT / "tests" / "unit" / "runtime" / "threads" / "scenarios.py")
_NOTEBOOK = str(ROOT / "tests" / "programs" / "run_notebook.py")
_HOOK = str(Path(__file__).resolve().parent / "fork_server")
_PROGRAM = ("numpy", *(f"ascend_sim.{room}.*" for room in ("ascendcl", "kernels", "observers", "pyacl")))
_ROUND_TRIPS = "tests.kit.round_trips"
MAINS = {
    "ascend_sim": (("-m", "ascend_sim"), ("numpy", "ascend_sim.*")),
    "boot": ((_BOOT,), (*_PROGRAM, _ROUND_TRIPS)),
    "notebook": ((_NOTEBOOK,), _PROGRAM),
    "pytest": (("-m", "pytest"), (*_PROGRAM, "pytest")),
    "scenarios": ((_SCENARIOS,), ("asyncio", "ascend_sim.runtime.*")),
}
"""What runs in the forks of a server, by a short name, and what is imported there (``.*``: all modules of a package)."""

_folder = ""
_servers: dict[str, subprocess.Popen[bytes]] = {}


class Forked:
    """A process that a server made: what `subprocess.Popen` has of a program that runs."""

    def __init__(
        self, address: str, words: Sequence[str], folder: str, env: Mapping[str, str], files: list[int]
    ) -> None:
        self._code: int | None = None
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(address)
        request = json.dumps({"words": list(words), "folder": folder, "env": dict(env)}).encode()
        socket.send_fds(self._line, [len(request).to_bytes(4, "little")], files)
        self._line.sendall(request)
        self.pid = int.from_bytes(_exactly(self._line, 4), "little")

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, or the number of the signal that ended it, negative."""
        if self._code is None:
            self._line.settimeout(timeout)
            self._code = int.from_bytes(_exactly(self._line, 4), "little", signed=True)
            self._line.close()
        return self._code

    def send_signal(self, number: int) -> None:
        """Send signal *number*."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


def run(
    main: str, words: Sequence[str], *, folder: Path | None = None, env: Mapping[str, str], merge: bool = False,
    fresh: bool = False,
) -> subprocess.CompletedProcess[str]:  # fmt: skip
    """Run ``MAINS[main]`` with the arguments *words*, as `subprocess.run` would; *merge*: stderr goes into stdout.

    The process is a fork; with *fresh* one that starts as a user's does.
    """
    if fresh or not hasattr(os, "fork"):
        return subprocess.run(
            [sys.executable, *MAINS[main][0], *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge else subprocess.PIPE, text=True, timeout=HANG, check=False,
            env=dict(env), cwd=folder,
        )  # fmt: skip
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull, "rb") as nothing:
        files = [nothing.fileno(), out.fileno(), out.fileno() if merge else err.fileno()]
        child = Forked(_server(main), words, str(folder or Path.cwd()), env, files)
        try:
            code = child.wait(HANG)
        except TimeoutError:
            child.kill()  # its line is closed: nobody asks how it ended
            raise AssertionError(f"{main} {' '.join(words)} hangs") from None
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return subprocess.CompletedProcess([main, *words], code, texts[0], texts[1])


def ascend_sim(
    *words: str | Path, folder: Path | None = None, merge: bool = False, fresh: bool = False, **variables: str
) -> subprocess.CompletedProcess[str]:
    """``ascend-sim`` with these words, as a user types it in *folder*; *variables* are added to the environment.

    *fresh* as for `run`.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ASCEND_SIM_") and k != "FORCE_COLOR"}
    # The checkout comes last: a program finds the simulator even where it is not installed.
    path = os.pathsep.join(filter(None, [variables.pop("PYTHONPATH", ""), str(ROOT)]))
    env = {**kept, "PYTHONUNBUFFERED": "1", "PYTHONPATH": path, **variables}
    with tempfile.TemporaryDirectory(prefix="forks-") as apart:
        differs = Path(apart, "differs")
        env[DIFFERS] = str(differs)
        done = run("ascend_sim", [str(word) for word in words], folder=folder, env=env, merge=merge, fresh=fresh)
        assert not differs.exists(), f"a finding comes back changed from the process of the program: {differs.read_text()}"
    return done


def _server(main: str) -> str:
    """The address of the server for *main*, started when it is asked for first."""
    global _folder
    if not _folder:
        _folder = tempfile.mkdtemp(prefix="forks-")
        atexit.register(_end)
    address = os.path.join(_folder, main)
    if main not in _servers:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(address)
        listener.listen(64)
        command, imports = MAINS[main]
        variables = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("ASCEND_SIM_", "PYTEST_"))},
            "PYTHONPATH": os.pathsep.join([_HOOK, str(ROOT)]), "PYTHONUNBUFFERED": "1",
            "OPENBLAS_NUM_THREADS": "1",  # a process with threads cannot be forked
            "FORKS_LISTEN": str(listener.fileno()), "FORKS_IMPORT": ",".join(imports),
            "FORKS_BOOT": _server("boot") if main == "ascend_sim" else "", "FORKS_OWN": address,
        }  # fmt: skip
        server = subprocess.Popen(
            [sys.executable, *command], env=variables, stdin=subprocess.PIPE, pass_fds=[listener.fileno()]
        )
        listener.close()  # one that ended while it started then refuses, and nobody waits for it
        _servers[main] = server
    return address


def _end() -> None:
    for server in _servers.values():
        server.communicate()  # closes its stdin, by which it knows
    shutil.rmtree(_folder, ignore_errors=True)


# -- in the server ---------------------------------------------------------------------------------------------------


def serve() -> None:
    """Fork for every request, as long as the tests run. Returns in the fork, for Python to go on with its start."""
    for name in os.environ["FORKS_IMPORT"].split(","):
        _import(name)
    gc.freeze()  # a collection in a fork would touch, and so copy, all of it
    boot, own = os.environ["FORKS_BOOT"], os.environ["FORKS_OWN"]
    listener = socket.socket(fileno=int(os.environ["FORKS_LISTEN"]))
    waiting = 0
    while True:
        ready, _, _ = select.select([listener, 0], [], [])
        while waiting and os.waitpid(-1, os.WNOHANG)[0]:
            waiting -= 1
        if listener not in ready:
            _leave(waiting)
        line, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            _fork(line)  # returns in the process of the program only
            if boot:
                _forks_for_programs(boot, own)
                _end_at_once()
            return
        waiting += 1
        line.close()


_APART = (".shims", ".on_torch", "ascend_sim.torch")
"""Modules that stand for others, or import torch."""


def _import(name: str) -> None:
    module = importlib.import_module(name.removesuffix(".*"))
    if name.endswith(".*"):
        for found in pkgutil.walk_packages(module.__path__, f"{module.__name__}."):
            if not found.name.endswith("__main__") and not any(part in found.name for part in _APART):
                importlib.import_module(found.name)


def _leave(waiting: int) -> NoReturn:
    """End, after everything that was forked has ended: its time counts as that of the tests."""
    for _ in range(waiting):
        os.wait()
    os._exit(0)


def _fork(line: socket.socket) -> None:
    """Make a process for the request on *line*, and tell its exit code there; in the process itself, return."""
    size, files, _, _ = socket.recv_fds(line, 4, 3)
    request = json.loads(_exactly(line, int.from_bytes(size, "little")))
    pid = os.fork()
    if pid:
        for file in (0, *files):
            os.close(file)
        line.sendall(pid.to_bytes(4, "little"))
        _, status = os.waitpid(pid, 0)
        try:
            line.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "little", signed=True))
        except BrokenPipeError:
            pass  # who asked has ended
        os._exit(0)
    line.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv[1:] = request["words"]
    asked = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    sys.path[:] = asked + [part for part in sys.path if part not in (_HOOK, str(ROOT))]
    round_trips = sys.modules.get(_ROUND_TRIPS)
    if round_trips is not None and DIFFERS in os.environ:
        round_trips.watch(os.environ[DIFFERS])
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]  # the program may have its own


def _forks_for_programs(boot: str, own: str) -> None:
    """In `ascend-sim`: let the process of the program be a fork as well, and so another `ascend-sim`, without limits."""
    real: Any = subprocess.Popen
    servers = {_BOOT: boot, _MAIN: own}

    def start(command: list[str], **options: Any) -> Any:
        inner = command[1:2] == [_MAIN] and hasattr(options.get("stdout"), "fileno")
        if command[:1] != [sys.executable] or not (inner or command[1:2] == [_BOOT]):
            return real(command, **options)
        files = [0, 1, 2]
        if inner:
            files = [os.open(os.devnull, os.O_RDONLY), options["stdout"].fileno(), options["stderr"].fileno()]
        folder = str(options.get("cwd") or os.getcwd())
        return Forked(servers[command[1]], command[2:], folder, options["env"], files)

    subprocess.Popen = start  # type: ignore[assignment, misc]


def _end_at_once() -> None:
    """Let `sys.exit(main())` of `ascend-sim` be the end: taking the interpreter apart would touch all that was imported."""
    real = sys.exit

    def end(code: Any = None) -> NoReturn:
        if sys._getframe(1).f_code.co_filename != _MAIN:
            real(code)
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    sys.exit = end


def _exactly(line: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = line.recv(size - len(found))
        if not part:
            raise EOFError("the server of forks has ended")
        found += part
    return found

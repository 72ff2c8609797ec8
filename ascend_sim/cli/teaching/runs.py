"""Runs a student's program in a process of its own, within limits, and gathers what there is to judge.

The process is ``ascend-sim run``: a crash, a hang or an endless loop of the program ends that process and not the
checker. The limits are guards against accidents, no protection against a program that wants to do harm.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs

from ascend_sim.catalogue.tables import PACKAGE

__all__ = ["Call", "Limits", "Outcome", "run"]


_QUERIES = ("aclrtQueryEvent", "aclrtQueryEventStatus", "aclrtQueryEventWaitStatus", "aclrtStreamQuery")


@attrs.frozen
class Limits:
    """What a program may take: real seconds, MiB of memory, MiB of any file that it writes, MiB of output kept."""

    seconds: float = 60.0
    memory: int = 4096
    file: int = 256
    output: int = 1


@attrs.frozen
class Call:
    """One call of the API."""

    thread: int
    name: str
    arguments: tuple[Any, ...]
    code: int | None
    line: int | None


@attrs.frozen
class Outcome:
    """What a run left: output, findings, calls, work by stream, what memory held."""

    code: int
    out: str
    err: str
    ended: str = ""
    """Which limit ended it; empty: none."""
    findings: tuple[dict[str, Any], ...] = ()
    calls: tuple[Call, ...] = ()
    work: tuple[tuple[str, ...], ...] = ()
    memory: tuple[tuple[str, int, int | None], ...] = ()
    nanoseconds: int = 0
    whole: bool = True
    """Whether the program came to the end of its run, so that calls and memory are known."""

    def called(self, name: str) -> list[Call]:
        """The calls of the C function *name*."""
        return [call for call in self.calls if call.name == name]

    def waits(self) -> list[Call]:
        """The calls in which the host waited for a stream, an event or a device; a loop that asks waits once."""
        asked = Counter((call.name, call.line) for call in self.calls if call.name in _QUERIES)
        found, loops = [], set[tuple[str, int | None]]()
        for call in self.calls:
            loop = (call.name, call.line)
            if call.name.startswith("aclrtSynchronize") or (asked[loop] > 1 and loop not in loops):
                found.append(call)
                loops.add(loop)
        return found

    def kinds(self) -> set[str]:
        """The kinds of findings, without those that follow from another one."""
        return {finding["kind"] for finding in self.findings if not finding.get("cause")}


def run(
    program: Path, options: str = "", limits: Limits | None = None, variables: Mapping[str, str] | None = None
) -> Outcome:
    """Run *program* with *options* of ``ascend-sim run`` and *variables*, in the folder of the program."""
    limits = limits or Limits()
    with tempfile.TemporaryDirectory(prefix="ascend-sim-check-") as place:
        names = {name: os.path.join(place, name) for name in ("findings", "record", "out", "err")}
        command = [
            sys.executable, os.path.join(PACKAGE, "__main__.py"), "run", "--color", "never", "--json", names["findings"],
            *shlex.split(options), "--", str(program.resolve()),
        ]  # fmt: skip
        environment = {key: value for key, value in os.environ.items() if not key.startswith("ASCEND_SIM_")}
        environment |= {"ASCEND_SIM_RECORD": names["record"], "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
        environment |= variables or {}
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, [environment.get("PYTHONPATH"), os.path.dirname(PACKAGE)])
        )
        with open(names["out"], "wb") as out, open(names["err"], "wb") as err:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment,
                cwd=program.resolve().parent, start_new_session=True,
            )  # fmt: skip
            _limit(child.pid, limits)
            ended = _watch(child, limits)
            code = child.wait()
        texts = [_text(names[name], limits) for name in ("out", "err")]
        return _outcome(code, texts, ended, _read(names["findings"]), _read(names["record"]))


def _limit(pid: int, limits: Limits) -> None:
    """Limit the run from outside, while it has not started the program yet; nothing where that cannot be done."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_FSIZE, prlimit
    except ImportError:
        return
    for what, most in ((RLIMIT_CPU, int(limits.seconds) + 1), (RLIMIT_FSIZE, limits.file << 20), (RLIMIT_CORE, 0)):
        with suppress(ProcessLookupError, PermissionError):
            hard = prlimit(pid, what)[1]
            prlimit(pid, what, (most if hard == RLIM_INFINITY else min(most, hard), hard))


def _watch(child: subprocess.Popen[bytes], limits: Limits) -> str:
    """Wait for the end; end it when it takes too much. Returns which limit did, empty for none."""
    end = time.monotonic() + limits.seconds
    pause = 0.01
    while True:
        try:
            child.wait(pause)
            return ""
        except (subprocess.TimeoutExpired, TimeoutError):
            pause = min(pause * 1.5, 0.2)
        if time.monotonic() > end:
            reason = f"it was still running after {limits.seconds:g} seconds"
        elif _resident(child.pid) > limits.memory << 20:
            reason = f"it took more than {limits.memory} MiB of memory"
        else:
            continue
        _end(child)
        return reason


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the run and all that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number) if hasattr(os, "killpg") else child.kill()
        with suppress(subprocess.TimeoutExpired, TimeoutError):
            child.wait(2)


def _resident(root: int) -> int:
    """Bytes of memory that process *root* and its children hold; 0 where nobody tells."""
    total, left = 0, [root]
    while left:
        pid = left.pop()
        try:
            with open(f"/proc/{pid}/statm", encoding="ascii") as file:
                total += int(file.read().split()[1]) * 4096
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
                left += map(int, file.read().split())
        except OSError:
            pass
    return total


def _text(path: str, limits: Limits) -> str:
    with open(path, "rb") as file:
        return file.read(limits.output << 20).decode("utf-8", "replace")


def _read(path: str) -> dict[str, Any] | None:
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _outcome(
    code: int, texts: Sequence[str], ended: str, found: dict[str, Any] | None, record: dict[str, Any] | None
) -> Outcome:
    out, err = texts
    findings = tuple(found["findings"]) if found else ()
    if record is None:
        return Outcome(code, out, err, ended, findings, whole=False)
    calls = tuple(Call(t, name, tuple(given), result, line) for t, name, given, result, line in record["calls"])
    work = tuple(tuple(kinds) for kinds in record["work"])
    memory = tuple((kind, size, digest) for kind, size, digest in record["memory"])
    return Outcome(code, out, err, ended, findings, calls, work, memory, record["end"])

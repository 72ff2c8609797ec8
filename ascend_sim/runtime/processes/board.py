"""The board of one run: a folder in which its processes leave word of what they share, and wake each other.

An entry is a small JSON file, changed under one lock of the folder; there is no server, so that no process is needed
but those that share. A process binds a datagram socket in the folder: a byte sent there says that entries have changed,
and the socket of a process that has ended refuses it. Shared bytes do not lie here (`machine/shared_pages.py`).

Linux, and other systems with Unix sockets and file locks; elsewhere `usable` is False and sharing ends at the process.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_INTERNAL_ERROR
from ascend_sim.errors import AclError
from ascend_sim.runtime.threads.real_time import real_ns
from ascend_sim.untrusted.files import read_file

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:  # a process that is alone, as nearly all are, does not load what only neighbours need
    import socket

__all__ = ["FIRST", "NOBODY", "VARIABLE", "Board", "Entry", "Who", "alive", "myself", "name_for", "usable"]

VARIABLE = "ASCEND_SIM_BOARD"
"""The environment variable with the folder: all processes that inherit it are of one run."""
FIRST = "ASCEND_SIM_FIRST"
"""The first process of the run, as `Who` says it: it leaves no file behind as long as it has shared nothing."""
NOBODY = "0.0"
"""What `FIRST` says where the program of the run is no Python: it may be a script, whose processes find each other."""

Entry = dict[str, Any]
Who = str
"""A process: ``number.start``. The start is in clock ticks, since the system gives numbers out again."""

usable = fcntl is not None

_MEMORY = "/dev/shm"
_LONGEST = 40  # the address of a socket has room for 107 characters
_PREFIX = "ascend-sim-"
_LARGEST = 1 << 26
"""Bytes of an entry."""
STALE_SECONDS = 3600.0
"""A board whose processes are gone is nobody's after so long: one that has not joined yet may still come."""
_LOOKED_NS = 5_000_000
"""So long (real ns) an answer about the neighbours stays good: a loop of sleeps must not read the folder each time."""


def name_for(owner: str) -> str:
    """A folder that nobody has, for the run of process *owner*; it is made when something is first shared."""
    parent = _MEMORY
    if not os.path.isdir(parent) or not os.access(parent, os.W_OK):
        import tempfile

        parent = tempfile.gettempdir()
    if len(parent) > _LONGEST:
        parent = "/tmp"
    return os.path.join(parent, f"{_PREFIX}{owner}-{os.urandom(4).hex()}")


def owner_of(folder: str) -> int:
    """The number of the process that `name_for` made the name *folder* for; 0: it is no such name."""
    words = os.path.basename(folder).split("-")
    number = words[2].partition(".")[0] if len(words) == 4 else ""
    return int(number) if number.isdecimal() else 0


def _start_of(process: int) -> str:
    """When *process* began, in clock ticks; empty when it is gone, or waits as a zombie; ``0`` where that is not told."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            fields = file.read().rpartition(b") ")[2].split()
    except OSError:
        if os.path.isdir("/proc/self"):
            return ""
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return ""
        except OSError:
            pass
        return "0"
    return "" if fields[0] in (b"Z", b"X") else fields[19].decode()


def myself() -> Who:
    """This process."""
    return f"{os.getpid()}.{_start_of(os.getpid())}"


def number_of(who: Who) -> int:
    """The process number."""
    return int(who.partition(".")[0])


def alive(who: Who) -> bool:
    """Whether that process still runs."""
    number, _, start = who.partition(".")
    return _start_of(int(number)) == start


def _children_of(process: int | str) -> list[int]:
    """The children of *process*. Raises OSError: it is gone, or this is not Linux."""
    found: list[int] = []
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/children", "rb") as file:
            found += [int(word) for word in file.read().split()]
    return found


def _children() -> list[int]:
    """The living children of this process that run its interpreter: they may be about to join."""
    found: list[int] = []
    try:
        mine = os.readlink("/proc/self/exe")
        found = _children_of("self")
        return [child for child in found if _start_of(child) and os.readlink(f"/proc/{child}/exe") == mine]
    except OSError:
        return []  # not Linux, or one that has ended meanwhile


def _start_of_run(folder: str) -> int:
    """The oldest process of the run: the last one, from parent to parent, that was given *folder*."""
    wanted = f"{VARIABLE}={folder}".encode()
    found = process = os.getpid()
    while process > 1:
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                if process != os.getpid() and wanted not in file.read().split(b"\0"):
                    break
            found = process
            with open(f"/proc/{process}/stat", "rb") as file:
                process = int(file.read().rpartition(b") ")[2].split()[1])
        except OSError:
            break
    return found


def _uses_library(process: int) -> bool:
    """Whether *process* is a C or C++ program of the simulator: it comes to the board with its first call."""
    try:
        with open(f"/proc/{process}/maps", "rb") as file:
            return b"/libascendcl.so" in file.read()
    except OSError:
        return False


def _remove_stale(parent: str, now: float) -> None:
    """Remove the boards of runs that were killed: old ones of this user, of which no process lives.

    *now*: the time of the system of files. `time.time()` is the program's, and costs a call of virtual time.
    """
    with contextlib.suppress(OSError):
        for name in os.listdir(parent):
            folder = os.path.join(parent, name)
            if name.startswith(_PREFIX) and owner_of(folder):
                with contextlib.suppress(OSError):
                    _remove_if_stale(folder, now)


def _remove_if_stale(folder: str, now: float) -> None:
    found = os.lstat(folder)
    old = now - found.st_mtime > STALE_SECONDS
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or not old or _start_of(owner_of(folder)):
        return
    if not any(alive(name[2:]) for name in os.listdir(folder) if name.startswith("s-")):
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


class Board:
    """The board as one process sees it; *me* is another name for it in tests that play several processes."""

    def __init__(self, folder: str, me: Who = "") -> None:
        self.folder = folder
        self.me = me or myself()
        self._process = os.getpid()
        self._lock = -1
        self._socket: socket.socket | None = None
        self._watched: dict[Who, int] = {}
        """Open files by which the system tells the end of a process (pidfd); -1 where it cannot."""
        self._company: tuple[int, bool] = (0, False)
        self._older = {*_children()}
        """Children that are older than this board: they have nothing to do with what it is for."""
        self._oldest = 0
        """The oldest process of the run; looked up where that is a script."""

    # -- being there ---------------------------------------------------------------------------------------------------

    def join(self) -> None:
        """Be seen by the other processes. Raises AclError 507000: the folder cannot be made."""
        if self._socket is None:
            with self._told():
                self._join()

    def _join(self) -> None:
        self._make_folder()
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._lock = os.open(os.path.join(self.folder, "lock"), flags, 0o600)
        import socket

        made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            made.setblocking(False)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._door(self.me))
            made.bind(self._door(self.me))
        except BaseException:
            made.close()
            os.close(self._lock)
            self._lock = -1
            raise
        self._socket = made

    def _make_folder(self) -> None:
        """Make the folder when it is not there. Raises OSError, also for one that another user made, or can write."""
        try:
            os.mkdir(self.folder, 0o700)
        except FileExistsError:
            found = os.lstat(self.folder)
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
                raise OSError(errno.EPERM, "it is not ours alone", self.folder) from None
        else:
            _remove_stale(os.path.dirname(self.folder), os.lstat(self.folder).st_mtime)

    @property
    def joined(self) -> bool:
        """Whether others can see this process."""
        return self._socket is not None

    def forked(self) -> bool:
        """Whether this is the child of a fork now: it is another process, and has to join for itself."""
        if os.getpid() == self._process:
            return False
        self._process = os.getpid()
        self.me = myself()
        self._company = (0, False)
        self._older = set()
        for file in (self._lock, *self._watched.values()):
            if file >= 0:
                os.close(file)
        self._lock = -1
        self._watched.clear()
        if self._socket is not None:
            self._socket.close()  # the file of it belongs to the parent
            self._socket = None
        return True

    def leave(self) -> None:
        """This process is seen no more; its entries stay."""
        if self._socket is None or os.getpid() != self._process:
            return
        with contextlib.suppress(OSError):
            os.unlink(self._door(self.me))
        self._socket.close()
        self._socket = None
        for file in (self._lock, *self._watched.values()):
            if file >= 0:
                os.close(file)
        self._lock = -1
        self._watched.clear()

    def remove(self) -> None:
        """The run is over: nothing of it stays."""
        self.leave()
        import shutil

        shutil.rmtree(self.folder, ignore_errors=True)

    def others(self) -> list[Who]:
        """The other processes of the run that live: those that joined, and the first one."""
        try:
            found = {name[2:] for name in os.listdir(self.folder) if name.startswith("s-")}
        except OSError:
            found = set()
        first = os.environ.get(FIRST, "")
        if first:
            found.add(first)
        found.discard(self.me)
        return sorted(who for who in found if alive(who))

    def company(self) -> bool:
        """Whether another process of the run lives, or a child that may become one: an answer up to 5 ms old."""
        if os.getpid() != self._process:
            self.forked()
        looked, answer = self._company
        now = real_ns()
        if now - looked > _LOOKED_NS:
            answer = bool(self.others() or {*_children()} - self._older or self._siblings())
            self._company = now, answer
        return answer

    def _siblings(self) -> bool:
        """Whether the script of this run has started another program that will join: it may be slow with that."""
        if os.environ.get(FIRST) != NOBODY:
            return False
        self._oldest = self._oldest or _start_of_run(self.folder)
        me, todo = os.getpid(), [self._oldest]
        while todo:
            process = todo.pop()
            if process not in (me, self._oldest) and _uses_library(process):
                return True
            with contextlib.suppress(OSError):
                todo += _children_of(process)
        return False

    # -- entries -------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """A context in which nobody else uses the board."""
        self.join()
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """What goes wrong with a file of the folder (the disk is full, somebody removed it) is the failure of a call."""
        try:
            yield
        except (OSError, ValueError, RecursionError) as error:
            why = getattr(error, "strerror", None) or str(error)
            text = f"{self.folder!r}, where the processes of this run leave word for each other, cannot be used: {why}"
            raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text) from None

    def read(self, name: str) -> Entry | None:
        """The entry, as it is now; None: there is none."""
        with self.locked():
            return self._load(name)

    def change(self, name: str) -> Change:
        """A context in which nobody else uses the board: its value is the entry, empty when there was none.

        What is in it at the end is the new entry; who is named in its ``users`` is woken.
        """
        return Change(self, name)

    def _load(self, name: str) -> Entry | None:
        with self._told():
            try:
                found: Entry = json.loads(read_file(os.path.join(self.folder, name), _LARGEST))
            except FileNotFoundError:
                return None
            if not isinstance(found, dict):
                raise ValueError(f"{name!r} is no entry")
            return found

    def _store(self, name: str, entry: Entry) -> None:
        path = os.path.join(self.folder, name)
        with self._told():
            with open(f"{path}~", "wb") as file:
                file.write(json.dumps(entry).encode())
            os.replace(f"{path}~", path)  # whole, or as it was: a process may be killed here

    # -- waking each other ---------------------------------------------------------------------------------------------

    def wake(self, processes: list[Who]) -> None:
        """Say to these that entries have changed; those that have ended do not hear it."""
        for who in processes:
            if who == self.me or self._socket is None:
                continue
            try:
                self._socket.sendto(b"!", self._door(who))
            except OSError as error:
                full = (errno.EAGAIN, errno.ENOBUFS)  # it has not heard what was said before, and will look anyway
                if error.errno not in (*full, errno.ECONNREFUSED, errno.ENOENT, errno.ENOTSOCK):
                    raise

    def heard(self) -> bool:
        """Whether somebody has said that entries changed, since the last time this was asked."""
        found = False
        while self._socket is not None:
            try:
                self._socket.recv(16)
            except BlockingIOError:
                break
            found = True
        return found

    def wait(self, seconds: float, processes: list[Who]) -> bool:
        """Block in the system until somebody says something or one of *processes* ends; False when nothing came."""
        if self._socket is None:
            return False
        import select

        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        for who in processes:
            file = self._end_of(who)
            if file >= 0:
                poll.register(file, select.POLLIN)
            elif not alive(who):
                return True
        return bool(poll.poll(max(seconds * 1000, 0)))

    def gone(self, who: Who) -> bool:
        """Whether that process has ended, in about a microsecond."""
        file = self._end_of(who)
        if file < 0:
            return not alive(who)
        import select

        poll = select.poll()
        poll.register(file, select.POLLIN)
        if not poll.poll(0):
            return False
        os.close(file)  # a server may see thousands of processes come and go
        self._watched[who] = -1
        return True

    def left(self, who: Who) -> bool:
        """Whether that process has ended, or is seen no more: it has closed its simulator."""
        return not os.path.exists(self._door(who)) or self.gone(who)

    def _end_of(self, who: Who) -> int:
        file = self._watched.get(who)
        if file is None:
            file = -1
            if alive(who) and hasattr(os, "pidfd_open"):
                with contextlib.suppress(OSError):
                    file = os.pidfd_open(number_of(who))
            self._watched[who] = file
        return file

    def _door(self, who: Who) -> str:
        return os.path.join(self.folder, f"s-{who}")


class Change:
    """One change of one entry, under the lock of the board."""

    __slots__ = ("_board", "_context", "entry", "name")

    def __init__(self, board: Board, name: str) -> None:
        self._board = board
        self.name = name

    def __enter__(self) -> Entry:
        self._context = self._board.locked()
        self._context.__enter__()
        self.entry = self._board._load(self.name) or {}
        return self.entry

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._board._store(self.name, self.entry)
        finally:
            self._context.__exit__(None, None, None)
        if kind is None:
            self._board.wake(self.entry.get("users", []))

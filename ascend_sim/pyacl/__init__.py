"""pyACL: the module ``acl`` with its namespaces ``rt mdl media op blas util prof himpi fv``, over the C face.

docs/semantics/pyacl.md says how the real one behaves, ``data/pyacl.tsv`` lists its 742 functions. Each is made from its
row when it is first used. There are no constants and no classes, as in the real module.

Where it differs from the real module:

- The GIL: the real one keeps it in all calls but ten, so that no other Python thread runs meanwhile
  (docs/semantics/pyacl.md#the-interpreters-lock).
- Functions are Python functions: one that is kept in a class attribute turns into a method. ``vars(acl.rt)`` shows only
  those used so far; ``dir`` shows all.
- Functions that exist only in builds with USE_MDL, or only in newer documents, are always there. Formats of the newer
  ones (``rt.launch_kernel_with_host_args``, ``rt.device_set_limit``, ``rt.device_get_limit``) follow their pages.
- ``himpi``: 79 of its 130 functions work, those that public programs use; of the rest, and of ``fv``, only names are
  known. Those take anything and answer the code 207000, or 0 in place of a handle or a value.
- ``rt.allocator_set_*``: the real trampolines discard what the Python functions return; here the documents hold and the
  functions are handed on (docs/semantics/allocators.md#allocators-in-python); with the switch
  ``pyacl_allocator=published`` it is as in the real one. A value that cannot be called is refused with 100000.
- Undefined behaviour of the source is tamed: short descriptor lists are filled with NULL, the empty slots of a failed
  ``mdl.get_input_dynamic_dims`` are None, reads through bad addresses are findings (:mod:`ascend_sim.pyacl.pointers`).
"""

from __future__ import annotations

import atexit
import os.path
import sys
import warnings
from collections.abc import MutableMapping
from functools import cache
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ascend_sim.catalogue.pyacl import MODULES, row, rows
from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.findings.languages import in_lines
from ascend_sim.observers.guarded import guarded
from ascend_sim.pyacl import generate, native_threads, pointers
from ascend_sim.simulator import Simulator, current

__all__ = ["build", "install", "modules", "put_into"]


_ABOUT = {
    "": "initialisation, tensor descriptors, data buffers, and the namespaces rt, mdl, op, util, ...",
    "rt": "devices, contexts, streams, events, callbacks, memory and kernels",
    "mdl": "models: loading, describing, datasets, execution",
    "media": "pictures and video: descriptors, JPEG and PNG, scaling and cutting, video channels",
    "op": "single operators and custom kernels",
    "blas": "products of matrices",
    "util": "between addresses and Python objects, and threads for callbacks",
    "prof": "profiling",
    "himpi": "the second media interface: decoding, encoding, pictures; of some only names are known",
    "fv": "feature retrieval; only names are known",
}


_LATER = ("media", "himpi")
"""Namespaces that few programs use, and whose first function takes longer than all else: who uses one has called it."""


class _Namespace(ModuleType):
    """A module whose functions are made when somebody asks for them."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        full = "acl" if not name else f"acl.{name}"
        text = f"The simulator's {full}: {_ABOUT[name]}.\n\nhelp({full}.NAME) says what a function takes, returns and calls."
        super().__init__(full, text)
        self.__spec__ = ModuleSpec(full, None, origin="ascend_sim", is_package=not name)
        self.__file__ = __file__
        # not a package path: submodules are in sys.modules already
        if not name:
            self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        module = self.__name__.partition(".")[2]
        if name == "__all__":  # from acl.rt import *
            return sorted(rows()[module])
        found = None if name.startswith("__") else _function(module, name)
        if found is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        module = self.__name__.partition(".")[2]
        return sorted({*rows()[module], *self.__dict__})

    def __repr__(self) -> str:
        return f"<module {self.__name__!r} (ascend_sim)>"


def _function(module: str, name: str) -> Any:
    if module == "util":
        return pointers.FUNCTIONS.get(name) or native_threads.FUNCTIONS.get(name)
    found = row(module, name)
    if found is None:
        return None
    return generate.compile_row(found, *generate.adapters_of(module))


def build(name: str) -> ModuleType:
    """A fresh module: ``"acl"`` or one of its namespaces, ``"acl.rt"``. Raises KeyError for other names."""
    short = name.partition(".")[2]
    if name != "acl" and (not name.startswith("acl.") or short not in MODULES):
        raise KeyError(name)
    return _Namespace(short)


@cache
def modules() -> dict[str, ModuleType]:
    """The modules by the names under which ``sys.modules`` has them: ``acl``, ``acl.rt``, ..."""
    found = {"acl": build("acl"), **{f"acl.{name}": build(f"acl.{name}") for name in MODULES}}
    for name in MODULES:
        setattr(found["acl"], name, found[f"acl.{name}"])
    return found


def put_into(loaded: MutableMapping[str, ModuleType]) -> None:
    """Make ``import acl`` find the simulator: *loaded* is ``sys.modules``. Doing it twice changes nothing.

    Raises RuntimeError when another ``acl`` is there already, since a program could then work with both.
    """
    known = loaded.get("acl")
    if known is not None and not isinstance(known, _Namespace):
        origin = str(getattr(known, "__file__", None) or repr(known))
        if not origin.startswith(PACKAGE + os.sep):  # the shim of `ascend-sim run` may be there
            raise RuntimeError(f"another acl was imported before ({origin}): the simulator cannot take its place")
    loaded.update(modules())
    # A destructor may make its first call when the interpreter is shutting down and can import nothing any more.
    for name in ("", *MODULES):
        if name not in _LATER:
            generate.adapters_of(name)


def install(**options: Any) -> Simulator:
    """Make ``import acl`` mean the simulator in this process, with one current Simulator (notebooks, tests).

    Each finding is shown when it is found: on stderr, in a notebook under the cell. What the program touched too early is
    told when the process ends; what is left behind only at aclFinalize or ``close()``, since objects that free it may
    live until after that. Calling it again returns the same simulator, with a warning when other options are asked for.
    *options* are those of Simulator. Raises RuntimeError when a real ``acl`` was imported before.
    """
    from ascend_sim.findings.prompt import SessionPrinter

    put_into(sys.modules)
    sim = current()
    if sim is None:
        from ascend_sim.runtime.processes.neighbours import enter_run  # sockets, JSON: programs that share use them

        sim = Simulator(**options).open()
        sim.follow_environment()
        sim.findings.sinks.append(SessionPrinter(options))
        enter_run(sim)
        atexit.register(_last_races, sim)
    elif options:
        sessions = [sink for sink in sim.findings.sinks if isinstance(sink, SessionPrinter)]
        if any(session.options != options for session in sessions):
            text = "the simulator is installed already, and keeps its options: close() it before, for one with others"
            warnings.warn(in_lines(text), RuntimeWarning, stacklevel=2)
    return sim


def _last_races(sim: Simulator) -> None:
    """The process ends: what its tasks that are still queued would race with."""
    if sim is current() and sim.checks is not None and sim.checks.races is not None:
        guarded(sim, sim.checks.races, sim.checks.races.finalized)(sim)

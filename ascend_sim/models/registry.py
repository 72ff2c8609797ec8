"""The models of one simulator: stand-ins for paths, what may run, what is loaded, and under which id."""

from __future__ import annotations

import os
from collections import deque
from typing import TYPE_CHECKING, Final

from ascend_sim.constants.errors import (
    ACL_ERROR_GE_EXEC_MODEL_ID_INVALID,
    ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID,
    ACL_ERROR_GE_EXEC_NOT_INIT,
    ACL_ERROR_GE_FAILURE,
    ACL_ERROR_GE_MEMORY_ALLOCATION,
    ACL_ERROR_GE_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.faults import AddressFault, OutOfMemory
from ascend_sim.models.bodies import BodyError, Run, make_body
from ascend_sim.models.model import DYNAMIC, OM2, STATIC, Model, ModelMemory
from ascend_sim.models.time_limit import limit_from_environment
from ascend_sim.om import ModelDescription, OmFile, write
from ascend_sim.ops.registry import OperatorRegistry
from ascend_sim.runtime.memory.allocation import round_up
from ascend_sim.runtime.memory.told import tell_access
from ascend_sim.runtime.path_aliases import fitting

if TYPE_CHECKING:
    from ascend_sim.models.bundles import Bundle
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Bounds", "ModelRegistry", "check_initialised"]

MOST_EXECUTED: Final = 1024
"""The real library keeps four million operators of each model."""
FIRST_DYNAMIC: Final = 1 << 31
"""The first id of dynamic models and of bundles (docs/semantics/models.md#three-executors)."""


def check_initialised(t: ThreadState) -> None:
    """Raises AclError 145001 before aclInit and after aclFinalize."""
    if not t.sim.process.init_count:
        raise AclError(
            ACL_ERROR_GE_EXEC_NOT_INIT, "the executor of models is not initialised: call aclInit first", "acl"
        )


class Bounds:
    """Memory that the caller gives a model: (address, bytes) for work and for weights; NULL: the model allocates."""

    __slots__ = ("weight", "work")

    def __init__(self, work: tuple[int, int] = (0, 0), weight: tuple[int, int] = (0, 0)) -> None:
        self.work = work
        self.weight = weight


class ModelRegistry:
    """`sim.models`: ``sim.models["resnet50.om"] = "stand_in.om"`` lets a program that loads resnet50.om find another.

    What is registered may be a path (of a stand-in, or of an ONNX model), the bytes of a stand-in, or a description.
    A path is looked up as kernels are: as a whole, then by its trailing parts, then by the file name; names may be
    globs. ``ASCEND_SIM_MODELS`` holds PATTERN=PATH, separated by commas. Python code of a model runs only from modules
    that `allow` or ``ASCEND_SIM_MODEL_MODULES`` names.
    """

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._sources: dict[str, str | os.PathLike[str] | bytes] = {}
        self.unused: set[str] = set()
        """Names of ``ASCEND_SIM_MODELS`` that no load has met."""
        self._asked: set[str] = set()
        self.allowed: list[str] = []
        self.seconds = limit_from_environment()
        """The most real time that one run of an ONNX model with loops may take; 0: any. Loads look at it."""
        self.loaded: dict[int, Model] = {}
        self.bundles: dict[int, Bundle] = {}
        self.timeouts = {0: -1, 1: -1}
        """Limits of waits for streams and for events in ms, set by aclmdlSetExecConfigOpt for the whole process."""
        self.executed: deque[Task] = deque(maxlen=MOST_EXECUTED)
        """The latest executions of static models, for aclmdlCreateAndGetOpDesc."""
        self._next_static = 1
        self._next_dynamic = FIRST_DYNAMIC
        for item in os.environ.get("ASCEND_SIM_MODELS", "").split(","):
            pattern, _, source = item.partition("=")
            if pattern and source:
                self._sources[pattern] = source
                self.unused.add(pattern)
        self.allowed += [m for m in os.environ.get("ASCEND_SIM_MODEL_MODULES", "").split(",") if m]

    # -- what the user says --------------------------------------------------------------------------------------------

    def idle(self) -> list[str]:
        """What to say of mappings that nothing used."""
        asked = ", ".join(sorted(map(repr, self._asked))) or "no model"
        return [f"--models {name}=... was never used: the program loads {asked}" for name in sorted(self.unused)]

    def allow(self, *modules: str) -> None:
        """Let models run functions of these modules (names, may be globs)."""
        self.allowed += modules

    def __setitem__(self, path: str, source: str | os.PathLike[str] | bytes | ModelDescription) -> None:
        if isinstance(source, ModelDescription):
            source = write(source)
        if not isinstance(source, (str, os.PathLike, bytes)):
            raise TypeError(f"{path!r}: a path, the bytes of a stand-in or a description is required")
        self._sources[path] = source

    def source_of(self, path: str) -> str | os.PathLike[str] | bytes | None:
        """What is registered for *path*. Raises AclError 145002 when two patterns fit equally well."""
        fits = fitting(self._sources, path)
        self._asked.add(path)
        self.unused.difference_update(fits)
        if len(fits) > 1:
            raise AclError(
                ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID,
                f"{path!r} fits two registered models: {fits[0]!r} and {fits[1]!r}",
                "acl",
            )
        return self._sources[fits[0]] if fits else None

    # -- loading -------------------------------------------------------------------------------------------------------

    def next_dynamic_id(self) -> int:
        """The next number for a dynamic model or a bundle."""
        number, self._next_dynamic = self._next_dynamic, self._next_dynamic + 1
        return number

    def load(self, t: ThreadState, file: OmFile, index: int, given: Bounds, zipped: bool = False) -> Model:
        """The model at *index* of *file*, loaded on the current device.

        Raises AclError 145000 (given memory is too small), 500002 (its body cannot run), 107002, 245000 (no room).
        """
        description = file.models[index]
        executor = OM2 if zipped else DYNAMIC if description.is_dynamic else STATIC
        work = 0 if executor == DYNAMIC else description.work_size
        _check_given(given, work, description.weight_size)
        run = self._body(t, description, file.blob_of(index))
        context = t.current_context()
        memory: list[ModelMemory] = []
        for use, size, place in (("work", work, given.work), ("weight", description.weight_size, given.weight)):
            if size:
                memory.append(self._memory(t, context.device.index, use, size, place[0], memory))
        if executor == STATIC:
            number, self._next_static = self._next_static, self._next_static + 1
        else:
            number = self.next_dynamic_id()
        model = Model(number, description, executor, run)
        model.context, model.memory, model.site = context, memory, t.site
        dumping = t.sim.process.dumping
        model.dumping = dumping if dumping is not None and dumping.takes_models() else None
        self.loaded[number] = model
        return model

    def _body(self, t: ThreadState, description: ModelDescription, blob: bytes) -> Run | None:
        if description.body.kind == "none":
            return None
        try:
            with t.sim.threads.user_code(t):
                return make_body(description, blob, self._sim.part(OperatorRegistry), self.allowed, self.seconds)
        except BodyError as error:
            t.sim.report_call(t, "not-modelled", "warning", f"{t.call}: {error}", code=(t.call, ACL_ERROR_GE_FAILURE))
            raise AclError(ACL_ERROR_GE_FAILURE, str(error), "acl") from None

    def _memory(
        self, t: ThreadState, device: int, use: str, size: int, address: int, before: list[ModelMemory]
    ) -> ModelMemory:
        """Work or weight memory, weights written; without room what was taken *before* is given back."""
        if address:
            if use == "weight":
                _write_weights(t, address, size)
            return ModelMemory(use, address, size, None)
        try:
            block = t.sim.memory.allocate(device, size, round_up(size), site=t.site, kind="model")
        except OutOfMemory as full:
            self._give_back(t, before)
            raise AclError(
                ACL_ERROR_GE_MEMORY_ALLOCATION, f"no room for {size} bytes of the model: {full.text}", "acl"
            ) from None
        return ModelMemory(use, block.address, size, block)

    def _give_back(self, t: ThreadState, memory: list[ModelMemory]) -> None:
        for part in memory:
            if part.block is not None and not part.block.freed:
                self._sim.memory.free(part.block, t.site)

    # -- loaded ones ---------------------------------------------------------------------------------------------------

    def get(self, number: int) -> Model:
        """The model of this id. Raises AclError 145003."""
        model = self.loaded.get(number)
        if model is None:
            raise AclError(
                ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, f"model id {number} is not loaded{self._hint(number)}", "acl"
            )
        return model

    def _hint(self, number: int) -> str:
        if number in self.bundles:
            return ": it is a bundle"
        return f" (loaded are {', '.join(map(str, self.loaded))})" if self.loaded else ""

    def get_static(self, t: ThreadState, number: int) -> Model:
        """The model of this id, not run by the dynamic executor. Raises AclError 145001, 145003."""
        model = self.loaded.get(number)
        if model is None or model.executor != DYNAMIC:
            check_initialised(t)
        return self.get(number)

    def unload(self, t: ThreadState, model: Model) -> None:
        """Forget it and give its memory back. Nothing is awaited: what is queued still runs, and a finding says so."""
        if model.last is not None and not model.last.over():
            title = f"{model.describe()} is unloaded while an execution of it is queued or runs"
            t.sim.report_call(t, "undefined-use", "error", title, fix="wait for its stream first")
        if model.fed is not None:
            model.fed.end()
        del self.loaded[model.id]
        kept = [task for task in self.executed if getattr(task.op.action, "model", None) is not model]
        self.executed = deque(kept, MOST_EXECUTED)
        self._give_back(t, model.memory)
        if model.own is not None and not model.own.context.dead:
            model.let_go()


def _write_weights(t: ThreadState, address: int, size: int) -> None:
    """A load fills the caller's weight memory; what cannot be written is found when the model runs."""
    memory = t.sim.memory
    try:
        block = memory.check(address, size, True)
        memory.fill(address, 0, size)
    except AddressFault:
        return
    if block is not None:
        start = address - block.address
        tell_access(t.sim.hooks, t, block, start, start + size, True)


def _check_given(given: Bounds, work: int, weight: int) -> None:
    for what, (address, size), needed in (("work", given.work, work), ("weight", given.weight, weight)):
        if address and size < needed:
            raise AclError(
                ACL_ERROR_GE_PARAM_INVALID, f"the {what} memory has {size} bytes, the model needs {needed}", "acl"
            )

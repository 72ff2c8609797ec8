"""A loaded model: what it is, the gear that it remembers, its memory and its own stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_STREAM_ABORT
from ascend_sim.models.shapes import sizes
from ascend_sim.runtime.stream_failures import abort
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.models.bodies import Run
    from ascend_sim.models.queue_fed import QueueFed
    from ascend_sim.models.shapes import Dims
    from ascend_sim.om import ModelDescription
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.dumping.settings import DumpSettings
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["ASYNC", "BLOCKING", "DYNAMIC", "OM2", "STATIC", "ModelMemory", "Model"]

STATIC, DYNAMIC, OM2 = "static", "dynamic", "om2"
"""Which executor runs it (docs/semantics/models.md#three-executors)."""
BLOCKING, ASYNC = "blocking", "async"


class ModelMemory:
    """Memory of a model for *use* (``"work"`` or ``"weight"``): *nbytes* at *address*; *block* when it is its own."""

    __slots__ = ("address", "block", "nbytes", "use")

    def __init__(self, use: str, address: int, nbytes: int, block: Allocation | None) -> None:
        self.use = use
        self.address = address
        self.nbytes = nbytes
        self.block = block


class Model:
    """What a model id names."""

    __slots__ = (
        "bundle", "context", "description", "dumping", "executor", "fed", "gear", "id", "inferred", "last", "memory", "mode",
        "own", "priority", "run", "site", "sizes", "stream", "without_graph",
    )  # fmt: skip

    def __init__(self, id_: int, description: ModelDescription, executor: str, run: Run | None) -> None:
        self.id = id_
        self.description = description
        self.executor = executor
        self.run = run
        """Inputs to outputs; None for a model that can be described only."""
        self.sizes = sizes(description, False), sizes(description, True)
        """Bytes that inputs and outputs need, in the largest gear."""
        self.gear: Dims | None = None
        """The gear that was set last, whatever the dataset."""
        self.mode = ""
        """How a static model ran first, blocking or async: the other way is refused from then on (DM:7633-7637)."""
        self.stream = 0
        """The stream of an aclmdlExecuteV2, which a static model keeps (DM:7651-7661)."""
        self.bundle = 0
        """The bundle that it was loaded from."""
        self.priority = 0
        self.fed: QueueFed | None = None
        """It runs by itself, between queues."""
        self.memory: list[ModelMemory] = []
        """Work memory, then weights; each may be missing."""
        self.context: Context | None = None
        self.own: Stream | None = None
        self.last: Task | None = None
        """The execution that was queued last."""
        self.inferred: dict[tuple[Dims, ...], list[Dims]] = {}
        """Shapes of the outputs of a dynamic model, by those of the inputs."""
        self.site: object = None
        self.dumping: DumpSettings | None = None
        """What was to be dumped when it was loaded."""
        self.without_graph = False
        """Loaded with ACL_MDL_WITHOUT_GRAPH_INT32: what its operators are is forgotten."""

    @property
    def is_dynamic(self) -> bool:
        """Run by the executor for unknown shapes."""
        return self.executor == DYNAMIC

    def describe(self) -> str:
        """The model in words."""
        return f"model {self.id} ({self.description.name or 'without a name'})"

    def own_stream(self, t: ThreadState) -> Stream:
        """The stream of blocking executions, on the device of the current context. Raises AclError 107002, 207008."""
        context = t.current_context()
        own = self.own
        if own is None or own.context.dead or own.context.device is not context.device:
            self.let_go()
            own = self.own = context.device.new_stream(context, 0, 0, t.site)
            del t.sim.handles[own.handle]  # no program sees it, and nobody has to destroy it
        return own

    def let_go(self) -> None:
        """Give the stream back, unless it went down with its context."""
        own, self.own = self.own, None
        if own is not None:
            abort(own, ACL_ERROR_RT_STREAM_ABORT)
            own.context.device.return_stream(own)

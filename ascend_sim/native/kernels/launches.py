"""What a ``<<<>>>`` of a C++ program does: it launches the Python kernel of that name."""

from __future__ import annotations

import os

from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.stream.stream import synchronize_stream
from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.kernels.language.kernel import Kernel
from ascend_sim.kernels.launching.registry import KernelRegistry
from ascend_sim.kernels.launching.submit import launch_kernel
from ascend_sim.runtime.core import Runtime
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["NamedKernels", "launch"]


class NamedKernels:
    """The kernels of the files that the user named (``run --kernels``), by their names.

    A launch of a template looks for its instance first (``add<float>``, a name that `kernel` can give), then for the
    bare name.
    """

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self._files: dict[str, dict[str, Kernel]] = {}
        self._missing: set[str] = set()

    def find(self, t: ThreadState, name: str, source: str) -> Kernel:
        """Raises AclError 107000 when no file has it, or two have; of the first kind a finding says what to write."""
        registry = self.sim.part(KernelRegistry)
        for file in registry.files():
            if file not in self._files:
                self._files[file] = registry.load_file(file, False).kernels
        for wanted in (name, name.partition("<")[0]):
            found = [file for file, kernels in self._files.items() if wanted in kernels]
            if len(found) > 1:
                raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"kernel `{wanted}` stands in {' and in '.join(found)}")
            if found:
                return self._files[found[0]][wanted]
        raise self._absent(t, name, source)

    def _absent(self, t: ThreadState, name: str, source: str) -> AclError:
        plain = name.partition("<")[0]
        known = [f"{os.path.basename(file)} has {', '.join(kernels)}" for file, kernels in self._files.items()]
        file = os.path.splitext(os.path.basename(source))[0] + ".py"
        text = f"no Python kernel stands for `{name}` of {os.path.basename(source)}"
        there = "; ".join(known) or "no kernel file is named"
        if plain not in self._missing:
            self._missing.add(plain)
            self.sim.report_call(t, "not-modelled", "warning", f"{text}: its launches fail ({there})", fix=(
                f"write the function `{plain}` in a kernel file and name that (stub makes a skeleton of it):\n"
                f"ascend-sim stub --from {source} {file}\nascend-sim run --kernels {file} ..."
            ))  # fmt: skip
        return AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{text} ({there}): write it in {file}, and name that with --kernels"
        )


def launch(
    t: ThreadState, name: str | None, source: str | None, blocks: int, stream: int, args: int, size: int, prints: int
) -> None:
    """Queue the kernel with an argument block in host memory, which is copied now. With *prints* wait for the stream.

    Codes: 107000 no such kernel, no blocks, arguments that cannot be read; 107002, 107003 as of every launch; of one that
    waits what aclrtSynchronizeStream answers.
    """
    raw = peek(args, size)
    if raw is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{size} bytes of arguments cannot be read at {args:#x}", "driver")
    launch_kernel(t, t.sim.part(NamedKernels).find(t, name or "", source or ""), blocks, stream, raw)
    if prints and t.submit_stream(stream).recorder is None:  # a capture queues nothing
        synchronize_stream(t, stream)

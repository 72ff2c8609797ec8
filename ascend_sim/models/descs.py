"""What a model description answers: names, dims, ranges, gears (docs/semantics/models.md#descriptions)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ascend_sim.constants.errors import ACL_ERROR_INTERNAL_ERROR, ACL_ERROR_INVALID_PARAM, ACL_ERROR_STORAGE_OVER_LIMIT
from ascend_sim.errors import AclError
from ascend_sim.models.image_inputs import packed_dims, presented
from ascend_sim.models.shapes import Dims, all_inputs, input_dims, largest_dims, sizes
from ascend_sim.runtime.tensors.descriptors import required

if TYPE_CHECKING:
    from ascend_sim.om import ModelDescription, TensorDescription
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["MOST", "Desc", "desc_of_model"]

MOST: Final = 128
"""Dims, gears, characters of a name with its end: what the structs have room for."""
ANY_INDEX: Final = (1 << 64) - 1


class Desc:
    """What aclmdlCreateDesc makes; empty until aclmdlGetDesc* filled it."""

    __slots__ = ("handle", "inputs", "model", "number", "outputs", "sizes")

    def __init__(self) -> None:
        self.handle = 0
        self.clear()

    def clear(self) -> None:
        """Describe nothing."""
        self.model: ModelDescription | None = None
        self.number = 0
        self.inputs: tuple[TensorDescription, ...] = ()
        self.outputs: tuple[TensorDescription, ...] = ()
        self.sizes: tuple[list[int], list[int]] = ([], [])

    def fill(self, model: ModelDescription, number: int) -> None:
        """Describe *model*, which has the id *number* (0: it is not loaded)."""
        self.model = model
        self.number = number
        self.inputs = tuple(presented(said) for said in all_inputs(model))
        self.outputs = model.outputs
        self.sizes = sizes(model, False), sizes(model, True)

    def describe(self) -> str:
        """The description in words."""
        name = self.model.name if self.model is not None else "nothing"
        return f"model description {self.handle:#x} of {name}"

    def tensor(self, outputs: bool, index: int) -> TensorDescription:
        """One input or output. Raises AclError 100000 behind the end."""
        listed = self.outputs if outputs else self.inputs
        if index >= len(listed):
            what = "outputs" if outputs else "inputs"
            raise AclError(
                ACL_ERROR_INVALID_PARAM, f"index is {index}: {self.describe()} has {len(listed)} {what}", "acl"
            )
        return listed[index]

    def dims(self, outputs: bool, index: int) -> Dims:
        """As the model describes them: inputs with open dims, outputs of their largest gear. Raises AclError 100000."""
        tensor = self.tensor(outputs, index)
        if self.model is None or not outputs:
            return tensor.dims
        return largest_dims(self.model, True)[index]

    def packed_dims(self, index: int) -> Dims:
        """The dims of an input whose product is its size: those of images differ. Raises AclError 100000."""
        return packed_dims(self.tensor(False, index))

    # -- names ---------------------------------------------------------------------------------------------------------

    def alias(self, outputs: bool, index: int) -> str:
        """The name as a struct can hold it: a longer one is replaced."""
        name = self.tensor(outputs, index).name
        if len(name.encode()) < MOST:
            return name
        return f"acl_modelId_{self.number}_{'output' if outputs else 'input'}_{index}"

    def index_of(self, outputs: bool, name: str) -> int:
        """The index of a name. Raises AclError 100000."""
        listed = self.outputs if outputs else self.inputs
        for index, tensor in enumerate(listed):
            if tensor.name == name:
                return index
        known = ", ".join(tensor.name for tensor in listed)
        what = "output" if outputs else "input"
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{self.describe()} has no {what} {name!r} ({known})", "acl")

    def real_name(self, name: str) -> str | None:
        """The name behind a replaced one; a real one is its own; None for others."""
        for outputs, listed in ((False, self.inputs), (True, self.outputs)):
            for index, tensor in enumerate(listed):
                if name in (tensor.name, self.alias(outputs, index)):
                    return tensor.name
        return None

    # -- gears ---------------------------------------------------------------------------------------------------------

    def gears(self, kind: str) -> tuple[Dims, ...]:
        """The gears of this kind, none when there are others. Raises AclError 300000 for more than a struct holds."""
        gears = self.model.gears if self.model is not None else None
        if gears is None or gears.kind != kind:
            return ()
        if len(gears.choices) > MOST:
            raise AclError(
                ACL_ERROR_STORAGE_OVER_LIMIT, f"{self.describe()} has {len(gears.choices)} gears, {MOST} fit", "acl"
            )
        return gears.choices

    def has_gears(self) -> bool:
        """Whether there are any."""
        return self.model is not None and self.model.gears is not None

    def gear_dims(self, gear: Dims) -> list[int]:
        """The dims of all inputs but the gear's own in this gear, one after the other."""
        assert self.model is not None
        made = zip(all_inputs(self.model), input_dims(self.model, gear), strict=True)
        return [dim for said, dims in made if not said.is_setting for dim in dims]

    def ranges(self, index: int) -> list[tuple[int, int]]:
        """(least, most) of each dim of an input. Raises AclError 100000, 500000."""
        tensor = self.tensor(False, index)
        if not tensor.is_dynamic:
            found = [(dim, dim) for dim in tensor.dims]
        else:
            found = list(tensor.ranges)
        if len(found) != len(tensor.dims) or len(found) > MOST:
            text = f"input {index} has {len(tensor.dims)} dims and {len(found)} ranges (at most {MOST} fit)"
            raise AclError(ACL_ERROR_INTERNAL_ERROR, text, "acl")
        return found


def desc_of_model(t: ThreadState, handle: int) -> Desc:
    """The description of *handle*. Raises AclError 100000 for NULL, and, with a finding, for what is none."""
    return required(t, handle, Desc, "model description", "modelDesc")

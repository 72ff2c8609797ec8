"""What is special about the functions of ``acl.op`` and ``acl.blas``: lists, attributes, compile functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim import ascendcl
from ascend_sim.pyacl.callbacks import PENDING, needs_callable
from ascend_sim.pyacl.generate import Adapter
from ascend_sim.pyacl.lists import (
    address_lists,
    attribute_integers,
    bytes_of_flags,
    data_types,
    float_values,
    integer_lists,
    padded,
    strings,
)

__all__ = [
    "ADAPTERS", "COMPILE_FUNCTIONS", "PENDING", "CompileFunctions", "address_lists", "attribute_integers",
    "bytes_of_flags", "data_types", "float_values", "free_by_run_mode", "integer_lists", "needs_callable", "padded",
    "strings",
]  # fmt: skip


class CompileFunctions:
    """The Python compile functions by operator type, as the real module keeps them beside what C knows.

    A function stored for a type replaces the one before even when C refuses the second registration (100030): C calls
    the same trampoline, and that finds the new function (docs/semantics/pyacl.md#python-callbacks).
    """

    def __init__(self) -> None:
        self._functions: dict[str, Callable[..., Any]] = {}

    def store(self, op_type: str, function: Callable[..., Any]) -> Callable[..., int]:
        """Remember *function* and give what C is to call for *op_type*."""
        self._functions[op_type] = function

        def trampoline(inputs: int, in_desc: Any, outputs: int, out_desc: Any, attribute: int, kernel: int) -> int:
            found = self._functions.get(op_type)
            if found is not None:
                try:
                    found(inputs, list(in_desc), outputs, list(out_desc), attribute, kernel)
                except Exception as error:  # noqa: BLE001 - any error of the user's function: C sees 0
                    PENDING.error = error
            return 0

        trampoline.__wrapped__ = function  # type: ignore[attr-defined]
        return trampoline

    def drop(self, op_type: str) -> None:
        """Forget the function of *op_type*."""
        self._functions.pop(op_type, None)


COMPILE_FUNCTIONS = CompileFunctions()
"""A static variable of the real module, and so one a process."""


def free_by_run_mode(data: int, _: int) -> None:
    """The deallocator of ``create_kernel``: device memory on a device, host memory on a host."""
    mode, code = ascendcl.aclrtGetRunMode()
    if code == 0:
        (ascendcl.aclrtFree if mode == 0 else ascendcl.aclrtFreeHost)(data)


_LISTS_4 = """
input_desc, inputs, output_desc, outputs = address_lists(
    "argument 2, 3, 4, or 5 is not list", input_desc, inputs, output_desc, outputs
)
i, o = len(inputs), len(outputs)
"""
_EXECUTE = Adapter(
    before=_LISTS_4,
    call="op_type, i, padded(input_desc, i), inputs, o, padded(output_desc, o), outputs, attr, stream",
)
_LISTS_2 = (
    'input_desc, output_desc = address_lists("argument 2 or 3 is not list", input_desc, output_desc)\n'
    "i, o = len(input_desc), len(output_desc)"
)

_INFER = """
input_desc, inputs, output_desc = address_lists(
    "argument 2, 3, or 5 is not list", input_desc, inputs, output_desc
)
i = len(inputs)
"""

_UPDATE = f"""
{_LISTS_2}
code = c(op_type, i, input_desc, o, output_desc, attr)
PENDING.raise_in("update_params")
return code
"""

_REGISTER = """
needs_callable(func, "argument 2 must be a callback function.")
return c(op_type, COMPILE_FUNCTIONS.store(op_type, func))
"""


def _attributes(convert: str) -> Adapter:
    return Adapter(before=f"values = {convert}(values)", call="attr, name, len(values), values")


ADAPTERS: dict[str, Adapter] = {
    "op.execute": _EXECUTE,
    "op.execute_v2": _EXECUTE,
    "op.execute_with_handle": Adapter(
        before='inputs, outputs = address_lists("argument 2 or 3 is not list", inputs, outputs)',
        call="handle, len(inputs), inputs, len(outputs), outputs, stream",
    ),
    "op.set_attr_list_bool": _attributes("bytes_of_flags"),
    "op.set_attr_list_int": _attributes("attribute_integers"),
    "op.set_attr_list_float": _attributes("float_values"),
    "op.set_attr_list_string": _attributes("strings"),
    "op.set_attr_list_list_int": Adapter(
        before="values = integer_lists(values)", call="attr, name, len(values), [len(v) for v in values], values"
    ),
    "op.set_attr_list_data_type": Adapter(
        before="values = data_types(values)", call="attr, name, len(values), values", result="(attr, r)"
    ),
    "op.create_handle": Adapter(before=_LISTS_2, call="op_type, i, input_desc, o, output_desc, attr"),
    "op.create_kernel": Adapter(
        call="op_type, kernel_id, kernel_name, bin_data_ptr, bin_size, engine_type, "
        "free_by_run_mode if deallocator else None"
    ),
    "op.register_compile_func": Adapter(body=_REGISTER),
    "op.unregister_compile_func": Adapter(before="COMPILE_FUNCTIONS.drop(op_type)"),
    "op.update_params": Adapter(body=_UPDATE),
    "op.infer_shape": Adapter(
        before=_INFER,
        call="op_type, i, padded(input_desc, i), inputs, num_outputs, padded(output_desc, max(num_outputs, 0)), attr",
    ),
    # the wrapper passes incy twice
    "blas.gemv_ex": Adapter(
        call="trans_a, m, n, alpha, a, lda, dtype_a, x, incy, dtype_x, beta, y, incy, dtype_y, compute_type, stream"
    ),
}

"""What the first phase tests, once for all operators: NULL, types, formats, shapes (docs/semantics/aclnn.md#first-phase).

The rules go by the tables: which parameters may be NULL and have which types (``data/aclnn.tsv``), and of which kind an
operator is (``data/aclnn_kinds.tsv``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from ascend_sim.aclnn.codes import NULL_PARAMETER, WRONG_PARAMETER
from ascend_sim.aclnn.objects import Layout, ObjectList, Scalar, TensorView
from ascend_sim.aclnn.operators import OperatorSpec, Place
from ascend_sim.aclnn.promotion import FLOAT, converts, kind_of, promoted, promoted_with_scalar
from ascend_sim.constants.types import ACL_INT4, ACL_INT32
from ascend_sim.errors import AclError

__all__ = ["broadcast", "check"]

MOST_DIMS: Final = 8
PLAIN_FORMATS: Final = frozenset({-1, 0, 1, 2, 27, 30, 35, 47})
"""Formats whose bytes are the tensor in the order of its strides: ND, NCHW, NHWC, NDHWC, NCDHW, NCL."""
FEW_AXES: Final = frozenset({6, 7, 10, 11, 16, 17})
"""Types that are broadcast over fewer than `MOST_AXES` axes only: int16, uint16, uint64, double, complex."""
MOST_AXES: Final = 6
PROMOTING: Final = frozenset({"other", "exponent", "self"})
"""Scalars with these names are operands; others (a factor, a bound) are converted to the type that the operands have."""
ASIDE: Final = frozenset({"condition", "mask", "seedTensor", "offsetTensor"})
"""Tensors with these names have their own type."""


class Misfit(Exception):
    """Operands that do not fit; the message says why."""


def check(operator: OperatorSpec, things: Sequence[Any]) -> None:
    """Test the operands. Raises AclError 161001 for a missing one, 161002 for types, formats and shapes that do not fit."""
    for place, thing in zip(operator.places, things, strict=True):
        if thing is None and place.kind is not None and not place.optional:
            raise AclError(NULL_PARAMETER, f"{operator.name}: {place.name} is NULL", "acl")
    try:
        _check_types(operator, things)
        rule = _RULES.get(operator.kind.rule)
        if rule is not None:
            rule(operator, things)
    except Misfit as error:
        raise AclError(WRONG_PARAMETER, f"{operator.name}: {error}", "acl") from None


def _tensors(thing: Any) -> Iterator[Layout]:
    if isinstance(thing, TensorView):
        yield thing.key
    elif isinstance(thing, ObjectList):
        for element in thing.elements:
            if isinstance(element, TensorView):
                yield element.key


def _check_types(operator: OperatorSpec, things: Sequence[Any]) -> None:
    by_name: Mapping[str, Any] = {place.name: thing for place, thing in zip(operator.places, things, strict=True)}
    for place, thing in zip(operator.places, things, strict=True):
        for layout in _tensors(thing):
            # frameworks pass empty tensors of any type for what is left out, an index in a list too
            absent = 0 in layout.dims and (place.optional or isinstance(thing, ObjectList))
            absent |= by_name.get(f"{place.name}Flag") is False  # nobody asked for this output
            packed = layout.data_type == ACL_INT32 and ACL_INT4 in place.types
            if place.types and layout.data_type not in place.types and not absent and not packed:
                raise Misfit(f"{place.name} is {layout.describe()}: its type is not one of those that it takes")
            if place.like:
                other = next(_tensors(by_name.get(place.like)), None)
                if other is not None and other.data_type != layout.data_type:
                    raise Misfit(f"{place.name} is {layout.describe()}, {place.like} is {other.describe()}")
            if len(layout.dims) > MOST_DIMS:
                raise Misfit(f"{place.name} has {len(layout.dims)} dimensions, more than {MOST_DIMS}")
            if layout.format not in PLAIN_FORMATS and not operator.private_formats:
                raise Misfit(f"{place.name} has format {layout.format}, an internal one")


def broadcast(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The common shape. Raises Misfit."""
    if len(shapes) == 1:
        return shapes[0]
    rank = max(map(len, shapes))
    result = []
    for axis in range(-rank, 0):
        sizes = {shape[axis] for shape in shapes if len(shape) >= -axis} - {1}
        if len(sizes) > 1:
            raise Misfit(f"the shapes {', '.join(str(list(shape)) for shape in shapes)} cannot be broadcast")
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


def _axes(shapes: Sequence[tuple[int, ...]], common: tuple[int, ...]) -> int:
    """How many axes are left when neighbours are merged that are all broadcast or all not."""
    count, before = 0, None
    for axis in range(-len(common), 0):
        now = tuple(len(shape) < -axis or shape[axis] != common[axis] for shape in shapes)
        count += now != before
        before = now
    return count


def _outputs(operator: OperatorSpec, things: Sequence[Any]) -> list[tuple[Place, Layout]]:
    return [
        (place, thing.key)
        for place, thing in zip(operator.places, things, strict=True)
        if place.written and isinstance(thing, TensorView)
    ]


def _check_result(operator: OperatorSpec, made: int, place: Place, out: Layout) -> None:
    result = operator.kind.result
    if result == "any":
        return
    if result == "float" and kind_of(made) in ("int", "bool"):
        made = FLOAT
    elif result == "bool":
        return  # true and false become any type
    if kind_of(made) and kind_of(out.data_type) and not converts(made, out.data_type):
        raise Misfit(f"a result of data type {made} is not stored in {place.name}, {out.describe()}")


def _elementwise(operator: OperatorSpec, things: Sequence[Any]) -> None:
    """Operands are promoted and broadcast; the output has the shape that this gives."""
    shapes, made = [], None
    in_place = operator.name.startswith("aclnnInplace")
    scalars = []
    for place, thing in zip(operator.places, things, strict=True):
        if isinstance(thing, TensorView) and place.written and in_place:
            shapes.append(thing.key.dims)  # operands may be broadcast to it, and it is no operand of a copy
        if isinstance(thing, TensorView) and place.read:
            shapes.append(thing.key.dims)
            if place.name in ASIDE or operator.kind.result == "any":
                continue
            both = thing.key.data_type if made is None else promoted(made, thing.key.data_type)
            if both is None:
                raise Misfit(f"{thing.key.describe()} does not go together with data type {made}")
            made = both
        elif isinstance(thing, Scalar) and place.name in PROMOTING:
            scalars.append(thing.key)
    for scalar in scalars if made is not None else ():
        both = promoted_with_scalar(made, scalar)
        if both is None:
            raise Misfit(f"a scalar of data type {scalar} does not go together with tensors of data type {made}")
        made = both
    common = broadcast(shapes)
    if made in FEW_AXES and any(shape != common for shape in shapes) and _axes(shapes, common) >= MOST_AXES:
        raise Misfit(f"a broadcast over {_axes(shapes, common)} axes, which data type {made} does not have")
    for place, out in _outputs(operator, things):
        if out.dims != common:
            raise Misfit(f"the operands give the shape {list(common)}, {place.name} has {list(out.dims)}")
        if made is not None:
            _check_result(operator, made, place, out)


def _value(operator: OperatorSpec, things: Sequence[Any], *names: str) -> Any:
    for place, thing in zip(operator.places, things, strict=True):
        if place.name in names:
            return thing
    return None


def _axis(dim: int, rank: int) -> int:
    most = max(rank, 1)
    if not -most <= dim < most:
        raise Misfit(f"dim is {dim}, the tensor has {rank} dimensions")
    return dim % most


def _first_input(operator: OperatorSpec, things: Sequence[Any]) -> Layout | None:
    for place, thing in zip(operator.places, things, strict=True):
        if place.read and isinstance(thing, TensorView):
            found: Layout = thing.key
            return found
    return None


def _rows(operator: OperatorSpec, things: Sequence[Any]) -> None:
    """The output has the shape of the input; a dim is one of its dims."""
    given = _first_input(operator, things)
    dim = _value(operator, things, "dim")
    if given is None:
        return
    if isinstance(dim, int):
        _axis(dim, len(given.dims))
    for place, out in _outputs(operator, things):
        if out.dims != given.dims:
            raise Misfit(f"the shape is {list(given.dims)}, {place.name} has {list(out.dims)}")


def _reduce(operator: OperatorSpec, things: Sequence[Any]) -> None:
    """The output has the shape of the input without the dims, or with 1 there; no dims are all of them."""
    given = _first_input(operator, things)
    dims, keep = _value(operator, things, "dim", "dims"), _value(operator, things, "keepDims", "keepDim", "keepdim")
    if given is None:
        return
    rank = len(given.dims)
    named = [dims] if isinstance(dims, int) else list(dims.argument) if dims is not None else []
    axes = [_axis(dim, rank) for dim in named] or list(range(rank))
    if len(set(axes)) < len(axes):
        raise Misfit(f"dim {axes} names one twice")
    if keep:
        wanted = tuple(1 if axis in axes else size for axis, size in enumerate(given.dims))
    else:
        wanted = tuple(size for axis, size in enumerate(given.dims) if axis not in axes)
    for place, out in _outputs(operator, things):
        if out.dims != wanted:
            text = f"{list(given.dims)} without the dims {axes} gives {list(wanted)}"
            raise Misfit(f"{text}, {place.name} has {list(out.dims)}")
        if place.name not in ("indices", "indicesOut"):
            _check_result(operator, given.data_type, place, out)


def _masked(operator: OperatorSpec, things: Sequence[Any]) -> None:
    """A mask is broadcast to what is changed in place, which keeps its shape."""
    given, mask = _first_input(operator, things), _value(operator, things, "mask")
    if given is not None and isinstance(mask, TensorView) and broadcast([given.dims, mask.key.dims]) != given.dims:
        text = f"the operands give the shape {list(broadcast([given.dims, mask.key.dims]))}"
        raise Misfit(f"{text}, {operator.places[0].name} has {list(given.dims)}")


def _sampled(operator: OperatorSpec, things: Sequence[Any]) -> None:
    """Pictures (N, C, H, W) or volumes (N, C, D, H, W); for each a grid of points, with a number for each axis."""
    given, grid = _value(operator, things, "input").key, _value(operator, things, "grid").key
    rank = 5 if "3D" in operator.name else 4
    if len(given.dims) != rank or len(grid.dims) != rank:
        raise Misfit(f"input has the shape {list(given.dims)}, grid {list(grid.dims)}: both have {rank} dimensions")
    if grid.dims[0] != given.dims[0] or grid.dims[-1] != rank - 2:
        raise Misfit(f"input has the shape {list(given.dims)}: grid has {given.dims[0]} first and {rank - 2} last, "
                     f"not {list(grid.dims)}")  # fmt: skip
    out, wanted = _value(operator, things, "out"), (*given.dims[:2], *grid.dims[1:-1])
    if out is not None and out.key.dims != wanted:  # the gradients have others
        raise Misfit(f"out has the shape {list(out.key.dims)}, not {list(wanted)}")


def _matmul(operator: OperatorSpec, things: Sequence[Any]) -> None:
    """Rows times columns, batches broadcast."""
    a, b = [
        thing.key
        for place, thing in zip(operator.places, things, strict=True)
        if place.read and isinstance(thing, TensorView)
    ][:2]
    if promoted(a.data_type, b.data_type) is None:
        raise Misfit(f"{a.describe()} does not go together with {b.describe()}")
    if not a.dims or not b.dims:
        raise Misfit("an operand has no dimensions")
    left, right = (1, *a.dims) if len(a.dims) == 1 else a.dims, (*b.dims, 1) if len(b.dims) == 1 else b.dims
    if left[-1] != right[-2]:
        raise Misfit(f"{list(a.dims)} times {list(b.dims)}: {left[-1]} columns meet {right[-2]} rows")
    wanted = broadcast([left[:-2], right[:-2]]) if len(left) > 2 or len(right) > 2 else ()
    wanted += () if len(a.dims) == 1 else (left[-2],)
    wanted += () if len(b.dims) == 1 else (right[-1],)
    for place, out in _outputs(operator, things):
        if out.dims != wanted:
            raise Misfit(f"{list(a.dims)} times {list(b.dims)} gives {list(wanted)}, {place.name} has {list(out.dims)}")


_RULES: Final[Mapping[str, Callable[[OperatorSpec, Sequence[Any]], None]]] = {
    "elementwise": _elementwise,
    "masked": _masked,
    "sampled": _sampled,
    "rows": _rows,
    "reduce": _reduce,
    "matmul": _matmul,
}

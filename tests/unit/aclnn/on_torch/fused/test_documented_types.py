"""The types that the documents list for the tensors of fused operators: each has a row, or is refused for a reason.

Calls that the other files of this folder make are counted with the types in which `tests.kit.tensors.call` repeats them.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the bodies on CPU tensors need torch")

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn import loading
from ascend_sim.aclnn.codes import NO_KERNEL, WRONG_PARAMETER
from ascend_sim.aclnn.loading import numpy_bodies, torch_bodies
from ascend_sim.aclnn.on_torch import fused
from ascend_sim.aclnn.operators import operator_of
from ascend_sim.catalogue.aclnn import DATA_TYPES, operators
from tests.kit import operator_calls, tensors
from tests.kit.torch_bodies import Refused

HERE = Path(__file__)
BODIES = {name for name, body in torch_bodies().items() if body.__module__.startswith(fused.__name__)}
FILES = sorted(path.stem for path in HERE.parent.glob("test_*.py") if path != HERE)

WITHOUT_A_TYPE_HERE = "n y p q"
"""INT4, HIFLOAT8 and both FLOAT4: no operator computes with them; INT4 comes in INT32."""
FLOAT8 = {
    "products of FLOAT8, with scales of FLOAT8_E8M0 or others":
        "GroupedMatmulSwigluQuantV2:x:zw GroupedMatmulSwigluQuantV2:weight:zw GroupedMatmulSwigluQuantV2:weightScale:x "
        "GroupedMatmulSwigluQuantV2:xScale:x GroupedMatmulSwigluQuantV2:output:zw "
        "GroupedMatmulSwigluQuantV2:outputScale:x GroupedMatmulSwigluQuantWeightNzV2:x:w "
        "GroupedMatmulSwigluQuantWeightNzV2:weight:w GroupedMatmulSwigluQuantWeightNzV2:xScale:x "
        "GroupedMatmulV4:x:zw GroupedMatmulV4:weight:zw GroupedMatmulV4:scaleOptional:x "
        "GroupedMatmulV4:perTokenScaleOptional:x QuantMatmulWeightNz:x1Scale:x "
        "WeightQuantBatchMatmulNz:antiquantScale:x",
    "attention of FLOAT8":
        "FusedInferAttentionScoreV2:key:w FusedInferAttentionScoreV2:value:w "
        "FusedInferAttentionScoreV2:keyAntiquantScaleOptional:x FusedInferAttentionScoreV2:valueAntiquantScaleOptional:x "
        "FusedInferAttentionScoreV3:query:w FusedInferAttentionScoreV3:key:w FusedInferAttentionScoreV3:value:w "
        "FusedInferAttentionScoreV3:keyAntiquantScaleOptional:x FusedInferAttentionScoreV3:valueAntiquantScaleOptional:x "
        "FusedInferAttentionScoreV5:query:w FusedInferAttentionScoreV5:key:w FusedInferAttentionScoreV5:value:w "
        "FusedInferAttentionScoreV5:keyAntiquantScaleOptional:x FusedInferAttentionScoreV5:valueAntiquantScaleOptional:x",
    "a prologue of FLOAT8":
        "MlaPrologV3WeightNz:tokenX:w MlaPrologV3WeightNz:weightDq:w MlaPrologV3WeightNz:weightUqQr:w "
        "MlaPrologV3WeightNz:weightDkvKr:w MlaPrologV3WeightNz:kvCacheRef:w MlaPrologV3WeightNz:queryOut:w "
        "MlaPrologV3WeightNz:dequantScaleXOptional:x MlaPrologV3WeightNz:dequantScaleWDqOptional:x "
        "MlaPrologV3WeightNz:dequantScaleWUqQrOptional:x MlaPrologV3WeightNz:dequantScaleWDkvKrOptional:x "
        "MlaPrologV3WeightNz:queryNormOutOptional:w MlaPrologV3WeightNz:dequantScaleQNormOutOptional:x",
}  # fmt: skip
"""Operator, parameter and letters of types (`ascend_sim.catalogue.aclnn`) that the first phase refuses, by the reason."""
BY_THE_BODY = {
    "scales of FLOAT8 attention": "FlashAttentionScoreV4:dScaleQOptional:f FlashAttentionScoreV4:dScaleKOptional:f "
        "FlashAttentionScoreV4:dScaleVOptional:f FlashAttentionScoreGradV4:dScaleQOptional:f "
        "FlashAttentionScoreGradV4:dScaleKOptional:f FlashAttentionScoreGradV4:dScaleVOptional:f "
        "FlashAttentionScoreGradV4:dScaleDyOptional:f FlashAttentionScoreGradV4:dScaleOOptional:f",
    "joined caches": "MlaPrologV3WeightNz:kNopeClipAlphaOptional:f",
    "INT8 queries of MlaProlog without an output for their scales": "MlaProlog:queryOut:c",
    "weights of FLOAT4, eight in a FLOAT": "WeightQuantBatchMatmulNz:weight:f",
}  # fmt: skip
"""What the bodies refuse, by a part of the message."""


def _triples(table: dict[str, str]) -> Iterator[tuple[str, str, str, int]]:
    for reason, text in table.items():
        for entry in text.split():
            name, parameter, letters = entry.split(":")
            yield from ((reason, f"aclnn{name}", parameter, DATA_TYPES[letter]) for letter in letters)


def _documented() -> set[tuple[str, str, int]]:
    return {(name, parameter.name, number) for name in BODIES for parameter in operators()[name].parameters
            for number in parameter.types if "aclTensor" in parameter.ctype}  # fmt: skip


def _refused_at_first() -> set[tuple[str, str, int]]:
    without = {DATA_TYPES[letter] for letter in WITHOUT_A_TYPE_HERE.split()}
    return {one for one in _documented() if one[2] in without} | {tuple(one) for _, *one in _triples(FLOAT8)}


def _refused_by_bodies() -> set[tuple[str, str, int]]:
    return {(name, parameter, number) for _, name, parameter, number in _triples(BY_THE_BODY)}


# how a first phase is called with one tensor of a type, and the least of all else


def _tensor(number: int, address: int) -> int:
    return C.aclCreateTensor((2, 2), 2, number, (2, 1), 0, 2, (2, 2), 2, address)


def _plain(place: Any) -> int:
    """A type of torch that a parameter may have; INT32 where only INT4 is listed."""
    return min(place.types & set(tensors.NUMBERS.values()), default=DATA_TYPES["i"] if place.types else 0)


def _operand(place: Any, number: int | None, address: int) -> Any:
    """*number*: the type of a tensor; None where none is given."""
    if place.tensor:
        one = None if number is None else _tensor(number, address)
        return C.aclCreateTensorList([one], 1) if one and place.label == "aclTensorList" else one
    if place.optional:
        return None
    if place.label.endswith("Array"):
        return getattr(C, place.label.replace("acl", "aclCreate"))((1,), 1)
    return "" if place.text else 0


def _first_phase(name: str, parameter: str, number: int, address: int) -> tuple[int, str]:
    places = operator_of(name).places
    kinds = {place.name: None if place.optional else _plain(place) for place in places} | {parameter: number}
    kinds |= {place.name: kinds[place.like] for place in places if kinds.get(place.like) is not None}
    operands = [_operand(place, kinds[place.name], address) for place in places]
    *_, code = getattr(C, f"{name}GetWorkspaceSize")(*operands)
    return code, C.aclGetRecentErrMsg() if code else ""


@pytest.mark.parametrize("initial", sorted({name[5] for name in BODIES}))
def test_the_first_phase_refuses_what_is_not_computed_and_nothing_else(initial: str) -> None:
    """561003 and a finding, with the parameter and its type (docs/semantics/aclnn.md#first-phase); INT32 for INT4 passes."""
    refused = _refused_at_first()
    for name in sorted(name for name in BODIES if name[5] == initial):
        with Simulator() as sim:
            C.aclInit(None)
            C.aclrtSetDevice(0)
            address, _ = C.aclrtMalloc(1024, 0)
            told = 0
            for _, parameter, number in sorted(one for one in _documented() if one[0] == name):
                code, text = _first_phase(name, parameter, number, address)
                if (name, parameter, number) in refused:
                    assert code == NO_KERNEL, (name, parameter, number, code, text)
                    assert f"{parameter} is " in text and "is not computed here" in text
                    told += 1
                else:
                    assert code == 0, (name, parameter, number, code, text)
                if number == DATA_TYPES["n"]:
                    assert _first_phase(name, parameter, DATA_TYPES["i"], address) == (0, "")
            assert [found.kind for found in sim.findings] == ["not-modelled"] * told


@pytest.fixture
def on_numpy(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """An address on a device where numpy computes."""
    monkeypatch.setattr(loading, "body_of", lambda name: (numpy_bodies()[name], False))
    monkeypatch.setattr(loading, "torch_wanted", lambda name: False)
    with Simulator():
        C.aclInit(None)
        C.aclrtSetDevice(0)
        yield C.aclrtMalloc(1024, 0)[0]


def test_numpy_refuses_what_torch_does(on_numpy: int) -> None:
    for name, parameter, number in sorted(one for one in _refused_at_first() if one[0] in numpy_bodies()):
        code, text = _first_phase(name, parameter, number, on_numpy)
        assert code == NO_KERNEL and "is not computed here" in text, (name, parameter, number, text)


@pytest.mark.parametrize("kind", tensors.FLOAT8)
@pytest.mark.usefixtures("on_numpy")
def test_numpy_quantises_to_float8(kind: Any) -> None:
    rng = np.random.default_rng(1)
    x, scales, zeros = (tensors.random(rng, s, spread=30) for s in ((3, 4), (4,), (4,)))
    out = tensors.empty((3, 4), kind)
    operator_calls.call("aclnnQuantize", x, scales, zeros, 0, 1, out)
    limit = {35: 57344.0, 36: 448.0}[tensors.NUMBERS[kind]]
    values = tensors.numbers(x) / tensors.numbers(scales) + tensors.numbers(zeros)
    tensors.nearest(out, np.clip(values, -limit, limit))


@pytest.mark.usefixtures("on_numpy")
def test_numpy_rounds_once_the_zero_point_is_added() -> None:
    """round((x / scales) + zeroPoints), as the document has it: 0.5 + 1 is 2, and 0.5 + 0.75 is 1."""
    for zero, wanted in ((1.0, [2, 2, 4]), (0.75, [1, 2, 3])):
        out = tensors.empty((1, 3), tensors.torch.int8)
        x = tensors.torch.tensor([[0.5, 1.5, 2.5]])
        one = tensors.torch.ones(1)
        operator_calls.call("aclnnQuantize", x, one, zero * one, 2, 0, out)
        tensors.same(out, [wanted])


def test_types_that_no_document_lists_get_161002() -> None:
    """Among them INT64, and INT32 where no INT4 is listed."""
    with Simulator():
        C.aclInit(None)
        C.aclrtSetDevice(0)
        address, _ = C.aclrtMalloc(1024, 0)
        for name, parameter, letter in (("SwiGlu", "x", "i"), ("SwiGlu", "x", "l"), ("RmsNormQuant", "y", "l")):
            assert _first_phase(f"aclnn{name}", parameter, DATA_TYPES[letter], address)[0] == WRONG_PARAMETER


def _zeros(name: str, parameter: str, number: int) -> list[Any]:
    """Operands of one element each, that parameter in the type."""
    kinds = {n: kind for kind, n in tensors.NUMBERS.items()}
    found: list[Any] = []
    for place in operator_of(name).places:
        if place.name == parameter:
            found.append(tensors.torch.zeros(1, 1, dtype=kinds[number]))
        elif place.optional and place.kind is not None:
            found.append(None)
        elif place.tensor:
            found.append(tensors.torch.zeros(1, 1, dtype=kinds[_plain(place)]))
        else:
            found.append("" if place.text else 0 if place.kind is None else (1,))
    return found


@pytest.mark.parametrize("reason, name, parameter, number", list(_triples(BY_THE_BODY)))
def test_the_body_refuses_and_says_what(reason: str, name: str, parameter: str, number: int) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        torch_bodies()[name](*_zeros(name, parameter, number))


# the count


def _cases(module: Any) -> Iterator[tuple[Callable[..., None], dict[str, Any]]]:
    """Each test function of *module* with the arguments of each of its parametrisations."""
    for name, function in vars(module).items():
        if name.startswith("test_"):
            marks = [mark for mark in getattr(function, "pytestmark", ()) if mark.name == "parametrize"]
            tables = [[_arguments(mark.args[0], values) for values in mark.args[1]] for mark in marks]
            for chosen in itertools.product(*tables):
                arguments = {key: value for part in chosen for key, value in part.items()}
                if set(arguments) == set(inspect.signature(function).parameters):
                    yield function, arguments


def _arguments(names: Any, values: Any) -> dict[str, Any]:
    keys = [name.strip() for name in names.split(",")]
    return dict(zip(keys, values if len(keys) > 1 else [values], strict=True))


def _walk(modules: list[Any], patch: pytest.MonkeyPatch) -> tuple[set[tuple[str, str, int]], set[str]]:
    """Documented types that no test of *modules* calls a body with, and operators that none of them runs as a task.

    Tests run until nothing is left, in a shuffled order, and only those of operators of which something is left.
    """
    missing, waiting = _documented() - _refused_at_first() - _refused_by_bodies(), set(BODIES)

    def call(name: str, **operands: Any) -> Any:
        if name in wanted():
            missing.difference_update(tensors.types_called(name, operands))
        if name in waiting and _runs_as_a_task(name, operands):
            waiting.remove(name)
        return tensors.call_once(name, **operands)

    def wanted() -> set[str]:
        return {one[0] for one in missing}

    cases = [case for module in modules for case in _cases(module)]
    random.Random(0).shuffle(cases)
    for module in modules:
        patch.setattr(module, "call", call)
    for function, arguments in cases:
        given = {value for value in arguments.values() if isinstance(value, str) and value.startswith("aclnn")}
        named, left = given or _names(function.__code__), wanted() | waiting
        if not left:
            break
        if not named or named & left:
            function(**arguments)
    return missing, waiting


def _runs_as_a_task(name: str, operands: dict[str, Any]) -> bool:
    """Whether the first phase takes them, in some of the types of `tensors.call`: then the task gives what the body does."""
    for values in tensors.in_each_type(name, operands):
        with Simulator() as sim:
            C.aclInit(None)
            C.aclrtSetDevice(0)
            given = tensors.copied(values)
            try:
                operator_calls.call(name, *given)
            except Refused:
                continue
            torch_bodies()[name](*values)
            tensors.alike(given, values, f"{name} as a task")
            assert not list(sim.findings), name
        return True
    return False


def _names(code: CodeType) -> set[str]:
    """Operators that stand in a function itself."""
    parts = [_names(one) for one in code.co_consts if isinstance(one, CodeType)]
    return set().union({one for one in code.co_consts if isinstance(one, str) and one in BODIES}, *parts)


def _modules() -> list[Any]:
    """Those of the other files that call bodies."""
    modules = [importlib.import_module(f"{__package__}.{name}") for name in FILES]
    return [module for module in modules if hasattr(module, "call")]


def test_every_documented_type_has_a_row_and_every_operator_runs_as_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """One walk through the other files for both, since it takes seconds."""
    missing, waiting = _walk(_modules(), monkeypatch)
    letters = {number: letter for letter, number in DATA_TYPES.items()}
    assert not missing, sorted(f"{name} {parameter} {letters[number]}" for name, parameter, number in missing)
    assert not waiting, "their rows have types that the first phase does not take"


def test_what_no_row_has_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the tests of one file the operators of all other topics are what is missing."""
    alone = [module for module in _modules() if module.__name__.endswith("test_masked_softmax")]
    missing, waiting = _walk(alone, monkeypatch)
    of_topic = {"aclnnMaskedSoftmaxWithRelPosBias"}
    assert {name for name, _, _ in _documented()} - {name for name, _, _ in missing} == of_topic
    assert BODIES - waiting == of_topic


def test_the_tables_name_what_the_documents_list() -> None:
    listed = {(name, parameter, number) for table in (FLOAT8, BY_THE_BODY) for _, name, parameter, number in _triples(table)}
    assert listed <= _documented()

"""ATC's file of preprocessing (``--insert_op_conf``): blocks ``aipp_op { name: value ... }`` in protobuf's text format."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import evolve, fields

from ascend_sim.om.aipp import FORMATS, Aipp, AippError
from ascend_sim.om.description import TensorDescription

__all__ = ["read_insert_op", "with_aipp"]

_TOKEN: Final = re.compile(
    r"""\s*(?:(?:\#|//)[^\n]*|(?P<text>"[^"\n]*"|'[^'\n]*')|(?P<word>[^\s{}:;,\#"']+)|(?P<sign>[{}:;,]))"""
)
_PARTS: Final = {
    **{f"matrix_r{row}c{column}": ("matrix", row * 3 + column) for row in range(3) for column in range(3)},
    **{f"{side}_bias_{i}": (f"{side}_bias", i) for side in ("input", "output") for i in range(3)},
    **{f"{name}_chn_{i}": (name, i) for name in ("mean", "min", "var_reci") for i in range(4)},
}
_RESERVED: Final = ("cpadding_value", "raw_rgbir_to_f16_n", "resize_output_w", "resize_output_h", "rotation_angle")
_RESERVED_SWITCHES: Final = ("resize", "single_line_mode", "support_rotation")
"""What the products do not have yet: values are accepted, a switch that is on is not."""
NCHW, ND, UNDEFINED = 0, 2, -1


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.end() == at:
            raise AippError(f"line {text.count(chr(10), 0, at) + 1} cannot be read: {text[at : at + 20]!r}")
        at = match.end()
        token = match["text"] or match["word"] or match["sign"]
        if token and token not in (";", ","):
            found.append(token)
    return found


def _value(name: str, token: str) -> Any:
    if name in ("aipp_mode", "related_input_name"):
        return token.strip("\"'")
    if name == "input_format":
        if token.strip("\"'") not in FORMATS:
            raise AippError(f"input_format is {token}: one of {', '.join(FORMATS)} is required")
        return FORMATS[token.strip("\"'")]
    if token in ("true", "false"):
        return token == "true"
    try:
        return int(token)
    except ValueError:
        pass
    try:
        return float(token)
    except ValueError:
        raise AippError(f"{name} is {token!r}: a number, true or false is required") from None


def _settings(given: Mapping[str, Any]) -> Aipp:
    known = {attribute.name for attribute in fields(Aipp)} - {"mode", "matrix", "input_bias", "output_bias"}
    values: dict[str, Any] = {"mode": given.get("aipp_mode", "")}
    base = Aipp(input_format=given.get("input_format", 0))
    lists = {"matrix": list(base.colour_matrix)} | {
        name: list(getattr(base, name)) for name in ("input_bias", "output_bias", "mean", "min", "var_reci")
    }
    for name, value in given.items():
        if name in _PARTS:
            part, index = _PARTS[name]
            lists[part][index] = value
        elif name in known and name not in lists:
            values[name] = bool(value) if isinstance(getattr(base, name), bool) and value in (0, 1) else value
        elif name in _RESERVED_SWITCHES and value:
            raise AippError(f"{name} is on: the products do not support it")
        elif name not in (*_RESERVED, *_RESERVED_SWITCHES, "aipp_mode", "related_input_rank", "related_input_name"):
            raise AippError(f"unknown setting {name!r}")
    given_parts = {_PARTS[name][0] for name in given if name in _PARTS}
    for part in given_parts:
        values[part] = lists[part]
    made = Aipp(**values)
    if not made.is_static:
        return Aipp(max_src_image_size=made.max_src_image_size) if made.mode == "dynamic" else made
    return made


def read_insert_op(text: str) -> list[tuple[int | str, Aipp]]:
    """The blocks of the file: the input (its index, or name) and its settings. Raises AippError."""
    tokens = _tokens(text)
    found: list[tuple[int | str, Aipp]] = []
    at = 0
    while at < len(tokens):
        if tokens[at] != "aipp_op" or tokens[at + 1 : at + 2] != ["{"]:
            raise AippError(f"{tokens[at]!r}: aipp_op {{ is required")
        at += 2
        given: dict[str, Any] = {}
        while at < len(tokens) and tokens[at] != "}":
            if tokens[at + 1 : at + 2] != [":"] or at + 2 >= len(tokens):
                raise AippError(f"{tokens[at]!r} has no value")
            given[tokens[at]] = _value(tokens[at], tokens[at + 2])
            at += 3
        if at == len(tokens):
            raise AippError("the last aipp_op has no }")
        at += 1
        if given.get("aipp_mode") not in ("static", "dynamic"):
            raise AippError("aipp_mode is required: static or dynamic")
        found.append((given.get("related_input_name") or given.get("related_input_rank", 0), _settings(given)))
    if not found:
        raise AippError("there is no aipp_op")
    return found


def with_aipp(
    inputs: Sequence[TensorDescription], blocks: Sequence[tuple[int | str, Aipp]]
) -> tuple[TensorDescription, ...]:
    """The inputs with their preprocessing; one without a format is taken as NCHW. Raises AippError for unknown ones."""
    made = list(inputs)
    for which, aipp in blocks:
        names = [t.name for t in made]
        index = names.index(which) if which in names else which
        if not isinstance(index, int) or not 0 <= index < len(made):
            raise AippError(f"there is no input {which!r} (inputs are {', '.join(names)})")
        format_ = NCHW if made[index].format in (ND, UNDEFINED) else made[index].format
        made[index] = evolve(made[index], aipp=aipp, format=format_)
    return tuple(made)

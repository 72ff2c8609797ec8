"""``ascend-sim om``: stand-ins for compiled models, made and described."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TextIO

from attrs import evolve

from ascend_sim.cli.help import Parser
from ascend_sim.findings.languages import in_lines
from ascend_sim.om import Gears, ModelDescription, OmFile, OmFormatError, TensorDescription, read, read_header, save
from ascend_sim.om.aipp import FORMATS
from ascend_sim.om.container import BUNDLE, MOST_BYTES, ZIP
from ascend_sim.progress import Progress
from ascend_sim.untrusted.escaping import escaped
from ascend_sim.untrusted.files import TooLarge, read_file, read_text

__all__ = ["main"]

HELP = "make and describe stand-ins for compiled models (.om files)"
LARGEST_CONF = 1 << 20
MOST_COST_US = 1e12
_TYPES = {
    0: "float", 1: "float16", 2: "int8", 3: "int32", 4: "uint8", 6: "int16", 7: "uint16", 8: "uint32", 9: "int64",
    10: "uint64", 11: "double", 12: "bool", 16: "complex64", 17: "complex128", 27: "bfloat16",
}  # fmt: skip
_FORMAT_OF = {"NCHW": 0, "NHWC": 1, "ND": 2}
_FORMATS = {-1: "UNDEFINED", 0: "NCHW", 1: "NHWC", 2: "ND", 3: "NC1HWC0", 29: "FRACTAL_NZ"}


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: numbers with commas between are required") from None


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_BYTES:
        raise argparse.ArgumentTypeError(f"{text!r}: bytes from 0 to {MOST_BYTES} are required")
    return int(text)


def _cost(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST_COST_US:
        raise argparse.ArgumentTypeError(f"{text!r}: microseconds from 0 to {MOST_COST_US:g} are required")
    return value


def _named(text: str) -> tuple[str, str]:
    name, colon, rest = text.rpartition(":")
    if not colon or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME:VALUES")
    return name, rest


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, rest = _named(text)
    return name, _numbers(rest)


def _range(text: str) -> tuple[str, list[tuple[int, int]]]:
    name, rest = _named(text)
    try:
        pairs = [part.split("~") if "~" in part else [part, part] for part in rest.split(",")]
        return name, [(int(low), int(high)) for low, high in pairs]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: NAME:LOW~HIGH,... is required") from None


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    line = Parser(prog="ascend-sim om", description=HELP)
    commands = line.add_subparsers(dest="command", required=True)
    made = commands.add_parser("from-onnx", help="write a stand-in that runs an ONNX model")
    made.add_argument("source", metavar="IN.onnx")
    made.add_argument("-o", "--output", required=True, metavar="OUT.om")
    made.add_argument("--name", default="", help="the name of the model (default: of the file)")
    made.add_argument(
        "--input-shape", action="append", type=_shape, default=[], metavar="NAME:1,3,224,224",
        help="close the open dimensions of an input; -1 leaves one open",
    )  # fmt: skip
    made.add_argument(
        "--range", action="append", type=_range, default=[], metavar="NAME:1~8,3,224,224",
        help="bounds of the dimensions of an input of a dynamic model",
    )  # fmt: skip
    gears = made.add_mutually_exclusive_group()
    gears.add_argument("--dynamic-batch", type=_numbers, metavar="1,2,8", help="gears of the batch size")
    gears.add_argument("--dynamic-hw", metavar='"224,224;448,448"', help="gears of height and width")
    gears.add_argument("--dynamic-dims", metavar='"1,16;8,64"', help="gears of all open dimensions in order")
    made.add_argument(
        "--input-format", choices=("ND", "NCHW", "NHWC"), default="ND",
        help="how inputs with four dimensions are laid out (default ND, for images NCHW)",
    )  # fmt: skip
    made.add_argument(
        "--insert-op-conf", metavar="AIPP.cfg", help="ATC's file of preprocessing: inputs take images (AIPP)"
    )
    made.add_argument("--quiet", action="store_true", help="show no progress, on a terminal either")
    made.add_argument("--cost-us", type=_cost, default=1000.0, help="virtual time of one execution (default 1000)")
    single = commands.add_parser("from-singleop", help="write stand-ins of single operators from ATC's description")
    single.add_argument("source", metavar="OP.json")
    single.add_argument("-o", "--output", required=True, metavar="DIRECTORY")
    joined = commands.add_parser(
        "bundle", help="write a file of several models (aclmdlBundleLoadFromFile) from stand-ins"
    )
    joined.add_argument("models", nargs="+", metavar="MODEL.om", help="one stand-in each, in the order of their index")
    joined.add_argument("-o", "--output", required=True, metavar="OUT.om")
    joined.add_argument(
        "--variable-weights", type=_count, default=0, metavar="BYTES",
        help="weights that the models share and change: the least that aclmdlBundleInitFrom* has to be given",
    )  # fmt: skip
    shown = commands.add_parser("describe", help="say what a file holds; compiled models have a header only")
    shown.add_argument("file", metavar="FILE.om")
    shown.add_argument("--json", action="store_true", help="machine-readable output")
    return line


def _gears(options: argparse.Namespace) -> Gears | None:
    if options.dynamic_batch:
        return Gears("batch", tuple((n,) for n in options.dynamic_batch))
    for kind, text in (("hw", options.dynamic_hw), ("dims", options.dynamic_dims)):
        if text:
            return Gears(kind, tuple(_numbers(part) for part in text.split(";") if part))
    return None


def _from_onnx(options: argparse.Namespace) -> int:
    from ascend_sim.om.from_onnx import OnnxError, from_onnx
    from ascend_sim.om.insert_op import read_insert_op

    shown = Progress.wanted(False if options.quiet else None)
    try:
        shown.step(f"converting {escaped(options.source)}")
        aipp = []
        if options.insert_op_conf:
            aipp = read_insert_op(read_text(options.insert_op_conf, LARGEST_CONF))
        description, blob = from_onnx(
            options.source, options.name, shapes=dict(options.input_shape), ranges=dict(options.range),
            gears=_gears(options), format_=_FORMAT_OF[options.input_format], aipp=aipp, cost_ns=int(options.cost_us * 1000),
        )  # fmt: skip
        shown.step(f"writing {len(blob)} bytes")
        save(options.output, description, blob)
    except (OnnxError, OSError, ValueError, argparse.ArgumentTypeError) as error:
        shown.end()
        _complain(str(error))
        return 1
    finally:
        shown.end()
    _say(f"{options.output}: {_kind(description)} {description.name!r}, {len(blob)} bytes of ONNX")
    return 0


def _from_singleop(options: argparse.Namespace) -> int:
    from ascend_sim.ops.op_files import write_stand_ins

    try:
        written = write_stand_ins(options.source, options.output)
    except (OSError, ValueError) as error:
        _complain(str(error))
        return 1
    for path in written:
        _say(path)
    return 0


def _bundle(options: argparse.Namespace) -> int:
    found = [_read(path) for path in options.models]
    if None in found:
        return 1
    files = [file for file in found if file is not None]
    for path, file in zip(options.models, files, strict=True):
        if file.header.model_type == BUNDLE:
            _complain(f"{path!r} is a bundle itself: name the files that it was made from")
            return 1
    models = [file.models[0] for file in files]
    if options.variable_weights:
        models[0] = evolve(
            models[0], attributes={**models[0].attributes, "variable_weight_size": options.variable_weights}
        )
    try:
        save(options.output, models, [file.blob_of(0) for file in files])
    except (OSError, ValueError) as error:
        _complain(str(error))
        return 1
    _say(f"{options.output}: bundle of {len(models)} models: {', '.join(repr(model.name) for model in models)}")
    return 0


def _say(line: str, out: TextIO | None = None) -> None:
    """One line; names of the file can neither end it nor be letters that the terminal cannot take."""
    out = out or sys.stdout
    line = in_lines(line)
    coding = out.encoding or "utf-8"
    print(escaped(line).encode(coding, "backslashreplace").decode(coding), file=out)


def _complain(text: str) -> None:
    first, *more = text.split("\n")
    for line in (f"ascend-sim om: {first}", *(f"  {line}" for line in more)):
        _say(line, sys.stderr)


def _kind(model: ModelDescription) -> str:
    if model.gears is not None:
        return f"static model with {len(model.gears.choices)} gears of {model.gears.kind}"
    return "dynamic model" if model.is_dynamic else "static model"


def _aipp_line(tensor: TensorDescription) -> str:
    """What becomes of the images of an input."""
    aipp = tensor.aipp
    if aipp is None:
        return ""
    if not aipp.is_static:
        most = f", images of {aipp.max_src_image_size} bytes at most" if aipp.max_src_image_size else ""
        return f"    dynamic AIPP{most}: aclmdlSetInputAIPP before each run"
    size = f"{aipp.src_image_size_w} x {aipp.src_image_size_h}" if aipp.src_image_size_w else "of the input's size"
    steps = [name for name in ("crop", "padding") if getattr(aipp, name)]
    steps += [name.removesuffix("_switch") for name in ("csc_switch", "rbuv_swap_switch") if getattr(aipp, name)]
    names = {number: name for name, number in FORMATS.items()}
    return f"    static AIPP from {names[aipp.input_format]} {size}{': ' + ', '.join(steps) if steps else ''}"


def _lines(file: OmFile) -> list[str]:
    from ascend_sim.models.image_inputs import presented
    from ascend_sim.models.shapes import all_inputs, sizes

    lines = [f"bundle of {len(file.models)} models"] if file.header.model_type == BUNDLE else []
    for index, model in enumerate(file.models):
        body = model.body
        what = {"python": body.target, "graph": f"{len(body.nodes)} nodes", "op": body.target}.get(body.kind, "")
        lines.append(f"{_kind(model)} {model.name!r}: {body.kind} body{f' ({what})' if what else ''}")
        for outputs, tensors in ((False, all_inputs(model)), (True, model.outputs)):
            for described, size in zip(tensors, sizes(model, outputs), strict=True):
                tensor = presented(described)
                kind = _TYPES.get(tensor.data_type, f"type {tensor.data_type}")
                form = _FORMATS.get(tensor.format, f"format {tensor.format}")
                side = "output" if outputs else "input"
                bounds = f" ranges {[list(r) for r in tensor.ranges]}" if tensor.ranges else ""
                lines.append(f"  {side} {tensor.name}: {kind} {list(tensor.dims)} {form}, {size} bytes{bounds}")
                lines += [line for line in (_aipp_line(tensor),) if line]
        if model.gears is not None:
            lines.append(f"  gears of {model.gears.kind}: {[list(c) for c in model.gears.choices]}")
        blob = len(file.blob_of(index))
        lines.append(
            f"  work {model.work_size} bytes, weights {model.weight_size} bytes, blob {blob} bytes, "
            f"{model.cost_ns / 1000:g} us a run"
        )
    return lines


def _read(path: str) -> OmFile | None:
    """The stand-in at *path*; None when it is none, and then that was said."""
    from ascend_sim.om.zipped import read_zip

    try:
        data = read_file(path, MOST_BYTES)
        return read_zip(data) if data.startswith(ZIP) else read(data)
    except OSError as error:
        _complain(f"{path!r} cannot be read: {error.strerror}")
    except TooLarge as error:
        _complain(f"{path!r} is too large: {error}")
    except OmFormatError as error:
        if error.kind == "real" and not data.startswith(ZIP):
            header = read_header(data)
            _say(f"compiled model {header.name!r}: model type {header.model_type}, version {header.version:#x}, "
                  f"{header.model_num} models, {'unknown' if header.is_dynamic else 'known'} shapes, "
                  f"{header.length} bytes behind the header")  # fmt: skip
        _complain(f"{path!r}: {error}")
    return None


def _describe(options: argparse.Namespace) -> int:
    from ascend_sim.om.description import to_json

    file = _read(options.file)
    if file is None:
        return 1
    if options.json:
        print(json.dumps([to_json(model) for model in file.models], indent=1))
    else:
        for line in _lines(file):
            _say(line)
    return 0


def main(argv: Sequence[str]) -> int:
    """Run ``ascend-sim om``; 1 when a file cannot be read or made."""
    options = parser().parse_args(argv)
    run = {"from-onnx": _from_onnx, "from-singleop": _from_singleop, "bundle": _bundle, "describe": _describe}[
        options.command
    ]
    return run(options)

"""ATC's file of preprocessing, and stand-ins that are made with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ascend_sim.cli.om import main
from ascend_sim.om import Aipp, TensorDescription, read
from ascend_sim.om.aipp import AippError
from ascend_sim.om.insert_op import read_insert_op, with_aipp

STATIC = """
# comments, separators and quotes as protobuf's text format has them
aipp_op {
    aipp_mode: static       # behind a value, too
    input_format : YUV420SP_U8
    csc_switch : true; rbuv_swap_switch: 1
    src_image_size_w: 8, src_image_size_h: 6
    crop: true load_start_pos_w: 2
    matrix_r0c0 : 256
    mean_chn_0: 104
    min_chn_1: 0.5
    var_reci_chn_0: 3.9e-3
    resize: false
    cpadding_value: 0
}
"""


def test_a_static_block() -> None:
    ((which, aipp),) = read_insert_op(STATIC)
    assert which == 0
    assert (aipp.mode, aipp.input_format, aipp.csc_switch, aipp.rbuv_swap_switch) == ("static", 1, True, True)
    assert (aipp.src_image_size_w, aipp.src_image_size_h, aipp.load_start_pos_w) == (8, 6, 2)
    assert aipp.matrix == (256, 516, 0, 298, -100, -208, 298, 0, 409)  # ATC fills the rest in for the format
    assert (aipp.mean, aipp.min, aipp.var_reci[0]) == ((104, 0, 0, 0), (0, 0.5, 0, 0), 3.9e-3)


def test_colours_to_yuv_have_another_matrix() -> None:
    ((_, aipp),) = read_insert_op("aipp_op { aipp_mode: static input_format: RGB888_U8 csc_switch: true }")
    assert aipp.colour_matrix == (66, 129, 25, -38, -74, 112, 112, -94, -18)


def test_dynamic_blocks_for_several_inputs() -> None:
    text = """
    aipp_op { aipp_mode: dynamic max_src_image_size: 752640 related_input_rank: 1 input_format: RGB888_U8 }
    aipp_op { aipp_mode: dynamic max_src_image_size: 12 related_input_name: "image" }
    """
    assert read_insert_op(text) == [(1, Aipp(max_src_image_size=752640)), ("image", Aipp(max_src_image_size=12))]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no aipp_op"),
        ("aipp_op", "required"),
        ("aipp_op {", "no }"),
        ("aipp_op { aipp_mode static }", "no value"),
        ("aipp_op { input_format: RGB888_U8 }", "aipp_mode"),
        ("aipp_op { aipp_mode: both }", "aipp_mode"),
        ("aipp_op { aipp_mode: static input_format: NV12 }", "YUV420SP_U8"),
        ("aipp_op { aipp_mode: static crop: maybe }", "maybe"),
        ("aipp_op { aipp_mode: static resize: true }", "resize"),
        ("aipp_op { aipp_mode: static colour: 1 }", "colour"),
        ("other { }", "other"),
        ('aipp_op { aipp_mode: "static }', "line 1"),
    ],
)
def test_files_that_are_wrong(text: str, word: str) -> None:
    with pytest.raises(AippError, match=word):
        read_insert_op(text)


def test_which_input_is_meant() -> None:
    inputs = [TensorDescription("a", 0, (1, 3, 2, 2)), TensorDescription("b", 0, (1, 2, 2, 3), 1)]
    made = with_aipp(inputs, [("b", Aipp())])
    assert (made[0].aipp, made[1].aipp, made[1].format) == (None, Aipp(), 1)
    assert with_aipp(inputs, [(0, Aipp())])[0].format == 0
    for unknown in (2, "c"):
        with pytest.raises(AippError, match="no input"):
            with_aipp(inputs, [(unknown, Aipp())])


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper

    shape = [1, "h", "w", 3]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", "y")]
    made = helper.make_model(helper.make_graph([helper.make_node("Neg", ["x"], ["y"])], "g", ends[:1], ends[1:]))
    made.ir_version = 8
    source, conf, out = tmp_path / "m.onnx", tmp_path / "aipp.cfg", tmp_path / "m.om"
    source.write_bytes(onnx.ModelProto.SerializeToString(made))
    conf.write_text("aipp_op { aipp_mode: static input_format: RGB888_U8 }")
    options = ["--insert-op-conf", str(conf), "--input-format", "NHWC", "--dynamic-hw", "2,4;4,8"]
    assert main(["from-onnx", str(source), "-o", str(out), *options]) == 0
    (described,) = read(out.read_bytes()).models
    assert described.inputs[0].aipp == Aipp("static", 3)
    assert main(["describe", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "input x: uint8 [1, -1, -1, 3] NHWC, 96 bytes" in shown
    assert "static AIPP from RGB888_U8" in shown
    conf.write_text("aipp_op { aipp_mode: dynamic max_src_image_size: 99 }")
    assert main(["from-onnx", str(source), "-o", str(out), *options]) == 0
    assert main(["describe", str(out)]) == 0
    assert "ascend_dynamic_aipp_data: uint8 [160]" in capsys.readouterr().out
    conf.write_text("nonsense")
    assert main(["from-onnx", str(source), "-o", str(out), *options]) == 1
    assert "nonsense" in capsys.readouterr().err
    assert main(["from-onnx", str(source), "-o", str(out), "--insert-op-conf", str(tmp_path / "none")]) == 1
    os.mkfifo(tmp_path / "pipe")
    capsys.readouterr()
    assert main(["from-onnx", str(source), "-o", str(out), "--insert-op-conf", str(tmp_path / "pipe")]) == 1
    assert "no regular file" in capsys.readouterr().err

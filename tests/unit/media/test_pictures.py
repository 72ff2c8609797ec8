"""Looking at pictures: PNG of a buffer, marked rectangles, and findings that say which part of a picture they mean."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim import ascendcl as C
from ascend_sim.media.layouts import Layout
from ascend_sim.media.pictures import part_of
from ascend_sim.media.pixels.colours import to_rgb
from ascend_sim.media.pixels.pixel_formats import pixel_format
from tests.kit.scale import SCALE
from tests.unit.media.conftest import Program, kinds


def test_a_picture_is_shown_as_it_is(program: Program, tmp_path: Path) -> None:
    desc = program.picture(12, 70, 40)
    shown = program.sim.show(desc)
    assert shown.size == (70, 40)
    assert np.array_equal(shown.pixels, program.bytes_of(desc).reshape(40, -1)[:, :210].reshape(40, 70, 3))
    shown.save(tmp_path / "out.png")
    pillow = pytest.importorskip("PIL.Image")
    assert np.array_equal(np.asarray(pillow.open(tmp_path / "out.png")), shown.pixels)
    assert np.array_equal(np.asarray(pillow.open(io.BytesIO(shown._repr_png_()))), shown.pixels)
    assert "data:image/png;base64," in shown._repr_html_() and "RGB888 (12), 70 x 40" in repr(shown)


def test_luma_and_chroma_are_shown_in_colours(program: Program) -> None:
    desc = program.picture(
        1, 64, 48, np.r_[np.full(64 * 48, 90, np.uint8), np.tile([60, 200], 64 * 12).astype(np.uint8)]
    )
    colour = to_rgb(np.array([[90, 60, 200]], np.uint8), 0)[0]
    assert (program.sim.show(desc).pixels == colour).all()


def test_a_marked_rectangle(program: Program) -> None:
    marked = program.sim.show(program.picture(12, 64, 48)).marked(10, 19, 5, 14).pixels
    assert (marked[5, 10:20] == (255, 0, 64)).all() and (marked[5:15, 19] == (255, 0, 64)).all()
    assert not (marked[6:14, 11:19] == (255, 0, 64)).all(-1).all()


def test_what_is_no_picture(program: Program) -> None:
    for thing in (program.channel, 5, "picture", C.acldvppCreatePicDesc()):
        with pytest.raises(ValueError):
            program.sim.show(thing)
    with pytest.raises(ValueError, match="0x1234"):
        program.sim.show(program.describe(0x1234, 1, 64, 64))
    assert program.sim.show() is not None


def test_a_finding_says_which_part_of_the_picture_it_means(program: Program) -> None:
    source, target = program.picture(1, 64, 64), program.picture(1, 64, 64)
    call = C.acldvppVpcCropAndPasteAsync
    whole, part = C.acldvppCreateRoiConfig(0, 63, 0, 63), C.acldvppCreateRoiConfig(16, 47, 32, 63)
    other = C.aclrtCreateStream()[0]
    assert call(program.channel, source, target, whole, part, program.stream) == 0
    again = program.describe(C.acldvppGetPicDescData(target), 1, 64, 64)
    assert call(program.channel, source, again, whole, part, other) == 0
    assert C.aclrtSynchronizeDevice() == 0
    assert set(kinds(program)) == {"race"}
    notes = " ".join(note for f in program.sim.findings for note in f.notes)
    assert "rows 32 to 63" in notes and "picture descriptor 2 (NV12 (1), 64 x 64)" in notes


@settings(max_examples=80 * SCALE, deadline=None)
@given(
    st.sampled_from([0, 1, 3, 5, 7, 12, 17, 1000]), st.integers(1, 20), st.integers(1, 12), st.integers(0, 5),
    st.data(),
)  # fmt: skip
def test_the_rectangle_of_some_bytes_has_all_their_pixels(
    number: int, width: int, height: int, padding: int, data: st.DataObject
) -> None:
    form = pixel_format(number)
    assert form is not None
    width, height = width * form.across, height * form.down
    stride, rows = width * form.unit + 2 * padding, height + 2
    layout = Layout(0, form.size(stride, rows), number, width, height, stride, rows)
    lo = data.draw(st.integers(0, layout.size - 1))
    hi = data.draw(st.integers(lo + 1, layout.size))
    area = part_of(form, layout, lo, hi)
    touched = set()
    for index, plane in enumerate(form.planes(width, height, stride, rows)):
        across, down = (form.across, form.down) if index else (1, 1)
        unit = 2 if index else form.unit
        for byte in range(max(lo, plane.start), min(hi, plane.start + plane.pitch * plane.rows)):
            row, column = divmod(byte - plane.start, plane.pitch)
            if row < plane.rows and column < plane.row_bytes:
                touched.add((column // unit * across, row * down))
    if touched:
        assert area is not None
        for x, y in touched:
            assert area.left <= x < area.left + area.width and area.top <= y < area.top + area.height

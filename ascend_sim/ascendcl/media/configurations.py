"""Media: settings of operations: rectangles, scaling, the quality of JPEG, borders, histograms, tables of values."""

from __future__ import annotations

from collections.abc import Callable

from ascend_sim.ascendcl.api import api
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.media.configurations import BorderConfig, JpegConfig, Rectangle, ResizeConfig, RoiConfig
from ascend_sim.media.histograms import Histogram, LookupTable
from ascend_sim.media.rules import table
from ascend_sim.media.unit import MediaUnit, created, destroyed, needs
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState


def _pixels(what: str, value: int) -> int:
    most = table()["roi_most"]
    if value > most:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} is {value}: at most {most} is possible", "acl")
    return value


# -- rectangles --------------------------------------------------------------------------------------------------------


def _roi(t: ThreadState, handle: int) -> RoiConfig:
    return required(t, handle, RoiConfig, "roi configuration", "config")


def _area(left: int, right: int, top: int, bottom: int) -> Rectangle:
    return Rectangle(_pixels("left", left), _pixels("right", right), _pixels("top", top), _pixels("bottom", bottom))


@api("acldvppCreateRoiConfig")
def create_roi_config(t: ThreadState, left: int, right: int, top: int, bottom: int) -> int:
    """A rectangle, both ends included; NULL for a number above 65535. What fits where is for the device to say."""
    return created(t, lambda: RoiConfig(t, _area(left, right, top, bottom)))


@api("acldvppDestroyRoiConfig")
def destroy_roi_config(t: ThreadState, handle: int) -> None:
    """A call that it was given to has copied it. NULL is accepted. Codes: 500000 no media units."""
    destroyed(t, handle, RoiConfig)


@api("acldvppSetRoiConfig")
def set_roi_config(t: ThreadState, handle: int, left: int, right: int, top: int, bottom: int) -> None:
    """Set all four ends. Codes: 100000 NULL, a number above 65535."""
    _roi(t, handle).area = _area(left, right, top, bottom)


def _side(side: str) -> Callable[[ThreadState, int, int], None]:
    def set_side(t: ThreadState, handle: int, value: int) -> None:
        config = _roi(t, handle)
        config.area = config.area._replace(**{side: _pixels(side, value)})

    set_side.__doc__ = f"Set the {side} end. Codes: 100000 NULL, a number above 65535."
    return set_side


for _name in ("Left", "Right", "Top", "Bottom"):
    api(f"acldvppSetRoiConfig{_name}")(_side(_name.lower()))


# -- scaling -----------------------------------------------------------------------------------------------------------


def _resize(t: ThreadState, handle: int) -> ResizeConfig:
    return required(t, handle, ResizeConfig, "resize configuration", "resizeConfig")


@api("acldvppCreateResizeConfig")
def create_resize_config(t: ThreadState) -> int:
    """Scaling with the default algorithm of the product."""
    return created(t, lambda: ResizeConfig(t))


@api("acldvppDestroyResizeConfig")
def destroy_resize_config(t: ThreadState, handle: int) -> None:
    """A call that it was given to has copied it. NULL is accepted. Codes: 500000 no media units."""
    destroyed(t, handle, ResizeConfig)


@api("acldvppSetResizeConfigInterpolation")
def set_resize_config_interpolation(t: ThreadState, handle: int, interpolation: int) -> None:
    """Choose the algorithm. Codes: 100000 NULL, a number that the product has not."""
    config = _resize(t, handle)
    known = t.sim.part(MediaUnit).find(t).interpolations
    if interpolation not in known:
        text = f"interpolation is {interpolation}: {t.sim.profile.name} has {known[0]} to {known[-1]}"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    config.interpolation = interpolation


@api("acldvppGetResizeConfigInterpolation")
def get_resize_config_interpolation(t: ThreadState, handle: int) -> int:
    """The number of the algorithm; 0 for NULL."""
    return _resize(t, handle).interpolation


# -- JPEG --------------------------------------------------------------------------------------------------------------


def _jpeg(t: ThreadState, handle: int) -> JpegConfig:
    return required(t, handle, JpegConfig, "JPEG configuration", "jpegeConfig")


@api("acldvppCreateJpegeConfig")
def create_jpege_config(t: ThreadState) -> int:
    """The quality of an encode, 0, which acts as 100."""
    return created(t, lambda: JpegConfig(t))


@api("acldvppDestroyJpegeConfig")
def destroy_jpege_config(t: ThreadState, handle: int) -> None:
    """A call that it was given to has copied it. NULL is accepted. Codes: 500000 no media units."""
    destroyed(t, handle, JpegConfig)


@api("acldvppSetJpegeConfigLevel")
def set_jpege_config_level(t: ThreadState, handle: int, level: int) -> None:
    """1 to 100, larger is better; 0 acts as 100. The range is not checked here. Codes: 100000 NULL."""
    _jpeg(t, handle).level = level


@api("acldvppGetJpegeConfigLevel")
def get_jpege_config_level(t: ThreadState, handle: int) -> int:
    """The level; 0 for NULL."""
    return _jpeg(t, handle).level


# -- borders -----------------------------------------------------------------------------------------------------------


def _border(t: ThreadState, handle: int, failure: tuple[float, ...] | None = None) -> BorderConfig:
    return required(t, handle, BorderConfig, "border configuration", "borderConfig", failure)


@api("acldvppCreateBorderConfig")
def create_border_config(t: ThreadState) -> int:
    """A border of no pixels; NULL on 310 and 910."""
    needs(t, t.sim.part(MediaUnit).find(t), "border_config")
    return created(t, lambda: BorderConfig(t))


@api("acldvppDestroyBorderConfig")
def destroy_border_config(t: ThreadState, handle: int) -> None:
    """A call that it was given to has copied it. NULL is accepted. Codes: 200006 on 310 and 910."""
    needs(t, t.sim.part(MediaUnit).find(t), "border_config")
    destroyed(t, handle, BorderConfig)


@api("acldvppSetBorderConfigValue")
def set_border_config_value(t: ThreadState, handle: int, index: int, value: float) -> None:
    """What component *index* of the border is filled with. Codes: 100000 NULL, an index above 3."""
    config = _border(t, handle)
    if index >= len(config.values):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: there are {len(config.values)} components", "acl")
    config.values[index] = value


@api("acldvppGetBorderConfigValue")
def get_border_config_value(t: ThreadState, handle: int, index: int) -> float:
    """What component *index* is filled with; -1.0 for NULL and behind the end."""
    config = _border(t, handle, (-1.0,))
    if index >= len(config.values):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: there are 4 components", "acl", (-1.0,))
    return config.values[index]


@api("acldvppSetBorderConfigBorderType")
def set_border_config_border_type(t: ThreadState, handle: int, kind: int) -> None:
    """0 constant, 1 replicate, 2 reflect, 3 reflect without the edge. Codes: 100000 NULL."""
    _border(t, handle).kind = kind


@api("acldvppGetBorderConfigBorderType")
def get_border_config_border_type(t: ThreadState, handle: int) -> int:
    """The kind; 0 for NULL."""
    return _border(t, handle).kind


def _border_setter(side: str) -> Callable[[ThreadState, int, int], None]:
    def set_side(t: ThreadState, handle: int, value: int) -> None:
        setattr(_border(t, handle), side, _pixels(side, value))

    set_side.__doc__ = f"Pixels of the border at the {side}. Codes: 100000 NULL, a number above 65535."
    return set_side


def _border_getter(side: str) -> Callable[[ThreadState, int], int]:
    def get_side(t: ThreadState, handle: int) -> int:
        value: int = getattr(_border(t, handle), side)
        return value

    get_side.__doc__ = f"Pixels of the border at the {side}; 0 for NULL."
    return get_side


for _name in ("Top", "Bottom", "Left", "Right"):
    api(f"acldvppSetBorderConfig{_name}")(_border_setter(_name.lower()))
    api(f"acldvppGetBorderConfig{_name}")(_border_getter(_name.lower()))


# -- histograms and tables of values -----------------------------------------------------------------------------------


def _histogram(t: ThreadState, handle: int, failure: tuple[int, ...] | None = None) -> Histogram:
    return required(t, handle, Histogram, "histogram", "hist", failure)


def _lut(t: ThreadState, handle: int) -> LookupTable:
    return required(t, handle, LookupTable, "lookup table", "lutMap")


def _row(what: str, dims: int, dim: int) -> int:
    if dim >= dims:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"dim is {dim}: {what} has {dims}", "acl")
    return dim


@api("acldvppCreateHist")
def create_hist(t: ThreadState) -> int:
    """A histogram of zeros; NULL on 310 and 910."""
    needs(t, t.sim.part(MediaUnit).find(t), "hist")
    return created(t, lambda: Histogram(t))


@api("acldvppDestroyHist")
def destroy_hist(t: ThreadState, handle: int) -> None:
    """Queued tasks that fill it must be done. NULL is accepted. Codes: 200006 on 310 and 910."""
    needs(t, t.sim.part(MediaUnit).find(t), "hist")
    destroyed(t, handle, Histogram)


@api("acldvppGetHistDims")
def get_hist_dims(t: ThreadState, handle: int) -> int:
    """How many dimensions it has; 0 for NULL."""
    return len(_histogram(t, handle).counts)


@api("acldvppGetHistData")
def get_hist_data(t: ThreadState, handle: int, dim: int) -> tuple[int, int]:
    """The host address of the counts of dimension *dim* (uint32_t), and how many there are. Codes: 100000."""
    found = _histogram(t, handle)
    row = found.counts[_row("the histogram", len(found.counts), dim)]
    return int(row.ctypes.data), len(row)


@api("acldvppGetHistRetCode")
def get_hist_ret_code(t: ThreadState, handle: int) -> int:
    """The code of the task that filled it; 100000 for NULL."""
    found = _histogram(t, handle, (ACL_ERROR_INVALID_PARAM,))
    found.pending.read_early(t, found, "the code")
    return found.ret_code


@api("acldvppClearHist")
def clear_hist(t: ThreadState, handle: int) -> None:
    """All counts are 0 again. Codes: 100000 NULL."""
    found = _histogram(t, handle)
    found.pending.disturbed(t, found, "changes")
    found.counts[:] = 0
    found.ret_code = 0


@api("acldvppCreateLutMap")
def create_lut_map(t: ThreadState) -> int:
    """A table of new values, which the program fills in; NULL on 310 and 910."""
    needs(t, t.sim.part(MediaUnit).find(t), "lut_map")
    return created(t, lambda: LookupTable(t))


@api("acldvppDestroyLutMap")
def destroy_lut_map(t: ThreadState, handle: int) -> None:
    """A call that it was given to has copied it. NULL is accepted. Codes: 200006 on 310 and 910."""
    needs(t, t.sim.part(MediaUnit).find(t), "lut_map")
    destroyed(t, handle, LookupTable)


@api("acldvppGetLutMapDims")
def get_lut_map_dims(t: ThreadState, handle: int) -> int:
    """How many dimensions it has; 0 for NULL."""
    return len(_lut(t, handle).values)


@api("acldvppGetLutMapData")
def get_lut_map_data(t: ThreadState, handle: int, dim: int) -> tuple[int, int]:
    """The host address of the values of dimension *dim* (uint8_t), and how many there are. Codes: 100000."""
    found = _lut(t, handle)
    row = found.values[_row("the table", len(found.values), dim)]
    return int(row.ctypes.data), len(row)

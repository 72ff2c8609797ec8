"""pyACL over the real C face: what is called by its own name, and what is not modelled."""

from __future__ import annotations

import warnings
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_sim import ascendcl, simulator
from ascend_sim.ascendcl import api
from ascend_sim.catalogue.pyacl import rows
from ascend_sim.errors import SimulatedHang

NAMES = [(module, name) for module, names in rows().items() if module != "util" for name in names]


def current() -> simulator.Simulator:
    sim = simulator.current()
    assert sim is not None
    return sim


def test_a_program_of_calls(real: ModuleType) -> None:
    assert real.init() == 0
    assert real.rt.get_run_mode() == (1, 0)
    assert real.rt.get_device_count() == (2, 0)
    assert real.rt.set_device(1) == 0
    assert real.rt.get_device() == (1, 0)
    stream, ret = real.rt.create_stream()
    assert (stream > 0, ret) == (True, 0)
    event, ret = real.rt.create_event()
    assert real.rt.record_event(event, stream) == 0
    assert real.rt.synchronize_stream(stream) == 0
    assert real.rt.destroy_event(event) == 0
    assert real.rt.destroy_stream(stream) == 0
    assert real.rt.destroy_stream(stream) != 0
    assert real.get_recent_err_msg()
    assert real.rt.reset_device(1) == 0
    assert real.finalize() == 0


def test_negative_pointers_wrap(real: ModuleType) -> None:
    real.rt.set_device(0)
    assert real.rt.synchronize_stream(-1) == real.rt.synchronize_stream((1 << 64) - 1) != 0


def test_the_site_of_a_call_is_the_users_line(real: ModuleType) -> None:
    real.fv.init(64)
    (finding,) = current().findings
    assert finding.kind == "not-modelled"
    assert "acl.fv.init" in finding.title
    assert finding.sites[0].frames[0].file == __file__
    assert finding.sites[0].frames[0].function.endswith("test_the_site_of_a_call_is_the_users_line")


@pytest.mark.parametrize(
    ("name", "answer"),
    [("fv.init", 207000), ("fv.create_init_para", 0)],
)
def test_functions_of_unknown_headers_answer_not_supported(real: ModuleType, name: str, answer: object) -> None:
    module, short = name.split(".")
    matching = [n for n in dir(getattr(real, module)) if not n.startswith("__")]
    function = getattr(getattr(real, module), short if short in matching else matching[0])
    assert function(1, "two", None) == answer


def test_media_memory_is_device_memory(real: ModuleType) -> None:
    assert real.media.dvpp_malloc(64) == (0, 107002)
    real.rt.set_device(0)
    address, ret = real.media.dvpp_malloc(64)
    assert (bool(address), ret) == (True, 0)
    assert real.rt.memset(address, 64, 1, 64) == 0
    assert real.media.dvpp_free(address) == 0
    assert real.media.dvpp_free(0) == 100000
    with pytest.raises(TypeError, match=r"acl\.media\.dvpp_malloc args parse failed"):
        real.media.dvpp_malloc("64")


def test_generated_code_is_known_to_the_c_face(real: ModuleType) -> None:
    assert real.rt.malloc.__code__.co_filename is api.PYACL_FILE


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.integers(), st.floats(), st.text(max_size=4),
    st.binary(max_size=4),
    st.lists(st.integers(), max_size=3), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.just(print), st.just(object()),
)  # fmt: skip
LETTERS = {"s": st.text(max_size=4), "f": st.floats(), "O": ANYTHING}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400, deadline=None)
@given(data=st.data())
def test_no_arguments_make_anything_but_results_and_known_errors(real: ModuleType, data: st.DataObject) -> None:
    from ascend_sim.catalogue.pyacl import row

    module, name = data.draw(st.sampled_from(NAMES))
    found = row(module, name)
    assert found is not None
    if found.name in ("finalize", "rt.reset_device_force"):
        return
    fitting = [LETTERS.get(letter, st.integers(-2, 5)) for letter in found.format.replace("|", "") if letter != "*"]
    arguments = data.draw(st.one_of(st.tuples(*fitting), st.lists(ANYTHING, max_size=5)))
    real.rt.set_device(0)
    function = getattr(getattr(real, module) if module else real, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*arguments)
    except (TypeError, ValueError, KeyError, SimulatedHang):
        pass
    except RuntimeError as error:
        assert "failed" in str(error)


def test_a_hang_is_told_in_the_words_of_the_face(real: ModuleType) -> None:
    assert real.rt.set_device(0) == 0
    with pytest.raises(SimulatedHang, match=r"acl\.rt\.process_report to change its answer"):
        while True:
            real.rt.process_report(100)
    with pytest.raises(SimulatedHang, match="aclrtProcessReport to change its answer"):
        while True:
            ascendcl.aclrtProcessReport(100)

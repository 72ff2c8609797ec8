"""The module `acl` has exactly the names of the real one."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType

import pytest

from ascend_sim import pyacl
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.pyacl import MODULES, row, rows

COUNTS = {
    "": 47, "rt": 193, "mdl": 86, "media": 177, "op": 32, "blas": 12, "util": 7, "prof": 36, "himpi": 130, "fv": 22,
}  # fmt: skip
NAMES = [(module, name) for module, names in rows().items() for name in names]


def module_of(name: str) -> ModuleType:
    return pyacl.modules()["acl" if not name else f"acl.{name}"]


def test_the_table_has_the_numbers_of_usage_md() -> None:
    assert {module: len(names) for module, names in rows().items()} == COUNTS
    assert sum(COUNTS.values()) == 742


@pytest.mark.parametrize("module", ["", *MODULES])
def test_every_name_is_a_function_and_dir_lists_it(module: str) -> None:
    namespace = module_of(module)
    for name in rows()[module]:
        assert isinstance(getattr(namespace, name), FunctionType), name
    listed = {name for name in dir(namespace) if not name.startswith("__")}
    assert listed == {*rows()[module], *(MODULES if not module else ())}


def test_c_functions_of_the_table_are_in_the_headers_but_for_media() -> None:
    foreign = {name for name in NAMES if name[0] in {"media", "himpi", "fv", "util"}}
    for module, name in NAMES:
        found = row(module, name)
        assert found is not None
        if (module, name) not in foreign:
            for c_name in found.c_function.split("+"):
                assert c_name in functions(), (module, name)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("rt", "MEMCPY_HOST_TO_DEVICE"),
        ("util", "vector_to_ptr"),
        ("op", "compile"),
        ("mdl", "ri_capture_begin"),
        ("", "tdt"),
    ],
)
def test_what_the_real_module_lacks_is_missing_here(module: str, name: str) -> None:
    namespace = module_of(module)
    assert not hasattr(namespace, name)
    with pytest.raises(AttributeError, match=f"module '{namespace.__name__}' has no attribute '{name}'"):
        getattr(namespace, name)


def test_a_function_is_made_once_and_knows_its_name() -> None:
    rt = module_of("rt")
    assert rt.malloc is rt.malloc
    assert rt.malloc.__name__ == "malloc"
    assert rt.malloc.__module__ == "acl.rt"
    assert "aclrtMalloc" in (rt.malloc.__doc__ or "")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in pyacl.modules():
        monkeypatch.delitem(sys.modules, name, raising=False)
    pyacl.put_into(sys.modules)
    yield
    for name in pyacl.modules():
        del sys.modules[name]


@pytest.mark.usefixtures("installed")
def test_the_ways_to_import() -> None:
    import acl
    import acl.rt
    from acl import util
    from acl.rt import memcpy

    assert acl.rt is sys.modules["acl.rt"]
    assert memcpy is acl.rt.memcpy
    assert "bytes_to_ptr" in dir(util)
    star: dict[str, object] = {}
    exec("from acl.rt import *", star)
    assert star["create_stream"] is acl.rt.create_stream
    spec = importlib.util.find_spec("acl")  # how programs ask whether there is an NPU
    assert spec is not None
    with pytest.raises(ImportError):
        exec("import acl.tdt")


def test_putting_the_modules_in_twice_changes_nothing() -> None:
    loaded: dict[str, ModuleType] = {}
    pyacl.put_into(loaded)
    before = dict(loaded)
    pyacl.put_into(loaded)
    assert loaded == before
    assert sorted(loaded) == ["acl", *(f"acl.{name}" for name in sorted(MODULES))]


def test_another_acl_is_not_replaced_in_silence() -> None:
    other = ModuleType("acl")
    other.__file__ = "/usr/local/Ascend/python/site-packages/acl.so"
    with pytest.raises(RuntimeError, match=r"acl\.so"):
        pyacl.put_into({"acl": other})


def test_build_knows_its_names() -> None:
    assert pyacl.build("acl.mdl").__name__ == "acl.mdl"
    for name in ("acl.tdt", "rt", "acl.", "aclrt"):
        with pytest.raises(KeyError):
            pyacl.build(name)

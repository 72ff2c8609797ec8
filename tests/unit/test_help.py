"""help() has an answer for everything public: what it is, parameters, results, errors."""

from __future__ import annotations

import inspect
import pydoc
import re
from types import FunctionType, ModuleType
from typing import Any

import pytest

import ascend_sim
from ascend_sim import ascendcl as C
from ascend_sim import constants, pyacl
from ascend_sim.ascendcl.help_texts import meaning
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.pyacl import row, rows

CODE = re.compile(r"\b\d{6}\b|Codes: -1 ")


def test_the_object_api_is_documented() -> None:
    def words(thing: object) -> int:
        return len((inspect.getdoc(thing) or "").split())

    short = []
    for name in sorted(set(ascend_sim.__all__) - {"__version__"}):
        thing = getattr(ascend_sim, name)
        short += [name] if words(thing) < 6 else []
        if not isinstance(thing, (type, ModuleType)):
            continue
        for part, value in vars(thing).items():
            own = isinstance(thing, type) or getattr(value, "__module__", "").startswith("ascend_sim")
            what = isinstance(value, (FunctionType, property, classmethod, staticmethod, type))
            if own and what and not part.startswith("_") and words(value) < 4:
                short.append(f"{name}.{part}")
    assert short == []


def test_help_of_a_c_function_shows_prototype_call_codes_and_page() -> None:
    text = pydoc.plain(pydoc.render_doc(C.aclrtCreateStreamWithConfig))
    assert "aclrtCreateStreamWithConfig(priority, flag)\n" in text
    assert "aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag);\n" in text
    assert "In Python: stream, ret = aclrtCreateStreamWithConfig(priority, flag)\n" in text
    assert "priority (uint32_t): " in text and "stream (aclrtStream)\n" in text
    assert "Codes: " in text and "Page: 06 stream management." in text
    assert "ACL_MEMCPY_HOST_TO_DEVICE = 1\n" in pydoc.render_doc(C.aclrtMemcpy)


def test_every_c_function_says_what_it_takes_returns_and_when_it_fails() -> None:
    implemented = C.implemented()
    for name, function in functions().items():
        made = getattr(C, name)
        text = made.__doc__
        assert text.startswith(f"{function.returns} {name}("), name
        assert "\nIn Python: " in text and ("Page: " in text or "No page" in text), name
        assert all(f"    {p.name} (" in text for p in (*function.inputs, *function.outputs)), name
        assert list(inspect.signature(made).parameters) == [p.name for p in function.inputs]
        if not function.returns_code:
            assert "there is no code" in text or "Returns nothing" in text, name
        elif name in implemented:
            assert CODE.search(text) or "ever fails" in text or "See help(" in text, name
        else:
            assert "Not modelled" in text and "207000" in text, name
        body = text.split("\n\n")[1]
        assert len(body.split()) >= 3, (name, body)


def test_members_of_enums_have_the_values_of_the_constants() -> None:
    seen = 0
    for function in functions().values():
        for parameter in function.inputs:
            for member, value in re.findall(r"(ACL\w+) = (-?\d+)", meaning(parameter)):
                assert getattr(constants, member) == int(value), member
                seen += 1
    assert seen > 300


@pytest.mark.parametrize("module", rows())
def test_every_pyacl_function_has_a_signature_and_a_text(module: str) -> None:
    namespace: Any = pyacl.modules()[f"acl.{module}".rstrip(".")]
    assert len(namespace.__doc__.split()) > 10
    for name in rows()[module]:
        made = getattr(namespace, name)
        full = f"acl.{module}.{name}".replace("..", ".")
        text = inspect.getdoc(made) or ""
        assert f"{full}(" in text.split("\n")[0], text
        assert " at 0x" not in str(inspect.signature(made))
        found = row(module, name)
        assert found is not None
        if module != "util" and found.format != "*":
            assert list(inspect.signature(made).parameters) == list(found.parameters), name
            assert all(f"    {parameter}: " in text for parameter in found.parameters), name
            assert "Raises TypeError" in text and ("Calls acl" in text or "Calls hi_" in text), name
        assert len(text.split()) >= 10, text


def test_help_of_a_pyacl_function() -> None:
    text = pydoc.plain(pydoc.render_doc(pyacl.modules()["acl.rt"].create_stream))
    assert "stream, ret = acl.rt.create_stream()" in text
    assert "Returns stream, ret; ret is the code" in text
    assert "aclError aclrtCreateStream(aclrtStream* stream);" in text

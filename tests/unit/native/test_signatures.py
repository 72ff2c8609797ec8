"""What the library knows of each function, and what Python makes of it."""

from __future__ import annotations

import doctest
import re

import pytest

from ascend_sim.catalogue import aclnn, declarations, layouts
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.operator_functions import operator_function, operator_names
from ascend_sim.native import signatures
from ascend_sim.native.converters import converters
from ascend_sim.native.home import headers, library
from ascend_sim.native.program_functions import ProgramFunction, address_of, program_function
from ascend_sim.native.signatures import OPTIONAL_OUTPUTS, signature


@pytest.mark.parametrize("module", [aclnn, declarations, headers, layouts, signatures])
def test_examples_in_docstrings(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert (result.failed, result.attempted > 0) == (0, True)


def test_every_function_has_a_signature_with_its_parameters() -> None:
    for function in [*functions().values(), *map(operator_function, operator_names())]:
        text = signature(function)
        assert re.fullmatch(r"((>~?|=)?[iIhHbBqQ?fdsx])*:[ciIhHbBqQ?fdsv]", text), (function.name, text)
        assert len(re.sub(r"[>~=]", "", text)) - 2 == len(function.parameters)


def test_what_needs_python_has_it() -> None:
    for function in functions().values():
        for letter, made in zip(
            re.sub(r"[>~=]", "", signature(function).partition(":")[0]), converters(function), strict=True
        ):
            assert (letter == "x") == (made is not None), function.name


def test_optional_outputs_are_outputs() -> None:
    for name, optional in OPTIONAL_OUTPUTS.items():
        assert optional <= {parameter.name for parameter in functions()[name].outputs}


def test_the_library_exports_every_name_of_the_headers() -> None:
    made = {function.name for function in library.exported()} | library.BY_HAND
    assert set(functions()) <= made
    declared = {name for text in headers.all_headers().values() for name in re.findall(r"\b(acl\w+)\([^;{}]*\);", text)}
    assert declared <= made | {"aclrtMalloc"}
    listed = [name for names in declarations.headers().values() for name in names]
    assert sorted(listed) == sorted(functions())


def test_functions_of_the_program_are_equal_by_address() -> None:
    convert = program_function("aclrtCallback")
    one, same, other = convert(4096), convert(4096), convert(8192)
    assert one is same and one != other and convert(0) is None
    assert isinstance(one, ProgramFunction)
    assert (address_of(one), address_of(None), address_of(print)) == (4096, 0, 0)
    assert one == program_function("aclrtHostFunc")(4096)

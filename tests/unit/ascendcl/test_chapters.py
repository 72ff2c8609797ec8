"""The chapters as a whole: every function has one implementation, in the module that the table names for it."""

import json
import subprocess
import sys

from ascend_sim.ascendcl import chapters
from ascend_sim.catalogue.functions import functions

REGISTERED = """
import json, sys
from importlib import import_module
from pkgutil import walk_packages
from ascend_sim import ascendcl
from ascend_sim.ascendcl import api

found = []
plain = api.api

def noted(name, **options):
    found.append((name, sys._getframe(1).f_globals["__name__"].removeprefix("ascend_sim.ascendcl.")))
    return plain(name, **options)

api.api = noted
for module in walk_packages(ascendcl.__path__, "ascend_sim.ascendcl."):
    import_module(module.name)
print(json.dumps(found))
"""
"""Imports all of the package, by what lies in its folders, with an `api` that notes who registers what."""


def test_the_table_names_the_module_of_each_implementation():
    text = subprocess.run([sys.executable, "-c", REGISTERED], check=True, capture_output=True, text=True).stdout
    registered = sorted(map(tuple, json.loads(text)))
    assert registered == sorted((name, function.module) for name, function in functions().items() if function.module)
    assert len({name for name, _ in registered}) == len(registered)  # one implementation of each
    assert {module for _, module in registered} == set(chapters())

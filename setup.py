"""Puts the class (examples/lessons) into the package; everything else is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithLessons(build_py):
    """A checkout has the lessons once, in examples/lessons; who installs the package gets a copy inside it."""

    def run(self):
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "ascend_sim" / "lessons"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree("examples/lessons", target, ignore=shutil.ignore_patterns("__pycache__", ".*"))


setup(cmdclass={"build_py": BuildWithLessons})

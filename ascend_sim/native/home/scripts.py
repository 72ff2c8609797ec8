"""Scripts by the names of CANN's commands, each of which runs `main` of a module of this room."""

from __future__ import annotations

import os
import shlex
import sys

from ascend_sim.catalogue.tables import PACKAGE

__all__ = ["put_script", "script"]

_TEXT = """\
#!/bin/sh
# Of the simulator: python -I keeps out what the environment of the caller adds to Python.
exec {python} -I -c {code} "$@"
"""


def script(module: str) -> str:
    """The text of one that runs *module*."""
    code = (
        f"import sys; sys.path.insert(0, {os.path.dirname(PACKAGE)!r})\n"
        f"from ascend_sim.native.{module} import main; sys.exit(main(sys.argv[1:]))"
    )
    return _TEXT.format(python=shlex.quote(sys.executable), code=shlex.quote(code))


def put_script(folder: str, name: str, module: str) -> None:
    """Write one as *folder*/*name*; the folder is made. Raises OSError."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(script(module))
    os.chmod(path, 0o755)

"""Runs the cells of a notebook one after the other, as a kernel would: ``python run_notebook.py NOTEBOOK [--no-commands]``.

It knows plain Python, ``%%writefile NAME`` and ``!ascend-sim ...``, which is all that the lessons use.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any


def main(path: str, commands: bool) -> None:
    """Run all code cells in one namespace; what a cell raises ends it."""
    space: dict[str, Any] = {"__name__": "__main__"}
    for cell in json.loads(Path(path).read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "code":
            continue
        if text.startswith("%%writefile "):
            first, _, rest = text.partition("\n")
            Path(first.split()[1]).write_text(rest + "\n", encoding="utf-8")
        elif text.startswith("!ascend-sim "):
            if not commands:
                continue
            run = subprocess.run(
                [sys.executable, "-m", "ascend_sim", *shlex.split(text)[1:]], capture_output=True, text=True, check=False
            )
            print(run.stdout + run.stderr)
        else:
            exec(compile(text, f"<{cell['id']}>", "exec"), space)


if __name__ == "__main__":
    main(sys.argv[1], "--no-commands" not in sys.argv)

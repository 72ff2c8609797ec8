"""Pages of the documentation as programs: their files, their commands, and what these print."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from tests.kit import forks

__all__ = ["ROOT", "Page"]

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^(?:<!-- (\w+): (.*?) -->\n)?```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


@attrs.frozen
class Page:
    """*files*: name and text of blocks under ``<!-- file: NAME -->``. *commands*: each line after ``$`` of the ``console``
    blocks with what is shown below it. *others*: languages of all other blocks, which somebody else has to test."""

    path: Path
    files: dict[str, str]
    commands: list[tuple[str, str]]
    others: list[str]

    @classmethod
    def read(cls, path: Path) -> Page:
        """The page *path*."""
        page = cls(path, {}, [], [])
        for what, name, language, text in _FENCE.findall(path.read_text(encoding="utf-8")):
            if what == "file":
                page.files[name] = text
            elif language == "console":
                before, *parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
                assert before == "", before
                page.commands.extend(zip(parts[::2], parts[1::2], strict=True))
            else:
                page.others.append(language)
        return page

    def run(self, folder: Path, ascend_sim: Callable[..., Any]) -> None:
        """Run all commands, one after the other, in *folder* with the files; each prints what is shown."""
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        code = 0
        for command, shown in self.commands:
            if command == "echo $?":
                assert f"{code}\n" == shown, f"{command}: {code}"
                continue
            name, *words = shlex.split(command)
            if name == "pytest":
                variables = {**os.environ, "PYTHONPATH": str(ROOT)}
                run = forks.run(
                    "pytest", ["-q", "-c", os.devnull, "-p", "no:cacheprovider", *words], folder=folder, env=variables
                )
            else:
                assert name == "ascend-sim", command
                run = ascend_sim(*words, folder=folder, merge=True)
            code = run.returncode
            assert matches(shown, run.stdout), f"$ {command}\n{run.stdout}"


def matches(shown: str, real: str) -> bool:
    """Equal, where a line of ``...`` stands for any lines, and ``...`` at the end of a line for the rest of it."""
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in shown.splitlines()
    )
    return re.fullmatch(pattern, real) is not None

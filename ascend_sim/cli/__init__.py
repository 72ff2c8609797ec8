"""The command ``ascend-sim``: run a program, show profiles, explain codes and findings, say what is modelled."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

__all__ = ["main"]

# Each subcommand is a module with `HELP` and `main(arguments) -> exit code`, imported only when it is asked for.
COMMANDS = {
    "run": "run a program on the simulator: Python that does `import acl`, C or C++",
    "explore": "run a program under every order of its tasks that could make a difference",
    "replay": "run a program under a schedule that explore wrote to a file",
    "info": "the profiles of the products, their limits and switches",
    "explain": "what a return code or a kind of finding means, and what to do about it",
    "lesson": "the lessons: what they are about, their exercises, and a check of what you wrote",
    "gallery": "broken programs: guess, run, repair, have it checked",
    "coverage": "which functions are modelled, by chapter and tier",
    "stub": "a file that stands for a compiled kernel, made from a kernel file",
    "om": "stand-ins for compiled models: made from ONNX, described",
    "home": "the folder that C and C++ builds take for an installed CANN",
    "cc": "compile and link a C or C++ program for the simulator",
    "completion": "a script that completes this command line in bash or zsh",
    "bench": "measure the speed of the simulator itself",
}
MODULES = {"bench": "bench.main"}
UNWRITTEN = {errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT}
"""How a write to stdout fails."""
NO_PLACE = {errno.ENOENT}
"""How the search for a folder for temporary files fails: that names no file."""


def usage(language: str = "en") -> str:
    """The text of ``ascend-sim --help``."""
    from ascend_sim.cli.help import helped

    lines = ["usage: ascend-sim COMMAND ...", "", "A simulator of the Ascend NPU runtime, in pure Python.", ""]
    lines = [helped(line, language) for line in lines]
    lines += [f"  {name:<10} {helped(text, language)}" for name, text in COMMANDS.items()]
    lines += ["", f"  --version  {helped('the version of the simulator', language)}", ""]
    lines += [helped("ascend-sim COMMAND --help says more. A first run: ascend-sim run my_program.py", language)]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 2 for a mistake in the command line."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stdout is None:  # it was closed before Python started
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - until the end
    try:
        code = _command(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # `ascend-sim info | head`
        sys.stderr.close()
        return 141
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.filename is not None or error.errno not in UNWRITTEN | NO_PLACE:
            raise
        from ascend_sim.findings.output import tell

        if error.errno in NO_PLACE:
            tell(f"{error.strerror}; TMPDIR names a folder where files can be written")
            return 1
        tell(f"the output was not written: {error.strerror}")
        _forget_output()
        return 1


def _forget_output() -> None:
    """What stays in the buffer of stdout would fail again when the interpreter ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # no file: it has no buffer of ours either
        pass


def _command(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help", "--lang") or arguments[0].startswith("--lang="):
        from ascend_sim.cli.help import asked

        print(usage(asked(arguments)))
        return 0 if arguments else 2
    name = arguments[0]
    if name in ("-V", "--version"):
        from ascend_sim._version import __version__

        print(f"ascend-sim {__version__}")
        return 0
    if name not in COMMANDS:
        from difflib import get_close_matches

        near = [f"run {name}"] if name.endswith(".py") else get_close_matches(name, COMMANDS, 1)
        hint = f"; did you mean `ascend-sim {near[0]}`?" if near else ""
        from ascend_sim.findings.languages import chosen
        from ascend_sim.findings.output import tell

        tell(f"there is no command {name!r}{hint}", more=f"\n{usage(chosen())}")
        return 2
    from importlib import import_module

    command = import_module(f"ascend_sim.cli.{MODULES.get(name, name)}")
    return int(command.main(arguments[1:]) or 0)

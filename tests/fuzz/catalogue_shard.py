"""Fuzzes a part of the catalogue in a process of its own.

``python -m tests.fuzz.catalogue_shard INDEX COUNT EXAMPLES JOURNAL`` prints one JSON line for each function that
failed, with the calls of the example that did it. JOURNAL always holds the latest call, so that whoever started this
knows which one ended the process.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import tempfile
import time
import traceback

from tests.fuzz.arguments import byte_strings
from tests.fuzz.calls import Target, WrongAnswer, c_names, example, pyacl_names, target

PATIENCE = 300
"""Seconds after which one example, which takes milliseconds, counts as stuck however busy the machine is."""
LENGTH = 200
"""Bytes of an example: some dozen calls."""
FEW = 40
"""Bytes for what is not modelled and answers 207000 whatever it gets."""
PLAIN = bytes(20)
"""An example too, for functions that are modelled: the plainest of everything, in as many calls."""


class Journal:
    """A file that holds the latest call; the calls of the example so far are kept in memory."""

    def __init__(self, path: str) -> None:
        self.calls: list[str] = []
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)

    def say(self, text: str) -> None:
        """Write *text* over what was there."""
        self.calls.append(text)
        line = text.encode("utf-8", "replace")[:2000] + b"\n"
        os.pwrite(self._file, line, 0)
        os.ftruncate(self._file, len(line))


def fuzz(subject: Target, examples: int, journal: Journal) -> None:
    """Prints what is wrong with one function: of the first example in which something is."""
    plain, length = ([PLAIN], LENGTH) if subject.modelled else ([], FEW)
    try:
        for data in (*plain, *byte_strings(subject.name, examples, length)):
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            journal.calls.clear()
            example(subject, data, journal.say)
    except Exception as error:  # noqa: BLE001 - reported by the parent
        text = "".join(traceback.format_exception_only(error))
        if not isinstance(error, WrongAnswer):
            text += "".join(traceback.format_tb(error.__traceback__)[-6:])
        print(json.dumps({"name": subject.name, "error": text[:3000], "calls": journal.calls}), flush=True)


def main() -> None:
    """Fuzz every COUNT-th function, beginning with number INDEX."""
    index, count, examples = (int(word) for word in sys.argv[1:4])
    journal = Journal(sys.argv[4])
    faulthandler.enable()
    names = [*c_names(), *pyacl_names()]
    with tempfile.TemporaryDirectory() as folder:  # calls that write files do it here
        os.chdir(folder)
        for name in sys.argv[5:] or names[index::count]:
            started = time.monotonic()
            subject = target(name)
            fuzz(subject, examples, journal)
            if os.environ.get("FUZZ_TIMES"):
                print(json.dumps({"slow": round(time.monotonic() - started, 2), "of": name}), file=sys.stderr)
        os.chdir("/")
    faulthandler.cancel_dump_traceback_later()
    journal.say("finished")


if __name__ == "__main__":
    main()

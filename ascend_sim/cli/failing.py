"""What makes a command fail: ``--error-on``, ``--baseline`` and ``--update-baseline`` of run and explore."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

import attrs

from ascend_sim.findings.baseline import Baseline, Entry, read_baseline
from ascend_sim.findings.levels import Levels, parse_levels
from ascend_sim.findings.output import tell
from ascend_sim.untrusted.escaping import escaped

__all__ = ["Failing", "add_failing_options", "failing"]


def add_failing_options(parser: argparse.ArgumentParser) -> None:
    """The options that say what makes a command fail."""
    add = parser.add_argument
    add(
        "--error-on",
        action="append",
        type=_levels,
        metavar="LEVEL",
        help="what fails, too: warning (all warnings), note, or a kind such as leak; several with commas between",
    )
    add(
        "--baseline",
        metavar="FILE",
        help="findings that FILE has are not told and do not fail: only new ones do",
    )
    add(
        "--update-baseline",
        action="store_true",
        help="write what was found to the file of --baseline, and fail for none of it",
    )


def _levels(text: str) -> str:
    try:
        parse_levels(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


@attrs.frozen
class Failing:
    """What the options say. *path*: the baseline's file; empty without one."""

    levels: Levels
    path: str
    baseline: Baseline
    update: bool

    def closing(self, found_by: str, seen: Sequence[str]) -> list[str]:
        """Lines about the baseline, when the fingerprints *seen* are all that *found_by* found."""
        if not self.path or self.update:
            return []
        name = escaped(os.path.relpath(self.path))
        lines = []
        known = len(self.baseline.fingerprints.intersection(seen))
        if known:
            lines.append(f"{_many(known)} of the baseline {name} came again")
        gone = self.baseline.gone(found_by, seen)
        if gone:
            what = ", ".join(sorted({escaped(entry.kind) for entry in gone}))
            lines.append(f"{_many(len(gone))} of {name} did not come ({what}): --update-baseline takes them out")
        return lines

    def keep(self, found_by: str, found: Sequence[Entry]) -> str:
        """Write the file, when that is asked for; returns what went wrong, which was said, too."""
        if not self.update:
            return ""
        name = escaped(os.path.relpath(self.path))
        try:
            self.baseline.updated([found_by], found).write(self.path)
        except OSError as error:
            text = f"{name} was not written: {error.strerror}"
            tell(text)
            return text
        many = len(set(found))
        tell(f"{_many(many)} of this run {'is' if many == 1 else 'are'} now in {name}")
        return ""


def failing(options: argparse.Namespace) -> Failing:
    """What the options of a command say. Raises ValueError that says what is wrong with them."""
    path = os.path.abspath(options.baseline) if options.baseline else ""
    if options.update_baseline and not path:
        raise ValueError("--update-baseline needs --baseline FILE")
    baseline = Baseline()
    if path:
        try:
            baseline = read_baseline(path)
        except FileNotFoundError:
            if not options.update_baseline:
                raise ValueError(
                    f"there is no baseline {options.baseline!r}: --update-baseline makes it of what the run finds"
                ) from None
        except OSError as error:
            raise ValueError(f"the baseline {options.baseline!r} cannot be read: {error.strerror}") from None
    return Failing(parse_levels(options.error_on), path, baseline, options.update_baseline)


def _many(number: int) -> str:
    return f"{number} finding{'' if number == 1 else 's'}"

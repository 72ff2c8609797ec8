"""Findings that go to another process and come back are what they were: in every text, fingerprint and file.

`forks.py` puts `watch` into each program that tests run: whatever any of them finds is compared.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ascend_sim.findings import rendering, spool
from ascend_sim.findings.finding import Finding, from_json
from ascend_sim.findings.html import finding_html
from ascend_sim.findings.languages import LANGUAGES
from ascend_sim.findings.sarif import sarif
from ascend_sim.runtime.threads.deterministic import DeterministicThreads

__all__ = ["differences", "watch"]


def differences(finding: Finding) -> list[str]:
    """What is not the same when *finding* was written as JSON and read again."""
    try:
        back = from_json(json.loads(json.dumps(finding.to_json())))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        return [f"{finding!r} cannot be read again: {type(error).__name__}: {error}"]
    return [f"{what} of {finding!r}:\n{a}\n{b}" for (what, a), (_, b) in zip(_forms(finding), _forms(back)) if a != b]  # noqa: B905


def _forms(finding: Finding) -> list[tuple[str, Any]]:
    forms: list[tuple[str, Any]] = [
        ("fingerprint", finding.fingerprint), ("JSON", finding.to_json()), ("SARIF", sarif([finding], os.sep)),
        ("repr", repr(finding)), ("page", finding_html(finding)),
    ]  # fmt: skip
    for language in LANGUAGES:
        forms.append((f"text in {language}", rendering.full(finding, rendering.Style(language=language))))
        forms.append((f"short text in {language}", rendering.short(finding, language)))
    return forms


@contextmanager
def _aside() -> Iterator[None]:
    """What happens here takes no virtual time, though it uses locks."""
    group = DeterministicThreads.installed
    r = group.here.os_thread if group is not None else None
    if r is None:
        yield
        return
    before = r.host.clock, r.cost, r.operations
    try:
        yield
    finally:
        r.host.clock, r.cost, r.operations = before


def watch(path: str) -> None:
    """From now on what this process writes for another one is compared; what differs goes to the file *path*."""
    real = spool._first_line
    write, opened, close = os.write, os.open, os.close

    def compared(finding: Finding) -> bytes:
        found: list[str] = []
        with _aside(), suppress(Exception):  # a program may take away what comparing needs
            found = differences(finding)
        if found:
            file = opened(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            write(file, "\n".join(found).encode("utf-8", "backslashreplace"))
            close(file)
        return real(finding)

    spool._first_line = compared

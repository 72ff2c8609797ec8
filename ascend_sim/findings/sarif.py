"""Findings as SARIF 2.1.0, for code review tools."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ascend_sim._version import __version__
from ascend_sim.findings.finding import Finding, Frame, Site
from ascend_sim.findings.kinds import KINDS
from ascend_sim.findings.pages import home, page_of
from ascend_sim.findings.suppressions import BASELINE
from ascend_sim.source.fence import fenced

__all__ = ["sarif"]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Sequence[Finding], root: str, help_texts: dict[str, str] | None = None) -> dict[str, Any]:
    """One run as plain values; paths are relative to *root*. Findings that others explain are no results."""
    results = [finding for finding in findings if finding.cause is None]
    kinds = list(dict.fromkeys(finding.kind for finding in results))
    rules = []
    for kind in kinds:
        text = KINDS.get(kind, kind)
        address = {"helpUri": page_of(kind)} if kind in KINDS else {}
        rules.append({
            "id": kind, "shortDescription": {"text": text}, **address,
            "help": {"text": (help_texts or {}).get(kind, text)},
        })  # fmt: skip
    address = {"informationUri": home()} if home() else {}
    driver = {"name": "ascend-sim", "version": __version__, **address, "rules": rules}
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"uri": _folder(root)}},
        "results": [_result(finding, kinds.index(finding.kind), root) for finding in results],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _folder(root: str) -> str:
    from pathlib import Path

    return Path(os.path.abspath(root)).as_uri().rstrip("/") + "/"


def _result(finding: Finding, index: int, root: str) -> dict[str, Any]:
    primary = finding.primary
    others = [site for site in finding.sites if site is not primary]
    message = finding.title + (f"\n{finding.fix}" if finding.fix else "")
    result: dict[str, Any] = {
        "ruleId": finding.kind,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": message},
        "locations": [_location(primary, root)] if primary is not None and primary.frames else [],
        "occurrenceCount": finding.count,
        "partialFingerprints": {"ascendSim/v1": finding.fingerprint},
    }
    related = [_location(site, root, i + 1, site.text) for i, site in enumerate(others) if site.frames]
    if related:
        result["relatedLocations"] = related
    stacks = [
        {"message": {"text": site.text}, "frames": [{"location": _place(frame, root)} for frame in site.frames]}
        for site in finding.sites
        if len(site.frames) > 1
    ]
    if stacks:
        result["stacks"] = stacks
    if finding.suppressed is not None:
        result["suppressions"] = [_suppression(finding.suppressed)]
    if finding.suppressed == BASELINE:
        result["baselineState"] = "unchanged"
    properties = {
        "order": finding.order, "notes": list(finding.notes), "followers": list(finding.followers),
        "streams": list(finding.streams), "timeNs": finding.time_ns, "bytes": finding.to_json()["bytes"],
    }  # fmt: skip
    kept = {name: value for name, value in properties.items() if value not in (None, "", [])}
    if kept:
        result["properties"] = kept
    return result


def _suppression(how: str) -> dict[str, str]:
    """SARIF knows two kinds: in the source, and from outside."""
    return {"kind": "external", "justification": "in the baseline"} if how == BASELINE else {"kind": how}


def _location(site: Site, root: str, number: int | None = None, text: str = "") -> dict[str, Any]:
    location = _place(site.frames[0], root)
    if number is not None:
        location["id"] = number
    if text:
        location["message"] = {"text": text}
    return location


def _place(frame: Frame, root: str) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": max(frame.line, 1)}
    if frame.col is not None:
        region["startColumn"] = frame.col + 1
        if frame.end_col is not None:
            region["endColumn"] = frame.end_col + 1
    return {
        "physicalLocation": {"artifactLocation": _artifact(frame.file, root), "region": region},
        "logicalLocations": [{"name": frame.function, "kind": "function"}],
    }


def _quoted(path: str) -> str:
    """*path* in a URI: the bytes of its name, also where they are no UTF-8."""
    try:
        return quote(os.fsencode(path))
    except UnicodeEncodeError:  # half a pair: no file is called that
        return quote(path, errors="surrogatepass")


@fenced(lambda file, root: {"uri": _quoted(file)})  # the working directory may be gone, or on another drive
def _artifact(file: str, root: str) -> dict[str, str]:
    if file.startswith("<"):  # source that is no file
        return {"uri": _quoted(file)}
    path = os.path.abspath(file)
    inside = os.path.relpath(path, os.path.abspath(root))
    if inside.startswith(os.pardir):
        from pathlib import Path

        return {"uri": Path(path).as_uri()}
    return {"uri": _quoted(inside.replace(os.sep, "/")), "uriBaseId": "SRCROOT"}

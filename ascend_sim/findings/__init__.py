"""Findings: what was found, its kinds, suppression, and how it is written down."""

from ascend_sim.findings.finding import KINDS, ByteMap, ByteRange, Finding, FindingLog, Frame, Site, from_json

__all__ = ["KINDS", "ByteMap", "ByteRange", "Finding", "FindingLog", "Frame", "Site", "from_json"]

"""Findings: what was found, its kinds, suppression, and how it is written down."""

from ascend_sim.findings.finding import ByteMap, ByteRange, Finding, Frame, Site, from_json
from ascend_sim.findings.kinds import KINDS
from ascend_sim.findings.log import FindingLog

__all__ = ["KINDS", "ByteMap", "ByteRange", "Finding", "FindingLog", "Frame", "Site", "from_json"]

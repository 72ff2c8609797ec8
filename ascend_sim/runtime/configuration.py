"""The JSON file of aclInit: which keys there are and what is wrong with a file (``spec/api/rules.md`` 1)."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import AclError

if TYPE_CHECKING:
    from ascend_sim.simulator import Simulator

__all__ = ["configure", "text_of"]

MAX_BYTES = 10 << 20
MAX_NESTING = 10
"""For "{" and for "[" alike."""


def text_of(path: str | None) -> str:
    """The text of the file; empty for defaults or when it cannot be read."""
    if not path:
        return ""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_BYTES)
    except OSError:
        return ""


def configure(sim: Simulator, path: str | None) -> None:
    """Read the file of the first aclInit and take its settings over.

    Raises AclError 100003 (cannot be opened), 100000 (other contents than the first time, bad ``err_msg_mode``), 500001
    (a bad section), 100003 too for what is no JSON.
    """
    text = ""
    if path:
        try:
            with open(path, "rb") as file:
                raw = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise AclError(100003, f"configPath {path!r} cannot be opened: {error.strerror}", "acl") from None
        if len(raw) > MAX_BYTES:
            raise AclError(100003, f"configPath {path!r} is larger than {MAX_BYTES} bytes", "acl")
        text = raw.decode("utf-8", "replace")
    digest = hashlib.sha256(text.encode()).digest()
    process = sim.process
    if process.config_digest is not None and process.config_digest != digest:
        raise AclError(100000, "the configuration differs from that of the first aclInit of this process", "acl")
    settings = _parse(text, path)
    mode = settings.get("err_msg_mode", "0")
    if mode not in ("0", "1"):
        raise AclError(100000, f'err_msg_mode is {mode!r}: "0" (thread) or "1" (process) is required', "acl")
    default = _default_device(sim, settings)
    process.config_digest = digest
    process.process_texts = mode == "1"
    process.default_device = default


def _parse(text: str, path: str | None) -> dict[str, Any]:
    if not text.strip():
        return {}
    for bracket, closing in (("{", "}"), ("[", "]")):
        depth = deepest = 0
        quoted = escaped = False
        for character in text:
            if quoted:
                quoted = escaped or character != '"'
                escaped = not escaped and character == "\\"
            elif character == '"':
                quoted = True
            elif character == bracket:
                depth += 1
                deepest = max(deepest, depth)
            elif character == closing:
                depth -= 1
        if deepest > MAX_NESTING:
            raise AclError(100003, f"configPath {path!r} nests {bracket!r} {deepest} deep, {MAX_NESTING} is the most", "acl")
    try:
        settings = json.loads(text)
    except ValueError as error:
        raise AclError(100003, f"configPath {path!r} is no JSON: {error}", "acl") from None
    if not isinstance(settings, dict):
        raise AclError(100003, f"configPath {path!r} holds no JSON object", "acl")
    return settings


def _default_device(sim: Simulator, settings: dict[str, Any]) -> int | None:
    section = settings.get("defaultDevice")
    if section is None:
        return None
    value = section.get("default_device") if isinstance(section, dict) else None
    try:
        device = int(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        device = -1
    if isinstance(value, (bool, float)) or not 0 <= device < len(sim.devices):
        raise AclError(500001, f"defaultDevice.default_device is {value!r}: 0 to {len(sim.devices) - 1} is required", "acl")
    return device

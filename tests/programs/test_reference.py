"""The API reference builds without a warning and has what docs/public.md names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_reference_builds_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("pdoc", reason="pip install 'ascend-sim[docs]' brings pdoc")
    command = [sys.executable, str(ROOT / "docs" / "reference.py"), str(tmp_path)]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert (run.returncode, run.stderr) == (0, "")
    face = (tmp_path / "ascend_sim" / "ascendcl.html").read_text(encoding="utf-8")
    assert 'id="aclrtMemcpyAsync"' in face and 'id="aclrtLaunchKernelV2"' in face
    root = (tmp_path / "ascend_sim.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in root for name in ("Simulator", "Observer.allocated", "kernel", "AclError"))

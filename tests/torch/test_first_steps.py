"""torch_npu as it comes from the package index, on simulated devices."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ascend_sim.torch import gate, versions
from ascend_sim.torch.gate import Shut
from ascend_sim.torch.libraries import load
from ascend_sim.torch.versions import mismatch
from tests.kit.torch_guest import checks_in, needs_torch, run_checks

PROGRAM = Path(__file__).parent / "programs" / "first_steps.py"


@pytest.fixture(scope="module")
def results() -> dict[str, str]:
    return run_checks(PROGRAM, "--devices", "2")


@needs_torch
@pytest.mark.parametrize("check", [*checks_in(PROGRAM), "exit"])
def test_first_steps(results: dict[str, str], check: str) -> None:
    assert results.get(check, f"it never ran: {results['exit']}") == ""


@needs_torch
def test_a_notebook_installs_it(tmp_path: Path) -> None:
    code = (
        "import ascend_sim.torch as t; sim = t.install(devices=2); import torch; "
        "print(torch.npu.device_count(), (torch.arange(3.).npu() + 1).cpu().tolist(), t.install() is sim)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.split("\n")[0] == "2 [1.0, 2.0, 3.0] True", done.stderr


def test_a_program_asks_for_cards_before_it_imports_torch(tmp_path: Path) -> None:
    program = tmp_path / "asks.py"
    program.write_text(
        "import subprocess\nprint(subprocess.run(['npu-smi', 'info', '-l'], capture_output=True, text=True).stdout)"
    )
    words = [sys.executable, "-m", "ascend_sim", "run", "--torch", "on", "--devices", "2", str(program)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "Total Count                    : 2" in done.stdout


@pytest.mark.parametrize(
    ("npu", "torch", "says"),
    [
        ("", "2.13.0", "torch_npu is not installed"),
        ("2.1.0.post12", "", "pip install torch==2.1.0"),
        ("2.13.0", "2.12.1+cpu", "torch_npu 2.13.0 was built for torch 2.13.0, but torch 2.12.1+cpu is installed"),
        ("2.1.0.post12", "2.1.0+cpu", ""),
    ],
)
def test_versions_that_do_not_match_are_told(monkeypatch: pytest.MonkeyPatch, npu: str, torch: str, says: str) -> None:
    monkeypatch.setattr(versions, "_version", {"torch_npu": npu, "torch": torch}.__getitem__)
    found = mismatch()
    assert says in found
    assert bool(found) == bool(says)


def test_a_folder_without_libraries_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"libascendcl\.so"):
        load(tmp_path)


def test_a_shut_gate_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    shut = Shut("not here")
    monkeypatch.setattr(gate, "is_installed", lambda: True)
    monkeypatch.delenv("TORCH_DEVICE_BACKEND_AUTOLOAD", raising=False)
    for name in ("torch", "torch_npu"):
        with pytest.raises(ImportError, match="ascend-sim: not here"):
            shut.find_spec(name)
    monkeypatch.setenv("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")  # torch alone is welcome
    assert shut.find_spec("torch") is None


@needs_torch
@pytest.mark.parametrize("first", ["", "import torch; "])
def test_programs_that_are_started_find_it_too(first: str, tmp_path: Path) -> None:
    """A launcher's workers: whether or not the one that starts them has imported torch."""
    (tmp_path / "worker.py").write_text("import torch; print((torch.ones(2, device='npu') + 1).cpu().tolist())\n")
    (tmp_path / "launcher.py").write_text(
        f"{first}import subprocess, sys; sys.exit(subprocess.run([sys.executable, 'worker.py']).returncode)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "ascend_sim", "run", "launcher.py"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (0, "[2.0, 2.0]\n"), done.stderr


@needs_torch
def test_processes_of_multiprocessing_find_it_too(tmp_path: Path) -> None:
    """They get the path of the one that starts them, and may import torch_npu before torch."""
    (tmp_path / "work.py").write_text(
        "import torch_npu, torch\n\ndef add(results):\n    results.put((torch.ones(3, device='npu') + 1).tolist())\n"
    )
    (tmp_path / "program.py").write_text(
        "import multiprocessing\nfrom work import add\n\n"
        "if __name__ == '__main__':\n"
        "    context = multiprocessing.get_context('spawn')\n"
        "    results = context.Queue()\n"
        "    child = context.Process(target=add, args=(results,))\n"
        "    child.start()\n    print(results.get(timeout=300), flush=True)\n    child.join()\n    print(child.exitcode)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "ascend_sim", "run", "program.py"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.stdout.split("\n")[:2] == ["[2.0, 2.0, 2.0]", "0"], done.stderr

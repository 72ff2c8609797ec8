"""The C++ examples, built by their own CMake project with the commands of the workflow."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.compilers import missing, needs_compiler
from tests.kit.forks import HANG
from tests.programs.native.conftest import tool

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "native"
WORKFLOW = (ROOT / "examples" / "ci" / "native.yml").read_text(encoding="utf-8")
needs_cmake = pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake here")


def _line(name: str, part: str) -> int:
    lines = (EXAMPLES / f"{name}.cpp").read_text(encoding="utf-8").splitlines()
    return next(i for i, line in enumerate(lines, 1) if part in line)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folder, built by the command of the workflow."""
    if missing():
        pytest.skip(missing())
    folder = shutil.copytree(EXAMPLES, tmp_path_factory.mktemp("project") / "native")
    (command,) = re.findall(r"- name: Build\n +run: (.*)", WORKFLOW)
    command = command.replace("ascend-sim home", f"{shlex.quote(sys.executable)} -m ascend_sim home")
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=HANG,
        env={name: value for name, value in os.environ.items() if not name.startswith("ASCEND_")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout + done.stderr
    return folder


@needs_compiler
@needs_cmake
@pytest.mark.parametrize(
    ("words", "output"),
    [
        (["--kernels", "vector_add.py", "build/vector_add"], "z[1] = 1.5, z[999] = 999.5\n"),
        (["build/pipeline"], "7\n"), (["build/host_function", "right"], "1 result\n"),
        (["build/caching_allocator"], "reused 2 times\n"),
        (["--devices", "2", "build/thread_per_device"], "2 devices, total 3\n"),
    ],
    ids=lambda value: next((Path(word).name for word in value if "build" in word), "") if isinstance(value, list) else "",
)  # fmt: skip
def test_a_right_program_has_no_finding(words: list[str], output: str, project: Path, tmp_path: Path) -> None:
    report = tmp_path / "findings.json"
    done = tool("run", "--json", str(report), *words, cwd=project)
    assert (done.returncode, done.stdout) == (0, output), done.stderr
    assert json.loads(report.read_text())["findings"] == []


@needs_compiler
@needs_cmake
@pytest.mark.parametrize(
    ("words", "kind", "name", "part"),
    [
        (["build/pipeline", "wrong"], "race", "pipeline", "DEVICE_TO_HOST, download"),
        (["build/host_function"], "deadlock", "host_function", "aclrtLaunchHostFunc"),
    ],
)  # fmt: skip
def test_a_wrong_program_is_explained_at_its_line(
    words: list[str], kind: str, name: str, part: str, project: Path, tmp_path: Path
) -> None:
    report = tmp_path / "findings.json"
    done = tool("run", "--json", str(report), *words, cwd=project)
    found = json.loads(report.read_text())["findings"][0]
    frames = [site["frames"][0] for site in found["sites"] if site["frames"]]
    assert (done.returncode, found["kind"]) == (1, kind), done.stderr
    assert _line(name, part) in [frame["line"] for frame in frames if Path(frame["file"]).name == f"{name}.cpp"]


@needs_compiler
@needs_cmake
def test_the_run_of_the_workflow(project: Path) -> None:
    (command,) = re.findall(r"- name: Run\n +run: ascend-sim (.*)", WORKFLOW)
    assert tool(*shlex.split(command), cwd=project).returncode == 0
    assert json.loads((project / "findings.sarif").read_text())["version"] == "2.1.0"


def test_the_workflow_is_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load(WORKFLOW)["jobs"]["simulate"]["steps"]
    assert all("uses" in step or step["run"] for step in steps)


def test_every_example_is_in_the_list_and_in_the_project() -> None:
    names = {path.stem for path in EXAMPLES.glob("*.cpp")}
    listed = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    project = (EXAMPLES / "CMakeLists.txt").read_text(encoding="utf-8")
    assert {name for name in names if f"native/{name}.cpp" in listed} == names
    assert {name for name in names if re.search(rf"\b{name}\b", project)} == names

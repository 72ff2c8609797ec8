"""Files of others: what never ends and what is too large is refused before it is read, by every reader."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ascend_sim import Simulator, cli
from ascend_sim import ascendcl as C
from ascend_sim.untrusted.files import TooLarge, read_file, read_text


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[str]:
    """A pipe that a reader would wait for: nobody writes to it."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    yield str(path)


def _device_load(path: str) -> object:
    with Simulator() as sim:
        sim.models["m.om"] = path
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        return C.aclmdlLoadFromFile("m.om")[1]


def _kernels(path: str) -> object:
    with Simulator() as sim:
        sim.kernels["k.o"] = path
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        return C.aclrtBinaryLoadFromFile("k.o", None)[1]


def _init(path: str) -> object:
    with Simulator():
        return C.aclInit(path)


def _model_directory(path: str) -> object:
    os.rename(path, f"{path}.om")
    with Simulator() as sim:
        assert C.aclopSetModelDir(os.path.dirname(path)) == 0
        return [finding.title for finding in sim.findings][-1].partition(": ")[2][:12]


READERS: dict[str, tuple[Callable[[str], object], object]] = {
    "om describe": (lambda path: cli.main(["om", "describe", path]), 1),
    "om from-onnx": (lambda path: cli.main(["om", "from-onnx", path, "-o", os.devnull]), 1),
    "om from-singleop": (lambda path: cli.main(["om", "from-singleop", path, "-o", os.path.dirname(path)]), 1),
    "AIPP": (lambda path: cli.main(["om", "from-onnx", "x", "--insert-op-conf", path, "-o", os.devnull]), 1),
    "stub": (lambda path: cli.main(["stub", path, os.devnull]), 2),
    "aclmdlLoadFromFile": (_device_load, 145002),
    "aclrtBinaryLoadFromFile": (_kernels, 107000),
    "aclInit": (_init, 100003),
    "aclopSetModelDir": (_model_directory, "[Errno 22] i"),
}


@pytest.mark.parametrize("reader", READERS)
def test_pipes_are_refused_by_all_that_read_files(reader: str, pipe: str, capsys: pytest.CaptureFixture[str]) -> None:
    read, expected = READERS[reader]
    assert read(pipe) == expected
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "a\0b", "\ud800"])
def test_devices_and_what_is_no_name_are_refused(path: str) -> None:
    with pytest.raises(OSError):
        read_file(path, 10)


def test_too_large_files_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(TooLarge, match="10 at most"):
        read_file(path, 10)
    path.write_bytes(b"0123456789")
    os.truncate(path, 10)
    assert read_file(path, 10) == b"0123456789"


def test_text_is_utf8(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfa\xc3\xa9")
    assert read_text(path, 10) == "a\xe9"
    path.write_bytes(b"a\xff")
    with pytest.raises(ValueError, match=r"no text in UTF-8.* byte 1"):
        read_text(path, 10)

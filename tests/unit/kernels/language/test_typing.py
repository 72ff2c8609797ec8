"""What checkers see before anything runs (docs/semantics/kernels.md#the-notation)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from . import six_kernels as six

HERE = Path(__file__).parent
mypy = pytest.importorskip("mypy")


def errors(path: Path) -> dict[int, str]:
    """mypy's errors in *path* alone, by line."""
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", "--no-error-summary",
         str(path)],
        capture_output=True, text=True, check=False, cwd=HERE.parents[3],
    )  # fmt: skip
    assert not run.stderr, run.stderr
    found = re.findall(rf"{re.escape(path.name)}:(\d+): error: (.*)", run.stdout)
    return {int(line): text for line, text in found}


@pytest.mark.slow
def test_correct_kernels_pass() -> None:
    assert errors(HERE / "six_kernels.py") == {}


def test_mistakes_are_seen() -> None:
    path = HERE / "six_mistakes.py"
    marks = {
        n: int(m[1]) for n, line in enumerate(path.read_text().splitlines(), 1) if (m := re.search(r"# (\d):", line))
    }
    found = {marks[line]: text for line, text in errors(path).items() if line in marks}
    assert set(found) >= {1, 2, 3, 4, 5, 7}  # 6, another element type, is seen by pyright only
    assert "Unsupported target for indexed assignment" in found[1]
    assert "is not indexable" in found[2]
    assert 'has no attribute "blocks"' in found[3]
    assert "must be used" in found[7]


class TestTheyCompute:
    """The kernels of six_kernels.py, run: nothing of the notation is for checkers alone."""

    x = np.random.default_rng(0).random(1000).astype(np.float32)
    y = np.random.default_rng(1).random(1000).astype(np.float32)

    @pytest.mark.parametrize("blocks", [1, 7, 40])
    def test_vectors(self, blocks: int) -> None:
        z = np.zeros_like(self.x)
        six.add.on_arrays(blocks, self.x, self.y, z, 1000)
        assert (z == self.x + self.y).all()
        z = self.y.copy()
        tiling = six.AxpyTiling(total=np.uint32(1000), tile=np.uint32(64), alpha=np.float32(2.5))
        six.axpy.on_arrays(blocks, self.x, z, tiling)
        assert (z == self.y + np.float32(2.5) * self.x).all()
        out, part = np.zeros(1, np.float32), np.zeros(blocks, np.float32)
        six.reduce_sync.on_arrays(blocks, self.x, out, part, 1000)
        assert np.isclose(out[0], self.x.sum(), rtol=1e-5)
        out[0] = 0
        six.reduce_atomic.on_arrays(blocks, self.x, out, 1000)
        assert np.isclose(out[0], self.x.sum(), rtol=1e-5)
        z = np.zeros_like(self.x[:40])
        six.scale.on_arrays(4, self.x[:40].copy(), z, 40)
        assert (z == self.x[:40] * 2).all()

    @pytest.mark.parametrize("blocks", [1, 3])
    def test_matrices(self, blocks: int) -> None:
        rng = np.random.default_rng(2)
        a, w = rng.standard_normal((100, 70)).astype(np.float32), rng.standard_normal((70, 90)).astype(np.float32)
        bias, c = rng.standard_normal(90).astype(np.float32), np.zeros((100, 90), np.float32)
        t = six.MatmulTiling(m=np.uint32(100), k=np.uint32(70), n=np.uint32(90), slope=np.float32(0.1))
        six.matmul_leaky.on_arrays(blocks, a, w, bias, c, t)
        wanted = a @ w + bias
        assert np.allclose(c, np.where(wanted >= 0, wanted, 0.1 * wanted), rtol=1e-4, atol=1e-4)
        six.matmul_mix.on_arrays(blocks, a, w, c, np.zeros((100, 90), np.float32), t)
        wanted = a @ w
        assert np.allclose(c, np.where(wanted >= 0, wanted, 0.1 * wanted), rtol=1e-4, atol=1e-4)

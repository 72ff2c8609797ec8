"""The rows of all topics, and the operators whose bodies they are for."""

from __future__ import annotations

import importlib

import torch

from ascend_sim.aclnn.bodies import TORCH_BODIES

__all__ = ["NAMES", "rows_of"]

TEXT = """
    activations convolutions creation elementwise embeddings foreach indexing losses normalization ordering pooling products
    random_numbers recurrent reductions resampling shapes training
"""
TOPICS = TEXT.split()
ROWS = [one for topic in TOPICS for one in importlib.import_module(f"tests.unit.aclnn.on_torch.rows_{topic}").ROWS]
MODULES = {f"ascend_sim.aclnn.on_torch.{topic}" for topic in (*TOPICS, "outputs")}
for _module in sorted(MODULES):
    importlib.import_module(_module)
NAMES = sorted(name for name, body in TORCH_BODIES.items() if body.__module__ in MODULES)
torch.set_num_threads(1)


def rows_of(name):
    """The rows of an operator; those of the plain form for an in-place one that has none."""
    own = [one for one in ROWS if name in one.names]
    plain = name.replace("aclnnInplace", "aclnn", 1)
    return own or [one for one in ROWS if plain in one.names]

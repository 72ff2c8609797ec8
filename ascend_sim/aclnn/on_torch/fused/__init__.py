"""Fused operators of serving and training: attention, norms, rotary positions, quantised and grouped products, experts."""

"""Dumps: tensors of models and operators, as files or to a callback (docs/semantics/dump.md)."""

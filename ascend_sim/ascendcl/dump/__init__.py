"""Chapter 18: dumps (docs/semantics/dump.md)."""

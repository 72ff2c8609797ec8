"""Other processes of one run: what they share, and how one of them waits for another (docs/semantics/processes.md)."""

"""Chapter 19: the profiler, stamps, subscriptions to operators, steps (docs/semantics/profiling.md)."""

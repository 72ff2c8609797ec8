"""The search: dynamic partial-order reduction, its tree and bounds, priorities."""

"""The race detector: vector clocks, access histories, happens-before edges, reports."""

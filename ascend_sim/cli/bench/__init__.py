"""The command ascend-sim bench: what calls cost, as ratios within one run."""

"""How much random tests look at: ``ASCEND_SIM_TEST_SCALE=N`` makes N times as many examples, new ones each time."""

import os

SCALE = int(os.environ.get("ASCEND_SIM_TEST_SCALE", "1"))
"""1: every run of the suite tries the same examples."""

"""Every run of the suite tries the same examples; ``ASCEND_SIM_TEST_SCALE`` above 1 looks for new ones."""

import os

from hypothesis import settings

settings.register_profile("ascend-sim", derandomize=os.environ.get("ASCEND_SIM_TEST_SCALE", "1") == "1", database=None)
settings.load_profile("ascend-sim")

"""Every run of the suite tries the same examples; ``ASCEND_SIM_TEST_SCALE`` above 1 looks for new ones."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ascend-sim",
    derandomize=os.environ.get("ASCEND_SIM_TEST_SCALE", "1") == "1",
    database=None,
    deadline=None,  # neither this nor a health check may make a test depend on how busy the machine is
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ascend-sim")

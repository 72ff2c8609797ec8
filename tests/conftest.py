"""Settings of the whole suite."""

from hypothesis import HealthCheck, settings

from tests.kit.scale import SCALE

settings.register_profile(
    "ascend-sim",
    derandomize=SCALE == 1,
    database=None,
    deadline=None,  # neither this nor a health check may make a test depend on how busy the machine is
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ascend-sim")

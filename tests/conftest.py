"""Settings of the whole suite."""

import os
import signal

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

os.environ.setdefault("ASCEND_SIM_TRUST_KERNEL_FILES", "1")
"""Tests write the kernel files that they load; what runs without it is tested in unit/kernels/launching/test_consent.py,
and by the programs and commands, whose environment has no such variable."""

os.environ["ASCEND_SIM_LANG"] = "en"
"""Tests compare English texts, whatever the machine's language is."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in `nohup ... &`: programs would inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)

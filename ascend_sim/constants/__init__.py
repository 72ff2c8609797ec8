"""The enum members and constants of the C headers, under their C names and with their C values.

>>> from ascend_sim.constants import ACL_MEMCPY_HOST_TO_DEVICE, ACL_ERROR_RT_CONTEXT_NULL
>>> ACL_MEMCPY_HOST_TO_DEVICE, ACL_ERROR_RT_CONTEXT_NULL
(1, 107002)

Plain numbers in plain modules, grouped as the headers group them: the form that editors and type checkers follow, and
cheap to import (1099 names in about 2.5 ms from bytecode). They are made from tables: a change goes into
``data/enums.tsv``, ``error_codes.tsv`` or ``constants.tsv``, then ``python -m ascend_sim.catalogue.make_constants``
rewrites them.
"""

# ruff: noqa: F403
from ascend_sim.constants.errors import *
from ascend_sim.constants.execution import *
from ascend_sim.constants.flags import *
from ascend_sim.constants.media import *
from ascend_sim.constants.memory import *
from ascend_sim.constants.models import *
from ascend_sim.constants.queues import *
from ascend_sim.constants.tools import *
from ascend_sim.constants.types import *

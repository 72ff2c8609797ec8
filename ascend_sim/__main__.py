"""``python -m ascend_sim`` is the command ``ascend-sim``."""

import sys

from ascend_sim.cli import main

sys.exit(main())

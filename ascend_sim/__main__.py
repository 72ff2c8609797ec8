"""``python -m ascend_sim`` is the command ``ascend-sim``; so is this file, in processes that the tool starts itself."""

import os
import sys

if __name__ == "__main__":
    if not getattr(sys.flags, "safe_path", False):
        # the working directory (-m) or this folder: nothing there is a module of the tool's
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from ascend_sim.cli import main

    sys.exit(main())

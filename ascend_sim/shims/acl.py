"""What ``import acl`` finds in processes that a program under ``ascend-sim run`` starts.

The folder of this file is on PYTHONPATH there. The module replaces itself by the simulator's ``acl``.
"""

import os.path
import sys

try:
    import ascend_sim._boot
except ImportError:  # the other interpreter does not have the package installed: take the one beside this file
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    import ascend_sim._boot

ascend_sim._boot.join_run()

"""What ``import acl`` finds in processes that a program under ``ascend-sim run`` starts.

The folder of this file is on PYTHONPATH there. The module replaces itself by the simulator's ``acl``, of the package
beside this file: the one that the run uses, whatever this interpreter has installed.
"""

import os.path
import sys

_home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, _home)
try:
    import ascend_sim._boot
finally:
    sys.path.remove(_home)

ascend_sim._boot.join_run()

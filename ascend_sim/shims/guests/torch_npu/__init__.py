"""What ``import torch_npu`` finds in processes that a program under ``ascend-sim run`` starts.

The folder above is on PYTHONPATH there, in runs where torch_npu is installed. The module makes the simulator's libraries
ready, and hands over to the real package. `ASCEND_SIM_BEFORE` names the module that does the first.
"""

import os
import sys
from importlib import import_module

_folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_home = os.path.dirname(os.path.dirname(os.path.dirname(_folder)))
_before = sys.path[:]
del sys.modules[__name__]
try:
    sys.path[:] = [_home, *(path for path in _before if os.path.abspath(path or ".") != _folder)]
    _gate = import_module(os.environ["ASCEND_SIM_BEFORE"])
    sys.path.remove(_home)
    import_module(__name__)
finally:
    sys.path[:] = _before

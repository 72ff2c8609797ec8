"""What ``import acl`` finds in processes that a program under ``ascend-sim run`` starts.

The folder of this file is on PYTHONPATH there. The module replaces itself by the simulator's ``acl``, of the package
beside this file: the one that the run uses, whatever this interpreter has installed.
"""

import os.path
import sys

_here = os.path.dirname(os.path.abspath(__file__))
_path = list(sys.path)
_folders = [os.path.abspath(part) for part in _path]
# What stands before this folder is the program's own (its folder, or the working directory): files there are called as
# they like, and none of them is a module of ours, or of the library for us.
_programs = _path[: _folders.index(_here)] if _here in _folders else _path
if os.path.dirname(os.path.abspath(os.__file__)) in map(os.path.abspath, _programs):
    _programs = _path[:1]  # `install` has put this folder behind the library, and the process has the path of the program
_inside = tuple(os.path.join(os.path.abspath(part), "") for part in _programs)
_theirs = {
    name: module for name, module in sys.modules.items()
    if name.partition(".")[0] in sys.stdlib_module_names and str(getattr(module, "__file__", "")).startswith(_inside)
}  # fmt: skip
for _name in _theirs:
    del sys.modules[_name]  # the program's `queue.py`, which it has imported before
sys.path[:] = [os.path.dirname(os.path.dirname(_here)), *(part for part in _path if part and part not in _programs)]
try:
    import ascend_sim._boot
    import ascend_sim.runtime.own_imports
    import ascend_sim.runtime.own_names
finally:
    sys.path[:] = _path

ascend_sim.runtime.own_imports.look_elsewhere(*_programs)
ascend_sim._boot.join_run()
ascend_sim.runtime.own_names.keep_apart(*_programs)
sys.modules.update(_theirs)

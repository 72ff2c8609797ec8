"""For tests of programs that use the runtime: what the pytest plugin does.

The plugin itself is the module ``ascend_sim_pytest``; nothing here is imported before a test wants it.
"""

from __future__ import annotations

__all__: list[str] = []

"""SHA-256 without OpenSSL, which the interpreter's `hashlib` would take.

OpenSSL cleans up in an exit handler of the process. In a C program findings are still made and named after that, when
its static destructors have run, and what OpenSSL has cleaned up ends the process with SIGSEGV. `random` of the standard
library takes the interpreter's own implementation as well.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import sha256
elif sys.version_info >= (3, 12):
    from _sha2 import sha256
else:
    from _sha256 import sha256

__all__ = ["sha256"]

"""For programs of checks: run each, and say what came of it."""

import json
import os
import traceback


def tell(names):
    """Run the functions ``check_...`` among *names*, or those that CHECKS lists; a line for each."""
    wanted = os.environ.get("CHECKS", "").split()
    for name, check in list(names.items()):
        if not name.startswith("check_") or (wanted and name not in wanted):
            continue
        try:
            check()
            failure = ""
        except Exception:  # noqa: BLE001 - a check may fail in any way
            failure = traceback.format_exc()
            if wanted:
                print(failure)
        print("check-result " + json.dumps([name, failure]), flush=True)

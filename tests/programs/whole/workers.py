"""Starts a subprocess and a spawned worker; both use acl, and both call something that is not modelled."""

import multiprocessing
import subprocess
import sys

import acl

CODE = "import acl; print('subprocess', acl.rt.set_device(1), acl.fv.init(0))"


def work(number):
    import acl

    return number, acl.rt.set_device(number), acl.rt.get_device()[0]


if __name__ == "__main__":
    assert acl.rt.set_device(0) == 0
    sys.stdout.flush()
    assert subprocess.run([sys.executable, "-c", CODE], check=False).returncode == 0
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print("spawned", pool.map(work, [0, 1]))
    assert acl.rt.reset_device(0) == 0

"""Ends with an exception out of a call of acl; prints its arguments first."""

import sys

import acl


def wrong():
    acl.rt.malloc("large", 0)


print(sys.argv[1:], __name__, __file__ == sys.argv[0] or sys.argv[0], flush=True)
wrong()

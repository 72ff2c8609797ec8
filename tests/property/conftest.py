"""Lets the machines of this folder import `walks`."""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))

"""The last thing that Python imports before the main program: here the server of `tests/kit/forks.py` waits."""

from tests.kit.forks import serve

serve()

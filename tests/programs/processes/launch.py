"""Start two programs as a shell script would, and wait for both."""

import subprocess
import sys

programs = [subprocess.Popen([sys.executable, *words.split()]) for words in sys.argv[1:]]
sys.exit(max(program.wait() for program in programs))

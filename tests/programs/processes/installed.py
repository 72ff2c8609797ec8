"""A program that makes the simulator its own, and shares memory with processes that it starts."""

import sys

import ascend_sim

if __name__ == "__main__":
    ascend_sim.install()
    import exchange

    for how in sys.argv[1:]:
        print(how, *exchange.owner(how))

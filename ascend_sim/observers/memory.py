"""stub"""
from ascend_sim.observers.observer import Observer
class MemoryChecker(Observer):
    def __init__(self, sim): ...

"""stub"""
from ascend_sim.observers.observer import Observer
class RulesChecker(Observer):
    def __init__(self, sim): ...

"""Bodies of operators on numpy arrays, a module a topic. What they get and give is in `ascend_sim/aclnn/bodies.py`."""

"""The aclnn operators: tensors and scalars of the program, and the two phases in which one is checked and queued."""

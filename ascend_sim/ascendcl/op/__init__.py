"""Single operators: tensors, attributes, kernels, execution, BLAS."""

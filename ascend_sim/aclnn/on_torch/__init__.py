"""Bodies on the CPU tensors of torch, a module for each kind of operator. Importing one imports torch."""

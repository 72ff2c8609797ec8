"""What a kernel author writes with: kernel, Block, global memory, structs."""

"""Memory: allocation, copies, pools, allocators."""

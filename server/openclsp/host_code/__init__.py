"""Host code as syntax trees: its string literals with source maps, and the OpenCL C programs in them."""

"""The contract between host code and kernels: what the host passes, against the parameters of the kernels."""

"""The contract between host code and kernels: the arguments that the host passes must fit the parameters."""

-- Neovim takes `.cl` for Lisp and knows none of the other endings of OpenCL C.
vim.filetype.add({
  extension = {
    cl = 'opencl',
    clh = 'opencl',
    ocl = 'opencl',
    opencl = 'opencl',
    clc = 'opencl',
    -- C++ for OpenCL: the server says that it does not analyse it.
    clcpp = 'opencl',
  },
  pattern = {
    -- A header: its ending alone says C.
    ['.*%.cl%.h'] = 'opencl',
  },
})

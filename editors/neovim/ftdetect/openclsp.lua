-- Neovim treats `.cl` as Lisp, and knows no other file ending of OpenCL C.
vim.filetype.add({
  extension = {
    cl = 'opencl',
    clh = 'opencl',
    ocl = 'opencl',
    opencl = 'opencl',
    clc = 'opencl',
    -- C++ for OpenCL: the server only reports that it does not analyse it.
    clcpp = 'opencl',
  },
  pattern = {
    -- Without this pattern, the last ending would make it a C header.
    ['.*%.cl%.h'] = 'opencl',
  },
})

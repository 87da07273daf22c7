# openclsp_check(TARGET <name> SOURCES <kernel>... [OPTIONS <option>...] [ALL])
#
# Adds a target that checks kernels with openclsp. A kernel is checked again only if it, a header that it
# includes or a file with its options has changed. An error stops the build. With ALL, the default target
# includes the check. OPENCLSP_PROGRAM names the program.
#
#   include(openclsp.cmake)
#   openclsp_check(TARGET check_kernels SOURCES blur.cl scan.cl OPTIONS --std CL2.0 ALL)

cmake_minimum_required(VERSION 3.20)

function(openclsp_check)
  cmake_parse_arguments(PARSE_ARGV 0 arg "ALL" "TARGET" "SOURCES;OPTIONS")
  if(NOT arg_TARGET OR NOT arg_SOURCES)
    message(FATAL_ERROR "openclsp_check needs TARGET and SOURCES")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "openclsp_check: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  find_program(OPENCLSP_PROGRAM openclsp REQUIRED)
  set(stamps "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE kernel)
    # A hash, because kernels of several folders may have the same name.
    string(SHA256 identity "${kernel}")
    string(SUBSTRING "${identity}" 0 16 identity)
    cmake_path(GET kernel FILENAME name)
    set(stamp "${CMAKE_CURRENT_BINARY_DIR}/openclsp/${arg_TARGET}/${name}.${identity}.stamp")
    cmake_path(GET stamp PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(
      OUTPUT "${stamp}"
      COMMAND "${OPENCLSP_PROGRAM}" check --no-fixes --depfile "${stamp}.d" ${arg_OPTIONS} -- "${kernel}"
      COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
      DEPENDS "${kernel}"
      DEPFILE "${stamp}.d"
      COMMENT "Checking ${source}"
      VERBATIM)
    list(APPEND stamps "${stamp}")
  endforeach()
  if(arg_ALL)
    add_custom_target("${arg_TARGET}" ALL DEPENDS ${stamps})
  else()
    add_custom_target("${arg_TARGET}" DEPENDS ${stamps})
  endif()
endfunction()

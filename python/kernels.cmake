# SPDX-License-Identifier: BSL-1.0
# Whether the package has the CUDA kernels, which take most of the time of a build. They are built with
# APSP_ENABLE_CUDA=ON, for architectures that CMAKE_CUDA_ARCHITECTURES names, and otherwise for the devices that answer.
if(NOT APSP_ENABLE_CUDA STREQUAL "ON" AND NOT APSP_ENABLE_CUDA STREQUAL "OFF" AND NOT CMAKE_CUDA_ARCHITECTURES)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE devices RESULT_VARIABLE status ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" devices "${devices}")
  if(status EQUAL 0 AND devices)
    list(TRANSFORM devices REPLACE "\\.(.+)" "\\1-real")
    list(REMOVE_DUPLICATES devices)
    # Not in the cache, so that the next build looks again.
    set(CMAKE_CUDA_ARCHITECTURES ${devices})
    message(STATUS "apsp: CUDA kernels for the devices here, ${devices}; -DAPSP_ENABLE_CUDA=OFF leaves them out")
  else()
    set(APSP_ENABLE_CUDA OFF)
    message(STATUS "apsp: no CUDA device answers: no kernels; -DAPSP_ENABLE_CUDA=ON builds them")
  endif()
endif()

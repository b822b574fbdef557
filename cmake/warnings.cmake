# SPDX-License-Identifier: BSL-1.0
# Enables the project's warnings for one of its own targets; users of the library do not get them.
function(apsp_enable_warnings target)
  set(warnings -Wall -Wextra -Wconversion -Wshadow)
  if(APSP_WARNINGS_AS_ERRORS)
    list(APPEND warnings -Werror)
  endif()
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:${warnings}>"
    # GCC's -Wconversion does not include it.
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-sign-conversion>")
  if(APSP_HAS_CUDA)
    string(REPLACE ";" "," host_warnings "${warnings}")
    set(cuda_warnings -Xcompiler=${host_warnings})
    if(APSP_WARNINGS_AS_ERRORS)
      list(APPEND cuda_warnings -Werror=all-warnings)
    endif()
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_warnings}>")
  endif()
endfunction()

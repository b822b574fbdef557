# SPDX-License-Identifier: BSL-1.0
# Checks that calls with the library's weight types are not compiled in the program:
#   cmake -DNM=nm -DOBJECT=compiled_calls.cpp.o -P compiled_calls.cmake
cmake_minimum_required(VERSION 3.24)
execute_process(COMMAND "${NM}" -C "${OBJECT}" OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n" ";" listed "${listed}")
set(called "")
foreach(line IN LISTS listed)
  if(line MATCHES "^ +U .*::(close_compiled|run_per_source)<([a-z]+)")
    list(APPEND called "${CMAKE_MATCH_1}<${CMAKE_MATCH_2}>")
  elseif(line MATCHES " [TtWwVv] .*(closure_call|per_source_call|negative_cycle_search|make_trees)<")
    message(SEND_ERROR "compiled in the program: ${line}")
  endif()
endforeach()
foreach(expected IN ITEMS "close_compiled<int>" "close_compiled<double>" "run_per_source<int>")
  if(NOT expected IN_LIST called)
    message(SEND_ERROR "${expected} is not called; calls are: ${called}")
  endif()
endforeach()

# SPDX-License-Identifier: BSL-1.0
# Checks that a shared library exports its public symbols and nothing else:
#   cmake -DNM=nm -DLIBRARY=libapsp.so -P exported_symbols.cmake
execute_process(COMMAND "${NM}" -D --defined-only "${LIBRARY}" OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n" ";" listed "${listed}")
set(count 0)
foreach(line IN LISTS listed)
  if(NOT line MATCHES "^[0-9a-f]* +([A-Za-z]) ([^ @]+)$")
    continue()
  endif()
  set(kind ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  # Templates of the standard library that are compiled here; the linker merges them with those of the program.
  if(kind MATCHES "[WVu]" AND name MATCHES "^_Z(T[ISV]|GV)?Z?(NK?)?(S|9__gnu_cxx)")
    continue()
  endif()
  math(EXPR count "${count} + 1")
  # Functions of namespace apsp::v1, and the type information of its exceptions and classes with virtual functions.
  if(NOT name MATCHES "^_Z(T[ISV])?NK?4apsp2v1")
    message(SEND_ERROR "not of namespace apsp::v1: ${line}")
  elseif(name MATCHES "7scanner|parse_|read_text|lookup_tables|multiply_bits|(baseline|avx2|avx512)_")
    message(SEND_ERROR "only the library uses it: ${line}")
  endif()
endforeach()
# A library without exports would pass the checks above.
if(count LESS 100)
  message(SEND_ERROR "${LIBRARY} shows ${count} symbols:\n${listed}")
endif()
message(STATUS "${count} symbols")

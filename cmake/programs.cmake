# SPDX-License-Identifier: BSL-1.0
# The packages of the programs in perf/ and tools/.

# find_package for a package that is also in Debian and Ubuntu.
macro(apsp_find_for_perf name debian_package)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "The programs of perf/ and tools/ need ${name}: install it (Debian and Ubuntu: ${debian_package}) "
                        "or configure with -DAPSP_ENABLE_PERF=OFF")
  endif()
endmacro()

apsp_find_for_perf(CLI11 libcli11-dev CONFIG)
apsp_find_for_perf(fmt libfmt-dev CONFIG)
apsp_find_for_perf(nlohmann_json nlohmann-json3-dev CONFIG)
apsp_find_for_perf(Boost libboost-graph-dev)
apsp_find_for_perf(benchmark libbenchmark-dev CONFIG)

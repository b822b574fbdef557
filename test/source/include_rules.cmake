# SPDX-License-Identifier: BSL-1.0
# Checks which directory may include which (CONTRIBUTING.md, "Source layout"), and that the names of the library are in
# its inline namespace. Usage: cmake -P test/source/include_rules.cmake
cmake_minimum_required(VERSION 3.24)
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
# The directories of detail/ in the order of their dependencies: each may include itself and those before it.
set(detail_rooms values plan files host device graph matrix call tiles elimination hierarchy_files per_source bits dense batch all_pairs
  summary accessibility queries centrality mpi boost compiled)
# The same for the rooms inside of two of them. Files outside of these rooms may include all.
set(rooms_of_dense problem checkpoints matrix predecessors proofs products closures divided solvers call)
set(rooms_of_per_source problem lanes search sweep delivery solver call)

set(broken 0)
set(calls_of "")
set(checked 0)

macro(broken_rule file rule line)
  message(SEND_ERROR "${file}: ${rule}: ${line}")
  math(EXPR broken "${broken} + 1")
endmacro()

file(GLOB_RECURSE files RELATIVE ${root}
  ${root}/apsp/* ${root}/adaptors/* ${root}/detail/* ${root}/test/*.?pp ${root}/test/*.cu
  ${root}/perf/*.?pp ${root}/perf/*.cu ${root}/tools/*.?pp ${root}/common/*.?pp)

foreach(file IN LISTS files)
  if(NOT file MATCHES "\\.(hpp|cpp|cuh|cu|cuh)$")
    continue()
  endif()
  string(REGEX MATCH "^[^/]+" room ${file})
  get_filename_component(folder ${root}/${file} DIRECTORY)
  if(room MATCHES "^(apsp|adaptors|detail)$")
    file(STRINGS ${root}/${file} lines REGEX "^ *(inline +)?namespace +apsp *({|::)")
    foreach(line IN LISTS lines)
      if(NOT line MATCHES "^namespace apsp::inline v1(::[a-z_]+)* {$")
        broken_rule(${file} "expected namespace apsp::inline v1" "${line}")
      endif()
    endforeach()
  endif()
  file(STRINGS ${root}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line IN LISTS lines)
    math(EXPR checked "${checked} + 1")
    string(REGEX MATCH "([<\"])([^>\"]+)" unused "${line}")
    set(quote "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    set(in_library OFF)
    if(room MATCHES "^(apsp|adaptors|detail)$")
      set(in_library ON)
    endif()

    if(quote STREQUAL "<")
      if(name MATCHES "^boost/" AND in_library AND NOT file MATCHES "^adaptors/boost/")
        broken_rule(${file} "Boost is for adaptors/boost/, test/, perf/ and tools/" "${line}")
      endif()
      if(name MATCHES "^(cuda|cub|thrust|cooperative_groups)/|^(cuda|cooperative_groups|device_|driver_types|curand|nvtx)[a-z_]*(\\.h)?$"
         AND in_library AND NOT file MATCHES "\\.cuh?$")
        broken_rule(${file} "CUDA's headers are for .cu and .cuh files" "${line}")
      endif()
      if(name MATCHES "^(mpi|nccl)\\.h$" AND in_library AND NOT file MATCHES "^(apsp/mpi\\.hpp$|detail/mpi/)")
        broken_rule(${file} "MPI and NCCL are for apsp/mpi.hpp and detail/mpi/" "${line}")
      endif()
      # The header that CMake writes is in the build directory.
      if(name MATCHES "^(apsp|adaptors|detail)/" AND in_library AND
         NOT "${file} ${name}" STREQUAL "apsp/config.hpp apsp/build_options.hpp")
        broken_rule(${file} "inside the library, includes are relative and quoted" "${line}")
      endif()
      # The queue is used by devices alone, which the thread sanitizer cannot run. No result names an order of
      # elimination.
      if(name MATCHES "^(adaptors|detail)/" AND NOT in_library AND
         NOT "${file} ${name}" STREQUAL "test/per_source/source_queue_test.cpp detail/per_source/solver/source_queue.hpp" AND
         NOT "${file} ${name}" MATCHES "^test/elimination/minimum_degree_test\\.cpp detail/elimination/" AND
         NOT "${file} ${name}" MATCHES "^test/centrality/(path_sweeps|paths_in_lanes)_test\\.cpp detail/" AND
         NOT "${file} ${name}" MATCHES "^test/plan/[a-z_]+\\.cpp detail/plan/" AND
         NOT file STREQUAL "perf/bench/preparation_steps.hpp")
        broken_rule(${file} "users include <apsp/...>" "${line}")
      endif()
      continue()
    endif()

    get_filename_component(target "${folder}/${name}" ABSOLUTE)
    file(RELATIVE_PATH target ${root} ${target})
    if(NOT EXISTS ${root}/${target})
      broken_rule(${file} "there is no ${target}" "${line}")
    endif()
    string(REGEX MATCH "^[^/]+" target_room ${target})
    if(room STREQUAL "apsp")
      # In adaptors/ only the header of the same name; in detail/ only the entry headers.
      if(target_room STREQUAL "adaptors")
        string(REGEX REPLACE "^apsp/" "adaptors/" own_adaptor ${file})
        if(NOT target STREQUAL own_adaptor)
          broken_rule(${file} "apsp/ includes of adaptors/ only the header of its own name" "${line}")
        endif()
      elseif(NOT target_room STREQUAL "apsp" AND
             NOT target MATCHES "^detail/[a-z_]+/calls\\.hpp$" AND
             NOT target MATCHES "^detail/(files|values)/" AND
             NOT "${file} ${target}" STREQUAL "apsp/device_matrix.hpp detail/device/memory.hpp" AND
             NOT "${file} ${target}" STREQUAL "apsp/distance_statistics.hpp detail/summary/bins.hpp" AND
             NOT "${file} ${target}" MATCHES
               "^apsp/cuda_kernels.cuh detail/dense/(closures|products|divided)/cuda/(closure|product|row)_solver.cuh$")
        broken_rule(${file} "apsp/ includes apsp/, adaptors/, detail/values/, detail/files/ and one detail/*/calls.hpp" "${line}")
      endif()
      if(target MATCHES "^detail/[a-z_]+/calls\\.hpp$")
        if(calls_of STREQUAL file)
          broken_rule(${file} "a header of apsp/ includes the calls.hpp of one room" "${line}")
        endif()
        set(calls_of ${file})
      endif()
    elseif(room STREQUAL "adaptors")
      if(NOT target_room MATCHES "^(apsp|adaptors)$" AND NOT target MATCHES "^detail/(files|values)/")
        broken_rule(${file} "adaptors/ includes apsp/, adaptors/, detail/values/ and detail/files/" "${line}")
      endif()
    elseif(room STREQUAL "detail")
      if(NOT target_room MATCHES "^(apsp|detail)$")
        broken_rule(${file} "detail/ includes apsp/ and detail/" "${line}")
      elseif(target_room STREQUAL "detail")
        string(REGEX REPLACE "^detail/([^/]+)/.*" "\\1" from ${file})
        string(REGEX REPLACE "^detail/([^/]+)/.*" "\\1" to ${target})
        list(FIND detail_rooms "${from}" from_floor)
        list(FIND detail_rooms "${to}" to_floor)
        if(from_floor LESS 0 OR to_floor LESS 0)
          broken_rule(${file} "the rooms of detail/ are ${detail_rooms}" "${line}")
        elseif(to_floor GREATER from_floor)
          broken_rule(${file} "detail/${from}/ includes itself and the rooms named before it" "${line}")
        elseif(from STREQUAL to AND file MATCHES "^detail/[^/]+/([^/]+)/" AND DEFINED rooms_of_${from})
          set(from_inner ${CMAKE_MATCH_1})
          string(REGEX REPLACE "^detail/[^/]+/([^/]+)(/.*)?$" "\\1" to_inner ${target})
          list(FIND rooms_of_${from} "${from_inner}" from_floor)
          list(FIND rooms_of_${from} "${to_inner}" to_floor)
          if(from_floor LESS 0 OR to_floor LESS 0 OR to_floor GREATER from_floor)
            broken_rule(${file} "the rooms of detail/${from}/ are, from the lowest, ${rooms_of_${from}}" "${line}")
          endif()
        endif()
      endif()
    elseif(target_room MATCHES "^(apsp|adaptors|detail)$")
      broken_rule(${file} "users include <apsp/...>" "${line}")
    elseif(target_room STREQUAL "tools" AND NOT room STREQUAL "tools")
      broken_rule(${file} "only tools/ includes tools/" "${line}")
    elseif(target_room STREQUAL "test" AND NOT room STREQUAL "test")
      broken_rule(${file} "only test/ includes test/; what it shares with perf/ and tools/ is in common/" "${line}")
    endif()
  endforeach()
endforeach()

# The root is an include directory, so a file there must not have the name of a standard header, not even
# in another case.
file(GLOB in_root RELATIVE ${root} ${root}/*)
foreach(file IN LISTS in_root)
  string(TOLOWER ${file} name)
  if(name MATCHES "^(algorithm|any|array|atomic|barrier|bit|bitset|chrono|compare|complex|concepts|coroutine|deque|exception|execution|expected|filesystem|format|functional|future|generator|limits|list|locale|map|memory|mutex|new|numbers|numeric|optional|print|queue|random|ranges|ratio|regex|set|span|sstream|stack|stacktrace|stdexcept|string|thread|tuple|utility|valarray|variant|vector|version|[a-z_]+\\.h|c(assert|ctype|errno|float|limits|locale|math|signal|stdint|stddef|stdio|stdlib|string|time|wchar))$")
    broken_rule(${file} "is named like a header of the standard library" "rename it")
  endif()
endforeach()

if(broken GREATER 0)
  message(FATAL_ERROR "${broken} of ${checked} includes are against the rules")
endif()
message(STATUS "${checked} includes follow the rules")

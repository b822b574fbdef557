# SPDX-License-Identifier: BSL-1.0
# Runs apsp-compare as a user does and checks what it prints, writes and returns:
#   cmake -DPROGRAM=path/to/apsp-compare -DWORK=a/folder -P cli_test.cmake
if(NOT PROGRAM OR NOT WORK)
  message(FATAL_ERROR "give -DPROGRAM and -DWORK")
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# run(EXIT 0 ARGS a b c [OUT regex...] [ERR regex...]): the exit status, and what stdout and stderr
# must match. An error must be one line, and must not print a table.
function(run)
  cmake_parse_arguments(PARSE_ARGV 0 expect "" "EXIT" "ARGS;OUT;ERR")
  execute_process(COMMAND "${PROGRAM}" ${expect_ARGS} WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  string(REPLACE ";" " " command "${expect_ARGS}")
  set(said "apsp-compare ${command}\nstatus: ${status}\nstdout:\n${out}\nstderr:\n${err}")
  if(NOT status STREQUAL "${expect_EXIT}")
    message(SEND_ERROR "expected status ${expect_EXIT}: ${said}")
  endif()
  foreach(regex IN LISTS expect_OUT)
    if(NOT out MATCHES "${regex}")
      message(SEND_ERROR "stdout does not match '${regex}': ${said}")
    endif()
  endforeach()
  foreach(regex IN LISTS expect_ERR)
    if(NOT err MATCHES "${regex}")
      message(SEND_ERROR "stderr does not match '${regex}': ${said}")
    endif()
  endforeach()
  if(expect_EXIT EQUAL 2 AND NOT err MATCHES "^apsp-compare: [^\n]+\n$")
    message(SEND_ERROR "an error is not one line: ${said}")
  endif()
endfunction()

file(WRITE "${WORK}/diamond.gr"
"c two ways from 1 to 4, and a vertex that nothing reaches
p sp 5 5
a 1 2 1
a 2 4 2
a 1 3 2
a 3 4 2
a 5 1 9
")
file(WRITE "${WORK}/negative.gr" "p sp 3 3\na 1 2 1\na 2 3 -4\na 3 1 2\n")
file(WRITE "${WORK}/broken.gr" "p sp 2 1\na 1 7 3\n")

# What a user sees first.
run(EXIT 0 ARGS --help OUT "--policies" "Examples:" "Exit status:")
run(EXIT 0 ARGS --version OUT "^apsp-compare [0-9]+\\.[0-9]+")

# A file, its path and its results.
run(EXIT 0 ARGS diamond.gr --policies seq,omp --path 0 3 --path 0 4 --path 2 2
    OUT "5 vertices, 5 arcs" "weights  i32" "agree: 3 results, bit for bit"
        "path from 0 to 3, length 3: 0 1 3\n" "no path from 0 to 4\n"
        "path from 2 to 2, length 0: 2\n")
run(EXIT 0 ARGS diamond.gr --policies omp --no-boost OUT "one result")

# Edge lists, as their flags say they are meant.
file(WRITE "${WORK}/list.txt" "3\n2\n0 1 0.5\n1 2 0.25\n")
file(WRITE "${WORK}/gaps.txt" "# from to\n10 30\n30 70\n")
run(EXIT 0 ARGS list.txt --header --undirected --policies seq,omp --path 2 0
    OUT "3 vertices, 4 arcs" "weights  f64" "length 0.75: 2 1 0\n")
run(EXIT 0 ARGS gaps.txt --renumber --policies seq --path 0 2 OUT "3 vertices, 2 arcs" "length 2: 0 1 2\n")

# Every weight type, with predecessors, on generated graphs; the seed decides the graph.
foreach(type IN ITEMS f32 f64 i32 i64)
  run(EXIT 0 ARGS --gnp 130 0.1 --type ${type} --policies seq,omp --predecessors --threads 2
      OUT "weights  ${type}" "agree: 3 results")
endforeach()
run(EXIT 0 ARGS --grid 7 9 20 --policies seq,omp --boost --repeat 3 --path 0 62
    OUT "63 vertices, 220 arcs" "agree: 3 results" "path from 0 to 62")
run(EXIT 0 ARGS --gnp 20 0.3 1000000 --seed 7 --policies seq OUT "20 vertices, 131 arcs")

# No vertices, and one.
run(EXIT 0 ARGS --gnp 0 0.5 --policies seq,omp OUT "0 vertices" "agree")
run(EXIT 0 ARGS --gnp 1 0.5 --policies seq,omp OUT "1 vertices" "agree")

# A device that is not there falls back and says so, unless it is required.
execute_process(COMMAND "${PROGRAM}" diamond.gr --policies cuda_tiled --required
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE no_device OUTPUT_QUIET ERROR_QUIET)
if(no_device)
  run(EXIT 0 ARGS diamond.gr --policies cuda_tiled,seq OUT "fell back to omp: " "agree")
  run(EXIT 2 ARGS diamond.gr --policies cuda_tiled --required)
  run(EXIT 0 ARGS diamond.gr OUT "cuda_tiled not run: " "agree: 3 results")
else()
  run(EXIT 0 ARGS diamond.gr OUT "agree: 5 results")
endif()

# What it writes.
run(EXIT 0 ARGS diamond.gr --policies seq --json run.json --distances distances.npy)
file(READ "${WORK}/run.json" json)
string(JSON vertices GET "${json}" graph vertices)
string(JSON policy GET "${json}" rows 0 policy)
string(JSON command GET "${json}" command)
string(JSON agree GET "${json}" agreement agree)
if(NOT vertices EQUAL 5 OR NOT policy STREQUAL "seq" OR NOT command MATCHES "--json run.json" OR
   NOT agree)
  message(SEND_ERROR "run.json: ${json}")
endif()
file(READ "${WORK}/distances.npy" magic LIMIT 6 HEX)
if(NOT magic STREQUAL "934e554d5059")
  message(SEND_ERROR "distances.npy does not start as a NumPy array: ${magic}")
endif()

# A negative cycle has a status of its own, and is printed as a closed walk.
run(EXIT 3 ARGS negative.gr OUT "negative cycle of length -1: [012] [012] [012] [012]\n")
run(EXIT 3 ARGS negative.gr --type f32 --policies seq OUT "negative cycle of length -1")

# Every error is one line and status 2.
run(EXIT 2 ERR "give a graph")
run(EXIT 2 ARGS missing.gr ERR "missing.gr")
run(EXIT 2 ARGS broken.gr ERR "broken.gr:2")
run(EXIT 2 ARGS diamond.gr --policies fast ERR "fast")
run(EXIT 2 ARGS diamond.gr --type i8 ERR "--type")
run(EXIT 2 ARGS diamond.gr --path 0 5 ERR "vertices are 0 to 4")
run(EXIT 2 ARGS diamond.gr --path 0)
run(EXIT 2 ARGS diamond.gr --gnp 10 0.5)
run(EXIT 2 ARGS diamond.gr --boost --no-boost)
run(EXIT 2 ARGS diamond.gr --threads 0)
run(EXIT 2 ARGS diamond.gr --unheard-of)
run(EXIT 2 ARGS --gnp 10 1.5 ERR "p is not between")
run(EXIT 2 ARGS --gnp 10.5 0.5 ERR "not an integer")
run(EXIT 2 ARGS --gnp 100000000 0.5 ERR "bytes")
run(EXIT 2 ARGS diamond.gr --policies seq --json no/such/folder/run.json ERR "run.json")

# SPDX-License-Identifier: BSL-1.0
# Runs apsp-compare and checks its output, files and exit status:
#   cmake -DPROGRAM=path/to/apsp-compare -DWORK=a/folder -P cli_test.cmake
if(NOT PROGRAM OR NOT WORK)
  message(FATAL_ERROR "give -DPROGRAM and -DWORK")
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# run(EXIT 0 ARGS a b c [OUT regex...] [ERR regex...]): checks the exit status, and that stdout and stderr
# match. An error must be one line, without a table.
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

# Help and usage.
run(EXIT 0 ARGS --help OUT "--policies" "Examples:" "Exit status:")
run(EXIT 0 ARGS --version OUT "^apsp-compare [0-9]+\\.[0-9]+")

# A file, paths and results.
run(EXIT 0 ARGS diamond.gr --policies seq,omp --path 0 3 --path 0 4 --path 2 2
    OUT "5 vertices, 5 arcs" "weights  i32" "agree: 3 results, bit for bit"
        "path from 0 to 3, length 3: 0 1 3\n" "no path from 0 to 4\n"
        "path from 2 to 2, length 0: 2\n")
run(EXIT 0 ARGS diamond.gr --policies omp --no-boost OUT "one result")

# Edge lists and their flags.
file(WRITE "${WORK}/list.txt" "3\n2\n0 1 0.5\n1 2 0.25\n")
file(WRITE "${WORK}/gaps.txt" "# from to\n10 30\n30 70\n")
run(EXIT 0 ARGS list.txt --header --undirected --policies seq,omp --path 2 0
    OUT "3 vertices, 4 arcs" "weights  f64" "length 0.75: 2 1 0\n")
run(EXIT 0 ARGS gaps.txt --renumber --policies seq --path 0 2 OUT "3 vertices, 2 arcs" "length 2: 0 1 2\n")

# Every weight type, with predecessors, on generated graphs that depend on the seed.
foreach(type IN ITEMS f32 f64 i32 i64)
  run(EXIT 0 ARGS --gnp 130 0.1 --type ${type} --policies seq,omp --predecessors --threads 2
      OUT "weights  ${type}" "agree: 3 results")
endforeach()
run(EXIT 0 ARGS --grid 7 9 20 --policies seq,omp --boost --repeat 3 --path 0 62
    OUT "63 vertices, 220 arcs" "agree: 3 results" "path from 0 to 62")
run(EXIT 0 ARGS --grid 40 40 --policies seq,omp --explain
    OUT "all_pairs_shortest_paths, omp: elimination on omp took" "floyd_warshall: [0-9.]+ ms" "elimination: [0-9.]+ ms"
        "breadth_first_search: the weights are not known" "agree: 3 results")
run(EXIT 0 ARGS --gnp 20 0.3 1000000 --seed 7 --policies seq OUT "20 vertices, 131 arcs")

# Graphs without vertices and with one.
run(EXIT 0 ARGS --gnp 0 0.5 --policies seq,omp OUT "0 vertices" "agree")
run(EXIT 0 ARGS --gnp 1 0.5 --policies seq,omp OUT "1 vertices" "agree")

# Without a device the call falls back and reports it, unless the device is required.
execute_process(COMMAND "${PROGRAM}" diamond.gr --policies cuda_tiled --required
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE no_device OUTPUT_QUIET ERROR_QUIET)
if(no_device)
  run(EXIT 0 ARGS diamond.gr --policies cuda_tiled,seq OUT "fell back to omp: " "agree")
  run(EXIT 2 ARGS diamond.gr --policies cuda_tiled --required)
  run(EXIT 0 ARGS diamond.gr OUT "cuda_tiled not run: " "agree: 3 results")
else()
  run(EXIT 0 ARGS diamond.gr OUT "agree: 5 results")
endif()

# Output files.
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

# A negative cycle has its own exit status, and is printed as a closed walk.
run(EXIT 3 ARGS negative.gr OUT "negative cycle of length -1: [012] [012] [012] [012]\n")
run(EXIT 3 ARGS negative.gr --type f32 --policies seq OUT "negative cycle of length -1")

# Every error is one line with status 2.
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
run(EXIT 2 ARGS diamond.gr --distances both.npy --json ./both.npy ERR "--distances and --json name one file")
run(EXIT 2 ARGS diamond.gr --json diamond.gr ERR "would be overwritten")
run(EXIT 2 ARGS diamond.gr --distances diamond.gr ERR "would be overwritten")
run(EXIT 2 ARGS --gnp 0x10 0.5 ERR "'0x10' is not a decimal number")
run(EXIT 2 ARGS --gnp 10 0x0p0 ERR "'0x0p0' is not a decimal number")
run(EXIT 2 ARGS --grid 3 0b11 ERR "'0b11' is not a decimal number")
run(EXIT 2 ARGS diamond.gr --threads 0x2 ERR "'0x2' is not a decimal number")
run(EXIT 2 ARGS diamond.gr --policies seq --json no/such/folder/run.json ERR "run.json: there is no such folder")

# Invalid arguments are refused before anything is solved.
file(REMOVE "${WORK}/run.json")
foreach(words IN ITEMS
    "diamond.gr --path 0 1 2" "--path 0 1 2 diamond.gr" "diamond.gr --path -1 2" "diamond.gr --path 0 18446744073709551616"
    "--gnp 9 .5 --seed -1" "--gnp 9 .5 --seed 18446744073709551616" "--gnp 9 .5 --seed 1.5"
    "diamond.gr --type 1" "diamond.gr --policies seq," "diamond.gr --policies ,seq"
    "diamond.gr --predecessors=5" "diamond.gr --required=false" "diamond.gr --distances ." "--gnp 9 .5 --undirected" "--grid 3 3 --renumber" "--header --gnp 9 .5")
  string(REPLACE " " ";" words "${words}")
  run(EXIT 2 ARGS ${words} --json run.json)
  if(EXISTS "${WORK}/run.json")
    message(SEND_ERROR "refused, but run.json is there: ${words}")
  endif()
endforeach()
run(EXIT 0 ARGS --gnp 9 .5 --seed 18446744073709551615 --policies seq,omp)
run(EXIT 0 ARGS --path 0 1 --path 1 3 diamond.gr --policies seq OUT "path from 0 to 1" "path from 1 to 3")

# The command in the JSON file can be read by a shell, and a name need not be UTF-8.
file(COPY_FILE "${WORK}/diamond.gr" "${WORK}/it's.gr")
run(EXIT 0 ARGS "it's.gr" --policies seq --json run.json)
file(READ "${WORK}/run.json" json)
string(JSON command GET "${json}" command)
if(NOT command MATCHES " 'it'\\\\''s.gr' --policies")
  message(SEND_ERROR "run.json: the command is ${command}")
endif()

# shell(EXIT 0 COMMAND ... [ERR regex...]): the same through a shell, where "$0" is the program.
function(shell)
  cmake_parse_arguments(PARSE_ARGV 0 expect "" "EXIT;COMMAND" "ERR")
  execute_process(COMMAND sh -c "${expect_COMMAND}" "${PROGRAM}" WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE err)
  if(NOT status STREQUAL "${expect_EXIT}" OR NOT err MATCHES "${expect_ERR}")
    message(SEND_ERROR "${expect_COMMAND}\nexpected status ${expect_EXIT}, ${expect_ERR}\nstatus: ${status}\nstderr:\n${err}")
  endif()
endfunction()

if(UNIX)
  foreach(option IN ITEMS --json --distances --policies --type --seed)
    shell(EXIT 2 COMMAND "\"$0\" --gnp 9 .5 ${option} ''" ERR "^apsp-compare: ${option}: ")
  endforeach()
  shell(EXIT 0 COMMAND "cp diamond.gr \"$(printf 'l\\344nge.gr')\" && \"$0\" l*nge.gr --policies seq --json run.json")
  file(READ "${WORK}/run.json" json)
  string(JSON vertices GET "${json}" graph vertices)
  if(NOT vertices EQUAL 5)
    message(SEND_ERROR "run.json: ${json}")
  endif()
endif()

# If standard streams cannot be written, the status reports it, and the files are still written.
if(EXISTS /dev/full)
  foreach(closed IN ITEMS ">/dev/full" ">&-" ">&- <&-")
    file(REMOVE "${WORK}/run.json" "${WORK}/distances.npy")
    shell(EXIT 2 COMMAND "\"$0\" diamond.gr --policies seq --json run.json --distances distances.npy ${closed}"
      ERR "^apsp-compare: standard output cannot be written\n$")
    file(READ "${WORK}/run.json" json)
    string(JSON vertices GET "${json}" graph vertices)
    file(SIZE "${WORK}/distances.npy" size)
    if(NOT vertices EQUAL 5 OR NOT size EQUAL 228)
      message(SEND_ERROR "${closed}: distances.npy has ${size} bytes, run.json: ${json}")
    endif()
    shell(EXIT 2 COMMAND "\"$0\" --help ${closed}" ERR "standard output cannot be written")
    shell(EXIT 2 COMMAND "\"$0\" --version ${closed}" ERR "standard output cannot be written")
  endforeach()
  shell(EXIT 2 COMMAND "\"$0\" diamond.gr --policies seq --json /dev/full" ERR "^apsp-compare: /dev/full: cannot be written\n$")
  foreach(closed IN ITEMS "2>/dev/full" "2>&-" "2>&- >&-")
    shell(EXIT 2 COMMAND "\"$0\" missing.gr ${closed}")
  endforeach()
  # The graph arrives late enough for a line of progress.
  shell(EXIT 0 COMMAND "mkfifo late.gr && { (sleep 11; cat diamond.gr) >late.gr & } &&
    \"$0\" late.gr --policies seq --json run.json" ERR "reading late.gr: 10 s")
  file(REMOVE "${WORK}/run.json")
  shell(EXIT 0 COMMAND "{ (sleep 11; cat diamond.gr) >late.gr & } && \"$0\" late.gr --policies seq --json run.json 2>/dev/full")
  file(READ "${WORK}/run.json" json)
  string(JSON vertices GET "${json}" graph vertices)
  if(NOT vertices EQUAL 5)
    message(SEND_ERROR "run.json: ${json}")
  endif()
endif()

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# How much longer a call of the library compiles than the same of Boost.Graph: user time of g++ -O2, the median of
# three, taken in turns. The goal is 1.3. The limit only guards against a regression: beside other compilers on
# the same machine it was 1.7 and 2.0, and 1.7 to 2.4 for single pairs.
set -euo pipefail
goal=1.3
limit=3.0

# user_time [OPTION...]: compiles the program, and prints the seconds.
user_time() {
  local TIMEFORMAT=%U
  { time g++ -std=c++20 -O2 -fopenmp -I. "$@" -c test/source/compile_time.cpp -o "$WORK/compile_time.o" 1>&3 2>&3; } 3>&2 2>&1
}
median() { printf '%s\n' "$@" | sort -n | sed -n 2p; }

ours=()
theirs=()
for _ in 1 2 3; do
  theirs+=("$(user_time -DBY_BOOST)")
  ours+=("$(user_time)")
done
awk -v ours="$(median "${ours[@]}")" -v theirs="$(median "${theirs[@]}")" -v goal=$goal -v limit=$limit 'BEGIN {
  ratio = ours / theirs
  printf "apsp::floyd_warshall %.2f s, boost::floyd_warshall_all_pairs_shortest_paths %.2f s: ", ours, theirs
  printf "ratio %.2f; the goal %.1f is %smet, the limit is %.1f\n", ratio, goal, ratio <= goal ? "" : "not ", limit
  exit ratio > limit
}'

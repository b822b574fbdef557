#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Another standard library, which has no <stop_token>, and a library without OpenMP. Boost 1.74 uses classes that
# C++17 has removed.
set -euo pipefail
tests=(stop_token_test observation_test floyd_warshall_test files_test mapped_matrix_test
  replaced_files_test adaptors_test arc_proofs_test bit_matrix_test boost_graph_test queries_test
  fewest_edges_test for_each_row_test generators_test negative_cycles_test
  outputs_test cutoff_test per_source_semiring_test shared_memory_test
  vertex_ids_test hierarchy_files_test decisions_test example_first_program)
if ! echo '#include <vector>' | clang++-16 -stdlib=libc++ -fsyntax-only -x c++ - 2>/dev/null; then
  echo 'skipped: there is no clang++-16 with libc++'
  exit 77
fi
cmake -S . -B "$WORK/libcxx" -G Ninja -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DCMAKE_CXX_FLAGS='-stdlib=libc++ -D_LIBCPP_ENABLE_CXX17_REMOVED_FEATURES' \
  -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON -DAPSP_ENABLE_CUDA=OFF -DAPSP_ENABLE_MPI=OFF \
  -DAPSP_WARNINGS_AS_ERRORS=ON
cmake --build "$WORK/libcxx" --target "${tests[@]}"
ctest --no-tests=error --test-dir "$WORK/libcxx" -R "^($(IFS='|' && echo "${tests[*]}"))\$"

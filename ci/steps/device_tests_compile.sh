#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Test programs as they are built for a device, one or more of each room. A machine without a GPU could only skip them,
# so that they are not compiled further than -fsyntax-only does.
set -euo pipefail
nvcc=$(command -v nvcc) || { echo 'skipped: there is no CUDA Toolkit'; exit 77; }
tests=(dense/floyd_warshall per_source/per_source_memory bits/bit_matrix batch/floyd_warshall_batch_contract
  summary/distance_summary centrality/betweenness_of_networks elimination/elimination device/device_memory_arguments device/device_memory
  device/memory_resource device/device)
printf 'test/%s_test.cpp\n' "${tests[@]}" |
  xargs -P "$CMAKE_BUILD_PARALLEL_LEVEL" -I '{}' g++ -std=c++20 -fopenmp -fsyntax-only -DAPSP_TEST_ON_DEVICE -I. \
    -isystem "$(dirname "$nvcc")/../include" -Wall -Wextra -Wconversion -Wshadow -Werror '{}'

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Some of the kernels for every architecture; all of them would take as long as the step `test` for each. With ranges
# of NVTX.
set -euo pipefail
cmake -S . -B "$WORK/architectures" -G Ninja -DCMAKE_BUILD_TYPE=Release -DAPSP_ENABLE_CUDA=ON \
  -DCMAKE_CUDA_ARCHITECTURES='80-real;86-real;89-real;90-real;100-real;120-real' \
  -DAPSP_ENABLE_TESTS=OFF -DAPSP_WARNINGS_AS_ERRORS=ON -DAPSP_ENABLE_NVTX=ON
cmake --build "$WORK/architectures" --target \
  CMakeFiles/apsp.dir/detail/{tiles/cuda/float_products,dense/closures/cuda/paired_floyd_warshall}.cu.o \
  CMakeFiles/apsp.dir/compiled/per_source_float.cu.o

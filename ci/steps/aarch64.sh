#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Another processor: the library by a cross-compiler, thousands of random calls and some tests under qemu-user. The
# vectors of the inner loops must be in registers of NEON.
set -euo pipefail
# The emulation is slow, so that only parts of these programs run.
parts=('floyd_warshall_test --run_test=parallel_arcs*,rounding*,triangle*'
  'elimination_test --run_test=a_negative*,rounding*,integers*' 'breadth_first_search_test --run_test=structures*,cutoffs*')
tests=(stop_token_test files_test mapped_matrix_test)
for program in aarch64-linux-gnu-g++ qemu-aarch64; do
  command -v "$program" >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done
# The other headers of /usr/include are those of this processor.
mkdir -p "$WORK/boost_headers"
ln -sfn /usr/include/boost "$WORK/boost_headers/boost"
cmake -S . -B "$WORK/aarch64" -G Ninja --toolchain cmake/aarch64-linux-gnu.cmake \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DAPSP_ENABLE_CUDA=OFF -DAPSP_ENABLE_MPI=OFF -DAPSP_WARNINGS_AS_ERRORS=ON \
  -DBoost_NO_BOOST_CMAKE=ON -DBoost_INCLUDE_DIR="$WORK/boost_headers"
cmake --build "$WORK/aarch64" --target soak "${parts[@]%% *}" "${tests[@]}"
aarch64-linux-gnu-objdump -d "$WORK/aarch64/CMakeFiles/apsp.dir/compiled/tile_kernels_baseline.cpp.o" |
  grep -E 'fadd[[:space:]]+v[0-9]+\.4s' >/dev/null
qemu-aarch64 -L /usr/aarch64-linux-gnu "$WORK/aarch64/test/soak" --graphs 200 --policies seq,omp
export APSP_TEST_SMALL=1
for part in "${parts[@]}"; do
  # shellcheck disable=SC2086  # the arguments are words
  qemu-aarch64 -L /usr/aarch64-linux-gnu "$WORK/aarch64/test/"$part
done
ctest --no-tests=error --test-dir "$WORK/aarch64" -R "^($(IFS='|' && echo "${tests[*]}"))\$"

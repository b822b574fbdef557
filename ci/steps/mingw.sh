#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Another system: the host library, the examples and some tests by MinGW's GCC, run by Wine.
set -euo pipefail
# Parts of this program, as on aarch64.
part=floyd_warshall_test
cases='parallel_arcs*,rounding*,triangle*'
tests=(stop_token_test files_test mapped_matrix_test)
if ! command -v x86_64-w64-mingw32-g++-posix >/dev/null; then
  echo 'skipped: there is no x86_64-w64-mingw32-g++-posix'
  exit 77
fi
# The other headers of /usr/include are those of this system.
mkdir -p "$WORK/boost_headers"
ln -sfn /usr/include/boost "$WORK/boost_headers/boost"
cmake -S . -B "$WORK/mingw" -G Ninja --toolchain cmake/mingw-w64.cmake \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DAPSP_ENABLE_CUDA=OFF -DAPSP_ENABLE_MPI=OFF -DAPSP_WARNINGS_AS_ERRORS=ON \
  -DBoost_NO_BOOST_CMAKE=ON -DBoost_INCLUDE_DIR="$WORK/boost_headers"
tests_of_build=$(ctest --test-dir "$WORK/mingw" -N)
mapfile -t examples < <(sed -n 's/.*: \(example_[a-z_]*\)$/\1/p' <<<"$tests_of_build")
[ ${#examples[@]} -gt 20 ] || { echo "expected more than 20 examples, got ${#examples[@]}"; exit 1; }
cmake --build "$WORK/mingw" --target soak "$part" "${tests[@]}" "${examples[@]}"

emulator=$(sed -n 's/^APSP_WINE:[^=]*=//p' "$WORK/mingw/CMakeCache.txt")
if [ ! -x "$emulator" ]; then
  echo 'compiled, not run: there is no Wine'
  exit 77
fi
export WINEPREFIX=$WORK/wine WINEDEBUG=-all APSP_TEST_SMALL=1
trap 'wineserver -k 2>/dev/null || /usr/lib/wine/wineserver -k || true' EXIT
timeout 300 "$emulator" "$WORK/mingw/test/soak.exe" --graphs 200 --policies seq,omp
timeout 300 "$emulator" "$WORK/mingw/test/$part.exe" --run_test="$cases"
ctest --no-tests=error --test-dir "$WORK/mingw" --timeout 120 -R "^($(IFS='|' && echo "${tests[*]}")|example_.*)\$"

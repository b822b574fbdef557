#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Installs missing packages (Debian, Ubuntu), builds apsp-compare, and runs it with every policy that this
# machine supports on one graph. Kernels are built only for the CUDA devices present.
#
#   scripts/compare.sh                      a grid of 50 x 50 vertices
#   scripts/compare.sh GRAPH [OPTION]...    a file, or --gnp and --grid: apsp-compare --help
#
# CMAKE_ARGS in the environment is passed to the configure step.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/compare

# Prints the architectures of the CUDA devices, 9.0 as 90-real; nothing without a device.
device_architectures() {
  nvidia-smi -L 2>/dev/null | grep -q '^GPU' || return 0
  nvidia-smi --query-gpu=compute_cap --format=csv,noheader |
    sed -n 's/^ *\([0-9]*\)\.\([0-9]*\) *$/\1\2-real/p' | sort -u | paste -s -d ';'
}

architectures=$(device_architectures)
if [ -z "$architectures" ]; then
  echo 'no CUDA device answers here: the library is built without kernels'
  cuda=(-DAPSP_ENABLE_CUDA=OFF)
elif ! command -v nvcc >/dev/null && [ -z "${CUDACXX:-}" ] && [ ! -x /usr/local/cuda/bin/nvcc ]; then
  echo 'there is a CUDA device, but no nvcc: the library is built without kernels'
  cuda=(-DAPSP_ENABLE_CUDA=OFF)
else
  echo "the kernels are built for $architectures, which takes some minutes on a few cores;" \
    'CMAKE_ARGS=-DAPSP_ENABLE_CUDA=OFF leaves them out'
  cuda=(-DAPSP_ENABLE_CUDA=AUTO "-DCMAKE_CUDA_ARCHITECTURES=$architectures")
fi

"$root/scripts/install_dependencies.sh" --compare
# shellcheck disable=SC2086  # the arguments are words
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DAPSP_ENABLE_TESTS=OFF \
  -DAPSP_ENABLE_PERF=ON --log-level=NOTICE "${cuda[@]}" ${CMAKE_ARGS:-}
echo 'building apsp-compare'
cmake --build "$build" --target apsp-compare

[ $# -gt 0 ] || set -- --grid 50 50
echo "apsp-compare $*"
exec "$build/tools/apsp-compare" "$@"

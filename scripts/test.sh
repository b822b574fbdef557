#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Installs what is missing (Debian, Ubuntu), builds the library with its tests and apsp-compare, with
# CUDA where nvcc is, and runs the tests. Tests of a device are skipped where there is none.
#
#   scripts/test.sh [-DCMAKE_OPTION=...]...    options go to the configure step
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
scripts/install_dependencies.sh
cmake --preset release -G Ninja "$@"
cmake --build --preset release
ctest --preset release

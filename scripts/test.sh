#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Installs missing packages (Debian, Ubuntu), builds the library, its tests and apsp-compare, with CUDA if
# nvcc is present, and runs the tests. Tests of a device are skipped without a device.
#
#   scripts/test.sh [-DCMAKE_OPTION=...]...    options of the configure step
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
scripts/install_dependencies.sh
cmake --preset release -G Ninja "$@"
cmake --build --preset release
ctest --preset release

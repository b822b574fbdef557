#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Compares texts: --dry-run of clang-format 16 complains of the comments that it writes itself behind nested inline
# namespaces.
set -euo pipefail
clang-format-16 --version
git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh' |
  xargs -P "$CMAKE_BUILD_PARALLEL_LEVEL" -I '{}' bash -o pipefail -c 'clang-format-16 "{}" | diff -u --label "{}" "{}" -'

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# All sources of the host, and the public headers with all that they include.
set -euo pipefail
. ci/common.sh
include_public_headers >"$WORK/public_headers.cpp"
# shellcheck disable=SC2046  # the flags are words
git ls-files 'detail/*.cpp' 'adaptors/*.cpp' ':!detail/files/windows_system_calls.cpp' test/consumer/main.cpp |
  cat - <(echo "$WORK/public_headers.cpp") |
  xargs -P "$CMAKE_BUILD_PARALLEL_LEVEL" -I '{}' clang-tidy --quiet \
    --header-filter="^(\./|$PWD/)(apsp|adaptors|detail)/" '{}' -- -std=c++20 -fopenmp -I. $(mpi_flags)

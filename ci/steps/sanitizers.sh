#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Runs all host code once. `ctest --preset asan -L host` runs the rest, which takes as long again.
set -euo pipefail
cmake --preset asan -G Ninja
cmake --build --preset asan --target sanitized_tests
ctest --no-tests=error --preset asan -L '^sanitized$'

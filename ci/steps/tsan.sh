#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The tests that start threads of their own.
set -euo pipefail
tests=(concurrent_calls_test source_queue_test stop_token_test observation_test stopped_preparation_test)
cmake --preset tsan -G Ninja
cmake --build --preset tsan --target "${tests[@]}"
ctest --no-tests=error --preset tsan -R "^($(IFS='|' && echo "${tests[*]}"))\$"

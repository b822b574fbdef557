#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Measures what perf/bench/goals.json has goals for: those of a device only where one is. If APSP_CI_OTHER_BUILD is the
# folder of another build, for example of the commit before, its kernels are compared with these first.
set -euo pipefail
. ci/common.sh
expect_release
if [ -n "${APSP_CI_OTHER_BUILD:-}" ]; then perf/kernels/compare_sass.py "$APSP_CI_OTHER_BUILD" build/release; fi
only='omp|seq'
if [ "$WITH_DEVICE" = ON ]; then only=; fi
cmake --build build/release --target apsp-bench
read -ra arguments < <(perf/bench/goals.py --arguments --only "$only")
build/release/perf/apsp-bench "${arguments[@]}" --benchmark_out="$WORK/goals.json"
perf/bench/goals.py "$WORK/goals.json"

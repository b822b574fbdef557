#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The wheel with the library built before, its tests, and those of other packages on it.
set -euo pipefail
. ci/common.sh
expect_release
cmake --install build/release --prefix "$WORK/python_prefix" >"$WORK/python_install.log"
python/tests/check.sh "$WORK/python_prefix" "$WORK/python"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
set -euo pipefail
. ci/common.sh
expect_release
cmake --build build/release --target check_headers

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
set -euo pipefail
. ci/common.sh
expect_release
test/consumer/check_debian.sh build/release "$WORK/debian"

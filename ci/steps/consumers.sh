#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The kernels were compiled before, so inside another project they are only configured.
set -euo pipefail
. ci/common.sh
expect_release
CMAKE_ARGS=-DAPSP_ENABLE_CUDA=OFF test/consumer/check.sh build/release "$WORK/consumers"
if [ "$WITH_CUDA" = ON ]; then test/consumer/check_cccl.sh build/release "$WORK/cccl"; fi
cmake -S test/consumer/subproject -B "$WORK/consumers/subproject_with_kernels" -DAPSP_ENABLE_CUDA="$WITH_CUDA"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The second command of the README, with CUDA if nvcc is present: every kernel, for one architecture.
exec scripts/test.sh -DAPSP_WARNINGS_AS_ERRORS=ON -DAPSP_ENABLE_CUDA="$WITH_CUDA" \
  -DCMAKE_CUDA_ARCHITECTURES=90 -DAPSP_ENABLE_DEVICE_TESTS="$WITH_DEVICE"

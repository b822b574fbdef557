#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
set -euo pipefail
[ "$WITH_DEVICE" = ON ] || { echo 'expected a GPU, got none: nvidia-smi -L fails'; exit 1; }
cmake --preset cuda -G Ninja
cmake --build --preset cuda
ctest --no-tests=error --preset cuda -L device

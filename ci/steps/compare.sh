#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The first command of the README, on a small graph and without the kernels, which were compiled before.
CMAKE_ARGS=-DAPSP_ENABLE_CUDA=OFF exec scripts/compare.sh --grid 20 20 --no-boost

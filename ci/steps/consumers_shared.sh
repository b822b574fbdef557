#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The library that the step `shared` has built.
set -euo pipefail
compgen -G "$WORK/shared/libapsp.so*" >/dev/null || { echo 'skipped: there is no shared library'; exit 77; }
CMAKE_ARGS=-DAPSP_ENABLE_CUDA=OFF test/consumer/check.sh "$WORK/shared" "$WORK/consumers_shared" \
  installed pkg_config

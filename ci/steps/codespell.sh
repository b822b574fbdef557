#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# All files but recorded output and pictures.
set -euo pipefail
git ls-files -z -- ':!*.svg' ':!*.csv' ':!perf/results' | xargs -0 "$WORK/tools/bin/codespell"

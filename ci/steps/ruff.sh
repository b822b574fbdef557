#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
exec "$WORK/tools/bin/ruff" check

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The workflows of GitHub, against their schema.
exec "$WORK/tools/bin/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml

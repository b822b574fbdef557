#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# All scripts of the shell, wherever they are: those without a suffix, too.
set -euo pipefail
shellcheck --version | sed -n 2p
git grep -lIE '^#!.*\b(ba)?sh$|^# shellcheck shell=' -- ':!*.md' | xargs shellcheck -x

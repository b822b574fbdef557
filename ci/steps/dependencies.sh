#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
exec scripts/install_dependencies.sh --ci

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
exec cmake -P test/source/include_rules.cmake

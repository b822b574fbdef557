#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
exec docs/build_site.py

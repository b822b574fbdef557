#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The site, and the list of public names, which Doxygen reads as well.
set -euo pipefail
docs/build_site.py
docs/api_listing.py

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The public headers, and the calls of a test, in the standard after the library's.
set -uo pipefail
. ci/common.sh
source=$WORK/cxx23.cpp
status=0
{ include_public_headers && cat test/source/strict_warnings.cpp; } >"$source"
for compiler in g++ clang++; do
  # shellcheck disable=SC2046  # the flags are words
  "$compiler" -std=c++2b -fsyntax-only -fopenmp -DAPSP_WITHOUT_CUDA -I. $(mpi_flags) \
    -Wall -Wextra -Wconversion -Wshadow -Wsign-conversion -Werror "$source" || status=1
done
exit "$status"

# shellcheck shell=bash
# SPDX-License-Identifier: BSL-1.0
# Functions of several steps.

# Where the header of MPI is, for compilers that are called by hand.
mpi_flags() { echo "-isystem $(pkg-config --variable=includedir ompi-c) -DOMPI_SKIP_MPICXX"; }

# include_public_headers: a source of all of them.
include_public_headers() { git ls-files 'apsp/*.hpp' | sed 's/.*/#include <&>/'; }

# expect_release: for steps that use what the step `test` has built.
expect_release() {
  [ -e build/release/CMakeCache.txt ] && return
  echo 'expected a build in build/release, got none: ci/run test makes it'
  exit 1
}

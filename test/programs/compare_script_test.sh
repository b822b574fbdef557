#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Tests the configuration that scripts/compare.sh chooses on machines with and without CUDA devices. The
# programs that it calls are replaced by stubs that record their arguments.
#
#   test/programs/compare_script_test.sh SCRIPT WORK_DIR
#
# WORK_DIR is emptied first.
set -euo pipefail

script=$1
work=$2
rm -rf "$work"
mkdir -p "$work/scripts" "$work/bin" "$work/build/compare/tools"
work=$(cd "$work" && pwd)
cp "$script" "$work/scripts/compare.sh"

# stand_in FILE LINE...: creates a stub with these lines.
stand_in() {
  local file=$work/$1
  shift
  printf '%s\n' '#!/bin/sh' "$@" >"$file"
  chmod +x "$file"
}

# expect TEXT WHAT: runs the script without arguments; the recorded calls must contain TEXT.
expect() {
  PATH=$work/bin:$PATH "$work/scripts/compare.sh" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
  grep -qe "$1" "$work/said" || {
    echo "expected '$1' $2:" >&2
    cat "$work/said" >&2
    exit 1
  }
}

stand_in scripts/install_dependencies.sh 'echo "install $*"'
stand_in bin/cmake 'echo "cmake $*"'
stand_in bin/nvcc 'exit 0'
stand_in build/compare/tools/apsp-compare 'echo "compared $*"'

stand_in bin/nvidia-smi 'echo "No devices found." >&2' 'exit 6'
expect '-DAPSP_ENABLE_CUDA=OFF' 'without a device'
expect 'compared --grid 50 50' 'without arguments'
expect 'install --compare' 'for the dependencies'
expect 'cmake --build .* --target apsp-compare' 'for the build'

# An nvidia-smi that succeeds but lists no device.
stand_in bin/nvidia-smi 'exit 0'
expect '-DAPSP_ENABLE_CUDA=OFF' 'without a device'

# shellcheck disable=SC2016  # the script that is written expands it
stand_in bin/nvidia-smi 'case $1 in' '-L) echo "GPU 0: NVIDIA H200 (UUID: GPU-0)" ;;' \
  '*) printf "9.0\n8.6\n9.0\n" ;;' 'esac'
expect '-DCMAKE_CUDA_ARCHITECTURES=86-real;90-real' 'for the devices'

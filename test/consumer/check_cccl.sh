#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Compiles a program with types of CCCL, links it with a static library that was built with CUDA, and runs it:
#
#   test/consumer/check_cccl.sh BUILD WORK_DIR
#
# CCCL is that of the CUDA Toolkit if it is 3.2 or later, else one of PyPI. CCCL=DIR names another one.
set -euo pipefail

source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
toolkit=${CUDA_HOME:-/usr/local/cuda}

version_of() { sed -n 's/^# *define CCCL_VERSION \([0-9]*\).*/\1/p' "$1/cuda/std/__cccl/version.h" 2>/dev/null || true; }

cccl=${CCCL:-$toolkit/include/cccl}
version=$(version_of "$cccl")
if [ -z "${CCCL:-}" ] && [ "${version:-0}" -lt 3002000 ]; then
  python3 -m pip download -q --no-deps --only-binary :all: --dest "$work" nvidia-cuda-cccl==13.3.5.0.6
  (cd "$work" && python3 -m zipfile -e nvidia_cuda_cccl-*.whl .)
  cccl=$(echo "$work"/nvidia/*/include/cccl)
  version=$(version_of "$cccl")
fi
echo "CCCL $((version / 1000000)).$((version / 1000 % 1000)).$((version % 1000)) in $cccl"

"${CXX:-c++}" -std=c++20 -fopenmp -Wall -Wextra -Wconversion -Wshadow -Werror -I"$source" -I"$build/generated" \
  -isystem "$cccl" -isystem "$toolkit/include" "$source/test/examples/cccl_environment.cpp" "$build/libapsp.a" \
  -L"$toolkit/lib64" -lcudart_static -ldl -lrt -lpthread -o "$work/cccl"
"$work/cccl" || [ $? -eq 77 ] # without a device

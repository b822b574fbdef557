#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Installs the packages needed to build, test and run apsp-compare with apt-get (Debian, Ubuntu); on other
# systems it lists what is missing. It does nothing if all are present. The CUDA Toolkit is never installed, but
# used if present.
#
#   scripts/install_dependencies.sh [--ci|--compare]
#
#   --ci        also what the checks of the sources need; packages of Python go to build/ci/tools
#   --compare   only what apsp-compare needs
set -euo pipefail

packages=(g++ cmake ninja-build libboost-dev libcli11-dev libfmt-dev nlohmann-json3-dev libbenchmark-dev)
programs=(c++ cmake ninja)
headers=(boost/graph/adjacency_list.hpp CLI/CLI.hpp fmt/core.h nlohmann/json.hpp benchmark/benchmark.h)
if [ "${1:-}" != --compare ]; then
  packages+=(pkgconf libeigen3-dev libgraphblas-dev libmetis-dev)
  programs+=(pkg-config)
  headers+=(boost/test/included/unit_test.hpp)
fi
if [ "${1:-}" = --ci ]; then
  packages+=(git ccache shellcheck clang libclang-rt-dev libomp-dev clang-format-16 clang-tidy doxygen dpkg-dev python3 python3-dev
    python3-pip python3-venv libopenmpi-dev openmpi-bin libmpich-dev mpich g++-aarch64-linux-gnu qemu-user clang-16 libc++-16-dev
    libc++abi-16-dev g++-mingw-w64-x86-64-posix wine64)
  programs+=(mpiexec git ccache shellcheck clang++ clang-format-16 clang-tidy doxygen python3)
fi

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  missing=()
  for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
  done
  # The command pkg-config may come from an older package than pkgconf.
  if command -v pkg-config >/dev/null; then
    missing=("${missing[@]/#pkgconf/}")
  fi
  read -ra missing <<<"${missing[*]-}"
  if [ ${#missing[@]} -gt 0 ]; then
    echo "installing ${missing[*]}"
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends "${missing[@]}"
  fi
fi

missing=()
for program in "${programs[@]}"; do
  command -v "$program" >/dev/null || missing+=("$program")
done
if command -v c++ >/dev/null; then
  for header in "${headers[@]}"; do
    echo "#include <$header>" | c++ -std=c++20 -E -x c++ - >/dev/null 2>&1 || missing+=("<$header>")
  done
fi
if [ ${#missing[@]} -gt 0 ]; then
  {
    echo "missing: ${missing[*]}"
    echo "needed: a C++20 compiler with OpenMP, CMake 3.24, Ninja, pkg-config; headers of Boost 1.74"
    echo "        (Graph, Test), CLI11, fmt, nlohmann-json, Google Benchmark; Eigen,"
    echo "        SuiteSparse:GraphBLAS (for a benchmark's rival) and METIS (for an example) are optional."
    echo "On Debian and Ubuntu: apt-get install ${packages[*]}"
  } >&2
  exit 1
fi

version=$(cmake --version | sed -n '1s/[^0-9]*//p')
if [ "$(printf '%s\n' 3.24 "$version" | sort -V | head -n 1)" != 3.24 ]; then
  echo "CMake is $version; 3.24 is needed (for example: pip install cmake)" >&2
  exit 1
fi

if [ "${1:-}" = --ci ]; then
  root=$(cd "$(dirname "$0")/.." && pwd)
  tools=$root/build/ci/tools
  # The copy is made last, so that a failure before it is repaired by the next call.
  if ! cmp -s "$root/ci/requirements.txt" "$tools/requirements.txt"; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q -r "$root/ci/requirements.txt"
    cp "$root/ci/requirements.txt" "$tools/requirements.txt"
  fi
fi

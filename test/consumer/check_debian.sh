#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Makes the Debian packages of a build, installs them, builds and runs the consumers without specifying their
# location, and removes them. Needs root.
#
#   test/consumer/check_debian.sh BUILD_DIR WORK_DIR
#
# WORK_DIR is emptied first.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$2

rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
(cd "$build" && cpack -G DEB -B "$work/package" >"$work/cpack.log") || { cat "$work/cpack.log"; exit 1; }
mapfile -t packages < <(find "$work/package" -maxdepth 1 -name '*.deb')
for package in "${packages[@]}"; do dpkg-deb --info "$package"; done

apt-get install -q -y --no-install-recommends "${packages[@]}"
trap 'apt-get remove -q -y libapsp-dev >"$work/remove.log"' EXIT

cmake -S "$here/installed" -B "$work/by_cmake" -G Ninja
cmake --build "$work/by_cmake"
"$work/by_cmake/consumer"
if dpkg-query -W libapsp-mpi-dev 2>/dev/null; then
  cmake -S "$here/mpi" -B "$work/mpi" -G Ninja
  cmake --build "$work/mpi"
fi

# shellcheck disable=SC2046  # the flags are words
c++ -std=c++20 -O1 "$here/main.cpp" $(pkg-config --cflags --libs apsp) -o "$work/by_pkg_config"
"$work/by_pkg_config"

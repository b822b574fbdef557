#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Installs a build of the library and builds and runs the consumers against it.
#
#   test/consumer/check.sh BUILD_DIR WORK_DIR [installed|pkg_config|subproject]...
#
# WORK_DIR is emptied first. The subproject consumer builds the library anew; CMAKE_ARGS in the
# environment is passed to its configure step.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$2
shift 2
[ $# -gt 0 ] || set -- installed pkg_config subproject
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
# Moved after the installation: what is installed must not know where it was put.
cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix"
library=$(find "$work/prefix" -name 'libapsp.*' -type f | head -n 1)
export LD_LIBRARY_PATH=${library%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

for consumer in "$@"; do
  echo "== consumer: $consumer"
  case $consumer in
    pkg_config)
      pc=$(find "$work/prefix" -name apsp.pc)
      flags=$(PKG_CONFIG_PATH=${pc%/*} pkg-config --cflags --libs apsp)
      echo "flags: $flags"
      mkdir -p "$work/$consumer"
      # shellcheck disable=SC2086  # the flags are words
      "$compiler" -std=c++20 -O1 "$here/main.cpp" $flags -o "$work/$consumer/consumer"
      ;;
    *)
      # shellcheck disable=SC2086
      cmake -S "$here/$consumer" -B "$work/$consumer" -G "$generator" \
        -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/prefix" ${CMAKE_ARGS:-} \
        >"$work/$consumer.log" || { cat "$work/$consumer.log"; exit 1; }
      cmake --build "$work/$consumer"
      ;;
  esac
  "$work/$consumer/consumer"
done

#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Installs a build of the library, and builds and runs the consumers against it.
#
#   test/consumer/check.sh BUILD_DIR WORK_DIR [installed|mpi|pkg_config|openmp|add_subdirectory|fetch_content|cpm]...
#
# WORK_DIR is emptied first. mpi is skipped unless the build has found MPI. openmp is a program that is compiled
# without OpenMP, which the headers and the CMake package refuse if the library has it. The last three methods build the library again; CMAKE_ARGS in the environment
# is passed to their configure step. cpm is skipped unless CPM_FILE in the environment names CPM.cmake.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$2
shift 2
[ $# -gt 0 ] || set -- installed mpi pkg_config openmp add_subdirectory fetch_content cpm
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
# The tree is moved after the installation: it must not depend on its location.
cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix"
library=$(find "$work/prefix" -name 'libapsp.*' -type f | head -n 1)
export LD_LIBRARY_PATH=${library%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# Creates a repository to fetch, with the current tracked files of the checkout.
make_repository() {
  mkdir "$work/repository"
  (cd "$here/../.." && git ls-files -z | tar --null -T - -c) | tar -x -C "$work/repository"
  cd "$work/repository"
  git init -q -b main
  git add -A
  git -c user.name=consumer -c user.email=consumer@localhost commit -q -m 'The checkout'
}

# build_consumer FOLDER ARGUMENT...: configures and builds the project in FOLDER.
build_consumer() {
  local folder=$1
  shift
  # shellcheck disable=SC2086  # the arguments are words
  cmake -S "$here/$folder" -B "$work/$consumer" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" \
    "$@" ${CMAKE_ARGS:-} >"$work/$consumer.log" || { cat "$work/$consumer.log"; exit 1; }
  cmake --build "$work/$consumer"
}

# build_by_pkg_config PREFIX NAME: builds with only the flags from PREFIX/.../apsp.pc.
build_by_pkg_config() {
  local pc flags
  pc=$(find "$1" -name apsp.pc)
  flags=$(PKG_CONFIG_PATH=${pc%/*} pkg-config --cflags --libs apsp)
  echo "flags: $flags"
  mkdir -p "$work/$2"
  # shellcheck disable=SC2086  # the flags are words
  "$compiler" -std=c++20 -O1 "$here/main.cpp" $flags -o "$work/$2/consumer"
}

# expect_failure LINES TEXT COMMAND...: the command must fail with that text, in at most that many lines.
expect_failure() {
  local lines=$1 text=$2 log=$work/failure.log
  shift 2
  if "$@" >"$log" 2>&1 || ! grep -qF "$text" "$log" || [ "$(wc -l <"$log")" -gt "$lines" ]; then
    cat "$log"
    echo "expected a failure with '$text', in at most $lines lines: $*" >&2
    exit 1
  fi
}

# Programs without OpenMP, for a library with it: one message from the headers and one from the CMake package.
refuse_without_openmp() {
  local flags
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name apsp.pc)") pkg-config --cflags --libs apsp)
  # shellcheck disable=SC2086  # the flags are words
  expect_failure 20 'apsp: the library was built with OpenMP' \
    "$compiler" -std=c++20 "$here/main.cpp" ${flags//-fopenmp/} -o "$work/$consumer.out"
  expect_failure 30 'the library was built with OpenMP, and no OpenMP was found' \
    cmake -S "$here/installed" -B "$work/$consumer" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON
}

for consumer in "$@"; do
  echo "== consumer: $consumer"
  case $consumer in
    installed)
      build_consumer installed -DCMAKE_PREFIX_PATH="$work/prefix"
      ;;
    mpi)
      if [ -z "$(find "$work/prefix" -name apsp-mpi-targets.cmake)" ]; then
        echo 'skipped: the library was built without MPI'
        continue
      fi
      build_consumer mpi -DCMAKE_PREFIX_PATH="$work/prefix"
      ;;
    pkg_config)
      build_by_pkg_config "$work/prefix" "$consumer"
      ;;
    openmp)
      if ! grep -rq 'define APSP_WITH_OPENMP' "$work/prefix"; then
        echo 'skipped: the library was built without OpenMP'
        continue
      fi
      refuse_without_openmp
      continue
      ;;
    add_subdirectory)
      build_consumer subproject -DAPSP_WAY=add_subdirectory
      # This project installs the library, because it has set APSP_INSTALL.
      cmake --install "$work/$consumer" --prefix "$work/shipped" >"$work/shipped.log"
      [ -n "$(find "$work/shipped" -name apsp.pc)" ] || { cat "$work/shipped.log"; exit 1; }
      # Absolute directories are outside the prefix.
      cmake -S "$here/subproject" -B "$work/$consumer" -DCMAKE_INSTALL_LIBDIR="$work/absolute/lib" \
        -DCMAKE_INSTALL_INCLUDEDIR="$work/absolute/headers" >"$work/absolute.log"
      cmake --install "$work/$consumer" --prefix "$work/shipped_absolute" >>"$work/absolute.log"
      absolute=$work/absolute
      consumer=absolute_cmake build_consumer installed -DCMAKE_PREFIX_PATH="$absolute"
      build_by_pkg_config "$absolute" absolute_pkg_config
      for program in absolute_cmake absolute_pkg_config; do
        LD_LIBRARY_PATH=$absolute/lib:$LD_LIBRARY_PATH "$work/$program/consumer"
      done
      ;;
    fetch_content)
      (make_repository)
      build_consumer subproject -DAPSP_WAY=fetch_content -DAPSP_REPOSITORY="file://$work/repository"
      ;;
    cpm)
      if [ -z "${CPM_FILE:-}" ]; then
        echo 'skipped: CPM_FILE does not name CPM.cmake'
        continue
      fi
      build_consumer subproject -DAPSP_WAY=cpm -DCPM_FILE="$CPM_FILE"
      ;;
    *)
      echo "no such consumer: $consumer" >&2
      exit 2
      ;;
  esac
  "$work/$consumer/consumer"
done

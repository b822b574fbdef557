# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash disable=SC2034,SC2154  # the script uses tools and stable, and sets package, prefix and work
# What wheels.sh and tests/check.sh have in common. They set `package`, the folder of this file, `prefix`, where the
# library is installed, and `work`, a folder for environments and logs.

tools=('scikit-build-core>=1.1' 'nanobind>=3.1' 'cmake>=3.26' ninja build)

# Prints the minor version if it is Python 3.10 or later, makes environments and has headers.
minor_of() {
  "$1" - 2>/dev/null <<'END'
import ensurepip, os, sys, sysconfig, venv
header = os.path.join(sysconfig.get_path("include"), "Python.h")
if sys.version_info < (3, 10) or not os.path.exists(header):
    sys.exit(1)
print(sys.version_info.minor)
END
}

# Sets `pythons`, the first interpreter of each minor version, and `stable`, the oldest of those from 3.12 on, whose wheel
# is for all versions after it.
find_pythons() {
  local candidate minor
  pythons=()
  stable=
  for candidate in python3 python3.{10..15} "$HOME"/.pyenv/versions/3.1[0-9]*/bin/python3; do
    minor=$(minor_of "$candidate") || continue
    pythons[minor]=${pythons[minor]:-$(command -v "$candidate")} # also once the path is another one
  done
  for minor in "${!pythons[@]}"; do
    if [ "$minor" -ge 12 ]; then
      stable=${pythons[minor]}
      break
    fi
  done
}

# environment NAME PYTHON PACKAGE...: makes $work/NAME and enters it.
path=$PATH
environment() {
  "$2" -m venv "$work/$1"
  PATH=$work/$1/bin:$path
  python --version
  pip install -q "${@:3}"
}

# build KIND FOLDER ARGUMENT...: the wheel or the source distribution.
build() {
  local log=$work/$1.log
  python -m build --no-isolation "--$1" --outdir "$2" "$package" "${@:3}" >"$log" 2>&1 || { tail -60 "$log"; exit 1; }
}

# build_wheel MINOR FOLDER: with the installed library.
build_wheel() {
  build wheel "$2" -C cmake.define.APSP_PYTHON_USE_INSTALLED=ON -C cmake.define.apsp_ROOT="$prefix" -C build-dir="$work/cmake/$1"
}

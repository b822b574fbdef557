#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Builds the wheel with an installed library, and the source distribution; installs the wheel in a new virtual
# environment, and runs all tests there; and the examples of the package under a later Python if there is one.
#
#   python/tests/check.sh PREFIX WORK_DIR
#
# PREFIX is where `cmake --install` put the library. WORK_DIR is emptied first. Needs Python 3.12 or later.
set -euo pipefail

package=$(cd "$(dirname "$0")/.." && pwd)
prefix=$(cd "$1" && pwd)
work=$2
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)

# The first Python of version 3.MINOR or later.
find_python() {
  local candidate
  for candidate in python3 python3.{12..15} "$HOME"/.pyenv/versions/3.1[2-9]*/bin/python3; do
    if "$candidate" -c "import sys, venv; sys.exit(sys.version_info < (3, $1))" 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  return 1
}
python=$(find_python 12) || { echo 'expected Python 3.12 or later'; exit 1; }

"$python" -m venv "$work/venv"
PATH=$work/venv/bin:$PATH
python --version
pip install -q 'scikit-build-core>=1.1' 'nanobind>=3.1' 'cmake>=3.26' ninja build
pip install -q pytest hypothesis mypy scipy-stubs scikit-learn networkx tqdm
pip install -q sparse pandas polars pyarrow # whose arrays the tests read

python -m build --no-isolation --wheel --outdir "$work" "$package" \
  -C cmake.define.APSP_PYTHON_USE_INSTALLED=ON -C cmake.define.apsp_ROOT="$prefix" -C build-dir="$work/build" \
  >"$work/wheel.log" 2>&1 || { tail -60 "$work/wheel.log"; exit 1; }
python -m build --no-isolation --sdist --outdir "$work" "$package" >"$work/sdist.log" 2>&1 ||
  { tail -60 "$work/sdist.log"; exit 1; }
ls -l "$work"/*.whl "$work"/*.tar.gz
tar tzf "$work"/*.tar.gz >"$work/sdist.txt"
for part in library/CMakeLists.txt library/detail/compiled/dense.cu.in library/apsp/apsp.hpp src/module.cpp; do
  grep -q "/$part\$" "$work/sdist.txt" || { echo "the source distribution lacks $part"; exit 1; }
done

pip install -q matplotlib nbclient ipykernel # for apsp.plot and the notebooks
pip install -q "$work"/*.whl
cd "$work" # not where the sources of the package are
python -c 'import apsp; print("apsp", apsp.__version__, apsp.__file__)'
mypy --strict -p apsp -p nx_apsp
python -m pytest -q -p no:cacheprovider --doctest-modules --pyargs apsp
python -m pytest -q -p no:cacheprovider "$package/tests"
python "$package/tests/judges/run.py"
python "$package/bench/beside_others.py" --small
python "$package/bench/beside_networkx.py" --small
python "$package/tests/run_notebooks.py"

# The wheel is for later versions, too.
minor=$(python -c 'import sys; print(sys.version_info.minor)')
if later=$(find_python $((minor + 1))); then
  "$later" -m venv "$work/later"
  "$work/later/bin/pip" install -q "$work"/*.whl pytest
  "$work/later/bin/python" --version
  "$work/later/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs apsp
else
  echo "no Python later than 3.$minor here"
fi

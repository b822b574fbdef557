#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Builds the wheel with an installed library, and the source distribution; installs the wheel in a new virtual
# environment, and runs all tests there; then those of the package with the system's Python and the newest one found.
#
#   python/tests/check.sh PREFIX WORK_DIR
#
# PREFIX is where `cmake --install` put the library. WORK_DIR is emptied first. Needs Python 3.10 or later with its
# headers. APSP_PYTHON names the one for all tests; by default it is the oldest from 3.12 on, whose wheel is
# for all versions after it.
set -euo pipefail

package=$(cd "$(dirname "$0")/.." && pwd)
prefix=$(cd "$1" && pwd)
work=$2
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
tests=(pytest hypothesis scikit-learn networkx tqdm matplotlib)

# shellcheck source-path=SCRIPTDIR source=../build_functions.sh
source "$package/build_functions.sh"
find_pythons
newest=
for candidate in "${pythons[@]}"; do newest=$candidate; done
python=${APSP_PYTHON:-${stable:-$newest}}
minor=$(minor_of "${python:-none}") || { echo 'expected Python 3.10 or later with ensurepip and headers'; exit 1; }

# Installs the wheel that is for this Python, if there is one.
install_wheel() { pip install -q --no-index --no-deps --only-binary :all: --find-links "$work" apsp; }

test_package() {
  python -m pytest -q -p no:cacheprovider --doctest-modules --pyargs apsp
  python -m pytest -q -p no:cacheprovider "$package/tests"
}

environment venv "$python" "${tools[@]}" "${tests[@]}"
build_wheel "$minor" "$work"
build sdist "$work"
ls -l "$work"/*.whl "$work"/*.tar.gz
tar tzf "$work"/*.tar.gz >"$work/sdist.txt"
for part in library/CMakeLists.txt library/detail/compiled/dense.cu.in library/apsp/apsp.hpp kernels.cmake src/module.cpp; do
  grep -q "/$part\$" "$work/sdist.txt" || { echo "the source distribution lacks $part"; exit 1; }
done

pip install -q mypy scipy-stubs nbclient ipykernel # for the types and the notebooks
pip install -q sparse pandas polars pyarrow # whose arrays the tests read
pip install -q "$work"/*.whl
cd "$work" # not where the sources of the package are
python -c 'import apsp; print("apsp", apsp.__version__, apsp.__file__)'
# The versions of NumPy for older Python lack types of functions that are called here.
if [ "$minor" -ge 12 ]; then mypy --strict -p apsp -p nx_apsp; fi
test_package
# The tests of pandarm are in its source distribution; they read a network with PyTables.
pip install -q tables
pip download -q --no-deps --no-binary pandarm --dest "$work/pandarm" pandarm==0.0.7.post1
tar xzf "$work"/pandarm/*.tar.gz -C "$work/pandarm"
python "$package/tests/judges/run.py" "$work/pandarm/pandarm-0.0.7.post1"
python "$package/bench/beside_others.py" --small
python "$package/bench/beside_networkx.py" --small
pip install -q pandarm==0.0.7.post1 routingkit-cch # beside which the next one measures
python "$package/bench/beside_planners.py" --small
python "$package/tests/run_notebooks.py"

# Other versions: before 3.12 each has a wheel of its own.
tested=" $minor "
for candidate in /usr/bin/python3 "$newest"; do
  minor=$(minor_of "$candidate") || { echo "$candidate is not Python 3.10 or later with ensurepip and headers"; continue; }
  case $tested in *" $minor "*) continue ;; esac
  tested+="$minor "
  environment "python3.$minor" "$candidate" "${tools[@]}" "${tests[@]}" numpy scipy
  install_wheel 2>/dev/null || { build_wheel "$minor" "$work" && install_wheel; }
  test_package
done

# SPDX-License-Identifier: BSL-1.0
"""Runs the tests of other packages on the functions of apsp, and compares the number of passed ones.

    python python/tests/judges/run.py

A test may be skipped where an optional package is missing, but the number of passed tests and of calls of apsp may not
fall below what it has been.
"""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# name, plugin, modules, fewest passed tests, fewest calls of apsp
SUITES = (
    (
        "SciPy",
        "as_scipy",
        [
            f"scipy.sparse.csgraph.tests.{name}"
            for name in ("test_shortest_path", "test_index_arrays_dtype", "test_conversions", "test_pydata_sparse")
        ],
        161,
        244,
    ),
    ("scikit-learn", "as_scipy", ["sklearn.manifold.tests.test_isomap"], 121, 173),
    (
        "NetworkX",
        "as_networkx",
        [
            f"networkx.algorithms.{name}"
            for name in (
                "shortest_paths",
                "tests.test_distance_measures",
                "tests.test_wiener",
                "tests.test_efficiency",
                "centrality.tests.test_closeness_centrality",
                "centrality.tests.test_harmonic_centrality",
                "tests.test_dag",
            )
        ],
        1402,
        18000,
    ),
)


def number(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def main() -> int:
    environment = {**os.environ, "PYTHONPATH": str(HERE), "SKLEARN_RUN_FLOAT32_TESTS": "1"}
    status = 0
    for name, plugin, modules, fewest_passed, fewest_calls in SUITES:
        command = [sys.executable, "-m", "pytest", "-q", "-p", plugin, "-p", "no:cacheprovider", "--pyargs", *modules]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=HERE, check=False)
        # SciPy expects failures of its own functions for arrays that apsp reads.
        passed = number(r"(\d+) passed", done.stdout) + number(r"(\d+) xpassed", done.stdout)
        calls = number(r"(\d+) calls of apsp", done.stdout)
        is_right = done.returncode == 0 and passed >= fewest_passed and calls >= fewest_calls
        print(
            f"{name}: {passed} passed (at least {fewest_passed}), {calls} calls of apsp (at least {fewest_calls}): "
            f"{'right' if is_right else 'WRONG'}"
        )
        if not is_right:
            print(done.stdout[-6000:], done.stderr[-2000:], sep="\n")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

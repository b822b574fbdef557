# SPDX-License-Identifier: BSL-1.0
"""Runs the tests of other packages on the functions of apsp, and compares the number of passed ones.

    python python/tests/judges/run.py [PANDARM]

PANDARM is the unpacked source distribution of pandarm, whose tests are not installed; without it they do not run. A
test may be skipped where an optional package is missing, but the number of passed tests and of calls of apsp may not
fall below what it has been.
"""

import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# package, oldest version, plugin, modules, fewest passed tests, fewest calls of apsp
SUITES = (
    (
        "SciPy",
        (1, 17),
        "as_scipy",
        [
            f"scipy.sparse.csgraph.tests.{name}"
            for name in ("test_shortest_path", "test_index_arrays_dtype", "test_conversions", "test_pydata_sparse")
        ],
        161,
        244,
    ),
    ("scikit-learn", (1, 5), "as_scipy", ["sklearn.manifold.tests.test_isomap"], 121, 173),
    (
        "NetworkX",
        (3, 7),
        "as_networkx",
        [
            f"networkx.algorithms.{name}"
            for name in (
                "shortest_paths",
                "tests.test_distance_measures",
                "tests.test_wiener",
                "tests.test_efficiency",
                "centrality.tests.test_betweenness_centrality",
                "centrality.tests.test_betweenness_centrality_subset",
                "centrality.tests.test_closeness_centrality",
                "centrality.tests.test_harmonic_centrality",
                "tests.test_dag",
            )
        ],
        1500,
        18100,
    ),
)

PANDARM_TESTS = ("test_pandarm.py", "test_pandash5.py::test_network_low_connectivity_nodes")


def number(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def is_right(name: str, plugin: str, tests: list[str], fewest_passed: int, fewest_calls: int) -> bool:
    """Run tests with a plugin, and print how many have passed."""
    environment = {**os.environ, "PYTHONPATH": str(HERE), "SKLEARN_RUN_FLOAT32_TESTS": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", plugin, "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=HERE, check=False)
    # SciPy expects failures of its own functions for arrays that apsp reads.
    passed = number(r"(\d+) passed", done.stdout) + number(r"(\d+) xpassed", done.stdout)
    calls = number(r"(\d+) calls of apsp", done.stdout)
    found = done.returncode == 0 and passed >= fewest_passed and calls >= fewest_calls
    print(
        f"{name}: {passed} passed (at least {fewest_passed}), {calls} calls of apsp (at least {fewest_calls}): "
        f"{'right' if found else 'WRONG'}"
    )
    if not found:
        print(done.stdout[-6000:], done.stderr[-2000:], sep="\n")
    return found


def main(arguments: list[str]) -> int:
    results = []
    for name, oldest, plugin, modules, *fewest in SUITES:
        version = importlib.metadata.version(name)
        if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < oldest:
            print(f"{name} {version}: left out, since it is not {'.'.join(map(str, oldest))} or later")
            continue
        results.append(is_right(f"{name} {version}", plugin, ["--pyargs", *modules], *fewest))
    for given in arguments:
        pandarm = pathlib.Path(given).resolve()
        tests = [str(pandarm / "tests" / name) for name in PANDARM_TESTS]
        results.append(is_right(pandarm.name, "as_pandarm", tests, 44, 501))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

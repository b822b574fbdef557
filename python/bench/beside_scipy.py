# SPDX-License-Identifier: BSL-1.0
"""Times of apsp beside those of SciPy, in one run: python python/bench/beside_scipy.py [--small]"""

import argparse
import math
import os
import platform
import statistics
import subprocess
import sys
import time

import numpy as np
import scipy
import scipy.sparse
import scipy.spatial
from scipy.sparse import csgraph

import apsp


def seconds(call, repeat):
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def random_arcs(n, m, random):
    """A sparse graph of m random arcs; parallel ones are added."""
    weights = random.random(m)
    return scipy.sparse.csr_array((weights, random.integers(0, n, (2, m))), shape=(n, n))


def neighbors_of_swiss_roll(n, k, random):
    """The k nearest neighbours of points on a rolled-up plane."""
    t = 1.5 * math.pi * (1 + 2 * random.random(n))
    points = np.column_stack([t * np.cos(t), 21 * random.random(n), t * np.sin(t)])
    distances, neighbors = scipy.spatial.cKDTree(points).query(points, k + 1)
    return scipy.sparse.csr_array(
        (distances[:, 1:].ravel(), neighbors[:, 1:].ravel(), np.arange(0, n * k + 1, k)), shape=(n, n)
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true", help="a tenth of the vertices")
    part = 10 if parser.parse_args().small else 1
    random = np.random.default_rng(1)
    dense = random.random((2000 // part, 2000 // part))
    sparse = random_arcs(2000 // part, 8000 // part, random)
    roll = neighbors_of_swiss_roll(5000 // part, 10, random)
    cases = (
        ("floyd_warshall, dense", dense, csgraph.floyd_warshall, apsp.floyd_warshall, {}),
        ("dijkstra, all sources, 4 arcs each", sparse, csgraph.dijkstra, apsp.dijkstra, {}),
        (
            "shortest_path, swiss roll, k = 10",
            roll,
            csgraph.shortest_path,
            apsp.shortest_path,
            {"directed": False},
        ),
    )
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, SciPy {scipy.__version__}, "
        f"apsp {apsp.__version__}, float64"
    )
    for name, graph, theirs, ours, options in cases:
        expected, found = theirs(graph, **options), ours(graph, **options)
        assert np.allclose(found, expected), name
        of_scipy = seconds(lambda: theirs(graph, **options), 1)  # noqa: B023  # called in this turn
        of_apsp = seconds(lambda: ours(graph, **options), 3)  # noqa: B023
        print(f"{name}, n = {graph.shape[0]}: SciPy {of_scipy:.3f} s, apsp {of_apsp:.3f} s, {of_scipy / of_apsp:.1f} x")
    load = "import time, numpy; t = time.perf_counter(); import apsp; print(time.perf_counter() - t)"
    done = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True, check=True)
    print(f"import apsp after NumPy: {1000 * float(done.stdout):.0f} ms")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSL-1.0
"""Times of apsp beside those of SciPy, and of igraph, rustworkx and NetworKit where they are installed, in one run.

python python/bench/beside_others.py [--small]
"""

import argparse
import functools
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


def arcs_of(graph, directed):
    """Tails, heads and weights; of an undirected graph each edge once, with the lighter of two weights."""
    if scipy.sparse.issparse(graph):
        coo = graph.tocoo()
        tails, heads, weights = coo.row, coo.col, coo.data
    else:
        tails, heads = np.nonzero(np.ones(graph.shape))
        weights = graph.ravel()
    if directed:
        return tails, heads, weights
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    order = np.lexsort((weights, high, low))
    low, high, weights = low[order], high[order], weights[order]
    first = np.r_[True, (np.diff(low) != 0) | (np.diff(high) != 0)]
    return low[first], high[first], weights[first]


def of_igraph(graph, directed):
    import igraph

    tails, heads, weights = arcs_of(graph, directed)
    made = igraph.Graph(n=graph.shape[0], edges=np.column_stack([tails, heads]), directed=directed)
    return lambda: np.array(made.distances(weights=weights.tolist(), mode="out"))


def of_rustworkx(graph, directed):
    import rustworkx

    made = rustworkx.PyDiGraph() if directed else rustworkx.PyGraph()
    made.add_nodes_from(range(graph.shape[0]))
    made.add_edges_from(list(zip(*(part.tolist() for part in arcs_of(graph, directed)), strict=True)))
    if not scipy.sparse.issparse(graph):
        return lambda: rustworkx.floyd_warshall_numpy(made, weight_fn=float)

    def distances():
        found = np.full(graph.shape, np.inf)
        for source, row in rustworkx.all_pairs_dijkstra_path_lengths(made, float).items():
            found[source, list(row.keys())] = list(row.values())
            found[source, source] = 0
        return found

    return distances


def of_networkit(graph, directed):
    import networkit

    made = networkit.Graph(graph.shape[0], weighted=True, directed=directed)
    for tail, head, weight in zip(*(part.tolist() for part in arcs_of(graph, directed)), strict=True):
        made.addEdge(tail, head, weight)

    def distances():
        found = np.array(networkit.distance.APSP(made).run().getDistances())
        found[found > 1e300] = np.inf
        return found

    return distances


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true", help="a tenth of the vertices")
    part = 10 if parser.parse_args().small else 1
    random = np.random.default_rng(1)
    dense = random.random((2000 // part, 2000 // part))
    np.fill_diagonal(dense, 0)
    sparse = random_arcs(2000 // part, 8000 // part, random)
    roll = neighbors_of_swiss_roll(5000 // part, 10, random)
    cases = (
        ("floyd_warshall, dense", dense, csgraph.floyd_warshall, apsp.floyd_warshall, True, (of_rustworkx,)),
        (
            "dijkstra, all sources, 4 arcs each",
            sparse,
            csgraph.dijkstra,
            apsp.dijkstra,
            True,
            (of_igraph, of_rustworkx, of_networkit),
        ),
        (
            "shortest_path, swiss roll, k = 10",
            roll,
            csgraph.shortest_path,
            apsp.shortest_path,
            False,
            (of_igraph, of_rustworkx, of_networkit),
        ),
    )
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, SciPy {scipy.__version__}, "
        f"apsp {apsp.__version__}, float64; seconds of calls on graphs that are there"
    )
    for name, graph, theirs, ours, directed, others in cases:
        # Bound here, since lambdas would see the next case.
        calls = {
            "apsp": functools.partial(ours, graph, directed=directed),
            "SciPy": functools.partial(theirs, graph, directed=directed),
        }
        for other in others:
            try:
                calls[other.__name__.removeprefix("of_")] = other(graph, directed)
            except ImportError:
                continue
        expected = calls["SciPy"]()
        of_apsp = seconds(calls.pop("apsp"), 3)
        assert np.allclose(ours(graph, directed=directed), expected), name
        line = f"{name}, n = {graph.shape[0]}: apsp {of_apsp:.3f}"
        for library, call in calls.items():
            assert np.allclose(call(), expected), (name, library)
            of_other = seconds(call, 1)
            line += f", {library} {of_other:.3f} ({of_other / of_apsp:.1f} x)"
        print(line)
    load = "import time, numpy; t = time.perf_counter(); import apsp; print(time.perf_counter() - t)"
    done = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True, check=True)
    print(f"import apsp after NumPy: {1000 * float(done.stdout):.0f} ms")


if __name__ == "__main__":
    main()

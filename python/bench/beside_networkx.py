# SPDX-License-Identifier: BSL-1.0
"""Times of NetworkX with the backend apsp beside those without, in one run.

python python/bench/beside_networkx.py [--small] [--policy POLICY]

The times of apsp are those of the policy and of one thread, as NetworkX has. They have the conversion of the graph.
Results of dicts are lazy: "and read" has the time that it takes to go through all of them, too.
"""

import argparse
import os
import platform
import random
import statistics
import time

import networkx as nx
import numpy as np

import apsp


def seconds(call, repeat):
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def read(rows):
    return {node: sum(row.values()) for node, row in rows}


def read_paths(rows):
    return {node: len(list(paths.values())) for node, paths in rows}


def is_equal(found, expected):
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(is_equal(found[key], value) for key, value in expected.items())
    if isinstance(expected, list):
        return True  # Several paths may be equally short.
    return np.allclose(found, expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true", help="a tenth of the nodes")
    parser.add_argument("--policy", default="auto", help="where apsp runs: auto, seq, omp or cuda_tiled")
    arguments = parser.parse_args()
    n = 200 if arguments.small else 2000
    graph = nx.watts_strogatz_graph(n, 8, 0.1, seed=1)
    random.seed(1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = random.random()
    directed = nx.gnm_random_graph(n, 2 * n, seed=1, directed=True)
    cases = (
        ("closeness_centrality", graph, nx.closeness_centrality, {}),
        ("eccentricity", graph, nx.eccentricity, {}),
        ("eccentricity(weight)", graph, nx.eccentricity, {"weight": "weight"}),
        ("all_pairs_dijkstra_path_length", graph, lambda g, **o: dict(nx.all_pairs_dijkstra_path_length(g, **o)), {}),
        ("  and read", graph, lambda g, **o: read(nx.all_pairs_dijkstra_path_length(g, **o)), {}),
        ("floyd_warshall_numpy", graph, nx.floyd_warshall_numpy, {}),
        ("johnson", graph, nx.johnson, {}),
        ("  and read", graph, lambda g, **o: read_paths(nx.johnson(g, **o).items()), {}),
        ("transitive_closure, 2 arcs each", directed, lambda g, **o: nx.transitive_closure(g, **o).adj, {}),
    )
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, NetworkX {nx.__version__}, "
        f"apsp {apsp.__version__}; n = {n}, Watts-Strogatz, k = 8, random weights"
    )
    for name, g, call, options in cases:

        def with_apsp():
            g.__networkx_cache__.clear()  # noqa: B023  # called in this turn
            return call(g, **options, backend="apsp")  # noqa: B023

        begin = time.perf_counter()
        expected = call(g, **options, backend="networkx")
        of_networkx = time.perf_counter() - begin
        assert is_equal(with_apsp(), expected), name
        del expected
        line = f"{name}: NetworkX {of_networkx:.3f} s"
        for policy in (arguments.policy, "seq"):
            with nx.config.backends.apsp(policy=policy):
                of_apsp = seconds(with_apsp, 3)
            line += f", {policy} {of_apsp:.4f} s ({of_networkx / of_apsp:.1f} x)"
        print(line, flush=True)


if __name__ == "__main__":
    main()

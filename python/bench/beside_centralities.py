# SPDX-License-Identifier: BSL-1.0
"""Times of betweenness beside NetworKit, igraph and NetworkX, where they are installed, on one thread.

python python/bench/beside_centralities.py [--small] [--graph FILE] [--sources K] [--networkx] [--csv FILE]

Without a graph, made ones are used: a small world, an R-MAT graph and a grid of streets. Arcs of weight 0 in a file are
left out. With some sources, which are spread over the graph, NetworKit does not run: its samples are random. The scores
of all libraries are compared. Calls alternate, and the medians of their processor times are printed.
"""

import argparse
import os
import pathlib
import platform
import statistics
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
import scipy.sparse

import apsp

HEAVIEST = 99


def weighted(sources, targets, n, random, both_ways):
    """Return the distinct arcs with random weights; the arcs of an edge in both directions weigh the same."""
    keys = np.unique(sources * n + targets)
    sources, targets = np.divmod(keys[keys // n != keys % n], n)
    weights = random.integers(1, HEAVIEST + 1, len(sources))
    if both_ways:
        ends = np.minimum(sources, targets), np.maximum(sources, targets)
        _, first, edge = np.unique(ends[0] * n + ends[1], return_index=True, return_inverse=True)
        weights = weights[first][edge]
    return scipy.sparse.csr_array((weights, (sources, targets)), shape=(n, n))


def small_world(n, degree, random):
    """A ring whose vertices have edges to their neighbors, some of which lead elsewhere instead."""
    sources = np.repeat(np.arange(n), degree // 2)
    targets = (sources + np.tile(np.arange(1, degree // 2 + 1), n)) % n
    is_moved = random.random(len(targets)) < 0.3
    targets[is_moved] = random.integers(0, n, is_moved.sum())
    return weighted(np.r_[sources, targets], np.r_[targets, sources], n, random, both_ways=True)


def rmat(levels, degree, random):
    n = 1 << levels
    sources = np.zeros(degree * n, np.int64)
    targets = np.zeros(degree * n, np.int64)
    for _ in range(levels):
        part = random.random(degree * n)
        sources = 2 * sources + (part >= 0.76)
        targets = 2 * targets + (((0.57 <= part) & (part < 0.76)) | (part >= 0.95))
    return weighted(sources, targets, n, random, both_ways=False)


def streets(rows, random):
    number = np.arange(rows * rows).reshape(rows, rows)
    across = np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()])
    along = np.stack([number[:-1].ravel(), number[1:].ravel()])
    ends = np.concatenate([across, along], axis=1)
    ends = ends[:, random.random(ends.shape[1]) > 1 / 8]
    return weighted(np.r_[ends[0], ends[1]], np.r_[ends[1], ends[0]], rows * rows, random, both_ways=True)


def graphs_of(options):
    if options.graph:
        graph = scipy.sparse.csr_array(apsp.read_graph(options.graph))
        graph.eliminate_zeros()
        return {pathlib.Path(options.graph).stem: graph}
    random = np.random.default_rng(1)
    scale = 8 if options.small else 1
    return {
        "small world": small_world(14_848 // scale, 16, random),
        "R-MAT, 16 arcs": rmat(11 if options.small else 14, 16, random),
        "streets": streets(60 // (2 if options.small else 1), random),
    }


def networkit_call(graph, sources):
    import networkit

    if sources is not None:
        return None
    networkit.setNumberOfThreads(1)
    entries = graph.tocoo()
    made = networkit.Graph(graph.shape[0], weighted=True, directed=True)
    for u, v, w in zip(entries.row.tolist(), entries.col.tolist(), entries.data.tolist()):
        made.addEdge(u, v, float(w))

    def call():
        found = networkit.centrality.Betweenness(made)
        found.run()
        return np.array(found.scores())

    return call


def igraph_call(graph, sources):
    import igraph

    entries = graph.tocoo()
    made = igraph.Graph(graph.shape[0], list(zip(entries.row.tolist(), entries.col.tolist())), directed=True)
    weights = entries.data.tolist()
    some = {} if sources is None else {"sources": sources.tolist()}
    return lambda: np.array(made.betweenness(weights=weights, **some))


def networkx_call(graph, sources):
    import networkx

    made = networkx.from_scipy_sparse_array(graph, create_using=networkx.DiGraph)
    n = graph.shape[0]

    def call():
        settings = {"normalized": False, "weight": "weight", "backend": "networkx"}
        if sources is None:
            found = networkx.betweenness_centrality(made, **settings)
        else:
            found = networkx.betweenness_centrality_subset(made, sources.tolist(), range(n), **settings)
        return np.array([found[v] for v in range(n)])

    return call


def medians(calls, repeat, longest):
    """Return the medians of the processor times of alternating calls, and the results; a long call runs once."""
    times = {name: [] for name in calls}
    results = {}
    for _ in range(repeat):
        for name, call in calls.items():
            if not times[name] or times[name][0] <= longest:
                begin = time.process_time()
                results[name] = call()
                times[name].append(time.process_time() - begin)
    return {name: statistics.median(t) for name, t in times.items()}, results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="small graphs, to try the script")
    parser.add_argument("--graph", help="a file of a graph")
    parser.add_argument("--sources", type=int, help="from so many vertices, spread over the graph; by default all")
    parser.add_argument("--networkx", action="store_true", help="NetworkX as well, which takes long")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--csv", type=pathlib.Path, help="write the times to a file")
    options = parser.parse_args()
    print(f"apsp {apsp.__version__}, Python {platform.python_version()}, {platform.processor() or platform.machine()}")
    rows = []
    for name, graph in graphs_of(options).items():
        n = graph.shape[0]
        k = min(options.sources or n, n)
        sources = None if k == n else np.arange(k) * n // k
        print(f"{name}: {n} vertices, {graph.nnz} arcs, {k} sources")
        calls = {
            "apsp": lambda graph=graph, some=sources: apsp.betweenness(graph, indices=some, policy="seq"),
            "apsp, distances": lambda graph=graph, some=sources: apsp.summarize(graph, indices=some, policy="seq"),
        }
        makers = [("NetworKit", networkit_call), ("igraph", igraph_call)]
        if options.networkx:
            makers.append(("NetworkX", networkx_call))
        for library, make in makers:
            try:
                call = make(graph, sources)
            except ImportError:
                print(f"{library} is not installed")
            else:
                if call is not None:
                    calls[library] = call
        seconds, results = medians(calls, options.repeat, longest=30)
        for library, found in results.items():
            if library != "apsp, distances":
                np.testing.assert_allclose(found, results["apsp"], rtol=1e-6, atol=1e-6, err_msg=library)
        for library, t in seconds.items():
            rows.append((name, n, graph.nnz, k, library, t))
            ratio = t / seconds["apsp"]
            print(f"  {library:20} {t:9.3f} s {1e9 * t / (k * n):9.1f} ns a pair {ratio:8.2f} x", flush=True)
    if options.csv:
        lines = [f'"{graph}",{n},{m},{k},"{library}",{t:.4g}' for graph, n, m, k, library, t in rows]
        options.csv.write_text("\n".join(["graph,n,arcs,sources,library,seconds", *lines]) + "\n")


if __name__ == "__main__":
    main()

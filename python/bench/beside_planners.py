# SPDX-License-Identifier: BSL-1.0
"""Times of accessibility beside pandarm, and of tables beside RoutingKit, where they are installed, on one thread.

python python/bench/beside_planners.py [--small] [--graph FILE [--unit UNIT]] [--only PART] [--csv FILE]

Without a graph, a made one of streets is used. Calls alternate, and the medians of their processor times are printed.
"""

import argparse
import contextlib
import os
import pathlib
import platform
import statistics
import sys
import time
import warnings

# Before the libraries are loaded: pandarm has no parameter for its threads, which are OpenMP's.
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

import apsp

MINUTES = (1, 5, 30)
# Seconds that one unit of a weight takes, and what is said about it.
UNITS = {
    "ms": (0.001, "weights are taken as milliseconds"),
    "s": (1, "weights are taken as seconds"),
    "m": (3.6 / 50, "weights are taken as metres at 50 km/h"),
    "dm": (0.36 / 50, "weights are taken as tenths of metres at 50 km/h"),
}


def streets(rows, random):
    """Crossings near the points of a grid, without every eighth street; milliseconds at 30 or, on some, 70 km/h."""
    number = np.arange(rows * rows).reshape(rows, rows)
    points = 100 * np.stack(np.divmod(np.arange(rows * rows), rows), axis=1) + random.uniform(-30, 30, (rows * rows, 2))
    across = np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()])
    along = np.stack([number[:-1].ravel(), number[1:].ravel()])
    ends = np.concatenate([across, along], axis=1)
    ends = ends[:, random.random(ends.shape[1]) > 1 / 8]
    is_fast = (ends // rows % 10 == 0).all(axis=0) | (ends % rows % 10 == 0).all(axis=0)
    length = np.hypot(*(points[ends[0]] - points[ends[1]]).T)
    times = np.rint(1000 * length * 3.6 / np.where(is_fast, 70, 30))
    return scipy.sparse.csr_array(
        (np.r_[times, times], (np.r_[ends[0], ends[1]], np.r_[ends[1], ends[0]])), shape=(rows * rows, rows * rows)
    )


def minimum_degree_order(graph):
    """Return an order of elimination by SciPy's SuperLU: that of RoutingKit's degrees has much more fill."""
    ends = scipy.sparse.csr_array((np.ones(graph.nnz), graph.indices, graph.indptr), shape=graph.shape)
    both = ends + ends.T
    dominant = both + scipy.sparse.diags_array(np.asarray(both.sum(axis=1)).ravel() + 1)
    factors = scipy.sparse.linalg.splu(
        scipy.sparse.csc_array(dominant),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0,
        options={"SymmetricMode": True},
    )
    return np.argsort(factors.perm_c)


@contextlib.contextmanager
def quiet():
    """Without what other libraries print and warn of."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def timed(call):
    """Return the processor time, which is that of one thread, and the result."""
    begin = time.process_time()
    result = call()
    return time.process_time() - begin, result


class Report:
    """Prints rows, of each group in comparison with its first one, and collects them for a file."""

    def __init__(self):
        self.rows = []

    def add(self, case, seconds, note=""):
        """Add a group: seconds by library."""
        first = next(iter(seconds.values()))
        for library, t in seconds.items():
            self.rows.append((f"{case}/{library}", 1e3 * t))
            print(f"{case:34} {library:28} {1e3 * t:12.2f} ms {t / first:9.2f} x", flush=True)
        if note:
            print(f"{case:34} {note}", flush=True)


def medians(calls, repeat, longest):
    """Return the medians of the times of alternating calls, and the results; a call above `longest` runs once."""
    times = {name: [] for name in calls}
    results = {}
    for _ in range(repeat):
        for name, call in calls.items():
            if not times[name] or times[name][0] <= longest:
                seconds, results[name] = timed(call)
                times[name].append(seconds)
    return {name: statistics.median(t) for name, t in times.items()}, results


def compare_accessibility(graph, name, seconds_per_unit, random, options, report):
    n = graph.shape[0]
    jobs = random.integers(1, 100, n).astype(np.float64)
    prepared = {}
    prepared["apsp.Hierarchy"], hierarchy = timed(lambda: apsp.Hierarchy(graph, dtype=np.int32, policy="seq"))
    networks = {}
    try:
        import pandas as pd

        from apsp.network import Network
    except ImportError:
        print("no pandas: without apsp.network")
    else:
        arcs = graph.tocoo()
        nodes = pd.Series(np.arange(n, dtype=np.float64))
        ends = pd.Series(arcs.row.astype(np.int64)), pd.Series(arcs.col.astype(np.int64))
        made = Network(nodes, nodes, *ends, pd.DataFrame({"w": arcs.data}), twoway=False, policy="seq")
        prepared["apsp.network"], _ = timed(lambda: made.precompute(0))
        networks["apsp.network"] = made, 1
        try:
            with quiet():
                import pandarm

                # Impedances are truncated to thousandths, which are the units of the weights here.
                thousandths = pd.DataFrame({"w": (arcs.data + 0.25) / 1000})
                prepared["pandarm"], made = timed(
                    lambda: pandarm.Network(nodes, nodes, *ends, thousandths, twoway=False)
                )
            networks["pandarm"] = made, 1000
        except ImportError:
            print("no pandarm")
        for made, _ in networks.values():
            made.set(pd.Series(np.arange(n)), pd.Series(jobs), name="jobs")
    report.add(f"{name}/prepare", prepared)

    def by_network(library, radius):
        made, divisor = networks[library]
        return made.aggregate((radius + 0.25) / divisor, "sum", "flat", name="jobs").to_numpy()

    def by_call(of, decay):
        return apsp.accessibility(of, jobs, decay, dtype=np.int32, policy="seq")

    radii = [int(60 * minutes / seconds_per_unit) for minutes in MINUTES]
    seconds_per_pair = 0
    for minutes, radius in zip(MINUTES, radii, strict=True):
        within = apsp.within(radius)
        calls = {
            "apsp, hierarchy": lambda within=within: by_call(hierarchy, within),
            "apsp, from arcs": lambda within=within: by_call(graph, within),
        }
        for library in networks:
            calls[library] = lambda library=library, radius=radius: by_network(library, radius)
        num_pairs = int(apsp.accessibility(hierarchy, np.ones(n), within, dtype=np.int32, policy="seq").sum())
        predicted = seconds_per_pair * num_pairs
        note = f"{num_pairs / n:.1f} vertices within on average"
        if predicted > options.limit:
            del calls["pandarm"]  # It has been called before, so it is there.
            note += f"; pandarm is left out: {predicted:.0f} s at its time for each pair so far"
        seconds, results = medians(calls, options.repeat, options.longest)
        for library, sums in results.items():
            assert (sums == results["apsp, hierarchy"]).all(), (minutes, library)
        if "pandarm" in seconds:
            seconds_per_pair = seconds["pandarm"] / num_pairs
        report.add(f"{name}/within:{minutes}min", seconds, note)
    seconds, _ = medians({"apsp, hierarchy": lambda: by_call(hierarchy, apsp.within(radii))}, options.repeat, 1e9)
    report.add(f"{name}/within:{','.join(map(str, MINUTES))}min", seconds)


def compare_tables(graph, name, random, options, report):
    n = graph.shape[0]
    prepared = {}
    prepared["apsp.Hierarchy"], hierarchy = timed(lambda: apsp.Hierarchy(graph, dtype=np.int32, policy="seq"))
    hierarchies = {"apsp": hierarchy}
    try:
        import routingkit_cch
    except ImportError:
        print("no routingkit-cch")
        routingkit_cch = metric = None
    else:
        arcs = graph.tocoo()
        tail, head = arcs.row.tolist(), arcs.col.tolist()
        weights = arcs.data.astype(np.int64).tolist()
        prepared["SciPy, order"], order = timed(lambda: minimum_degree_order(graph))
        prepared["RoutingKit, structure"], cch = timed(lambda: routingkit_cch.CCH(order.tolist(), tail, head, False))
        prepared["RoutingKit, customisation"], metric = timed(lambda: routingkit_cch.CCHMetric(cch, weights))
        hierarchies["apsp, same order"] = apsp.Hierarchy(graph, order, dtype=np.int32, policy="seq")
    report.add(f"{name}/prepare", prepared)

    def by_routingkit(sources, targets):
        query = routingkit_cch.CCHOneToMany(metric, targets)
        return [query.distances_from(source) for source in sources]

    for size in (100, 1000):
        size = min(size, n)
        sources, targets = random.integers(0, n, (2, size))
        calls = {
            library: lambda prepared=prepared, sources=sources, targets=targets: apsp.distance_table(
                prepared, sources, targets, dtype=np.int32, policy="seq"
            )
            for library, prepared in hierarchies.items()
        }
        if metric is not None:
            # Lists of Python are what it takes and returns.
            lists = sources.tolist(), targets.tolist()
            calls["RoutingKit, same order"] = lambda lists=lists: by_routingkit(*lists)
        seconds, results = medians(calls, options.repeat, options.longest)
        far = apsp.unreachable(np.int32)
        for library, table in results.items():
            if library == "RoutingKit, same order":
                table = np.array([[far if d is None else d for d in row] for row in table])
            assert (table == results["apsp"]).all(), (size, library)
        report.add(f"{name}/table:{size}x{size}", seconds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true", help="900 crossings, if there is no graph")
    parser.add_argument("--graph", help="a file that apsp.read_graph reads, with whole numbers as weights")
    parser.add_argument("--unit", choices=UNITS, default="ms", help="of its weights (%(default)s)")
    parser.add_argument("--repeat", type=int, default=3, help="of calls of less than 20 s (%(default)s)")
    parser.add_argument("--limit", type=float, default=600, help="seconds that pandarm may take (%(default)s)")
    parser.add_argument("--only", choices=("accessibility", "tables"), help="this part alone")
    parser.add_argument("--csv", help="a file to which rows are appended")
    options = parser.parse_args()
    options.longest = 20
    random = np.random.default_rng(1)
    if options.graph:
        graph, name = apsp.read_graph(options.graph), pathlib.Path(options.graph).stem
        graph = scipy.sparse.csr_array(graph, dtype=np.float64)
        # The least impedance of pandarm is a thousandth, as which the unit is passed to it.
        np.maximum(graph.data, 1, out=graph.data)
    else:
        graph, name = streets(30 if options.small else 300, random), "streets"
        options.unit = "ms"
    if not (graph.data == np.floor(graph.data)).all():
        sys.exit("expected weights that are whole numbers")
    seconds_per_unit, assumed = UNITS[options.unit]
    print(
        f"{platform.machine()}, processor time of one thread, Python {platform.python_version()}, "
        f"apsp {apsp.__version__}; {name}: n = {graph.shape[0]}, m = {graph.nnz}, {assumed}; "
        "int32, apsp.network float64"
    )
    report = Report()
    if options.only != "tables":
        compare_accessibility(graph, f"accessibility/{name}", seconds_per_unit, random, options, report)
    if options.only != "accessibility":
        compare_tables(graph, f"tables/{name}", random, options, report)
    if options.csv:
        with open(options.csv, "a", encoding="utf-8") as file:
            file.writelines(
                f"{case.replace(', ', '_').replace(' ', '_').replace(',', '_')},{ms:.4g}\n" for case, ms in report.rows
            )


if __name__ == "__main__":
    main()

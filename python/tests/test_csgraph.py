# SPDX-License-Identifier: BSL-1.0
"""The functions of apsp against those of SciPy."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

import apsp
from apsp import _core, _policies

TYPES = (np.float64, np.float32, np.int32, np.int64)
POLICIES = (apsp.auto, apsp.seq, apsp.omp(threads=2), apsp.cuda_tiled)
FUNCTIONS = ("dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path")


def random_graph(n, density, seed, low=1, high=100):
    """Whole weights in a dense matrix; 0 is no arc."""
    random = np.random.default_rng(seed)
    weights = random.integers(low, high, (n, n)).astype(float)
    weights[random.random((n, n)) >= density] = 0
    return weights


def layouts(weights):
    """The same graph in the layouts that callers have."""
    csr = scipy.sparse.csr_array(weights)
    wide = csr.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    read_only = weights.copy()
    read_only.flags.writeable = False
    yield weights
    yield np.asfortranarray(weights)
    yield read_only
    yield weights.tolist()
    yield weights.astype(np.int16)
    yield weights.astype(np.float32)
    yield np.repeat(weights, 2, axis=1)[:, ::2]
    yield np.where(weights == 0, np.inf, weights)
    yield np.where(weights == 0, np.nan, weights)
    yield np.ma.masked_equal(weights, 0)
    yield csr
    yield wide
    yield csr.tocoo()
    yield csr.tocsc()
    yield csr.tolil()
    yield scipy.sparse.csr_matrix(weights)


def as_floats(distances):
    """Unreachable integers become infinite."""
    result = distances.astype(float)
    result[distances == apsp.unreachable(distances.dtype)] = np.inf
    return result


def check_trees(weights, sources, distances, predecessors, directed=True):
    """Every predecessor has a tight arc, and following them ends at the source."""
    if not directed:
        both = np.minimum(np.where(weights == 0, np.inf, weights), np.where(weights == 0, np.inf, weights).T)
        weights = np.where(np.isinf(both), 0, both)
    n = weights.shape[0]
    for row, source in enumerate(sources):
        for v in range(n):
            u = predecessors[row, v]
            if v == source or np.isinf(distances[row, v]):
                assert u == -9999
                continue
            assert weights[u, v] != 0
            assert distances[row, u] + weights[u, v] == distances[row, v]
            steps = 0
            while u != source:
                u = predecessors[row, u]
                steps += 1
                assert 0 <= u < n and steps < n


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("n, density", [(0, 1), (1, 1), (2, 0.5), (7, 0.3), (40, 0.1), (90, 0.7)])
def test_distances_are_those_of_scipy(name, n, density):
    weights = random_graph(n, density, seed=n)
    for directed in (True, False):
        for unweighted in (False, True):
            if n == 0:
                expected = np.empty((0, 0))
            else:
                expected = getattr(csgraph, name)(weights, directed=directed, unweighted=unweighted)
            for graph in layouts(weights):
                if n == 0 and isinstance(graph, list):
                    continue
                found = getattr(apsp, name)(graph, directed=directed, unweighted=unweighted)
                assert found.dtype == np.float64 and found.flags.c_contiguous
                np.testing.assert_array_equal(found, expected, err_msg=f"{type(graph)}, seed = {n}")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_types_and_policies(name, policy, dtype):
    weights = random_graph(60, 0.08, seed=3)
    expected = csgraph.dijkstra(weights)
    for graph in (weights, scipy.sparse.csr_array(weights)):
        found, predecessors = getattr(apsp, name)(graph, return_predecessors=True, policy=policy, dtype=dtype)
        assert found.dtype == dtype and predecessors.dtype == np.int32
        np.testing.assert_array_equal(as_floats(found), expected)
        check_trees(weights, range(60), expected, predecessors)
        # The graph is small, and there need not be a device.
        may_run = {"auto": ("seq",), "seq": ("seq",), "omp": ("omp",), "cuda_tiled": ("cuda_tiled", "omp")}
        assert apsp.last_result().executed_on in may_run[policy.name]


@pytest.mark.parametrize("name", ["bellman_ford", "johnson", "floyd_warshall", "shortest_path"])
def test_negative_weights_and_cycles(name):
    # Potentials make no cycle negative.
    random = np.random.default_rng(5)
    weights = random_graph(50, 0.2, seed=5)
    potential = random.integers(0, 200, 50)
    shifted = np.where(weights == 0, 0, weights + potential[:, None] - potential[None, :])
    assert shifted.min() < 0
    graph = scipy.sparse.csr_array(shifted)
    np.testing.assert_array_equal(getattr(apsp, name)(graph), csgraph.johnson(graph))

    cycle = scipy.sparse.lil_array(graph)
    cycle[3, 4], cycle[4, 3] = -5000, 2
    with pytest.raises(csgraph.NegativeCycleError) as raised:
        getattr(apsp, name)(cycle)
    vertices = raised.value.cycle
    closed = cycle.tocsr()
    assert sum(closed[u, v] for u, v in zip(vertices, [*vertices[1:], vertices[0]])) < 0
    assert str(vertices[0]) in str(raised.value)


@pytest.mark.parametrize("name", ["dijkstra", "bellman_ford", "johnson", "shortest_path"])
def test_indices(name):
    weights = random_graph(30, 0.2, seed=7)
    everything = csgraph.dijkstra(weights)
    for indices in (3, -1, np.int64(5), [], [0], [4, 4, -30], np.array([[1, 2], [3, 4]]), range(5)):
        found, predecessors = getattr(apsp, name)(weights, indices=indices, return_predecessors=True)
        chosen = np.asarray(indices, dtype=int)
        np.testing.assert_array_equal(found, everything[chosen])
        assert predecessors.shape == found.shape
    for wrong in (30, [-31], [0, 99]):
        with pytest.raises(ValueError, match="out of range"):
            getattr(apsp, name)(weights, indices=wrong)
    with pytest.raises(ValueError, match="expected indices that int64 holds, got 1.5"):
        getattr(apsp, name)(weights, indices=1.5)


def test_stored_zeros_and_duplicates():
    zeros = scipy.sparse.csr_array(([0.0, 3.0], ([0, 1], [1, 2])), shape=(3, 3))
    np.testing.assert_array_equal(apsp.dijkstra(zeros), csgraph.dijkstra(zeros))
    twice = scipy.sparse.coo_array(([1.0, 2.0, 3.0], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    np.testing.assert_array_equal(apsp.floyd_warshall(twice), csgraph.floyd_warshall(twice.tocsr()))
    unsorted = scipy.sparse.csr_array(([5.0, 1.0], [2, 1], [0, 2, 2, 2]), shape=(3, 3))
    np.testing.assert_array_equal(apsp.johnson(unsorted), csgraph.johnson(unsorted))


@pytest.mark.parametrize("limit", [0, 10, 57.5, np.inf])
def test_limit_and_nearest_source(limit):
    weights = random_graph(80, 0.06, seed=11)
    graph = scipy.sparse.csr_array(weights)
    np.testing.assert_array_equal(apsp.dijkstra(graph, limit=limit), csgraph.dijkstra(graph, limit=limit))
    for given in (graph, weights):
        indices = [5, 70, 5, 33]
        distances, predecessors, sources = apsp.dijkstra(
            given, indices=indices, min_only=True, return_predecessors=True, limit=limit
        )
        expected = csgraph.dijkstra(graph, indices=indices, min_only=True, limit=limit)
        np.testing.assert_array_equal(distances, expected)
        np.testing.assert_array_equal(apsp.dijkstra(given, indices=indices, min_only=True, limit=limit), expected)
        from_each = csgraph.dijkstra(graph, indices=indices)
        for v in range(80):
            if np.isinf(expected[v]):
                assert sources[v] == predecessors[v] == -9999
                continue
            assert from_each[indices.index(sources[v]), v] == expected[v]
            assert (predecessors[v] == -9999) == (v in indices)
    with pytest.raises(ValueError, match="limit"):
        apsp.dijkstra(graph, limit=-1)


def test_results_in_place():
    weights = random_graph(40, 0.2, seed=13)
    expected = csgraph.floyd_warshall(weights)
    kept = weights.copy()
    assert apsp.floyd_warshall(weights) is not weights
    np.testing.assert_array_equal(weights, kept)
    out = np.empty((40, 40))
    assert apsp.floyd_warshall(weights, out=out) is out
    np.testing.assert_array_equal(out, expected)
    assert apsp.shortest_path(weights, method="FW", overwrite=True) is weights
    np.testing.assert_array_equal(weights, expected)
    row = np.empty(40, np.float32)
    assert apsp.dijkstra(kept, indices=3, dtype=np.float32, out=row) is row
    np.testing.assert_array_equal(row, expected[3])
    for wrong in (np.empty((40, 39)), np.empty((40, 40), np.float32), np.empty((40, 80))[:, ::2]):
        with pytest.raises(ValueError, match="expected a C-contiguous out"):
            apsp.floyd_warshall(kept, out=wrong)


def test_integers():
    weights = np.array([[0, 2**31 - 2, 0], [0, 0, 5], [0, 0, 0]])
    distances = apsp.floyd_warshall(weights, dtype=np.int32)
    # The distance from 0 to 2 does not fit.
    assert distances[0, 2] == apsp.unreachable(np.int32) and apsp.last_result().saturated
    assert apsp.floyd_warshall(weights, dtype=np.int64)[0, 2] == 2**31 + 3
    with pytest.raises(ValueError, match="int32 holds"):
        apsp.dijkstra(weights * 10, dtype=np.int32)
    with pytest.raises(ValueError, match="int64 holds"):
        apsp.dijkstra([[0, 1.5], [1, 0]], dtype=np.int64)


@pytest.mark.parametrize(
    "graph, error",
    [
        (np.ones((2, 3)), ValueError),
        (np.ones(4), ValueError),
        (scipy.sparse.csr_array(np.ones((2, 3))), ValueError),
        ([[0, 1j], [1, 0]], TypeError),
        ("graph", (TypeError, ValueError)),
    ],
)
def test_refused_graphs(graph, error):
    for name in FUNCTIONS:
        with pytest.raises(error):
            getattr(apsp, name)(graph)


def test_refused_arguments():
    graph = random_graph(5, 0.5, seed=1)
    with pytest.raises(ValueError, match="unrecognized method"):
        apsp.shortest_path(graph, method="X")
    with pytest.raises(ValueError, match="indices"):
        apsp.shortest_path(graph, method="FW", indices=[1])
    with pytest.raises(TypeError, match="float64, float32, int32 or int64"):
        apsp.dijkstra(graph, dtype=np.float16)
    with pytest.raises(ValueError, match="expected a policy"):
        apsp.dijkstra(graph, policy="gpu")
    with pytest.warns(UserWarning, match="negative weights"):
        apsp.dijkstra(-np.triu(graph, 1))


def test_a_device_that_is_required():
    graph = random_graph(5, 0.5, seed=1)
    apsp.floyd_warshall(graph, policy=apsp.cuda_tiled)
    if apsp.last_result().executed_on == "cuda_tiled":
        pytest.skip("there is a device")
    assert apsp.last_result().fallback_reason
    with pytest.raises(apsp.DeviceError):
        apsp.floyd_warshall(graph, policy=apsp.cuda_tiled(required=True))


def test_progress_and_its_exceptions():
    steps = []
    graph = random_graph(600, 0.1, seed=17)
    apsp.floyd_warshall(graph, progress=lambda done, total: steps.append((done, total)))
    assert steps and steps[-1] == (600, 600) and steps == sorted(steps)

    def fail(done, total):
        raise KeyError("not today")

    with pytest.raises(KeyError, match="not today"):
        apsp.floyd_warshall(graph, progress=fail)


def test_threads_run_beside_each_other():
    graph = random_graph(300, 0.1, seed=19)
    expected = csgraph.dijkstra(graph)
    wrong = []

    def solve():
        for _ in range(5):
            if not np.array_equal(apsp.dijkstra(graph, policy=apsp.seq), expected):
                wrong.append(1)

    threads = [threading.Thread(target=solve) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_interrupt_ends_a_call():
    # Python leaves a signal ignored that was ignored when it began, as in the background of a script.
    program = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np, apsp
graph = np.random.default_rng(1).random((12000, 12000))
print("begins", flush=True)
try:
    apsp.floyd_warshall(graph, overwrite=True, policy=apsp.seq)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout.readline() == "begins\n"
        time.sleep(4)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - begin < 10


@pytest.mark.parametrize("has_device", [True, False])
def test_auto_chooses_by_the_time_that_a_call_takes(monkeypatch, has_device):
    asked = []

    def answer():
        asked.append(1)
        return has_device

    monkeypatch.setattr(apsp._core, "has_device", answer)
    monkeypatch.setattr(_policies, "_has_device", None)
    monkeypatch.setattr(_policies, "_num_threads", lambda: 4)

    def name(seconds, policy=apsp.auto, **more):
        return _policies.chosen(policy, seconds, **more).name

    assert name(0.01, may_use_device=True) == "seq"
    assert name(1, may_use_device=True) == "omp"  # The device would take long to start.
    assert not asked
    best = "cuda_tiled" if has_device else "omp"
    assert name(1000) == "omp"
    assert name(3, may_use_device=True) == best
    assert name(0.1, may_use_device=True) == best
    assert name(0.01, may_use_device=True) == "seq"
    assert name(0.1) == "omp"
    assert len(asked) == 1
    assert name(1000, policy=apsp.seq, may_use_device=True) == "seq"


def test_the_last_result_says_how_it_was_computed():
    graph = scipy.sparse.csr_array(np.array([[0, 2, 9], [0, 0, 3], [1, 0, 0]], np.int32))
    apsp.floyd_warshall(graph, policy="seq")
    lines = apsp.last_result().plan.splitlines()
    assert lines[0].startswith("computed in ") and lines[-1].startswith("took ")
    apsp.shortest_path(graph, method="auto", policy="seq")
    assert any(line.startswith("floyd_warshall: ") for line in apsp.last_result().plan.splitlines())


def test_predicted_times_grow_with_the_size():
    few, many = (_core.predicted_seconds("auto", n, 4 * n, n) for n in (100, 1000))
    assert 0 < few < many
    assert _core.predicted_seconds("floyd_warshall", 1000, 4000, 1000) >= many
    with pytest.raises(ValueError, match="expected floyd_warshall"):
        _core.predicted_seconds("none", 1, 1, 1)

# SPDX-License-Identifier: BSL-1.0
"""Prepared graphs, against SciPy's distances."""

import threading

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph
from test_csgraph import FUNCTIONS, POLICIES, TYPES, as_floats, layouts, random_graph

import apsp


def grid(rows, columns, seed):
    """Streets in both directions with whole weights."""
    random = np.random.default_rng(seed)
    v = np.arange(rows * columns).reshape(rows, columns)
    u, w = (np.concatenate([a.ravel(), b.ravel()]) for a, b in ((v[:, :-1], v[:-1]), (v[:, 1:], v[1:])))
    arcs = np.concatenate([u, w]), np.concatenate([w, u])
    return scipy.sparse.csr_array((random.integers(1, 99, 2 * len(u)).astype(float), arcs), shape=2 * (v.size,))


@pytest.mark.parametrize("n, density", [(0, 1), (1, 1), (7, 0.3), (60, 0.05), (60, 0.7)])
def test_all_layouts(n, density):
    weights = random_graph(n, density, seed=n)
    for directed in (True, False):
        expected = csgraph.dijkstra(weights, directed=directed) if n else np.empty((0, 0))
        for graph in layouts(weights):
            if n == 0 and isinstance(graph, list):
                continue
            prepared = apsp.Hierarchy(graph, directed=directed)
            assert prepared.shape == (n, n) and prepared.dtype == np.float64 and prepared.directed == directed
            np.testing.assert_array_equal(apsp.shortest_path(prepared), expected)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_all_functions(policy, dtype):
    graph = grid(9, 11, seed=2)
    n = graph.shape[0]
    expected = csgraph.dijkstra(graph)
    prepared = apsp.Hierarchy(graph, policy=policy, dtype=dtype)
    assert prepared.num_edges == graph.nnz and prepared.fill >= graph.nnz / 2 and prepared.num_arcs >= graph.nnz
    sources = [5, 3, 3, -1]
    for function in FUNCTIONS:
        call = getattr(apsp, function)
        found = call(prepared, policy=policy)
        assert found.dtype == dtype
        np.testing.assert_array_equal(as_floats(found), expected)
        distances, predecessors = call(prepared, return_predecessors=True, policy=policy)
        np.testing.assert_array_equal(as_floats(distances), expected)
        for source in (0, 98):
            for target in range(n):
                path = apsp.path(predecessors, source, target)
                assert graph[path[:-1], path[1:]].sum() == expected[source, target]
        if function != "floyd_warshall":
            found, before = call(prepared, indices=sources, return_predecessors=True, policy=policy)
            np.testing.assert_array_equal(as_floats(found), expected[sources])
            np.testing.assert_array_equal(before < 0, np.eye(n, dtype=bool)[sources])
            np.testing.assert_array_equal(as_floats(call(prepared, indices=7, policy=policy)), expected[7])
    near = csgraph.dijkstra(graph, limit=150)
    np.testing.assert_array_equal(as_floats(apsp.dijkstra(prepared, limit=150, policy=policy)), near)
    rows = list(apsp.for_each_row(prepared, indices=sources, policy=policy, num_ahead=1))
    assert sorted(source for source, _ in rows) == [3, 3, 5, 98]
    for source, row in rows:
        np.testing.assert_array_equal(as_floats(row), expected[source])
    table = apsp.distance_table(prepared, sources, [8, 0], policy=policy)
    np.testing.assert_array_equal(as_floats(table), expected[sources][:, [8, 0]])
    pairs = apsp.distances_of_pairs(prepared, np.arange(n), np.arange(n)[::-1], policy=policy)
    np.testing.assert_array_equal(as_floats(pairs), expected[np.arange(n), np.arange(n)[::-1]])
    distances, nearest = apsp.nearest_sources(prepared, sources, policy=policy)
    np.testing.assert_array_equal(as_floats(distances), expected[sources].min(axis=0))
    assert set(nearest) <= {3, 5, 98}
    within = apsp.distances_within(prepared, 150, policy=policy)
    np.testing.assert_array_equal(within.toarray(), np.where(np.isfinite(near), near, 0))
    summary = apsp.summarize(prepared, policy=policy)
    np.testing.assert_array_equal(summary.eccentricity, expected.max(axis=1))
    np.testing.assert_array_equal(summary.sum, expected.sum(axis=1))
    edges = np.array([0, 100, 200, 10000], dtype)
    off_diagonal = expected[~np.eye(n, dtype=bool)]
    np.testing.assert_array_equal(
        apsp.histogram(prepared, edges, policy=policy).counts, np.histogram(off_diagonal, edges)[0]
    )


def test_that_it_is_used():
    graph = grid(30, 30, seed=3)
    prepared = apsp.Hierarchy(graph)
    for call in (apsp.shortest_path, apsp.summarize, lambda g: list(apsp.for_each_row(g))):
        call(prepared)
        assert apsp.last_result().algorithm == "elimination"


@pytest.mark.parametrize("dtype", TYPES)
def test_order(dtype):
    graph = grid(6, 7, seed=4)
    expected = csgraph.dijkstra(graph)
    least = apsp.Hierarchy(graph, dtype=dtype).fill
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(42)
        prepared = apsp.Hierarchy(graph, order, dtype=dtype)
        assert prepared.fill > least
        np.testing.assert_array_equal(as_floats(apsp.shortest_path(prepared)), expected)
    with pytest.raises(ValueError, match="twice"):
        apsp.Hierarchy(graph, [0] * 42, dtype=dtype)
    with pytest.raises(ValueError, match="the order has 3 vertices, but the graph has 42"):
        apsp.Hierarchy(graph, [0, 1, 2], dtype=dtype)


@pytest.mark.parametrize("directed", [True, False])
def test_customize(directed):
    graph = grid(8, 8, seed=5)
    prepared = apsp.Hierarchy(graph, directed=directed)
    fill = prepared.fill
    random = np.random.default_rng(6)
    for _ in range(3):
        graph = graph.copy()
        graph.data = random.random(graph.nnz)
        prepared.customize(graph)
        assert prepared.fill == fill
        np.testing.assert_allclose(apsp.shortest_path(prepared), csgraph.dijkstra(graph, directed=directed), rtol=1e-14)
    fewer = scipy.sparse.csr_array(scipy.sparse.triu(graph))
    prepared.customize(fewer)
    assert prepared.num_edges == (fewer.nnz if directed else graph.nnz)
    expected = csgraph.dijkstra(fewer, directed=directed)
    np.testing.assert_allclose(apsp.shortest_path(prepared), expected, rtol=1e-14)
    # After an error it is as it was.
    with pytest.raises(ValueError, match=r"has no place"):
        prepared.customize(graph + scipy.sparse.csr_array(([1.0], ([0], [63])), shape=(64, 64)))
    with pytest.raises(ValueError, match="vertices"):
        prepared.customize(graph[:9, :9])
    negative = graph.copy()
    negative.data[0] = -1000
    with pytest.raises(apsp.NegativeCycleError):
        prepared.customize(negative)
    np.testing.assert_allclose(apsp.shortest_path(prepared), expected, rtol=1e-14)


def test_calls_while_it_is_customized():
    graph = grid(12, 12, seed=7)
    doubled = 2 * graph
    expected = csgraph.dijkstra(graph)
    prepared = apsp.Hierarchy(graph)
    is_done = threading.Event()

    def customize():
        for _ in range(30):
            prepared.customize(doubled)
            prepared.customize(graph)
        is_done.set()

    thread = threading.Thread(target=customize)
    thread.start()
    while not is_done.is_set():
        found = apsp.shortest_path(prepared)
        assert np.array_equal(found, expected) or np.array_equal(found, 2 * expected)
    thread.join()


def test_negative_weights():
    graph = grid(5, 5, seed=8)
    potentials = np.random.default_rng(9).integers(0, 30, 25)
    arcs = graph.tocoo()
    weights = arcs.data + potentials[arcs.row] - potentials[arcs.col]
    assert weights.min() < 0
    graph = scipy.sparse.csr_array((weights, (arcs.row, arcs.col)), shape=(25, 25))
    expected = csgraph.johnson(graph)
    prepared = apsp.Hierarchy(graph)
    for function in ("shortest_path", "johnson", "bellman_ford", "floyd_warshall"):
        np.testing.assert_array_equal(getattr(apsp, function)(prepared), expected)
    with pytest.warns(UserWarning, match="negative weights"):
        np.testing.assert_array_equal(apsp.dijkstra(prepared), expected)
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.Hierarchy([[0, 1], [-2, 0]])
    assert sorted(caught.value.cycle) == [0, 1]


@pytest.mark.parametrize("dtype", TYPES)
def test_files(dtype, tmp_path):
    graph = grid(7, 9, seed=10)
    file = tmp_path / "grid.apsp"
    prepared = apsp.Hierarchy(graph, directed=False, dtype=dtype)
    prepared.save(file)
    for path in (file, str(file)):
        loaded = apsp.Hierarchy.load(path, directed=False)
        assert isinstance(loaded, apsp.Hierarchy) and repr(loaded) == repr(prepared)
        for name in ("dtype", "directed", "shape", "num_edges", "num_arcs", "fill"):
            assert getattr(loaded, name) == getattr(prepared, name)
        np.testing.assert_array_equal(apsp.shortest_path(loaded), apsp.shortest_path(prepared))
    loaded.customize(2 * graph)
    np.testing.assert_array_equal(as_floats(apsp.shortest_path(loaded)), csgraph.dijkstra(2 * graph, directed=False))
    data = bytearray(file.read_bytes())
    data[-20] ^= 1
    file.write_bytes(data)
    with pytest.raises(apsp.FileError, match=r"grid\.apsp"):
        apsp.Hierarchy.load(file)


def test_other_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        apsp.Hierarchy.load(tmp_path / "none")
    other = tmp_path / "other"
    for contents in (b"", b"something else that is longer than a header"):
        other.write_bytes(contents)
        for kind in (apsp.FileError, OSError, ValueError):
            with pytest.raises(kind):
                apsp.Hierarchy.load(other)
    with pytest.raises(apsp.FileError):
        apsp.Hierarchy([[0, 1], [1, 0]]).save(tmp_path / "no" / "folder")


def test_arguments_that_do_not_fit():
    graph = grid(3, 3, seed=11)
    prepared = apsp.Hierarchy(graph)
    with pytest.raises(TypeError, match="expected the dtype of the hierarchy, float64, got int32"):
        apsp.shortest_path(prepared, dtype=np.int32)
    with pytest.raises(ValueError, match="unweighted"):
        apsp.dijkstra(prepared, unweighted=True)
    with pytest.raises(ValueError, match="a hierarchy made with directed=False"):
        apsp.summarize(prepared, directed=False)
    np.testing.assert_array_equal(
        apsp.shortest_path(apsp.Hierarchy(graph, directed=False), directed=False), csgraph.dijkstra(graph, False)
    )
    np.testing.assert_array_equal(
        apsp.shortest_path(apsp.Hierarchy(graph, unweighted=True)), csgraph.dijkstra(graph, unweighted=True)
    )
    for call in (apsp.transitive_closure, lambda g: apsp.batch([g]), lambda g: apsp.shortest_path(g, semiring="max_min")):
        with pytest.raises(TypeError, match="got a Hierarchy"):
            call(prepared)
    with pytest.raises(TypeError, match="dtype of float64"):
        apsp.Hierarchy(graph, dtype=np.int16)

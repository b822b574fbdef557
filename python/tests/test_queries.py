# SPDX-License-Identifier: BSL-1.0
"""Some of the distances, against SciPy's."""

import itertools

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph
from test_csgraph import POLICIES, TYPES, as_floats, layouts, random_graph

import apsp


def as_dense(rows, n):
    """The sparse rows, with infinity where nothing is stored."""
    found = np.full((rows.shape[0], n), np.inf)
    entries = rows.tocoo()
    found[entries.row, entries.col] = entries.data
    return found


@pytest.mark.parametrize("n, density", [(0, 1), (1, 1), (7, 0.3), (50, 0.08), (50, 0.7)])
@pytest.mark.parametrize("limit", [0, 40, 70.5, np.inf])
def test_distances_within(n, density, limit):
    weights = random_graph(n, density, seed=n)
    for directed in (True, False):
        expected = csgraph.dijkstra(weights, directed=directed, limit=limit) if n else np.empty((0, 0))
        for graph in layouts(weights):
            if n == 0 and isinstance(graph, list):
                continue
            found = apsp.distances_within(graph, limit, directed)
            assert isinstance(found, scipy.sparse.csr_array) and found.shape == (n, n)
            assert found.has_sorted_indices and found.nnz == np.isfinite(expected).sum()
            np.testing.assert_array_equal(as_dense(found, n), expected)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_types_and_policies(policy, dtype):
    weights = random_graph(60, 0.08, seed=3)
    sources, targets = [5, 3, 3, -1], [0, 59, 7]
    expected = csgraph.dijkstra(weights, limit=90)[sources]
    found = apsp.distances_within(weights, 90, indices=sources, policy=policy, dtype=dtype)
    assert found.dtype == dtype
    np.testing.assert_array_equal(as_dense(found, 60), expected)
    table = apsp.distance_table(weights, sources, targets, limit=90, policy=policy, dtype=dtype)
    assert table.dtype == dtype
    np.testing.assert_array_equal(as_floats(table), expected[:, targets])
    unweighted = apsp.distance_table(weights, targets, sources, unweighted=True, policy=policy, dtype=dtype)
    np.testing.assert_array_equal(
        as_floats(unweighted), csgraph.dijkstra(weights, unweighted=True)[np.ix_(targets, sources)]
    )


def test_tables_of_all_layouts_and_shapes():
    weights = random_graph(40, 0.1, seed=5)
    for directed in (True, False):
        everything = csgraph.dijkstra(weights, directed=directed)
        for graph in layouts(weights):
            table = apsp.distance_table(graph, range(10), range(20, 40), directed)
            np.testing.assert_array_equal(table, everything[:10, 20:])
    everything = csgraph.dijkstra(weights)
    out = np.empty((2, 2))
    for sources, targets in ((3, 4), ([1, 2], 5), (7, [[1], [2]]), ([], [1]), ([1], []), ([[0, 1], [2, 3]], [4, -1])):
        expected = everything[np.asarray(sources, int)][..., np.asarray(targets, int)]
        found = apsp.distance_table(weights, sources, targets)
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found, expected)
        for name in ("dijkstra", "shortest_path"):
            found = getattr(apsp, name)(weights, indices=sources, targets=targets)
            np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(apsp.shortest_path(weights, targets=[1, 2]), everything[:, [1, 2]])
    assert apsp.distance_table(weights, [1, 2], [3, 4], out=out) is out
    np.testing.assert_array_equal(out, everything[1:3, 3:5])


def test_pairs_of_all_layouts_and_shapes():
    weights = random_graph(40, 0.1, seed=6)
    sources, targets = np.arange(40) * 7 % 40, np.arange(40) * 3 % 40
    for directed in (True, False):
        everything = csgraph.dijkstra(weights, directed=directed)
        for graph in layouts(weights):
            found = apsp.distances_of_pairs(graph, sources, targets, directed)
            np.testing.assert_array_equal(found, everything[sources, targets])
    everything = csgraph.dijkstra(weights)
    out = np.empty(2)
    for sources, targets in ((3, 4), ([1, 2], 5), (7, [[1], [2]]), ([], []), ([[0, 1], [2, 3]], [4, -1])):
        found = apsp.distances_of_pairs(weights, sources, targets)
        expected = everything[np.asarray(sources, int), np.asarray(targets, int)]
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found, expected)
    assert apsp.distances_of_pairs(weights, [1, 2], [3, 4], out=out) is out
    np.testing.assert_array_equal(out, everything[[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="broadcast"):
        apsp.distances_of_pairs(weights, [1, 2], [3, 4, 5])
    limited = apsp.distances_of_pairs(weights, range(40), 0, limit=90)
    np.testing.assert_array_equal(limited, csgraph.dijkstra(weights, limit=90)[:, 0])


def test_negative_weights():
    weights = np.array([[0, 4, 5], [0, 0, 0], [0, -3, 0]])
    expected = csgraph.johnson(weights)
    np.testing.assert_array_equal(apsp.distance_table(weights, [0, 1], [1, 2]), expected[:2, 1:])
    np.testing.assert_array_equal(as_dense(apsp.distances_within(weights, 9), 3), expected)
    for call in (lambda g: apsp.distance_table(g, 0, 1), lambda g: apsp.distances_within(g, 1)):
        with pytest.raises(apsp.NegativeCycleError):
            call([[0, -1], [-1, 0]])


def test_refused():
    graph = random_graph(10, 0.5, seed=7)
    with pytest.raises(ValueError, match="limit"):
        apsp.distances_within(graph, -1)
    with pytest.raises(ValueError, match="limit"):
        apsp.distances_within(graph, np.nan)
    with pytest.raises(ValueError, match="out of range"):
        apsp.distance_table(graph, [0], [10])
    with pytest.raises(ValueError, match="return_predecessors"):
        apsp.dijkstra(graph, targets=[1], return_predecessors=True)
    with pytest.raises(ValueError, match="min_only"):
        apsp.dijkstra(graph, targets=[1], min_only=True)
    with pytest.raises(ValueError, match="'FW'"):
        apsp.shortest_path(graph, method="FW", targets=[1])
    with pytest.raises(ValueError, match=r"shape \(1, 2\)"):
        apsp.distance_table(graph, [0], [1, 2], out=np.empty((2, 1)))


def test_k_nearest_sources():
    weights = random_graph(60, 0.06, seed=8)
    expected = csgraph.dijkstra(weights)
    for sources in ([4, 9, 9, 58, 3], list(range(60)), [7], []):
        distinct = np.unique(np.asarray(sources, int))
        order = np.argsort(expected[distinct], axis=0, kind="stable")
        for k in (0, 1, 3, 9):
            found, nearest = apsp.nearest_sources(weights, sources, k=k)
            assert found.shape == nearest.shape == (60, k)
            for v in range(60):
                for i in range(k):
                    source = distinct[order[i, v]] if i < len(distinct) else None
                    if source is None or np.isinf(expected[source, v]):
                        assert nearest[v, i] == -9999 and np.isinf(found[v, i])
                    else:
                        assert nearest[v, i] == source and found[v, i] == expected[source, v]
    out = np.empty((60, 2))
    assert apsp.nearest_sources(apsp.Hierarchy(weights), [1, 2], k=2, out=out)[0] is out
    np.testing.assert_array_equal(out, np.sort(expected[[1, 2]], axis=0).T)
    with pytest.raises(ValueError, match="expected k >= 0, got -1"):
        apsp.nearest_sources(weights, [1], k=-1)
    with pytest.raises(ValueError, match="expected no predecessors with k"):
        apsp.nearest_sources(weights, [1], k=1, return_predecessors=True)


def test_nearest_sources():
    weights = random_graph(60, 0.05, seed=8)
    sources = [[7, 3], [-1, 7]]
    from_each = csgraph.dijkstra(weights, indices=[7, 3, 59])
    expected = from_each.min(axis=0)
    for graph in layouts(weights):
        distances, nearest, predecessors = apsp.nearest_sources(graph, sources, return_predecessors=True)
        assert distances.shape == nearest.shape == predecessors.shape == (60,)
        np.testing.assert_array_equal(distances, expected)
        for v in range(60):
            if np.isinf(expected[v]):
                assert nearest[v] == predecessors[v] == -9999
                continue
            assert from_each[[7, 3, 59].index(nearest[v]), v] == expected[v]
            path = apsp.path(predecessors, nearest[v], v)
            assert sum(weights[u, w] for u, w in itertools.pairwise(path)) == expected[v]
    for dtype in TYPES:
        out = np.empty(60, dtype)
        found, nearest = apsp.nearest_sources(weights, 5, False, dtype=dtype, limit=90, out=out)
        assert found is out
        np.testing.assert_array_equal(as_floats(found), csgraph.dijkstra(weights, False, 5, limit=90))
        assert set(nearest) <= {5, -9999}
    with pytest.raises(ValueError, match="out of range"):
        apsp.nearest_sources(weights, [60])


def test_path():
    weights = random_graph(50, 0.06, seed=9)
    expected = csgraph.dijkstra(weights)
    for function in (csgraph.shortest_path, apsp.shortest_path):  # SciPy's predecessors are as good.
        _, predecessors = function(weights, return_predecessors=True)
        for source in (0, 7, -1):
            for target in range(-50, 50):
                for given in (predecessors, predecessors[source], predecessors.tolist()):
                    path = apsp.path(given, source, target)
                    if np.isinf(expected[source, target]):
                        assert path.shape == (0,)
                        continue
                    assert (path[0], path[-1]) == (source % 50, target % 50)
                    assert sum(weights[u, v] for u, v in itertools.pairwise(path)) == expected[source, target]
    assert apsp.path([-9999], 0, 0).tolist() == [0]
    with pytest.raises(ValueError, match="expected predecessors that lead to 2, got some that end at 0"):
        apsp.path([-9999, 0, -9999], 2, 1)
    with pytest.raises(ValueError, match="a cycle"):
        apsp.path([1, 0, -9999], 2, 1)
    with pytest.raises(ValueError, match="out of range"):
        apsp.path([9, 0, -9999], 2, 1)
    with pytest.raises(ValueError, match="expected a vertex from -3 to 2, got 3"):
        apsp.path([-9999, 0, 1], 0, 3)
    for wrong in (np.zeros((2, 3), int), np.zeros(3), 5):
        with pytest.raises(ValueError, match=r"of shape \(N,\) or \(N, N\)"):
            apsp.path(wrong, 0, 0)

# SPDX-License-Identifier: BSL-1.0
"""Betweenness, numbers of shortest paths and the paths of pairs, against sums over all pairs and NetworkX."""

import functools
import itertools
import math

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

import apsp

TYPES = (np.float64, np.float32, np.int32, np.int64)


def random_arcs(n, m, seed, greatest=4):
    """Tails, heads and weights, among them self-loops, and without parallel arcs."""
    rng = np.random.default_rng(seed)
    places = rng.choice(n * n, m, replace=False)
    return places // n, places % n, rng.integers(1, greatest, m)


def dense_of(n, tails, heads, weights):
    matrix = np.zeros((n, n))
    matrix[tails, heads] = weights
    return matrix


def csr_of(n, tails, heads, weights):
    """With the arcs in the order in which they are given for each vertex, parallel ones included."""
    order = np.argsort(tails, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=n))])
    return scipy.sparse.csr_array((np.asarray(weights)[order], np.asarray(heads)[order], offsets), shape=(n, n))


class Expected:
    """What is summed over all pairs of vertices, whose shortest paths are counted one after the other."""

    def __init__(self, n, arcs, sources=None, endpoints=False, limit=math.inf):
        self.distances = np.full((n, n), math.inf)
        np.fill_diagonal(self.distances, 0)
        for u, v, w in arcs:
            self.distances[u, v] = min(self.distances[u, v], w)
        for k in range(n):
            self.distances = np.minimum(self.distances, self.distances[:, [k]] + self.distances[k])
        d = self.distances
        d[d > limit] = math.inf

        @functools.cache
        def count(s, t):
            if s == t or d[s, t] == math.inf:
                return int(s == t)
            return sum(count(s, u) for u, v, w in arcs if v == t and u != v and d[s, u] + w == d[s, t])

        self.counts = np.array([[count(s, t) for t in range(n)] for s in range(n)], float).reshape(n, n)
        self.scores, self.arc_scores = np.zeros(n), np.zeros(len(arcs))
        for s, t in itertools.product(range(n) if sources is None else sources, range(n)):
            if s == t or d[s, t] == math.inf:
                continue
            for v in range(n):
                if v not in (s, t) and d[s, v] + d[v, t] == d[s, t]:
                    self.scores[v] += count(s, v) * count(v, t) / count(s, t)
                self.scores[v] += endpoints and v in (s, t)
            for i, (u, v, w) in enumerate(arcs):
                if u != v and d[s, u] + w + d[v, t] == d[s, t]:
                    self.arc_scores[i] += count(s, u) * count(v, t) / count(s, t)


def edges_of(n, tails, heads, weights):
    """The lightest arc between two vertices in either direction, in both directions."""
    lightest = {}
    for u, v, w in zip(tails, heads, weights, strict=True):
        edge = (min(u, v), max(u, v))
        lightest[edge] = min(w, lightest.get(edge, math.inf))
    return [(u, v, w) for (a, b), w in lightest.items() for u, v in ((a, b), (b, a))]


def listed(tails, heads, weights):
    return list(zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True))


def assert_close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(4))
def test_all_vertices(dtype, seed):
    n = 17
    arcs = random_arcs(n, 60, seed)
    dense = dense_of(n, *arcs)
    for directed in (True, False):
        expected = Expected(n, listed(*arcs) if directed else edges_of(n, *arcs))
        half = 1 if directed else 0.5
        for graph in (
            dense,
            scipy.sparse.csr_array(dense),
            scipy.sparse.csc_array(dense),
            apsp.Hierarchy(dense, directed=directed, dtype=dtype),
        ):
            assert_close(apsp.betweenness(graph, directed, dtype=dtype), expected.scores * half)
            distances, counts = apsp.count_paths(graph, directed, dtype=dtype)
            assert distances.dtype == dtype
            assert counts.dtype == np.float64
            np.testing.assert_array_equal(counts, expected.counts)
            reached = expected.distances < math.inf
            np.testing.assert_array_equal(distances == apsp.unreachable(dtype), ~reached)
            np.testing.assert_array_equal(distances[reached], expected.distances[reached])


def test_options():
    n = 15
    arcs = random_arcs(n, 50, seed=5)
    dense = dense_of(n, *arcs)
    unit = (*arcs[:2], np.ones(50, int))
    for directed, unweighted, sources, endpoints in itertools.product(
        (True, False), (True, False), (None, 3, [[0, -1], [7, 3]], []), (True, False)
    ):
        used = unit if unweighted else arcs
        chosen = range(n) if sources is None else np.atleast_1d(np.asarray(sources, int)).ravel() % n
        expected = Expected(n, listed(*used) if directed else edges_of(n, *used), chosen, endpoints)
        options = {"indices": sources, "endpoints": endpoints, "edges": True}
        half = 1 if directed else 0.5
        scores, of_arcs = apsp.betweenness(dense, directed, unweighted, **options)
        assert_close(scores, expected.scores * half)
        # Of all pairs, whether or not some of them are sources.
        pairs = n * (n - 1) if endpoints else (n - 1) * (n - 2)
        found, of_arcs_found = apsp.betweenness(dense, directed, unweighted, normalized=True, **options)
        assert_close(found, expected.scores / pairs)
        assert_close(of_arcs_found, of_arcs / half / (n * (n - 1)))
        found, of_arcs_found = apsp.betweenness(dense, directed, unweighted, scaled_to_all=True, **options)
        factor = n / len(chosen) if len(chosen) else 1
        assert_close(found, scores * factor)
        assert_close(of_arcs_found, of_arcs * factor)
    limited = Expected(n, listed(*arcs), limit=3)
    assert_close(apsp.betweenness(dense, limit=3), limited.scores)
    np.testing.assert_array_equal(apsp.count_paths(dense, limit=3)[1], limited.counts)
    for indices in (4, [1, 2], [[1, -2], [0, 3]], []):
        distances, counts = apsp.count_paths(dense, indices=indices)
        everything = apsp.count_paths(dense)[1]
        assert distances.shape == counts.shape == (*np.shape(indices), n)
        np.testing.assert_array_equal(counts, everything[np.asarray(indices, int)])


@pytest.mark.parametrize("seed", range(3))
def test_scores_of_arcs(seed):
    n = 14
    arcs = random_arcs(n, 50, seed)
    dense = dense_of(n, *arcs)
    expected = Expected(n, listed(*arcs)).arc_scores
    scores, matrix = apsp.betweenness(dense, edges=True)
    assert_close(matrix, dense_of(n, *arcs[:2], expected))
    np.testing.assert_array_equal(scores, apsp.betweenness(dense))
    order = np.argsort(arcs[0] * n + arcs[1])
    for make in (scipy.sparse.csr_array, scipy.sparse.csc_array, scipy.sparse.coo_array, scipy.sparse.lil_array):
        graph = make(dense)
        found = apsp.betweenness(graph, edges=True)[1]
        assert isinstance(found, scipy.sparse.csr_array)
        np.testing.assert_array_equal(found.indptr, graph.tocsr().indptr)
        np.testing.assert_array_equal(found.indices, graph.tocsr().indices)
        assert_close(found.data, expected[order])
    # The caller's arrays are not those of the result.
    graph = scipy.sparse.csr_array(dense)
    found = apsp.betweenness(graph, edges=True)[1]
    assert not np.shares_memory(found.indices, graph.indices)
    blocks = scipy.sparse.bsr_array(dense, blocksize=(2, 2))
    assert_close(apsp.betweenness(blocks, edges=True)[1].toarray(), matrix)


@pytest.mark.parametrize("seed", range(3))
def test_scores_of_edges(seed):
    n = 13
    tails, heads, weights = arcs = random_arcs(n, 40, seed)
    edges = edges_of(n, *arcs)
    scores = Expected(n, edges).arc_scores
    # Half of the sum of both directions.
    expected = np.zeros((n, n))
    for (u, v, _), score in zip(edges, scores, strict=True):
        expected[u, v] += score / 2
        expected[v, u] += score / 2
    np.fill_diagonal(expected, 0)
    dense = dense_of(n, *arcs)
    assert_close(apsp.betweenness(dense, False, edges=True)[1], expected)
    graph = csr_of(n, *arcs)
    found = apsp.betweenness(graph, False, edges=True)[1]
    np.testing.assert_array_equal(found.indices, graph.indices)
    rows = np.repeat(np.arange(n), np.diff(graph.indptr))
    assert_close(found.data, expected[rows, graph.indices])
    # The same edges in both directions, and several times.
    both = csr_of(
        n, *(np.concatenate(parts) for parts in ((tails, heads, tails), (heads, tails, tails), [weights] * 3))
    )
    again = csr_of(n, np.tile(tails, 2), np.tile(heads, 2), np.concatenate([weights, weights + 1]))
    for several in (both, again):
        assert_close(apsp.betweenness(several, False), apsp.betweenness(dense, False))
        found = apsp.betweenness(several, False, edges=True)[1]
        rows = np.repeat(np.arange(n), np.diff(several.indptr))
        assert_close(found.data, expected[rows, several.indices])


def test_entries_that_are_no_arcs():
    graph = scipy.sparse.csr_array(
        (np.array([1, math.inf, 2.0, 0.0, 5.0, math.nan]), np.array([1, 2, 2, 3, 3, 0]), np.array([0, 2, 3, 6, 6])),
        shape=(4, 4),
    )
    scores, of_arcs = apsp.betweenness(graph, edges=True)
    # 0 -> 1 -> 2 -> 3, of which the last step has weight 0.
    np.testing.assert_array_equal(scores, [0, 2, 2, 0])
    np.testing.assert_array_equal(of_arcs.data, [3, 0, 4, 3, 0, 0])
    with pytest.raises(ValueError, match="length 0"):
        apsp.betweenness(graph, False, edges=True)
    graph.data[3] = 1
    scores, of_arcs = apsp.betweenness(graph, False, edges=True)
    np.testing.assert_array_equal(scores, [0, 2, 2, 0])
    np.testing.assert_array_equal(of_arcs.data, [3, 0, 4, 3, 3, 0])
    masked = np.ma.masked_equal([[9, 0, 9], [9, 9, 2], [9, 9, 9]], 9)
    scores, of_arcs = apsp.betweenness(masked, edges=True)
    np.testing.assert_array_equal(scores, [0, 1, 0])
    np.testing.assert_array_equal(of_arcs, [[0, 2, 0], [0, 0, 2], [0, 0, 0]])


def test_parallel_arcs():
    n = 11
    tails, heads, weights = random_arcs(n, 30, seed=8)
    tails, heads, weights = (np.concatenate([a, a[::2], a[::3]]) for a in (tails, heads, weights))
    weights[-5:] += 1
    graph = csr_of(n, tails, heads, weights)
    rows = np.repeat(np.arange(n), np.diff(graph.indptr))
    expected = Expected(n, listed(rows, graph.indices, graph.data))
    scores, of_arcs = apsp.betweenness(graph, edges=True)
    assert_close(scores, expected.scores)
    assert_close(of_arcs.data, expected.arc_scores)
    np.testing.assert_array_equal(apsp.count_paths(graph)[1], expected.counts)
    lightest = np.full((n, n), math.inf)
    np.minimum.at(lightest, (rows, graph.indices), graph.data)
    lightest[np.isinf(lightest)] = 0
    merged_scores, merged = apsp.betweenness(graph, edges=True, merge_parallel=True)
    simple_scores, simple = apsp.betweenness(lightest, edges=True)
    assert_close(merged_scores, simple_scores)
    assert_close(merged.toarray(), simple)  # adds up parallel entries
    np.testing.assert_array_equal(apsp.count_paths(graph, merge_parallel=True)[1], apsp.count_paths(lightest)[1])


def test_tolerance():
    # 0.1 + 0.2 is a bit more than 0.3.
    diamond = np.zeros((4, 4))
    diamond[0, 1], diamond[1, 3], diamond[0, 2], diamond[2, 3] = 0.1, 0.2, 0.15, 0.15
    np.testing.assert_array_equal(apsp.betweenness(diamond), [0, 0.5, 0.5, 0])
    np.testing.assert_array_equal(apsp.betweenness(diamond, tolerance=0), [0, 0, 1, 0])
    assert apsp.count_paths(diamond)[1][0, 3] == 2
    assert apsp.count_paths(diamond, tolerance=0)[1][0, 3] == 1
    diamond[0, 1] += 0.01
    assert apsp.count_paths(diamond)[1][0, 3] == 1
    assert apsp.count_paths(diamond, tolerance=0.1)[1][0, 3] == 2
    assert apsp.count_paths(np.diag([1, 1], 1), dtype=np.int32, tolerance=0.5)[1][0, 2] == 1
    for wrong in (-1, math.nan, math.inf):
        for call in (apsp.betweenness, apsp.count_paths):
            with pytest.raises(ValueError, match="tolerance"):
                call(diamond, tolerance=wrong)


def test_negative_weights():
    weights = np.array([[0, 4, 2, 0], [0, 0, 0, 1], [0, 2, 0, 3], [0, 0, 0, 0]])
    weights[1, 3] = -2
    weights[2, 3] = 0
    for graph in (weights, scipy.sparse.csr_array(weights)):
        distances, counts = apsp.count_paths(graph, indices=0)
        np.testing.assert_array_equal(distances, [0, 4, 2, 2])
        np.testing.assert_array_equal(counts, [1, 2, 1, 2])
        np.testing.assert_array_equal(apsp.betweenness(graph), [0, 2, 1, 0])
    for call in (apsp.betweenness, apsp.count_paths):
        with pytest.raises(apsp.NegativeCycleError):
            call([[0, -1], [-1, 0]])
        with pytest.raises(ValueError, match="no cycle of length 0"):
            call([[0, 1], [-1, 0]])


def test_large_counts():
    # Two ways at each of many steps.
    steps = 1100
    tails = np.repeat(np.arange(steps), 2)
    chain = csr_of(steps + 1, tails, tails + 1, np.ones(2 * steps))
    counts = apsp.count_paths(chain, indices=0)[1]
    np.testing.assert_array_equal(counts[:1000], 2.0 ** np.arange(1000))
    assert counts[-1] == math.inf
    expected = np.arange(steps + 1) * np.arange(steps, -1, -1)
    np.testing.assert_allclose(apsp.betweenness(chain), expected)
    n = 12
    grid = np.zeros((n * n, n * n))
    for i, j in itertools.product(range(n), range(n)):
        if i + 1 < n:
            grid[i * n + j, i * n + j + n] = 3
        if j + 1 < n:
            grid[i * n + j, i * n + j + 1] = 3
    counts = apsp.count_paths(grid, indices=0, dtype=np.int32)[1].reshape(n, n)
    np.testing.assert_array_equal(counts, [[math.comb(i + j, i) for i in range(n)] for j in range(n)])


@pytest.mark.parametrize("directed", (True, False))
@pytest.mark.parametrize("kind", ("int", "float"))
def test_beside_networkx(directed, kind):
    nx = pytest.importorskip("networkx", minversion="3.5")
    rng = np.random.default_rng(11)
    n = 60
    weights = np.where(rng.random((n, n)) < 0.08, rng.integers(1, 5, (n, n)), 0)
    if kind == "float":
        weights = weights * rng.random((n, n))
    if not directed:
        weights = np.triu(weights)
    graph = nx.from_numpy_array(weights, create_using=nx.DiGraph if directed else nx.Graph)
    for normalized, endpoints in itertools.product((True, False), (True, False)):
        expected = nx.betweenness_centrality(graph, normalized=normalized, endpoints=endpoints, weight="weight")
        for given in (weights, scipy.sparse.csr_array(weights)):
            found = apsp.betweenness(given, directed, normalized=normalized, endpoints=endpoints)
            assert_close(found, list(expected.values()))
        expected = nx.edge_betweenness_centrality(graph, normalized=normalized, weight="weight")
        found = apsp.betweenness(weights, directed, normalized=normalized, edges=True)[1]
        assert_close([found[edge] for edge in expected], list(expected.values()))


def test_policies_and_progress():
    graph = scipy.sparse.random_array((300, 300), density=0.02, rng=3, data_sampler=lambda size: np.ones(size))
    expected = apsp.betweenness(graph, policy="seq", edges=True)
    assert apsp.last_result().executed_on == "seq"
    for threads in (1, 2, 3):
        calls = []
        found = apsp.betweenness(
            graph, policy=apsp.omp(threads=threads), edges=True, progress=lambda *done: calls.append(done)
        )
        assert calls[-1] == (300, 300)
        # The same bits.
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1].data, expected[1].data)
    np.testing.assert_array_equal(
        apsp.count_paths(graph, policy=apsp.omp(threads=2))[1], apsp.count_paths(graph, policy="seq")[1]
    )

    def fail(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        apsp.betweenness(graph, progress=fail)


def test_small():
    for graph in (np.zeros((0, 0)), scipy.sparse.csr_array((0, 0))):
        scores, of_arcs = apsp.betweenness(graph, edges=True, normalized=True)
        assert scores.shape == (0,)
        assert of_arcs.shape == (0, 0)
        distances, counts = apsp.count_paths(graph)
        assert distances.shape == counts.shape == (0, 0)
    for n in (1, 2):
        for directed in (True, False):
            graph = np.ones((n, n))
            np.testing.assert_array_equal(apsp.betweenness(graph, directed, normalized=True), np.zeros(n))
            np.testing.assert_array_equal(apsp.count_paths(graph, directed)[1], np.ones((n, n)))


def test_hierarchies():
    n = 15
    arcs = random_arcs(n, 40, seed=9)
    dense = dense_of(n, *arcs)
    undirected = apsp.Hierarchy(dense, directed=False)
    # As it was made.
    np.testing.assert_array_equal(apsp.betweenness(undirected), apsp.betweenness(dense, False))
    np.testing.assert_array_equal(apsp.betweenness(undirected, False), apsp.betweenness(dense, False))
    with pytest.raises(TypeError, match="edges=True, got a Hierarchy"):
        apsp.betweenness(undirected, edges=True)
    with pytest.raises(ValueError, match="directed=False"):
        apsp.betweenness(apsp.Hierarchy(dense), False)
    carrying = apsp.Hierarchy(dense, carry=dense)
    for call in (apsp.betweenness, apsp.count_paths, lambda g: apsp.paths_of_pairs(g, 0, 1)):
        with pytest.raises(TypeError, match="carries no attribute"):
            call(carrying)


def test_refused():
    graph = np.ones((4, 4))
    for call in (apsp.betweenness, apsp.count_paths):
        with pytest.raises(ValueError, match="out of range"):
            call(graph, indices=4)
        with pytest.raises(ValueError, match="limit"):
            call(graph, limit=-1)
        with pytest.raises(TypeError, match="dtype"):
            call(graph, dtype=np.int8)
        with pytest.raises(ValueError, match="shape"):
            call(np.ones((2, 3)))
        with pytest.raises(ValueError, match="policy"):
            call(graph, policy="other")
    with pytest.raises(ValueError, match="that int32 holds"):
        apsp.betweenness(graph / 2, dtype=np.int32)


@pytest.mark.parametrize("dtype", TYPES)
def test_paths_of_pairs(dtype):
    n = 60
    rng = np.random.default_rng(4)
    tails, heads, weights = random_arcs(n, 220, seed=4, greatest=30)
    dense = dense_of(n, tails, heads, weights)
    sources, targets = rng.integers(0, n, (2, 500))
    for directed in (True, False):
        lengths = csgraph.dijkstra(dense, directed)
        symmetric = dense if directed else np.where(dense > 0, dense, math.inf)
        if not directed:
            symmetric = np.minimum(symmetric, symmetric.T)
        prepared = apsp.Hierarchy(dense, directed=directed, dtype=dtype)
        for graph in (dense, scipy.sparse.csr_array(dense), prepared):
            distances, paths = apsp.paths_of_pairs(graph, sources, targets, directed, dtype=dtype)
            assert distances.dtype == dtype
            assert len(paths) == 500
            assert paths.offsets.dtype == np.int64
            assert paths.vertices.dtype == np.int32
            np.testing.assert_array_equal(
                distances, apsp.distances_of_pairs(graph, sources, targets, directed, dtype=dtype)
            )
            for source, target, path in zip(sources, targets, paths, strict=True):
                if np.isinf(lengths[source, target]):
                    assert path.shape == (0,)
                    continue
                assert (path[0], path[-1]) == (source, target)
                assert sum(symmetric[u, v] for u, v in itertools.pairwise(path)) == lengths[source, target]


def test_shapes_of_pairs():
    chain = np.diag([2.0, 3.0, 4.0], 1)
    distances, paths = apsp.paths_of_pairs(chain, [[0], [1]], [2, -1, 0])
    np.testing.assert_array_equal(distances, [[5, 9, 0], [3, 7, math.inf]])
    assert [path.tolist() for path in paths] == [[0, 1, 2], [0, 1, 2, 3], [0], [1, 2], [1, 2, 3], []]
    assert repr(paths) == "<6 paths with 13 vertices>"
    assert paths[-3].tolist() == [1, 2]
    assert [path.tolist() for path in paths[1:4:2]] == [[0, 1, 2, 3], [1, 2]]
    assert np.shares_memory(paths[1], paths.vertices)
    assert len(list(reversed(paths))) == 6
    with pytest.raises(IndexError):
        paths[6]
    distances, paths = apsp.paths_of_pairs(chain, 0, 3, unweighted=True)
    assert distances == 3
    assert paths[0].tolist() == [0, 1, 2, 3]
    distances, paths = apsp.paths_of_pairs(chain, [], [])
    assert distances.shape == (0,)
    assert list(paths) == []
    for graph in (chain, apsp.Hierarchy(chain)):
        distances, paths = apsp.paths_of_pairs(graph, [0, 0], [2, 3], limit=5)
        np.testing.assert_array_equal(distances, [5, math.inf])
        assert [len(path) for path in paths] == [3, 0]
    with pytest.raises(ValueError, match="broadcast"):
        apsp.paths_of_pairs(chain, [1, 2], [0, 1, 2])
    with pytest.raises(ValueError, match="out of range"):
        apsp.paths_of_pairs(chain, 0, 4)
    with pytest.raises(apsp.NegativeCycleError):
        apsp.paths_of_pairs([[0, -1], [-1, 0]], 0, 1)

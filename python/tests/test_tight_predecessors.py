# SPDX-License-Identifier: BSL-1.0
"""All predecessors on shortest paths, and all shortest paths, against a search for all simple walks."""

import itertools
import math

import numpy as np
import pytest
import scipy.sparse

import apsp

TYPES = (np.float64, np.float32, np.int32, np.int64)
DIAMOND = [[0, 1, 2, 0], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 0]]


def random_arcs(n, m, seed, least=1):
    rng = np.random.default_rng(seed)
    places = rng.choice(n * n, m, replace=False)
    return list(zip((places // n).tolist(), (places % n).tolist(), rng.integers(least, 4, m).tolist(), strict=True))


def dense_of(n, arcs):
    matrix = np.zeros((n, n))
    for u, v, w in arcs:
        matrix[u, v] = w
    return matrix


def paths_from(n, arcs, source, limit=math.inf):
    """The distances, and the shortest paths to each vertex in lexicographic order from their ends."""
    best, paths = [math.inf] * n, [[] for _ in range(n)]

    def extend(walk, length):
        v = walk[-1]
        if length <= min(limit, best[v]):
            if length < best[v]:
                paths[v].clear()
            best[v] = length
            paths[v].append(list(walk))
        for u, w, weight in arcs:
            if u == v and w not in walk:
                extend([*walk, w], length + weight)

    extend([source], 0)
    return best, [sorted(found, key=lambda path: path[::-1]) for found in paths]


def check(distances, lists, n, arcs, source, limit=math.inf):
    best, paths = paths_from(n, arcs, source, limit)
    unreachable = apsp.unreachable(distances.dtype)
    np.testing.assert_array_equal(distances, [unreachable if d == math.inf else d for d in best])
    assert lists.source == source
    assert len(lists) == n
    assert (lists.indptr.dtype, lists.indices.dtype) == (np.int64, np.int32)
    for v in range(n):
        assert lists[v].tolist() == sorted({path[-2] for path in paths[v] if len(path) > 1})
        assert [path.tolist() for path in apsp.shortest_paths(lists, v)] == paths[v]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(6))
def test_directed(dtype, seed):
    n = 7
    arcs = random_arcs(n, 18, seed)
    sources = [4, 0, -1, 4]
    for graph in (dense_of(n, arcs), scipy.sparse.coo_array(dense_of(n, arcs)), apsp.Hierarchy(dense_of(n, arcs))):
        given = {} if isinstance(graph, apsp.Hierarchy) else {"dtype": dtype}
        distances, lists = apsp.tight_predecessors(graph, indices=sources, **given)
        assert distances.shape == (4, n)
        for row, predecessors, source in zip(distances, lists, sources, strict=True):
            check(row, predecessors, n, arcs, source % n)
    distances, lists = apsp.tight_predecessors(dense_of(n, arcs), dtype=dtype, limit=3)
    assert len(lists) == n
    for source in range(n):
        check(distances[source], lists[source], n, arcs, source, 3)


@pytest.mark.parametrize("seed", range(4))
def test_undirected_and_unweighted(seed):
    n = 6
    arcs = random_arcs(n, 12, seed)
    shortest = {}
    for u, v, w in arcs:
        for edge in ((u, v), (v, u)):
            shortest[edge] = min(w, shortest.get(edge, w))
    edges = [(u, v, w) for (u, v), w in shortest.items()]
    distances, lists = apsp.tight_predecessors(dense_of(n, arcs), False, indices=2)
    check(distances, lists, n, edges, 2)
    distances, lists = apsp.tight_predecessors(dense_of(n, arcs), unweighted=True, indices=2)
    check(distances, lists, n, [(u, v, 1) for u, v, _ in arcs], 2)


def test_weights_of_0_and_below():
    n = 6
    potential = [5, -3, 0, 2, -6, 1]
    # From lower to higher numbers alone, so that there is no cycle of length 0.
    arcs = [(u, v, w + potential[u] - potential[v]) for u, v, w in random_arcs(n, 20, 3, least=0) if u < v]
    distances, lists = apsp.tight_predecessors(
        scipy.sparse.csr_array(
            (
                [w for *_, w in sorted(arcs)],
                [v for _, v, _ in sorted(arcs)],
                np.concatenate([[0], np.cumsum(np.bincount([u for u, *_ in arcs], minlength=n))]),
            ),
            shape=(n, n),
        ),
        indices=0,
    )
    check(distances, lists, n, arcs, 0)
    with pytest.raises(ValueError, match="cycle of length 0"):
        apsp.tight_predecessors([[0, 2, 0], [-2, 0, 1], [0, 0, 0]])
    with pytest.raises(apsp.NegativeCycleError):
        apsp.tight_predecessors([[0, 2, 0], [-3, 0, 1], [0, 0, 0]])


def test_tolerance_and_parallel_arcs():
    graph = np.zeros((4, 4))
    graph[[0, 1, 0], [1, 3, 3]] = [0.1, 0.2, 0.3]
    assert apsp.tight_predecessors(graph, indices=0)[1][3].tolist() == [0, 1]
    assert apsp.tight_predecessors(graph, indices=0, tolerance=0)[1][3].tolist() == [0]
    with pytest.raises(ValueError, match="tolerance"):
        apsp.tight_predecessors(graph, tolerance=-1)
    parallel = scipy.sparse.csr_array(([1, 1, 2, 1], [1, 1, 1, 2], [0, 3, 4, 4]), shape=(3, 3))
    lists = apsp.tight_predecessors(parallel, indices=0)[1]
    assert lists.indices.tolist() == [0, 1]
    assert apsp.count_paths(parallel, indices=0)[1].tolist() == [1, 2, 2]


def test_shapes():
    distances, lists = apsp.tight_predecessors(DIAMOND, indices=[[0, 1], [2, 3]])
    assert distances.shape == (2, 2, 4)
    assert [found.source for found in lists] == [0, 1, 2, 3]
    distances, lists = apsp.tight_predecessors(DIAMOND, indices=[])
    assert distances.shape == (0, 4)
    assert lists == []
    distances, lists = apsp.tight_predecessors(np.zeros((0, 0)))
    assert distances.shape == (0, 0)
    assert lists == []
    lists = apsp.tight_predecessors(DIAMOND, indices=0)[1]
    assert [part.tolist() for part in lists[2:]] == [[0], [1, 2]]
    assert lists[-1].tolist() == [1, 2]
    assert [len(part) for part in lists] == [0, 1, 1, 2]
    assert repr(lists) == "<predecessors of 4 vertices on paths from 0: 4 in all>"
    with pytest.raises(IndexError):
        lists[4]


def test_policies_and_progress():
    graph = scipy.sparse.random_array((200, 200), density=0.03, rng=3, data_sampler=lambda size: np.ones(size))
    expected = apsp.tight_predecessors(graph, policy="seq")
    for threads in (1, 3):
        calls = []
        found = apsp.tight_predecessors(
            graph, policy=apsp.omp(threads=threads), progress=lambda *done: calls.append(done)
        )
        assert calls[-1] == (200, 200)
        np.testing.assert_array_equal(found[0], expected[0])
        for one, other in zip(found[1], expected[1], strict=True):
            np.testing.assert_array_equal(one.indptr, other.indptr)
            np.testing.assert_array_equal(one.indices, other.indices)

    def fail(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        apsp.tight_predecessors(graph, progress=fail)


def test_many_paths():
    # 2**500 paths.
    length = 500
    n = 3 * length + 1
    starts = 3 * np.arange(length)
    tails = np.concatenate([starts, starts, starts + 1, starts + 2])
    heads = np.concatenate([starts + 1, starts + 2, starts + 3, starts + 3])
    graph = scipy.sparse.coo_array((np.ones(len(tails)), (tails, heads)), shape=(n, n))
    lists = apsp.tight_predecessors(graph, indices=0)[1]
    first = [path.tolist() for path in itertools.islice(apsp.shortest_paths(lists, -1), 4)]
    assert [path[1] for path in first] == [1, 2, 1, 2]
    assert [path[3] for path in first] == [4, 4, 5, 5]
    assert all(len(path) == 2 * length + 1 and path[5:] == first[0][5:] for path in first)
    assert sum(1 for _ in apsp.shortest_paths(lists, 30)) == 2**10


def test_refused():
    with pytest.raises(ValueError, match="out of range"):
        apsp.tight_predecessors(DIAMOND, indices=4)
    with pytest.raises(ValueError, match="limit"):
        apsp.tight_predecessors(DIAMOND, limit=-1)
    lists = apsp.tight_predecessors(DIAMOND, indices=0)[1]
    with pytest.raises(ValueError, match="expected a vertex from -4 to 3, got 4"):
        apsp.shortest_paths(lists, 4)
    with pytest.raises(
        TypeError, match="predecessors of one source from tight_predecessors, got an object of type list"
    ):
        apsp.shortest_paths([lists], 0)

    def walk(indices):
        given = apsp.PredecessorLists(0, np.array([0, 0, 2, 3, 3]), np.array(indices, np.int32))
        return [path.tolist() for path in apsp.shortest_paths(given, 1)]

    assert walk([0, 2, 0]) == [[0, 1], [0, 2, 1]]
    for wrong, words in (
        ([2, 0, 1], "cycle"),
        ([0, 9, 0], "out of range"),
        ([0, -1, 0], "out of range"),
        ([0, 3, 0], "lead to 0, got some that end at 3"),
    ):
        with pytest.raises(ValueError, match=words):
            walk(wrong)

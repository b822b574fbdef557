# SPDX-License-Identifier: BSL-1.0
"""Reachability, and best paths over other semirings, against plain NumPy."""

import numpy as np
import pytest
from scipy.sparse import csgraph
from test_csgraph import POLICIES, TYPES, layouts, random_graph

import apsp

OPERATIONS = {
    "max_min": (np.maximum, np.minimum),
    "min_max": (np.minimum, np.maximum),
    "max_times": (np.maximum, np.multiply),
}


def values_of(semiring, dtype=np.float64):
    """The values of the empty path and of no path."""
    if semiring == "max_times":
        return 1, 0
    largest = apsp.unreachable(dtype)
    least = -np.inf if np.dtype(dtype).kind == "f" else np.iinfo(dtype).min
    return (largest, least) if semiring == "max_min" else (least, largest)


def closure_over(semiring, weights, directed=True, dtype=np.float64):
    """All values of best paths; 0 is no arc."""
    plus, times = OPERATIONS[semiring]
    empty, no_path = values_of(semiring, dtype)
    found = np.full(weights.shape, no_path, dtype)
    found[weights != 0] = weights[weights != 0]
    if not directed:
        found = plus(found, found.T)
    np.fill_diagonal(found, empty)
    for k in range(len(found)):
        found = plus(found, times(found[:, k, None], found[None, k, :]))
    return found


def weights_for(semiring, n, density, seed):
    weights = random_graph(n, density, seed)
    # Powers of two, so that products are exact.
    return np.where(weights == 0, 0, 0.5 ** (weights % 4)) if semiring == "max_times" else weights


@pytest.mark.parametrize("semiring", OPERATIONS)
@pytest.mark.parametrize("n, density", [(0, 1), (1, 1), (7, 0.3), (50, 0.05), (50, 0.7)])
def test_all_layouts(semiring, n, density):
    weights = weights_for(semiring, n, density, seed=n)
    for directed in (True, False):
        expected = closure_over(semiring, weights, directed)
        for graph in layouts(weights):
            # One layout has integers.
            if (n == 0 and isinstance(graph, list)) or getattr(graph, "dtype", None) == np.int16:
                continue
            found = apsp.shortest_path(graph, directed=directed, semiring=semiring)
            np.testing.assert_array_equal(found, expected)
            found = apsp.shortest_path(graph, directed=directed, semiring=semiring, indices=range(0, n, 2))
            np.testing.assert_array_equal(found, expected[::2])


@pytest.mark.parametrize("semiring", OPERATIONS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_types_policies_and_predecessors(semiring, dtype, policy):
    weights = weights_for(semiring, 40, 0.1, seed=3)
    if semiring == "max_times" and np.dtype(dtype).kind == "i":
        with pytest.raises(TypeError, match="float64 or float32"):
            apsp.shortest_path(weights, semiring=semiring, dtype=dtype)
        return
    expected = closure_over(semiring, weights, dtype=dtype)
    no_path = values_of(semiring, dtype)[1]
    for indices in (None, [3, 5, 3]):
        found, predecessors = apsp.shortest_path(
            weights, semiring=semiring, dtype=dtype, policy=policy, indices=indices, return_predecessors=True
        )
        assert found.dtype == dtype and predecessors.dtype == np.int32
        sources = range(40) if indices is None else indices
        np.testing.assert_array_equal(found, expected[list(sources)])
        for row, source in enumerate(sources):
            for v in range(40):
                u = predecessors[row, v]
                if v == source or found[row, v] == no_path:
                    assert u == -9999
                else:
                    times = OPERATIONS[semiring][1]
                    assert weights[u, v] != 0 and found[row, v] == times(found[row, u], weights[u, v])


@pytest.mark.parametrize("n, density", [(0, 1), (1, 1), (7, 0.3), (90, 0.012), (90, 0.7)])
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_closure(n, density, policy):
    weights = random_graph(n, density, seed=n)
    for directed in (True, False):
        expected = np.isfinite(csgraph.dijkstra(weights, directed=directed)) if n else np.empty((0, 0), bool)
        for graph in layouts(weights):
            if n == 0 and isinstance(graph, list):
                continue
            found = apsp.transitive_closure(graph, directed, policy=policy)
            assert found.dtype == bool
            np.testing.assert_array_equal(found, expected)
    out = np.empty((n, n), bool)
    assert apsp.transitive_closure(weights, out=out) is out


def test_refused():
    graph = random_graph(10, 0.5, seed=1)
    with pytest.raises(ValueError, match="expected a semiring"):
        apsp.shortest_path(graph, semiring="plus_times")
    with pytest.raises(ValueError, match="'auto'"):
        apsp.shortest_path(graph, "BF", semiring="max_min")
    with pytest.raises(ValueError, match="targets"):
        apsp.shortest_path(graph, targets=1, semiring="max_min")
    with pytest.raises(ValueError, match="admit"):
        apsp.shortest_path(graph, semiring="max_times")
    with pytest.raises(ValueError, match="shape"):
        apsp.transitive_closure(graph, out=np.empty((10, 10), np.int8))

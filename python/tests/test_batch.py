# SPDX-License-Identifier: BSL-1.0
"""Many graphs in one call, against SciPy's distances of each."""

import pickle

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph
from test_csgraph import POLICIES, layouts, random_graph

import apsp

TYPES = (np.float64, np.float32, np.int64, np.int32, np.int16, np.int8, np.uint8)
SIZES = (3, 1, 17, 30, 0, 9)


def graphs_of(seed, high=6):
    return [random_graph(n, 0.15, seed + n, high=high) for n in SIZES]


def padded(graphs, n, fill, padding, **options):
    """The distances that SciPy computes, in one array."""
    expected = np.full((len(graphs), n, n), padding, float)
    for entries, graph in zip(expected, graphs):
        k = len(graph)
        if k:
            distances = csgraph.dijkstra(graph, **options)
            entries[:k, :k] = np.where(np.isinf(distances), fill, distances)
    return expected


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
@pytest.mark.parametrize("unweighted", [False, True])
def test_types_and_policies(dtype, policy, unweighted):
    graphs = graphs_of(seed=1)
    for fill, padding in ((100, None), (120, 0)):
        found = apsp.batch(graphs, unweighted=unweighted, fill=fill, padding=padding, dtype=dtype, policy=policy)
        assert found.dtype == dtype and not apsp.last_result().saturated
        expected = padded(graphs, 30, fill, fill if padding is None else padding, unweighted=unweighted)
        np.testing.assert_array_equal(found, expected)


def test_layouts_and_directions():
    graphs = graphs_of(seed=3)
    for directed in (True, False):
        expected = padded(graphs, 32, -1, -1, directed=directed)
        as_sparse = [scipy.sparse.csr_array(graph) for graph in graphs]
        for given in (graphs, as_sparse, tuple(as_sparse), [graphs[0], *as_sparse[1:]]):
            found = apsp.batch(given, directed=directed, fill=-1, max_nodes=32)
            np.testing.assert_array_equal(found, expected)
        for layout in layouts(graphs[2]):
            np.testing.assert_array_equal(apsp.batch([layout], directed=directed, fill=-1)[0], expected[2, :17, :17])


def test_stacked_arrays():
    stack = np.stack([random_graph(20, 0.1, seed) for seed in range(8)])
    for directed in (True, False):
        expected = np.stack([csgraph.dijkstra(graph, directed=directed) for graph in stack])
        for given in (stack, stack.astype(np.int32), np.ma.masked_equal(stack, 0), np.where(stack == 0, np.nan, stack)):
            np.testing.assert_array_equal(apsp.batch(given, directed=directed), expected)
    out = np.empty((8, 20, 20), np.float32)
    assert apsp.batch(stack, dtype=np.float32, out=out) is out
    np.testing.assert_array_equal(apsp.batch(stack, limit=50, fill=-1) == -1, csgraph_within(stack, 50))
    assert apsp.batch([]).shape == (0, 0, 0)
    assert apsp.batch([], max_nodes=4).shape == (0, 4, 4)
    assert apsp.batch(np.empty((2, 0, 0))).shape == (2, 0, 0)


def csgraph_within(stack, limit):
    return np.stack([np.isinf(csgraph.dijkstra(graph, limit=limit)) for graph in stack])


def test_distances_that_do_not_fit():
    path = np.diag([1] * 19, 1)
    found = apsp.batch([path], fill=5, dtype=np.uint8)
    assert apsp.last_result().saturated
    np.testing.assert_array_equal(found[0, 0], [0, 1, 2, 3, 4] + [5] * 15)
    apsp.batch([path], fill=5, limit=4, dtype=np.uint8)
    assert not apsp.last_result().saturated


def test_refused():
    graph = random_graph(5, 0.5, seed=1)
    with pytest.raises(ValueError, match="max_nodes of 5 or more"):
        apsp.batch([graph], max_nodes=4)
    with pytest.raises(ValueError, match="fill that uint8 holds, got -1"):
        apsp.batch([graph], fill=-1, dtype=np.uint8)
    with pytest.raises(ValueError, match="padding that int8 holds, got 0.5"):
        apsp.batch([graph], padding=0.5, dtype=np.int8)
    with pytest.raises(TypeError, match="int8, uint8"):
        apsp.batch([graph], dtype=np.complex64)
    with pytest.raises(ValueError, match=r"\(B, N, N\)"):
        apsp.batch(graph)
    with pytest.raises(apsp.NegativeCycleError, match="detected in graph 1: ") as raised:
        apsp.batch([graph, np.array([[0, -1], [-1, 0]])])
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.cycle == raised.value.cycle

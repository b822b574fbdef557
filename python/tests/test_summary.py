# SPDX-License-Identifier: BSL-1.0
"""Summaries and histograms against those of SciPy's distances."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph
from test_csgraph import POLICIES, TYPES, layouts, random_graph

import apsp


def check(summary, distances, sources):
    """Compare a summary with the rows of distances from the sources."""
    n = distances.shape[1]
    assert summary.num_vertices == n
    np.testing.assert_array_equal(summary.sources, sources)
    others = distances.copy()
    others[np.arange(len(sources)), sources] = np.inf
    reached = np.isfinite(others)
    np.testing.assert_array_equal(summary.num_reached, reached.sum(axis=1))
    np.testing.assert_allclose(summary.sum, np.where(reached, others, 0).sum(axis=1))
    np.testing.assert_allclose(summary.inverse_sum, (1 / others).sum(axis=1))
    eccentricity = np.where(np.isfinite(distances), distances, 0).max(axis=1, initial=0)
    np.testing.assert_array_equal(summary.eccentricity, eccentricity)
    for row, v, largest in zip(distances, summary.farthest, eccentricity):
        assert v == np.flatnonzero(row == largest)[0]
    assert summary.all_reached == np.isfinite(distances).all()
    assert summary.num_pairs == reached.sum()
    if len(sources) == 0:
        return
    assert summary.radius == eccentricity.min()
    pair = summary.diameter
    assert pair.distance == eccentricity.max() == distances[list(sources).index(pair.source), pair.target]
    if summary.num_pairs:
        assert summary.mean_distance == pytest.approx(others[reached].mean())


@pytest.mark.parametrize("n, density", [(1, 1), (2, 0.5), (7, 0.3), (40, 0.05), (60, 0.6)])
def test_summaries_of_all_layouts(n, density):
    weights = random_graph(n, density, seed=n)
    for directed in (True, False):
        for unweighted in (False, True):
            expected = csgraph.dijkstra(weights, directed=directed, unweighted=unweighted)
            for graph in layouts(weights):
                check(apsp.summarize(graph, directed, unweighted), expected, np.arange(n))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_types_and_policies(policy, dtype):
    weights = random_graph(60, 0.08, seed=3)
    summary = apsp.summarize(weights, policy=policy, dtype=dtype)
    check(summary, csgraph.dijkstra(weights), np.arange(60))
    assert summary.eccentricity.dtype == dtype
    assert summary.sum.dtype == (np.int64 if np.dtype(dtype).kind == "i" else np.float64)
    assert apsp.last_result().executed_on in {"seq", "omp", "cuda_tiled"}


def test_sources_and_limit():
    weights = random_graph(50, 0.1, seed=5)
    everything = csgraph.dijkstra(weights, limit=60)
    for indices in ([3, 1, 1], [], 7, -1, [[1, 2], [3, 4]]):
        sources = np.asarray(indices, int).ravel() % 50
        summary = apsp.summarize(weights, indices=indices, limit=60)
        check(summary, everything[sources], sources)
        found = apsp.eccentricity(weights, indices=indices, limit=60)
        assert found.shape == np.shape(indices)
        np.testing.assert_array_equal(np.ravel(found), summary.eccentricity)
    with pytest.raises(ValueError, match="one source or more"):
        apsp.summarize(weights, indices=[]).radius  # noqa: B018
    assert apsp.summarize(np.empty((0, 0))).num_pairs == 0
    with pytest.raises(ValueError, match="limit"):
        apsp.summarize(weights, limit=-1)


def test_closeness_and_harmonic():
    weights = random_graph(50, 0.05, seed=7)
    distances = csgraph.dijkstra(weights)
    np.fill_diagonal(distances, np.inf)
    reached = np.isfinite(distances).sum(axis=1)
    sums = np.where(np.isfinite(distances), distances, 0).sum(axis=1)
    plain = np.array([r / s if s else 0 for r, s in zip(reached, sums)])
    np.testing.assert_allclose(apsp.closeness(weights, wf_improved=False), plain)
    np.testing.assert_allclose(apsp.closeness(weights), plain * reached / 49)
    np.testing.assert_allclose(apsp.closeness(weights, dtype=np.int32), plain * reached / 49)
    np.testing.assert_allclose(apsp.harmonic(weights), (1 / distances).sum(axis=1))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_histograms_are_those_of_numpy(policy, dtype):
    weights = random_graph(60, 0.05, seed=9)
    for graph in (weights, scipy.sparse.csr_array(weights)):
        distances = csgraph.dijkstra(weights)[~np.eye(60, dtype=bool)]
        largest = int(distances[np.isfinite(distances)].max())
        for bins in ([0, largest], [0, 10, 20, 50, 100, 101, largest], range(30, 90, 5)):
            found = apsp.histogram(graph, bins, policy=policy, dtype=dtype)
            expected, _ = np.histogram(distances, list(bins))
            np.testing.assert_array_equal(found.counts, expected)
            np.testing.assert_array_equal(found.edges, list(bins))
            assert found.edges.dtype == dtype
            assert found.unreachable == np.isinf(distances).sum()
            assert found.below == (distances < bins[0]).sum()
            assert found.counts.sum() + found.below + found.above + found.unreachable == len(distances)


def test_refused():
    graph = random_graph(10, 0.5, seed=11)
    with pytest.raises(ValueError, match="one dimension"):
        apsp.histogram(graph, 10)
    with pytest.raises(ValueError, match="ascending"):
        apsp.histogram(graph, [2, 1])
    with pytest.raises(ValueError, match="edges of bins that int32 holds"):
        apsp.histogram(graph, [0, 0.5], dtype=np.int32)
    with pytest.raises(apsp.NegativeCycleError):
        apsp.summarize([[0, -1], [-1, 0]])
    huge = 2**62
    with pytest.raises(OverflowError, match="dtype=float64"):
        apsp.summarize([[0, huge, huge], [0, 0, 0], [0, 0, 0]], dtype=np.int64)

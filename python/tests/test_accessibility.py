# SPDX-License-Identifier: BSL-1.0
"""Sums of amounts by distance, against those of SciPy's distances."""

import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from scipy.sparse import csgraph
from test_csgraph import POLICIES, TYPES, layouts, random_graph

import apsp

# Decays, and the shares of an array of distances.
DECAYS = {
    "within": (apsp.within(70), lambda d: d <= 70),
    "within any": (apsp.within(np.inf), lambda d: np.isfinite(d)),
    "exponential": (apsp.exponential(0.03), lambda d: np.exp(-0.03 * d)),
    "exponential of rate 0": (apsp.exponential(0), lambda d: np.isfinite(d)),
    "power": (apsp.power(1.5, nearest=10), lambda d: np.maximum(d, 10) ** -1.5),
    "power without a nearest": (apsp.power(1), lambda d: np.where(d > 0, 1 / np.where(d > 0, d, 1), 0)),
    "linear": (apsp.linear(90), lambda d: np.maximum(1 - d / 90, 0)),
    "gaussian": (apsp.gaussian(40), lambda d: np.exp(-(d**2) / (2 * 40**2))),
    "function": (lambda d: 1 / (1 + d), lambda d: 1 / (1 + d)),
}


def expected_sums(distances, amounts, shares_at):
    """Rows of infinite distances add nothing."""
    shares = np.where(np.isfinite(distances), shares_at(np.where(np.isfinite(distances), distances, np.inf)), 0)
    return shares @ amounts


@pytest.mark.parametrize("name", DECAYS)
def test_decays_of_all_types(name):
    weights = random_graph(60, 0.06, seed=1)
    random = np.random.default_rng(2)
    amounts = random.normal(size=60)
    decay, shares_at = DECAYS[name]
    distances = csgraph.dijkstra(weights)
    for dtype in TYPES:
        for graph in (weights, apsp.Hierarchy(weights, dtype=dtype)):
            found = apsp.accessibility(graph, amounts, decay, dtype=dtype)
            assert found.dtype == np.float64 and found.shape == (60,)
            np.testing.assert_allclose(found, expected_sums(distances, amounts, shares_at), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_policies(policy, dtype):
    weights = random_graph(80, 0.05, seed=3)
    amounts = np.random.default_rng(4).random((80, 3))
    distances = csgraph.dijkstra(weights)
    for graph in (weights, apsp.Hierarchy(weights, dtype=dtype)):
        for decay, shares_at in DECAYS.values():
            found = apsp.accessibility(graph, amounts, decay, policy=policy, dtype=dtype)
            np.testing.assert_allclose(found, expected_sums(distances, amounts, shares_at), rtol=1e-6, atol=1e-6)
            assert apsp.last_result().executed_on in {"seq", "omp", "cuda_tiled"}
        several = apsp.accessibility(graph, amounts, apsp.within([120, 0, 60.5]), policy=policy, dtype=dtype)
        assert several.shape == (80, 3, 3)
        for i, cutoff in enumerate((120, 0, 60.5)):
            np.testing.assert_allclose(several[:, :, i], (distances <= cutoff) @ amounts)


@pytest.mark.parametrize("n, density", [(0, 1), (1, 1), (7, 0.3), (50, 0.08), (50, 0.7)])
def test_all_layouts(n, density):
    weights = random_graph(n, density, seed=n)
    amounts = np.arange(n)
    for directed in (True, False):
        for unweighted in (False, True):
            distances = np.empty((0, 0))
            if n:
                distances = csgraph.dijkstra(weights, directed=directed, unweighted=unweighted)
            for graph in layouts(weights):
                if n == 0 and isinstance(graph, list):
                    continue
                for cutoff in (2, 80):
                    found = apsp.accessibility(graph, amounts, apsp.within(cutoff), directed, unweighted)
                    np.testing.assert_array_equal(found, (distances <= cutoff) @ amounts)


def test_shapes_of_sources_and_amounts():
    weights = random_graph(40, 0.1, seed=5)
    random = np.random.default_rng(6)
    everything = csgraph.dijkstra(weights)
    for indices in (None, 7, -1, [3, 1, 1], [[1, 2], [3, 4]], []):
        rows = everything if indices is None else everything[np.asarray(indices, int)]
        for amounts in (random.random(40), random.random((40, 1)), random.random((40, 4))):
            for cutoff in (50, [50], [10, 50, 20]):
                found = apsp.accessibility(weights, amounts, apsp.within(cutoff), indices=indices)
                near = rows[..., np.newaxis] <= np.ravel(cutoff)
                expected = np.einsum("...tj,tc->...cj", near, amounts.reshape(40, -1))
                shape = rows.shape[:-1] + amounts.shape[1:] + np.shape(cutoff)
                assert found.shape == shape
                np.testing.assert_allclose(found, expected.reshape(shape))


def test_limit_and_out_and_progress(tmp_path):
    weights = random_graph(40, 0.1, seed=7)
    amounts = np.arange(40.0)
    distances = csgraph.dijkstra(weights, limit=60)
    out = np.empty(40)
    reports = []
    for decay, shares_at in DECAYS.values():
        found = apsp.accessibility(
            weights, amounts, decay, limit=60, out=out, progress=lambda done, total: reports.append((done, total))
        )
        assert found is out
        np.testing.assert_allclose(out, expected_sums(distances, amounts, shares_at))
    assert reports[-1] == (40, 40)
    file = tmp_path / "sums.npy"
    apsp.accessibility(weights, amounts, apsp.within(60), out=file)
    np.testing.assert_allclose(np.load(file), (distances <= 60) @ amounts)
    with pytest.raises(ValueError, match=r"shape \(40,\)"):
        apsp.accessibility(weights, amounts, apsp.within(60), out=np.empty(39))
    both = amounts.copy()
    apsp.accessibility(weights, both, apsp.within(60), out=both)
    np.testing.assert_allclose(both, (distances <= 60) @ amounts)


def test_towards_vertices():
    weights = random_graph(40, 0.1, seed=8)
    amounts = np.random.default_rng(9).random(40)
    found = apsp.accessibility(weights.T, amounts, apsp.within(60))
    np.testing.assert_allclose(found, amounts @ (csgraph.dijkstra(weights) <= 60))


def test_large_integers_are_exact():
    far = 2**60 + 1
    path = np.zeros((3, 3), np.int64)
    path[0, 1], path[1, 2] = far, 1
    found = apsp.accessibility(path, [1, 10, 100], apsp.within([far - 1, far, far + 1]), indices=0, dtype=np.int64)
    np.testing.assert_array_equal(found, [1, 11, 111])


def test_negative_weights():
    weights = np.array([[0, 4, 5], [0, 0, 0], [0, -3, 0]])
    distances = csgraph.johnson(weights)
    found = apsp.accessibility(weights, [1, 2, 3], apsp.exponential(0.5))
    np.testing.assert_allclose(found, expected_sums(distances, [1, 2, 3], lambda d: np.exp(-0.5 * d)))
    with pytest.raises(apsp.NegativeCycleError):
        apsp.accessibility([[0, -1], [-1, 0]], [1, 1], apsp.within(1))


@pytest.mark.parametrize("policy", [apsp.seq, apsp.omp(threads=2)], ids=lambda p: p.name)
def test_functions(policy):
    weights = random_graph(80, 0.1, seed=10)
    distances = csgraph.dijkstra(weights)
    inside, kept = [], []

    def shares_at(d):
        inside.append(threading.get_ident())
        assert d.ndim == 1 and d.dtype == np.float32
        kept.append(d)
        d *= 1  # It is the function's own.
        nested = apsp.accessibility([[0, 1], [0, 0]], [1, 1], apsp.within(1))
        return (d <= 50) * nested[0]

    found = apsp.accessibility(weights, np.ones(80), shares_at, policy=policy, dtype=np.float32)
    np.testing.assert_allclose(found, 2 * (distances <= 50).sum(axis=1))
    assert sum(map(len, kept)) == np.isfinite(distances).sum()
    for returned in (lambda d: [0] * len(d), lambda d: np.ones(len(d), bool), lambda d: np.repeat(d, 2)[::2]):
        apsp.accessibility(weights, np.ones(80), returned, policy=policy)

    def fail(d):
        raise KeyError("not today")

    for graph in (weights, apsp.Hierarchy(weights)):
        with pytest.raises(KeyError, match="not today"):
            apsp.accessibility(graph, np.ones(80), fail, policy=policy)
        with pytest.raises(ValueError, match=r"expected a decay that returns an array of shape \(\d+,\).*shape \(1,\)"):
            apsp.accessibility(graph, np.ones(80), lambda d: d[:1], policy=policy)
        with pytest.raises(ValueError, match="finite numbers, got nan for the distance 0.0"):
            apsp.accessibility(graph, np.ones(80), lambda d: np.where(d == 0, np.nan, 1), policy=policy)
        with pytest.raises(TypeError, match="shares of the decay"):
            apsp.accessibility(graph, np.ones(80), lambda d: "near", policy=policy)


def test_an_interrupt_ends_a_call_of_a_function_and_the_process_ends_during_one():
    program = """
import signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np, scipy.sparse, apsp
n = 50000
random = np.random.default_rng(1)
graph = scipy.sparse.csr_array((np.ones(5 * n), random.integers(0, n, (2, 5 * n))), shape=(n, n))
begun = threading.Event()
def shares_at(distances):
    if not begun.is_set():
        print("begun", flush=True)
        begun.set()
    return np.exp(-distances)
try:
    apsp.accessibility(graph, np.ones(n), shares_at)
except KeyboardInterrupt:
    print("interrupted", flush=True)
begun.clear()
def call():
    try:
        apsp.accessibility(graph, np.ones(n), shares_at)
    except RuntimeError:
        pass
threading.Thread(target=call, daemon=True).start()
begun.wait(60)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - begin < 10
        assert process.stdout.readline() == "begun\n"
        assert process.wait(60) == 0


def test_decays_are_values():
    assert apsp.within(5) == apsp.within(5.0) != apsp.within([5])
    assert len({apsp.linear(5), apsp.linear(5), apsp.gaussian(5)}) == 2
    assert pickle.loads(pickle.dumps(apsp.power(2, 1))) == apsp.power(2, nearest=1)
    assert repr(apsp.exponential(0.5)) == "Decay(name='exponential', parameters=(0.5,), is_several=False)"


def test_refused():
    graph = random_graph(10, 0.5, seed=11)
    ones = np.ones(10)
    for amounts in (np.ones(9), np.ones((9, 2)), np.ones((10, 2, 2)), 1, np.ones((10, 0))):
        with pytest.raises(ValueError, match=r"expected amounts of shape \(10,\), or \(10, c\)"):
            apsp.accessibility(graph, amounts, apsp.within(1))
    for wrong in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match=f"expected finite amounts, got {wrong}"):
            apsp.accessibility(graph, [*ones[:9], wrong], apsp.within(1))
    with pytest.raises(ValueError, match="missing or masked"):
        apsp.accessibility(graph, [*ones[:9], None], apsp.within(1))
    with pytest.raises(TypeError, match="expected amounts that are numbers"):
        apsp.accessibility(graph, ["many"] * 10, apsp.within(1))
    for decay in (None, 30, "linear", [1, 2]):
        with pytest.raises(TypeError, match="expected a decay that is made by within"):
            apsp.accessibility(graph, ones, decay)
    with pytest.raises(ValueError, match="limit"):
        apsp.accessibility(graph, ones, apsp.within(1), limit=-1)
    with pytest.raises(ValueError, match="out of range"):
        apsp.accessibility(graph, ones, apsp.within(1), indices=10)
    for make, wrong, match in (
        (apsp.within, -1, "expected a cutoff of 0 or more, got -1"),
        (apsp.within, [1, np.nan], "expected a cutoff of 0 or more, got nan"),
        (apsp.within, [], "expected one cutoff or more, got none"),
        (apsp.within, [[1]], "expected a cutoff, or cutoffs in one dimension, got 2 dimensions"),
        (apsp.exponential, -0.5, "expected a rate of 0 or more, got -0.5"),
        (apsp.exponential, np.inf, "expected a rate that is finite, got inf"),
        (apsp.power, -2, "expected an exponent of 0 or more, got -2"),
        (lambda nearest: apsp.power(1, nearest), -2, "expected a nearest distance of 0 or more, got -2"),
        (apsp.linear, 0, "expected a cutoff above 0, got 0"),
        (apsp.linear, np.inf, "expected a cutoff that is finite, got inf"),
        (apsp.gaussian, np.nan, "expected a deviation above 0, got nan"),
        (apsp.gaussian, 1e-320, "expected a deviation whose inverse is finite, got 1e-320"),
    ):
        with pytest.raises(ValueError, match=match):
            make(wrong)
    for wrong in ("5", None):
        with pytest.raises(TypeError, match="that is a number, got"):
            apsp.linear(wrong)

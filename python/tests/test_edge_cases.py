# SPDX-License-Identifier: BSL-1.0
"""Input that is seldom: other layouts and types, errors, and processes that fork or end."""

import multiprocessing
import pickle
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

import apsp

FUNCTIONS = ("dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path")


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("directed", [True, False])
def test_duplicates_are_parallel_arcs(name, directed):
    graph = scipy.sparse.csr_array(([3.0, 4.0, 1.0], [1, 1, 2], [0, 2, 3, 3]), shape=(3, 3))
    assert not graph.has_canonical_format
    found = getattr(apsp, name)(graph, directed=directed)
    np.testing.assert_array_equal(found, getattr(csgraph, name)(graph, directed=directed))
    small = scipy.sparse.csr_array((np.array([100, 100, 1], np.int8), [1, 1, 2], [0, 2, 3, 3]), shape=(3, 3))
    assert getattr(apsp, name)(small, directed=directed)[0, 2] == 101


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nan_is_no_arc(name):
    graph = scipy.sparse.csr_array(([3.0, np.nan, 1.0, 5.0], [1, 2, 2, 0], [0, 2, 3, 4]), shape=(3, 3))
    np.testing.assert_array_equal(getattr(apsp, name)(graph), getattr(csgraph, name)(graph))


def test_weights_that_are_lost():
    for given in ([[0, 1e39], [0, 0]], scipy.sparse.csr_array([[0, 1e39], [0, 0]])):
        with pytest.raises(ValueError, match="expected weights that float32 holds, got 1e\\+39"):
            apsp.floyd_warshall(given, dtype=np.float32)
    greatest = np.array([[0, 2**63 - 1], [0, 0]], np.int64)
    for given in (greatest, scipy.sparse.csr_array(greatest)):
        with pytest.raises(ValueError, match="expected weights that int64 holds, got 9223372036854775807"):
            apsp.floyd_warshall(given, dtype=np.int64)
    with pytest.raises(ValueError, match="expected weights that int32 holds, got 1.5"):
        apsp.floyd_warshall([[0, 1.5], [0, 0]], dtype=np.int32)


def test_indices_that_would_wrap():
    graph = np.ones((3, 3))
    for wrong in (2**64 - 1, [0, 3], [-4]):
        with pytest.raises(ValueError, match="out of range: expected -3 to 2, got "):
            apsp.dijkstra(graph, indices=wrong)
    targets = np.array([1, 2**32], np.int64)
    csr = scipy.sparse.csr_array(
        (np.ones(2), np.array([1, 0], np.int64), np.array([0, 1, 2, 2], np.int64)), shape=(3, 3)
    )
    csr.indices = targets
    with pytest.raises(ValueError, match="expected column indices from 0 to 2, got 1 to 4294967296"):
        apsp.dijkstra(csr)


def test_masked_arrays_do_not_hide_results():
    graph = np.array([[0.0, 1, 5], [0, 0, 2], [1, 0, 0]])
    masked = np.ma.masked_equal(graph, 5)
    found = apsp.floyd_warshall(masked, overwrite=True)
    assert type(found) is np.ndarray and found[0, 2] == 3
    with pytest.raises(TypeError, match="expected an ndarray .* got MaskedArray"):
        apsp.floyd_warshall(graph, out=np.ma.zeros((3, 3)))
    with pytest.raises(TypeError, match="got list"):
        apsp.floyd_warshall(graph, out=[[0, 0, 0]] * 3)
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix(graph)
    assert type(apsp.floyd_warshall(matrix, overwrite=True)) is np.ndarray


def test_settings_are_checked():
    for settings in ({"threads": "8"}, {"threads": 2.0}, {"device": None}, {"memory_limit": 1e9}):
        with pytest.raises(TypeError, match="expected a whole number as"):
            apsp.omp(**settings)
    with pytest.raises(ValueError, match="expected memory_limit of a policy of 0 or more, got -1"):
        apsp.cuda_tiled(memory_limit=-1)
    with pytest.raises(TypeError, match="expected a function, True or None as progress, got 5"):
        apsp.dijkstra(np.ones((2, 2)), progress=5)


def test_empty_stacks():
    assert apsp.batch(np.zeros((0, 5, 5))).shape == (0, 5, 5)
    assert apsp.batch([]).shape == (0, 0, 0)


def test_errors_can_be_pickled():
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.floyd_warshall([[0, 1], [-2, 0]])
    found = pickle.loads(pickle.dumps(caught.value))
    assert str(found) == str(caught.value) and found.cycle == caught.value.cycle


def _farthest(seed):
    random = np.random.default_rng(seed)
    graph = scipy.sparse.csr_array((random.random(2400) + 0.1, random.integers(0, 600, (2, 2400))), shape=(600, 600))
    return apsp.dijkstra(graph, policy=apsp.omp(threads=2))[0, :10].sum()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_children_of_fork():
    expected = [_farthest(seed) for seed in range(4)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_farthest, range(4)).get(timeout=60) == expected


def test_the_interpreter_ends_during_a_call():
    program = """
import threading, time
import numpy as np, scipy.sparse, apsp
random = np.random.default_rng(1)
n = 20000
graph = scipy.sparse.csr_array((random.random(4 * n), random.integers(0, n, (2, 4 * n))), shape=(n, n))
begun = threading.Event()
def solve():
    while True:
        try:
            for _ in apsp.for_each_row(graph, policy="seq"):
                pass
        except RuntimeError:
            pass  # It is stopped, and begins again.
def watch(done, total):
    begun.set()
threading.Thread(target=lambda: apsp.summarize(graph, policy="seq", progress=watch), daemon=True).start()
for _ in range(3):
    threading.Thread(target=solve, daemon=True).start()
assert begun.wait(60)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr

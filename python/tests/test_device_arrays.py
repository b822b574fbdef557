# SPDX-License-Identifier: BSL-1.0
"""Graphs and results in the memory of a device, as arrays of CuPy, PyTorch and JAX.

Without a device, or without a library, its tests are skipped.
"""

import os

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

import apsp
from apsp import _device, _graph

# JAX would take most of the memory of the device.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

TYPES = (np.float32, np.float64, np.int32, np.int64)


def has_device():
    try:
        apsp.floyd_warshall(np.ones((2, 2)), policy=apsp.cuda_tiled(required=True))
    except apsp.DeviceError:
        return False
    return True


on_device = pytest.mark.skipif(not has_device(), reason="no CUDA device")


class OfCupy:
    name = "cupy"

    def __init__(self):
        self.module = pytest.importorskip("cupy")

    def put(self, array):
        return self.module.asarray(array)

    def get(self, array):
        assert type(array).__module__.startswith("cupy")
        return self.module.asnumpy(array)


class OfTorch:
    name = "torch"

    def __init__(self):
        self.module = pytest.importorskip("torch")
        if not self.module.cuda.is_available():
            pytest.skip("PyTorch without CUDA")

    def put(self, array):
        return self.module.as_tensor(np.ascontiguousarray(array), device="cuda")

    def get(self, array):
        assert isinstance(array, self.module.Tensor)
        return array.cpu().numpy()


class OfJax:
    name = "jax"

    def __init__(self):
        jax = pytest.importorskip("jax")
        jax.config.update("jax_enable_x64", True)
        if jax.default_backend() != "gpu":
            pytest.skip("JAX without CUDA")
        self.module = jax.numpy

    def put(self, array):
        return self.module.asarray(array)

    def get(self, array):
        assert type(array).__module__.startswith("jax")
        return np.asarray(array)


@pytest.fixture(params=[OfCupy, OfTorch, OfJax], ids=lambda made: made.name)
def library(request):
    return request.param()


def random_graph(n, density, seed, low=1):
    """Whole weights in a dense matrix; 0 is no arc."""
    random = np.random.default_rng(seed)
    weights = random.integers(low, 100, (n, n)).astype(float)
    weights[random.random((n, n)) >= density] = 0
    return weights


def as_floats(distances):
    result = distances.astype(float)
    result[distances == apsp.unreachable(distances.dtype)] = np.inf
    return result


def check_paths(weights, distances, predecessors, sources):
    for row, source in enumerate(sources):
        for v in range(len(weights)):
            before = predecessors[row, v]
            if v == source or np.isinf(distances[row, v]):
                assert before == -9999
            else:
                assert weights[before, v] != 0
                assert distances[row, before] + weights[before, v] == distances[row, v]


@on_device
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("n", [1, 2, 65, 300])
def test_dense_graphs(library, kind, n):
    weights = random_graph(n, 0.1 if n > 10 else 0.7, seed=n)
    given = library.put(weights.astype(kind))
    expected = csgraph.floyd_warshall(weights)
    for name in ("floyd_warshall", "shortest_path", "johnson", "bellman_ford", "dijkstra"):
        found = library.get(getattr(apsp, name)(given))
        assert found.dtype == kind
        np.testing.assert_array_equal(as_floats(found), expected, err_msg=f"{name}, seed {n}")
        assert apsp.last_result().executed_on == "cuda_tiled"
    # The graph is as it was.
    np.testing.assert_array_equal(library.get(given), weights.astype(kind))


@on_device
def test_rules_for_arcs(library):
    weights = random_graph(90, 0.1, seed=1).astype(np.float32)
    expected = csgraph.floyd_warshall(weights)
    no_arc = weights == 0
    for value in (np.inf, np.nan):
        given = library.put(np.where(no_arc, np.float32(value), weights))
        np.testing.assert_array_equal(library.get(apsp.floyd_warshall(given)), expected)
    given = library.put(weights)
    np.testing.assert_array_equal(
        library.get(apsp.floyd_warshall(given, directed=False)), csgraph.floyd_warshall(weights, directed=False)
    )
    np.testing.assert_array_equal(
        library.get(apsp.floyd_warshall(given, unweighted=True)), csgraph.floyd_warshall(weights, unweighted=True)
    )
    transposed = library.put(np.ascontiguousarray(weights.T)).T
    np.testing.assert_array_equal(library.get(apsp.floyd_warshall(transposed)), expected)
    wide = apsp.floyd_warshall(given, dtype=np.int64)
    np.testing.assert_array_equal(as_floats(library.get(wide)), expected)
    with pytest.raises(ValueError, match="expected weights that int32 holds"):
        apsp.floyd_warshall(library.put(weights / 3), dtype=np.int32)


@on_device
@pytest.mark.parametrize("name", ["floyd_warshall", "dijkstra", "bellman_ford", "johnson"])
def test_predecessors(library, name):
    weights = random_graph(120, 0.05, seed=2)
    given = library.put(weights.astype(np.float32))
    if name == "floyd_warshall":
        sources = np.arange(120)
        distances, predecessors = apsp.floyd_warshall(given, return_predecessors=True)
    else:
        sources = np.array([5, -1, 7])
        distances, predecessors = getattr(apsp, name)(given, indices=sources, return_predecessors=True)
    distances, predecessors = library.get(distances), library.get(predecessors)
    expected = csgraph.shortest_path(weights, indices=sources % 120)
    np.testing.assert_array_equal(distances, expected)
    check_paths(weights, distances, predecessors, sources % 120)


@on_device
def test_sources(library):
    weights = random_graph(200, 0.05, seed=3).astype(np.float32)
    given = library.put(weights)
    expected = csgraph.floyd_warshall(weights)
    for indices in (4, [1, 199], [[3], [4]], []):
        found = library.get(apsp.shortest_path(given, indices=indices))
        np.testing.assert_array_equal(found, expected[np.asarray(indices, int)])
    near = library.get(apsp.dijkstra(given, indices=[0, 9], limit=30))
    np.testing.assert_array_equal(near, csgraph.dijkstra(weights, indices=[0, 9], limit=30))


@on_device
def test_negative_weights(library):
    weights = random_graph(80, 0.1, seed=4, low=50)
    weights[3, 4] = -20
    weights[4, 3] = 0
    given = library.put(weights.astype(np.float32))
    expected = csgraph.johnson(weights)
    np.testing.assert_array_equal(library.get(apsp.johnson(given)), expected)
    with pytest.warns(UserWarning, match="negative weights"):
        np.testing.assert_array_equal(library.get(apsp.dijkstra(given)), expected)
    weights[4, 3] = 19
    with pytest.raises(apsp.NegativeCycleError) as error:
        apsp.floyd_warshall(library.put(weights))
    assert sorted(error.value.cycle) == [3, 4]


@on_device
def test_out(library):
    weights = random_graph(150, 0.1, seed=5).astype(np.float32)
    given = library.put(weights)
    if library.name == "jax":
        with pytest.raises(TypeError, match="cannot be written to"):
            apsp.floyd_warshall(given, out=library.put(weights))
        return
    out = library.put(np.zeros_like(weights))
    assert apsp.floyd_warshall(given, out=out) is out
    np.testing.assert_array_equal(library.get(out), csgraph.floyd_warshall(weights))
    # In place.
    assert apsp.floyd_warshall(given, out=given) is given
    np.testing.assert_array_equal(library.get(given), csgraph.floyd_warshall(weights))
    for wrong in (library.put(np.zeros((150, 149), np.float32)), library.put(np.zeros((150, 150)))):
        with pytest.raises(ValueError, match="expected a C-contiguous out of shape"):
            apsp.floyd_warshall(library.put(weights), out=wrong)
    with pytest.raises(ValueError, match="in host memory"):
        apsp.floyd_warshall(given, out=np.zeros_like(weights))


@on_device
def test_what_is_refused(library):
    given = library.put(np.ones((4, 4), np.float32))
    for policy in (apsp.omp, "seq"):
        with pytest.raises(TypeError, match="expected a policy of a device"):
            apsp.floyd_warshall(given, policy=policy)
    with pytest.raises(TypeError, match="expected a graph in host memory"):
        apsp.summarize(given)
    with pytest.raises(ValueError, match="must be shape"):
        apsp.floyd_warshall(library.put(np.ones((3, 4), np.float32)))


@on_device
def test_the_stream_of_the_caller():
    torch = pytest.importorskip("torch")
    weights = random_graph(700, 0.05, seed=6).astype(np.float32)
    expected = csgraph.floyd_warshall(weights)
    host = torch.as_tensor(weights).pin_memory()
    for _ in range(5):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(20_000_000)  # The graph is not there yet when the call begins.
            given = host.to("cuda", non_blocking=True)
            distances = apsp.floyd_warshall(given)
            found = (distances + 1).cpu().numpy()
        np.testing.assert_array_equal(found, expected + 1)
    # A stream that is named.
    stream = torch.cuda.Stream()
    given = host.to("cuda")
    torch.cuda.synchronize()
    distances = apsp.floyd_warshall(given, policy=apsp.cuda_tiled(stream=stream.cuda_stream))
    stream.synchronize()
    np.testing.assert_array_equal(distances.cpu().numpy(), expected)


@on_device
def test_sparse_matrices_of_cupy():
    cupy = pytest.importorskip("cupy")
    sparse = pytest.importorskip("cupyx.scipy.sparse")
    weights = random_graph(400, 0.02, seed=7).astype(np.float32)
    csr = scipy.sparse.csr_array(weights)
    given = sparse.csr_matrix((cupy.asarray(csr.data), cupy.asarray(csr.indices), cupy.asarray(csr.indptr)), csr.shape)
    for directed in (True, False):
        expected = csgraph.dijkstra(csr, directed=directed)
        for name in ("dijkstra", "shortest_path", "floyd_warshall"):
            found = getattr(apsp, name)(given, directed=directed)
            np.testing.assert_array_equal(cupy.asnumpy(found), expected)
    some = apsp.dijkstra(given, indices=[3, 9], unweighted=True)
    np.testing.assert_array_equal(cupy.asnumpy(some), csgraph.dijkstra(csr, indices=[3, 9], unweighted=True))


@on_device
def test_nothing_passes_through_the_host():
    torch = pytest.importorskip("torch")
    n = 4000
    random = np.random.default_rng(8)
    given = torch.as_tensor(random.random((n, n), np.float32), device="cuda")
    apsp.floyd_warshall(given)
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        apsp.floyd_warshall(given)
        torch.cuda.synchronize()
    names = [event.name for event in profile.events()]
    assert any("product_kernel" in name for name in names), names
    copies = [name for name in names if "HtoD" in name or "DtoH" in name]
    # Facts about the matrix, such as whether a weight is negative.
    assert len(copies) <= 8, copies


class Fake:
    """An array on a device that cannot be reached."""

    shape = (3, 3)
    dtype = np.dtype(np.float32)

    def __dlpack_device__(self):
        return 2, 0


def test_host_policies_refuse_arrays_on_a_device():
    for name in ("floyd_warshall", "shortest_path", "dijkstra", "bellman_ford", "johnson"):
        with pytest.raises(TypeError, match="expected a policy of a device, such as cuda_tiled, .* got omp"):
            getattr(apsp, name)(Fake(), policy=apsp.omp)
    with pytest.raises(TypeError, match="expected a graph in host memory"):
        apsp.summarize(Fake())
    with pytest.raises(TypeError, match="expected a graph in host memory"):
        apsp.dijkstra(Fake(), targets=[0])


# The functions of NumPy are those of CuPy, so that what prepares graphs can be compared with that for host memory.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of casts of NaN
@pytest.mark.parametrize("given_kind", ["f4", "f8", "f2", "i4", "i8", "u8", "i2", "?"])
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_weights_are_those_of_the_host(given_kind, kind, directed):
    library = _device._Library("numpy", np, 0)
    given = random_graph(60, 0.2, seed=9).astype(given_kind)
    if given.dtype.kind == "f":
        given[3, 4], given[5, 6] = np.nan, np.inf
    for unweighted in (True, False):
        found = _device._dense_weights(library, given, directed, unweighted, np.dtype(kind))
        expected = _graph._dense_weights(given, directed, unweighted, np.dtype(kind))
        assert found.dtype == kind
        np.testing.assert_array_equal(found, expected, err_msg="seed 9")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of casts of NaN
@pytest.mark.parametrize("given_kind", ["f4", "f8", "?"])  # those of CuPy's sparse matrices
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_sparse_weights_are_those_of_the_host(given_kind, kind, directed):
    library = _device._Library("numpy", np, 0)
    given = scipy.sparse.csr_array(random_graph(60, 0.2, seed=10)).astype(given_kind)
    if given_kind != "?":
        given.data[[3, 50, 51]] = np.nan, np.inf, 0
    for unweighted in (True, False):
        weights, offsets, targets = _device._sparse_weights(library, given, directed, unweighted, np.dtype(kind))
        expected = _graph.graph_of(given, directed, unweighted, np.dtype(kind))
        assert weights.dtype == kind and offsets.dtype == targets.dtype == np.int32
        np.testing.assert_array_equal(offsets, expected.offsets, err_msg="seed 10")
        np.testing.assert_array_equal(targets, expected.targets, err_msg="seed 10")
        np.testing.assert_array_equal(weights, expected.weights, err_msg="seed 10")


def test_weights_that_are_lost():
    library = _device._Library("numpy", np, 0)
    for value, given_kind, kind in (
        (2**40 + 5, np.int64, np.int32),
        (2**63 + 5, np.uint64, np.int64),
        (1.5, np.float64, np.int64),
        (2**31 - 1, np.int64, np.int32),
        (1e30, np.float32, np.int64),
    ):
        given = np.array([[0, value], [0, 0]], given_kind)
        with np.errstate(invalid="ignore"), pytest.raises(ValueError, match="expected weights that int"):
            _device._dense_weights(library, given, True, False, np.dtype(kind))
    for value, kind in ((1e39, np.float32), (1e-50, np.float32)):
        for make, given in (
            (_device._dense_weights, np.array([[0, value], [0, 0]])),
            (_device._sparse_weights, scipy.sparse.csr_array([[0, value], [0, 0]])),
        ):
            with np.errstate(over="ignore", under="ignore"), pytest.raises(ValueError, match="weights that float32"):
                make(library, given, True, False, np.dtype(kind))
            with np.errstate(over="ignore", under="ignore"):
                made = make(library, given, True, True, np.dtype(kind))
            assert 1 in (made if isinstance(made, np.ndarray) else made[0])
    lowest = np.array([[0, -np.inf], [1, 0]], np.float32)
    for directed, unweighted, kind in ((False, False, np.float32), (True, True, np.float32), (True, False, np.int64)):
        for make, given in (
            (_device._dense_weights, lowest), (_device._sparse_weights, scipy.sparse.csr_array(lowest)),
        ):  # fmt: skip
            with pytest.raises(ValueError, match="expected weights above minus infinity"):
                make(library, given, directed, unweighted, np.dtype(kind))
    # The library refuses it.
    assert _device._dense_weights(library, lowest, True, False, np.dtype(np.float32))[0, 1] == -np.inf
    with pytest.raises(TypeError, match="complex"):
        _device._dense_weights(library, np.ones((2, 2), complex), True, False, np.dtype(np.float64))

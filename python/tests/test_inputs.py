# SPDX-License-Identifier: BSL-1.0
"""Numbers that are read exactly or refused, and what messages say of them. Expected values are computed by hand."""

import decimal
import fractions
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

import apsp

FUNCTIONS = ("dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path")
WIDE = 2**53 + 1  # no double


def frames_of_wide_integers():
    """The weight of 0 -> 1 is WIDE."""
    pandas = pytest.importorskip("pandas")
    yield pandas.DataFrame({"a": pandas.array([0, 0], "Int64"), "b": pandas.array([WIDE, 0], "Int64")})
    yield pandas.DataFrame({"a": pandas.array([0, None], "Int64"), "b": pandas.array([WIDE, 0], "Int64")})
    yield pandas.DataFrame({"a": [0, 0], "b": pandas.array([WIDE, 0], "Int64")})
    yield pandas.DataFrame({"a": [0.0, 3.0], "b": pandas.array([WIDE, 0], "Int64")})
    yield pandas.DataFrame({"a": [0.0, 3.0], "b": [WIDE, 0]})
    yield pandas.DataFrame({"a": pandas.array([None, None], "Float64"), "b": pandas.array([WIDE, None], "Int64")})
    yield pandas.DataFrame({"a": [None, None], "b": np.array([WIDE, 0], np.uint64)})


def polars_of_wide_integers():
    polars = pytest.importorskip("polars")
    yield polars.DataFrame({"a": [0, None], "b": [WIDE, 0]})
    yield polars.DataFrame({"a": [0.0, 2.0], "b": [WIDE, 0]})


def tables_of_wide_integers():
    arrow = pytest.importorskip("pyarrow")
    yield arrow.table({"a": [0, None], "b": [WIDE, 0]})
    yield arrow.table({"a": [0.0, 2.0], "b": [WIDE, 0]})
    yield arrow.record_batch({"a": [0, None], "b": [WIDE, None]})


def lists_of_wide_integers():
    yield [[0, WIDE], [0, 0]]
    yield [[None, WIDE], [None, None]]
    yield [[0.0, WIDE], [3.0, 0]]
    yield [[float("inf"), WIDE], [float("nan"), 0]]
    yield [np.array([0, WIDE]), np.array([0.0, 0.0])]
    yield np.array([[0, WIDE], [0, 0]], object)
    yield np.array([[None, np.int64(WIDE)], [np.float64(2), np.nan]], object)
    yield np.array([[0, decimal.Decimal(WIDE)], [fractions.Fraction(4, 2), True]], object)
    yield np.array([[0, WIDE], [0, 0]], np.uint64)
    yield np.ma.array([[5, WIDE], [5, 5]], mask=[[1, 0], [1, 1]])
    yield np.ma.array(np.array([["hidden", WIDE], ["hidden", 5]], object), mask=[[1, 0], [1, 1]])


@pytest.mark.parametrize(
    "graphs",
    [lists_of_wide_integers, frames_of_wide_integers, polars_of_wide_integers, tables_of_wide_integers],
    ids=["lists", "pandas", "polars", "Arrow"],
)
def test_integers_of_64_bits_are_exact(graphs):
    for i, graph in enumerate(graphs()):
        for name in FUNCTIONS:
            found = getattr(apsp, name)(graph, dtype=np.int64)
            assert found[0, 1] == WIDE, (i, name)
        assert apsp.distance_table(graph, [0], [1], dtype=np.int64)[0, 0] == WIDE, i
        assert apsp.batch([graph], dtype=np.int64)[0, 0, 1] == WIDE, i
        assert apsp.summarize(graph, dtype=np.int64).sum[0] == WIDE, i
        assert apsp.histogram(graph, [0, WIDE - 1, WIDE], dtype=np.int64).counts[1] == 1, i
        # To the nearest double, as integers are converted everywhere.
        assert apsp.dijkstra(graph)[0, 1] == 2**53, i
        np.testing.assert_array_equal(apsp.dijkstra(graph, unweighted=True, dtype=np.int32)[0], [0, 1])


def test_a_limit_of_64_bits_is_exact():
    path = np.diag(np.array([WIDE, 1]), 1)
    within = lambda limit: apsp.distances_within(path, limit, dtype=np.int64)[[0]].nnz  # noqa: E731
    for limit in (WIDE, np.int64(WIDE), np.uint64(WIDE), decimal.Decimal(WIDE), WIDE + 0.0 + 2):
        assert apsp.dijkstra(path, dtype=np.int64, limit=limit)[0, 1] == WIDE
        assert apsp.distance_table(path, [0], [1], dtype=np.int64, limit=limit)[0, 0] == WIDE
        assert apsp.summarize(path, dtype=np.int64, limit=limit).num_reached[0] >= 1
        assert within(limit) >= 2
    far = apsp.unreachable(np.int64)
    for limit in (WIDE - 1, np.int64(WIDE - 1), float(WIDE - 1), fractions.Fraction(2 * WIDE - 1, 2)):
        assert apsp.dijkstra(path, dtype=np.int64, limit=limit)[0, 1] == far
        assert apsp.distance_table(path, [0], [1], dtype=np.int64, limit=limit)[0, 0] == far
        assert apsp.summarize(path, dtype=np.int64, limit=limit).num_reached[0] == 0
        assert within(limit) == 1
    for limit in (2**63, 2**64, 10**400, np.inf):
        for dtype in (np.int64, np.int32, np.float64):
            assert apsp.dijkstra([[0, 7], [0, 0]], dtype=dtype, limit=limit)[0, 1] == 7
    for wrong in ("7", None, b"7"):
        with pytest.raises(TypeError, match="expected a limit that is a number, got"):
            apsp.dijkstra(path, limit=wrong)
    for wrong in (-1, -0.5, float("nan"), -(10**400)):
        with pytest.raises(ValueError, match="expected a limit of 0 or more, got"):
            apsp.dijkstra(path, limit=wrong)


def graphs_with(value):
    """Graphs with an arc 0 -> 1 of that weight."""
    yield [[0, value], [0, 0]]
    yield np.array([[0, value], [0, 0]])
    yield np.asfortranarray([[0, value], [0, 0]])
    yield np.array([[None, value], [None, None]], object)
    yield np.ma.array([[9.0, value], [9, 9]], mask=[[1, 0], [1, 1]])
    for form in ("csr", "csc", "coo", "bsr", "lil"):
        yield scipy.sparse.coo_array(([value], ([0], [1])), shape=(2, 2)).asformat(form)


def callers(dtype=None):
    for name in FUNCTIONS:
        yield lambda graph, name=name: getattr(apsp, name)(graph, dtype=dtype)
    yield lambda graph: apsp.distance_table(graph, [0], [1], dtype=dtype)
    yield lambda graph: apsp.distances_within(graph, 1, dtype=dtype)
    yield lambda graph: apsp.batch([graph], dtype=dtype)
    yield lambda graph: apsp.summarize(graph, dtype=dtype)
    yield lambda graph: apsp.for_each_row(graph, dtype=dtype)


@pytest.mark.parametrize(
    "value, dtype, message",
    [
        (-np.inf, np.float64, "expected weights above minus infinity, got -inf"),
        (-np.inf, np.float32, "expected weights above minus infinity, got -inf"),
        (-np.inf, np.int64, "got -inf"),
        (1e-50, np.float32, "expected weights that float32 holds, got 1e-50"),
        (-1e-50, np.float32, "expected weights that float32 holds, got -1e-50"),
        (1e39, np.float32, r"expected weights that float32 holds, got 1e\+39"),
        (1e-50, np.int32, "expected weights that int32 holds, got 1e-50"),
        (0.5, np.int64, "expected weights that int64 holds, got 0.5"),
        (2.0**31, np.int32, "expected weights that int32 holds, got 2147483648"),
        (2**31 - 1, np.int32, "expected weights that int32 holds, got 2147483647"),
        (2.0**63, np.int64, "expected weights that int64 holds, got 9"),
        (2**63, np.int64, "expected weights that int64 holds, got 9"),
        (-(2**31) - 1, np.int32, "expected weights that int32 holds, got -2147483649"),
    ],
)
def test_weights_that_are_refused(value, dtype, message):
    for graph in graphs_with(value):
        for call in callers(dtype):
            with pytest.raises(ValueError, match=message):
                call(graph)
    if value == -np.inf:
        # It is refused even if weights do not count.
        for graph in graphs_with(value):
            for call in (apsp.transitive_closure, lambda graph: apsp.dijkstra(graph, unweighted=True)):
                with pytest.raises(ValueError, match="got -inf"):
                    call(graph)


def test_weights_that_do_not_count_are_not_refused():
    for value in (0.5, 1e-50, 1e300):
        for graph in graphs_with(value):
            np.testing.assert_array_equal(apsp.dijkstra(graph, unweighted=True, dtype=np.int32)[0], [0, 1])
            assert apsp.transitive_closure(graph)[0, 1]
    # Hidden entries are none.
    hidden = np.ma.array(
        [[-np.inf, 3, 1e300], [0.5, 0.5, 4], [2**40, 1e-50, np.nan]], mask=[[1, 0, 1], [1, 1, 0], [1, 1, 1]]
    )
    for dtype in (np.float32, np.int32, np.int64):
        np.testing.assert_array_equal(apsp.floyd_warshall(hidden, dtype=dtype)[0], [0, 3, 7])


def test_small_and_large_numbers_in_objects():
    for value in (decimal.Decimal("1e-400"), fractions.Fraction(1, 10**400)):
        with pytest.raises(ValueError, match="expected weights that float64 holds"):
            apsp.dijkstra(np.array([[0, value], [0, 0]], object))
    for value in (10**400, -(10**400)):
        with pytest.raises(ValueError, match="expected weights that float64 holds, got a larger integer"):
            apsp.dijkstra([[0, value], [0, 0]])
        with pytest.raises(ValueError, match="expected weights that int64 holds, got -?1000"):
            apsp.dijkstra([[0, value], [0, 0]], dtype=np.int64)
    assert apsp.dijkstra([[0, 2**70], [0, 0]])[0, 1] == 2.0**70
    assert apsp.dijkstra(np.array([[0, np.longdouble(2**63 - 3)], [0, 0]]), dtype=np.int64)[0, 1] == 2**63 - 3
    assert apsp.dijkstra(np.array([[0, decimal.Decimal("0.5")], [0, 0]], object))[0, 1] == 0.5
    assert apsp.dijkstra(np.array([[0, 5e-324], [0, 0]]))[0, 1] == 5e-324


@pytest.mark.parametrize(
    "graph, message",
    [
        ([["0", "1"], ["1", "0"]], "expected weights that are numbers, got <U1"),
        (np.array([[0, "1"], [1, 0]], object), "expected weights that are numbers, got one of type str"),
        (np.array([[0, 1], [1, 0]], "m8[s]"), "expected weights that are numbers, got timedelta64"),
        ([[0, 1j], [1, 0]], "expected real weights, got complex ones"),
        (np.array([[0, 1j], [None, 0]], object), "expected real weights, got complex ones"),
        (scipy.sparse.csr_array(np.array([[0, 1j], [1, 0]])), "expected real weights, got complex ones"),
    ],
)
def test_what_is_no_number(graph, message):
    for call in callers():
        with pytest.raises(TypeError, match=message):
            call(graph)


def test_shapes():
    for graph, message in (
        (np.ones((2, 3)), r"graph must be shape \(N, N\), got \(2, 3\)"),
        ([[0, 1], [2]], "expected weights that form an array, got a list"),
        (scipy.sparse.csr_array((2, 3)), r"must be shape \(N, N\), got \(2, 3\)"),
        (scipy.sparse.coo_array(np.ones(4)), r"must be shape \(N, N\), got \(4,\)"),
    ):
        for call in callers():
            with pytest.raises(ValueError, match=message):
                call(graph)


def csr_of(offsets, targets, weights, form="csr"):
    """A matrix whose arrays SciPy does not check."""
    made = scipy.sparse.csr_array((3, 3)).asformat(form)
    made.indptr, made.indices, made.data = np.array(offsets), np.array(targets), np.array(weights, float)
    return made


@pytest.mark.parametrize(
    "offsets, targets, message",
    [
        ([0, 1, 2], [1, 2], "expected an indptr of 4 entries, got 3"),
        ([1, 1, 2, 2], [1, 2], "expected an indptr that begins with 0, got 1"),
        ([0, 2, 1, 2], [1, 2], "expected an indptr that does not fall, got 1 after 2"),
        ([0, 1, 2, 3], [1, 2], "expected an indptr that ends with 2 or less, the number of entries, got 3"),
        ([0, 1, 2, 2], [1, 3], "indices from 0 to 2, got 1 to 3"),
        ([0, 1, 2, 2], [1, -1], "indices from 0 to 2, got -1 to 1"),
        ([0, 1, 2, 2], [1, 2**32], "indices from 0 to 2, got 1 to 4294967296"),
    ],
)
def test_damaged_sparse_matrices(offsets, targets, message):
    for form in ("csr", "csc"):
        graph = csr_of(offsets, targets, [1.0] * len(targets), form)
        for directed in (True, False):
            for name in FUNCTIONS:
                with pytest.raises(ValueError, match=message):
                    getattr(apsp, name)(graph, directed=directed)
            for call in (
                lambda: apsp.batch([graph], directed=directed),
                lambda: apsp.transitive_closure(graph, directed),
                lambda: apsp.summarize(graph, directed),
            ):
                with pytest.raises(ValueError, match=message):
                    call()
    coo = scipy.sparse.coo_array(([1.0], ([0], [1])), shape=(3, 3))
    coo.coords = (np.array([5]), np.array([1]))
    with pytest.raises(ValueError, match="expected row indices from 0 to 2, got 5 to 5"):
        apsp.dijkstra(coo)


def test_entries_that_are_no_arcs_are_none_everywhere():
    for value in (np.nan, np.inf):
        sparse = scipy.sparse.csr_array(([value, 3.0], ([0, 1], [1, 2])), shape=(3, 3))
        dense = np.array([[0, value, 0], [0, 0, 3], [0, 0, 0]])
        for graph in (sparse, dense):
            for directed in (True, False):
                for unweighted in (True, False):
                    for dtype in (np.float64, np.int32):
                        found = apsp.dijkstra(graph, directed, unweighted=unweighted, dtype=dtype)
                        assert found[0, 1] == apsp.unreachable(dtype) and found[1, 2] == (1 if unweighted else 3)
                assert apsp.transitive_closure(graph, directed).sum() == (4 if directed else 5)


def test_duplicates_of_small_integers_are_added_without_wrapping():
    for kind in (np.int8, np.uint8, np.int16, np.int32):
        weights = np.array([np.iinfo(kind).max] * 2, kind)
        graph = scipy.sparse.coo_array((weights, ([0, 0], [1, 1])), shape=(2, 2))
        for name in FUNCTIONS:
            assert getattr(apsp, name)(graph)[0, 1] == 2.0 * np.iinfo(kind).max


def test_a_negative_self_loop_is_a_negative_cycle():
    for graph in (np.array([[-1.0, 2], [0, 0]]), scipy.sparse.csr_array([[-1.0, 2], [0, 0]])):
        for name in ("bellman_ford", "johnson", "floyd_warshall", "shortest_path"):
            with pytest.raises(apsp.NegativeCycleError) as caught:
                getattr(apsp, name)(graph)
            assert caught.value.cycle == [0]


def test_fill_values_of_pydata():
    sparse = pytest.importorskip("sparse")
    dense = np.array([[7, 1, 5], [7, 7, 2], [1, 7, 7.0]])
    for value in (7, -np.inf):
        graph = sparse.COO.from_numpy(np.where(dense == 7, value, dense), fill_value=value)
        with pytest.raises(ValueError, match="expected a sparse graph with the fill value 0, infinity or NaN, got "):
            apsp.dijkstra(graph)
    with pytest.raises(ValueError, match=r"must be shape \(N, N\), got \(2, 2, 2\)"):
        apsp.dijkstra(sparse.COO.from_numpy(np.ones((2, 2, 2))))


def test_indices():
    graph = np.diag([2.0, 3, 4], 1)
    expected = csgraph.dijkstra(graph)
    for indices in (
        [0.0, 2.0],
        np.float32(3),
        np.array([[1.0], [-1]]),
        np.array([0, 2], object),
        np.array([2], np.uint64),
    ):
        chosen = np.asarray(indices).astype(int)
        for name in ("dijkstra", "bellman_ford", "johnson", "shortest_path"):
            np.testing.assert_array_equal(getattr(apsp, name)(graph, indices=indices), expected[chosen])
        np.testing.assert_array_equal(apsp.eccentricity(graph, indices=indices), np.array([9, 7, 4, 0])[chosen])
        found = apsp.distance_table(graph, indices, indices)
        np.testing.assert_array_equal(found, expected[chosen][..., chosen])
    for indices, error, message in (
        ([0, 1.5], ValueError, "expected indices that int64 holds, got 1.5"),
        ([np.nan], ValueError, "expected indices that int64 holds, got nan"),
        ([np.inf], ValueError, "out of range: expected -4 to 3, got inf"),
        ([2**70], ValueError, "expected indices that int64 holds, got 1180591620717411303424"),
        ([True, False], TypeError, "expected indices that are numbers of vertices, got bool"),
        ([0, None], TypeError, "expected indices that are numbers of vertices, got a masked or missing one"),
        (np.ma.array([0, 1], mask=[0, 1]), TypeError, "got a masked or missing one"),
        ("1", TypeError, "expected indices that are numbers, got <U1"),
        ([1j], TypeError, "expected real indices"),
    ):
        for call in (
            lambda: apsp.dijkstra(graph, indices=indices),
            lambda: apsp.summarize(graph, indices=indices),
            lambda: apsp.distance_table(graph, [0], indices),
        ):
            with pytest.raises(error, match=message):
                call()


def test_the_library_chooses_for_indices():
    side = 40
    path = scipy.sparse.diags_array([np.ones(side - 1)] * 2, offsets=[-1, 1])
    eye = scipy.sparse.eye_array(side)
    grid = scipy.sparse.csr_array(scipy.sparse.kron(eye, path) + scipy.sparse.kron(path, eye))
    random = np.random.default_rng(1)
    grid.data = random.integers(1, 100, grid.nnz).astype(float)
    n = side * side
    equal = scipy.sparse.csr_array((np.full(4 * n, 3.0), random.integers(0, n, (2, 4 * n))), shape=(n, n))
    equal.data[:] = 3
    for graph, algorithm in ((grid, "elimination"), (equal, "breadth_first_search")):
        apsp.shortest_path(graph, policy=apsp.seq)
        every = apsp.last_result().algorithm
        for indices in (np.arange(n), np.arange(n)[::-1]):
            found, predecessors = apsp.shortest_path(graph, indices=indices, return_predecessors=True, policy=apsp.seq)
            assert apsp.last_result().algorithm == every == algorithm
            np.testing.assert_array_equal(found[::400], csgraph.dijkstra(graph, indices=indices[::400]))
            assert ((predecessors >= 0) == (np.isfinite(found) & (indices[:, None] != np.arange(n)))).all()
    dense = np.random.default_rng(2).integers(1, 9, (50, 50)).astype(float)
    found = apsp.shortest_path(dense, indices=range(50))
    assert apsp.last_result().algorithm == "floyd_warshall"
    np.testing.assert_array_equal(found, csgraph.dijkstra(dense))
    negative = np.array([[0, 4, 5], [0, 0, 0], [0, -3, 0.0]])
    np.testing.assert_array_equal(apsp.shortest_path(negative, indices=[0, 0]), [[0, 2, 5]] * 2)
    with pytest.raises(apsp.NegativeCycleError):
        apsp.shortest_path([[0, 1, 0], [0, 0, -1], [0, -1, 0]], indices=[0])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda g: apsp.batch([g], fill=np.inf, dtype=np.int8), "expected a fill that int8 holds, got inf"),
        (lambda g: apsp.batch([g], padding=-np.inf, dtype=np.int64), "expected a padding that int64 holds, got -inf"),
        (lambda g: apsp.batch([g], fill=300, dtype=np.uint8), "expected a fill that uint8 holds, got 300"),
        (lambda g: apsp.batch([g], fill=10**400), "expected a fill that float64 holds"),
        (lambda g: apsp.batch([g], fill=1e-50, dtype=np.float32), "expected a fill that float32 holds, got 1e-50"),
        (lambda g: apsp.batch([g], fill=np.nan), "expected a fill that is one number, got nan"),
        (lambda g: apsp.batch([g], fill=[1, 2]), r"expected a fill that is one number, got \[1, 2\]"),
        (lambda g: apsp.batch([g], max_nodes=-1), "expected max_nodes of 0 or more, got -1"),
        (lambda g: apsp.batch([g], max_nodes=2**70), "expected max_nodes of 9223372036854775807 or less, got 118"),
        (lambda g: apsp.for_each_row(g, num_ahead=0), "expected num_ahead of 1 or more, got 0"),
        (lambda g: apsp.for_each_row(g, num_ahead=2**70), "expected num_ahead of 9223372036854775807 or less"),
        (lambda g: apsp.omp(threads=2**40), "expected threads of a policy of 2147483647 or less, got 1099511627776"),
        (lambda g: apsp.cuda_tiled(device=2**31), "expected device of a policy of 2147483647 or less"),
        (lambda g: apsp.cuda_tiled(memory_limit=2**64), "expected memory_limit of a policy of 18446744073709551615 or"),
        (lambda g: apsp.cuda_tiled(stream=2**64), "expected stream of a policy of 18446744073709551615 or less"),
        (
            lambda g: apsp.histogram(g, [0, 1e-50], dtype=np.float32),
            "expected edges of bins that float32 holds, got 1e-50",
        ),
        (
            lambda g: apsp.histogram(g, [0, None]),
            "expected edges of bins that are numbers, got a missing or masked one",
        ),
    ],
)
def test_numbers_out_of_range(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.ones((2, 2)))


def test_numbers_that_are_not_whole():
    for call in (
        lambda: apsp.batch([np.ones((2, 2))], max_nodes=3.5),
        lambda: apsp.for_each_row(np.ones((2, 2)), num_ahead=1.0),
        lambda: apsp.omp(threads="8"),
    ):
        with pytest.raises(TypeError, match="expected a whole number as "):
            call()
    np.testing.assert_array_equal(
        apsp.batch([np.ones((1, 1))], fill=np.int64(-1), max_nodes=np.int8(2))[0], [[0, -1], [-1, -1]]
    )


def test_a_call_in_a_daemon_thread_at_exit_is_quiet():
    program = """
import threading
import numpy as np, scipy.sparse, apsp
random = np.random.default_rng(1)
n = 20000
graph = scipy.sparse.csr_array((random.random(4 * n), random.integers(0, n, (2, 4 * n))), shape=(n, n))
begun = threading.Event()
def watch(done, total):
    begun.set()
threading.Thread(target=lambda: apsp.summarize(graph, policy="seq", progress=watch), daemon=True).start()
assert begun.wait(60)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "leak" not in done.stderr, done.stderr

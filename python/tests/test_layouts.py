# SPDX-License-Identifier: BSL-1.0
"""The same graphs in all layouts and types, read by all functions, against a plain computation and SciPy.

APSP_TEST_EXAMPLES is the number of random graphs for each layout. If it is set, they differ from run to run.
"""

import os
import tempfile
from typing import NamedTuple

import numpy as np
import pytest
import scipy
import scipy.sparse
from scipy.sparse import csgraph

import apsp

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import strategies

_folder = tempfile.TemporaryDirectory()
hypothesis.configuration.set_hypothesis_home_dir(_folder.name)
EXAMPLES = os.environ.get("APSP_TEST_EXAMPLES")
SETTINGS = hypothesis.settings(
    max_examples=int(EXAMPLES or 8),
    derandomize=EXAMPLES is None,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)


class Case(NamedTuple):
    """A graph: the weight of each arc (u, v)."""

    n: int
    arcs: dict[tuple[int, int], int]

    def matrix(self, dtype=float, absent=0):
        made = np.full((self.n, self.n), absent, dtype)
        for place, weight in self.arcs.items():
            made[place] = weight
        return made

    def lists(self, absent=0):
        return [[self.arcs.get((u, v), absent) for v in range(self.n)] for u in range(self.n)]

    def triples(self, dtype=float):
        """Weights, tails and heads, in an order of their own."""
        places = sorted(self.arcs, key=lambda place: (3 * place[0] + 5 * place[1]) % 7)
        tails, heads = np.array(places, np.int32).reshape(-1, 2).T
        return np.array([self.arcs[place] for place in places], dtype), tails, heads

    def coo(self, dtype=float):
        weights, tails, heads = self.triples(dtype)
        return scipy.sparse.coo_array((weights, (tails, heads)), shape=(self.n, self.n))

    def csr(self, dtype=float):
        return self.coo(dtype).tocsr()


@strategies.composite
def cases(draw):
    n = draw(strategies.integers(1, 6))
    vertices = strategies.integers(0, n - 1)
    places = strategies.tuples(vertices, vertices)
    return Case(n, draw(strategies.dictionaries(places, strategies.integers(0, 9), max_size=14)))


def distances_of(case, directed, unweighted):
    """The distances by relaxing all pairs through all vertices, in exact numbers."""
    far = float("inf")
    found = [[0 if u == v else far for v in range(case.n)] for u in range(case.n)]
    for (u, v), weight in case.arcs.items():
        length = 1 if unweighted else weight
        found[u][v] = min(found[u][v], length)
        if not directed:
            found[v][u] = min(found[v][u], length)
    for k in range(case.n):
        for u in range(case.n):
            for v in range(case.n):
                found[u][v] = min(found[u][v], found[u][k] + found[k][v])
    return np.array(found, float).reshape(case.n, case.n)


def as_floats(distances):
    found = np.asarray(distances).astype(float)
    found[distances == apsp.unreachable(distances.dtype)] = np.inf
    return found


def check_summary(graph, expected, directed, unweighted, dtype):
    found = apsp.summarize(graph, directed, unweighted, dtype=dtype)
    others = np.where(np.eye(len(expected), dtype=bool), np.inf, expected)
    reached = np.isfinite(others)
    np.testing.assert_array_equal(found.num_reached, reached.sum(axis=1))
    np.testing.assert_array_equal(found.sum, np.where(reached, others, 0).sum(axis=1))
    np.testing.assert_array_equal(
        apsp.eccentricity(graph, directed, unweighted, dtype=dtype),
        np.where(reached, others, 0).max(axis=1, initial=0),
    )
    counted = apsp.histogram(graph, [0, 4, 100], directed, unweighted, dtype=dtype)
    np.testing.assert_array_equal(counted.counts, [(others < 4).sum(), (reached & (others >= 4)).sum()])


def check_all(graph, expected, directed, unweighted, dtype):
    """All functions read the graph, and find these distances."""
    n = len(expected)
    for name in ("shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall"):
        found = getattr(apsp, name)(graph, directed=directed, unweighted=unweighted, dtype=dtype)
        np.testing.assert_array_equal(as_floats(found), expected, err_msg=name)
    found = apsp.shortest_path(graph, "auto", directed, unweighted=unweighted, indices=range(n)[::-1], dtype=dtype)
    np.testing.assert_array_equal(as_floats(found), expected[::-1], err_msg="indices")
    found = apsp.distance_table(graph, range(n), range(n), directed, unweighted, dtype=dtype)
    np.testing.assert_array_equal(as_floats(found), expected, err_msg="distance_table")
    within = apsp.distances_within(graph, 1000, directed, unweighted, dtype=dtype).tocoo()
    found = np.full((n, n), np.inf)
    found[within.row, within.col] = within.data
    np.testing.assert_array_equal(found, expected, err_msg="distances_within")
    found = apsp.batch([graph], directed=directed, unweighted=unweighted, dtype=dtype)[0]
    np.testing.assert_array_equal(as_floats(found), expected, err_msg="batch")
    found = apsp.batch([graph], directed=directed, unweighted=unweighted, dtype=np.int8, fill=-1)[0]
    np.testing.assert_array_equal(np.where(found == -1, np.inf, found), expected, err_msg="batch of int8")
    np.testing.assert_array_equal(apsp.transitive_closure(graph, directed), np.isfinite(expected), err_msg="closure")
    for source, row in apsp.for_each_row(graph, directed, unweighted, dtype=dtype):
        np.testing.assert_array_equal(as_floats(row), expected[source], err_msg="for_each_row")
    if not unweighted:
        check_summary(graph, expected, directed, unweighted, dtype)
        found = apsp.dijkstra(graph, directed, indices=range(n), min_only=True, dtype=dtype)
        np.testing.assert_array_equal(found, np.zeros(n), err_msg="min_only")


def contents(graph):
    """What a call may not change."""
    if isinstance(graph, np.ma.MaskedArray):
        return [graph.data.copy(), graph.mask.copy()]
    if isinstance(graph, np.ndarray):
        return [graph.copy()]
    return [getattr(graph, name).copy() for name in ("data", "indices", "indptr") if hasattr(graph, name)]


OPTIONS = strategies.tuples(
    strategies.booleans(), strategies.booleans(), strategies.sampled_from([np.float64, np.float32, np.int32, np.int64])
)


def check(make, case, options, *, has_zeros, scipy_is_right=True):
    """Check all functions on the graph that `make` makes of the case.

    options : tuple
        Whether the graph is directed, whether it is unweighted, and the type of the distances.
    has_zeros : bool
        The layout distinguishes arcs of weight 0 from none.
    """
    directed, unweighted, dtype = options
    read = case if has_zeros else Case(case.n, {place: w for place, w in case.arcs.items() if w != 0})
    graph = make(case)
    before = contents(graph)
    expected = distances_of(read, directed, unweighted)
    # Earlier versions read zeros within blocks, for instance, as arcs.
    if scipy_is_right and tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 18):
        theirs = csgraph.dijkstra(make(case), directed=directed, unweighted=unweighted)
        np.testing.assert_array_equal(theirs, expected, err_msg="SciPy")
    check_all(graph, expected, directed, unweighted, dtype)
    for old, new in zip(before, contents(graph), strict=True):
        np.testing.assert_array_equal(old, new, err_msg="the caller's arrays")


def mapped(matrix):
    path = os.path.join(_folder.name, "graph")
    made = np.memmap(path, matrix.dtype, "w+", shape=matrix.shape)
    made[:] = matrix
    made.flush()
    made = np.memmap(path, matrix.dtype, "r", shape=matrix.shape)
    os.unlink(path)
    return made


def read_only(matrix):
    matrix.flags.writeable = False
    return matrix


ORDERS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "transposed": lambda m: m.T.copy().T,
    "strided": lambda m: np.repeat(np.repeat(m, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda m: m[::-1, ::-1].copy()[::-1, ::-1],
    "unaligned": lambda m: np.frombuffer(b"x" + m.tobytes(), np.uint8)[1:].view(m.dtype).reshape(m.shape),
    "mapped": mapped,
    "read-only": read_only,
    "big-endian": lambda m: m.astype(m.dtype.newbyteorder(">")),
    "big-endian F": lambda m: np.asfortranarray(m.astype(m.dtype.newbyteorder(">"))),
    "masked": lambda m: np.ma.array(m, mask=m == 0),
    "objects": lambda m: m.astype(object),
}
KINDS = "?bBhHiIqQefdg"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", ORDERS)
def test_dense_arrays(order, kind):
    @SETTINGS
    @hypothesis.given(cases(), OPTIONS)
    def run(case, options):
        if kind == "?":
            case = Case(case.n, {place: min(w, 1) for place, w in case.arcs.items()})
        graph = lambda c: ORDERS[order](c.matrix(kind))  # noqa: E731
        check(graph, case, options, has_zeros=False, scipy_is_right=order != "objects")

    run()


def masked_zeros(case):
    mask = case.matrix(absent=-1) < 0
    # What is hidden does not count.
    return np.ma.array(np.where(mask, np.array([[3]]), case.matrix()), mask=mask)


def masked_objects(case):
    made = np.ma.array(case.matrix(object, absent="hidden"), mask=case.matrix(absent=-1) < 0)
    return made


# name: how it is made, whether it has zeros, whether SciPy reads it as it should
DENSE = {
    "lists": (Case.lists, False, True),
    "tuples": (lambda c: tuple(map(tuple, c.lists())), False, True),
    "lists of arrays": (lambda c: list(c.matrix()), False, True),
    "lists with None": (lambda c: c.lists(None), False, False),
    "lists with NaN": (lambda c: c.lists(float("nan")), False, True),
    "lists with infinity": (lambda c: c.lists(float("inf")), False, True),
    "infinite": (lambda c: c.matrix(absent=np.inf), False, True),
    "NaN": (lambda c: c.matrix(np.float32, absent=np.nan), False, True),
    "objects with None": (lambda c: np.array(c.lists(None), object).reshape(c.n, c.n), False, False),
    "masked zeros": (masked_zeros, True, True),
    "masked zeros, F": (lambda c: masked_zeros(c).copy(order="F"), True, True),
    "masked integers": (lambda c: np.ma.array(c.matrix("i2", 7), mask=c.matrix(absent=-1) < 0), True, True),
    "masked objects": (masked_objects, True, False),
    "masked nothing": (lambda c: np.ma.array(c.matrix(absent=np.inf)), True, False),
}


@pytest.mark.parametrize("name", DENSE)
def test_other_dense_layouts(name):
    make, has_zeros, scipy_is_right = DENSE[name]

    @SETTINGS
    @hypothesis.given(cases(), OPTIONS)
    def run(case, options):
        check(make, case, options, has_zeros=has_zeros, scipy_is_right=scipy_is_right)

    run()


def _columns(case, absent):
    return {f"v{v}": [case.arcs.get((u, v), absent) for u in range(case.n)] for v in range(case.n)}


def _of_pandas(case, kind, absent=None):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({name: pandas.array(column, kind) for name, column in _columns(case, absent).items()})


def _mixed_of_pandas(case):
    pandas = pytest.importorskip("pandas")
    kinds = ("Int64", "float64", "Float32", "int16")
    return pandas.DataFrame(
        {name: pandas.array(column, kinds[i % 4]) for i, (name, column) in enumerate(_columns(case, 0).items())}
    )


def _of_polars(case, kind, absent=None):
    polars = pytest.importorskip("polars")
    columns = _columns(case, absent)
    return polars.DataFrame(
        {name: polars.Series(column, dtype=getattr(polars, kind)) for name, column in columns.items()}
    )


def _of_arrow(case, kind, absent=None):
    arrow = pytest.importorskip("pyarrow")
    columns = _columns(case, absent)
    return arrow.table({name: arrow.array(column, getattr(arrow, kind)()) for name, column in columns.items()})


FRAMES = {
    "pandas int64": lambda c: _of_pandas(c, "int64", 0),
    "pandas Int64": lambda c: _of_pandas(c, "Int64"),
    "pandas UInt8": lambda c: _of_pandas(c, "UInt8"),
    "pandas Float64": lambda c: _of_pandas(c, "Float64"),
    "pandas float32": lambda c: _of_pandas(c, "float32", np.nan),
    "pandas object": lambda c: _of_pandas(c, "object"),
    "pandas mixed": _mixed_of_pandas,
    "polars Int64": lambda c: _of_polars(c, "Int64"),
    "polars UInt16": lambda c: _of_polars(c, "UInt16", 0),
    "polars Float32": lambda c: _of_polars(c, "Float32"),
    "Arrow int64": lambda c: _of_arrow(c, "int64"),
    "Arrow int8": lambda c: _of_arrow(c, "int8", 0),
    "Arrow float64": lambda c: _of_arrow(c, "float64"),
}


@pytest.mark.parametrize("name", FRAMES)
def test_frames(name):
    @SETTINGS
    @hypothesis.given(cases(), OPTIONS)
    def run(case, options):
        check(FRAMES[name], case, options, has_zeros=False, scipy_is_right=False)

    run()


def _parallel(case, dtype=float):
    """Every arc once more, and heavier, in compressed rows."""
    weights, tails, heads = case.triples(dtype)
    tails, heads, weights = np.tile(tails, 2), np.tile(heads, 2), np.concatenate([weights, weights + 1])
    order = np.argsort(tails, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=case.n))]).astype(np.int32)
    return scipy.sparse.csr_array((weights[order], heads[order], offsets), shape=(case.n, case.n))


def _unsorted(case):
    made = case.csr()
    for u in range(case.n):
        row = slice(made.indptr[u], made.indptr[u + 1])
        made.indices[row], made.data[row] = made.indices[row][::-1].copy(), made.data[row][::-1].copy()
    made.has_sorted_indices = False
    return made


def _summed(case):
    """A COO matrix whose duplicates add up to the weights."""
    weights, tails, heads = case.triples()
    parts = (np.concatenate([weights - 1, np.ones(len(weights))]), (np.tile(tails, 2), np.tile(heads, 2)))
    return scipy.sparse.coo_array(parts, shape=(case.n, case.n))


def _with_slack(made):
    made.data = np.append(made.data, [made.data.dtype.type(5)] * 2)
    made.indices = np.append(made.indices, [0, 0]).astype(made.indices.dtype)
    return made


def _wide(made):
    made.indices, made.indptr = made.indices.astype(np.int64), made.indptr.astype(np.int64)
    return made


def _with_entries(case, value):
    """With more entries, which are no arcs."""
    made = case.matrix(absent=-1)
    made[made < 0] = value
    tails, heads = np.indices(made.shape).reshape(2, -1)
    return scipy.sparse.coo_array((made.ravel(), (tails, heads)), shape=made.shape).tocsr()


def _big_endian(made):
    made.data = made.data.astype(made.data.dtype.newbyteorder(">"))
    return made


def _big_endian_indices(made):
    made.indices, made.indptr = made.indices.astype(">i4"), made.indptr.astype(">i4")
    return made


def _frozen(made):
    for part in (made.data, made.indices, made.indptr):
        part.flags.writeable = False
    return made


def _dia(case):
    return scipy.sparse.dia_array(case.matrix())


def _bsr(case, size):
    return scipy.sparse.bsr_array(case.matrix(), blocksize=(size, size) if case.n % size == 0 else (1, 1))


def _dok(case):
    made = scipy.sparse.dok_array((case.n, case.n))
    for place, weight in case.arcs.items():
        made[place] = weight
    return made


SPARSE = {
    "csr": (Case.csr, True, True),
    "csr_matrix": (lambda c: scipy.sparse.csr_matrix(c.csr()), True, True),
    "csc": (lambda c: c.coo().tocsc(), True, True),
    "csc_matrix": (lambda c: scipy.sparse.csc_matrix(c.coo()), True, True),
    "coo": (Case.coo, True, True),
    "coo_matrix": (lambda c: scipy.sparse.coo_matrix(c.coo()), True, True),
    "coo with duplicates": (_summed, True, True),
    "lil": (lambda c: c.csr().tolil(), True, True),
    "lil_matrix": (lambda c: scipy.sparse.lil_matrix(c.csr()), True, True),
    "dok": (_dok, False, True),
    "dok with zeros": (lambda c: c.csr().todok(), True, True),
    "dia": (_dia, False, True),
    "dia_matrix": (lambda c: scipy.sparse.dia_matrix(c.matrix()), False, True),
    "bsr of 1": (lambda c: _bsr(c, 1), False, True),
    "bsr of 2": (lambda c: _bsr(c, 2), False, True),
    "bsr_matrix of 3": (lambda c: scipy.sparse.bsr_matrix(_bsr(c, 3)), False, True),
    "parallel arcs": (_parallel, True, True),
    "parallel arcs, csc": (lambda c: _parallel(c).T, True, True),
    "unsorted": (_unsorted, True, True),
    "int64 indices": (lambda c: _wide(c.csr()), True, True),
    "int64 indices, csc": (lambda c: _wide(c.csr().tocsc()), True, True),
    "slack": (lambda c: _with_slack(c.csr()), True, True),
    "slack, csc": (lambda c: _with_slack(c.csr().tocsc()), True, True),
    "NaN": (lambda c: _with_entries(c, np.nan), True, False),
    "infinity": (lambda c: _with_entries(c, np.inf), True, False),
    "big-endian": (lambda c: _big_endian(c.csr()), True, True),
    "big-endian, csc": (lambda c: _big_endian(c.csr().tocsc()), True, False),
    "big-endian, coo": (lambda c: _big_endian(c.coo()), True, False),
    "big-endian indices": (lambda c: _big_endian_indices(c.csr()), True, False),
    "read-only": (lambda c: _frozen(c.csr()), True, True),
    "read-only, csc": (lambda c: _frozen(c.csr().tocsc()), True, True),
}


@pytest.mark.parametrize("name", SPARSE)
def test_sparse_layouts(name):
    make, has_zeros, scipy_is_right = SPARSE[name]

    @SETTINGS
    @hypothesis.given(cases(), OPTIONS)
    def run(case, options):
        check(make, case, options, has_zeros=has_zeros, scipy_is_right=scipy_is_right)

    run()


@pytest.mark.parametrize("kind", "?bBhHiIqQfdg")
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr"])
def test_types_of_sparse_arrays(form, kind):
    @SETTINGS
    @hypothesis.given(cases(), OPTIONS)
    def run(case, options):
        if kind == "?":
            case = Case(case.n, {place: min(w, 1) for place, w in case.arcs.items()})
        check(lambda c: c.coo(kind).asformat(form), case, options, has_zeros=form != "bsr")

    run()


def _pydata():
    return pytest.importorskip("sparse")


PYDATA = {
    "COO": (lambda c: _pydata().COO.from_numpy(c.matrix()), False),
    "COO of integers": (lambda c: _pydata().COO.from_numpy(c.matrix("i2")), False),
    "COO, infinity": (lambda c: _pydata().COO.from_numpy(c.matrix(absent=np.inf), fill_value=np.inf), True),
    "COO, NaN": (lambda c: _pydata().COO.from_numpy(c.matrix(absent=np.nan), fill_value=np.nan), True),
    "GCXS by rows": (lambda c: _pydata().GCXS.from_numpy(c.matrix(), compressed_axes=(0,)), False),
    "GCXS by columns": (lambda c: _pydata().GCXS.from_numpy(c.matrix(), compressed_axes=(1,)), False),
    "DOK": (lambda c: _pydata().DOK.from_numpy(c.matrix()), False),
}


@pytest.mark.parametrize("name", PYDATA)
def test_arrays_of_pydata(name):
    make, has_zeros = PYDATA[name]
    is_read_by_scipy = name != "DOK"

    @SETTINGS
    @hypothesis.given(cases(), OPTIONS)
    def run(case, options):
        check(make, case, options, has_zeros=has_zeros, scipy_is_right=is_read_by_scipy)

    run()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [name for name in ORDERS if name != "objects"])
def test_stacks(order, kind):
    @SETTINGS
    @hypothesis.given(strategies.lists(cases(), min_size=1, max_size=4))
    def run(stack):
        n = max(case.n for case in stack)
        high = 1 if kind == "?" else 9
        stack = [Case(n, {place: min(w, high) for place, w in case.arcs.items() if w}) for case in stack]
        matrices = np.stack([case.matrix(kind) for case in stack])
        if order == "strided":
            given = np.repeat(matrices, 2, axis=2)[:, :, ::2]
        else:
            given = ORDERS[order](matrices)
        for directed in (True, False):
            expected = [distances_of(case, directed, False) for case in stack]
            found = apsp.batch(given, directed=directed)
            np.testing.assert_array_equal(found, expected)

    run()


@pytest.mark.parametrize("name", ["csr", "coo", "C"])
def test_graphs_without_vertices(name):
    made = {"csr": scipy.sparse.csr_array((0, 0)), "coo": scipy.sparse.coo_array((0, 0)), "C": np.empty((0, 0))}[name]
    for function in ("shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall"):
        assert getattr(apsp, function)(made).shape == (0, 0)

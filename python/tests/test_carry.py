# SPDX-License-Identifier: BSL-1.0
"""Attributes that are added up along shortest paths, against Floyd and Warshall's algorithm on pairs."""

import numpy as np
import pytest
import scipy.sparse
from test_csgraph import POLICIES, as_floats, layouts, random_graph
from test_hierarchies import grid

import apsp

UNREACHED = (float("inf"), 0)
KINDS = ((np.float64, np.float64), (np.int64, np.int64), (np.int64, np.float64), (np.float64, np.int64))


def pairs_of(n, arcs, directed=True):
    """The least pair of distance and attribute from each vertex to each, by arcs (u, v, weight, attribute)."""
    least = [[UNREACHED] * n for _ in range(n)]
    for u in range(n):
        least[u][u] = (0, 0)
    for u, v, weight, attribute in arcs:
        for tail, head in ((u, v), (v, u)) if not directed else ((u, v),):
            least[tail][head] = min(least[tail][head], (weight, attribute))
    for k in range(n):
        for u in range(n):
            for v in range(n):
                if UNREACHED not in (least[u][k], least[k][v]):
                    through = tuple(a + b for a, b in zip(least[u][k], least[k][v], strict=True))
                    least[u][v] = min(least[u][v], through)
    found = np.array(least, float).reshape(n, n, 2)
    return found[..., 0], found[..., 1]


def arcs_of(graph, attribute, unweighted=False):
    """The arcs of dense matrices."""
    return [(u, v, 1 if unweighted else graph[u, v], attribute[u, v]) for u, v in np.argwhere(graph).tolist()]


def example(n, density, seed, high=6, most=9):
    """A graph with many paths of equal length, and an attribute that is 0 at some arcs."""
    graph = random_graph(n, density, seed, high=high)
    return graph, np.random.default_rng(seed + 1).integers(0, most, (n, n)).astype(float)


def check(found, expected, kind=np.float64, carried=np.float64):
    assert isinstance(found, tuple) and len(found) == 2
    distances, attributes = found
    assert distances.dtype == kind and attributes.dtype == carried
    assert distances.flags.c_contiguous and attributes.flags.c_contiguous
    assert distances.shape == attributes.shape == expected[0].shape
    np.testing.assert_array_equal(as_floats(distances), expected[0])
    np.testing.assert_array_equal(attributes, expected[1])


def stored(graph, attribute):
    """The attribute as a sparse matrix with an entry for each arc, whether it is 0 or not."""
    where = np.nonzero(graph)
    return scipy.sparse.coo_array((attribute[where], where), shape=graph.shape)


@pytest.mark.parametrize("n, density", [(0, 1), (1, 1), (7, 0.3), (30, 0.12), (30, 0.7)])
def test_all_layouts(n, density):
    graph, attribute = example(n, density, seed=n)
    vertices = np.arange(n)
    for directed in (True, False):
        for unweighted in (False, True):
            expected = pairs_of(n, arcs_of(graph, attribute, unweighted), directed)
            for given in layouts(graph):
                if n == 0 and isinstance(given, list):
                    continue
                # The entries off the arcs do not count.
                off = np.where(graph == 0, np.nan, attribute)
                sparse = stored(graph, attribute)
                for carry in (attribute, off, sparse, sparse.tocsr(), sparse.tocsc()):
                    found = apsp.distance_table(given, vertices, vertices, directed, unweighted, carry=carry)
                    check(found, expected)


@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: "-".join(kind.__name__ for kind in kinds))
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_types_policies_and_hierarchies(policy, kinds):
    n = 40
    graph, attribute = example(n, 0.08, seed=3)
    attribute -= 2  # Some are negative, and the weights are not.
    graph = np.where(graph > 0, graph + 1, 0)
    expected = pairs_of(n, arcs_of(graph, attribute))
    dtype, carried = kinds
    result = np.int64 if kinds == (np.int64, np.int64) else np.float64
    carry = attribute.astype(carried)
    sources, targets = np.array([[5, 3, 3], [-1, 0, 39]]), np.array([0, 39, 7, 20])
    table = tuple(matrix[sources][..., targets] for matrix in expected)
    tails, heads = np.divmod(np.arange(n * n), n)
    in_pairs = tuple(matrix.ravel() for matrix in expected)
    for given in (graph, scipy.sparse.csr_array(graph), apsp.Hierarchy(graph, dtype=dtype, policy=policy, carry=carry)):
        prepared = isinstance(given, apsp.Hierarchy)
        options = {"policy": policy} if prepared else {"policy": policy, "dtype": dtype, "carry": carry}
        check(apsp.distance_table(given, sources, targets, **options), table, dtype, result)
        may_run = {"auto": ("seq",), "seq": ("seq",), "omp": ("omp",), "cuda_tiled": ("omp",)}
        assert apsp.last_result().executed_on in may_run[policy.name]
        column = tuple(m[targets][:, [8]] for m in expected)
        check(apsp.distance_table(given, targets, [8], **options), column, dtype, result)
        check(apsp.distances_of_pairs(given, tails, heads, **options), in_pairs, dtype, result)
        check(apsp.distances_of_pairs(given, 5, heads[:3], **options), tuple(m[5, :3] for m in expected), dtype, result)
        check(apsp.distance_table(given, 5, 7, **options), tuple(m[5, 7] for m in expected), dtype, result)
        check(apsp.distance_table(given, [], 7, **options), (np.empty(0), np.empty(0)), dtype, result)


def test_required_device():
    graph, attribute = example(8, 0.5, seed=4)
    with pytest.raises(apsp.DeviceError, match="no CUDA"):
        apsp.distance_table(graph, [0], [1], carry=attribute, policy=apsp.cuda_tiled(required=True))


@pytest.mark.parametrize("name", ["csr", "csc", "coo"])
def test_arrays_in_the_order_of_the_data(name):
    n = 25
    graph, attribute = example(n, 0.2, seed=5)
    arcs = scipy.sparse.coo_array(graph)
    order = np.random.default_rng(6).permutation(arcs.nnz)
    u, v = arcs.row[order], arcs.col[order]
    shuffled = scipy.sparse.coo_array((arcs.data[order], (u, v)), shape=(n, n))
    given = shuffled.asformat(name)
    values = scipy.sparse.coo_array((np.arange(1, 1 + arcs.nnz), (u, v)), shape=(n, n)).asformat(name).data - 1
    carry = attribute[u, v][values]  # in the order of given.data
    expected = pairs_of(n, arcs_of(graph, attribute))
    everything = range(n)
    for entries in (carry, carry.tolist(), carry.astype(np.float32), carry.astype(np.uint8), np.ma.array(carry)):
        check(apsp.distance_table(given, everything, everything, carry=entries), expected)
    # A matrix with the same arrays.
    same = given.copy()
    same.data = carry
    check(apsp.distance_table(given, everything, everything, carry=same), expected)
    check(apsp.distance_table(apsp.Hierarchy(given, carry=carry), everything, everything), expected)


def test_stored_zeros_and_entries_that_are_no_arcs():
    offsets, heads = [0, 3, 4, 4], [1, 2, 0, 2]
    graph = scipy.sparse.csr_array(([0.0, 5.0, np.nan, 2.0], heads, offsets), shape=(3, 3))
    carry = np.array([7.0, 1.0, np.nan, 0.0])
    expected = pairs_of(3, [(0, 1, 0, 7), (0, 2, 5, 1), (1, 2, 2, 0)])
    check(apsp.distance_table(graph, range(3), range(3), carry=carry), expected)
    as_matrix = scipy.sparse.csr_array((carry, heads, offsets), shape=(3, 3))
    for matrix in (as_matrix, as_matrix.tocsc(), as_matrix.tocoo()):
        check(apsp.distance_table(graph, range(3), range(3), carry=matrix), expected)
    # There may be one for what is no arc, or not.
    fewer = scipy.sparse.csr_array(([7.0, 1.0, 0.0], [1, 2, 2], [0, 2, 3, 3]), shape=(3, 3))
    check(apsp.distance_table(graph, range(3), range(3), carry=fewer), expected)
    without_zero = fewer.copy()
    without_zero.eliminate_zeros()
    with pytest.raises(ValueError, match="an entry for each arc, zeros stored as well, got none for 1 -> 2"):
        apsp.distance_table(graph, [0], [1], carry=without_zero)
    # Arrays may be longer than they need be.
    longer = graph.copy()
    longer.data, longer.indices = np.append(graph.data, 9.0), np.append(graph.indices, 9)
    check(apsp.distance_table(longer, range(3), range(3), carry=carry), expected)
    blocks = scipy.sparse.bsr_array(np.diag([1.0, 2.0, 3.0], 1), blocksize=(2, 2))
    carry = np.diag([4.0, 6.0, 5.0], 1)
    along = pairs_of(4, [(0, 1, 1, 4), (1, 2, 2, 6), (2, 3, 3, 5)])
    for matrix in (carry, stored(blocks.toarray(), carry).tocsr(), scipy.sparse.bsr_array(carry, blocksize=(2, 2))):
        check(apsp.distance_table(blocks, range(4), range(4), carry=matrix), along)


def test_parallel_arcs_and_duplicates():
    offsets, heads = [0, 3, 4, 4], [1, 1, 1, 2]
    graph = scipy.sparse.csr_array(([3.0, 2.0, 2.0, 1.0], heads, offsets), shape=(3, 3))
    carry = [0, 9, 8, 1]
    expected = pairs_of(3, [(0, 1, 3, 0), (0, 1, 2, 9), (0, 1, 2, 8), (1, 2, 1, 1)])
    assert expected[1][0, 2] == 9
    same = scipy.sparse.csr_array((np.array(carry), heads, offsets), shape=(3, 3))
    for entries in (carry, same):
        check(apsp.distance_table(graph, range(3), range(3), carry=entries), expected)
        check(apsp.distance_table(apsp.Hierarchy(graph, carry=entries), range(3), range(3)), expected)
    for matrix in (np.ones((3, 3)), same.tocsc()):
        with pytest.raises(ValueError, match="without parallel arcs if carry is a matrix"):
            apsp.distance_table(graph, [0], [1], carry=matrix)
    single = scipy.sparse.csr_array(([2.0, 1.0], [1, 2], [0, 1, 2, 2]), shape=(3, 3))
    with pytest.raises(ValueError, match="an entry for each arc, got several for 0 -> 1"):
        apsp.distance_table(single, [0], [1], carry=same)
    doubled = scipy.sparse.coo_array(([3.0, 2.0, 1.0], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    for given, entries in ((doubled, [1, 2, 3]), (single, doubled), (doubled, single), (doubled, np.ones((3, 3)))):
        with pytest.raises(ValueError, match="without duplicates in the format COO, which SciPy adds up, got 1"):
            apsp.distance_table(given, [0], [1], carry=entries)


def test_graphs_of_edges():
    random = np.random.default_rng(7)
    u, v = random.integers(0, 12, (2, 90))
    minutes, kilometres = random.integers(1, 5, 90), random.integers(0, 5, 90) / 2
    for directed in (True, False):
        town = apsp.from_edges(u, v, minutes, directed=directed, carry=kilometres)
        graph, ids = town
        plain = apsp.from_edges(u, v, minutes, directed=directed)
        assert plain.attributes is None and ids.tolist() == list(range(12))
        for name in ("data", "indices", "indptr"):
            np.testing.assert_array_equal(getattr(graph, name), getattr(plain.graph, name))
        assert town.attributes.shape == graph.data.shape and town.attributes.dtype == np.float64
        expected = pairs_of(12, zip(*(c.tolist() for c in (u, v, minutes, kilometres)), strict=True), directed)
        found = apsp.distance_table(graph, range(12), range(12), carry=town.attributes, dtype=np.int64)
        check(found, expected, np.int64)
    assert apsp.from_edges(["a"], ["b"], carry=[3]).attributes.dtype == np.int64
    with pytest.raises(ValueError, match=r"expected carry of shape \(1,\), as the columns, got \(2,\)"):
        apsp.from_edges([0], [1], carry=[1, 2])
    with pytest.raises(ValueError, match="expected finite attributes to carry, got nan for the arc a -> b"):
        apsp.from_edges(["a"], ["b"], carry=[np.nan])


def test_graph_of_a_file(tmp_path):
    path = tmp_path / "town.csv"
    path.write_text("0,1,2\n1,2,3\n0,2,5\n")
    graph = apsp.read_graph(path)
    expected = pairs_of(3, [(0, 1, 2, 10), (0, 2, 5, 40), (1, 2, 3, 20)])
    check(apsp.distance_table(graph, range(3), range(3), carry=[10, 40, 20]), expected)


@pytest.mark.parametrize("directed", [True, False])
def test_larger_hierarchies(directed):
    graph = grid(6, 7, seed=8)
    n = graph.shape[0]
    carry = np.random.default_rng(9).integers(0, 50, graph.nnz)
    coo = graph.tocoo()

    def expected(weights, attributes):
        return pairs_of(n, zip(*(c.tolist() for c in (coo.row, coo.col, weights, attributes)), strict=True), directed)

    prepared = apsp.Hierarchy(graph, directed=directed, carry=carry, dtype=np.int64)
    assert prepared.carried == np.int64 and prepared.dtype == np.int64 and prepared.shape == (n, n)
    assert prepared.num_edges == graph.nnz * (1 if directed else 2) and prepared.num_arcs > 0 and prepared.fill > 0
    assert repr(prepared).startswith("<apsp.Hierarchy of type int64, carrying int64, 42 vertices")
    vertices = np.arange(n)
    check(apsp.distance_table(prepared, vertices, vertices), expected(coo.data, carry), np.int64, np.int64)
    # Another order, and other weights.
    order = np.random.default_rng(10).permutation(n)
    prepared = apsp.Hierarchy(graph, order, directed=directed, carry=carry, dtype=np.int64)
    jammed = graph.copy()
    jammed.data = np.random.default_rng(11).integers(1, 9, graph.nnz).astype(float)
    prepared.customize(jammed, carry=2 * carry)
    after = expected(jammed.data, 2 * carry)
    check(apsp.distance_table(prepared, vertices, vertices), after, np.int64, np.int64)
    tails, heads = np.divmod(np.arange(n * n), n)
    pairs = apsp.distances_of_pairs(prepared, tails, heads)
    check(pairs, tuple(matrix.ravel() for matrix in after), np.int64, np.int64)
    with pytest.raises(ValueError, match="expected carry with a hierarchy that carries an attribute"):
        prepared.customize(jammed)
    with pytest.raises(ValueError, match="expected attributes that int64 holds, got 0.5"):
        prepared.customize(jammed, carry=np.full(graph.nnz, 0.5))
    with pytest.raises(ValueError, match="and with no other, got some"):
        apsp.Hierarchy(graph).customize(graph, carry=carry)
    assert apsp.Hierarchy(graph).carried is None
    check(apsp.distance_table(prepared, vertices, vertices), after, np.int64, np.int64)


def test_calls_that_do_not_take_such_a_hierarchy(tmp_path):
    graph, attribute = example(9, 0.5, seed=12)
    prepared = apsp.Hierarchy(graph, carry=attribute)
    calls = [getattr(apsp, name) for name in ("shortest_path", "dijkstra", "johnson", "bellman_ford", "floyd_warshall")]
    calls += [apsp.summarize, apsp.for_each_row, apsp.Hierarchy, lambda g: apsp.nearest_sources(g, [0])]
    calls += [lambda g: apsp.distances_within(g, 5), lambda g: apsp.accessibility(g, np.ones(9), apsp.within(3))]
    calls += [lambda g: apsp.shortest_path(g, indices=[0], targets=[1]), lambda g: apsp.histogram(g, [0, 1])]
    for call in calls:
        with pytest.raises(TypeError, match="expected a hierarchy that carries no attribute, got one made with carry"):
            call(prepared)
    with pytest.raises(TypeError, match="got a Hierarchy"):
        apsp.transitive_closure(prepared)
    with pytest.raises(TypeError, match="which files do not have"):
        prepared.save(tmp_path / "file")
    with pytest.raises(ValueError, match="expected carry when the hierarchy is made, got it with a hierarchy"):
        apsp.distance_table(prepared, [0], [1], carry=attribute)
    with pytest.raises(ValueError, match="expected carry when the hierarchy is made"):
        apsp.distances_of_pairs(apsp.Hierarchy(graph), [0], [1], carry=attribute)
    for call in (apsp.distance_table, apsp.distances_of_pairs):
        with pytest.raises(ValueError, match="expected no limit with carry, got 3"):
            call(prepared, [0], [1], limit=3)
        with pytest.raises(ValueError, match="unweighted"):
            call(prepared, [0], [1], unweighted=True)
        with pytest.raises(ValueError, match="a hierarchy made with directed=False"):
            call(prepared, [0], [1], directed=False)
        with pytest.raises(TypeError, match="expected the dtype of the hierarchy"):
            call(prepared, [0], [1], dtype=np.int64)


def test_arguments_that_do_not_fit():
    graph, attribute = example(6, 0.5, seed=13)
    sparse = scipy.sparse.csr_array(graph)
    m = sparse.nnz
    for call in (apsp.distance_table, apsp.distances_of_pairs):
        with pytest.raises(ValueError, match="expected no limit with carry, got 5"):
            call(graph, [0], [1], carry=attribute, limit=5)
        with pytest.raises(ValueError, match="expected no out with carry"):
            call(graph, [0], [1], carry=attribute, out=np.empty(1))
        for dtype in (np.float32, np.int32):
            with pytest.raises(TypeError, match="expected a dtype of float64 or int64 with carry, got"):
                call(graph, [0], [1], carry=attribute, dtype=dtype)
    wrong = [
        (graph, np.ones(m), r"expected carry of shape \(6, 6\), as the graph, got shape \(\d+,\)"),
        (graph, np.ones((5, 6)), r"got shape \(5, 6\)"),
        (graph, scipy.sparse.csr_array((5, 5)), r"expected carry of shape \(6, 6\), as the graph, got shape \(5, 5\)"),
        (sparse, np.ones(m + 1), rf"expected carry of {m} entries, one for each that the graph stores.*\({m + 1},\)"),
        (sparse, 5, r"got shape \(\)"),
        (sparse, scipy.sparse.csr_array((5, 5)), r"got shape \(5, 5\)"),
        (sparse.tolil(), np.ones(m), r"expected carry of shape \(6, 6\), as the graph"),
        (sparse, scipy.sparse.csr_array(np.ones((6, 6))), "entries only where the graph has some, got one for"),
        (graph, scipy.sparse.csr_array(np.ones((6, 6))), "entries only where the graph has some, got one for"),
        (sparse, scipy.sparse.csr_array((6, 6)), "an entry for each arc, zeros stored as well, got none for"),
        (graph, np.full((6, 6), np.nan), r"expected finite attributes to carry, got nan for the arc \d -> \d"),
        (sparse, np.full(m, np.inf), r"expected finite attributes to carry, got inf for the arc \d -> \d"),
        (sparse, [None] * m, r"expected finite attributes to carry, got a missing one for the arc \d -> \d"),
        (sparse, np.full(m, 2**63, np.uint64), "expected attributes that int64 holds"),
    ]
    for given, carry, message in wrong:
        dtype = np.int64 if "int64" in message else None
        with pytest.raises(ValueError, match=message):
            apsp.distance_table(given, [0], [1], carry=carry, dtype=dtype)
        with pytest.raises(ValueError, match=message):
            apsp.Hierarchy(given, carry=carry, dtype=dtype)
    for carry in (["a"] * m, np.ones(m, complex)):
        with pytest.raises(TypeError, match="attributes"):
            apsp.distance_table(sparse, [0], [1], carry=carry)


def test_large_integers():
    least = 2**53
    graph = scipy.sparse.csr_array(([least + 1, 2], ([0, 1], [1, 2])), shape=(3, 3))
    carry = [least + 3, -least]
    distances, attributes = apsp.distance_table(graph, 0, [1, 2], carry=carry, dtype=np.int64)
    assert distances.tolist() == [least + 1, least + 3] and attributes.tolist() == [least + 3, 3]
    # Sums that do not fit are the nearest value.
    attributes = apsp.distance_table(graph, 0, 2, carry=[2**63 - 1, 5], dtype=np.int64)[1]
    assert attributes == 2**63 - 1


def test_negative_weights_and_cycles():
    n = 20
    graph, attribute = example(n, 0.2, seed=14)
    potentials = np.random.default_rng(15).integers(0, 9, n)
    lowered = np.where(graph != 0, graph + potentials[:, None] - potentials, np.inf)
    assert lowered.min() < 0
    u, v = np.nonzero(graph)
    expected = pairs_of(n, [(a, b, lowered[a, b], attribute[a, b]) for a, b in zip(u, v, strict=True)])
    sparse = scipy.sparse.csr_array((lowered[u, v], (u, v)), shape=(n, n))
    for given in (sparse, apsp.Hierarchy(sparse, carry=attribute)):
        carry = None if isinstance(given, apsp.Hierarchy) else attribute
        check(apsp.distance_table(given, range(n), range(n), carry=carry), expected)
    loop = scipy.sparse.csr_array(([0.0, 0.0], ([0, 1], [1, 0])), shape=(2, 2))
    by_table = lambda carry: apsp.distance_table(loop, [0], [1], carry=carry)  # noqa: E731
    for call in (by_table, lambda carry: apsp.Hierarchy(loop, carry=carry)):
        call([3, -3])
        with pytest.raises(apsp.NegativeCycleError) as caught:
            call([3, -4])
        assert sorted(caught.value.cycle) == [0, 1]


def test_other_libraries():
    sparse = pytest.importorskip("sparse")
    graph, attribute = example(15, 0.3, seed=16)
    attribute += 1  # A sparse array of that package stores no zeros.
    expected = pairs_of(15, arcs_of(graph, attribute))
    for given in (sparse.COO.from_numpy(graph), sparse.GCXS.from_numpy(graph), sparse.DOK.from_numpy(graph)):
        for carry in (attribute, stored(graph, attribute), sparse.COO.from_scipy_sparse(stored(graph, attribute))):
            check(apsp.distance_table(given, range(15), range(15), carry=carry), expected)


def test_progress():
    graph, attribute = example(30, 0.2, seed=17)
    calls = []
    apsp.distance_table(graph, range(5), range(30), carry=attribute, progress=lambda done, total: calls.append(total))
    assert calls and set(calls) == {5}

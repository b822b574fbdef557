# SPDX-License-Identifier: BSL-1.0
"""Graphs from files and from columns of tables, against SciPy and NetworkX."""

import decimal

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from scipy.sparse import csgraph
from test_csgraph import TYPES, as_floats, random_graph

import apsp


def random_edges(seed, n=30, m=90):
    """With self-loops and parallel edges."""
    random = np.random.default_rng(seed)
    return *random.integers(0, n, (2, m)), random.integers(0, 50, m)


def lightest(sources, targets, weights, n, directed=True):
    """A dense matrix with infinity where there is no arc."""
    found = np.full((n, n), np.inf)
    np.minimum.at(found, (sources, targets), weights)
    return found if directed else np.minimum(found, found.T)


def as_dense(graph):
    found = np.full(graph.shape, np.inf)
    entries = graph.tocoo()
    assert len({*zip(entries.row, entries.col, strict=True)}) == graph.nnz
    found[entries.row, entries.col] = entries.data
    return found


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("extension", [".txt", ".EL", ".wel", ".edges", ".csv", ".tsv"])
def test_lists_of_edges(dtype, extension, tmp_path):
    file = tmp_path / f"graph{extension}"
    sources, targets, weights = random_edges(1)
    separator = "," if extension == ".csv" else "\t"
    lines = [separator.join(map(str, edge)) for edge in zip(sources, targets, weights, strict=True)]
    n = max(sources.max(), targets.max()) + 1
    file.write_text("\n".join(["# a comment", *lines]))
    for path in (file, str(file)):
        for directed in (True, False):
            graph = apsp.read_graph(path, dtype=dtype, directed=directed)
            assert isinstance(graph, scipy.sparse.csr_array)
            assert graph.dtype == dtype and graph.has_canonical_format
            np.testing.assert_array_equal(as_dense(graph), lightest(sources, targets, weights, n, directed))
            found = apsp.shortest_path(graph, dtype=dtype)
            np.testing.assert_array_equal(as_floats(found), csgraph.dijkstra(graph, directed=True))
    file.write_text("\n".join([f"{n} {len(lines)}", *lines]))
    np.testing.assert_array_equal(
        as_dense(apsp.read_graph(file, header=True)), lightest(sources, targets, weights, n)
    )


def test_ids_that_are_numbered(tmp_path):
    file = tmp_path / "roads.csv"
    sources, targets, weights = random_edges(2)
    ids = np.random.default_rng(3).integers(0, 10**15, 30)
    file.write_text(
        "".join(f"{u},{v},{w}\n" for u, v, w in zip(ids[sources], ids[targets], weights, strict=True))
    )
    graph, found = town = apsp.read_graph(file, renumber=True)
    np.testing.assert_array_equal(found, np.unique(ids[[*sources, *targets]]))
    u, v = town.vertices(ids[sources]), town.vertices(ids[targets].tolist())
    np.testing.assert_array_equal(as_dense(graph), lightest(u, v, weights, len(found)))
    with pytest.raises(KeyError, match="expected the id of a vertex, got -1"):
        town.vertices(-1)


def test_other_formats(tmp_path):
    weights = random_graph(20, 0.2, seed=4)
    sources, targets = np.nonzero(weights)
    expected = np.where(weights == 0, np.inf, weights)
    file = tmp_path / "graph.gr"
    arcs = "".join(f"a {u + 1} {v + 1} {weights[u, v]:.0f}\n" for u, v in zip(sources, targets, strict=True))
    file.write_text(f"c a comment\np sp 20 {len(sources)}\n{arcs}")
    np.testing.assert_array_equal(as_dense(apsp.read_graph(file)), expected)
    file = tmp_path / "graph.mtx"
    scipy.io.mmwrite(file, scipy.sparse.coo_array(weights))
    np.testing.assert_array_equal(apsp.read_graph(file).toarray(), scipy.io.mmread(file, spmatrix=False).toarray())
    symmetric = np.maximum(weights, weights.T)
    np.fill_diagonal(symmetric, 0)
    scipy.io.mmwrite(file, scipy.sparse.coo_array(symmetric), symmetry="symmetric")
    np.testing.assert_array_equal(apsp.read_graph(file).toarray(), symmetric)
    file = tmp_path / "graph.graph"
    lines = (" ".join(f"{v + 1} {row[v]:.0f}" for v in np.flatnonzero(row)) for row in symmetric)
    file.write_text("\n".join([f"20 {np.count_nonzero(symmetric) // 2} 1", *lines, ""]))
    np.testing.assert_array_equal(apsp.read_graph(file, dtype=np.int64).toarray(), symmetric)
    graph, ids = apsp.read_graph(file, renumber=True)
    np.testing.assert_array_equal(ids, np.arange(20))


def test_files_that_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        apsp.read_graph(tmp_path / "none.gr")
    file = tmp_path / "graph.gr"
    file.write_text("p sp 2 1\na 1 3 5\n")
    for kind in (apsp.FileError, OSError, ValueError):
        with pytest.raises(kind, match=r"graph\.gr:2: "):
            apsp.read_graph(file)
    file = tmp_path / "graph.xyz"
    file.write_text("0 1\n")
    with pytest.raises(apsp.FileError, match=r"unknown file name extension '\.xyz'"):
        apsp.read_graph(file)
    file = tmp_path / "graph.el"
    file.write_text("0 1 2.5\n")
    with pytest.raises(apsp.FileError):
        apsp.read_graph(file, dtype=np.int32)
    with pytest.raises(TypeError, match="dtype of float64"):
        apsp.read_graph(file, dtype=np.int8)


LABELS = {
    "small": lambda v: v,
    "sparse": lambda v: int(v) * 10**14 - 5,
    "large": lambda v: 2**64 - 1 - int(v),
    "huge": lambda v: 2**70 + int(v),
    "string": lambda v: f"n{v}",
    "float": lambda v: v / 2,
    "tuple": lambda v: (int(v) // 4, int(v) % 4),
    "mixed": lambda v: int(v) if v % 2 else f"n{v}",
}


def columns(values):
    """The values as callers have them."""
    yield values
    yield tuple(values)
    yield np.fromiter(values, object, len(values))
    if len(set(map(type, values))) > 1 or isinstance(values[0], tuple):
        return
    if not isinstance(values[0], int) or max(map(abs, values)) < 2**64:
        yield np.array(values)
        pandas = pytest.importorskip("pandas")
        yield pandas.Series(values, index=range(7, 7 + len(values)))
        if isinstance(values[0], int):
            yield pandas.Series(values, dtype="Int64" if max(values) < 2**63 else "UInt64")
        if isinstance(values[0], str):
            yield pandas.Series(values, dtype="category")
            yield np.array(values, np.dtypes.StringDType())
    polars = pytest.importorskip("polars")
    if not isinstance(values[0], int) or max(map(abs, values)) < 2**63:
        yield polars.Series(values)
        arrow = pytest.importorskip("pyarrow")
        yield arrow.array(values)
        yield arrow.chunked_array([values[:9], values[9:]])


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("directed", [True, False])
def test_edges_of_all_columns(labels, directed):
    nx = pytest.importorskip("networkx")
    u, v, weights = random_edges(5)
    sources, targets = ([LABELS[labels](x) for x in column.tolist()] for column in (u, v))
    expected = nx.DiGraph() if directed else nx.Graph()
    for edge in sorted(zip(u, v, weights, strict=True), key=lambda edge: -edge[2]):
        expected.add_edge(*(LABELS[labels](x) for x in edge[:2]), weight=edge[2])  # The lightest comes last.
    lengths = dict(nx.all_pairs_dijkstra_path_length(expected))
    for given in zip(columns(sources), columns(targets), strict=True):
        graph, ids = made = apsp.from_edges(*given, weights, directed=directed)
        assert graph.has_canonical_format and graph.dtype == np.int64 and graph.nnz == (
            expected.number_of_edges() if directed else expected.to_directed().number_of_edges()
        )
        known = ids.tolist()
        assert set(known) == set(expected)
        if labels != "mixed":
            assert known == sorted(known)
        found = apsp.shortest_path(graph)
        for i, source in enumerate(known):
            assert {known[j]: found[i, j] for j in np.flatnonzero(np.isfinite(found[i]))} == lengths[source]
        assert [made.vertices(label) for label in known] == list(range(len(known)))
        np.testing.assert_array_equal(np.array(known, object)[made.vertices(sources)], np.array(sources, object))


def test_weights_of_edges():
    sources, targets = ["a", "b"], ["b", "c"]
    for weights, dtype, expected in (
        (None, None, np.float64),
        (None, np.int32, np.int32),
        ([1, 2], None, np.int64),
        ([1.5, 2], None, np.float64),
        (np.array([1, 2], np.int8), None, np.int64),
        (np.array([1, 2], np.float32), None, np.float32),
        (np.array([1, 2], np.float16), None, np.float64),
        ([decimal.Decimal("1.5"), decimal.Decimal(2)], None, np.float64),
        (np.array([2**53 + 1, 1], object), None, np.int64),
        ([1.0, 2.0], np.int32, np.int32),
    ):
        graph, _ = apsp.from_edges(sources, targets, weights, dtype=dtype)
        assert graph.dtype == expected
        assert graph.data.tolist() == ([1, 1] if weights is None else [float(w) if w == 1.5 else int(w) for w in weights])


def test_columns_that_are_refused():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="expected as many targets as sources, 2, got 1"):
        apsp.from_edges([1, 2], [3])
    for missing in (None, float("nan"), pandas.NA):
        with pytest.raises(ValueError, match="expected an id in each row of targets, got .* in row 1"):
            apsp.from_edges([1, 2], [3, missing])
    with pytest.raises(ValueError, match="expected an id in each row of sources"):
        apsp.from_edges(pandas.Series([1, None], dtype="Int64"), [3, 4])
    with pytest.raises(TypeError, match=r"expected ids that can be hashed, got \[3\]"):
        apsp.from_edges([1, 2], [[3], [4]])
    with pytest.raises(ValueError, match="expected sources in one dimension, got 2"):
        apsp.from_edges(np.ones((2, 2)), [3, 4])
    for weights in ([1.0, None], [1.0, float("nan")]):
        with pytest.raises(ValueError, match="expected a weight in each row, got NaN in row 1"):
            apsp.from_edges([1, 2], [3, 4], weights)
    with pytest.raises(ValueError, match=r"expected weights of shape \(2,\), got \(1,\)"):
        apsp.from_edges([1, 2], [3, 4], [1])
    with pytest.raises(TypeError, match="expected weights that are numbers"):
        apsp.from_edges([1, 2], [3, 4], ["x", "y"])
    with pytest.raises(ValueError, match="expected weights that int32 holds, got 1.5"):
        apsp.from_edges([1, 2], [3, 4], [1.5, 2], dtype=np.int32)


def test_no_edges():
    for empty in ([], np.empty(0, np.int64), np.empty(0, object)):
        graph, ids = apsp.from_edges(empty, empty, empty, directed=False)
        assert graph.shape == (0, 0) and ids.shape == (0,)

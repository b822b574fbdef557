# SPDX-License-Identifier: BSL-1.0
"""Graphs from files and from columns of tables."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _core
from ._carry import finite
from ._graph import WEIGHT_TYPES, converted, distance_type, numbers_of, offsets_of

if TYPE_CHECKING:
    import scipy.sparse

    Csr = scipy.sparse.csr_array[Any, tuple[int, int]]


@dataclass(frozen=True, eq=False)
class LabelledGraph:
    """A graph whose vertices have ids. It unpacks as `graph, ids = ...`.

    Attributes
    ----------
    graph : scipy.sparse.csr_array
        N x N weights.
    ids : ndarray
        Of shape (N,): the id of each vertex. `ids[path]` are the ids along a path.
    attributes : ndarray or None
        If there was a column to `carry`, the attribute of each arc, in the order of `graph.data`.
    """

    graph: Csr
    ids: NDArray[Any]
    attributes: NDArray[Any] | None = None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.graph, self.ids))

    def vertices(self, ids: Any) -> Any:
        """Return the vertex with that id, or for a list or a column an array of those with these ids.

        Raises
        ------
        KeyError
            If no vertex has such an id.

        Examples
        --------
        >>> import apsp
        >>> graph, ids = town = apsp.from_edges(["Ulm", "Bonn"], ["Bonn", "Jena"], [3, 5])
        >>> town.vertices("Ulm"), town.vertices(["Bonn", "Jena"])
        (2, array([0, 1]))
        """
        if hasattr(ids, "__array__"):
            ids = np.asarray(ids).tolist()
        if isinstance(ids, list):
            return np.array([self._vertex(label) for label in ids], np.int64)
        return self._vertex(ids)

    def _vertex(self, label: Hashable) -> int:
        try:
            return self._numbers[label]
        except KeyError:
            raise KeyError(f"expected the id of a vertex, got {label!r}") from None

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return dict(zip(self.ids.tolist(), range(len(self.ids)), strict=True))


@overload
def read_graph(
    path: str | os.PathLike[str],
    *,
    dtype: DTypeLike = np.float64,
    directed: bool = True,
    header: bool = False,
    renumber: Literal[False] = False,
) -> Csr: ...
@overload
def read_graph(
    path: str | os.PathLike[str],
    *,
    dtype: DTypeLike = np.float64,
    directed: bool = True,
    header: bool = False,
    renumber: Literal[True],
) -> LabelledGraph: ...
def read_graph(
    path: str | os.PathLike[str],
    *,
    dtype: DTypeLike = np.float64,
    directed: bool = True,
    header: bool = False,
    renumber: bool = False,
) -> Csr | LabelledGraph:
    """Read a graph from a file; the extension of its name, in lower or upper case, tells the format.

    ======================================================== =========================================================
    .gr                                                      9th DIMACS Challenge
    .mtx                                                     Matrix Market
    .graph, .metis                                           METIS
    .txt, .el, .wel, .edges, .csv, .tsv                      lines "source target" or "source target weight", separated
                                                             by blanks or a comma
    ======================================================== =========================================================

    Vertices are numbered from 0, an undirected edge is two arcs, and of parallel arcs the lightest is kept. Edges without
    a weight have weight 1. Nothing is guessed or repaired: docs/files.md has the rules.

    Parameters
    ----------
    path : str or path
        Of the file.
    dtype : data type
        Of the weights: float64, float32, int32 or int64. Integers are read exactly.
    directed : bool
        Of lists of edges: whether a line is one arc, or one in each direction. Other files tell it themselves.
    header : bool
        Of lists of edges: whether the numbers of vertices and edges come first.
    renumber : bool
        Number the ids of a list of edges in ascending order, and return them, too. By default the ids are the vertices.

    Returns
    -------
    graph : scipy.sparse.csr_array
        Of shape (N, N); or, with `renumber`, a `LabelledGraph`.

    Raises
    ------
    OSError
        If the file cannot be read.
    FileError
        If it does not conform to its format, or a weight does not fit the type; the message has the line. It is an
        OSError and a ValueError.

    Examples
    --------
    >>> import apsp, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "town.csv"
    ...     _ = path.write_text("10,30,2.5\\n30,70,4\\n")
    ...     graph, ids = apsp.read_graph(path, renumber=True)
    >>> ids
    array([10, 30, 70])
    >>> apsp.shortest_path(graph, indices=0)
    array([0. , 2.5, 6.5])
    """
    kind = distance_type(dtype)
    with open(path, "rb"):
        pass  # The error of the system if that is not possible.
    read: Any = getattr(_core, f"read_graph_{kind}")
    weights, targets, offsets, ids = read(path, directed, renumber, header)
    ids = ids.view(np.int64)  # NumPy shows the type of C's long long with each array.
    graph = _merged(weights, targets, offsets)
    if not renumber:
        return graph
    return LabelledGraph(graph, ids if len(ids) else np.arange(graph.shape[0]))


def from_edges(
    sources: Any,
    targets: Any,
    weights: Any = None,
    *,
    directed: bool = True,
    dtype: DTypeLike | None = None,
    carry: Any = None,
) -> LabelledGraph:
    """Make a graph of columns of edges, whose vertices have ids of any kind.

    Parameters
    ----------
    sources, targets : array_like of shape (M,)
        The ids of the ends of each edge: lists, NumPy arrays, or columns of pandas, polars or Arrow. Ids are integers,
        strings, or other values that can be hashed; none may be missing.
    weights : array_like of shape (M,), optional
        The weight of each edge; by default 1.
    directed : bool
        Whether an edge is one arc, or one in each direction.
    dtype : data type, optional
        Of the weights: float64, float32, int32 or int64. By default that of the weights if it is one of these, int64 for
        other integers, and float64 for all others.
    carry : array_like of shape (M,), optional
        An attribute of each edge, a finite number, for the `carry` of `distance_table` and others.

    Returns
    -------
    LabelledGraph
        `graph`, a `scipy.sparse.csr_array` of shape (N, N) in which the lightest of parallel arcs is kept, and `ids`, an
        array of the N different ids: ascending, or, if they cannot be compared, in the order in which they come first.
        With `carry` also `attributes`, in the order of `graph.data`; of parallel arcs of equal weights the one with the
        least attribute is kept.

    Raises
    ------
    ValueError
        If the columns do not have the same length, an id or a weight is missing, a weight does not fit `dtype`, or an
        attribute is not finite.
    TypeError
        If an id cannot be hashed, or a weight or an attribute is not a number.

    Examples
    --------
    >>> import apsp
    >>> graph, ids = apsp.from_edges(["Ulm", "Bonn"], ["Bonn", "Jena"], [3, 5])
    >>> ids
    array(['Bonn', 'Jena', 'Ulm'], dtype=object)
    >>> apsp.shortest_path(graph, dtype=graph.dtype, indices=2)
    array([3, 8, 0])
    >>> town = apsp.from_edges(["Ulm", "Bonn"], ["Bonn", "Jena"], [3, 5], carry=[310.5, 420])
    >>> apsp.distance_table(town.graph, town.vertices("Ulm"), town.vertices(["Bonn", "Jena"]), carry=town.attributes)
    (array([3., 8.]), array([310.5, 730.5]))
    """
    tails, heads = _column(sources, "sources"), _column(targets, "targets")
    if len(tails) != len(heads):
        raise ValueError(f"expected as many targets as sources, {len(tails)}, got {len(heads)}")
    values = _weights(weights, len(tails), dtype)
    attributes = None if carry is None else _attributes(carry, tails, heads)
    ids, u, v = _numbered(tails, heads)
    if not directed:
        others = u != v
        u, v, values = (np.concatenate(pair) for pair in ((u, v[others]), (v, u[others]), (values, values[others])))
        if attributes is not None:
            attributes = np.concatenate([attributes, attributes[others]])
    if attributes is None:
        order = np.argsort(u, kind="stable")
    else:
        # The first of parallel arcs is the one that is kept.
        order = np.lexsort((attributes, values, v, u))
        is_first = np.ones(len(order), bool)
        is_first[1:] = (np.diff(u[order]) != 0) | (np.diff(v[order]) != 0)
        order = order[is_first]
        attributes = attributes[order]
    graph = _merged(values[order], v[order].astype(np.int32), offsets_of(u[order], len(ids)))
    return LabelledGraph(graph, ids, attributes)


def _attributes(carry: Any, tails: NDArray[Any], heads: NDArray[Any]) -> NDArray[Any]:
    """Return the attributes of the edges, integers or floats."""
    values, absent = numbers_of(carry, np.dtype(np.float64), "attributes")
    if values.shape != tails.shape:
        raise ValueError(f"expected carry of shape {tails.shape}, as the columns, got {values.shape}")
    return finite(values, absent, np.dtype(np.int64), tails, heads)


def _merged(weights: NDArray[Any], targets: NDArray[np.int32], offsets: NDArray[np.int64]) -> Csr:
    """Return the graph with the lightest of parallel arcs: SciPy would add them."""
    import scipy.sparse

    n = len(offsets) - 1
    index = np.int32 if len(targets) <= np.iinfo(np.int32).max else np.int64  # SciPy needs both in the same type.
    graph = scipy.sparse.csr_array(
        (weights, targets.astype(index, copy=False), offsets.astype(index, copy=False)), shape=(n, n)
    )
    graph.sort_indices()
    are_first = np.ones(len(targets), bool)
    are_first[1:] = graph.indices[1:] != graph.indices[:-1]
    begins = graph.indptr[:-1]
    are_first[begins[begins < len(targets)]] = True
    if not are_first.all():
        first = np.flatnonzero(are_first)
        lightest = np.minimum.reduceat(graph.data, first)
        kept = np.searchsorted(first, graph.indptr).astype(index)
        graph = scipy.sparse.csr_array((lightest, graph.indices[first], kept), shape=(n, n))
    graph.has_canonical_format = True
    return graph


def _column(values: Any, name: str) -> NDArray[Any]:
    """Return the ids of one column: integers, or other values as objects."""
    if isinstance(values, (list, tuple)):
        column = np.fromiter(values, object, len(values))  # np.array() would make strings of numbers beside strings.
    else:
        column = np.asarray(values)
    if column.ndim != 1:
        raise ValueError(f"expected {name} in one dimension, got {column.ndim}")
    if column.dtype.kind in "iu":
        return column
    objects: NDArray[Any] = column.astype(object)
    for place, value in enumerate(objects):
        if _is_missing(value):
            raise ValueError(f"expected an id in each row of {name}, got {value} in row {place}")
    if len(objects) and all(issubclass(kind, (int, np.integer)) for kind in set(map(type, objects))):
        try:
            return objects.astype(np.int64)
        except OverflowError:
            return objects
    return objects


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # The NA of pandas is neither equal nor unequal.
        return True


def _numbered(tails: NDArray[Any], heads: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """Return the different ids, and the number of the id of each tail and each head."""
    m = len(tails)
    if np.result_type(tails, heads).kind in "iu":
        ids, numbers = np.unique(np.concatenate([tails, heads]), return_inverse=True)
        return ids, numbers[:m], numbers[m:]
    index: dict[Hashable, int] = {}
    places = np.empty(2 * m, np.int64)
    for i, label in enumerate(chain(tails.tolist(), heads.tolist())):
        try:
            places[i] = index.setdefault(label, len(index))
        except TypeError as error:
            raise TypeError(f"expected ids that can be hashed, got {label!r}") from error
    labels: list[Any] = list(index)
    order = list(range(len(labels)))
    try:
        order.sort(key=labels.__getitem__)
    except TypeError:
        order = list(range(len(labels)))
    numbers = np.empty(len(labels), np.int64)
    numbers[order] = np.arange(len(labels))
    numbers = numbers[places]
    return np.fromiter((labels[i] for i in order), object, len(labels)), numbers[:m], numbers[m:]


def _weights(values: Any, m: int, dtype: DTypeLike | None) -> NDArray[Any]:
    """Return the weights of m edges."""
    if values is None:
        return np.ones(m, distance_type(dtype))
    given = np.asarray(values)
    if given.dtype.kind == "O":
        given = np.array(given.tolist())
    if given.dtype.kind not in "biuf":
        try:
            given = given.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(f"expected weights that are numbers, got {given.dtype}") from error
    if given.shape != (m,):
        raise ValueError(f"expected weights of shape ({m},), got {given.shape}")
    if given.dtype.kind == "f" and np.isnan(given).any():
        raise ValueError(f"expected a weight in each row, got NaN in row {np.flatnonzero(np.isnan(given))[0]}")
    if dtype is not None:
        return converted(given, distance_type(dtype))
    if given.dtype in WEIGHT_TYPES:
        return given
    return converted(given, np.dtype(np.float64 if given.dtype.kind == "f" else np.int64))

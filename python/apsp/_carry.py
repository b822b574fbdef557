# SPDX-License-Identifier: BSL-1.0
"""Graphs whose arcs have an attribute that is added up along shortest paths."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._call import Out, core_graph, keep_report
from ._graph import (
    AnyGraph,
    Carrying,
    Prepared,
    any_graph_of,
    checked_matrix,
    converted,
    distance_type,
    fitting,
    graph_of,
    is_sparse,
    numbers_of,
    offsets_of,
    prepared_of,
    unreachable,
    weights_of,
)

_FLOAT64, _INT64 = np.dtype(np.float64), np.dtype(np.int64)
# The formats of SciPy whose `data` is in an order that the caller knows.
_ORDERED = ("csr", "csc", "coo")

# Numbers, and which of them are missing; None if none are.
_Numbers = tuple[NDArray[Any], NDArray[np.bool_] | None]


def query_graph_of(
    csgraph: Any, carry: Any, directed: bool, unweighted: bool, dtype: DTypeLike | None, limit: float, out: Out
) -> tuple[np.dtype[Any], AnyGraph]:
    """Return the type of the distances and the graph for a call that may carry an attribute."""
    kind = distance_type(dtype, csgraph)
    prepared = prepared_of(csgraph)
    if carry is None and (prepared is None or prepared.carried is None):
        return kind, any_graph_of(csgraph, directed, unweighted, kind)
    if limit != math.inf:
        raise ValueError(f"expected no limit with carry, got {limit}")
    if out is not None:
        raise ValueError("expected no out with carry, whose calls return two arrays of their own")
    if prepared is None:
        return kind, carrying_graph_of(csgraph, carry, directed, unweighted, kind)
    if carry is not None:
        raise ValueError("expected carry when the hierarchy is made, got it with a hierarchy")
    return kind, fitting(prepared, directed, unweighted, kind)


def carried_type(graph: AnyGraph) -> np.dtype[Any] | None:
    """Return the type of the attribute that the graph carries, if there is one."""
    if isinstance(graph, Carrying):
        return graph.attributes.dtype
    return graph.carried if isinstance(graph, Prepared) else None


def carried_results(
    call: Any,
    graph: AnyGraph,
    sources: NDArray[np.int64],
    targets: NDArray[np.int64],
    shape: tuple[int, ...],
    core_shape: tuple[int, ...],
    kinds: tuple[np.dtype[Any], np.dtype[Any]],
    settings: Any,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return distances and attributes of that shape; the call writes to them in another shape."""
    distances, attributes = (np.empty(shape, kind) for kind in kinds)
    keep_report(
        call(
            core_graph(graph),
            sources,
            targets,
            distances.reshape(core_shape),
            attributes.reshape(core_shape),
            settings,
        )
    )
    return distances, attributes


def carrying_graph_of(
    csgraph: Any,
    carry: Any,
    directed: bool,
    unweighted: bool,
    kind: np.dtype[Any],
    carried: np.dtype[Any] | None = None,
) -> Carrying:
    """Return the graph with weights of that type, and an attribute for each arc.

    carried : dtype, optional
        Of the attributes. By default int64 if both they and the distances are integers, and otherwise float64.
    """
    if kind not in (_FLOAT64, _INT64):
        raise TypeError(f"expected a dtype of float64 or int64 with carry, got {kind}")
    if is_sparse(csgraph):
        tails, heads, weights, are_arcs, given = _stored(csgraph, carry, unweighted, kind)
        n = csgraph.shape[0]
    else:
        matrix = graph_of(csgraph, True, unweighted, kind).weights
        n = len(matrix)
        tails, heads = np.nonzero(matrix != unreachable(kind))
        weights = matrix[tails, heads]
        are_arcs = np.ones(len(tails), bool)
        given = _at(carry, n, tails, heads, are_arcs, f"shape ({n}, {n}), as the graph")
    values, absent = given
    if not are_arcs.all():
        tails, heads, weights, values = (array[are_arcs] for array in (tails, heads, weights, values))
        absent = None if absent is None else absent[are_arcs]
    attributes = finite(values, absent, kind, tails, heads, carried)
    if not directed:
        # Parallel arcs: the call takes the best of them.
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
        weights, attributes = np.tile(weights, 2), np.tile(attributes, 2)
        order = np.argsort(tails, kind="stable")
        tails, heads, weights, attributes = (array[order] for array in (tails, heads, weights, attributes))
    return Carrying(
        offsets_of(tails, n),
        np.require(heads, np.int32, ["C", "A"]),
        np.require(weights, kind, ["C", "A"]),
        np.require(attributes, attributes.dtype, ["C", "A"]),
    )


def finite(
    values: NDArray[Any],
    absent: NDArray[np.bool_] | None,
    kind: np.dtype[Any],
    tails: NDArray[Any],
    heads: NDArray[Any],
    carried: np.dtype[Any] | None = None,
) -> NDArray[Any]:
    """Return the attributes of these arcs in the type in which they are added up; all must be finite numbers."""
    wrong = np.zeros(len(values), bool) if absent is None else absent.copy()
    if values.dtype.kind == "f":
        wrong |= ~np.isfinite(values)
    if wrong.any():
        i = np.argmax(wrong)
        found = "a missing one" if absent is not None and absent[i] else values[i]
        raise ValueError(f"expected finite attributes to carry, got {found} for the arc {tails[i]} -> {heads[i]}")
    if carried is None:
        carried = _INT64 if kind.kind == "i" and values.dtype.kind in "biu" else _FLOAT64
    return converted(values, carried, "attributes")


def _numbered(matrix: Any) -> Any:
    """Return a CSR matrix with the places of its entries in the `data` of a CSR, CSC or COO matrix."""
    import scipy.sparse

    if matrix.format == "coo":
        entries = (np.arange(len(matrix.data)), (matrix.row, matrix.col))
        numbered = scipy.sparse.coo_array(entries, shape=matrix.shape).tocsr()
        if numbered.nnz < len(matrix.data):
            raise ValueError(
                "expected a graph and an attribute to carry without duplicates in the format COO, which SciPy adds up, "
                f"got {len(matrix.data) - numbered.nnz}"
            )
        return numbered
    make = scipy.sparse.csr_array if matrix.format == "csr" else scipy.sparse.csc_array
    places = np.arange(matrix.indptr[-1])
    return make((places, matrix.indices[: len(places)], matrix.indptr), shape=matrix.shape).tocsr()


def _rows_of(csr: Any) -> NDArray[np.int64]:
    return np.repeat(np.arange(csr.shape[0]), np.diff(csr.indptr))


def _stored(
    csgraph: Any, carry: Any, unweighted: bool, kind: np.dtype[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[np.bool_], _Numbers]:
    """Return the tails, heads and weights of what a sparse matrix stores, which are arcs, and the attributes."""
    graph = checked_matrix(csgraph)
    entries = graph if graph.format in _ORDERED else graph.tocsr()
    numbered = _numbered(entries)
    places, tails, heads = numbered.data, _rows_of(numbered), numbered.indices
    # As for a graph without attributes.
    weights, no_arc = weights_of(entries.data[places], kind, unweighted, zeros_are_arcs=graph.format != "bsr")
    are_arcs = np.ones(len(places), bool) if no_arc is None else ~no_arc
    n = graph.shape[0]
    expected = f"shape ({n}, {n}), as the graph"
    if graph.format in _ORDERED and isinstance(csgraph.data, np.ndarray):
        expected = f"{len(places)} entries, one for each that the graph stores, or of shape ({n}, {n})"
        if is_sparse(carry) and _has_same_arrays(carry, entries):
            carry = carry.data[: len(places)]
        if not is_sparse(carry):
            values, absent = numbers_of(carry, _FLOAT64, "attributes")
            if values.shape == (len(places),):
                given = values[places], None if absent is None else absent[places]
                return tails, heads, weights, are_arcs, given
    return tails, heads, weights, are_arcs, _at(carry, n, tails, heads, are_arcs, expected)


def _has_same_arrays(given: Any, graph: Any) -> bool:
    """Return whether both matrices have the same places in the same order."""
    names = ("row", "col") if graph.format == "coo" else ("indptr", "indices")
    if getattr(given, "format", None) != graph.format or given.shape != graph.shape:
        return False
    return all(
        hasattr(given, name) and np.array_equal(getattr(given, name), getattr(graph, name)) for name in names
    ) and len(given.data) == len(graph.data)


def _at(
    carry: Any, n: int, tails: NDArray[Any], heads: NDArray[Any], are_arcs: NDArray[np.bool_], expected: str
) -> _Numbers:
    """Return the entries of a matrix at the places of a graph; those that are arcs have one."""
    if is_sparse(carry):
        if carry.shape != (n, n):
            raise ValueError(f"expected carry of {expected}, got shape {carry.shape}")
    else:
        values, absent = numbers_of(carry, _FLOAT64, "attributes")
        if values.shape != (n, n):
            raise ValueError(f"expected carry of {expected}, got shape {values.shape}")
    keys = tails.astype(np.int64) * n + heads
    if len(np.unique(keys)) < len(keys):
        raise ValueError(
            "expected a graph without parallel arcs if carry is a matrix, got some, which need an array in the order "
            "of the data of the graph"
        )
    if not is_sparse(carry):
        return values[tails, heads], None if absent is None else absent[tails, heads]
    matrix = checked_matrix(carry)
    entries = matrix if matrix.format in _ORDERED else matrix.tocsr()
    numbered = _numbered(entries)
    own = _rows_of(numbered) * n + numbered.indices
    order = np.argsort(own, kind="stable")
    own = own[order]
    doubled = np.flatnonzero(own[1:] == own[:-1])
    if len(doubled):
        u, v = divmod(own[doubled[0]], n)
        raise ValueError(f"expected carry with an entry for each arc, got several for {u} -> {v}")
    others = own[~np.isin(own, keys)]
    if len(others):
        u, v = divmod(others[0], n)
        raise ValueError(f"expected carry with entries only where the graph has some, got one for {u} -> {v}")
    places = np.searchsorted(own, keys)
    has_one = np.isin(keys, own)
    lacking = np.flatnonzero(are_arcs & ~has_one)
    if len(lacking):
        u, v = tails[lacking[0]], heads[lacking[0]]
        raise ValueError(f"expected carry with an entry for each arc, zeros stored as well, got none for {u} -> {v}")
    found = np.zeros(len(keys), entries.dtype)
    found[has_one] = entries.data[numbered.data[order[places[has_one]]]]
    return numbers_of(found, _FLOAT64, "attributes")

# SPDX-License-Identifier: BSL-1.0
"""Some of the distances of a graph, without rows of N entries."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _core
from ._call import Out, checked_limit, core_graph, keep_report, result_array, seconds_of, settings_of
from ._carry import carried_results, carried_type, query_graph_of
from ._graph import NO_PREDECESSOR, AnyGraph, any_graph_of, distance_type, sources_of, vertices_of
from ._paths import Paths
from ._policies import Policy, auto
from ._progress import Progress

if TYPE_CHECKING:
    import scipy.sparse


def distances_within(
    csgraph: Any,
    limit: float,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    progress: Progress | bool | None = None,
) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
    """All distances of at most `limit`, as a sparse array.

    The time for a source grows with the number of vertices within the limit, not with N.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights, with the rules of `shortest_path`.
    limit : float
        At least 0; pairs at this distance are included.
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    indices : int or array_like of int, optional
        The sources; by default all vertices.
    policy, dtype, progress
        As for `shortest_path`.

    Returns
    -------
    distances : scipy.sparse.csr_array
        One row for each source, with an entry for each vertex within the limit. Distances of 0 are stored: each source
        is an entry of its own row. All other vertices are farther away than the limit.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> near = apsp.distances_within(np.diag([2, 3, 4], 1), 5)
    >>> near.indptr
    array([0, 3, 5, 7, 8], dtype=int32)
    >>> near.indices
    array([0, 1, 2, 1, 2, 2, 3, 3], dtype=int32)
    >>> near.data
    array([0., 2., 5., 0., 3., 0., 4., 0.])
    """
    import scipy.sparse

    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    n = graph.num_vertices
    sources = vertices_of(indices, n)
    limit = checked_limit(limit)
    settings = settings_of(policy, seconds_of("johnson", graph, len(sources)), limit=limit, progress=progress)
    call: Any = _core.distances_within  # It has an overload for each type.
    report, distances, targets, offsets = call(core_graph(graph), sources, limit, settings)
    keep_report(report)
    # SciPy needs both in the same type.
    index = np.int32 if len(targets) <= np.iinfo(np.int32).max else np.int64
    rows = (distances, targets.astype(index, copy=False), offsets.astype(index, copy=False))
    found = scipy.sparse.csr_array(rows, shape=(len(sources), n))
    found.has_canonical_format = True
    return found


def distance_table(
    csgraph: Any,
    sources: Any,
    targets: Any,
    directed: bool = True,
    unweighted: bool = False,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    out: Out = None,
    progress: Progress | bool | None = None,
    carry: Any = None,
) -> Any:
    """The distances from some vertices to some vertices.

    There is one search for each source, or, if there are fewer targets, for each target. A search ends when it has
    reached all vertices of the other list, so that targets that are near cost little.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights, with the rules of `shortest_path`.
    sources, targets : int or array_like of int
        Vertices, in any shape; negative ones count from the end.
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    policy, dtype, out, progress
        As for `shortest_path`. With `carry` there is no `out`, `dtype` is float64 or int64, and hosts compute.
    limit : float
        Vertices that are farther away are not reached; not with `carry`.
    carry : array_like or sparse matrix or array, optional
        An attribute of each arc, such as its kilometres where weights are minutes, which is added up along the shortest
        paths: finite numbers, of either sign. For a sparse matrix in the format CSR, CSC or COO, such as the graphs of
        `read_graph` and `from_edges`, an array with an entry for each one of its `data`, in that order, explicit zeros
        and parallel arcs included. For these and all other graphs a matrix of N x N: a dense one, of which the entries
        at the arcs are read, or a sparse one that stores an entry for each arc, also a 0, and none elsewhere. Not with
        a `Hierarchy`, which is made with it.

    Returns
    -------
    table : ndarray
        The distance from each source to each target, in the shape of `sources` followed by that of `targets`.
    attributes : ndarray
        Returned beside the distances if there is `carry`, in their shape: the sum of the attribute along the shortest
        path, of several the least sum, and 0 if there is no path. Of type int64 if `dtype` and the attribute are
        integers, and otherwise float64, in which sums of integers are exact up to 2**53.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length, or, with `carry`, one of length 0 whose attributes have a negative sum.
    ValueError
        If `carry` does not have a finite number for each arc, or for graphs as in `shortest_path`.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> apsp.distance_table(np.diag([2, 3, 4], 1), [0, 1, 3], [1, 3])
    array([[ 2.,  9.],
           [ 0.,  7.],
           [inf,  0.]])
    >>> minutes, kilometres = np.diag([2, 3, 4], 1), np.diag([1.5, 4, 2], 1)
    >>> apsp.distance_table(minutes, [0, 1], [1, 3], carry=kilometres)
    (array([[2., 9.],
           [0., 7.]]), array([[1.5, 7.5],
           [0. , 6. ]]))
    """
    kind, graph = query_graph_of(csgraph, carry, directed, unweighted, dtype, limit, out)
    return table_of(graph, kind, sources, targets, policy, limit, out, progress)


def table_of(
    graph: AnyGraph,
    kind: np.dtype[Any],
    sources: Any,
    targets: Any,
    policy: Policy | str,
    limit: float,
    out: Out,
    progress: Progress | bool | None,
) -> Any:
    """Return the distances from the sources to the targets; all vertices if one is None."""
    n = graph.num_vertices
    rows, columns = vertices_of(sources, n), vertices_of(targets, n)
    seconds = seconds_of("johnson", graph, min(len(rows), len(columns)))
    settings = settings_of(policy, seconds, limit=limit, progress=progress)
    call: Any = _core.distance_table  # It has an overload for each type.
    shape = (*sources_of(sources, n)[1], *sources_of(targets, n)[1])
    carried = carried_type(graph)
    if carried is not None:
        flat = len(rows), len(columns)
        return carried_results(call, graph, rows, columns, shape, flat, (kind, carried), settings)
    with result_array(out, shape, kind) as table:
        keep_report(
            call(core_graph(graph, table), rows, columns, table.reshape(len(rows), len(columns)), settings)
        )
    return table


def distances_of_pairs(
    csgraph: Any,
    sources: Any,
    targets: Any,
    directed: bool = True,
    unweighted: bool = False,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    out: Out = None,
    progress: Progress | bool | None = None,
    carry: Any = None,
) -> Any:
    """The distances between the two vertices of each pair.

    With a `Hierarchy` a pair takes microseconds. For many pairs of another graph one is prepared if that is predicted
    to be faster than searches.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights, with the rules of `shortest_path`.
    sources, targets : int or array_like of int
        The vertices of the pairs, of shapes that are broadcast as by NumPy; negative ones count from the end.
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    policy, dtype, out, progress
        As for `shortest_path`. With `carry` there is no `out`, `dtype` is float64 or int64, and hosts compute.
    limit : float
        Distances beyond it are infinite; not with `carry`.
    carry : array_like or sparse matrix or array, optional
        An attribute of each arc, as for `distance_table`.

    Returns
    -------
    distances : ndarray
        The distance from each source to its target, in the broadcast shape.
    attributes : ndarray
        Returned beside the distances if there is `carry`, in their shape: the sum of the attribute along the shortest
        path, of several the least sum, and 0 if there is no path. Of type int64 if `dtype` and the attribute are
        integers, and otherwise float64, in which sums of integers are exact up to 2**53.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length, or, with `carry`, one of length 0 whose attributes have a negative sum.
    ValueError
        If `carry` does not have a finite number for each arc, or for graphs as in `shortest_path`.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> apsp.distances_of_pairs(np.diag([2, 3, 4], 1), [0, 1, 3], [2, 3, 0])
    array([ 5.,  7., inf])
    >>> apsp.distances_of_pairs(np.diag([2, 3, 4], 1), [0, 1, 3], [2, 3, 0], carry=np.diag([1.5, 4, 2], 1))
    (array([ 5.,  7., inf]), array([5.5, 6. , 0. ]))
    """
    kind, graph = query_graph_of(csgraph, carry, directed, unweighted, dtype, limit, out)
    rows, columns = _pairs_of(sources, targets, graph.num_vertices)
    settings = settings_of(policy, seconds_of("johnson", graph, rows.size), limit=limit, progress=progress)
    call: Any = _core.distances_of_pairs  # It has an overload for each type.
    carried = carried_type(graph)
    if carried is not None:
        return carried_results(
            call, graph, rows.ravel(), columns.ravel(), rows.shape, (rows.size,), (kind, carried), settings
        )
    with result_array(out, rows.shape, kind) as distances:
        keep_report(
            call(core_graph(graph, distances), rows.ravel(), columns.ravel(), distances.reshape(-1), settings)
        )
    return distances


def _pairs_of(sources: Any, targets: Any, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the vertices of the pairs, in their shape."""
    rows, columns = np.broadcast_arrays(
        vertices_of(sources, n).reshape(sources_of(sources, n)[1]),
        vertices_of(targets, n).reshape(sources_of(targets, n)[1]),
    )
    return rows, columns


def paths_of_pairs(
    csgraph: Any,
    sources: Any,
    targets: Any,
    directed: bool = True,
    unweighted: bool = False,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> tuple[NDArray[Any], Paths]:
    """A shortest path between the two vertices of each pair, and its length, without a matrix of predecessors.

    With a `Hierarchy` a pair takes microseconds, and a fraction of one for each vertex of its path. Other graphs are
    searched from each distinct source.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights, with the rules of `shortest_path`.
    sources, targets : int or array_like of int
        The vertices of the pairs, of shapes that are broadcast as by NumPy; negative ones count from the end.
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    policy, dtype, progress
        As for `shortest_path`.
    limit : float
        There is no path that is longer.

    Returns
    -------
    distances : ndarray
        The distance from each source to its target, in the broadcast shape.
    paths : Paths
        A sequence with an array of int32 for each pair, in the order of ``distances.ravel()``: the vertices of a
        shortest path, both ends included; only the source if it is the target, and empty if there is no path. All are
        in two arrays, `offsets` and `vertices`.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length.
    ValueError
        If a vertex is out of range, or for graphs as in `shortest_path`.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> distances, paths = apsp.paths_of_pairs(np.diag([2, 3, 4], 1), [0, 1, 3], [2, 3, 0])
    >>> distances
    array([ 5.,  7., inf])
    >>> paths[0]
    array([0, 1, 2], dtype=int32)
    >>> [path.tolist() for path in paths]
    [[0, 1, 2], [1, 2, 3], []]
    >>> print(paths.offsets, paths.vertices)
    [0 3 6 6] [0 1 2 1 2 3]
    """
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    rows, columns = _pairs_of(sources, targets, graph.num_vertices)
    settings = settings_of(policy, seconds_of("johnson", graph, rows.size), limit=limit, progress=progress)
    distances = np.empty(rows.shape, kind)
    call: Any = _core.paths_of_pairs  # It has an overload for each type.
    report, offsets, vertices = call(core_graph(graph), rows.ravel(), columns.ravel(), distances.reshape(-1), settings)
    keep_report(report)
    return distances, Paths(offsets, vertices)


def nearest_sources(
    csgraph: Any,
    sources: Any,
    directed: bool = True,
    unweighted: bool = False,
    *,
    return_predecessors: bool = False,
    k: int | None = None,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    out: Out = None,
    progress: Progress | bool | None = None,
) -> Any:
    """The nearest of some sources for every vertex, or the k nearest, and the distances from them.

    There is one search from all sources together, unless k is given and the sources are few. To find the nearest
    targets instead, pass the transposed matrix.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights, with the rules of `shortest_path`.
    sources : int or array_like of int
        Vertices, in any shape; negative ones count from the end.
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    return_predecessors : bool
        Return the predecessors, too; not with `k`.
    k : int, optional
        How many sources; the results then have k columns, the nearest source first.
    policy, dtype, out, progress
        As for `shortest_path`; `out` is of shape (N,), or (N, k).
    limit : float
        Vertices that are farther away are not reached.

    Returns
    -------
    distances : ndarray
        Of shape (N,): the distance of each vertex from the nearest source, infinity if there is none. With `k` of shape
        (N, k), ascending.
    nearest : ndarray of int32
        Of shape (N,): that source, any of several, or -9999. With `k` of shape (N, k); of equally near sources those
        with smaller numbers come first.
    predecessors : ndarray of int32
        If `return_predecessors`, of shape (N,): the vertex before v on a shortest path from `nearest[v]`, or -9999 if v
        is that source or cannot be reached. `path(predecessors, nearest[v], v)` follows them.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length.
    ValueError
        If a source is not a vertex, or for graphs as in `shortest_path`.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> distances, nearest = apsp.nearest_sources(np.diag([2, 3, 4], 1), [0, 2], directed=False)
    >>> distances
    array([0., 2., 0., 4.])
    >>> nearest
    array([0, 0, 2, 2], dtype=int32)
    >>> apsp.nearest_sources(np.diag([2, 3, 4], 1), [0, 2], directed=False, k=2)[1]
    array([[0, 2],
           [0, 2],
           [2, 0],
           [2, 0]], dtype=int32)
    """
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    if k is not None:
        if return_predecessors:
            raise ValueError("expected no predecessors with k, got return_predecessors=True")
        return from_k_nearest(graph, kind, sources, k, policy, limit, out, progress)
    distances, predecessors, nearest = from_nearest(graph, kind, sources, True, policy, limit, out, progress)
    return (distances, nearest, predecessors) if return_predecessors else (distances, nearest)


def from_k_nearest(
    graph: AnyGraph,
    kind: np.dtype[Any],
    indices: Any,
    k: int,
    policy: Policy | str,
    limit: float,
    out: Out,
    progress: Progress | bool | None,
) -> tuple[Any, Any]:
    """Return the distances of each vertex from its k nearest sources, and these sources."""
    k = operator.index(k)
    if k < 0:
        raise ValueError(f"expected k >= 0, got {k}")
    n = graph.num_vertices
    sources = vertices_of(indices, n)
    seconds = seconds_of("johnson", graph, min(len(sources), k))
    settings = settings_of(policy, seconds, limit=limit, progress=progress)
    nearest = np.empty((n, k), np.int32)
    call: Any = _core.k_nearest_sources  # It has an overload for each type.
    with result_array(out, (n, k), kind) as rows:
        keep_report(call(core_graph(graph, rows), sources, rows, nearest, settings))
    nearest[nearest < 0] = NO_PREDECESSOR
    return rows, nearest


def from_nearest(
    graph: AnyGraph,
    kind: np.dtype[Any],
    indices: Any,
    return_predecessors: bool,
    policy: Policy | str,
    limit: float,
    out: Out,
    progress: Progress | bool | None,
) -> Any:
    """Return the distance of each vertex from the nearest source; on demand also predecessors and these sources."""
    n = graph.num_vertices
    sources = vertices_of(indices, n)
    settings = settings_of(policy, seconds_of("johnson", graph, 1), limit=limit, progress=progress)
    nearest, predecessors = np.empty((2, n), np.int32)
    call: Any = _core.nearest_sources  # It has an overload for each type.
    with result_array(out, (n,), kind) as row:
        keep_report(call(core_graph(graph, row), sources, row, nearest, predecessors, settings))
    if not return_predecessors:
        return row
    nearest[nearest < 0] = NO_PREDECESSOR
    predecessors[predecessors < 0] = NO_PREDECESSOR
    return row, predecessors, nearest

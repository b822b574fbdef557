# SPDX-License-Identifier: BSL-1.0
"""How many shortest paths there are, and how many lead through a vertex or an arc."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _core
from ._call import core_graph, keep_report, seconds_of, settings_of
from ._graph import (
    AnyGraph,
    Prepared,
    Sparse,
    Stored,
    any_graph_of,
    distance_type,
    exact,
    is_sparse,
    prepared_of,
    sources_of,
    sparse_of,
    stored_entries,
    unreachable,
    vertices_of,
)
from ._paths import PredecessorLists
from ._policies import Policy, auto
from ._progress import Progress

# The predicted time of distances and paths, as a multiple of that of the distances.
_TIMES_AS_LONG = 8


def betweenness(
    csgraph: Any,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    normalized: bool = False,
    endpoints: bool = False,
    edges: bool = False,
    scaled_to_all: bool = False,
    tolerance: float = 1e-12,
    merge_parallel: bool = False,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> Any:
    """The betweenness centrality of all vertices, and of the arcs.

    The score of a vertex is the sum over all pairs (s, t) of other vertices of the share of the shortest paths from s to
    t that lead through it, as in NetworkX's `betweenness_centrality` with ``normalized=False``. That of an arc is the
    same for all pairs of vertices, as in `edge_betweenness_centrality`. Pairs without a path and self-loops add
    nothing.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights, with the rules of `shortest_path`. They may be negative and 0, but a cycle must not have length
        0, which also excludes an edge of weight 0 with ``directed=False``.
    directed : bool
        If False, arcs can be followed in both directions, and each pair of vertices counts once, so that scores are half
        as large as with arcs in both directions. All arcs between two vertices are then one edge, as long as the
        shortest of them, whatever `merge_parallel` is. A `Hierarchy` is directed or not as it was made.
    unweighted : bool
        Count arcs instead of adding up weights.
    indices : int or array_like of int, optional
        The sources s; by default all vertices. All vertices are targets. A vertex that is listed twice counts twice.
    normalized : bool
        Divide scores by the number of pairs (s, t) that could add 1, if all vertices are sources: by (N - 1) (N - 2) of
        vertices, and by N (N - 1) of arcs, and of vertices with `endpoints`. With ``directed=False`` there are half as
        many pairs.
    endpoints : bool
        Paths lead through s and t, too.
    edges : bool
        Return the scores of the arcs, too. Not with a `Hierarchy`.
    scaled_to_all : bool
        Multiply scores by N and divide them by the number of sources: an estimate of the scores from all sources.
        NetworkX does so with `k`, and treats the sources themselves in another way.
    tolerance : float
        Two lengths of floating-point type count as equal if they differ by at most this, relative to the distance.
        With 0 they must be equal bit for bit, as sums from the source on, as in NetworkX. Weights in float32 are added
        up in float64. Integers are compared exactly.
    merge_parallel : bool
        Paths over different arcs between the same vertices count as one; of the lightest arcs one has the score. By
        default each of several parallel arcs of the same weight is on a path of its own. CSR and CSC have parallel
        arcs.
    policy, dtype, progress
        As for `shortest_path`. `dtype` is that of the distances, and `progress` counts sources. With 'cuda_tiled'
        devices compute the scores of roads, grids and meshes. For other graphs, and for `count_paths` and
        `tight_predecessors`, a device computes no more than the distances.
    limit : float
        Pairs that are farther apart add nothing.

    Returns
    -------
    scores : ndarray of float64
        Of shape (N,).
    edge_scores : scipy.sparse.csr_array or ndarray of float64
        If `edges`. For a sparse graph the array of the structure of ``csgraph.tocsr()``, with the same `indptr` and
        `indices`, whose `data` are scores: those of the data of a CSR graph in the same order, explicit zeros and
        parallel arcs included. For a dense graph an array of shape (N, N). Entries that are no arcs, and self-loops, have
        score 0. With ``directed=False`` every entry between two vertices, in either direction, has the score of the
        edge, which is that of both directions together; so that a dense result is symmetric.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length.
    ValueError
        If shortest paths contain a cycle of length 0, or so small that rounding hides it; if `tolerance` is negative or
        not finite; or for graphs as in `shortest_path`.

    Examples
    --------
    Two of the three shortest paths between other vertices of a chain of four lead through each of the inner ones:

    >>> import apsp, numpy as np
    >>> chain = np.diag([1, 1, 1], 1)
    >>> apsp.betweenness(chain, directed=False)
    array([0., 2., 2., 0.])
    >>> apsp.betweenness(chain, directed=False, normalized=True)
    array([0.        , 0.66666667, 0.66666667, 0.        ])

    Two paths from 0 to 3 are equally short:

    >>> scores, edge_scores = apsp.betweenness([[0, 1, 2, 0], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 0]], edges=True)
    >>> scores
    array([0. , 0.5, 0.5, 0. ])
    >>> edge_scores
    array([[0. , 1.5, 1.5, 0. ],
           [0. , 0. , 0. , 1.5],
           [0. , 0. , 0. , 1.5],
           [0. , 0. , 0. , 0. ]])
    """
    kind = distance_type(dtype, csgraph)
    stored: Stored | None = None
    graph: AnyGraph
    if edges and prepared_of(csgraph) is not None:
        raise TypeError("expected an array or a sparse matrix as graph with edges=True, got a Hierarchy")
    if edges and is_sparse(csgraph):
        stored = stored_entries(csgraph, unweighted, kind)
        graph = sparse_of(stored, directed)
    else:
        graph = any_graph_of(csgraph, directed, unweighted, kind)
    is_directed = graph.directed if isinstance(graph, Prepared) else directed
    sources = vertices_of(indices, graph.num_vertices)
    are_arcs = None if not edges or isinstance(graph, (Sparse, Prepared)) else graph.weights != unreachable(kind)
    scores = np.empty(graph.num_vertices)
    arc_scores = None
    if edges:
        arc_scores = np.empty(graph.num_edges if are_arcs is None else np.count_nonzero(are_arcs))
    call: Any = _core.betweenness  # It has an overload for each type.
    keep_report(
        call(
            core_graph(graph),
            sources,
            scores,
            arc_scores,
            **_options(tolerance, merge_parallel or not is_directed),
            halved=not is_directed,
            normalized=bool(normalized),
            endpoints=bool(endpoints),
            scaled_to_all=bool(scaled_to_all),
            settings=_settings(policy, graph, sources, limit, progress),
        )
    )
    if arc_scores is None:
        return scores
    if stored is not None:
        assert isinstance(graph, Sparse)
        return scores, _in_structure_of(stored, graph, arc_scores, directed)
    matrix = np.zeros((len(scores), len(scores)))
    matrix[are_arcs] = arc_scores
    return scores, matrix if directed else matrix + matrix.T


def _options(tolerance: float, merge_parallel: bool) -> dict[str, Any]:
    found = float(exact(tolerance, "a tolerance"))
    if not 0 <= found < math.inf:
        raise ValueError(f"expected a finite tolerance of 0 or more, got {tolerance}")
    return {"tolerance": found, "merge_parallel": bool(merge_parallel)}


def _settings(
    policy: Policy | str,
    graph: AnyGraph,
    sources: NDArray[np.int64],
    limit: float,
    progress: Progress | bool | None,
) -> _core.Settings:
    seconds = _TIMES_AS_LONG * seconds_of("johnson", graph, len(sources))
    return settings_of(policy, seconds, limit=limit, progress=progress)


def _in_structure_of(stored: Stored, graph: Sparse, arc_scores: NDArray[np.float64], directed: bool) -> Any:
    """Return a sparse array with the score of each stored entry."""
    import scipy.sparse

    are_arcs = slice(None) if stored.no_arc is None else ~stored.no_arc
    scores = np.zeros(len(stored.targets))
    if directed:
        scores[are_arcs] = arc_scores
    else:
        edge_of_entry = _edges_of(stored.offsets, stored.targets)[are_arcs]
        edges, entries = np.unique(edge_of_entry, return_inverse=True)
        arcs = np.searchsorted(edges, _edges_of(graph.offsets, graph.targets))
        scores[are_arcs] = np.bincount(arcs, arc_scores, len(edges))[entries]
    n = graph.num_vertices
    return scipy.sparse.csr_array((scores, stored.targets, stored.offsets), shape=(n, n), copy=True)


def _edges_of(offsets: NDArray[Any], targets: NDArray[Any]) -> NDArray[np.int64]:
    """Return a number for each arc that those between the same two vertices share."""
    n = len(offsets) - 1
    tails = np.repeat(np.arange(n), np.diff(offsets))
    numbers: NDArray[np.int64] = np.minimum(tails, targets) * n + np.maximum(tails, targets)
    return numbers


def count_paths(
    csgraph: Any,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    tolerance: float = 1e-12,
    merge_parallel: bool = False,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Shortest distances, and the number of shortest paths of each pair of vertices.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        As for `betweenness`.
    directed, unweighted, tolerance, merge_parallel
        As for `betweenness`.
    indices : int or array_like of int, optional
        The sources, in any shape; negative ones count from the end. By default all vertices.
    policy, dtype, progress
        As for `betweenness`.
    limit : float
        Vertices that are farther away are not reached, and have no path.

    Returns
    -------
    dist_matrix : ndarray
        One row of N distances for each source, as from `shortest_path`.
    counts : ndarray of float64
        In the same shape: the number of shortest paths from the source to the vertex, 1 from a vertex to itself, and 0
        if it cannot be reached. Counts are exact up to 2**53, rounded beyond that, and may be infinite.

    Raises
    ------
    NegativeCycleError, ValueError
        As `betweenness` does.

    Examples
    --------
    >>> import apsp
    >>> distances, counts = apsp.count_paths([[0, 1, 2, 0], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 0]])
    >>> print(distances[0, 3], counts[0, 3])
    3.0 2.0
    >>> apsp.count_paths([[0, 1, 1], [0, 0, 0], [0, 0, 0]], indices=0)
    (array([0., 1., 1.]), array([1., 1., 1.]))
    """
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    is_directed = graph.directed if isinstance(graph, Prepared) else directed
    n = graph.num_vertices
    sources = vertices_of(indices, n)
    distances, counts = np.empty((len(sources), n), kind), np.empty((len(sources), n))
    call: Any = _core.count_paths  # It has an overload for each type.
    keep_report(
        call(
            core_graph(graph),
            sources,
            distances,
            counts,
            **_options(tolerance, merge_parallel or not is_directed),
            settings=_settings(policy, graph, sources, limit, progress),
        )
    )
    shape = (*sources_of(indices, n)[1], n)
    return distances.reshape(shape), counts.reshape(shape)


def tight_predecessors(
    csgraph: Any,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    tolerance: float = 1e-12,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> tuple[NDArray[Any], Any]:
    """Shortest distances, and all predecessors of each vertex on all shortest paths.

    `shortest_path` with ``return_predecessors=True`` returns one of them. `shortest_paths` iterates over the paths.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        As for `betweenness`.
    directed, unweighted, tolerance
        As for `betweenness`.
    indices : int or array_like of int, optional
        The sources, in any shape; negative ones count from the end. By default all vertices.
    policy, dtype, progress
        As for `betweenness`.
    limit : float
        Vertices that are farther away are not reached, and have no predecessors.

    Returns
    -------
    dist_matrix : ndarray
        One row of N distances for each source, as from `shortest_path`.
    predecessors : PredecessorLists or list of PredecessorLists
        Those of the source if `indices` is an integer; otherwise a list with those of each source, in their order. The
        predecessors of v are all vertices from which an arc on a shortest path leads to v, ascending, each once, also
        if several parallel arcs do. They are in compressed form: ``indices[indptr[v] : indptr[v + 1]]``.

    Raises
    ------
    NegativeCycleError, ValueError
        As `betweenness` does.

    Examples
    --------
    Both vertices in the middle are on a shortest path to the last one:

    >>> import apsp
    >>> graph = [[0, 1, 2, 0], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 0]]
    >>> distances, predecessors = apsp.tight_predecessors(graph, indices=0)
    >>> distances
    array([0., 1., 2., 3.])
    >>> predecessors[3]
    array([1, 2], dtype=int32)
    >>> distances, predecessors = apsp.tight_predecessors(graph)
    >>> predecessors[1][3]
    array([1], dtype=int32)
    """
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    n = graph.num_vertices
    sources = vertices_of(indices, n)
    distances = np.empty((len(sources), n), kind)
    call: Any = _core.tight_predecessors  # It has an overload for each type.
    report, arrays = call(
        core_graph(graph),
        sources,
        distances,
        tolerance=_options(tolerance, False)["tolerance"],
        settings=_settings(policy, graph, sources, limit, progress),
    )
    keep_report(report)
    lists = [PredecessorLists(source, *pair) for source, pair in zip(sources.tolist(), arrays, strict=True)]
    shape = sources_of(indices, n)[1]
    return distances.reshape(*shape, n), lists if indices is None or shape else lists[0]


def betweenness_between(
    csgraph: Any,
    sources: Any,
    targets: Any,
    *,
    edges: bool = False,
    tolerance: float = 1e-12,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the betweenness of vertices or of arcs from sources to targets, as NetworkX 3.7 adds it up.

    That is not the betweenness of arcs in the usual sense: what leads on from a vertex that is no target is divided
    equally among its predecessors. The graph is a CSR array of positive weights whose rows are sorted, without parallel
    arcs; the scores of arcs are in the order of its data, and those of vertices are of no use then. A source that is
    listed twice counts twice, a target once.
    """
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, True, False, kind)
    n = graph.num_vertices
    first = vertices_of(sources, n)
    scores, arc_scores = np.zeros(n), np.zeros(csgraph.nnz if edges else 0)
    call: Any = _core.betweenness_between  # It has an overload for each type.
    keep_report(
        call(
            core_graph(graph),
            first,
            vertices_of(targets, n),
            scores,
            offsets=csgraph.indptr.astype(np.int64),
            arc_targets=csgraph.indices.astype(np.int32),
            arc_scores=arc_scores,
            tolerance=_options(tolerance, False)["tolerance"],
            settings=_settings(policy, graph, first, math.inf, None),
        )
    )
    return scores, arc_scores

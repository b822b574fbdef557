# SPDX-License-Identifier: BSL-1.0
"""The functions of scipy.sparse.csgraph, with the same names, parameters and rules.

Every function takes the parameters of its namesake in SciPy, in the same order, and after them, by keyword alone:

policy : Policy or str, optional
    Where to run: `apsp.auto` (the default), `seq`, `omp` or `cuda_tiled`, or a copy of them with other settings.
dtype : data type, optional
    Of the distances: float64 (the default, as in SciPy), float32, int32 or int64. Weights must be representable.
    An integer distance of a vertex that cannot be reached is `apsp.unreachable(dtype)`.
out : ndarray, optional
    Receives the distances: C-contiguous, of the right shape and of type `dtype`.
progress : callable, optional
    Called as progress(done, total) while the call runs.

Distances are those of SciPy. Where several paths are equally short, predecessors may be other ones than SciPy's.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
from numpy.typing import DTypeLike, NDArray

from . import _core
from ._policies import Policy, as_policy, auto, chosen

NO_PREDECESSOR = -9999
_TYPES = tuple(np.dtype(t) for t in (np.float64, np.float32, np.int32, np.int64))
# Calls that take longer look for Ctrl-C.
_LONGEST_DEAF_CALL = 0.05

Progress = Callable[[int, int], None]


class NegativeCycleError(scipy.sparse.csgraph.NegativeCycleError):
    """The graph has a cycle of negative length, so that there are no shortest paths.

    Attributes
    ----------
    cycle : list of int
        The vertices of such a cycle, each once, in the order of its arcs.
    """

    def __init__(self, cycle: list[int]) -> None:
        super().__init__("Negative cycle detected: " + " -> ".join(str(v) for v in [*cycle, cycle[0]]))
        self.cycle = cycle


class Report(NamedTuple):
    """How a call ran: see `last_result`."""

    algorithm: str
    executed_on: str
    fallback_reason: str
    num_devices: int
    out_of_core: bool
    saturated: bool


_last = threading.local()


def last_result() -> Report | None:
    """Return how the last call of this thread ran, or None before the first.

    Examples
    --------
    >>> import apsp
    >>> distances = apsp.floyd_warshall([[0, 1], [2, 0]])
    >>> apsp.last_result().executed_on
    'seq'
    """
    return getattr(_last, "report", None)


def unreachable(dtype: DTypeLike = np.float64) -> Any:
    """Return the distance of a vertex that cannot be reached: infinity, or the largest integer.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> print(apsp.unreachable(), apsp.unreachable(np.int32))
    inf 2147483647
    """
    kind = np.dtype(dtype)
    return np.array(np.inf if kind.kind == "f" else np.iinfo(kind).max, kind)[()]


class _Sparse(NamedTuple):
    offsets: NDArray[np.int64]
    targets: NDArray[np.int32]
    weights: NDArray[Any]

    @property
    def num_vertices(self) -> int:
        return len(self.offsets) - 1

    @property
    def num_edges(self) -> int:
        return len(self.targets)


class _Dense(NamedTuple):
    """`unreachable` where there is no arc."""

    weights: NDArray[Any]

    @property
    def num_vertices(self) -> int:
        return len(self.weights)

    @property
    def num_edges(self) -> int:
        return self.weights.size


def _has_negative_weight(graph: _Sparse | _Dense) -> bool:
    return bool(graph.weights.size) and bool(graph.weights.min() < 0)


def _distance_type(dtype: DTypeLike | None) -> np.dtype[Any]:
    kind = np.dtype(np.float64 if dtype is None else dtype)
    if kind not in _TYPES:
        raise TypeError(f"expected a dtype of float64, float32, int32 or int64, got {kind}")
    return kind


def _converted(weights: NDArray[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    """Return the weights as that type; a copy only if they have another one."""
    if weights.dtype == kind:
        return weights
    converted = weights.astype(kind)
    if kind.kind == "i" and not np.array_equal(converted, weights):
        raise ValueError(f"expected weights that {kind} holds, got others")
    return converted


def _sparse_graph(csgraph: Any, directed: bool, unweighted: bool, kind: np.dtype[Any]) -> _Sparse:
    """Return a sparse matrix as arcs: duplicates are summed, and stored zeros are arcs."""
    csr = csgraph.tocsr()
    if csr.ndim != 2 or csr.shape[0] != csr.shape[1]:
        raise ValueError(f"compressed-sparse graph must be shape (N, N), got {csr.shape}")
    if not csr.has_canonical_format:
        if csr is csgraph:
            csr = csr.copy()
        csr.sum_duplicates()
    n = csr.shape[0]
    if np.iscomplexobj(csr):
        raise TypeError("expected real weights, got complex ones")
    weights = np.ones(csr.nnz, kind) if unweighted else _converted(csr.data, kind)
    if not directed:
        # Parallel arcs: the lightest counts.
        sources = np.repeat(np.arange(n), np.diff(csr.indptr))
        both = scipy.sparse.coo_array(
            (
                np.concatenate([np.arange(csr.nnz), np.arange(csr.nnz)]),
                (np.concatenate([sources, csr.indices]), np.concatenate([csr.indices, sources])),
            ),
            shape=csr.shape,
        )
        order = np.argsort(both.row, kind="stable")
        offsets = np.zeros(n + 1, np.int64)
        np.cumsum(np.bincount(both.row, minlength=n), out=offsets[1:])
        return _Sparse(offsets, both.col[order].astype(np.int32), weights[both.data[order]])
    return _Sparse(
        np.ascontiguousarray(csr.indptr, np.int64),
        np.ascontiguousarray(csr.indices, np.int32),
        np.ascontiguousarray(weights),
    )


def _dense_graph(csgraph: Any, directed: bool, unweighted: bool, kind: np.dtype[Any]) -> _Dense:
    """Return a matrix in which 0, infinite, NaN and masked entries are no arcs. It is a copy."""
    is_masked = np.ma.isMaskedArray(csgraph)
    given = np.asarray(csgraph)
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise ValueError(f"graph must be shape (N, N), got {given.shape}")
    if np.iscomplexobj(given):
        raise TypeError("expected real weights, got complex ones")
    if given.dtype.kind not in "biuf":
        given = given.astype(np.float64)
    no_arc = given == 0
    if given.dtype.kind == "f":
        no_arc |= ~np.isfinite(given)
    if is_masked:
        no_arc |= np.ma.getmaskarray(csgraph)
    if unweighted:
        weights = np.ones(given.shape, kind)
    elif kind.kind == "i":
        weights = _converted(np.where(no_arc, 0, given), kind)
    else:
        weights = given.astype(kind)
    weights = np.ascontiguousarray(weights)
    weights[no_arc] = unreachable(kind)
    if not directed:
        weights = np.minimum(weights, weights.T)
    return _Dense(weights)


def _graph_of(csgraph: Any, directed: bool, unweighted: bool, kind: np.dtype[Any]) -> _Sparse | _Dense:
    if scipy.sparse.issparse(csgraph):
        return _sparse_graph(csgraph, directed, unweighted, kind)
    return _dense_graph(csgraph, directed, unweighted, kind)


def _sources_of(indices: Any, n: int) -> tuple[NDArray[np.int64] | None, tuple[int, ...]]:
    """Return the sources, None for all vertices, and the shape in which they were given."""
    if indices is None:
        return None, (n,)
    given = np.asarray(indices)
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"expected indices of an integer type, got {given.dtype}")
    sources = given.ravel().astype(np.int64)
    sources = np.where(sources < 0, sources + n, sources)
    if sources.size and (sources.min() < 0 or sources.max() >= n):
        raise ValueError(f"indices out of range 0...{n}")
    return np.ascontiguousarray(sources), given.shape


def _seconds_of(method: str, graph: _Sparse | _Dense, num_sources: int) -> float:
    """Return about how long one thread takes."""
    n = float(graph.num_vertices)
    from_each = 2e-9 * num_sources * (graph.num_edges + n * math.log2(n + 2))
    closure = 0.2e-9 * n**3
    if method == "floyd_warshall":
        return closure
    return min(from_each, closure) if method == "auto" else from_each


def _solve(
    method: str,
    graph: _Sparse | _Dense,
    kind: np.dtype[Any],
    indices: Any,
    return_predecessors: bool,
    policy: Policy | str,
    out: NDArray[Any] | None,
    progress: Progress | None,
    limit: float = math.inf,
) -> Any:
    n = graph.num_vertices
    sources, shape_of_sources = _sources_of(indices, n)
    shape = (*shape_of_sources, n)
    if out is None:
        out = np.empty(shape, kind)
    elif out.shape != shape or out.dtype != kind or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(
            f"expected a C-contiguous out of shape {shape} and type {kind} that can be written, got one of shape "
            f"{out.shape} and type {out.dtype}"
        )
    num_sources = n if sources is None else len(sources)
    distances = out.reshape(num_sources, n)
    predecessors = np.empty((num_sources, n), np.int32) if return_predecessors else None
    seconds = _seconds_of(method, graph, num_sources)
    run = chosen(as_policy(policy), seconds)
    settings = _core.Settings(
        method=method,
        policy=run.name,
        threads=run.threads,
        device=run.device,
        required=run.required,
        memory_limit=run.memory_limit,
        cutoff=None if limit == math.inf else limit,
        progress=progress,
    )
    # Python delivers signals to the main thread alone.
    is_long = seconds > _LONGEST_DEAF_CALL and threading.current_thread() is threading.main_thread()
    report: dict[str, Any] = {}
    if n != 0 and num_sources != 0:
        solve: Any = _core.solve
        report = solve(*graph, sources, distances, predecessors, settings, is_long)
    _last.report = Report(
        report.get("algorithm", method),
        report.get("executed_on", run.name),
        report.get("fallback_reason", ""),
        report.get("num_devices", 0),
        report.get("out_of_core", False),
        report.get("saturated", False),
    )
    if report.get("negative_cycle"):
        raise NegativeCycleError(report["negative_cycle"][:-1])  # It ends where it begins.
    if predecessors is None:
        return out
    predecessors[predecessors < 0] = NO_PREDECESSOR
    return out, predecessors.reshape(shape)


def shortest_path(
    csgraph: Any,
    method: str = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    progress: Progress | None = None,
) -> Any:
    """Shortest distances from all vertices or from some, as `scipy.sparse.csgraph.shortest_path`.

    Parameters
    ----------
    csgraph : array_like or sparse matrix or array
        N x N weights. In a dense matrix 0, infinity, NaN and masked entries are no arcs; in a sparse one, stored
        zeros are arcs.
    method : {'auto', 'FW', 'D', 'BF', 'J'}
        Floyd-Warshall, Dijkstra, Bellman-Ford, Johnson, or the one that is expected to be the fastest.
    directed : bool
        If False, arcs can be followed in both directions.
    return_predecessors : bool
        Return the predecessors, too.
    unweighted : bool
        Count arcs instead of adding up weights.
    overwrite : bool
        Let the distances replace a dense matrix of type `dtype`, if the method is 'FW'.
    indices : int or array_like of int, optional
        The sources, in any shape; negative ones count from the end. By default all vertices.

    Returns
    -------
    dist_matrix : ndarray
        One row of N distances for each source: of shape (N, N), or that of `indices` and N.
    predecessors : ndarray of int32
        If `return_predecessors`: the vertex before v on a shortest path from the source, or -9999 if v is the
        source or cannot be reached.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length.

    Examples
    --------
    >>> import apsp
    >>> apsp.shortest_path([[0, 1, 5], [0, 0, 2], [1, 0, 0]])
    array([[0., 1., 3.],
           [3., 0., 2.],
           [1., 2., 0.]])
    """
    if method == "FW":
        if indices is not None:
            raise ValueError("Cannot specify indices with method == 'FW'.")
        return floyd_warshall(
            csgraph, directed, return_predecessors, unweighted, overwrite,
            policy=policy, dtype=dtype, out=out, progress=progress,
        )  # fmt: skip
    if method == "D":
        return dijkstra(
            csgraph, directed, indices, return_predecessors, unweighted,
            policy=policy, dtype=dtype, out=out, progress=progress,
        )  # fmt: skip
    names = {"BF": "bellman_ford", "J": "johnson", "auto": "auto"}
    if method not in names:
        raise ValueError(f"unrecognized method '{method}'")
    kind = _distance_type(dtype)
    graph = _graph_of(csgraph, directed, unweighted, kind)
    name = names[method]
    if name == "auto" and indices is not None:
        name = "johnson" if _has_negative_weight(graph) else "dijkstra"
    return _solve(name, graph, kind, indices, return_predecessors, policy, out, progress)


def floyd_warshall(
    csgraph: Any,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    progress: Progress | None = None,
) -> Any:
    """Shortest distances between all vertices, by Floyd-Warshall, as `scipy.sparse.csgraph.floyd_warshall`.

    Parameters, results and exceptions are those of `shortest_path`.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> apsp.floyd_warshall(np.array([[0, 1, 5], [0, 0, 2], [1, 0, 0]]), dtype=np.int32)
    array([[0, 1, 3],
           [3, 0, 2],
           [1, 2, 0]], dtype=int32)
    """
    kind = _distance_type(dtype)
    graph = _graph_of(csgraph, directed, unweighted, kind)
    may_overwrite = (
        overwrite
        and out is None
        and isinstance(csgraph, np.ndarray)
        and csgraph.dtype == kind
        and csgraph.flags.c_contiguous
        and csgraph.flags.writeable
    )
    return _solve(
        "floyd_warshall", graph, kind, None, return_predecessors, policy, csgraph if may_overwrite else out, progress
    )


def dijkstra(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = math.inf,
    min_only: bool = False,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    progress: Progress | None = None,
) -> Any:
    """Shortest distances by Dijkstra's algorithm, as `scipy.sparse.csgraph.dijkstra`.

    Parameters, results and exceptions are those of `shortest_path`, and:

    Parameters
    ----------
    limit : float
        Vertices that are farther away are not reached; at least 0.
    min_only : bool
        Return one row: for each vertex the distance from the nearest source.

    Returns
    -------
    dist_matrix, predecessors : ndarray
    sources : ndarray of int32
        If `min_only` and `return_predecessors`: for each vertex the nearest source, or -9999.

    Notes
    -----
    With negative weights there is a warning, as in SciPy, and the distances are those of Johnson's algorithm.

    Examples
    --------
    >>> import apsp
    >>> apsp.dijkstra([[0, 1, 5], [0, 0, 2], [1, 0, 0]], indices=0, limit=2)
    array([ 0.,  1., inf])
    """
    if not limit >= 0:
        raise ValueError("limit must be >= 0")
    kind = _distance_type(dtype)
    graph = _graph_of(csgraph, directed, unweighted, kind)
    name = "dijkstra"
    if _has_negative_weight(graph):
        warnings.warn(
            "Graph has negative weights: dijkstra will give inaccurate results if the graph contains negative "
            "cycles. Consider johnson or bellman_ford.",
            stacklevel=2,
        )
        name = "johnson"
    if min_only:
        return _from_nearest(name, graph, kind, indices, return_predecessors, policy, out, progress, limit)
    return _solve(name, graph, kind, indices, return_predecessors, policy, out, progress, limit)


def _from_nearest(
    method: str,
    graph: _Sparse | _Dense,
    kind: np.dtype[Any],
    indices: Any,
    return_predecessors: bool,
    policy: Policy | str,
    out: NDArray[Any] | None,
    progress: Progress | None,
    limit: float,
) -> Any:
    """Distances from the nearest of the sources: those from one more vertex with arcs of length 0 to them."""
    n = graph.num_vertices
    sources = _sources_of(indices, n)[0]
    if sources is None:
        sources = np.arange(n)
    sources = np.unique(sources)
    if isinstance(graph, _Dense):
        rows, columns = np.nonzero(graph.weights != unreachable(kind))
        offsets = np.zeros(n + 1, np.int64)
        np.cumsum(np.bincount(rows, minlength=n), out=offsets[1:])
        graph = _Sparse(offsets, columns.astype(np.int32), graph.weights[rows, columns])
    joined = _Sparse(
        np.append(graph.offsets, graph.num_edges + len(sources)),
        np.append(graph.targets, sources.astype(np.int32)),
        np.append(graph.weights, np.zeros(len(sources), kind)),
    )
    distances, predecessors = _solve(method, joined, kind, n, True, policy, None, progress, limit)
    distances = distances[:n]
    if out is not None:
        out[...] = distances
        distances = out
    if not return_predecessors:
        return distances
    is_source = predecessors[:n] == n
    predecessors = np.where(is_source, NO_PREDECESSOR, predecessors[:n]).astype(np.int32)
    # The root of each tree is found by following twice as many predecessors in each step.
    roots = np.where(is_source, np.arange(n), predecessors)
    while True:
        reached = roots >= 0
        farther = roots.copy()
        farther[reached] = roots[roots[reached]]
        if np.array_equal(farther, roots):
            break
        roots = farther
    return distances, predecessors, roots.astype(np.int32)


def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    progress: Progress | None = None,
) -> Any:
    """Shortest distances by the algorithm of Bellman and Ford, as `scipy.sparse.csgraph.bellman_ford`.

    Parameters, results and exceptions are those of `shortest_path`.

    Examples
    --------
    >>> import apsp
    >>> apsp.bellman_ford([[0, 4, 5], [0, 0, 0], [0, -3, 0]], indices=0)
    array([0., 2., 5.])
    """
    kind = _distance_type(dtype)
    graph = _graph_of(csgraph, directed, unweighted, kind)
    return _solve("bellman_ford", graph, kind, indices, return_predecessors, policy, out, progress)


def johnson(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    progress: Progress | None = None,
) -> Any:
    """Shortest distances by Johnson's algorithm, as `scipy.sparse.csgraph.johnson`.

    Parameters, results and exceptions are those of `shortest_path`.

    Examples
    --------
    >>> import apsp
    >>> apsp.johnson([[0, 4, 5], [0, 0, 0], [0, -3, 0]])
    array([[ 0.,  2.,  5.],
           [inf,  0., inf],
           [inf, -3.,  0.]])
    """
    kind = _distance_type(dtype)
    graph = _graph_of(csgraph, directed, unweighted, kind)
    return _solve("johnson", graph, kind, indices, return_predecessors, policy, out, progress)

# SPDX-License-Identifier: BSL-1.0
"""The functions of scipy.sparse.csgraph, with the same names, parameters and rules.

Every function takes the parameters of its namesake in SciPy, in the same order, and after them, by keyword alone:

policy : Policy or str, optional
    Where to run: `apsp.auto` (the default), `seq`, `omp` or `cuda_tiled`, or a copy of them with other settings.
dtype : data type, optional
    Of the distances: float64 (the default, as in SciPy), float32, int32 or int64. Other weights are a ValueError.
    An integer distance of a vertex that cannot be reached is `apsp.unreachable(dtype)`.
targets : int or array_like of int, optional
    Of `shortest_path` and `dijkstra`: compute the distances to these vertices alone.
semiring : str, optional
    Of `shortest_path`: what the best path is.
out : ndarray or path, optional
    Receives the distances: C-contiguous, of the right shape and of type `dtype`. If it is a path that ends in .npy, they
    are written to a new file, which is put in place when the call has succeeded, and are an array that is mapped to it:
    see `mapped`.
progress : callable or bool, optional
    Called as progress(done, total) while the call runs. True shows a bar of tqdm if that is installed, and plain text
    otherwise.

Distances are those of SciPy. Where several paths are equally short, predecessors may be other ones than SciPy's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from ._call import (
    Out,
    checked_limit,
    core_graph,
    keep_report,
    result_array,
    seconds_of,
    settings_of,
    warn_of_negative_weights,
)
from ._device import solve_on_device
from ._graph import (
    NO_PREDECESSOR,
    AnyGraph,
    any_graph_of,
    distance_type,
    has_negative_weight,
    is_on_device,
    sources_of,
)
from ._policies import Policy, auto
from ._progress import Progress
from ._queries import from_nearest, table_of
from ._semirings import solve_over


def _solve(
    method: str,
    graph: AnyGraph,
    kind: np.dtype[Any],
    indices: Any,
    return_predecessors: bool,
    policy: Policy | str,
    out: Out,
    progress: Progress | bool | None,
    limit: float = math.inf,
) -> Any:
    n = graph.num_vertices
    sources, shape_of_sources = sources_of(indices, n)
    if method == "auto" and sources is not None and np.array_equal(sources, np.arange(n)):
        sources = None  # The choice for all pairs has more algorithms.
    shape = (*shape_of_sources, n)
    num_sources = n if sources is None else len(sources)
    settings = settings_of(
        policy,
        seconds_of("johnson" if method == "auto" and sources is not None else method, graph, num_sources),
        method=method,
        limit=limit,
        progress=progress,
        may_use_device=True,
    )
    predecessors = np.empty((num_sources, n), np.int32) if return_predecessors else None
    solve: Any = _core.solve  # It has an overload for each type.
    with result_array(out, shape, kind) as distances:
        rows = distances.reshape(num_sources, n)
        keep_report(solve(core_graph(graph, distances), sources, rows, predecessors, settings))
    if predecessors is None:
        return distances
    predecessors[predecessors < 0] = NO_PREDECESSOR
    return distances, predecessors.reshape(shape)


def _check_targets(return_predecessors: bool, min_only: bool) -> None:
    if return_predecessors or min_only:
        with_them = "return_predecessors" if return_predecessors else "min_only"
        raise ValueError(f"expected targets without return_predecessors and min_only, got {with_them}, too")


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
    targets: Any = None,
    semiring: str = "min_plus",
    out: Out = None,
    progress: Progress | bool | None = None,
) -> Any:
    """Shortest distances from all vertices or from some, as `scipy.sparse.csgraph.shortest_path`.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights. In a dense matrix 0, infinity, NaN and masked entries are no arcs; in a sparse one, stored
        zeros are arcs. It may be in the memory of a CUDA device; the distances are then there, too.
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
    targets : int or array_like of int, optional
        Compute the distances to these vertices alone, without predecessors, if the method is 'auto', 'D' or 'J'.
    semiring : {'min_plus', 'max_min', 'min_max', 'max_times'}
        What the best path is, if the method is 'auto'. Of 'max_min' it is the widest one: a path is as wide as its
        narrowest arc. Of 'min_max' it is the one whose heaviest arc is the lightest. Of 'max_times' it is the most
        reliable one: weights are probabilities, which are multiplied. See Notes.

    Returns
    -------
    dist_matrix : ndarray
        One row of N distances for each source: of shape (N, N), or that of `indices` and N. With `targets`, their shape
        takes the place of N.
    predecessors : ndarray of int32
        If `return_predecessors`: the vertex before v on a shortest path from the source, or -9999 if v is the
        source or cannot be reached.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length.

    Notes
    -----
    The value of the empty path from a vertex to itself, and that without a path:

    - 'max_min': infinity and minus infinity, or the largest and the least integer;
    - 'min_max': minus infinity and infinity, or the least and the largest integer;
    - 'max_times': 1 and 0.

    With `directed=False`, the better of two arcs counts.

    Examples
    --------
    >>> import apsp
    >>> apsp.shortest_path([[0, 1, 5], [0, 0, 2], [1, 0, 0]])
    array([[0., 1., 3.],
           [3., 0., 2.],
           [1., 2., 0.]])
    >>> apsp.shortest_path([[0, 0.9, 0.5], [0, 0, 0.8], [0, 0, 0]], semiring="max_times")
    array([[1.  , 0.9 , 0.72],
           [0.  , 1.  , 0.8 ],
           [0.  , 0.  , 1.  ]])
    """
    if semiring != "min_plus":
        if method != "auto" or targets is not None:
            given = f"method {method!r}" if method != "auto" else "targets"
            raise ValueError(f"expected method 'auto' and no targets with the semiring {semiring!r}, got {given}")
        return solve_over(
            semiring, csgraph, directed, return_predecessors, unweighted, indices,
            policy, distance_type(dtype), out, progress,
        )  # fmt: skip
    if targets is not None and method not in ("auto", "D", "J"):
        raise ValueError(f"expected method 'auto', 'D' or 'J' with targets, got {method!r}")
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
            policy=policy, dtype=dtype, targets=targets, out=out, progress=progress,
        )  # fmt: skip
    names = {"BF": "bellman_ford", "J": "johnson", "auto": "auto"}
    if method not in names:
        raise ValueError(f"unrecognized method '{method}'")
    if is_on_device(csgraph) and targets is None:
        # The calls for arrays on a device choose for all vertices alone.
        name = "johnson" if method == "auto" and indices is not None else names[method]
        return solve_on_device(
            name, csgraph, directed, unweighted, indices, return_predecessors, policy, dtype, out, progress
        )
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    if targets is not None:
        _check_targets(return_predecessors, False)
        return table_of(graph, kind, indices, targets, policy, math.inf, out, progress)
    return _solve(names[method], graph, kind, indices, return_predecessors, policy, out, progress)


def floyd_warshall(
    csgraph: Any,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    out: Out = None,
    progress: Progress | bool | None = None,
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
    if is_on_device(csgraph):
        return solve_on_device(
            "floyd_warshall", csgraph, directed, unweighted, None, return_predecessors, policy, dtype, out, progress
        )
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    may_overwrite = (
        overwrite
        and out is None
        and type(csgraph) in (np.ndarray, np.memmap)
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
    targets: Any = None,
    out: Out = None,
    progress: Progress | bool | None = None,
) -> Any:
    """Shortest distances by Dijkstra's algorithm, as `scipy.sparse.csgraph.dijkstra`.

    Parameters, results and exceptions are those of `shortest_path`, and:

    Parameters
    ----------
    limit : float
        Vertices that are farther away are not reached; at least 0.
    min_only : bool
        Return one row: for each vertex the distance from the nearest source. Not with `targets`.

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
    limit = checked_limit(limit)
    if is_on_device(csgraph) and targets is None and not min_only:
        return solve_on_device(
            "dijkstra", csgraph, directed, unweighted, indices, return_predecessors, policy, dtype, out, progress, limit
        )
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    name = "dijkstra"
    if has_negative_weight(graph):
        warn_of_negative_weights(stacklevel=3)
        name = "johnson"
    if targets is not None:
        _check_targets(return_predecessors, min_only)
        return table_of(graph, kind, indices, targets, policy, limit, out, progress)
    if min_only:
        return from_nearest(graph, kind, indices, return_predecessors, policy, limit, out, progress)
    return _solve(name, graph, kind, indices, return_predecessors, policy, out, progress, limit)


def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    out: Out = None,
    progress: Progress | bool | None = None,
) -> Any:
    """Shortest distances by the algorithm of Bellman and Ford, as `scipy.sparse.csgraph.bellman_ford`.

    Parameters, results and exceptions are those of `shortest_path`.

    Examples
    --------
    >>> import apsp
    >>> apsp.bellman_ford([[0, 4, 5], [0, 0, 0], [0, -3, 0]], indices=0)
    array([0., 2., 5.])
    """
    if is_on_device(csgraph):
        return solve_on_device(
            "bellman_ford", csgraph, directed, unweighted, indices, return_predecessors, policy, dtype, out, progress
        )
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
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
    out: Out = None,
    progress: Progress | bool | None = None,
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
    if is_on_device(csgraph):
        return solve_on_device(
            "johnson", csgraph, directed, unweighted, indices, return_predecessors, policy, dtype, out, progress
        )
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    return _solve("johnson", graph, kind, indices, return_predecessors, policy, out, progress)

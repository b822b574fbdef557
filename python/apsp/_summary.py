# SPDX-License-Identifier: BSL-1.0
"""Measures of all distances of a graph, without a matrix of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _core
from ._call import core_graph, keep_report, seconds_of, settings_of
from ._graph import all_numbers_of, any_graph_of, distance_type, vertices_of
from ._policies import Policy, auto
from ._progress import Progress


class DistantPair(NamedTuple):
    """Two vertices and the distance from one to the other."""

    distance: Any
    source: int
    target: int


@dataclass(frozen=True, eq=False)
class Summary:
    """A summary of the distances from some vertices, with one entry for each source in one-dimensional arrays.

    Only vertices that the source reaches count, and never the source itself.

    Attributes
    ----------
    num_vertices : int
        Of the graph.
    sources : ndarray of int64
        The sources, in the order of the call.
    eccentricity : ndarray
        The largest distance to a vertex that is reached, in the type of the distances; 0 if there is none.
    farthest : ndarray of int64
        The vertex at that distance with the smallest number.
    num_reached : ndarray of int64
        The number of other vertices that are reached.
    sum : ndarray of float64, or int64 if distances are integers
        The sum of their distances.
    inverse_sum : ndarray of float64
        The sum of 1 / distance. Vertices at distance 0 add nothing.
    """

    num_vertices: int
    sources: NDArray[np.int64]
    eccentricity: NDArray[Any]
    farthest: NDArray[np.int64]
    num_reached: NDArray[np.int64]
    sum: NDArray[Any]
    inverse_sum: NDArray[np.float64]

    @property
    def all_reached(self) -> bool:
        """Whether every source reaches every vertex."""
        return bool(np.all(self.num_reached == self.num_vertices - 1))

    @property
    def radius(self) -> Any:
        """The smallest eccentricity. ValueError if there are no sources."""
        self._require_sources()
        return self.eccentricity.min()

    @property
    def diameter(self) -> DistantPair:
        """The largest distance, and the pair at this distance with the smallest numbers. ValueError if no sources."""
        self._require_sources()
        largest = self.eccentricity.max()
        places = np.flatnonzero(self.eccentricity == largest)
        i = places[np.argmin(self.sources[places])]
        return DistantPair(largest, int(self.sources[i]), int(self.farthest[i]))

    def closeness(self, wf_improved: bool = True) -> NDArray[np.float64]:
        """Return the closeness of each source: see `apsp.closeness`."""
        sums = self.sum.astype(np.float64)
        found = np.divide(self.num_reached, sums, out=np.zeros(len(sums)), where=sums > 0)
        if wf_improved and self.num_vertices > 1:
            found *= self.num_reached / (self.num_vertices - 1)
        return found

    @property
    def harmonic(self) -> NDArray[np.float64]:
        """The harmonic closeness of each source: `inverse_sum`."""
        return self.inverse_sum

    @property
    def num_pairs(self) -> int:
        """The number of pairs of a source and another vertex that it reaches."""
        return int(self.num_reached.sum())

    @property
    def total_distance(self) -> int | float:
        """The sum of the distances of those pairs: over all vertices of an undirected graph twice its Wiener index."""
        total: int | float = sum(self.sum.tolist())
        return total

    @property
    def mean_distance(self) -> float:
        """The mean distance of those pairs; NaN if there are none."""
        return self.total_distance / self.num_pairs if self.num_pairs else math.nan

    def _require_sources(self) -> None:
        if len(self.sources) == 0:
            raise ValueError("expected a summary of one source or more, got none")


def summarize(
    csgraph: Any,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> Summary:
    """Eccentricities, sums and inverse sums of the distances from all vertices or from some, without a matrix.

    Memory does not grow with the square of N: each row of distances is summed and dropped as soon as it is known.
    Distances are those from the sources; for distances to them, pass the transposed matrix.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights, with the rules of `shortest_path`.
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    indices : int or array_like of int, optional
        The sources; by default all vertices.
    policy, dtype, progress
        As for `shortest_path`.
    limit : float
        Vertices that are farther away count as unreachable.

    Returns
    -------
    Summary

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length.
    OverflowError
        If distances are integers and a sum exceeds int64.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> path = np.diag([2.0, 3.0, 4.0], 1)
    >>> summary = apsp.summarize(path, directed=False)
    >>> summary.eccentricity
    array([9., 7., 5., 9.])
    >>> summary.sum
    array([16., 12., 12., 20.])
    >>> print(summary.radius, summary.mean_distance)
    5.0 5.0
    >>> pair = summary.diameter
    >>> print(pair.distance, pair.source, pair.target)
    9.0 0 3
    """
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    n = graph.num_vertices
    sources = vertices_of(indices, n)
    settings = settings_of(
        policy, seconds_of("auto", graph, len(sources)), limit=limit, progress=progress, may_use_device=True
    )
    call: Any = _core.summarize  # It has an overload for each type.
    report, *columns = call(core_graph(graph), sources, settings)
    keep_report(report)
    return Summary(n, sources, *columns)


def _in_shape_of(indices: Any, values: NDArray[Any]) -> Any:
    """Return the values in the shape in which the sources were given."""
    return values if indices is None else values.reshape(np.shape(indices))[()]


def eccentricity(
    csgraph: Any,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> Any:
    """Return the largest distance from each source to a vertex that it reaches, in the shape of `indices`.

    Parameters are those of `summarize`. Vertices that are not reached do not count.

    Examples
    --------
    >>> import apsp
    >>> apsp.eccentricity([[0, 1, 5], [0, 0, 2], [1, 0, 0]])
    array([3., 3., 2.])
    """
    found = summarize(
        csgraph, directed, unweighted, indices, policy=policy, dtype=dtype, limit=limit, progress=progress
    )
    return _in_shape_of(indices, found.eccentricity)


def closeness(
    csgraph: Any,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    wf_improved: bool = True,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> Any:
    """Return the closeness of each source, in the shape of `indices`.

    If a source reaches r other vertices and s is the sum of their distances, its closeness is r / s, and 0 if s is not
    above 0. With `wf_improved` it is multiplied by r / (N - 1), after Wasserman and Faust, so that a source that
    reaches few vertices gets a small value. Both are as in NetworkX, except that NetworkX takes the distances to a
    vertex of a directed graph; pass the transposed matrix for them.

    Other parameters are those of `summarize`.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> path = np.diag([1.0, 1.0], 1)
    >>> apsp.closeness(path)
    array([0.66666667, 0.5       , 0.        ])
    >>> apsp.closeness(path, wf_improved=False)
    array([0.66666667, 1.        , 0.        ])
    """
    found = summarize(
        csgraph, directed, unweighted, indices, policy=policy, dtype=dtype, limit=limit, progress=progress
    )
    return _in_shape_of(indices, found.closeness(wf_improved))


def harmonic(
    csgraph: Any,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> Any:
    """Return the harmonic closeness of each source, in the shape of `indices`: the sum of 1 / distance.

    It is not divided by N - 1. Vertices that are not reached or are at distance 0 add nothing. NetworkX's
    `harmonic_centrality` is the same with the distances to a vertex; pass the transposed matrix for them.

    Parameters are those of `summarize`.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> apsp.harmonic(np.diag([1.0, 1.0], 1))
    array([1.5, 1. , 0. ])
    """
    found = summarize(
        csgraph, directed, unweighted, indices, policy=policy, dtype=dtype, limit=limit, progress=progress
    )
    return _in_shape_of(indices, found.harmonic)


class Histogram(NamedTuple):
    """The number of pairs of a source and another vertex by distance. Every such pair is counted once.

    Attributes
    ----------
    counts : ndarray of uint64
        One count for each bin.
    edges : ndarray
        The edges of the bins, in the type of the distances.
    below, above, unreachable : int
        The numbers of pairs below and above all bins, and of those without a path.
    """

    counts: NDArray[np.uint64]
    edges: NDArray[Any]
    below: int
    above: int
    unreachable: int


def histogram(
    csgraph: Any,
    bins: ArrayLike,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> Histogram:
    """Count pairs of a source and another vertex by distance, without a matrix of distances.

    Parameters
    ----------
    csgraph, directed, unweighted, indices, policy, dtype, limit, progress
        As for `summarize`.
    bins : array_like
        Ascending edges, as those of `numpy.histogram`: a bin has its lower edge, and the last bin also its upper edge.
        For integer distances edges must be integers.

    Returns
    -------
    Histogram

    Examples
    --------
    >>> import apsp, numpy as np
    >>> path = np.diag([1.0, 1.0, 1.0], 1)
    >>> found = apsp.histogram(path, [0, 1, 2, 3])
    >>> found.counts
    array([0, 3, 3], dtype=uint64)
    >>> found.unreachable
    6
    """
    kind = distance_type(dtype, csgraph)
    edges = all_numbers_of(bins, kind, "edges of bins").copy()
    if edges.ndim != 1:
        raise ValueError(f"expected the edges of bins in an array of one dimension, got {edges.ndim}")
    closed = edges.copy()
    if len(closed) and closed[-1] < (np.inf if kind.kind == "f" else np.iinfo(kind).max):
        # The library's last bin has no upper edge.
        closed[-1] = np.nextafter(closed[-1], np.array(np.inf, kind)) if kind.kind == "f" else closed[-1] + 1
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    sources = vertices_of(indices, graph.num_vertices)
    settings = settings_of(
        policy, seconds_of("auto", graph, len(sources)), limit=limit, progress=progress, may_use_device=True
    )
    call: Any = _core.histogram  # It has an overload for each type.
    report, counts, below, above, unreachable = call(core_graph(graph), sources, closed, settings)
    keep_report(report)
    return Histogram(counts, edges, below, above, unreachable)

# SPDX-License-Identifier: BSL-1.0
"""Pictures of graphs whose vertices have positions, by matplotlib, which is imported when it is used."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._csgraph import shortest_path
from ._graph import NO_PREDECESSOR, Dense, graph_of
from ._policies import Policy, auto
from ._summary import summarize

__all__ = ["eccentricity"]

_NO_COLOR = "#bebebe"
_MARK_COLOR = "#e41a1c"


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError("apsp.plot needs matplotlib") from error


def _ends_of_edges(csgraph: Any, directed: bool) -> NDArray[np.int64]:
    """Return the two vertices of each edge, once each."""
    graph = graph_of(csgraph, directed, True, np.dtype(np.float64))
    if isinstance(graph, Dense):
        ends = np.argwhere(np.isfinite(graph.weights))
    else:
        tails = np.repeat(np.arange(graph.num_vertices), np.diff(graph.offsets))
        ends = np.stack([tails, graph.targets], axis=1)
    ends = np.sort(ends.astype(np.int64), axis=1)
    return np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)


def _path(predecessors: NDArray[Any], target: int) -> list[int]:
    path = [target]
    while (before := int(predecessors[path[-1]])) != NO_PREDECESSOR:
        path.append(before)
    return path[::-1]


def eccentricity(
    csgraph: Any,
    positions: ArrayLike,
    ax: Any = None,
    *,
    directed: bool = True,
    unweighted: bool = False,
    policy: Policy | str = auto,
    edges: bool = True,
    size: float | None = None,
    cmap: Any = "viridis",
    colorbar: bool = True,
) -> Any:
    """Draw the vertices of a graph with their eccentricities as colours, the centre and the longest shortest path.

    The eccentricity of a vertex is the largest distance from it to a vertex that it reaches. The centre is the first
    vertex of least eccentricity. If not all vertices reach the same number of others, those that do not reach the most
    frequent number are grey, and none of them is the centre.

    Parameters
    ----------
    csgraph : array_like or sparse matrix or array
        N x N weights, with the rules of `shortest_path`.
    positions : array_like
        Of the vertices: N x 2 or N x 3.
    ax : matplotlib Axes, optional
        Where to draw; for positions in space, axes with ``projection="3d"``. By default axes of a new figure, with
        equal scales.
    directed, unweighted, policy
        As for `summarize`.
    edges : bool
        Draw the edges, too, as thin grey lines.
    size : float, optional
        Of the vertices, in points squared, as `s` of matplotlib's ``scatter``.
    cmap : str or matplotlib Colormap
        The colours.
    colorbar : bool
        Add a scale of the colours.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    NegativeCycleError
        If there is a cycle of negative length.

    Examples
    --------
    >>> import apsp.plot, numpy as np
    >>> corners = np.array([[0, 0], [2, 0], [2, 1], [0, 1]])
    >>> ring = np.diag([2, 1, 2], 1)
    >>> ax = apsp.plot.eccentricity(ring, corners, directed=False)  # doctest: +SKIP
    >>> ax.figure.savefig("ring.svg")  # doctest: +SKIP
    """
    points = np.asarray(positions, np.float64)
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        raise ValueError(f"expected positions of shape (N, 2) or (N, 3), got {points.shape}")
    in_space = points.shape[1] == 3
    if ax is not None and in_space and not hasattr(ax, "get_zlim"):
        raise ValueError("expected axes with projection='3d' for positions of shape (N, 3)")
    collections = _module("mpl_toolkits.mplot3d.art3d" if in_space else "matplotlib.collections")
    if ax is None:
        # Imported here, so that a call without it fails before the graph is solved.
        pyplot = _module("matplotlib.pyplot")

    summary = summarize(csgraph, directed, unweighted, policy=policy)
    if summary.num_vertices != len(points):
        raise ValueError(f"expected positions of {summary.num_vertices} vertices, got {len(points)}")
    diameter = summary.diameter
    _, predecessors = shortest_path(
        csgraph,
        directed=directed,
        unweighted=unweighted,
        return_predecessors=True,
        indices=diameter.source,
        policy=policy,
    )
    path = _path(predecessors, diameter.target)
    counts = np.bincount(summary.num_reached)
    usual = np.flatnonzero(counts == counts.max())[-1]
    drawn = summary.num_reached == usual
    centre = int(np.flatnonzero(drawn)[np.argmin(summary.eccentricity[drawn])])

    if ax is None:
        ax = pyplot.figure().add_subplot(projection="3d" if in_space else None)
        ax.set_aspect("equal")
    if edges:
        lines = points[_ends_of_edges(csgraph, directed)]
        make = collections.Line3DCollection if in_space else collections.LineCollection
        ax.add_collection(make(lines, colors=_NO_COLOR, linewidths=0.5, zorder=1))
    # In space, matplotlib would fade distant vertices.
    settings: dict[str, Any] = {"depthshade": False} if in_space else {}
    if size is not None:
        settings["s"] = size
    if not drawn.all():
        ax.scatter(*points[~drawn].T, color=_NO_COLOR, zorder=2, **settings)
    colored = ax.scatter(*points[drawn].T, c=summary.eccentricity[drawn], cmap=cmap, zorder=2, **settings)
    label = f"longest shortest path: {diameter.distance:.4g}"
    ax.plot(*points[path].T, color="black", linewidth=3.5, zorder=3)
    ax.plot(*points[path].T, color="white", linewidth=2, zorder=4)
    # The entry of the legend; white would not be seen there.
    ax.plot([], [], color="black", linewidth=2, label=label)
    ax.plot(
        *points[[centre]].T,
        linestyle="none",
        marker="o",
        markersize=8,
        markeredgecolor="white",
        color=_MARK_COLOR,
        label="centre",
        zorder=5,
    )
    if colorbar:
        ax.figure.colorbar(colored, ax=ax, label="eccentricity")
    ax.legend()
    return ax

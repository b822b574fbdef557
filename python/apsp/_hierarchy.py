# SPDX-License-Identifier: BSL-1.0
"""Graphs that are prepared once for several calls."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from ._call import core_graph, keep_report, seconds_of, settings_for
from ._carry import carried_type, carrying_graph_of
from ._graph import WEIGHT_TYPES, AnyGraph, Prepared, any_graph_of, distance_type, vertices_of
from ._policies import Policy, as_policy, auto, chosen

# Of the preparation, for each arc and each vertex of a graph of few crossings, on one thread.
_SECONDS_PER_ARC = 5e-8


class Hierarchy:
    """A graph that has been prepared for shortest paths from many sources, to be used by several calls.

    It takes the place of `csgraph` in `shortest_path`, `dijkstra`, `bellman_ford`, `johnson`, `floyd_warshall`,
    `for_each_row`, `distance_table`, `distances_of_pairs`, `paths_of_pairs`, `nearest_sources`, `distances_within`,
    `betweenness`, `count_paths`, `tight_predecessors`, and the summaries. Where the distances of all vertices or of many are asked for, calls
    skip the preparation that `shortest_path` would need for elimination; others search it like any other graph. It does
    not refer to the graph that it was made of.

    Parameters
    ----------
    csgraph : array_like or sparse matrix or array
        N x N weights, with the rules of `shortest_path`.
    order : array_like of int, optional
        Every vertex once, the first to be eliminated first, for example from METIS or KaHIP. By default vertices of
        least degree come first.
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    policy : Policy or str
        Where to prepare it: with 'cuda_tiled' the host does as well. 'auto' takes threads for graphs that are large.
    dtype : data type, optional
        Of the weights and of the distances that calls return: float64 (the default), float32, int32 or int64.
    carry : array_like or sparse matrix or array, optional
        An attribute of each arc, as for `distance_table`. That function and `distances_of_pairs` then return distances
        and attributes; others do not take such a hierarchy. `dtype` is float64 or int64.

    Attributes
    ----------
    dtype : dtype
        Of the weights and distances.
    directed : bool
        As given.
    carried : dtype or None
        Of the attribute that it carries, int64 or float64; None if there is none.
    shape : tuple of int
        (N, N).
    num_edges : int
        The arcs of the graph.
    num_arcs : int
        The arcs that sweeps read, in both directions; 0 if rounding makes a cycle look negative, so that calls search.
    fill : int
        The pairs of vertices between which the elimination stores arcs: a measure of the order.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length.
    ValueError
        If `order` does not have every vertex once, or for graphs as in `shortest_path`.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> roads = apsp.Hierarchy(np.diag([2.0, 3.0, 4.0], 1), directed=False)
    >>> apsp.shortest_path(roads, indices=0)
    array([0., 2., 5., 9.])
    >>> roads.customize(np.diag([1.0, 1.0, 1.0], 1))
    >>> apsp.shortest_path(roads, indices=0)
    array([0., 1., 2., 3.])
    >>> with_kilometres = apsp.Hierarchy(np.diag([2.0, 3.0, 4.0], 1), carry=np.diag([1.5, 4.0, 2.0], 1))
    >>> apsp.distances_of_pairs(with_kilometres, [0, 1], [2, 3])
    (array([5., 7.]), array([5.5, 6. ]))
    """

    _prepared: Prepared

    def __init__(
        self,
        csgraph: Any,
        order: Any = None,
        *,
        directed: bool = True,
        unweighted: bool = False,
        policy: Policy | str = auto,
        dtype: DTypeLike | None = None,
        carry: Any = None,
    ) -> None:
        kind = distance_type(dtype, csgraph)
        graph: AnyGraph
        if carry is None:
            graph = any_graph_of(csgraph, directed, unweighted, kind)
        else:
            graph = carrying_graph_of(csgraph, carry, directed, unweighted, kind)
        first_to_last = None if order is None else vertices_of(order, graph.num_vertices)
        call: Any = _core.prepare  # It has an overload for each type.
        report, core = call(core_graph(graph), first_to_last, _settings(policy, graph))
        keep_report(report)
        self._prepared = _prepared(core, kind, directed, carried_type(graph))

    def customize(self, csgraph: Any, *, policy: Policy | str = auto, carry: Any = None) -> None:
        """Replace the weights by those of another graph, and keep the order.

        This takes less time than preparing the graph anew. Calls that run in other threads meanwhile have the weights
        of before.

        Parameters
        ----------
        csgraph : array_like or sparse matrix or array
            N x N weights, read with the `directed` and the `dtype` of the hierarchy. There may be arcs only where the
            hierarchy has a place for them: between vertices that had an arc in either direction. Arcs that `csgraph`
            does not have are removed.
        policy : Policy or str
            As for the constructor.
        carry : array_like or sparse matrix or array
            If the hierarchy carries an attribute, that of the arcs of `csgraph`, as for `distance_table`.

        Raises
        ------
        NegativeCycleError
            If there is a cycle of negative length. The hierarchy is then as it was.
        ValueError
            If the graph has other vertices, or arcs without a place. The hierarchy is then as it was.
        """
        before = self._prepared
        if (carry is None) != (before.carried is None):
            raise ValueError(
                "expected carry with a hierarchy that carries an attribute, and with no other, got "
                f"{'none' if carry is None else 'some'}"
            )
        graph: AnyGraph
        if before.carried is None:
            graph = any_graph_of(csgraph, before.directed, False, before.dtype)
        else:
            graph = carrying_graph_of(csgraph, carry, before.directed, False, before.dtype, before.carried)
        call: Any = _core.customize  # It has an overload for each type.
        report, core = call(before.core, core_graph(graph), _settings(policy, graph))
        keep_report(report)
        self._prepared = _prepared(core, before.dtype, before.directed, before.carried)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the hierarchy to a file, which programs in C++ and Python read on any machine.

        Raises
        ------
        FileError
            If the file cannot be written; a part of it may remain.
        TypeError
            If the hierarchy carries an attribute, which the files do not have.
        """
        if self.carried is not None:
            raise TypeError(
                "expected a hierarchy that carries no attribute, which files do not have, got one made with carry"
            )
        write: Any = _core.write_hierarchy  # It has an overload for each type.
        write(self._prepared.core, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, directed: bool = True) -> Hierarchy:
        """Return the hierarchy that `save`, or `write_hierarchy` of the C++ library, has written.

        Parameters
        ----------
        path : str or path
            Of the file.
        directed : bool
            How `customize` is to read graphs; the file does not tell.

        Raises
        ------
        OSError
            If the file cannot be read.
        FileError
            If it is not such a file, is damaged, or has weights of another type than the four.
        """
        with open(path, "rb") as file:
            code = file.read(16)[12:].rstrip(b"\0")
        kinds = {kind.str.encode(): kind for kind in WEIGHT_TYPES}
        kind = kinds.get(code, WEIGHT_TYPES[0])  # The library says what it expected instead.
        read: Any = getattr(_core, f"read_hierarchy_{kind}")
        made = cls.__new__(cls)
        made._prepared = _prepared(read(path), kind, directed, None)
        return made

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._prepared.dtype

    @property
    def directed(self) -> bool:
        return self._prepared.directed

    @property
    def carried(self) -> np.dtype[Any] | None:
        return self._prepared.carried

    @property
    def shape(self) -> tuple[int, int]:
        return self._prepared.num_vertices, self._prepared.num_vertices

    @property
    def num_edges(self) -> int:
        return self._prepared.num_edges

    @property
    def num_arcs(self) -> int:
        return self._prepared.num_arcs

    @property
    def fill(self) -> int:
        return self._prepared.fill

    def __repr__(self) -> str:
        carrying = "" if self.carried is None else f", carrying {self.carried}"
        return f"<apsp.Hierarchy of type {self.dtype}{carrying}, {self.shape[0]} vertices and {self.num_edges} arcs>"


def _settings(policy: Policy | str, graph: Any) -> Any:
    run = chosen(as_policy(policy), _SECONDS_PER_ARC * (graph.num_edges + graph.num_vertices))
    # Nothing is known of the fill, with which it may take as long as Floyd-Warshall.
    longest = seconds_of("floyd_warshall", graph, graph.num_vertices)
    return settings_for(run, longest, method="auto", limit=float("inf"), progress=None)


def _prepared(core: Any, kind: np.dtype[Any], directed: bool, carried: np.dtype[Any] | None) -> Prepared:
    sizes_of: Any = _core.sizes_of  # It has an overload for each type.
    return Prepared(core, kind, directed, carried, *sizes_of(core))

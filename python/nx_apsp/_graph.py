# SPDX-License-Identifier: BSL-1.0
"""Graphs of NetworkX as arrays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from itertools import chain
from operator import methodcaller
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from ._mappings import Labels, Node

Weight = Hashable | Callable[[Node, Node, Any], Any] | None


class Arcs(NamedTuple):
    """The arcs of a graph, each weight once; an undirected edge is two arcs."""

    matrix: scipy.sparse.csr_array
    dtype: np.dtype[Any]  # of the distances
    has_negative: bool
    has_hidden: bool  # Edges without a weight are left out.


class Graph:
    """A graph of NetworkX as a backend of NetworkX holds it.

    It has the original, which is what `convert_to_nx` returns, and nothing else until it is asked for labels or arcs.
    NetworkX does not tell whether weights have changed, so each call reads them again: see `read_again`.
    """

    __networkx_backend__ = "apsp"

    def __init__(self, original: Any) -> None:
        self.original = original

    def read_again(self) -> Graph:
        """Return the graph as it is now. NetworkX does not keep the one of before for other calls."""
        cache = getattr(self.original, "__networkx_cache__", None)
        if cache:
            cache.get("backends", {}).pop(self.__networkx_backend__, None)
        return Graph(self.original)

    @cached_property
    def labels(self) -> Labels:
        return Labels(list(self.original))

    @cached_property
    def _adjacency(self) -> dict[Node, dict[Node, Any]]:
        """The neighbors of each node and the attributes of the edges to them, or their dicts of parallel edges."""
        adjacency = self.original._adj
        return {node: self._neighbors(adjacency[node]) for node in self.labels.index}

    def _neighbors(self, neighbors: Any) -> dict[Node, Any]:
        if isinstance(neighbors, dict):
            return neighbors
        # A view, which asks its filters about each edge at each step, and may count edges that it does not show.
        shown = dict(neighbors.items())
        if not self.is_multigraph():
            return shown
        parallel = ((node, dict(keyed.items())) for node, keyed in shown.items())
        return {node: keyed for node, keyed in parallel if keyed}

    @cached_property
    def _offsets(self) -> NDArray[np.int64]:
        offsets = np.zeros(len(self.labels) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, self._adjacency.values()), np.int64, len(self.labels)), out=offsets[1:])
        return offsets

    @cached_property
    def _targets(self) -> NDArray[np.int32]:
        position = self.labels.index.__getitem__
        targets = map(position, chain.from_iterable(self._adjacency.values()))
        return np.fromiter(targets, np.int32, int(self._offsets[-1]))

    def is_directed(self) -> bool:
        return bool(self.original.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.original.is_multigraph())

    def number_of_nodes(self) -> int:
        return len(self.original)

    def number_of_edges(self) -> int:
        return int(self.original.number_of_edges())

    order = number_of_nodes

    def __len__(self) -> int:
        return len(self.original)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.original)

    def __contains__(self, node: Node) -> bool:
        return node in self.original

    def arcs(self, weight: Weight, *, reverse: bool = False) -> Arcs:
        """Return the arcs with the weights of that attribute or function; None counts edges.

        Raises NotImplementedError for weights that the library does not add up as Python does.
        """
        n = len(self.labels)
        targets, offsets = self._targets, self._offsets
        has_hidden = False
        if weight is None:
            weights, dtype = np.ones(len(targets), np.int32), np.dtype(np.int32)
        else:
            values = self._values(weight)
            has_hidden = None in values
            if has_hidden:
                is_shown = np.fromiter((value is not None for value in values), bool, len(values))
                values = [value for value in values if value is not None]
                sources = np.repeat(np.arange(n), np.diff(offsets))[is_shown]
                offsets = np.zeros(n + 1, np.int64)
                np.cumsum(np.bincount(sources, minlength=n), out=offsets[1:])
                targets = targets[is_shown]
            weights, dtype = _numbers(values, n)
        matrix = scipy.sparse.csr_array((weights, targets, offsets), shape=(n, n))
        if reverse and self.is_directed():
            matrix = matrix.T.tocsr()
        matrix.sum_duplicates()  # There are none, but the rows are sorted once here instead of in each call.
        return Arcs(matrix, dtype, bool(len(weights)) and bool(weights.min() < 0), has_hidden)

    def _values(self, weight: Weight) -> list[Any]:
        """Return the weights of all arcs as they are; None for edges that are hidden."""
        if callable(weight):
            return [weight(u, v, data) for u, nbrs in self._adjacency.items() for v, data in nbrs.items()]
        attributes = chain.from_iterable(map(methodcaller("values"), self._adjacency.values()))
        if not self.is_multigraph():
            return [data.get(weight, 1) for data in attributes]
        parallel = ([data.get(weight, 1) for data in keyed.values()] for keyed in attributes)
        return [values[0] if len(values) == 1 else _lightest(values) for values in parallel]


def _lightest(values: list[Any]) -> Any:
    if None in values:
        raise NotImplementedError("apsp: expected a weight at each of several parallel edges")
    return min(values)


def _numbers(values: list[Any], n: int) -> tuple[NDArray[Any], np.dtype[Any]]:
    """Return the weights as an array, and the type in which distances in a graph of n nodes are exact or float64."""
    types = set(map(type, values))
    if all(issubclass(kind, (int, np.integer, np.bool_)) for kind in types):
        # The potentials of Johnson's algorithm are as long as the longest path, and are added and subtracted.
        longest = 4 * n * max(map(abs, map(int, (min(values), max(values))))) if values else 0
        for dtype in (np.int32, np.int64):
            if longest < np.iinfo(dtype).max:
                return np.array(values, dtype), np.dtype(dtype)
        raise NotImplementedError("apsp: the weights are too large for int64")
    if not all(issubclass(kind, (int, float, np.number, np.bool_)) for kind in types) or any(
        issubclass(kind, (np.complexfloating, np.longdouble)) for kind in types
    ):
        raise NotImplementedError("apsp: expected weights that are integers or floats")
    weights = np.array(values, np.float64)
    if not np.isfinite(weights).all():
        raise NotImplementedError("apsp: expected finite weights")
    return weights, np.dtype(np.float64)

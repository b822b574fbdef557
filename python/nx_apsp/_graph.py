# SPDX-License-Identifier: BSL-1.0
"""Graphs of NetworkX as arrays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
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

    The weights are taken from the original graph once for each attribute. The original is kept: it is what
    `convert_to_nx` returns, and weights that are functions get its attributes.
    """

    __networkx_backend__ = "apsp"

    def __init__(self, original: Any) -> None:
        self.original = original
        nodes = list(original)
        adjacency = original._adj
        if list(adjacency) != nodes:
            adjacency = {node: adjacency[node] for node in nodes}
        n = len(nodes)
        self._adjacency = adjacency
        self.labels = Labels(nodes)
        self._offsets = np.zeros(n + 1, np.int64)
        np.cumsum(np.fromiter(map(len, adjacency.values()), np.int64, n), out=self._offsets[1:])
        position = self.labels.index.__getitem__
        targets = map(position, chain.from_iterable(adjacency.values()))
        self._targets = np.fromiter(targets, np.int32, int(self._offsets[-1]))
        self._arcs: dict[Hashable, Arcs] = {}

    def is_directed(self) -> bool:
        return bool(self.original.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.original.is_multigraph())

    def number_of_nodes(self) -> int:
        return len(self.labels)

    def number_of_edges(self) -> int:
        return int(self.original.number_of_edges())

    order = number_of_nodes

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.labels.index)

    def __contains__(self, node: Node) -> bool:
        try:
            return node in self.labels.index
        except TypeError:
            return False

    def arcs(self, weight: Weight, *, reverse: bool = False) -> Arcs:
        """Return the arcs with the weights of that attribute or function; None counts edges.

        Raises NotImplementedError for weights that the library does not add up as Python does.
        """
        if callable(weight):
            return self._made_arcs(weight, reverse)
        key = (weight, reverse and self.is_directed())
        arcs = self._arcs.get(key)
        if arcs is None:
            arcs = self._arcs[key] = self._made_arcs(weight, reverse)
        return arcs

    def _made_arcs(self, weight: Weight, reverse: bool) -> Arcs:
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

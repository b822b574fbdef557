# SPDX-License-Identifier: BSL-1.0
"""Dicts of distances and paths that are made from arrays when they are asked for."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Node = Any


class LazyDict(MutableMapping[Node, Any]):
    """A mapping that becomes a dict when all of it is needed, or when it is changed.

    It is equal to the dict, is shown as the dict, and copied or pickled it is a dict.
    """

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: dict[Node, Any] | None = None

    @abstractmethod
    def _make(self) -> dict[Node, Any]:
        """Return the dict."""

    @abstractmethod
    def _get(self, node: Node) -> Any:
        """Return what the dict has for the node without making the dict, or raise KeyError."""

    @abstractmethod
    def _size(self) -> int:
        """Return the length of the dict without making it."""

    def _all(self) -> dict[Node, Any]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getitem__(self, node: Node) -> Any:
        return self._get(node) if self._made is None else self._made[node]

    def __setitem__(self, node: Node, value: Any) -> None:
        self._all()[node] = value

    def __delitem__(self, node: Node) -> None:
        del self._all()[node]

    def __len__(self) -> int:
        return self._size() if self._made is None else len(self._made)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._all())

    # Views of the dict are faster than those of a mapping.
    def keys(self) -> Any:
        return self._all().keys()

    def values(self) -> Any:
        return self._all().values()

    def items(self) -> Any:
        return self._all().items()

    def __reversed__(self) -> Iterator[Node]:
        return iter(list(self)[::-1])

    def __or__(self, other: Any) -> Any:
        return dict(self) | dict(other) if isinstance(other, Mapping) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return dict(other) | dict(self) if isinstance(other, Mapping) else NotImplemented

    def __repr__(self) -> str:
        return repr(self._all())

    def copy(self) -> dict[Node, Any]:
        return self._all().copy()

    def __reduce__(self) -> Any:
        return dict, (self._all(),)


class Labels:
    """The nodes of a graph in order, and their positions."""

    __slots__ = ("array", "index")

    def __init__(self, nodes: list[Node]) -> None:
        # np.array() would take labels that are tuples for rows.
        self.array: NDArray[Any] = np.fromiter(nodes, object, len(nodes))
        self.index: dict[Node, int] = dict(zip(nodes, range(len(nodes)), strict=True))

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, position: int) -> Node:
        return self.array[position]


def by_distance(source: int, distances: NDArray[Any], unreachable: Any) -> NDArray[np.intp]:
    """Return the vertices that are reached, the nearest first, and of those the source."""
    reached = np.flatnonzero(distances != unreachable)
    order = reached[np.argsort(distances[reached], kind="stable")]
    first = np.flatnonzero(order == source)[0]
    if first != 0:
        order[1 : first + 1] = order[:first].copy()
        order[0] = source
    return order


class Distances(LazyDict):
    """The nodes that are reached from a source, with their distances, the nearest first."""

    __slots__ = ("_labels", "_row", "_source", "_unreachable")

    def __init__(self, labels: Labels, source: int, row: NDArray[Any], unreachable: Any) -> None:
        super().__init__()
        self._labels, self._source, self._row, self._unreachable = labels, source, row, unreachable

    def _make(self) -> dict[Node, Any]:
        order = by_distance(self._source, self._row, self._unreachable)
        return dict(zip(self._labels.array[order].tolist(), self._row[order].tolist(), strict=True))

    def _get(self, node: Node) -> Any:
        distance = self._row.item(self._labels.index[node])
        if distance == self._unreachable:
            raise KeyError(node)
        return distance

    def _size(self) -> int:
        return int(np.count_nonzero(self._row != self._unreachable))


class FullDistances(LazyDict):
    """All nodes in the order of the graph; the distance of those that are not reached is infinite."""

    __slots__ = ("_labels", "_row", "_unreachable")

    def __init__(self, labels: Labels, row: NDArray[Any], unreachable: Any) -> None:
        super().__init__()
        self._labels, self._row, self._unreachable = labels, row, unreachable

    def _make(self) -> dict[Node, Any]:
        distances = self._row.tolist()
        if self._row.dtype.kind == "i":
            for v in np.flatnonzero(self._row == self._unreachable).tolist():
                distances[v] = math.inf
        return dict(zip(self._labels.index, distances, strict=True))

    def _get(self, node: Node) -> Any:
        distance = self._row.item(self._labels.index[node])
        return math.inf if distance == self._unreachable else distance

    def _size(self) -> int:
        return len(self._row)


class Paths(LazyDict):
    """The nodes that are reached from a source, with lists of the nodes on a shortest path, the nearest first."""

    __slots__ = ("_distances", "_labels", "_predecessors", "_source", "_unreachable")

    def __init__(
        self,
        labels: Labels,
        source: int,
        predecessors: NDArray[np.int32],
        distances: NDArray[Any],
        unreachable: Any,
    ) -> None:
        super().__init__()
        self._labels, self._source = labels, source
        self._predecessors, self._distances, self._unreachable = predecessors, distances, unreachable

    def _make(self) -> dict[Node, Any]:
        nodes, predecessors = self._labels.array.tolist(), self._predecessors.tolist()
        order = by_distance(self._source, self._distances, self._unreachable).tolist()
        made: list[Any] = [None] * len(nodes)
        made[self._source] = [nodes[self._source]]
        for target in order[1:]:
            before = made[predecessors[target]]
            if before is not None:
                made[target] = [*before, nodes[target]]
                continue
            # An arc of length 0 leads to a vertex that is earlier in the order than its predecessor.
            missing, v = [], target
            while made[v] is None:
                missing.append(v)
                v = predecessors[v]
            for v in reversed(missing):
                made[v] = [*made[predecessors[v]], nodes[v]]
        return {nodes[v]: made[v] for v in order}

    def _get(self, node: Node) -> Any:
        v = self._labels.index[node]
        if v != self._source and self._predecessors[v] < 0:
            raise KeyError(node)
        path = [v]
        while v != self._source:
            v = self._predecessors.item(v)
            path.append(v)
        return self._labels.array[path[::-1]].tolist()

    def _size(self) -> int:
        return int(np.count_nonzero(self._distances != self._unreachable))


class Predecessors(LazyDict):
    """The nodes that are reached from a source, with the node before each of them.

    The source has a predecessor, itself, if there is an edge from it to itself.
    """

    __slots__ = ("_has_loop", "_labels", "_predecessors", "_source")

    def __init__(self, labels: Labels, source: int, predecessors: NDArray[np.int32], has_loop: bool) -> None:
        super().__init__()
        self._labels, self._source, self._predecessors, self._has_loop = labels, source, predecessors, has_loop

    def _make(self) -> dict[Node, Any]:
        reached = np.flatnonzero(self._predecessors >= 0)
        nodes = self._labels.array
        made = dict(zip(nodes[reached].tolist(), nodes[self._predecessors[reached]].tolist(), strict=True))
        if self._has_loop:
            made[nodes[self._source]] = nodes[self._source]
        return made

    def _get(self, node: Node) -> Any:
        v = self._labels.index[node]
        if v == self._source and self._has_loop:
            return node
        if self._predecessors[v] < 0:
            raise KeyError(node)
        return self._labels[self._predecessors[v]]

    def _size(self) -> int:
        return int(np.count_nonzero(self._predecessors >= 0)) + self._has_loop


class Rows(LazyDict):
    """A mapping of nodes to mappings; each is made once, by a function of the node's position."""

    __slots__ = ("_index", "_make_row", "_rows")

    def __init__(self, index: dict[Node, int], make_row: Callable[[int], Any]) -> None:
        super().__init__()
        self._index, self._make_row, self._rows = index, make_row, dict[int, Any]()

    def _make(self) -> dict[Node, Any]:
        return {node: self[node] for node in self._index}

    def _get(self, node: Node) -> Any:
        v = self._index[node]
        row = self._rows.get(v)
        if row is None:
            row = self._rows[v] = self._make_row(v)
        return row

    def _size(self) -> int:
        return len(self._index)

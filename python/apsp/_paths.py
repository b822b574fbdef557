# SPDX-License-Identifier: BSL-1.0
"""The vertices of shortest paths."""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray


class _Parts(Sequence[NDArray[np.int32]]):
    """Consecutive parts of an array, as a sequence of views."""

    __slots__ = ()

    @abstractmethod
    def _arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return where each part begins and the last one ends, and the array."""

    def __len__(self) -> int:
        return len(self._arrays()[0]) - 1

    @overload
    def __getitem__(self, i: int) -> NDArray[np.int32]: ...
    @overload
    def __getitem__(self, i: slice) -> list[NDArray[np.int32]]: ...
    def __getitem__(self, i: int | slice) -> NDArray[np.int32] | list[NDArray[np.int32]]:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        place = range(len(self))[i]
        offsets, entries = self._arrays()
        return entries[offsets[place] : offsets[place + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        offsets, entries = self._arrays()
        begin = 0
        for end in offsets[1:].tolist():
            yield entries[begin:end]
            begin = end


class Paths(_Parts):
    """The vertices of many paths, as a sequence of arrays of int32: see `paths_of_pairs`.

    They are kept in two arrays, of which ``paths[i]`` is a view, so that millions of paths take little memory.

    Attributes
    ----------
    offsets : ndarray of int64
        One entry for each path and one more: path i has the vertices from ``offsets[i]`` to before ``offsets[i + 1]``.
    vertices : ndarray of int32
        Those of all paths, one path after the other.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> paths = apsp.Paths(np.array([0, 2, 2, 3]), np.array([4, 1, 7], np.int32))
    >>> len(paths)
    3
    >>> [path.tolist() for path in paths]
    [[4, 1], [], [7]]
    """

    __slots__ = ("offsets", "vertices")

    def __init__(self, offsets: NDArray[np.int64], vertices: NDArray[np.int32]) -> None:
        self.offsets, self.vertices = offsets, vertices

    def _arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        return self.offsets, self.vertices

    def __repr__(self) -> str:
        return f"<{len(self)} paths with {len(self.vertices)} vertices>"


class PredecessorLists(_Parts):
    """All predecessors of each vertex on the shortest paths from one source: see `tight_predecessors`.

    As a sequence it has an array of int32 for each of the N vertices, which ascends. The source, and vertices that it
    does not reach, have an empty one. In SciPy, ``csr_array((data, lists.indices, lists.indptr), shape=(N, N))`` is a
    matrix whose row v has an entry for each predecessor of v.

    Attributes
    ----------
    source : int
        The vertex that paths begin at.
    indptr : ndarray of int64
        N + 1 entries: the predecessors of v are ``indices[indptr[v] : indptr[v + 1]]``.
    indices : ndarray of int32
        Those of all vertices.

    Examples
    --------
    >>> import apsp
    >>> _, lists = apsp.tight_predecessors([[0, 1, 2, 0], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 0]], indices=0)
    >>> lists.indptr.tolist(), lists.indices.tolist()
    ([0, 0, 1, 2, 4], [0, 0, 1, 2])
    >>> lists[3]
    array([1, 2], dtype=int32)
    """

    __slots__ = ("indices", "indptr", "source")

    def __init__(self, source: int, indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> None:
        self.source, self.indptr, self.indices = source, indptr, indices

    def _arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        return self.indptr, self.indices

    def __repr__(self) -> str:
        return f"<predecessors of {len(self)} vertices on paths from {self.source}: {len(self.indices)} in all>"


def shortest_paths(predecessors: PredecessorLists, target: int) -> Iterator[NDArray[np.int32]]:
    """Iterate over all shortest paths from the source of the predecessors to a target.

    Parameters
    ----------
    predecessors : PredecessorLists
        Those of one source, from `tight_predecessors`.
    target : int
        A vertex; negative ones count from the end.

    Returns
    -------
    paths : iterator of ndarray of int32
        The vertices of one path after the other, both ends included, in lexicographic order of the vertices from the
        target back to the source. Only one path is kept at a time. There is one path of one vertex if the target is the
        source, and none if it cannot be reached.

    Raises
    ------
    ValueError
        If the target is not a vertex; by a step, if the predecessors form a cycle, are out of range or do not lead to
        the source.

    Examples
    --------
    >>> import apsp
    >>> _, lists = apsp.tight_predecessors([[0, 1, 2, 0], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 0]], indices=0)
    >>> [path.tolist() for path in apsp.shortest_paths(lists, 3)]
    [[0, 1, 3], [0, 2, 3]]
    """
    if not isinstance(predecessors, PredecessorLists):
        raise TypeError(
            "expected the predecessors of one source from tight_predecessors, got an object of type "
            + type(predecessors).__name__
        )
    last = _vertex(target, len(predecessors))
    return (np.array(vertices, np.int32) for vertices in lists_of_paths(predecessors, last))


def lists_of_paths(predecessors: PredecessorLists, target: int) -> Iterator[list[int]]:
    """Yield the vertices of one shortest path after the other."""
    source, n = predecessors.source, len(predecessors)
    # Their items are integers of Python.
    offsets, before = memoryview(predecessors.indptr), memoryview(predecessors.indices)
    if target != source and offsets[target] == offsets[target + 1]:
        return
    # The vertices back from the target, and for each of them where its next predecessor is.
    path, places = [target], [offsets[target]]
    while path:
        vertex, place = path[-1], places[-1]
        if vertex == source:
            yield path[::-1]
        elif place < offsets[vertex + 1]:
            u = before[place]
            if not 0 <= u < n or len(path) == n:
                raise ValueError("expected predecessors of shortest paths, got a cycle or vertices out of range")
            places[-1] += 1
            path.append(u)
            places.append(offsets[u])
            continue
        elif offsets[vertex] == offsets[vertex + 1]:
            raise ValueError(f"expected predecessors that lead to {source}, got some that end at {vertex}")
        path.pop()
        places.pop()


def path(predecessors: ArrayLike, source: int, target: int) -> NDArray[np.int64]:
    """Return the vertices of a shortest path, from the source to the target.

    Parameters
    ----------
    predecessors : array_like of int
        Of shape (N,): the row of the source, as `shortest_path` and `nearest_sources` return it. Or of shape (N, N): one
        row for each vertex. After a call with `indices` pass the row `predecessors[i]` with the source `indices[i]`.
    source, target : int
        Vertices; negative ones count from the end.

    Returns
    -------
    vertices : ndarray of int64
        Both ends included; only the source if it is the target, and empty if no path leads there.

    Raises
    ------
    ValueError
        If `predecessors` has another shape, a vertex is out of range, or the predecessors do not lead to the source.

    Examples
    --------
    >>> import apsp
    >>> distances, predecessors = apsp.shortest_path([[0, 1, 5], [0, 0, 2], [1, 0, 0]], return_predecessors=True)
    >>> apsp.path(predecessors, 0, 2)
    array([0, 1, 2])
    """
    given: NDArray[Any] = np.asarray(predecessors)
    n = given.shape[-1] if given.ndim else 0
    if given.shape not in ((n,), (n, n)) or given.dtype.kind not in "iu":
        raise ValueError(
            f"expected integer predecessors of shape (N,) or (N, N), got {given.dtype} of shape {given.shape}"
        )
    first, last = (_vertex(v, n) for v in (source, target))
    row = given if given.ndim == 1 else given[first]
    vertices = [last]
    while vertices[-1] != first:
        before = row.item(vertices[-1])
        if before < 0:
            if len(vertices) == 1:
                return np.empty(0, np.int64)
            raise ValueError(f"expected predecessors that lead to {first}, got some that end at {vertices[-1]}")
        if before >= n or len(vertices) >= n:
            raise ValueError("expected predecessors of shortest paths, got a cycle or vertices out of range")
        vertices.append(before)
    return np.array(vertices[::-1], np.int64)


def _vertex(v: int, n: int) -> int:
    number = operator.index(v)
    if not -n <= number < n:
        raise ValueError(f"expected a vertex from {-n} to {n - 1}, got {number}")
    return number % n

# SPDX-License-Identifier: BSL-1.0
"""Rows of distances, one after another, without a matrix."""

from __future__ import annotations

import atexit
import math
import weakref
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from numpy.typing import DTypeLike, NDArray

from . import _core
from ._call import core_graph, keep_report, seconds_of, settings_of
from ._graph import any_graph_of, distance_type, vertices_of
from ._policies import Policy, auto, whole_number
from ._progress import Progress, as_callback


class Rows(Iterator[tuple[int, NDArray[Any]]]):
    """An iterator of pairs of a source and its row of N distances: see `for_each_row`.

    It is a context manager that closes itself.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._rows: Any = None
        _open.add(self)

    def __iter__(self) -> Rows:
        return self

    def __next__(self) -> tuple[int, NDArray[Any]]:
        rows = self._rows
        if rows is None:
            raise StopIteration
        rows.check_that_rows_come()
        try:
            row: tuple[int, NDArray[Any]] | None = rows.take()
        except BaseException:
            self._rows = None
            raise
        if row is not None:
            return row
        self._rows = None
        report = rows.report()
        if report is not None:
            keep_report(report)
        raise StopIteration

    def close(self) -> None:
        """Stop the computation; there are no more rows."""
        rows, self._rows = self._rows, None
        if rows is not None:
            rows.close()

    def __enter__(self) -> Rows:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _reporter(rows: weakref.ref[Rows]) -> Progress:
    """Return a function that calls the iterator's progress function.

    The computation must not keep that function: if it refers to the iterator, neither would ever be collected.
    """

    def report(done: int, total: int) -> None:
        found = rows()
        progress = None if found is None else found._progress
        del found  # The function may drop the iterator.
        if progress is not None:
            progress(done, total)

    return report


_open: weakref.WeakSet[Rows] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    # A thread that calls `progress` while the interpreter ends would abort the process.
    for rows in list(_open):
        rows.close()


def for_each_row(
    csgraph: Any,
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    num_ahead: int = 16,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    progress: Progress | bool | None = None,
) -> Rows:
    """Iterate over sources and their rows of distances, in bounded memory.

    Rows are computed by other threads while the loop uses those before. To leave the loop early, close the iterator or
    drop it: that stops the computation.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights, with the rules of `shortest_path`. It must not be changed before the loop ends.
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    indices : int or array_like of int, optional
        The sources; by default all vertices.
    num_ahead : int
        The number of rows that are kept until the loop takes them. If there are so many, the computation waits.
    policy, dtype, progress
        As for `shortest_path`. `progress` is called by another thread.
    limit : float
        Vertices that are farther away are not reached.

    Returns
    -------
    rows : Rows
        An iterator of pairs of a source and an array of N distances. Each source comes once, in any order.

    Raises
    ------
    NegativeCycleError
        By the first step, if there is a cycle of negative length.
    RuntimeError
        By a step in `progress` itself, and in a child of fork: it has no thread that computes the rows.

    Examples
    --------
    >>> import apsp
    >>> for source, distances in sorted(apsp.for_each_row([[0, 1, 5], [0, 0, 2], [1, 0, 0]])):
    ...     print(source, distances)
    0 [0. 1. 3.]
    1 [3. 0. 2.]
    2 [1. 2. 0.]
    """
    num_ahead = whole_number(num_ahead, "num_ahead", 1)
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    sources = vertices_of(indices, graph.num_vertices)
    callback = as_callback(progress)
    rows = Rows(callback)
    report = None if callback is None else _reporter(weakref.ref(rows))
    settings = settings_of(policy, seconds_of("johnson", graph, len(sources)), limit=limit, progress=report)
    begin: Any = _core.rows  # It has an overload for each type.
    rows._rows = begin(core_graph(graph), sources, num_ahead, settings)
    return rows

# SPDX-License-Identifier: BSL-1.0
"""Which vertices are reachable from which."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._call import Out, core_graph, keep_report, result_array, settings_of
from ._graph import graph_of
from ._policies import Policy, auto
from ._progress import Progress


def transitive_closure(
    csgraph: Any,
    directed: bool = True,
    *,
    policy: Policy | str = auto,
    out: Out = None,
    progress: Progress | bool | None = None,
) -> NDArray[np.bool_]:
    """Which vertices are reachable from which, on bits.

    Parameters
    ----------
    csgraph : array_like or sparse matrix or array
        N x N weights, with the rules of `shortest_path`; which values the weights have does not matter.
    directed : bool
        If False, arcs can be followed in both directions.
    policy, progress
        As for `shortest_path`.
    out : ndarray of bool or path, optional
        Receives the result: C-contiguous and of shape (N, N); or the path of a .npy file.

    Returns
    -------
    closure : ndarray of bool
        Entry (u, v) is True if a path leads from u to v. The diagonal is True, because of the empty path.

    Examples
    --------
    >>> import apsp
    >>> apsp.transitive_closure([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    array([[ True,  True,  True],
           [False,  True,  True],
           [False, False,  True]])
    """
    graph = graph_of(csgraph, directed, True, np.dtype(np.int32))
    n = graph.num_vertices
    # 64 vertices are one word.
    settings = settings_of(
        policy, 2e-9 * graph.num_edges + 1e-9 * n * min(graph.num_edges, n * n / 8) / 64, progress=progress
    )
    call: Any = _core.transitive_closure
    with result_array(out, (n, n), np.dtype(np.bool_)) as closure:
        keep_report(call(core_graph(graph, closure), closure, settings))
    return closure

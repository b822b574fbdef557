# SPDX-License-Identifier: BSL-1.0
"""Many small graphs in one call."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _core
from ._call import Out, keep_report, result_array, settings_of
from ._graph import WEIGHT_TYPES, all_numbers_of, graph_of, stacked_graphs, unreachable
from ._policies import Policy, auto, whole_number
from ._progress import Progress

_TYPES = (*WEIGHT_TYPES, *(np.dtype(t) for t in (np.int16, np.int8, np.uint8)))


def batch(
    graphs: Sequence[Any] | NDArray[Any],
    *,
    directed: bool = True,
    unweighted: bool = False,
    fill: float | None = None,
    padding: float | None = None,
    dtype: DTypeLike | None = None,
    max_nodes: int | None = None,
    policy: Policy | str = auto,
    limit: float = math.inf,
    out: Out = None,
    progress: Progress | bool | None = None,
) -> NDArray[Any]:
    """The distances of many graphs in one array of B x N x N, as graph transformers take them.

    One call for all of them is faster by far than one call for each.

    Parameters
    ----------
    graphs : sequence of array_like or of sparse matrices, or ndarray
        B graphs of any sizes with the rules of `shortest_path`, or an array of shape (B, N, N).
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    fill : number, optional
        The entry of a pair without a path, such as -1 for DGL or 510 for Graphormer. By default
        `apsp.unreachable(dtype)`.
    padding : number, optional
        The entry beyond the vertices of a graph that has less than N; by default `fill`.
    dtype : data type, optional
        Of the distances: float64 (the default), float32, int64, int32, int16, int8 or uint8. A distance that it does
        not hold, or that is `fill` or more if that is above 0, becomes `fill`, and `last_result().saturated` is True.
    max_nodes : int, optional
        N; by default the number of vertices of the largest graph.
    policy, progress
        As for `shortest_path`. Progress counts graphs.
    limit : float
        Vertices that are farther away are not reached.
    out : ndarray or path, optional
        Receives the distances: C-contiguous, of shape (B, N, N) and of type `dtype`; or the path of a .npy file.

    Returns
    -------
    distances : ndarray
        Of shape (B, N, N).

    Raises
    ------
    NegativeCycleError
        If a graph has a cycle of negative length.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> apsp.batch([np.ones((2, 2)), np.diag([1, 1], 1)], unweighted=True, fill=-1, dtype=np.int8)
    array([[[ 0,  1, -1],
            [ 1,  0, -1],
            [-1, -1, -1]],
    <BLANKLINE>
           [[ 0,  1,  2],
            [-1,  0,  1],
            [-1, -1,  0]]], dtype=int8)
    """
    kind = np.dtype(np.float64 if dtype is None else dtype)
    if kind not in _TYPES:
        raise TypeError(f"expected a dtype of {', '.join(map(str, _TYPES))}, got {kind}")
    weight_kind = kind if kind in WEIGHT_TYPES else np.dtype(np.int32)
    largest = 0
    if isinstance(graphs, np.ndarray) and graphs.dtype != object:
        largest = graphs.shape[-1] if graphs.ndim else 0
        made = stacked_graphs(graphs, directed, unweighted, weight_kind)
    else:
        made = [graph_of(graph, directed, unweighted, weight_kind) for graph in graphs]
    largest = max((graph.num_vertices for graph in made), default=largest)
    n = largest if max_nodes is None else whole_number(max_nodes, "max_nodes", 0)
    if n < largest:
        raise ValueError(f"expected max_nodes of {largest} or more, the vertices of the largest graph, got {n}")
    no_path = unreachable(kind).item() if fill is None else _value(fill, kind, "fill")
    beyond = no_path if padding is None else _value(padding, kind, "padding")
    settings = settings_of(
        policy, 0.2e-9 * sum(graph.num_vertices**3 for graph in made), limit=limit, progress=progress
    )
    out = result_array(out, (len(made), n, n), kind)
    if not made:
        return out
    make: Any = _core.graph
    call: Any = _core.batch  # They have overloads for each type.
    report, shown = call([make(*graph) for graph in made], unweighted, out, no_path, beyond, settings)
    keep_report(report, f"in graph {shown}")
    return out


def _value(given: float, kind: np.dtype[Any], name: str) -> int | float:
    """Return the number as one of that type."""
    found = all_numbers_of(given, kind, f"a {name}")
    if found.ndim or found != found:
        raise ValueError(f"expected a {name} that is one number, got {given}")
    value: int | float = found.item()
    return value

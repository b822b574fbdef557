# SPDX-License-Identifier: BSL-1.0
"""Best paths in another sense than the shortest."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._call import Out, core_graph, keep_report, result_array, seconds_of, settings_of
from ._graph import NO_PREDECESSOR, graph_of, sources_of
from ._policies import Policy
from ._progress import Progress

SEMIRINGS = ("min_plus", "max_min", "min_max", "max_times")


def solve_over(
    semiring: str,
    csgraph: Any,
    directed: bool,
    return_predecessors: bool,
    unweighted: bool,
    indices: Any,
    policy: Policy | str,
    kind: np.dtype[Any],
    out: Out,
    progress: Progress | bool | None,
) -> Any:
    """Return what `shortest_path` returns, over a semiring other than min_plus."""
    if semiring not in SEMIRINGS:
        raise ValueError(f"expected a semiring: {', '.join(SEMIRINGS)}; got {semiring!r}")
    if semiring == "max_times" and kind.kind == "i":
        raise TypeError(f"expected a dtype of float64 or float32 for max_times, got {kind}")
    graph = graph_of(csgraph, directed, unweighted, kind, prefers_heavy=semiring.startswith("max"))
    n = graph.num_vertices
    sources, shape_of_sources = sources_of(indices, n)
    shape = (*shape_of_sources, n)
    rows = n if sources is None else len(sources)
    seconds = seconds_of("auto" if sources is None else "dijkstra", graph, rows)
    call: Any = _core.solve_over  # It has an overload for each type.
    settings = settings_of(policy, seconds, progress=progress)
    predecessors = np.empty((rows, n), np.int32) if return_predecessors else None
    with result_array(out, shape, kind) as values:
        keep_report(
            call(semiring, core_graph(graph, values), sources, values.reshape(rows, n), predecessors, settings)
        )
    if predecessors is None:
        return values
    predecessors[predecessors < 0] = NO_PREDECESSOR
    return values, predecessors.reshape(shape)

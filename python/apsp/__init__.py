# SPDX-License-Identifier: BSL-1.0
"""Shortest paths between all vertices of a graph, on CPUs and CUDA devices.

The functions are those of `scipy.sparse.csgraph`, with the same names, parameters and results, and run on several
threads, in float64, float32, int32 or int64, or on a GPU:

>>> import apsp, numpy as np
>>> apsp.floyd_warshall(np.array([[0, 1, 5], [0, 0, 2], [1, 0, 0]]))
array([[0., 1., 3.],
       [3., 0., 2.],
       [1., 2., 0.]])
"""

from typing import TYPE_CHECKING, Any

from ._call import Report, last_result
from ._closure import transitive_closure
from ._core import DeviceError
from ._csgraph import bellman_ford, dijkstra, floyd_warshall, johnson, shortest_path
from ._graph import unreachable
from ._policies import Policy, auto, cuda_tiled, omp, seq
from ._queries import distance_table, distances_within
from ._summary import (
    DistantPair,
    Histogram,
    Summary,
    closeness,
    eccentricity,
    harmonic,
    histogram,
    summarize,
)

if TYPE_CHECKING:
    from ._errors import NegativeCycleError

__version__ = "0.1.0"

__all__ = [
    "DeviceError",
    "DistantPair",
    "Histogram",
    "NegativeCycleError",
    "Policy",
    "Report",
    "Summary",
    "auto",
    "bellman_ford",
    "closeness",
    "cuda_tiled",
    "dijkstra",
    "distance_table",
    "distances_within",
    "eccentricity",
    "floyd_warshall",
    "harmonic",
    "histogram",
    "johnson",
    "last_result",
    "omp",
    "seq",
    "shortest_path",
    "summarize",
    "transitive_closure",
    "unreachable",
]

# Modules that import large packages are imported when they are used.
_LATE = {"NegativeCycleError": "_errors"}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f".{_LATE[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

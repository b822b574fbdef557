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

import typing

from ._accessibility import Decay, accessibility, exponential, gaussian, linear, power, within
from ._batch import batch
from ._betweenness import betweenness, count_paths, tight_predecessors
from ._build import build_info
from ._call import Report, last_result
from ._closure import transitive_closure
from ._core import DeviceError, FileError
from ._csgraph import bellman_ford, dijkstra, floyd_warshall, johnson, shortest_path
from ._files import LabelledGraph, from_edges, read_graph
from ._graph import unreachable
from ._hierarchy import Hierarchy
from ._mapped import mapped
from ._paths import Paths, PredecessorLists, path, shortest_paths
from ._policies import Policy, auto, cuda_tiled, omp, seq
from ._queries import distance_table, distances_of_pairs, distances_within, nearest_sources, paths_of_pairs
from ._rows import Rows, for_each_row
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

if typing.TYPE_CHECKING:
    from . import network as network
    from . import plot as plot
    from ._errors import NegativeCycleError

    Isomap: typing.Any
else:
    # These need large packages, which are imported when they are used.
    def __getattr__(name):
        if name == "NegativeCycleError":
            from ._errors import NegativeCycleError as value
        elif name == "Isomap":
            from ._isomap import isomap_class

            value = isomap_class()
        elif name in ("network", "plot"):
            import importlib

            value = importlib.import_module(f"apsp.{name}")
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__():
        return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


__version__ = "0.1.0"

__all__ = [
    "Decay",
    "DeviceError",
    "DistantPair",
    "FileError",
    "Hierarchy",
    "Histogram",
    "Isomap",
    "LabelledGraph",
    "NegativeCycleError",
    "Paths",
    "Policy",
    "PredecessorLists",
    "Report",
    "Rows",
    "Summary",
    "accessibility",
    "auto",
    "batch",
    "bellman_ford",
    "betweenness",
    "build_info",
    "closeness",
    "count_paths",
    "cuda_tiled",
    "dijkstra",
    "distance_table",
    "distances_of_pairs",
    "distances_within",
    "eccentricity",
    "exponential",
    "floyd_warshall",
    "for_each_row",
    "from_edges",
    "gaussian",
    "harmonic",
    "histogram",
    "johnson",
    "last_result",
    "linear",
    "mapped",
    "nearest_sources",
    "network",
    "omp",
    "path",
    "paths_of_pairs",
    "plot",
    "power",
    "read_graph",
    "seq",
    "shortest_path",
    "shortest_paths",
    "summarize",
    "tight_predecessors",
    "transitive_closure",
    "unreachable",
    "within",
]

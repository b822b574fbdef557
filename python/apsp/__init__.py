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

from ._core import DeviceError
from ._csgraph import (
    NegativeCycleError,
    Report,
    bellman_ford,
    dijkstra,
    floyd_warshall,
    johnson,
    last_result,
    shortest_path,
    unreachable,
)
from ._policies import Policy, auto, cuda_tiled, omp, seq

__version__ = "0.1.0"

__all__ = [
    "DeviceError",
    "NegativeCycleError",
    "Policy",
    "Report",
    "auto",
    "bellman_ford",
    "cuda_tiled",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "last_result",
    "omp",
    "seq",
    "shortest_path",
    "unreachable",
]

# SPDX-License-Identifier: BSL-1.0
"""The functions of NetworkX for shortest paths between all nodes, run by apsp.

NetworkX finds this package by its entry points:

    nx.config.backend_priority = ["apsp"]

NetworkX calls `get_info` on import. It therefore imports neither NumPy nor apsp, which are loaded with the first call.
"""

from __future__ import annotations

from typing import Any

_PAIRS = "Rows and paths are made when they are asked for."
_REDUCTION = "Memory does not grow with the square of the number of nodes."
_POSITIVE = "Graphs with weights of 0 or below are left to NetworkX."
_NO_CYCLE = "Graphs with a cycle of length 0 or below are left to NetworkX."
_FUNCTIONS = {
    "all_pairs_all_shortest_paths": _POSITIVE,
    "all_pairs_bellman_ford_path": _PAIRS,
    "all_pairs_bellman_ford_path_length": _PAIRS,
    "all_pairs_dijkstra": _PAIRS + " Graphs with negative weights are left to NetworkX.",
    "all_pairs_dijkstra_path": _PAIRS + " Graphs with negative weights are left to NetworkX.",
    "all_pairs_dijkstra_path_length": _PAIRS + " Graphs with negative weights are left to NetworkX.",
    "all_pairs_shortest_path": _PAIRS,
    "all_pairs_shortest_path_length": _PAIRS,
    "all_shortest_paths": _NO_CYCLE,
    "average_shortest_path_length": _REDUCTION,
    "betweenness_centrality": _POSITIVE,
    "betweenness_centrality_subset": _POSITIVE,
    "center": _REDUCTION,
    "centroid": _REDUCTION,
    "closeness_centrality": _REDUCTION,
    "diameter": _REDUCTION,
    "eccentricity": _REDUCTION,
    "edge_betweenness_centrality": _POSITIVE,
    "edge_betweenness_centrality_subset": _POSITIVE,
    "floyd_warshall": _PAIRS,
    "floyd_warshall_numpy": "",
    "floyd_warshall_predecessor_and_distance": _PAIRS,
    "global_efficiency": _REDUCTION,
    "harmonic_centrality": _REDUCTION,
    "johnson": _PAIRS,
    "periphery": _REDUCTION,
    "radius": _REDUCTION,
    "single_source_all_shortest_paths": _NO_CYCLE,
    "transitive_closure": "Directed graphs only.",
    "wiener_index": _REDUCTION,
}


def get_info() -> dict[str, Any]:
    """Return what NetworkX shows about this backend, and its settings with their defaults."""
    return {
        "backend_name": "apsp",
        "project": "apsp",
        "package": "nx_apsp",
        "short_summary": "Shortest paths between all nodes on several threads or a GPU.",
        "functions": {name: {"additional_docs": text} for name, text in _FUNCTIONS.items()},
        # Where calls run: 'auto', 'seq', 'omp' or 'cuda_tiled', or a policy of apsp.
        "default_config": {"policy": "auto"},
    }

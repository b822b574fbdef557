# SPDX-License-Identifier: BSL-1.0
"""What NetworkX calls: conversions, the functions of this backend, and which calls it takes.

The functions have the parameters, results and exceptions of their namesakes in NetworkX. They raise NotImplementedError
for what is left to NetworkX but is known only when the weights are: negative weights where NetworkX's own results depend
on the order of the nodes, and weights that are not numbers.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import networkx as nx  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import NDArray

import apsp
from apsp._betweenness import betweenness_between
from apsp._paths import lists_of_paths

from . import _FUNCTIONS
from ._graph import Arcs, Graph, Weight
from ._mappings import Distances, FullDistances, Node, Paths, Predecessors, Rows, by_distance

# Rows are solved in blocks of that many bytes of distances and predecessors.
_BLOCK = 1 << 28

# With fewer nodes and eight edges each, some functions of NetworkX are as fast as conversion and call are.
_FEWEST_NODES = 50

_UNBOUNDED = "Negative cycle detected."


# --- conversions and dispatch -----------------------------------------------------------------------------------------


def convert_from_nx(
    graph: Any,
    *,
    edge_attrs: dict[Any, Any] | None = None,
    node_attrs: dict[Any, Any] | None = None,
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,
    name: str | None = None,
    graph_name: str | None = None,
) -> Graph:
    """Return the graph, which each call reads as it is then."""
    return Graph(graph)


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Return the original of a converted graph, and everything else as it is."""
    return result.original if isinstance(result, Graph) else result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True, or why the call is left to NetworkX."""
    try:
        given = _arguments(name, args, kwargs)
    except TypeError:
        return "these are not the parameters of the function"
    graph = given["G"]
    cutoff = given.get("cutoff")
    if cutoff is not None and not cutoff >= 0:
        return "the cutoff is negative"
    for parameter in ("sp", "e", "attr"):
        if given.get(parameter) is not None:
            return f"'{parameter}' is given"
    weight = given.get("weight", given.get("distance"))
    if callable(weight):
        if name == "floyd_warshall_numpy" or given.get("method") == "floyd-warshall-numpy":
            return "weights are a function"
        if graph.is_directed() and "distance" in given:
            return "distances in a directed graph are a function"
    if (
        name in ("center", "centroid")
        and weight is None
        and not graph.is_directed()
        and graph.number_of_edges() == graph.number_of_nodes() - 1
    ):
        return "NetworkX has a faster way for trees"
    if name == "transitive_closure" and not graph.is_directed():
        return "the graph is undirected"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True, or why NetworkX is likely to be faster or fast enough."""
    given = _arguments(name, args, kwargs)
    graph = given["G"]
    if graph.number_of_nodes() < _FEWEST_NODES:
        return f"the graph has fewer than {_FEWEST_NODES} nodes"
    one = given.get({"eccentricity": "v", "closeness_centrality": "u"}.get(name, ""))
    if (one is not None and one in graph) or name in ("all_shortest_paths", "single_source_all_shortest_paths"):
        return "paths from one node are asked for"
    return True


def _arguments(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    return _SIGNATURES[name].bind(*args, **kwargs).arguments


# --- distances --------------------------------------------------------------------------------------------------------


class _Block(NamedTuple):
    """Distances, and predecessors if they were asked for, from some sources."""

    sources: list[int]
    distances: NDArray[Any]
    predecessors: Any


def _policy() -> Any:
    return nx.config.backends.apsp.policy


def _without_negative(arcs: Arcs) -> Arcs:
    if arcs.has_negative:
        raise NotImplementedError("apsp: negative weights are left to NetworkX in this function")
    return arcs


def _without_hidden(arcs: Arcs) -> Arcs:
    if arcs.has_hidden:
        raise NotImplementedError("apsp: edges without a weight are left to NetworkX in this function")
    return arcs


def _blocks(
    arcs: Arcs, sources: list[int] | None = None, *, predecessors: bool = False, limit: float = math.inf
) -> Iterator[_Block]:
    """Solve for the sources, by default all, as many in one call as a block holds."""
    n = arcs.matrix.shape[0]
    chosen = list(range(n)) if sources is None else sources
    size = max(1, _BLOCK // max(1, n * (arcs.dtype.itemsize + 4 * predecessors)))
    for begin in range(0, len(chosen), size):
        block = chosen[begin : begin + size]
        options: dict[str, Any] = {
            "indices": None if sources is None and len(block) == n else block,
            "return_predecessors": predecessors,
            "dtype": arcs.dtype,
            "policy": _policy(),
        }
        try:
            if limit == math.inf:
                done = apsp.shortest_path(arcs.matrix, **options)
            else:
                done = apsp.dijkstra(arcs.matrix, limit=limit, **options)
        except apsp.NegativeCycleError as error:
            raise nx.NetworkXUnbounded(_UNBOUNDED) from error
        distances, before = done if predecessors else (done, None)
        yield _Block(block, distances, before)


def _all_distances(graph: Graph, arcs: Arcs, limit: float = math.inf) -> Iterator[tuple[Node, Distances]]:
    unreachable = apsp.unreachable(arcs.dtype)
    for block in _blocks(arcs, limit=limit):
        for source, row in zip(block.sources, block.distances, strict=True):
            yield graph.labels[source], Distances(graph.labels, source, row, unreachable)


def _all_paths(graph: Graph, arcs: Arcs, limit: float = math.inf) -> Iterator[tuple[Node, tuple[Distances, Paths]]]:
    unreachable = apsp.unreachable(arcs.dtype)
    for block in _blocks(arcs, predecessors=True, limit=limit):
        for source, row, before in zip(block.sources, block.distances, block.predecessors, strict=True):
            distances = Distances(graph.labels, source, row, unreachable)
            yield graph.labels[source], (distances, Paths(graph.labels, source, before, row, unreachable))


def _limit(cutoff: float | None) -> float:
    return math.inf if cutoff is None else cutoff


def _limit_of_edges(cutoff: float | None) -> float:
    # A search by levels goes on while the level is less than the cutoff.
    return math.inf if cutoff is None or cutoff == math.inf else math.ceil(cutoff)


def all_pairs_shortest_path_length(G: Graph, cutoff: float | None = None) -> Iterator[tuple[Node, Distances]]:
    return _all_distances(G, G.arcs(None), _limit_of_edges(cutoff))


def all_pairs_shortest_path(G: Graph, cutoff: float | None = None) -> Iterator[tuple[Node, Paths]]:
    return ((node, paths) for node, (_, paths) in _all_paths(G, G.arcs(None), _limit_of_edges(cutoff)))


def all_pairs_dijkstra_path_length(
    G: Graph, cutoff: float | None = None, weight: Weight = "weight"
) -> Iterator[tuple[Node, Distances]]:
    return _all_distances(G, _without_negative(G.arcs(weight)), _limit(cutoff))


def all_pairs_dijkstra_path(
    G: Graph, cutoff: float | None = None, weight: Weight = "weight"
) -> Iterator[tuple[Node, Paths]]:
    return ((node, paths) for node, (_, paths) in all_pairs_dijkstra(G, cutoff, weight))


def all_pairs_dijkstra(
    G: Graph, cutoff: float | None = None, weight: Weight = "weight"
) -> Iterator[tuple[Node, tuple[Distances, Paths]]]:
    return _all_paths(G, _without_negative(G.arcs(weight)), _limit(cutoff))


def all_pairs_bellman_ford_path_length(G: Graph, weight: Weight = "weight") -> Iterator[tuple[Node, Distances]]:
    return _all_distances(G, _without_hidden(G.arcs(weight)))


def all_pairs_bellman_ford_path(G: Graph, weight: Weight = "weight") -> Iterator[tuple[Node, Paths]]:
    return ((node, paths) for node, (_, paths) in _all_paths(G, _without_hidden(G.arcs(weight))))


def johnson(G: Graph, weight: Weight = "weight") -> Rows:
    distances, predecessors, unreachable = _matrices(_without_hidden(G.arcs(weight)))
    return Rows(G.labels.index, lambda v: Paths(G.labels, v, predecessors[v], distances[v], unreachable))


def _matrices(arcs: Arcs) -> tuple[NDArray[Any], NDArray[np.int32], Any]:
    """Return all distances and predecessors, and the distance of what is not reached."""
    try:
        distances, predecessors = apsp.shortest_path(
            arcs.matrix, return_predecessors=True, dtype=arcs.dtype, policy=_policy()
        )
    except apsp.NegativeCycleError as error:
        raise nx.NetworkXUnbounded(_UNBOUNDED) from error
    return distances, predecessors, apsp.unreachable(arcs.dtype)


def floyd_warshall(G: Graph, weight: Weight = "weight") -> Rows:
    arcs = G.arcs(weight)
    distances = _matrix(arcs, arcs.dtype)
    unreachable = apsp.unreachable(arcs.dtype)
    return Rows(G.labels.index, lambda v: FullDistances(G.labels, distances[v], unreachable))


def floyd_warshall_predecessor_and_distance(G: Graph, weight: Weight = "weight") -> tuple[Rows, Rows]:
    arcs = G.arcs(weight)
    distances, predecessors, unreachable = _matrices(arcs)
    # NetworkX has a row of predecessors for each node with an edge from it.
    offsets, targets = arcs.matrix.indptr, arcs.matrix.indices
    degrees = np.diff(offsets)
    sources = np.repeat(np.arange(len(degrees)), degrees)
    loops = set(sources[sources == targets].tolist())
    index = {node: v for node, v in G.labels.index.items() if degrees[v] > 0}
    return (
        Rows(index, lambda v: Predecessors(G.labels, v, predecessors[v], v in loops)),
        Rows(G.labels.index, lambda v: FullDistances(G.labels, distances[v], unreachable)),
    )


def floyd_warshall_numpy(
    G: Graph, nodelist: list[Node] | None = None, weight: Weight = "weight"
) -> NDArray[np.float64]:
    if nodelist is not None:
        if not len(nodelist) == len(G) == len(set(nodelist)):
            raise nx.NetworkXError(
                "nodelist must contain every node in G with no repeats."
                "If you wanted a subgraph of G use G.subgraph(nodelist)"
            )
        for node in nodelist:
            if node not in G:
                raise nx.NetworkXError(f"Node {node} in nodelist is not in G")
    distances = _matrix(_without_hidden(G.arcs(weight)), np.dtype(np.float64))
    if nodelist is None:
        return distances
    order = [G.labels.index[node] for node in nodelist]
    return distances[np.ix_(order, order)]


def _matrix(arcs: Arcs, dtype: np.dtype[Any]) -> NDArray[Any]:
    try:
        distances: NDArray[Any] = apsp.shortest_path(arcs.matrix, dtype=dtype, policy=_policy())
    except apsp.NegativeCycleError as error:
        raise nx.NetworkXUnbounded(_UNBOUNDED) from error
    return distances


# --- all shortest paths -----------------------------------------------------------------------------------------------


def _arcs_by_method(G: Graph, weight: Weight, method: str) -> Arcs:
    if weight is None or method == "unweighted":
        return G.arcs(None)
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    arcs = G.arcs(weight)
    return _without_negative(arcs) if method == "dijkstra" else _without_hidden(arcs)


def _lists_from(G: Graph, source: Node, weight: Weight, method: str) -> tuple[NDArray[Any], apsp.PredecessorLists]:
    arcs = _arcs_by_method(G, weight, method)
    if source not in G:
        is_unweighted = weight is None or method == "unweighted"
        raise nx.NodeNotFound(f"Source {source} not in G" if is_unweighted else f"Node {source} not found in graph")
    try:
        found: tuple[NDArray[Any], apsp.PredecessorLists] = _counting(
            apsp.tight_predecessors, arcs, indices=G.labels.index[source]
        )
    except apsp.NegativeCycleError as error:
        # It may be where the source does not lead.
        raise NotImplementedError("apsp: negative cycles are left to NetworkX in this function") from error
    return found


def _paths_to(G: Graph, lists: apsp.PredecessorLists, target: Node) -> Iterator[list[Node]]:
    position = G.labels.index.get(target)
    if position is None or (position != lists.source and not len(lists[position])):
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    for path in lists_of_paths(lists, position):
        yield [G.labels[v] for v in path]


def _paths_by_target(
    G: Graph, distances: NDArray[Any], lists: apsp.PredecessorLists
) -> Iterator[tuple[Node, list[list[Node]]]]:
    for v in by_distance(lists.source, distances, apsp.unreachable(distances.dtype)).tolist():
        yield G.labels[v], [[G.labels[u] for u in path] for path in lists_of_paths(lists, v)]


def all_shortest_paths(
    G: Graph, source: Node, target: Node, weight: Weight = None, method: str = "dijkstra"
) -> Iterator[list[Node]]:
    return _paths_to(G, _lists_from(G, source, weight, method)[1], target)


def single_source_all_shortest_paths(
    G: Graph, source: Node, weight: Weight = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, list[list[Node]]]]:
    return _paths_by_target(G, *_lists_from(G, source, weight, method))


def all_pairs_all_shortest_paths(
    G: Graph, weight: Weight = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, dict[Node, list[list[Node]]]]]:
    # What is left to NetworkX must be known before the first step.
    arcs = _only_positive(_without_hidden(_arcs_by_method(G, weight, method)))
    n, weights = len(G), arcs.matrix.data
    if len(weights) and weights.dtype.kind == "f" and weights.min() <= n * weights.max() * np.finfo(float).eps:
        raise NotImplementedError("apsp: weights that rounding may hide are left to NetworkX in this function")
    return _all_paths_by_source(G, arcs)


def _all_paths_by_source(G: Graph, arcs: Arcs) -> Iterator[tuple[Node, dict[Node, list[list[Node]]]]]:
    n = len(G)
    size = max(1, _BLOCK // max(1, n * (arcs.dtype.itemsize + 8) + 4 * arcs.matrix.nnz))
    for begin in range(0, n, size):
        block = range(begin, min(n, begin + size))
        for distances, lists in zip(*_counting(apsp.tight_predecessors, arcs, indices=list(block)), strict=True):
            yield G.labels[lists.source], dict(_paths_by_target(G, distances, lists))


# --- reductions -------------------------------------------------------------------------------------------------------


def _summary(arcs: Arcs, sources: list[int] | None = None) -> apsp.Summary:
    try:
        return apsp.summarize(arcs.matrix, indices=sources, dtype=arcs.dtype, policy=_policy())
    except apsp.NegativeCycleError as error:
        raise nx.NetworkXUnbounded(_UNBOUNDED) from error
    except OverflowError as error:
        raise NotImplementedError("apsp: a sum of distances is too large for int64") from error


def eccentricity(G: Graph, v: Any = None, sp: None = None, weight: Weight = None) -> Any:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Cannot compute eccentricity of a null graph.")
    nodes = list(G) if v is None else list(G.original.nbunch_iter(v))
    if not nodes:
        return {}
    sources = None if v is None else [G.labels.index[node] for node in nodes]
    found = _summary(_without_negative(G.arcs(weight)), sources)
    if not found.all_reached:
        raise nx.NetworkXError(
            "Found infinite path length because the digraph is not strongly connected"
            if G.is_directed()
            else "Found infinite path length because the graph is not connected"
        )
    values = found.eccentricity.tolist()
    return values[0] if v in G else dict(zip(nodes, values, strict=True))


def diameter(G: Graph, e: None = None, usebounds: bool = False, weight: Weight = None) -> Any:
    return max(eccentricity(G, weight=weight).values())


def radius(G: Graph, e: None = None, usebounds: bool = False, weight: Weight = None) -> Any:
    return min(eccentricity(G, weight=weight).values())


def center(G: Graph, e: None = None, usebounds: bool = False, weight: Weight = None) -> list[Node]:
    found = eccentricity(G, weight=weight)
    least = min(found.values())
    return [v for v, value in found.items() if value == least]


def periphery(G: Graph, e: None = None, usebounds: bool = False, weight: Weight = None) -> list[Node]:
    found = eccentricity(G, weight=weight)
    greatest = max(found.values())
    return [v for v, value in found.items() if value == greatest]


def centroid(G: Graph, weight: Weight = None, attr: None = None, sp: None = None) -> list[Node]:
    if len(G) == 0:
        if weight is None and not G.is_directed():
            raise nx.NetworkXPointlessConcept("G has no nodes.")
        return []
    found = _summary(_without_negative(G.arcs(weight)))
    if not found.all_reached:
        raise nx.NetworkXNoPath(
            f"Input graph {G.original} is disconnected, so every induced subgraph has infinite barycentricity."
        )
    totals = found.sum.tolist()
    least = min(totals)
    return [v for v, total in zip(G, totals, strict=True) if total == least]


def closeness_centrality(
    G: Graph, u: Any = None, distance: Weight = None, wf_improved: bool = True, *, sp: None = None
) -> Any:
    n = len(G)
    if u is not None and u not in G:
        raise nx.NodeNotFound(f"Source {u} is not in G")
    if n == 0:
        return {}
    # Distances to a node are those from it in the reversed graph.
    arcs = _without_negative(G.arcs(distance, reverse=True))
    found = _summary(arcs, None if u is None else [G.labels.index[u]])
    values = found.closeness(wf_improved).tolist()
    return values[0] if u is not None else dict(zip(G, values, strict=True))


def harmonic_centrality(G: Graph, nbunch: Any = None, distance: Weight = None, sources: Any = None) -> dict[Node, Any]:
    nodes = list(G) if nbunch is None else list(dict.fromkeys(G.original.nbunch_iter(nbunch)))
    if sources is not None:
        sources = list(dict.fromkeys(G.original.nbunch_iter(sources)))
    if not nodes:
        return {}
    positions = None if nbunch is None else [G.labels.index[v] for v in nodes]
    if sources is None:
        arcs = _without_negative(G.arcs(distance, reverse=True))
        return dict(zip(nodes, _summary(arcs, positions).inverse_sum.tolist(), strict=True))
    arcs = _without_negative(G.arcs(distance))
    unreachable = apsp.unreachable(arcs.dtype)
    total = np.zeros(len(G))
    for block in _blocks(arcs, [G.labels.index[v] for v in sources]):
        counts = (block.distances != 0) & (block.distances != unreachable)
        total += np.divide(1.0, block.distances, out=np.zeros(block.distances.shape), where=counts).sum(0)
    return dict(zip(nodes, total[positions if positions is not None else ...].tolist(), strict=True))


def _only_positive(arcs: Arcs) -> Arcs:
    weights = arcs.matrix.data
    if len(weights) and weights.min() <= 0:
        raise NotImplementedError("apsp: weights of 0 or below are left to NetworkX in this function")
    return arcs


def _counting(function: Callable[..., Any], arcs: Arcs, *arguments: Any, **options: Any) -> Any:
    """Call a function of apsp that compares the lengths of paths, as NetworkX does: exactly."""
    try:
        return function(arcs.matrix, *arguments, dtype=arcs.dtype, policy=_policy(), tolerance=0, **options)
    except ValueError as error:
        if "shortest path" not in str(error):
            raise
        raise NotImplementedError(
            "apsp: cycles of length 0 and weights that rounding hides are left to NetworkX in this function"
        ) from error


def _betweenness(arcs: Arcs, sources: list[int] | None, **options: Any) -> Any:
    """Return sums over the ordered pairs of a source and another node."""
    return _counting(apsp.betweenness, arcs, indices=sources, **options)


def _sample(G: Graph, k: int | None, seed: Any) -> list[int] | None:
    return None if k is None else [G.labels.index[v] for v in seed.sample(list(G), k)]


def _scales(G: Graph, k: int | None, normalized: bool, endpoints: bool) -> tuple[float, float]:
    """Return what NetworkX multiplies the sums of nodes that are sources by, if these are k, and those of others."""
    # Of the pairs that a node may be between, so many nodes are the first.
    size = len(G) if endpoints else len(G) - 1
    if size < 2:
        return 1, 1

    def scale(num_sources: int) -> float:
        return 1 / (num_sources * (size - 1)) if normalized else size / (num_sources * (1 if G.is_directed() else 2))

    of_others = scale(size if k is None else k)
    if k is None or endpoints:
        return of_others, of_others
    return scale(k - 1) if k > 1 else math.nan, of_others


def betweenness_centrality(
    G: Graph,
    k: int | None = None,
    normalized: bool = True,
    weight: Weight = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Node, float]:
    if k == len(G):
        k = None
    arcs = _only_positive(_without_hidden(G.arcs(weight)))
    sources = _sample(G, k, seed)
    sums = _betweenness(arcs, sources, endpoints=endpoints)
    of_sources, of_others = _scales(G, k, normalized, endpoints)
    scales = np.full(len(G), of_others)
    scales[sources or []] = of_sources
    return dict(zip(G, (sums * scales).tolist(), strict=True))


def edge_betweenness_centrality(
    G: Graph, k: int | None = None, normalized: bool = True, weight: Weight = None, seed: Any = None
) -> dict[Any, float]:
    arcs = _only_positive(_without_hidden(G.arcs(weight)))
    _, sums = _betweenness(arcs, _sample(G, k, seed), edges=True)
    return _scores_of_edges(G, arcs, sums.data * _scales(G, k, normalized, True)[0], weight)


def _scores_of_edges(G: Graph, arcs: Arcs, of_arcs: NDArray[np.float64], weight: Weight) -> dict[Any, float]:
    edges = list(dict.fromkeys(G.original.edges()))
    n = len(G)
    # The columns of each row are sorted.
    places = np.repeat(np.arange(n), np.diff(arcs.matrix.indptr)) * n + arcs.matrix.indices
    tails, heads = (np.fromiter((G.labels.index[edge[i]] for edge in edges), np.int64, len(edges)) for i in (0, 1))
    found = of_arcs[np.searchsorted(places, tails * n + heads)]
    if not G.is_directed():
        found = found + of_arcs[np.searchsorted(places, heads * n + tails)]
    scores = dict(zip(edges, found.tolist(), strict=True))
    return _shared_by_keys(G, scores, weight) if G.is_multigraph() else scores


def _between(
    G: Graph, arcs: Arcs, sources: Iterable[Node], targets: Iterable[Node], **options: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    index = G.labels.index
    first, last = list(sources), list(targets)
    if not all(v in index for v in first):
        raise NotImplementedError("apsp: sources that are not nodes are left to NetworkX")
    ends = [index[v] for v in last if v in index]
    found: tuple[NDArray[np.float64], NDArray[np.float64]] = _counting(
        betweenness_between, arcs, [index[v] for v in first], ends, **options
    )
    return found


def betweenness_centrality_subset(
    G: Graph, sources: Iterable[Node], targets: Iterable[Node], normalized: bool = False, weight: Weight = None
) -> dict[Node, float]:
    arcs = _only_positive(_without_hidden(G.arcs(weight)))
    scores, _ = _between(G, arcs, sources, targets)
    return dict(zip(G, (scores * _scales(G, None, normalized, False)[0]).tolist(), strict=True))


def edge_betweenness_centrality_subset(
    G: Graph, sources: Iterable[Node], targets: Iterable[Node], normalized: bool = False, weight: Weight = None
) -> dict[Any, float]:
    arcs = _only_positive(_without_hidden(G.arcs(weight)))
    _, scores = _between(G, arcs, sources, targets, edges=True)
    return _scores_of_edges(G, arcs, scores * _scales(G, None, normalized, True)[0], weight)


def _shared_by_keys(G: Graph, scores: dict[Any, float], weight: Weight) -> dict[Any, float]:
    """Return the scores of parallel edges: those of the least weight have equal parts."""

    def weight_of(u: Node, v: Node, keyed: dict[Any, Any]) -> Any:
        return weight(u, v, keyed) if callable(weight) else min(data.get(weight, 1) for data in keyed.values())

    shared = dict.fromkeys(G.original.edges, 0.0)
    for (u, v), score in scores.items():
        keyed = G.original[u][v]
        least = weight_of(u, v, keyed)
        keys = [key for key in keyed if weight_of(u, v, {key: keyed[key]}) == least]
        shared.update(((u, v, key), score / len(keys)) for key in keys)
    return shared


def wiener_index(G: Graph, weight: Weight = None) -> Any:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    found = _summary(_without_hidden(_without_negative(G.arcs(weight))))
    if not found.all_reached:
        return math.inf
    total = found.total_distance
    return total if G.is_directed() else total / 2


def average_shortest_path_length(G: Graph, weight: Weight = None, method: str | None = None) -> float:
    if method is None:
        method = "unweighted" if weight is None else "dijkstra"
    if method not in ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy"):
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    arcs = _without_hidden(G.arcs(None if method == "unweighted" else weight))
    if method == "dijkstra":
        _without_negative(arcs)
    found = _summary(arcs)
    if not found.all_reached:
        raise nx.NetworkXError("Graph is not strongly connected." if G.is_directed() else "Graph is not connected.")
    return float(found.total_distance / (n * (n - 1)))


def global_efficiency(G: Graph) -> float:
    n = len(G)
    if n < 2:
        return 0
    return float(_summary(G.arcs(None)).inverse_sum.sum() / (n * (n - 1)))


def transitive_closure(G: Graph, reflexive: bool | None = False) -> Any:
    if reflexive not in {None, True, False}:
        raise nx.NetworkXError("Incorrect value for the parameter `reflexive`")
    closure = G.original.copy()
    matrix = G.arcs(None).matrix
    reached = apsp.transitive_closure(matrix, policy=_policy())
    is_loop = np.full(len(G), reflexive is True)
    if reflexive is False:
        # A node is on a cycle if an edge leads to it from a node that it reaches.
        sources = np.repeat(np.arange(len(G)), np.diff(matrix.indptr))
        is_loop[matrix.indices[reached[matrix.indices, sources]]] = True
    np.fill_diagonal(reached, is_loop)
    for node, row in zip(G, reached, strict=True):
        known = G.original._adj[node]
        others = G.labels.array[np.flatnonzero(row)].tolist()
        closure.add_edges_from((node, other) for other in others if other not in known)
    return closure


def _reading(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a graph as it is when it is called."""

    @functools.wraps(function)
    def call(G: Graph, *args: Any, **kwargs: Any) -> Any:
        return function(G.read_again(), *args, **kwargs)

    return call


globals().update({name: _reading(globals()[name]) for name in _FUNCTIONS})
_SIGNATURES = {name: inspect.signature(globals()[name]) for name in _FUNCTIONS}

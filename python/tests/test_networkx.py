# SPDX-License-Identifier: BSL-1.0
"""The backend of NetworkX against NetworkX itself."""

import copy
import fractions
import inspect
import itertools
import math
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

import apsp

nx = pytest.importorskip("networkx", minversion="3.7")

import nx_apsp
from nx_apsp import interface

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
WEIGHTS = {
    "int": lambda r: r.randrange(1, 20),
    "float": lambda r: r.random(),
    "zero": lambda r: r.randrange(3),
    "huge": lambda r: r.randrange(10**12, 10**13),
    "mixed": lambda r: r.choice([1, 2.5]),
}
LABELS = {
    "int": lambda i: i,
    "string": lambda i: f"n{i}",
    "tuple": lambda i: (i // 3, i % 3),
    "mixed": lambda i: i or "x",
}


@pytest.fixture(autouse=True)
def quiet():
    with nx.config(warnings_to_ignore={"cache"}):
        yield


def random_graph(kind, weights="int", labels="int", n=14, m=30, seed=1):
    """With self-loops, parallel edges and edges without the attribute, and two nodes that are not connected."""
    r = random.Random(f"{kind.__name__} {weights} {labels} {seed}")
    graph = kind()
    nodes = [LABELS[labels](i) for i in range(n)]
    r.shuffle(nodes)
    graph.add_nodes_from(nodes)
    graph.add_edge(nodes[2], nodes[2], weight=WEIGHTS[weights](r))
    for i in range(m):
        u, v = r.choice(nodes[2:]), r.choice(nodes[2:])
        graph.add_edge(u, v, **({} if i % 7 == 0 else {"weight": WEIGHTS[weights](r)}))
    return graph


def connected_graph(kind, weights="int", n=14, seed=1):
    graph = random_graph(kind, weights, n=n, seed=seed)
    for u, v in itertools.pairwise([*graph, next(iter(graph))]):
        graph.add_edge(u, v, weight=3)
    return graph


def result_of(function, *arguments, **named):
    """What the call returns, generators as dicts, or the type of what it raises."""
    try:
        result = function(*arguments, **named)
        return dict(result) if inspect.isgenerator(result) else result
    except Exception as error:  # noqa: BLE001  # whatever both raise
        return type(error)


def both(function, *arguments, **named):
    return (result_of(function, *arguments, **named, backend=backend) for backend in ("apsp", "networkx"))


def assert_equal(found, expected):
    """Equal but for the last digits of floats."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            assert_equal(found[key], value)
    elif isinstance(expected, tuple | list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_equal(one, other)
    elif isinstance(expected, int | float):
        # In NetworkX a node's distance from itself is the integer 0 even if weights are floats.
        assert isinstance(found, int | float)
        assert found == pytest.approx(expected, rel=1e-12)
    else:
        assert type(found) is type(expected)
        assert found == expected


def length_of(graph, path):
    return sum(
        min(data.get("weight", 1) for data in (graph[u][v].values() if graph.is_multigraph() else [graph[u][v]]))
        for u, v in itertools.pairwise(path)
    )


def assert_paths(graph, found, lengths):
    """There is a path of that length to each node."""
    assert found.keys() == lengths.keys()
    for source, paths in found.items():
        assert paths.keys() == lengths[source].keys()
        for target, path in paths.items():
            assert (path[0], path[-1]) == (source, target)
            assert length_of(graph, path) == pytest.approx(lengths[source][target], rel=1e-12)


def sorted_paths(found):
    """All paths from each node to each other, whose order is not that of NetworkX."""
    return {source: {target: sorted(p) for target, p in paths.items()} for source, paths in found.items()}


LENGTHS = {
    "all_pairs_shortest_path_length": {},
    "all_pairs_dijkstra_path_length": {},
    "all_pairs_bellman_ford_path_length": {},
    "floyd_warshall": {},
    "closeness_centrality": {"distance": "weight"},
    "harmonic_centrality": {"distance": "weight"},
    "wiener_index": {"weight": "weight"},
    "average_shortest_path_length": {"weight": "weight"},
}
# Several paths may be equally short.
WITH_PATHS = (
    "all_pairs_bellman_ford_path",
    "all_pairs_dijkstra",
    "all_pairs_dijkstra_path",
    "all_pairs_shortest_path",
    "floyd_warshall_predecessor_and_distance",
    "johnson",
)
METHODS = ("unweighted", "dijkstra", "bellman-ford")
CONNECTED = {
    "eccentricity": {"weight": "weight"},
    "diameter": {"weight": "weight"},
    "radius": {"weight": "weight"},
    "center": {"weight": "weight"},
    "periphery": {"weight": "weight"},
    "centroid": {"weight": "weight"},
    **LENGTHS,
}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LENGTHS)
def test_lengths(name, kind, weights):
    for labels in LABELS:
        assert_equal(*both(getattr(nx, name), random_graph(kind, weights, labels), **LENGTHS[name]))


@pytest.mark.parametrize("weights", ("int", "float"))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CONNECTED)
def test_connected(name, kind, weights):
    graph = connected_graph(kind, weights)
    if weights == "float" and name in ("center", "periphery"):
        # Ties between d(u, v) and d(v, u) are decided by the last digit.
        graph = graph.to_directed()
    assert_equal(*both(getattr(nx, name), graph, **CONNECTED[name]))
    assert_equal(*both(getattr(nx, name), graph))


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("kind", KINDS)
def test_paths(kind, weights):
    graph = random_graph(kind, weights, "tuple")
    lengths = dict(nx.all_pairs_dijkstra_path_length(graph))
    assert_paths(graph, dict(nx.all_pairs_dijkstra_path(graph, backend="apsp")), lengths)
    assert_paths(graph, dict(nx.all_pairs_bellman_ford_path(graph, backend="apsp")), lengths)
    assert_paths(graph, nx.johnson(graph, backend="apsp"), lengths)
    pairs = dict(nx.all_pairs_dijkstra(graph, backend="apsp"))
    assert_equal({v: distances for v, (distances, _) in pairs.items()}, lengths)
    assert_paths(graph, {v: paths for v, (_, paths) in pairs.items()}, lengths)
    steps = dict(nx.all_pairs_shortest_path_length(graph))
    for source, paths in nx.all_pairs_shortest_path(graph, backend="apsp"):
        assert {v: len(path) - 1 for v, path in paths.items()} == steps[source]
        assert all(nx.is_path(graph, path) for path in paths.values())


@pytest.mark.parametrize("kind", KINDS)
def test_predecessors(kind):
    # Powers of two: no two paths have the same length.
    graph = random_graph(kind, n=9, m=14)
    for i, data in enumerate(data for *_, data in graph.edges(data=True)):
        data["weight"] = 2.0**i
    (found, distances), (expected, expected_distances) = both(nx.floyd_warshall_predecessor_and_distance, graph)
    assert found == expected
    assert list(found) == list(expected)
    assert distances == expected_distances
    for source, target in itertools.permutations(graph, 2):
        if distances[source][target] < math.inf:
            path = nx.reconstruct_path(source, target, found)
            assert length_of(graph, path) == distances[source][target]


@pytest.mark.parametrize("weights", ("int", "float", "huge", "mixed"))
@pytest.mark.parametrize("kind", KINDS)
def test_betweenness(kind, weights):
    for labels, seed in itertools.product(LABELS, range(3)):
        graph = random_graph(kind, weights, labels, seed=seed)
        for normalized, weight in itertools.product((True, False), (None, "weight", "other")):
            found, expected = both(nx.edge_betweenness_centrality, graph, normalized=normalized, weight=weight)
            assert_equal(found, expected)
            assert list(found) == list(expected)
            for endpoints in (True, False):
                found, expected = both(
                    nx.betweenness_centrality, graph, normalized=normalized, weight=weight, endpoints=endpoints
                )
                assert_equal(found, expected)
                assert list(found) == list(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_betweenness_of_samples(kind):
    graph = random_graph(kind)
    for k, normalized, weight in itertools.product((1, 2, 5, 14, 15), (True, False), (None, "weight")):
        assert_equal(*both(nx.edge_betweenness_centrality, graph, k, normalized, weight, 3))
        for endpoints in (True, False):
            found, expected = both(nx.betweenness_centrality, graph, k, normalized, weight, endpoints, 3)
            if k == 1 and not endpoints:
                # What NetworkX has for the only source.
                assert [v for v in found if math.isnan(found[v])] == [v for v in expected if math.isnan(expected[v])]
                found, expected = ({v: x for v, x in d.items() if not math.isnan(x)} for d in (found, expected))
            assert_equal(found, expected)
    # The generator of the caller is used as NetworkX uses it.
    results = []
    for backend in ("apsp", "networkx"):
        generator = random.Random(5)
        results.append([nx.betweenness_centrality(graph, 4, seed=generator, backend=backend) for _ in range(3)])
    assert_equal(*results)


@pytest.mark.parametrize("kind", KINDS)
def test_equal_lengths_are_equal_sums(kind):
    # 0.1 + 0.2 is not 0.3 in NetworkX.
    graph = kind([(0, 1, {"weight": 0.1}), (1, 3, {"weight": 0.2}), (0, 2, {"weight": 0.15}), (2, 3, {"weight": 0.15})])
    for function in (nx.betweenness_centrality, nx.edge_betweenness_centrality):
        assert_equal(*both(function, graph, weight="weight"))
    r = random.Random(6)
    grid = nx.grid_2d_graph(6, 6).to_directed() if kind().is_directed() else nx.grid_2d_graph(6, 6)
    for *_, data in grid.edges(data=True):
        data["weight"] = r.choice((0.1, 0.2, 0.3))
    for function in (nx.betweenness_centrality, nx.edge_betweenness_centrality):
        assert_equal(*both(function, kind(grid), weight="weight"))


@pytest.mark.parametrize("kind", KINDS)
def test_betweenness_of_other_graphs(kind):
    graph = connected_graph(kind)

    def weight(u, v, data):
        return 1 + (3 * u + v) % 5

    view = nx.subgraph_view(graph, filter_node=lambda v: v != 3, filter_edge=lambda *edge: 5 not in edge[:2])
    for function in (nx.betweenness_centrality, nx.edge_betweenness_centrality):
        assert_equal(*both(function, graph, weight=weight))
        assert_equal(*both(function, view, weight="weight"))
        assert_equal(*both(function, view))
        for *_, data in graph.edges(data=True):
            data["weight"] = 7
        assert_equal(*both(function, graph, weight="weight"))
        edge = next(iter(graph.edges(data=True)))[2]
        for wrong in (0, -1, None, 1j):
            edge["weight"] = wrong
            generator = random.Random(5)
            with pytest.raises(NotImplementedError):
                function(graph, k=3, weight="weight", seed=generator, backend="apsp")
            # NetworkX draws the sample that it would have drawn.
            assert generator.getstate() == random.Random(5).getstate()
        edge["weight"] = 7
    # In NetworkX the tiny weight is added to nothing.
    hidden = kind([(0, 1, {"weight": 1.0}), (1, 2, {"weight": 1e-30}), (2, 1, {"weight": 1e-30})])
    assert result_of(nx.betweenness_centrality, hidden, weight="weight", backend="apsp") is NotImplementedError


@pytest.mark.parametrize("weights", ("int", "float", "huge", "mixed"))
@pytest.mark.parametrize("kind", KINDS)
def test_betweenness_of_subsets(kind, weights):
    for labels, seed in itertools.product(LABELS, range(3)):
        graph = random_graph(kind, weights, labels, seed=seed)
        nodes = list(graph)
        for sources, targets in ((nodes[:5], nodes[3:9]), (nodes[4:5] * 2, nodes[6:]), (nodes, nodes), ([], nodes[:2])):
            for normalized, weight in itertools.product((True, False), (None, "weight", "other")):
                found, expected = both(nx.betweenness_centrality_subset, graph, sources, targets, normalized, weight)
                assert_equal(found, expected)
                assert list(found) == list(expected)
                found, expected = both(
                    nx.edge_betweenness_centrality_subset, graph, sources, targets, normalized, weight
                )
                assert_equal(found, expected)
                assert list(found) == list(expected)
        found = nx.betweenness_centrality_subset(graph, nodes[:2], ["?", nodes[5]], backend="apsp")
        assert_equal(found, nx.betweenness_centrality_subset(graph, nodes[:2], [nodes[5]], backend="networkx"))
        for function in (nx.betweenness_centrality_subset, nx.edge_betweenness_centrality_subset):
            assert result_of(function, graph, ["?"], nodes, backend="apsp") is NotImplementedError


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("kind", KINDS)
def test_all_shortest_paths(kind, weights):
    for labels, seed in itertools.product(("string", "tuple"), range(3)):
        graph = random_graph(kind, weights, labels, seed=seed)
        nodes = list(graph)
        for weight, method in ((None, "other"), *itertools.product(("weight", "x"), METHODS)):
            for source in nodes[::5]:
                found, expected = both(nx.single_source_all_shortest_paths, graph, source, weight, method)
                if found is NotImplementedError:
                    assert weights == "zero"
                    assert weight == "weight"
                    continue
                assert found.keys() == expected.keys()
                for target, paths in expected.items():
                    assert sorted(found[target]) == sorted(paths)
                    one = nx.all_shortest_paths(graph, source, target, weight, method, backend="apsp")
                    assert list(one) == found[target]
            found, expected = both(nx.all_pairs_all_shortest_paths, graph, weight, method)
            if found is NotImplementedError:
                assert weights == "zero"
                assert weight == "weight"
                continue
            assert list(found) == list(expected)
            assert sorted_paths(found) == sorted_paths(expected)


def test_all_shortest_paths_that_are_none():
    graph = nx.DiGraph([(0, 1), (1, 2), (3, 0)])
    for weight, method in itertools.product((None, "weight"), METHODS):
        for source, target in ((0, 3), (0, "?"), ("?", 0), (0, 0)):
            found, expected = (
                result_of(
                    lambda *given, backend: list(nx.all_shortest_paths(*given, backend=backend)),
                    graph,
                    source,
                    target,
                    weight,
                    method,
                    backend=backend,
                )
                for backend in ("apsp", "networkx")
            )
            assert found == expected
    assert result_of(nx.all_shortest_paths, graph, 0, 2, "weight", "other", backend="apsp") is ValueError
    # Weights of 0 and below without such a cycle.
    graph.edges[0, 1]["weight"] = 0
    assert list(nx.all_shortest_paths(graph, 0, 2, "weight", backend="apsp")) == [[0, 1, 2]]
    graph.edges[0, 1]["weight"] = -4
    assert list(nx.all_shortest_paths(graph, 0, 2, "weight", "bellman-ford", backend="apsp")) == [[0, 1, 2]]
    assert result_of(nx.all_shortest_paths, graph, 0, 2, "weight", backend="apsp") is NotImplementedError
    # Cycles are left to NetworkX.
    for least in (0, -1):
        graph.add_edge(2, 0, weight=3 + least)
        arguments = (graph, 0, 2, "weight", "bellman-ford")
        assert result_of(nx.all_shortest_paths, *arguments, backend="apsp") is NotImplementedError
    with nx.config(backend_priority=["apsp"]):
        assert result_of(nx.all_shortest_paths, *arguments) is nx.NetworkXUnbounded


def test_all_shortest_paths_are_equal_sums():
    # 0.1 + 0.2 is not 0.3 in NetworkX.
    r = random.Random(7)
    graph = nx.grid_2d_graph(5, 5)
    for *_, data in graph.edges(data=True):
        data["weight"] = r.choice((0.1, 0.2, 0.3))
    found, expected = both(nx.all_pairs_all_shortest_paths, graph, "weight")
    assert sorted_paths(found) == sorted_paths(expected)
    # In NetworkX the tiny weight is added to nothing.
    hidden = nx.Graph([(0, 1, {"weight": 1.0}), (1, 2, {"weight": 1e-30})])
    for function in (
        nx.all_pairs_all_shortest_paths,
        lambda *given, **named: nx.all_shortest_paths(given[0], 0, 2, "weight", **named),
    ):
        assert result_of(function, hidden, "weight", backend="apsp") is NotImplementedError


@pytest.mark.parametrize("weight", ("weight", "other", None))
@pytest.mark.parametrize("kind", KINDS)
def test_matrix(kind, weight):
    graph = random_graph(kind, labels="string")
    for nodelist in (None, sorted(graph)):
        found, expected = both(nx.floyd_warshall_numpy, graph, nodelist, weight)
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)
    for wrong in (sorted(graph)[1:], [*sorted(graph)[1:], "?"], sorted(graph) * 2):
        found, expected = both(nx.floyd_warshall_numpy, graph, wrong)
        assert found is expected is nx.NetworkXError


def test_integers_stay_integers():
    for weights in ("int", "huge"):
        graph = connected_graph(nx.Graph, weights)
        rows = dict(nx.all_pairs_dijkstra_path_length(graph, backend="apsp"))
        assert {type(d) for row in rows.values() for d in row.values()} == {int}
        assert type(nx.diameter(graph, weight="weight", backend="apsp")) is int
    far = nx.path_graph(3)
    nx.set_edge_attributes(far, 2**53 + 1, "weight")
    assert dict(nx.all_pairs_dijkstra_path_length(far, backend="apsp"))[0][2] == 2**54 + 2


def test_sums_that_int64_does_not_hold():
    graph = nx.path_graph(60)
    nx.set_edge_attributes(graph, 3 * 10**16, "weight")
    assert dict(nx.all_pairs_dijkstra_path_length(graph, backend="apsp"))[0][59] == 59 * 3 * 10**16
    assert result_of(nx.wiener_index, graph, "weight", backend="apsp") is NotImplementedError
    with nx.config(backend_priority=["apsp"]):
        assert nx.wiener_index(graph, "weight") == 60 * (60**2 - 1) // 6 * 3 * 10**16


def test_negative_weights():
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([(0, 1, 4), (0, 2, 5), (2, 1, -3), (1, 3, 1), (3, 4, 0)])
    lengths = dict(nx.all_pairs_bellman_ford_path_length(graph))
    assert dict(nx.all_pairs_bellman_ford_path_length(graph, backend="apsp")) == lengths
    assert_paths(graph, nx.johnson(graph, backend="apsp"), lengths)
    assert_equal(*both(nx.floyd_warshall, graph))
    for function, named in (
        (nx.all_pairs_dijkstra_path_length, {}),
        (nx.all_pairs_dijkstra, {}),
        (nx.closeness_centrality, {"distance": "weight"}),
        (nx.eccentricity, {"weight": "weight"}),
    ):
        assert result_of(function, graph, **named, backend="apsp") is NotImplementedError
    graph.add_edge(4, 0, weight=3)
    graph.add_edge(1, 2, weight=9)
    for method in ("bellman-ford", "floyd-warshall"):
        assert_equal(*both(nx.average_shortest_path_length, graph, "weight", method))
    assert result_of(nx.average_shortest_path_length, graph, "weight", backend="apsp") is NotImplementedError


@pytest.mark.parametrize("name", ("johnson", "floyd_warshall", "floyd_warshall_numpy", "all_pairs_bellman_ford_path"))
def test_negative_cycles(name):
    loop = nx.DiGraph()
    loop.add_edge(0, 0, weight=-1)
    edge = nx.Graph()
    edge.add_edge("a", "b", weight=-2)
    for graph in (loop, edge):
        found, expected = both(getattr(nx, name), graph)
        assert found is expected is nx.NetworkXUnbounded


@pytest.mark.parametrize("kind", KINDS)
def test_hidden_edges(kind):
    graph = random_graph(kind)
    seen = set()

    def weight(u, v, data):
        seen.add((u, v))
        return None if (u + v) % 3 == 0 else u + v

    by_function = (nx.all_pairs_dijkstra_path_length, nx.floyd_warshall)
    for function in by_function:
        assert_equal(*both(function, graph, weight=weight))
    assert {(u, v) for u, v, *_ in graph.edges()} <= seen
    for function in (nx.johnson, nx.all_pairs_bellman_ford_path_length):
        # NetworkX adds None.
        assert tuple(both(function, graph, weight=weight)) == (NotImplementedError, TypeError)
    if not graph.is_multigraph():
        for *_, data in graph.edges(data=True):
            if data.get("weight", 0) % 2:
                data["weight"] = None
        for function in by_function:
            assert_equal(*both(function, graph))


@pytest.mark.parametrize("cutoff", (0, 1, 2.5, 7, math.inf))
@pytest.mark.parametrize("kind", KINDS)
def test_cutoff(kind, cutoff):
    graph = random_graph(kind, "zero")
    for function in (nx.all_pairs_dijkstra_path_length, nx.all_pairs_shortest_path_length):
        assert_equal(*both(function, graph, cutoff=cutoff))
    found, expected = both(nx.all_pairs_shortest_path, graph, cutoff=cutoff)
    assert {v: paths.keys() for v, paths in found.items()} == {v: paths.keys() for v, paths in expected.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_some_nodes(kind):
    graph, whole = random_graph(kind), connected_graph(kind)
    assert_equal(*both(nx.eccentricity, whole, 3))
    assert_equal(*both(nx.eccentricity, whole, [5, 3, 99], weight="weight"))
    assert_equal(*both(nx.eccentricity, whole, []))
    assert_equal(*both(nx.eccentricity, whole, 99))
    assert_equal(*both(nx.closeness_centrality, graph, 3))
    assert_equal(*both(nx.closeness_centrality, graph, 99))
    assert_equal(*both(nx.closeness_centrality, graph, distance="weight", wf_improved=False))
    for nbunch, sources in ((None, [1, 2]), ([5, 3], None), ([5, 3, 6], [1, 2]), ([5], [1, 2, 3]), ([], None)):
        assert_equal(*both(nx.harmonic_centrality, graph, nbunch, "weight", sources))
    for name in ("diameter", "radius", "center", "periphery"):
        assert_equal(*both(getattr(nx, name), whole, usebounds=True, weight="weight"))
    for method in ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy", "other"):
        for weight in (None, "weight"):
            assert_equal(*both(nx.average_shortest_path_length, whole, weight, method))


@pytest.mark.parametrize("kind", KINDS)
def test_disconnected_and_small(kind):
    two = kind()
    two.add_nodes_from("ab")
    one = kind()
    one.add_node("a")
    names = [name for name in nx_apsp.get_info()["functions"] if name != "transitive_closure"]
    for graph, name in itertools.product((kind(), one, two, random_graph(kind)), names):
        if name in ("center", "centroid") and len(graph) < 2:
            continue  # trees
        found, expected = both(getattr(nx, name), graph)
        if name == "all_pairs_all_shortest_paths":
            found, expected = sorted_paths(found), sorted_paths(expected)
        if isinstance(expected, np.ndarray):
            assert np.array_equal(found, expected)
        elif len(graph) <= 2 or name not in WITH_PATHS:
            assert_equal(found, expected)


@pytest.mark.parametrize("reflexive", (False, True, None, "other"))
@pytest.mark.parametrize("kind", (nx.DiGraph, nx.MultiDiGraph))
def test_transitive_closure(kind, reflexive):
    graph = random_graph(kind, m=16)
    graph.graph["name"] = "a graph"
    found, expected = both(nx.transitive_closure, graph, reflexive)
    if isinstance(expected, type):
        assert found is expected
        return
    assert type(found) is type(expected)
    assert (found.adj, found.nodes(data=True), found.graph) == (expected.adj, expected.nodes(data=True), expected.graph)


def test_results_are_lazy(monkeypatch):
    graph = random_graph(nx.DiGraph, "float")
    found, expected = both(nx.floyd_warshall, graph)
    rows = dict(nx.all_pairs_dijkstra_path_length(graph, backend="apsp"))
    for kind in (interface.Distances, interface.FullDistances, interface.Paths, interface.Rows):
        monkeypatch.setattr(kind, "_make", lambda self: pytest.fail("made a dict"))
    assert found[2][3] == pytest.approx(expected[2][3])
    assert len(found) == len(expected)
    assert len(found[2]) == len(expected[2])
    assert 2 in rows[2]
    assert len(rows[2]) == len(nx.single_source_dijkstra_path_length(graph, 2))
    paths = nx.johnson(graph, backend="apsp")
    assert len(paths[2]) == len(rows[2])
    assert paths[2][2] == [2]
    assert paths[2] is paths[2]
    far = next(v for v in graph if v not in rows[2])
    for mapping in (rows[2], paths[2]):
        assert far not in mapping
        assert "?" not in mapping
        assert mapping.get(far) is None
        with pytest.raises(KeyError):
            mapping[far]


def test_results_are_like_dicts():
    graph = nx.path_graph(3, create_using=nx.DiGraph)
    found, expected = both(nx.all_pairs_shortest_path_length, graph)
    assert found == expected
    assert expected == found
    assert repr(found) == repr(expected) == "{0: {0: 0, 1: 1, 2: 2}, 1: {1: 0, 2: 1}, 2: {2: 0}}"
    paths = nx.johnson(graph, backend="apsp")
    assert repr(paths[0]) == "{0: [0], 1: [0, 1], 2: [0, 1, 2]}"
    assert paths == nx.johnson(graph)
    assert paths != {}
    assert paths[1] == {2: [1, 2], 1: [1]}
    assert type(pickle.loads(pickle.dumps(paths))) is type(copy.deepcopy(paths)[0]) is type(paths.copy()) is dict
    row = found[0]
    row["new"] = 7
    assert len(row) == 4
    del row[1]
    assert row == {0: 0, 2: 2, "new": 7}


@pytest.mark.parametrize("kind", KINDS)
def test_nearest_first(kind):
    graph = random_graph(kind, "zero")
    for (source, distances), (_, paths) in zip(
        nx.all_pairs_dijkstra_path_length(graph, backend="apsp"),
        nx.all_pairs_dijkstra_path(graph, backend="apsp"),
        strict=True,
    ):
        assert next(iter(distances)) == source
        assert list(distances.values()) == sorted(distances.values())
        assert list(paths) == list(distances)


def test_generators_stay_generators():
    graph = nx.path_graph(4)
    for name in nx_apsp.get_info()["functions"]:
        if name.startswith("all_pairs"):
            assert inspect.isgenerator(getattr(nx, name)(graph, backend="apsp"))


def test_blocks(monkeypatch):
    graph = random_graph(nx.Graph, "float")
    solved = []
    call = apsp.shortest_path
    monkeypatch.setattr(apsp, "shortest_path", lambda *a, **k: solved.append(k["indices"]) or call(*a, **k))
    assert_equal(*both(nx.all_pairs_dijkstra_path_length, graph))
    assert solved == [None]  # all, for which the library chooses the algorithm
    solved.clear()
    monkeypatch.setattr(interface, "_BLOCK", 3 * 12 * len(graph))
    assert_equal(*both(nx.all_pairs_dijkstra_path_length, graph))
    assert_paths(
        graph,
        dict(nx.all_pairs_dijkstra_path(graph, backend="apsp")),
        dict(nx.all_pairs_dijkstra_path_length(graph)),
    )
    assert max(map(len, solved)) < len(graph)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_weights_that_are_set_in_place(kind, monkeypatch, recwarn):
    graph = connected_graph(kind)
    r = random.Random(5)
    nodes = list(graph)

    def compare():
        assert_equal(*both(nx.all_pairs_dijkstra_path_length, graph))
        assert_equal(*both(nx.closeness_centrality, graph, distance="weight"))
        assert_equal(*both(nx.diameter, graph, weight="weight"))
        monkeypatch.setattr(interface, "_FEWEST_NODES", 0)
        with nx.config(backend_priority=["apsp"]):
            found = nx.average_shortest_path_length(graph, weight="weight")
        assert_equal(found, nx.average_shortest_path_length(graph, weight="weight", backend="networkx"))

    with nx.config(warnings_to_ignore=set()):
        compare()
        for *_, data in graph.edges(data=True):
            data["weight"] = r.randrange(1, 50)
        compare()
        nx.set_edge_attributes(graph, {edge: 2.5 for edge in graph.edges}, "weight")
        compare()
        for *_, data in graph.edges(data=True):
            data["weight"] = None
        with pytest.raises(NotImplementedError):
            nx.wiener_index(graph, weight="weight", backend="apsp")
        for *_, data in graph.edges(data=True):
            data["weight"] = 10**30
        with pytest.raises(NotImplementedError):
            nx.diameter(graph, weight="weight", backend="apsp")
        for *_, data in graph.edges(data=True):
            data["weight"] = 7
        compare()
        graph.add_edge(nodes[0], "new", weight=4)
        graph.add_edge("new", nodes[1], weight=1)
        compare()
    assert not [str(warning.message) for warning in recwarn if "cache" in str(warning.message)]


def test_graph_of_the_backend():
    graph = random_graph(nx.MultiDiGraph, "float")
    converted = interface.convert_from_nx(graph, edge_attrs={"weight": 1})
    assert interface.convert_to_nx(converted) is graph
    assert list(converted) == list(graph)
    assert len(converted) == converted.order() == converted.number_of_nodes() == len(graph)
    assert converted.number_of_edges() == graph.number_of_edges()
    assert converted.is_directed()
    assert converted.is_multigraph()
    assert 2 in converted
    assert "?" not in converted
    assert [] not in converted
    for *_, data in graph.edges(data=True):
        data["weight"] = 3
    assert_equal(nx.floyd_warshall(converted), nx.floyd_warshall(graph))
    with nx.config(fallback_to_nx=True):
        assert nx.density(converted) == nx.density(graph)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_views_that_hide_edges(kind, seed):
    graph = connected_graph(kind, seed=seed)
    r = random.Random(seed)
    edges = list(graph.edges(keys=True) if graph.is_multigraph() else graph.edges)
    for edge in edges:
        graph.edges[edge]["kind"] = r.choice(["street", "street", "motorway"])
    views = (
        nx.subgraph_view(graph, filter_edge=lambda *edge: graph.edges[edge]["kind"] == "street"),
        nx.subgraph_view(graph, filter_node=lambda v: v != 3, filter_edge=lambda *edge: 5 not in edge[:2]),
        graph.edge_subgraph(r.sample(edges, len(edges) // 2)),
        nx.restricted_view(graph, [1], r.sample(edges, 5)),
    )
    views += tuple(map(nx.reverse_view, views)) if graph.is_directed() else ()
    for view in views:
        assert_equal(*both(nx.all_pairs_dijkstra_path_length, view))
        assert_equal(*both(nx.all_pairs_shortest_path_length, view))
        assert_equal(*both(nx.floyd_warshall, view))
        assert_equal(*both(nx.closeness_centrality, view, distance="weight"))
        assert_equal(*both(nx.harmonic_centrality, view))
    # What a filter looks at may change.
    for edge in edges:
        graph.edges[edge]["kind"] = r.choice(["street", "motorway"])
    assert_equal(*both(nx.all_pairs_dijkstra_path_length, views[0]))


def test_graphs_of_networkx_are_for_the_backend():
    for graph in (random_graph(nx.Graph), random_graph(nx.MultiDiGraph), interface.convert_from_nx(nx.Graph())):
        for call in (apsp.shortest_path, apsp.summarize, apsp.transitive_closure, lambda g: apsp.batch([g])):
            with pytest.raises(TypeError, match=r"NetworkX, whose functions run here with backend='apsp'"):
                call(graph)


def test_views():
    graph = random_graph(nx.DiGraph)
    for view in (graph.subgraph(list(graph)[:9]), nx.reverse_view(graph), graph.to_undirected(as_view=True)):
        assert_equal(*both(nx.all_pairs_dijkstra_path_length, view))
    graph._node = dict(sorted(graph._node.items()))  # no longer in the order of graph.adj
    assert list(graph) != list(graph.adj)
    assert_equal(*both(nx.floyd_warshall, graph))


@pytest.mark.parametrize(
    "weight", (fractions.Fraction(1, 3), 2**70, math.inf, math.nan, "1", 1j, np.complex64(1), np.longdouble(1))
)
def test_other_weights_are_left_to_networkx(weight):
    graph = nx.path_graph(60)
    nx.set_edge_attributes(graph, weight, "weight")
    assert result_of(nx.all_pairs_dijkstra_path_length, graph, backend="apsp") is NotImplementedError
    expected = result_of(nx.all_pairs_dijkstra_path_length, graph)
    with nx.config(backend_priority=["apsp"]):
        assert repr(result_of(nx.all_pairs_dijkstra_path_length, graph)) == repr(expected)


def test_numpy_weights():
    graph = nx.path_graph(3)
    for kind, result in ((np.int16, int), (np.float32, float), (np.bool_, int), (np.uint64, int)):
        nx.set_edge_attributes(graph, kind(1), "weight")
        row = dict(nx.all_pairs_dijkstra_path_length(graph, backend="apsp"))[0]
        assert row == {0: 0, 1: 1, 2: 2}
        assert {type(d) for d in row.values()} == {result}


def test_which_calls_are_taken():
    graph, directed, tree = nx.complete_graph(5), nx.complete_graph(5, nx.DiGraph), nx.path_graph(5)

    def weight(u, v, data):
        return 1

    for name, given, named in (
        ("all_pairs_shortest_path", graph, {"cutoff": -1}),
        ("eccentricity", graph, {"sp": {}}),
        ("closeness_centrality", graph, {"sp": {}}),
        ("diameter", graph, {"e": {}}),
        ("centroid", graph, {"attr": "x"}),
        ("center", tree, {}),
        ("floyd_warshall_numpy", graph, {"weight": weight}),
        ("average_shortest_path_length", graph, {"weight": weight, "method": "floyd-warshall-numpy"}),
        ("closeness_centrality", directed, {"distance": weight}),
        ("transitive_closure", graph, {}),
        ("diameter", graph, {"unknown": 1}),
    ):
        assert isinstance(interface.can_run(name, (given,), named), str)
    for name, given, named in (
        ("eccentricity", directed, {"weight": weight}),
        ("closeness_centrality", graph, {"distance": weight}),
        ("center", graph, {}),
        ("center", tree, {"weight": "weight"}),
        ("transitive_closure", directed, {"reflexive": None}),
    ):
        assert interface.can_run(name, (given,), named) is True
    assert isinstance(interface.should_run("diameter", (graph,), {}), str)
    large = nx.cycle_graph(interface._FEWEST_NODES)
    assert interface.should_run("diameter", (), {"G": large}) is True
    assert isinstance(interface.should_run("eccentricity", (large, 3), {}), str)
    assert interface.should_run("eccentricity", (large, [3]), {}) is True


def test_priority(monkeypatch):
    taken = []
    call = apsp.summarize
    monkeypatch.setattr(apsp, "summarize", lambda *a, **k: taken.append(k["policy"]) or call(*a, **k))
    small, large = nx.cycle_graph(10), nx.cycle_graph(interface._FEWEST_NODES)
    with nx.config(backend_priority=["apsp"]):
        assert nx.diameter(small) == 5
        assert nx.diameter(large, e=dict.fromkeys(large, 3)) == 3
        assert not taken
        assert nx.diameter(large) == len(large) // 2
    assert taken == ["auto"]


def test_policy():
    graph = nx.cycle_graph(10)
    for policy, ran in (("seq", "seq"), ("omp", "omp"), (apsp.omp(threads=2), "omp")):
        with nx.config.backends.apsp(policy=policy):
            nx.diameter(graph, backend="apsp")
            assert apsp.last_result().executed_on == ran
            for function in (nx.johnson, nx.floyd_warshall_numpy, nx.floyd_warshall_predecessor_and_distance):
                function(graph, backend="apsp")
                assert apsp.last_result().executed_on == ran
            dict(nx.all_pairs_dijkstra(graph, backend="apsp"))
            assert apsp.last_result().executed_on == ran
            nx.transitive_closure(graph.to_directed(), backend="apsp")
            assert apsp.last_result().executed_on == ran
    with nx.config.backends.apsp(policy="other"), pytest.raises(ValueError, match="expected a policy"):
        nx.diameter(graph, backend="apsp")


def test_info():
    known = nx.utils.backends._registered_algorithms
    for name in nx_apsp.get_info()["functions"]:
        theirs = inspect.signature(known[name].orig_func).parameters
        ours = inspect.signature(getattr(interface, name)).parameters
        assert [(p.name, p.kind, p.default) for p in ours.values()] == [
            (p.name, p.kind, p.default) for p in theirs.values()
        ], name
    assert "apsp" in nx.diameter.__doc__
    load = "import sys, networkx; print({'numpy', 'apsp'} & sys.modules.keys(), networkx.config.backends.apsp.policy)"
    done = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True, check=True)
    assert done.stdout == "set() auto\n"

# SPDX-License-Identifier: BSL-1.0
"""Networks in tables of pandas, against distances of SciPy and loops over values."""

import doctest
import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csgraph

import apsp
import apsp.network
from apsp.network import Network

pd = pytest.importorskip("pandas")


def random_network(seed, twoway, n=50, num_edges=75, **settings):
    """A network with two impedances, in which edges repeat, and its distances by each; IDs are not in order."""
    random = np.random.default_rng(seed)
    ids = random.choice(1000, n, replace=False)
    x, y = random.random((2, n)) * 100
    tails, heads = random.integers(0, n, (2, num_edges))
    weights = pd.DataFrame(random.integers(0, 80, (num_edges, 2)) / 8, columns=["metres", "minutes"])
    weights.index = labels = random.permutation(num_edges)
    made = Network(
        pd.Series(x, ids),
        pd.Series(y, ids),
        pd.Series(ids[tails], labels),
        pd.Series(ids[heads], labels),
        weights,
        twoway,
        **settings,
    )
    distances = {}
    for name in weights:
        best = np.full((n, n), np.inf)
        np.minimum.at(best, (tails, heads), weights[name])
        if twoway:
            best = np.minimum(best, best.T)
        distances[name] = csgraph.dijkstra(csgraph.csgraph_from_dense(best, null_value=np.inf))
    return made, distances, ids


def aggregate(values, distances, distance, kind, decay):
    """What pandana computes for one node from values, and how far away they are."""
    is_near = distances <= distance
    v, d = values[is_near], distances[is_near]
    order_statistics = {"min": 0, "25pct": 0.25, "median": 0.5, "75pct": 0.75, "max": 1}
    if kind in order_statistics:
        return np.sort(v)[min(int(len(v) * order_statistics[kind]), len(v) - 1)] if len(v) else -1
    if kind == "count" or len(v) == 0:
        return len(v)
    if kind == "std":
        return np.std(v)
    shares = {"linear": 1 - d / distance, "exponential": np.exp(-d / distance), "flat": np.ones(len(d))}[decay]
    return (v * shares).sum() / (len(v) if kind == "mean" else 1)


@pytest.mark.parametrize("twoway", [True, False])
def test_aggregate(twoway, monkeypatch):
    network, distances, ids = random_network(1, twoway)
    random = np.random.default_rng(2)
    places = random.integers(0, 50, 70)
    values = random.normal(5, 2, 70).round(1)  # Some are equal.
    network.set(pd.Series(ids[places]), pd.Series(values), name="values")
    assert network.aggregations == ["sum", "mean", "min", "25pct", "median", "75pct", "max", "std", "count"]
    for most_entries in (1 << 22, 200):  # at once, and in blocks of few nodes
        monkeypatch.setattr(apsp.network, "_MOST_ENTRIES", most_entries)
        for name, distance, kind, decay in itertools.product(
            ("metres", "minutes"), (0.125, 5, 12.5, 1000), network.aggregations, network.decays
        ):
            found = network.aggregate(distance, kind, decay, name, "values")
            assert isinstance(found, pd.Series) and found.index.equals(network.node_ids) and found.dtype == float
            expected = [aggregate(values, row[places], distance, kind, decay) for row in distances[name]]
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_names_of_aggregations():
    network, _, ids = random_network(3, True)
    network.set(pd.Series(ids))
    network.set(pd.Series(ids), pd.Series(np.arange(50.0)), "other")
    assert network.variable_names == {"tmp", "other"}
    for alias, name in (
        ("SUM", "sum"),
        ("ave", "mean"),
        ("avg", "mean"),
        ("Average", "mean"),
        ("stddev", "std"),
        ("med", "median"),
        ("25", "25pct"),
        ("75", "75pct"),
    ):
        for variable in ("tmp", "other"):
            expected = network.aggregate(20, name, imp_name="metres", name=variable)
            assert network.aggregate(20, alias, imp_name="metres", name=variable).equals(expected)
            assert network.aggregate(20, func=alias, imp_name="metres", name=variable).equals(expected)
    expected = network.aggregate(20, "sum", "exponential", "metres")
    assert network.aggregate(20, "sum", "EXP", "metres").equals(expected)
    again = network.aggregate(20, "sum", "exp", "metres", exp_constant=1 / 20)
    np.testing.assert_allclose(again, expected)
    assert (network.aggregate(20, "sum", "exp", "metres", exp_constant=1) < expected).any()
    # Each node has one.
    counts = network.aggregate(20, "count", imp_name="metres")
    assert network.aggregate(20, "sum", "flat", "metres").equals(counts)
    few = network.low_connectivity_nodes(20, 9, "metres")
    np.testing.assert_array_equal(few, counts.index[counts < 9])
    assert 0 < len(few) < 50


def test_deviations_of_large_values():
    network, distances, ids = random_network(4, True)
    values = np.random.default_rng(5).normal(1e9, 1e-3, 50)
    network.set(pd.Series(ids), pd.Series(values))
    found = network.aggregate(15, "std", imp_name="metres")
    np.testing.assert_allclose(found, [np.std(values[row <= 15]) for row in distances["metres"]], rtol=1e-3, atol=1e-7)


def test_values_that_are_left_out(recwarn):
    network, _, ids = random_network(6, True)
    nodes = pd.Series(ids[[0, 1, 2, 3]], ["a", "b", "c", "d"])
    network.set(nodes, pd.Series([4, 3, 2, 1], ["d", "c", "b", "a"]))
    assert not recwarn.list
    np.testing.assert_array_equal(network.aggregate(0, "sum", "flat", "metres").loc[nodes], [1, 2, 3, 4])
    with pytest.warns(UserWarning, match="2 rows are left out"):
        network.set(pd.Series([ids[0], ids[1], 5000]), pd.Series([1.5, None, 3]))
    assert network.aggregate(0, "sum", "flat", "metres").sum() == 1.5
    network.set(pd.Series([], dtype=int))
    for kind in network.aggregations:
        assert set(network.aggregate(9, kind, imp_name="metres")) == {-1.0 if kind in apsp.network._FRACTIONS else 0.0}
    with pytest.raises(ValueError, match="expected finite values, got inf"):
        network.set(pd.Series(ids[:1]), pd.Series([np.inf]))


@pytest.mark.parametrize("twoway", [True, False])
def test_paths_and_their_lengths(twoway, monkeypatch):
    network, distances, ids = random_network(7, twoway)
    random = np.random.default_rng(8)
    a, b = random.integers(0, 50, (2, 200))
    for name, most_entries in (("metres", 1 << 22), ("minutes", 120)):
        monkeypatch.setattr(apsp.network, "_MOST_ENTRIES", most_entries)
        expected = distances[name][a, b]
        lengths = network.shortest_path_lengths(ids[a], list(ids[b]), name)
        assert isinstance(lengths, list) and isinstance(lengths[0], float)
        np.testing.assert_array_equal(lengths, expected)
        edges = network.edges_df
        if twoway:
            edges = pd.concat([edges, edges.rename(columns={"from": "to", "to": "from"})])
        best = edges.groupby(["from", "to"])[name].min()
        paths = network.shortest_paths(ids[a], ids[b], name)
        for path, u, v, length in zip(paths, ids[a], ids[b], expected, strict=True):
            if np.isinf(length):
                assert path.shape == (0,)
                continue
            assert (path[0], path[-1]) == (u, v)
            assert sum(best[u, v] for u, v in itertools.pairwise(path)) == length
        assert network.shortest_path_length(ids[a[0]], ids[b[0]], name) == expected[0]
        np.testing.assert_array_equal(network.shortest_path(ids[a[0]], ids[b[0]], name), paths[0])
    assert network.shortest_path(ids[5], ids[5], "metres").tolist() == [ids[5]]
    assert network.shortest_paths([], [], "metres") == []
    with pytest.raises(ValueError, match="expected as many nodes_a as nodes_b, got 2 and 1"):
        network.shortest_paths(ids[:2], ids[:1], "metres")
    with pytest.raises(ValueError, match="expected IDs of nodes of the network, got 5000"):
        network.shortest_path_lengths([ids[0]], [5000], "metres")


@pytest.mark.parametrize("twoway", [True, False])
def test_nodes_in_range(twoway):
    network, distances, ids = random_network(9, twoway)
    for radius in (0, 6.25, 15):
        found = network.nodes_in_range(pd.Series(ids[[4, 7, 4, 1]]), radius, "minutes")
        assert list(found.columns) == ["source", "destination", "minutes"]
        expected = [
            (ids[s], ids[t], distances["minutes"][s, t])
            for s in (4, 7, 1)
            for t in range(50)
            if distances["minutes"][s, t] <= radius
        ]
        assert sorted(found.itertuples(index=False, name=None)) == sorted(expected)
        assert found["source"].drop_duplicates().tolist() == ids[[4, 7, 1]].tolist()


@pytest.mark.parametrize("twoway", [True, False])
def test_nearest_nodes_of_nodes(twoway):
    network, distances, ids = random_network(15, twoway)
    for radius, k in itertools.product((0, 7.5, 30), (0, 1, 4, 60)):
        found = network.k_nearest_nodes(ids[[4, 7, 4]], k, radius, "minutes")
        assert list(found.columns) == ["source", "destination", "minutes"]
        expected = []
        for s in (4, 7, 4):
            near = sorted((d, t) for t, d in enumerate(distances["minutes"][s]) if t != s and d <= (radius or 1e9))
            expected += [(ids[s], ids[t], d) for d, t in near[:k]]
        assert list(found.itertuples(index=False, name=None)) == expected


@pytest.mark.parametrize("twoway", [True, False])
def test_nearest_pois(twoway):
    network, distances, ids = random_network(10, twoway)
    random = np.random.default_rng(11)
    x, y = (pd.Series(column, [f"poi {i}" for i in range(40)]) for column in random.random((2, 40)) * 100)
    nodes = network.get_node_ids(x, y)
    assert nodes.index.equals(x.index) and nodes.duplicated().any()
    places = {node: i for i, node in enumerate(ids)}
    for maxdist, mapping_distance in ((None, None), (15, 8)):
        network.set_pois("cafe", maxdist, 12, x, y, mapping_distance)
        kept = nodes if mapping_distance is None else network.get_node_ids(x, y, mapping_distance)
        assert mapping_distance is None or 0 < len(kept) < 40
        for distance, k in itertools.product((0, 10, 50), (1, 3, 12)):
            found = network.nearest_pois(distance, "cafe", k, 999, "metres", include_poi_ids=True)
            assert list(found.columns) == [*range(1, k + 1), *(f"poi{i}" for i in range(1, k + 1))]
            assert found.index.equals(network.node_ids)
            for row, (_, entry) in zip(distances["metres"], found.iterrows(), strict=True):
                near = sorted((row[places[node]], places[node], i, poi) for i, (poi, node) in enumerate(kept.items()))
                near = [item for item in near if item[0] <= min(distance, maxdist or math.inf)][:k]
                missing = k - len(near)
                assert entry.iloc[:k].tolist() == [item[0] for item in near] + [999] * missing
                assert entry.iloc[k:].dropna().tolist() == [item[3] for item in near]
                assert entry.iloc[k:].isna().tolist() == [False] * len(near) + [True] * missing
            plain = network.nearest_pois(distance, "cafe", k, imp_name="metres")
            np.testing.assert_array_equal(plain, found.iloc[:, :k].replace(999.0, float(distance)))
    with pytest.raises(ValueError, match="expected num_pois of at most the maxitems of the category, 12, got 13"):
        network.nearest_pois(5, "cafe", 13, imp_name="metres")
    with pytest.raises(ValueError, match="expected a category that has been set by set_pois, got 'bar'"):
        network.nearest_pois(5, "bar", imp_name="metres")
    with pytest.raises(TypeError, match="expected the positions of the POIs"):
        network.set_pois("bar", 10, 5)
    network.set_pois("bar", 10, 5, x[:0], y[:0])
    assert network.poi_category_names == ["cafe", "bar"]
    none = network.nearest_pois(7, "bar", 2, imp_name="metres", include_poi_ids=True)
    assert (none[[1, 2]] == 7).all(axis=None) and none[["poi1", "poi2"]].isna().all(axis=None)
    network.set_pois("zoo", x_col=x[:2], y_col=y[:2])
    all_ids = network.nearest_pois(math.inf, "zoo", 3, imp_name="metres", include_poi_ids=True)
    assert all_ids["poi3"].isna().all() and np.isinf(all_ids[3]).all()


def test_nearest_nodes():
    network, _, ids = random_network(12, True)
    positions = network.nodes_df.to_numpy()
    points = np.random.default_rng(13).random((30, 2)) * 120 - 10
    x, y = pd.Series(points[:, 0], range(100, 130)), pd.Series(points[:, 1], range(100, 130))
    distances = np.linalg.norm(points[:, np.newaxis] - positions, axis=2)
    expected = pd.Series(ids[distances.argmin(axis=1)], x.index)
    assert network.get_node_ids(x, y).equals(expected)
    assert network.get_node_ids(x, y, 7).equals(expected[distances.min(axis=1) <= 7])
    x.loc[105] = np.nan
    assert network.get_node_ids(x, y).equals(expected.drop(105))
    assert len(network.get_node_ids(x, y, 0)) == 0


def test_tables_and_names():
    network, distances, ids = random_network(14, False, policy="seq")
    assert network.node_ids.tolist() == ids.tolist()
    assert list(network.nodes_df.columns) == ["x", "y"]
    assert list(network.edges_df.columns) == ["from", "to", "metres", "minutes"]
    assert network.impedance_names == ["metres", "minutes"]
    x, y = network.nodes_df["x"], network.nodes_df["y"]
    assert network.bbox == [x.min(), y.min(), x.max(), y.max()]
    network.precompute(1000)
    hierarchy = network._hierarchy("metres")
    assert network.shortest_path_length(ids[0], ids[1], "metres") == distances["metres"][0, 1]
    assert network._hierarchy("metres") is hierarchy
    for name in (None, "dollars"):
        with pytest.raises(ValueError, match=f"expected an imp_name: one of metres, minutes; got {name!r}"):
            network.shortest_path(ids[0], ids[1], name)


def test_ids_of_other_types():
    ids = ["a", "b", "c", "d"]
    x = pd.Series([0, 1, 2, 9], ids)
    network = Network(x, x, pd.Series(["a", "c", "a"]), pd.Series(["b", "b", "b"]), pd.DataFrame({"m": [3, 4, 5]}))
    assert network.shortest_path("a", "c").tolist() == ["a", "b", "c"]
    assert network.shortest_path_length("a", "c") == 7
    assert network.shortest_path_length("a", "d") == math.inf
    network.set(pd.Series(["c", "c", "d"]))
    assert network.aggregate(7, "count").to_dict() == {"a": 2, "b": 2, "c": 2, "d": 1}
    assert network.nodes_in_range(["a"], 3).to_dict("list") == {
        "source": ["a"] * 2,
        "destination": ["a", "b"],
        "m": [0, 3],
    }
    assert network.low_connectivity_nodes(100, 3).tolist() == ["d"]


def test_labels_of_edges_that_repeat():
    x = pd.Series([0.0, 1, 2])
    labels = [7, 7, 8]
    ends = pd.Series([0, 1, 0], labels), pd.Series([1, 2, 2], labels)
    network = Network(x, x, *ends, pd.DataFrame({"m": [1, 2, 5]}, labels))
    assert len(network.edges_df) == 3
    assert network.shortest_path_lengths([0, 0], [1, 2]) == [1, 3]


def test_infinite_impedances_are_closed_edges():
    x = pd.Series([0.0, 1, 2])
    weights = pd.DataFrame({"m": [1, math.inf]})
    network = Network(x, x, pd.Series([0, 1]), pd.Series([1, 2]), weights)
    assert network.shortest_path_lengths([0, 0], [1, 2]) == [1, math.inf]


def test_refused():
    x = pd.Series([0.0, 1, 2])
    ends = pd.Series([0, 1]), pd.Series([1, 2])
    for wrong in (-1, None):
        with pytest.raises(ValueError, match="expected impedances of 0 or more, got .* in the column 'm'"):
            Network(x, x, *ends, pd.DataFrame({"m": [1, wrong]}))
    with pytest.raises(ValueError, match="expected IDs of nodes of the network, got 7"):
        Network(x, x, pd.Series([0, 7]), ends[1], pd.DataFrame({"m": [1, 1]}))
    twice = pd.Series([0.0, 1, 2], [5, 6, 5])
    with pytest.raises(ValueError, match="expected IDs of nodes that differ, got 5 more than once"):
        Network(twice, twice, *ends, pd.DataFrame({"m": [1, 1]}))
    network = Network(x, x, *ends, pd.DataFrame({"m": [1, 1]}))
    with pytest.raises(ValueError, match="expected the name of a variable that has been set, got 'tmp'"):
        network.aggregate(5)
    network.set(pd.Series([0]))
    with pytest.raises(ValueError, match="expected a type: one of sum, mean, .*; got 'mode'"):
        network.aggregate(5, "mode")
    with pytest.raises(ValueError, match="expected a decay: one of exponential, linear, flat; got 'square'"):
        network.aggregate(5, "sum", "square")
    for wrong in (-1, math.nan):
        with pytest.raises(ValueError, match="expected a distance of 0 or more, got"):
            network.aggregate(wrong)
        with pytest.raises(ValueError, match="expected a radius of 0 or more, got"):
            network.nodes_in_range([0], wrong)
    for decay in ("linear", "exponential"):
        with pytest.raises(ValueError, match=f"expected a finite distance above 0 with the decay {decay}, got 0"):
            network.aggregate(0, "sum", decay)
    assert network.aggregate(math.inf, "sum", "flat").tolist() == [1, 1, 1]


def test_example():
    text = Network.__doc__.replace("  # doctest: +SKIP", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, "Network", None, 0)
    found = doctest.DocTestRunner().run(examples)
    assert found.attempted == 8 and found.failed == 0


def test_without_pandas():
    program = """
import sys
sys.modules["pandas"] = None
import apsp.network
try:
    apsp.network.Network(None, None, None, None, None)
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "apsp.network needs pandas\n"

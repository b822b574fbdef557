# SPDX-License-Identifier: BSL-1.0
"""Networks of streets in tables of pandas, with the calls of pandana and of its fork pandarm."""

from __future__ import annotations

import builtins
import importlib
import math
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._accessibility import Decay, accessibility, exponential, linear, within
from ._call import checked_limit
from ._csgraph import dijkstra
from ._graph import offsets_of
from ._hierarchy import Hierarchy
from ._paths import path
from ._policies import Policy, as_policy, auto, whole_number
from ._queries import distances_of_pairs, distances_within, nearest_sources

__all__ = ["Network"]

# Of arrays that hold the results of many sources at once.
_MOST_ENTRIES = 1 << 22

_AGGREGATIONS = ("sum", "mean", "min", "25pct", "median", "75pct", "max", "std", "count")
_FRACTIONS = {"min": 0.0, "25pct": 0.25, "median": 0.5, "75pct": 0.75, "max": 1.0}
_ALIASES = {
    "ave": "mean",
    "avg": "mean",
    "average": "mean",
    "stddev": "std",
    "med": "median",
    "25": "25pct",
    "75": "75pct",
}
_DECAYS = ("exponential", "linear", "flat")


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError("apsp.network needs pandas") from error


def _distance(given: float, what: str = "a distance") -> float:
    try:
        return checked_limit(given)
    except ValueError:
        raise ValueError(f"expected {what} of 0 or more, got {given}") from None


def _one_of(given: Any, known: tuple[str, ...], aliases: dict[str, str], what: str) -> str:
    """Return the name that is meant, whatever its case."""
    name = str(given).lower()
    name = aliases.get(name, name)
    if name not in known:
        raise ValueError(f"expected {what}: one of {', '.join(known)}; got {given!r}")
    return name


class _Items(NamedTuple):
    """What is at the nodes: numbers of nodes, and as many values."""

    nodes: NDArray[np.int64]
    values: NDArray[np.float64]


class _Pois(NamedTuple):
    """Points of interest, sorted by the numbers of their nodes, and where those of each node begin."""

    index: Any
    order: NDArray[np.int64]
    nodes: NDArray[np.int64]
    first: NDArray[np.int64]
    greatest_distance: float
    most: int | None


class Network:
    """A network of streets, whose nodes have positions, and values that are aggregated by network distance.

    It has the calls of `pandana.Network`, which are those of `pandarm.Network` as well, and computes them by the calls
    of this package. Distances are sums of the impedances in float64, and those of pandana are whole thousandths: where
    sums are rounded, a node at exactly the distance that is asked for may be beyond it. Nodes that cannot be reached
    are at the distance infinity.

    Parameters
    ----------
    node_x, node_y : pandas.Series
        The positions of the nodes. Their index has the IDs of the nodes, which are of any type.
    edge_from, edge_to : pandas.Series
        The IDs of the two nodes of each edge.
    edge_weights : pandas.DataFrame
        A column of numbers of 0 or more for each impedance, with the index of the edges. An edge of infinite impedance
        cannot be used; of edges that repeat the shortest counts.
    twoway : bool
        Each edge can be used in both directions, with the same impedance.
    policy : Policy or str
        Where calls run, as for `shortest_path`.

    Attributes
    ----------
    nodes_df : pandas.DataFrame
        The columns x and y.
    edges_df : pandas.DataFrame
        The columns from and to, and the impedances.
    impedance_names : list of str
        The names of the columns of `edge_weights`. Calls that take an `imp_name` need it if there are several.
    variable_names : set of str
        Of the variables that `set` has set.
    poi_category_names : list of str
        Of the categories that `set_pois` has set.

    Raises
    ------
    ImportError
        If pandas is not installed.
    ValueError
        If IDs repeat, an edge has a node that the network does not have, or an impedance is missing or negative.

    Examples
    --------
    >>> import pandas as pd  # doctest: +SKIP
    >>> from apsp.network import Network  # doctest: +SKIP
    >>> x, y = pd.Series([0, 10, 20], ["a", "b", "c"]), pd.Series([0, 0, 0], ["a", "b", "c"])  # doctest: +SKIP
    >>> lengths = pd.DataFrame({"metres": [100, 150]})  # doctest: +SKIP
    >>> streets = Network(x, y, pd.Series(["a", "b"]), pd.Series(["b", "c"]), lengths)  # doctest: +SKIP
    >>> streets.set(pd.Series(["a", "c", "c"]), pd.Series([5, 1, 3]), name="jobs")  # doctest: +SKIP
    >>> streets.aggregate(200, "sum", "flat", name="jobs")  # doctest: +SKIP
    a    5.0
    b    9.0
    c    4.0
    dtype: float64
    >>> streets.shortest_path_length("a", "c")  # doctest: +SKIP
    250.0
    """

    def __init__(
        self,
        node_x: Any,
        node_y: Any,
        edge_from: Any,
        edge_to: Any,
        edge_weights: Any,
        twoway: bool = True,
        *,
        policy: Policy | str = auto,
    ) -> None:
        self._pandas = pandas = _module("pandas")
        self._policy = as_policy(policy)
        self._twoway = bool(twoway)
        self.nodes_df = pandas.DataFrame({"x": node_x, "y": node_y})
        if not self.node_ids.is_unique:
            repeated = self.node_ids[self.node_ids.duplicated()].tolist()[0]
            raise ValueError(f"expected IDs of nodes that differ, got {repeated!r} more than once")
        weights = pandas.DataFrame(edge_weights)
        ends = pandas.DataFrame({"from": edge_from, "to": edge_to})
        # A join of labels that repeat would have every pair of them.
        is_aligned = ends.index.equals(weights.index)
        self.edges_df = pandas.concat([ends, weights], axis=1) if is_aligned else ends.join(weights)
        self.impedance_names = list(weights.columns)
        self._ends = self._positions(self.edges_df["from"]), self._positions(self.edges_df["to"])
        for name in self.impedance_names:
            self._impedances(name)  # so that they are checked
        self._graphs: dict[Any, Any] = {}
        self._hierarchies: dict[Any, Hierarchy] = {}
        self._tree: Any = None
        self._variables: dict[str, _Items] = {}
        self._pois: dict[str, _Pois] = {}

    @property
    def node_ids(self) -> Any:
        """The IDs of the nodes, in a pandas.Index."""
        return self.nodes_df.index

    @property
    def bbox(self) -> list[float]:
        """The least x and y, and the greatest x and y."""
        x, y = self.nodes_df["x"], self.nodes_df["y"]
        return [x.min(), y.min(), x.max(), y.max()]

    @property
    def variable_names(self) -> builtins.set[str]:
        return {*self._variables}

    @property
    def poi_category_names(self) -> list[str]:
        return [*self._pois]

    @property
    def aggregations(self) -> list[str]:
        """The types that `aggregate` takes, apart from other names of them."""
        return [*_AGGREGATIONS]

    @property
    def decays(self) -> list[str]:
        """The decays that `aggregate` takes."""
        return [*_DECAYS]

    def set(self, node_ids: Any, variable: Any = None, name: str = "tmp") -> None:
        """Set a variable: values at nodes, of which a node may have any number.

        Parameters
        ----------
        node_ids : pandas.Series
            The nodes, as from `get_node_ids`.
        variable : pandas.Series, optional
            Their values, with the same index; by default 1. Those that are missing, or whose node is missing or not in
            the network, are left out with a warning.
        name : str
            Of the variable, which replaces an earlier one.

        Raises
        ------
        ValueError
            If a value is infinite.
        """
        pandas = self._pandas
        nodes = pandas.Series(node_ids)
        nodes = pandas.Series(self.node_ids.get_indexer(nodes), index=nodes.index)
        table = pandas.DataFrame({"value": 1.0 if variable is None else variable, "node": nodes})
        values = table["value"].to_numpy(np.float64, na_value=np.nan)
        positions = table["node"].to_numpy(np.float64, na_value=np.nan)
        if np.isinf(values).any():
            raise ValueError(f"expected finite values, got {values[np.isinf(values)][0]}")
        is_known = ~np.isnan(values) & (positions >= 0)
        num_missing = len(table) - np.count_nonzero(is_known)
        if num_missing:
            warnings.warn(f"{num_missing} rows are left out: a value or a node is missing", stacklevel=2)
        self._variables[name] = _Items(positions[is_known].astype(np.int64), values[is_known])

    def precompute(self, distance: float) -> None:
        """Prepare the hierarchies, which calls otherwise do when they first need them.

        Nothing that is prepared depends on the distance.
        """
        _distance(distance)
        for name in self.impedance_names:
            self._hierarchy(name)

    def aggregate(
        self,
        distance: float,
        type: str = "sum",
        decay: str = "linear",
        imp_name: Any = None,
        name: str = "tmp",
        *,
        exp_constant: float | None = None,
        func: str | None = None,
    ) -> Any:
        """Aggregate, for every node, the values at the nodes within a distance from it.

        The node itself is at distance 0, and nodes at exactly that distance are within.

        Parameters
        ----------
        distance : float
            How far values count.
        type : str
            'sum'; 'mean' ('ave', 'avg', 'average'), the sum divided by the number of values; 'count', their number;
            'std' ('stddev'), their standard deviation, divided by their number; 'min', 'max'; or 'median' ('med'),
            '25pct' ('25') and '75pct' ('75'): of n ascending values, of which the first has the number 0, the one with
            the number n / 2, n / 4 or 3 n / 4, rounded down. Upper case is the same.
        decay : str
            By which a value at the distance d is multiplied in a sum or a mean: 'linear' (1 - d / distance),
            'exponential' ('exp', exp(-d / distance)), or 'flat' (1). The other types do not depend on it. The mean is
            divided by the number of values whatever the decay, so that it is no weighted mean.
        imp_name : str, optional
            The impedance.
        name : str
            Of the variable.
        exp_constant : float, optional
            The decay 'exponential' is exp(-exp_constant * d), as in pandarm.
        func : str, optional
            The same as `type`, as in pandarm.

        Returns
        -------
        values : pandas.Series
            By IDs of nodes. Where no value is within, it is -1 for 'min', 'max', 'median', '25pct' and '75pct', and 0
            for the other types, as in pandana.
        """
        impedance = self._impedance(imp_name)
        kind = _one_of(type if func is None else func, _AGGREGATIONS, _ALIASES, "a type")
        decay = _one_of(decay, _DECAYS, {"exp": "exponential"}, "a decay")
        if name not in self._variables:
            raise ValueError(f"expected the name of a variable that has been set, got {name!r}")
        items = self._variables[name]
        distance = _distance(distance)
        if kind in _FRACTIONS:
            values = self._order_statistic(impedance, distance, items, _FRACTIONS[kind])
        elif kind == "count":
            values = self._sums(impedance, distance, within(distance), self._at_nodes(items))
        elif kind == "std":
            values = self._deviation(impedance, distance, items)
        else:
            if decay == "flat":
                shares = within(distance)
            elif decay == "exponential" and exp_constant is not None:
                shares = exponential(exp_constant)
            elif not 0 < distance < math.inf:
                raise ValueError(f"expected a finite distance above 0 with the decay {decay}, got {distance}")
            else:
                shares = linear(distance) if decay == "linear" else exponential(1 / distance)
            sums = self._at_nodes(items, items.values)
            if kind == "sum":
                values = self._sums(impedance, distance, shares, sums)
            elif decay == "flat":
                values = self._sums(impedance, distance, shares, np.stack([sums, self._at_nodes(items)], axis=1))
                values = _quotient(values[:, 0], values[:, 1])
            else:
                counts = self._sums(impedance, distance, within(distance), self._at_nodes(items))
                values = _quotient(self._sums(impedance, distance, shares, sums), counts)
        return self._pandas.Series(values, index=self.node_ids)

    def low_connectivity_nodes(self, impedance: float, count: int, imp_name: Any = None) -> NDArray[Any]:
        """Return the IDs of the nodes that reach fewer than so many nodes, themselves included, within a distance.

        Parameters
        ----------
        impedance : float
            The distance.
        count : int
            Nodes that reach at least so many are left out.
        imp_name : str, optional
            The impedance.
        """
        name = self._impedance(imp_name)
        distance = _distance(impedance)
        reached = self._sums(name, distance, within(distance), np.ones(len(self.node_ids)))
        found: NDArray[Any] = self.node_ids.to_numpy()[reached < count]
        return found

    def get_node_ids(self, x_col: Any, y_col: Any, mapping_distance: float | None = None) -> Any:
        """Return the IDs of the nodes that are nearest to some positions, as the crow flies.

        Parameters
        ----------
        x_col, y_col : pandas.Series
            The positions, with the same index. Those that are missing are left out.
        mapping_distance : float, optional
            Positions whose nearest node is farther away than this are left out.

        Returns
        -------
        node_ids : pandas.Series
            With the index of the positions.
        """
        points = self._pandas.DataFrame({"x": x_col, "y": y_col})
        points = points[np.isfinite(points.to_numpy(np.float64, na_value=np.nan)).all(axis=1)]
        if self._tree is None:
            spatial: Any = importlib.import_module("scipy.spatial")
            self._tree = spatial.cKDTree(self.nodes_df[["x", "y"]].to_numpy(np.float64))
        distances, positions = self._tree.query(points.to_numpy(np.float64))
        found = self._pandas.Series(self.node_ids.take(positions), index=points.index, name="node_id")
        return found if mapping_distance is None else found[distances <= mapping_distance]

    def set_pois(
        self,
        category: str,
        maxdist: float | None = None,
        maxitems: int | None = None,
        x_col: Any = None,
        y_col: Any = None,
        mapping_distance: float | None = None,
    ) -> None:
        """Set a category of points of interest (POIs). Each is at the node that is nearest to its position.

        Parameters
        ----------
        category : str
            The name of the category, which replaces an earlier one.
        maxdist : float, optional
            POIs that are farther away from a node are never found.
        maxitems : int, optional
            The most POIs for which `nearest_pois` will be asked.
        x_col, y_col : pandas.Series
            The positions, with the same index, which has the IDs of the POIs.
        mapping_distance : float, optional
            POIs that are farther away from all nodes, as the crow flies, are left out.
        """
        if x_col is None or y_col is None:
            raise TypeError("expected the positions of the POIs as x_col and y_col, got None")
        most = None if maxitems is None else whole_number(maxitems, "maxitems", 0)
        greatest = math.inf if maxdist is None else _distance(maxdist, "a maxdist")
        found = self.get_node_ids(x_col, y_col, mapping_distance)
        positions = self._positions(found)
        order = np.argsort(positions, kind="stable")
        nodes, first = np.unique(positions[order], return_index=True)
        self._pois[category] = _Pois(found.index, order, nodes, np.append(first, len(order)), greatest, most)

    def nearest_pois(
        self,
        distance: float,
        category: str,
        num_pois: int = 1,
        max_distance: float | None = None,
        imp_name: Any = None,
        include_poi_ids: bool = False,
    ) -> Any:
        """Return, for every node, the distances from it to the nearest POIs of a category, and their IDs.

        Parameters
        ----------
        distance : float
            POIs that are farther away are not found.
        category : str
            As for `set_pois`.
        num_pois : int
            How many, at most the `maxitems` of the category.
        max_distance : float, optional
            The distance that stands for POIs that are not found; by default `distance`.
        imp_name : str, optional
            The impedance.
        include_poi_ids : bool
            Return the IDs, too.

        Returns
        -------
        pois : pandas.DataFrame
            By IDs of nodes: the columns 1, 2 and so on with the distances, ascending, and the columns poi1, poi2 and so
            on with the IDs, or NaN. POIs at the same distance are in the order of their nodes in the network, and at
            the same node in the order in which they were set.
        """
        impedance = self._impedance(imp_name)
        distance = _distance(distance)
        if category not in self._pois:
            raise ValueError(f"expected a category that has been set by set_pois, got {category!r}")
        pois = self._pois[category]
        k = whole_number(num_pois, "num_pois", 1)
        if pois.most is not None and k > pois.most:
            raise ValueError(f"expected num_pois of at most the maxitems of the category, {pois.most}, got {k}")
        distances, places = self._nearest_pois(impedance, pois, k, min(distance, pois.greatest_distance))
        distances[places < 0] = distance if max_distance is None else max_distance
        columns: dict[int | str, Any] = {i + 1: distances[:, i] for i in range(k)}
        if include_poi_ids:
            for i in range(k):
                columns[f"poi{i + 1}"] = self._taken(pois.index, places[:, i])
        return self._pandas.DataFrame(columns, index=self.node_ids)

    def shortest_path(self, node_a: Any, node_b: Any, imp_name: Any = None) -> NDArray[Any]:
        """Return the IDs of the nodes of a shortest path, ends included; none if there is no path."""
        return self.shortest_paths([node_a], [node_b], imp_name)[0]

    def shortest_paths(self, nodes_a: Any, nodes_b: Any, imp_name: Any = None) -> list[NDArray[Any]]:
        """Return what `shortest_path` returns for each of `nodes_a` and the entry of `nodes_b` at the same place."""
        impedance = self._impedance(imp_name)
        a, b = self._pairs(nodes_a, nodes_b)
        ids = self.node_ids.to_numpy()
        found: list[NDArray[Any]] = [ids[:0]] * len(a)
        lengths = distances_of_pairs(self._hierarchy(impedance), a, b, policy=self._policy)
        reached = np.flatnonzero(np.isfinite(lengths))
        # The nearest pairs first, so that searches for many of them end early.
        longest = np.zeros(len(ids))
        np.maximum.at(longest, a[reached], lengths[reached])
        reached = reached[np.lexsort((a[reached], longest[a[reached]]))]
        sources, first = np.unique(a[reached], return_index=True)
        sources, first = sources[np.argsort(first)], np.append(np.sort(first), len(reached))
        step = max(_MOST_ENTRIES // max(len(ids), 1), 1)
        for begin in range(0, len(sources), step):
            block = sources[begin : begin + step]
            # Sums in another order may be longer by some roundings.
            limit = longest[block[-1]] * (1 + 1e-9)
            _, predecessors = dijkstra(
                self._graph(impedance), indices=block, return_predecessors=True, limit=limit, policy=self._policy
            )
            for row in range(len(block)):
                for i in reached[first[begin + row] : first[begin + row + 1]]:
                    found[i] = ids[path(predecessors[row], a[i], b[i])]
        return found

    def shortest_path_length(self, node_a: Any, node_b: Any, imp_name: Any = None) -> float:
        """Return the distance from one node to another, infinity if there is no path."""
        return self.shortest_path_lengths([node_a], [node_b], imp_name)[0]

    def shortest_path_lengths(self, nodes_a: Any, nodes_b: Any, imp_name: Any = None) -> list[float]:
        """Return the distance from each of `nodes_a` to the entry of `nodes_b` at the same place."""
        impedance = self._impedance(imp_name)
        a, b = self._pairs(nodes_a, nodes_b)
        found: list[float] = distances_of_pairs(self._hierarchy(impedance), a, b, policy=self._policy).tolist()
        return found

    def nodes_in_range(self, nodes: Any, radius: float, imp_name: Any = None) -> Any:
        """Return the nodes within a distance from some nodes.

        Parameters
        ----------
        nodes : list of IDs
            The nodes; those that repeat count once.
        radius : float
            The distance.
        imp_name : str, optional
            The impedance.

        Returns
        -------
        ranges : pandas.DataFrame
            The columns source, destination, and one of the name of the impedance with the distances. Each of the nodes
            is a destination of itself.
        """
        impedance = self._impedance(imp_name)
        sources = self._pandas.unique(self._pandas.Series(self._positions(nodes)))
        near = distances_within(
            self._graph(impedance), _distance(radius, "a radius"), indices=sources, policy=self._policy
        )
        return self._pandas.DataFrame(
            {
                "source": self.node_ids.take(np.repeat(sources, np.diff(near.indptr))),
                "destination": self.node_ids.take(near.indices),
                impedance: near.data,
            }
        )

    def k_nearest_nodes(self, nodes: Any, k: int, max_radius: float, imp_name: Any = None) -> Any:
        """Return the nodes that are nearest to some nodes, as in pandarm.

        Parameters
        ----------
        nodes : list of IDs
            The nodes; those that repeat count as often.
        k : int
            How many for each, itself not counted.
        max_radius : float
            Nodes that are farther away are not found; 0 stands for infinity.
        imp_name : str, optional
            The impedance.

        Returns
        -------
        nearest : pandas.DataFrame
            The columns source, destination, and one of the name of the impedance with the distances, which ascend for
            each of the nodes.
        """
        impedance = self._impedance(imp_name)
        k = whole_number(k, "k", 0)
        limit = _distance(max_radius, "a max_radius") or math.inf
        sources, n = self._positions(nodes), len(self.node_ids)
        # A node is one of those that are nearest to itself.
        distances, nearest = nearest_sources(
            self._towards(impedance), np.arange(n), k=min(k + 1, n), limit=limit, policy=self._policy
        )
        distances, nearest = distances[sources], nearest[sources]
        is_other = (nearest >= 0) & (nearest != sources[:, np.newaxis])
        is_other &= np.cumsum(is_other, axis=1) <= k
        return self._pandas.DataFrame(
            {
                "source": self.node_ids.take(np.repeat(sources, is_other.sum(axis=1))),
                "destination": self.node_ids.take(nearest[is_other]),
                impedance: distances[is_other],
            }
        )

    def _positions(self, node_ids: Any) -> NDArray[np.int64]:
        """Return the numbers of nodes, which must be in the network."""
        wanted = self._pandas.Index(node_ids)
        positions: NDArray[np.int64] = self.node_ids.get_indexer(wanted).astype(np.int64)
        if (positions < 0).any():
            raise ValueError(f"expected IDs of nodes of the network, got {wanted[positions < 0].tolist()[0]!r}")
        return positions

    def _pairs(self, nodes_a: Any, nodes_b: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if len(nodes_a) != len(nodes_b):
            raise ValueError(f"expected as many nodes_a as nodes_b, got {len(nodes_a)} and {len(nodes_b)}")
        return self._positions(nodes_a), self._positions(nodes_b)

    def _impedance(self, name: Any) -> Any:
        """Return the name of an impedance; None stands for the only one."""
        if name is None and len(self.impedance_names) == 1:
            return self.impedance_names[0]
        if name not in self.impedance_names:
            raise ValueError(f"expected an imp_name: one of {', '.join(map(str, self.impedance_names))}; got {name!r}")
        return name

    def _impedances(self, name: Any) -> NDArray[np.float64]:
        """Return the impedance of each edge."""
        found: NDArray[np.float64] = self.edges_df[name].to_numpy(np.float64, na_value=np.nan)
        is_wrong = ~(found >= 0)
        if is_wrong.any():
            raise ValueError(f"expected impedances of 0 or more, got {found[is_wrong][0]} in the column {name!r}")
        return found

    def _graph(self, name: Any) -> Any:
        """Return the network with an impedance as a sparse array in which no arc repeats."""
        if name not in self._graphs:
            sparse: Any = importlib.import_module("scipy.sparse")
            n = len(self.node_ids)
            tails, heads = self._ends
            weights = self._impedances(name)
            if self._twoway:
                tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
                weights = np.concatenate([weights, weights])
            order = np.lexsort((weights, heads, tails))
            tails, heads, weights = tails[order], heads[order], weights[order]
            is_first = np.ones(len(order), bool)
            is_first[1:] = (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])
            tails, heads, weights = tails[is_first], heads[is_first], weights[is_first]
            arcs = (weights, heads.astype(np.int32), offsets_of(tails, n).astype(np.int32))
            self._graphs[name] = sparse.csr_array(arcs, shape=(n, n))
        return self._graphs[name]

    def _towards(self, name: Any) -> Any:
        """Return the network with its edges reversed."""
        graph = self._graph(name)
        return graph if self._twoway else graph.T.tocsr()

    def _hierarchy(self, name: Any) -> Hierarchy:
        if name not in self._hierarchies:
            self._hierarchies[name] = Hierarchy(self._graph(name), policy=self._policy)
        return self._hierarchies[name]

    def _at_nodes(self, items: _Items, values: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Return the sum of the values at each node; by default their number."""
        return np.bincount(items.nodes, values, len(self.node_ids)).astype(np.float64)

    def _sums(self, name: Any, distance: float, decay: Decay, amounts: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = accessibility(
            self._hierarchy(name), amounts, decay, limit=distance, policy=self._policy
        )
        return found

    def _deviation(self, name: Any, distance: float, items: _Items) -> NDArray[np.float64]:
        """Return the standard deviation of the values within the distance from each node."""
        # The differences to the mean have the same deviation, and squares that lose less to rounding.
        values = items.values - (items.values.mean() if len(items.values) else 0)
        amounts = [self._at_nodes(items, values), self._at_nodes(items, values**2), self._at_nodes(items)]
        sums, squares, counts = self._sums(name, distance, within(distance), np.stack(amounts, axis=1)).T
        return np.sqrt(np.maximum(_quotient(squares, counts) - _quotient(sums, counts) ** 2, 0))

    def _order_statistic(self, name: Any, distance: float, items: _Items, fraction: float) -> NDArray[np.float64]:
        """Return, for every node, the value of that rank of those within the distance, or -1 if there are none."""
        n, num_items = len(self.node_ids), len(items.nodes)
        ascending = np.sort(items.values)
        ranks = np.empty(num_items, np.int64)
        ranks[np.argsort(items.values, kind="stable")] = np.arange(num_items)
        ranks = ranks[np.argsort(items.nodes, kind="stable")]
        first = offsets_of(items.nodes, n)
        found = np.full(n, -1.0)
        begin, step = 0, 64
        while begin < n:
            end = min(begin + step, n)
            near = distances_within(self._graph(name), distance, indices=np.arange(begin, end), policy=self._policy)
            counts = np.diff(first)[near.indices]
            rows = np.repeat(np.repeat(np.arange(end - begin), np.diff(near.indptr)), counts)
            # Each row has its ranks one after another when the keys are sorted.
            keys = rows * num_items + ranks[_ranges(first[near.indices], counts)]
            keys.sort()
            offsets = offsets_of(rows, end - begin)
            sizes = np.diff(offsets)
            has_items = np.flatnonzero(sizes)
            places = np.minimum((sizes * fraction).astype(np.int64), sizes - 1) + offsets[:-1]
            found[begin + has_items] = ascending[keys[places[has_items]] - has_items * num_items]
            begin, step = end, max(_MOST_ENTRIES * step // max(near.nnz + len(keys), 1) // 2, 1)
        return found

    def _nearest_pois(
        self, name: Any, pois: _Pois, k: int, distance: float
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return, for every node, distances to its nearest POIs, and their places in the index, or -1."""
        n = len(self.node_ids)
        distances, places = np.full((n, k), np.inf), np.full((n, k), -1)
        num_nodes = min(k, len(pois.nodes))
        if num_nodes == 0:
            return distances, places
        found, nearest = nearest_sources(
            self._towards(name), pois.nodes, k=num_nodes, limit=distance, policy=self._policy
        )
        # All POIs at a node are at the same distance.
        group = np.searchsorted(pois.nodes, np.maximum(nearest, pois.nodes[0]))
        sizes = np.where(nearest >= 0, np.diff(pois.first)[group], 0)
        columns = np.cumsum(sizes, axis=1) - sizes
        sizes = np.minimum(sizes, np.maximum(k - columns, 0)).ravel()
        entries = np.repeat(np.arange(n * num_nodes), sizes)
        row, column = entries // num_nodes, _ranges(columns.ravel(), sizes)
        distances[row, column] = found.ravel()[entries]
        places[row, column] = pois.order[_ranges(pois.first[group.ravel()], sizes)]
        return distances, places

    def _taken(self, index: Any, places: NDArray[np.int64]) -> Any:
        """Return the entries of the index at these places, and NaN at those below 0."""
        is_known = places >= 0
        if not is_known.any():
            return np.full(len(places), np.nan)
        found = self._pandas.Series(index.take(np.maximum(places, 0)), index=self.node_ids)
        return found if is_known.all() else found.where(is_known)


def _quotient(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums divided by the counts, and 0 where the count is 0."""
    return np.divide(sums, counts, out=np.zeros(len(sums)), where=counts > 0)


def _ranges(first: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return first[0], first[0] + 1 and so on, as many as sizes[0], then the same for the other entries."""
    ends = np.cumsum(sizes)
    found: NDArray[np.int64] = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + sizes, sizes)
    return found

# SPDX-License-Identifier: BSL-1.0
"""Graphs and lists of vertices, as callers have them, for the C++ library."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

NO_PREDECESSOR = -9999
WEIGHT_TYPES = tuple(np.dtype(t) for t in (np.float64, np.float32, np.int32, np.int64))


def unreachable(dtype: DTypeLike = np.float64) -> Any:
    """Return the distance of a vertex that cannot be reached: infinity, or the largest integer.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> print(apsp.unreachable(), apsp.unreachable(np.int32))
    inf 2147483647
    """
    kind = np.dtype(dtype)
    return np.array(np.inf if kind.kind == "f" else np.iinfo(kind).max, kind)[()]


class Sparse(NamedTuple):
    offsets: NDArray[np.int64]
    targets: NDArray[np.int32]
    weights: NDArray[Any]

    @property
    def num_vertices(self) -> int:
        return len(self.offsets) - 1

    @property
    def num_edges(self) -> int:
        return len(self.targets)


class Dense(NamedTuple):
    """`unreachable` where there is no arc."""

    weights: NDArray[Any]

    @property
    def num_vertices(self) -> int:
        return len(self.weights)

    @property
    def num_edges(self) -> int:
        return self.weights.size


class Prepared(NamedTuple):
    """The graph of a `Hierarchy`, which the library holds."""

    core: Any
    dtype: np.dtype[Any]
    directed: bool
    num_vertices: int
    num_edges: int
    num_arcs: int
    fill: int
    has_negative: bool


AnyGraph = Sparse | Dense | Prepared


def prepared_of(csgraph: Any) -> Prepared | None:
    """Return the graph of a `Hierarchy`; None for everything else."""
    found = getattr(csgraph, "_prepared", None)
    return found if isinstance(found, Prepared) else None


def has_negative_weight(graph: AnyGraph) -> bool:
    if isinstance(graph, Prepared):
        return graph.has_negative
    return bool(graph.weights.size) and bool(graph.weights.min() < 0)


def distance_type(dtype: DTypeLike | None, csgraph: Any = None) -> np.dtype[Any]:
    """Return the type of the distances; by default float64, or that of a `Hierarchy`."""
    prepared = prepared_of(csgraph)
    if prepared is not None:
        if dtype is not None and np.dtype(dtype) != prepared.dtype:
            raise TypeError(f"expected the dtype of the hierarchy, {prepared.dtype}, got {np.dtype(dtype)}")
        return prepared.dtype
    kind = np.dtype(np.float64 if dtype is None else dtype)
    if kind not in WEIGHT_TYPES:
        raise TypeError(f"expected a dtype of float64, float32, int32 or int64, got {kind}")
    return kind


def converted(weights: NDArray[Any], kind: np.dtype[Any], what: str = "weights") -> NDArray[Any]:
    """Return the weights, or what they are, as that type; a copy only if they have another one."""
    if weights.dtype == kind:
        return weights
    with np.errstate(over="ignore", invalid="ignore"):
        converted = weights.astype(kind)
        lost = np.isinf(converted) & np.isfinite(weights) if kind.kind == "f" else converted != weights
    refuse(weights, lost, kind, what)
    return converted


def refuse(weights: NDArray[Any], lost: NDArray[Any], kind: np.dtype[Any], what: str = "weights") -> None:
    """Raise an error that shows the first of the lost weights, if there is one."""
    if lost.any():
        raise ValueError(f"expected {what} that {kind} holds, got {weights[lost].flat[0]}")


def offsets_of(tails: NDArray[Any], n: int) -> NDArray[np.int64]:
    """Return where the arcs of each of n vertices begin, if arcs with these tails are sorted by them."""
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(tails, minlength=n), out=offsets[1:])
    return offsets


_CUDA_DEVICES = (2, 13)  # kDLCUDA and kDLCUDAManaged of DLPack


def package_of(array: Any) -> str:
    return type(array).__module__.partition(".")[0]


def is_on_device(array: Any) -> bool:
    """Return whether an array, or a sparse matrix of CuPy, is in the memory of a CUDA device."""
    if isinstance(array, (np.ndarray, list, tuple)):
        return False
    if package_of(array) == "cupyx":
        return hasattr(array, "tocsr")
    place = getattr(array, "__dlpack_device__", None)
    if place is not None:
        return place()[0] in _CUDA_DEVICES
    return hasattr(array, "__cuda_array_interface__")


def is_sparse(csgraph: Any) -> bool:
    """Return whether it is a sparse matrix or array of SciPy."""
    # There is none before SciPy is imported, which takes longer than most calls.
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(csgraph))


def _sparse_graph(csgraph: Any, directed: bool, unweighted: bool, kind: np.dtype[Any]) -> Sparse:
    """Return a sparse matrix as arcs: duplicates are parallel arcs, and stored zeros are arcs."""
    csr = csgraph.tocsr()
    if csr.ndim != 2 or csr.shape[0] != csr.shape[1]:
        raise ValueError(f"compressed-sparse graph must be shape (N, N), got {csr.shape}")
    n = csr.shape[0]
    if np.iscomplexobj(csr):
        raise TypeError("expected real weights, got complex ones")
    offsets, targets, data = csr.indptr, csr.indices, csr.data
    if targets.itemsize > 4 and targets.size and (targets.min() < 0 or targets.max() >= n):
        raise ValueError(f"expected column indices from 0 to {n - 1}, got {targets.min()} to {targets.max()}")
    if not unweighted and data.dtype.kind == "f" and np.isnan(data).any():
        # As in a dense matrix, NaN is no arc.
        are_arcs = ~np.isnan(data)
        offsets = np.concatenate([[0], np.cumsum(are_arcs)])[offsets]
        targets, data = targets[are_arcs], data[are_arcs]
    weights = np.ones(len(targets), kind) if unweighted else converted(data, kind)
    if kind.kind == "i" and not unweighted:
        refuse(data, weights == unreachable(kind), kind)
    if not directed:
        # Parallel arcs: the call takes the best of them.
        sources = np.repeat(np.arange(n), np.diff(offsets))
        tails = np.concatenate([sources, targets])
        order = np.argsort(tails, kind="stable")
        return Sparse(
            offsets_of(tails, n),
            np.concatenate([targets, sources])[order].astype(np.int32),
            np.concatenate([weights, weights])[order],
        )
    return Sparse(
        np.ascontiguousarray(offsets, np.int64),
        np.ascontiguousarray(targets, np.int32),
        np.ascontiguousarray(weights),
    )


def _dense_weights(
    csgraph: Any, directed: bool, unweighted: bool, kind: np.dtype[Any], *, prefers_heavy: bool = False, ndim: int = 2
) -> NDArray[Any]:
    """Return a matrix, or several, in which 0, infinite, NaN and masked entries are no arcs. It is a copy."""
    if is_on_device(csgraph):
        raise TypeError(
            "expected a graph in host memory, got an array on a device: shortest_path, floyd_warshall, dijkstra, "
            "bellman_ford and johnson take those, without targets, min_only and semiring"
        )
    is_masked = np.ma.isMaskedArray(csgraph)
    given = np.asarray(csgraph)
    if given.ndim != ndim or given.shape[-2] != given.shape[-1]:
        raise ValueError(f"graph must be shape {'(N, N)' if ndim == 2 else '(B, N, N)'}, got {given.shape}")
    if np.iscomplexobj(given):
        raise TypeError("expected real weights, got complex ones")
    if given.dtype.kind not in "biuf":
        given = given.astype(np.float64)
    no_arc = given == 0
    if given.dtype.kind == "f":
        no_arc |= ~np.isfinite(given)
    if is_masked:
        no_arc |= np.ma.getmaskarray(csgraph)
    if unweighted:
        weights = np.ones(given.shape, kind)
    elif kind.kind == "i":
        weights = converted(np.where(no_arc, 0, given), kind)
        refuse(given, weights == unreachable(kind), kind)
    else:
        weights = converted(given, kind)
    weights = np.array(weights, order="C", copy=weights is given or np.may_share_memory(weights, given))
    weights[no_arc] = unreachable(kind)
    if not directed:
        back = np.swapaxes(weights, -2, -1)
        better = np.minimum(weights, back)
        if prefers_heavy:
            better = np.where(no_arc | np.swapaxes(no_arc, -2, -1), better, np.maximum(weights, back))
        weights = better
    return weights


def graph_of(
    csgraph: Any, directed: bool, unweighted: bool, kind: np.dtype[Any], *, prefers_heavy: bool = False
) -> Sparse | Dense:
    """Return the graph with weights of that type.

    If it is not directed, the lighter of two arcs between the same vertices counts, or the heavier one.
    """
    if prepared_of(csgraph) is not None:
        raise TypeError("expected an array or a sparse matrix as graph, got a Hierarchy, which is for shortest paths")
    if hasattr(csgraph, "__networkx_backend__"):
        raise TypeError(
            f"expected an array or a sparse matrix as graph, got a {type(csgraph).__name__} of NetworkX, whose functions "
            "run here with backend='apsp' (the package nx_apsp)"
        )
    if is_sparse(csgraph):
        return _sparse_graph(csgraph, directed, unweighted, kind)
    return Dense(_dense_weights(csgraph, directed, unweighted, kind, prefers_heavy=prefers_heavy))


def any_graph_of(csgraph: Any, directed: bool, unweighted: bool, kind: np.dtype[Any]) -> AnyGraph:
    """Return the graph with weights of that type, which may be a `Hierarchy` with such weights."""
    prepared = prepared_of(csgraph)
    if prepared is None:
        return graph_of(csgraph, directed, unweighted, kind)
    if unweighted:
        raise ValueError("expected the weights of the hierarchy to count, got unweighted=True")
    if prepared.directed and not directed:
        raise ValueError("expected a hierarchy made with directed=False, got one of a directed graph")
    if kind != prepared.dtype:
        raise TypeError(f"expected a hierarchy of type {kind}, got one of type {prepared.dtype}")
    return prepared


def stacked_graphs(stack: NDArray[Any], directed: bool, unweighted: bool, kind: np.dtype[Any]) -> list[Sparse | Dense]:
    """Return the graphs of an array of shape (B, N, N)."""
    return [Dense(weights) for weights in _dense_weights(stack, directed, unweighted, kind, ndim=3)]


def sources_of(indices: Any, n: int) -> tuple[NDArray[np.int64] | None, tuple[int, ...]]:
    """Return the sources, None for all vertices, and the shape in which they were given."""
    if indices is None:
        return None, (n,)
    given = np.asarray(indices)
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"expected indices of an integer type, got {given.dtype}")
    if given.size and (given.min() < -n or given.max() >= n):
        wrong = given[(given < -n) | (given >= n)].flat[0]
        raise ValueError(f"indices out of range: expected {-n} to {n - 1}, got {wrong}")
    sources = given.ravel().astype(np.int64)
    sources = np.where(sources < 0, sources + n, sources)
    return np.ascontiguousarray(sources), given.shape


def vertices_of(indices: Any, n: int) -> NDArray[np.int64]:
    """Return the numbers of the vertices in one dimension; all if there are no indices."""
    sources = sources_of(indices, n)[0]
    return np.arange(n) if sources is None else sources

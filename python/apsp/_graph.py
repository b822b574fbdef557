# SPDX-License-Identifier: BSL-1.0
"""Graphs and lists of vertices, as callers have them, for the C++ library."""

from __future__ import annotations

import math
import numbers
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


class Carrying(NamedTuple):
    """Arcs that have an attribute besides the weight."""

    offsets: NDArray[np.int64]
    targets: NDArray[np.int32]
    weights: NDArray[Any]
    attributes: NDArray[Any]

    @property
    def num_vertices(self) -> int:
        return len(self.offsets) - 1

    @property
    def num_edges(self) -> int:
        return len(self.targets)


class Prepared(NamedTuple):
    """The graph of a `Hierarchy`, which the library holds. `carried` is the type of the attribute, if it has one."""

    core: Any
    dtype: np.dtype[Any]
    directed: bool
    carried: np.dtype[Any] | None
    num_vertices: int
    num_edges: int
    num_arcs: int
    fill: int
    has_negative: bool


AnyGraph = Sparse | Dense | Carrying | Prepared


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


_INT64 = np.dtype(np.int64)
_FLOAT64 = np.dtype(np.float64)


def converted(
    weights: NDArray[Any], kind: np.dtype[Any], what: str = "weights", ignored: NDArray[np.bool_] | None = None
) -> NDArray[Any]:
    """Return the weights, or what they are, as that type; a copy only if they have another one.

    A number that the type does not hold is refused: a fraction as an integer, a number beyond the range, and a number
    that rounds to zero. Ignored entries may have any value.
    """
    if weights.dtype == kind:
        return weights
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        found = weights.astype(kind, order="C")
        if np.can_cast(weights.dtype, kind) or (weights.dtype.kind in "biu" and kind.kind == "f"):
            return found
        if kind.kind in "iu":
            lost = found != weights
        else:
            lost = (np.isinf(found) & np.isfinite(weights)) | ((found == 0) & (weights != 0))
    refuse(weights, lost if ignored is None else lost & ~ignored, kind, what)
    return found


def refuse(weights: NDArray[Any], lost: NDArray[Any], kind: np.dtype[Any], what: str = "weights") -> None:
    """Raise an error that shows the first of the lost weights, if there is one."""
    if lost.any():
        raise ValueError(f"expected {what} that {kind} holds, got {weights[lost].flat[0]}")


def _lists_of(column: Any) -> Any:
    """Return the entries of a column of Arrow, pandas or polars as objects of Python."""
    for name in ("to_pylist", "to_list"):
        if hasattr(column, name):
            return getattr(column, name)()
    return column


def _objects_of(given: Any) -> NDArray[Any]:
    """Return an array of objects, in which integers beside floats or missing entries are still exact."""
    columns = None
    for name in ("iter_columns", "itercolumns"):
        if hasattr(given, name):
            columns = getattr(given, name)()
    if package_of(given) == "pandas" and np.ndim(given) == 2:
        columns = (column for _, column in given.items())
    if columns is None:
        return np.array(_lists_of(given), object)
    return np.array([_lists_of(column) for column in columns], object).T


def _is_absent(kind: type) -> bool:
    """Return whether objects of that class stand for missing entries: None, and NA of pandas."""
    return kind is type(None) or kind.__name__ == "NAType"


def exact(number: Any, what: str) -> int | float:
    """Return an int if the number is whole, or a float; a number that becomes zero is refused."""
    if isinstance(number, (str, bytes)):
        raise TypeError(f"expected {what} that is a number, got {number!r}")
    try:
        whole = int(number)
    except (OverflowError, ValueError):  # infinite or NaN
        return float(number)
    if whole == number:
        return whole
    found = float(number)
    if found == 0:
        raise ValueError(f"expected {what} that float64 holds, got {number}")
    return found


def _numbers_in_objects(given: NDArray[Any], kind: np.dtype[Any], what: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return numbers for distances of that type, and which entries are missing, or NaN or infinite beside integers."""
    objects: list[Any] = given.ravel().tolist()
    kinds = set(map(type, objects))
    absent_kinds = set(filter(_is_absent, kinds))
    for other in kinds - absent_kinds:
        if issubclass(other, numbers.Complex) and not issubclass(other, numbers.Real):
            raise TypeError(f"expected real {what}, got complex ones")
        if not issubclass(other, (numbers.Number, np.bool_)):
            raise TypeError(f"expected {what} that are numbers, got one of type {other.__name__}")
    absent = np.fromiter((type(entry) in absent_kinds for entry in objects), bool, len(objects))
    entries = [0 if type(entry) in absent_kinds else exact(entry, what) for entry in objects]
    if kind.kind in "iu":
        for place, number in enumerate(entries):
            if isinstance(number, float) and (number != number or number == math.inf):
                absent[place], entries[place] = True, 0
        least, greatest = np.iinfo(kind).min, np.iinfo(kind).max
        for number in entries:
            if isinstance(number, float) or not least <= number <= greatest:
                raise ValueError(f"expected {what} that {kind} holds, got {number}")
        found = np.array(entries, kind)
    else:
        try:
            found = np.array([float(number) for number in entries])
        except OverflowError:
            raise ValueError(f"expected {what} that float64 holds, got a larger integer") from None
    return found.reshape(given.shape), absent.reshape(given.shape)


def numbers_of(given: Any, kind: np.dtype[Any], what: str = "weights") -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Return anything that is like an array as numbers, and which entries are missing; None if none are.

    Missing entries are those that are masked, None, or NA of pandas. The numbers have any real type, byte order and
    layout, and may be the caller's memory. If distances are integers, no integer passes through a floating-point type,
    whatever is beside it.

    Parameters
    ----------
    kind : dtype
        To which the caller converts the numbers.
    what : str
        The numbers in messages.
    """
    absent: NDArray[np.bool_] | None = None
    if np.ma.isMaskedArray(given):
        absent = np.ma.getmaskarray(given)
        values: NDArray[Any] = np.ma.getdata(given)
        if values.dtype == object:
            values = values.copy()
            values[absent] = None
    else:
        try:
            values = np.asarray(given)
        except ValueError as error:
            raise ValueError(f"expected {what} that form an array, got a {type(given).__name__}: {error}") from error
        is_kept = hasattr(given, "dtype") and given.dtype == values.dtype
        if kind.kind in "iu" and values.dtype.kind in "fO" and not is_kept:
            # NumPy, pandas and others made floats of integers beside floats or missing entries.
            with np.errstate(invalid="ignore"):
                is_exact = values.dtype.kind == "f" and not (np.abs(values[np.isfinite(values)]) >= 2**53).any()
            if not is_exact:
                values = _objects_of(given)
    if values.dtype == object:
        values, absent = _numbers_in_objects(values, kind, what)
    if values.dtype.kind == "c":
        raise TypeError(f"expected real {what}, got complex ones")
    if values.dtype.kind not in "biuf":
        raise TypeError(f"expected {what} that are numbers, got {values.dtype}")
    return values, None if absent is None or not absent.any() else absent


def all_numbers_of(given: Any, kind: np.dtype[Any], what: str) -> NDArray[Any]:
    """Return the numbers as an array of that type; missing ones are refused."""
    values, absent = numbers_of(given, kind, what)
    if absent is not None:
        raise ValueError(f"expected {what} that are numbers, got a missing or masked one")
    return converted(values, kind, what)


def weights_of(
    given: Any, kind: np.dtype[Any], unweighted: bool, *, zeros_are_arcs: bool, copy: bool = False
) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Return weights of that type, and which entries are no arcs; None if all are arcs.

    This alone decides what an entry means, dense or stored in a sparse matrix: missing entries, NaN and infinity are no
    arcs, nor are zeros unless `zeros_are_arcs`; minus infinity and weights that the type does not hold are refused.
    Weights of entries that are no arcs have any value.

    Parameters
    ----------
    unweighted : bool
        The weights are 1.
    copy : bool
        The weights are a copy in C order. Otherwise they may be the caller's memory.
    """
    values, absent = numbers_of(given, _FLOAT64 if unweighted else kind)
    no_arc = absent
    if not zeros_are_arcs:
        zeros = values == 0
        no_arc = zeros if absent is None else absent | zeros
    if values.dtype.kind == "f":
        is_finite = np.isfinite(values)
        if not is_finite.all():
            refused = values == -np.inf
            if absent is not None:
                refused &= ~absent
            if refused.any():
                raise ValueError("expected weights above minus infinity, got -inf")
            no_arc = ~is_finite if no_arc is None else no_arc | ~is_finite
    if unweighted:
        return np.ones(values.shape, kind), no_arc
    weights = converted(values, kind, ignored=no_arc)
    if kind.kind == "i":
        lost = weights == unreachable(kind)
        refuse(values, lost if no_arc is None else lost & ~no_arc, kind)
    if copy:
        weights = np.array(weights, order="C", copy=True if weights is values else None)
    return weights, no_arc


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


def _is_of_pydata(csgraph: Any) -> bool:
    """Return whether it is an array of pydata/sparse: COO, DOK or GCXS."""
    kind = getattr(sys.modules.get("sparse"), "SparseArray", None)
    return kind is not None and isinstance(csgraph, kind)


def is_sparse(csgraph: Any) -> bool:
    """Return whether it is a sparse matrix or array of SciPy, or of pydata/sparse."""
    # There is none before SciPy is imported, which takes longer than most calls.
    sparse = sys.modules.get("scipy.sparse")
    return (sparse is not None and bool(sparse.issparse(csgraph))) or _is_of_pydata(csgraph)


def _from_pydata(csgraph: Any) -> Any:
    """Return an array of pydata/sparse as one of SciPy. What is not stored must be no arc."""
    if not (csgraph.fill_value == 0 or csgraph.fill_value == np.inf or np.isnan(csgraph.fill_value)):
        raise ValueError(f"expected a sparse graph with the fill value 0, infinity or NaN, got {csgraph.fill_value}")
    made = csgraph if hasattr(csgraph, "to_scipy_sparse") else csgraph.to_coo()
    return made.to_scipy_sparse(accept_fv=[0, np.inf, np.nan])


def _check_range(indices: NDArray[Any], n: int, what: str) -> None:
    if len(indices) and (indices.min() < 0 or indices.max() >= n):
        raise ValueError(f"expected {what} from 0 to {n - 1}, got {indices.min()} to {indices.max()}")


def _check_compressed(matrix: Any) -> None:
    """Raise an error if the arrays of compressed rows or columns do not belong together."""
    rows, columns = matrix.shape
    if matrix.format == "bsr":
        rows, columns = rows // matrix.blocksize[0], columns // matrix.blocksize[1]
    what = ("row", "column")
    if matrix.format == "csc":
        rows, columns, what = columns, rows, what[::-1]
    offsets, room = matrix.indptr, min(len(matrix.indices), len(matrix.data))
    if len(offsets) != rows + 1:
        raise ValueError(f"expected an indptr of {rows + 1} entries, got {len(offsets)}")
    if offsets[0] != 0:
        raise ValueError(f"expected an indptr that begins with 0, got {offsets[0]}")
    falls = np.flatnonzero(offsets[1:] < offsets[:-1])
    if falls.size:
        i = falls[0]
        raise ValueError(
            f"expected an indptr that does not fall, got {offsets[i + 1]} after {offsets[i]}, {what[0]} {i}"
        )
    if offsets[-1] > room:
        raise ValueError(f"expected an indptr that ends with {room} or less, the number of entries, got {offsets[-1]}")
    _check_range(matrix.indices[: offsets[-1]], columns, f"{what[1]} indices")


def checked_matrix(csgraph: Any) -> Any:
    """Return a sparse matrix of any format as one of SciPy, whose arrays belong together."""
    if csgraph.ndim != 2 or csgraph.shape[0] != csgraph.shape[1]:
        raise ValueError(f"compressed-sparse graph must be shape (N, N), got {csgraph.shape}")
    matrix = _from_pydata(csgraph) if _is_of_pydata(csgraph) else csgraph
    if matrix.format in ("csr", "csc", "bsr"):
        _check_compressed(matrix)
    elif matrix.format == "coo":
        for indices, what in zip((matrix.row, matrix.col), ("row", "column")):
            _check_range(indices, matrix.shape[0], f"{what} indices")
        # SciPy adds in the byte order of the machine, and sums of small integers must not wrap.
        is_small = matrix.dtype.kind in "iu" and matrix.dtype.itemsize < 8
        summed = np.dtype(f"{matrix.dtype.kind}8") if is_small else matrix.dtype.newbyteorder("=")
        matrix = matrix.astype(summed, copy=False)
    return matrix


class Stored(NamedTuple):
    """What a sparse matrix stores, in compressed sparse rows. Entries of `no_arc` are no arcs; None if all are arcs."""

    offsets: NDArray[Any]
    targets: NDArray[Any]
    weights: NDArray[Any]
    no_arc: NDArray[np.bool_] | None


def stored_entries(csgraph: Any, unweighted: bool, kind: np.dtype[Any]) -> Stored:
    """Return the entries of a sparse matrix of any format, in the order of `tocsr`."""
    matrix = checked_matrix(csgraph)
    csr = matrix.tocsr()
    offsets = csr.indptr
    # The arrays may be longer than they need be.
    targets, data = csr.indices[: offsets[-1]], csr.data[: offsets[-1]]
    # Blocks store the zeros between their entries. In other formats the caller has stored them.
    return Stored(offsets, targets, *weights_of(data, kind, unweighted, zeros_are_arcs=matrix.format != "bsr"))


def sparse_of(stored: Stored, directed: bool) -> Sparse:
    """Return the entries of a sparse matrix as arcs.

    Duplicates are parallel arcs, except in the format COO, whose duplicates SciPy adds up.
    """
    offsets, targets, weights, no_arc = stored
    n = len(offsets) - 1
    if no_arc is not None:
        are_arcs = ~no_arc
        offsets = np.concatenate([[0], np.cumsum(are_arcs)])[offsets]
        targets, weights = targets[are_arcs], weights[are_arcs]
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
        np.require(offsets, np.int64, ["C", "A"]),
        np.require(targets, np.int32, ["C", "A"]),
        np.require(weights, weights.dtype, ["C", "A"]),
    )


def _dense_weights(
    csgraph: Any, directed: bool, unweighted: bool, kind: np.dtype[Any], *, prefers_heavy: bool = False, ndim: int = 2
) -> NDArray[Any]:
    """Return a matrix, or several, with `unreachable` where there is no arc. It is a copy.

    Zeros are no arcs, except those of a masked array, whose mask tells what is none.
    """
    if is_on_device(csgraph):
        raise TypeError(
            "expected a graph in host memory, got an array on a device: shortest_path, floyd_warshall, dijkstra, "
            "bellman_ford and johnson take those, without targets, min_only and semiring"
        )
    is_masked = np.ma.isMaskedArray(csgraph)
    weights, no_arc = weights_of(csgraph, kind, unweighted, zeros_are_arcs=is_masked, copy=True)
    if weights.ndim != ndim or weights.shape[-2] != weights.shape[-1]:
        raise ValueError(f"graph must be shape {'(N, N)' if ndim == 2 else '(B, N, N)'}, got {weights.shape}")
    if no_arc is None:
        no_arc = np.zeros(weights.shape, bool)
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
        return sparse_of(stored_entries(csgraph, unweighted, kind), directed)
    return Dense(_dense_weights(csgraph, directed, unweighted, kind, prefers_heavy=prefers_heavy))


def any_graph_of(csgraph: Any, directed: bool, unweighted: bool, kind: np.dtype[Any]) -> AnyGraph:
    """Return the graph with weights of that type, which may be a `Hierarchy` with such weights."""
    prepared = prepared_of(csgraph)
    if prepared is None:
        return graph_of(csgraph, directed, unweighted, kind)
    if prepared.carried is not None:
        raise TypeError(
            "expected a hierarchy that carries no attribute, got one made with carry, which is for distance_table and "
            "distances_of_pairs"
        )
    return fitting(prepared, directed, unweighted, kind)


def fitting(prepared: Prepared, directed: bool, unweighted: bool, kind: np.dtype[Any]) -> Prepared:
    """Return the graph of a hierarchy if the arguments of a call fit it."""
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
    if np.size(indices) == 0:
        return np.empty(0, np.int64), np.shape(indices)
    given, absent = numbers_of(indices, _INT64, "indices")
    if given.dtype.kind == "b" or absent is not None:
        what = "bool" if given.dtype.kind == "b" else "a masked or missing one"
        raise TypeError(f"expected indices that are numbers of vertices, got {what}")
    is_wrong = (given < -n) | (given >= n)
    if is_wrong.any():
        raise ValueError(f"indices out of range: expected {-n} to {n - 1}, got {given[is_wrong].flat[0]}")
    sources = converted(given, _INT64, "indices").ravel()
    sources = np.where(sources < 0, sources + n, sources)
    return np.ascontiguousarray(sources), given.shape


def vertices_of(indices: Any, n: int) -> NDArray[np.int64]:
    """Return the numbers of the vertices in one dimension; all if there are no indices."""
    sources = sources_of(indices, n)[0]
    return np.arange(n) if sources is None else sources

# SPDX-License-Identifier: BSL-1.0
"""Graphs and results in the memory of a CUDA device, as arrays of CuPy, PyTorch, JAX and others.

They are exchanged by DLPack, without a copy. Work is placed on the caller's current stream, in the order of the
caller's other work. Distances are of the type of the weights unless `dtype` is another one.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from ._call import keep_report, settings_for, warn_of_negative_weights
from ._graph import NO_PREDECESSOR, WEIGHT_TYPES, distance_type, is_on_device, package_of, sources_of, unreachable
from ._policies import Policy, as_policy
from ._progress import Progress

# About as many as a device has for float32.
_RELAXATIONS_PER_SECOND = 1e13
_LEGACY_DEFAULT_STREAM = 1  # what DLPack calls the stream 0


class _Library(NamedTuple):
    """The array library of the caller."""

    name: str
    functions: Any  # the module with `where`, `isfinite` and others
    device: int

    def stream(self) -> int:
        """Return the handle of the current stream on the device; 0 for the default one."""
        if self.name == "torch":
            return int(self.functions.cuda.current_stream(self.device).cuda_stream)
        if self.name == "cupy":
            return int(self.functions.cuda.get_current_stream(self.device).ptr)
        return 0

    @property
    def has_streams(self) -> bool:
        """Whether the caller knows on which stream results are complete."""
        return self.name in ("torch", "cupy")

    def current_device(self) -> contextlib.AbstractContextManager[Any]:
        if self.name == "torch":
            return self.functions.cuda.device(self.device)  # type: ignore[no-any-return]
        if self.name == "cupy":
            return self.functions.cuda.Device(self.device)  # type: ignore[no-any-return]
        return contextlib.nullcontext()

    def type_of(self, array: Any) -> np.dtype[Any]:
        """Return the type of the entries; for bfloat16, which NumPy has not, that of as many bits."""
        name = str(array.dtype).removeprefix("torch.")
        return np.dtype("float16" if name == "bfloat16" else name)

    def has_wide_types(self) -> bool:
        return self.name != "jax" or bool(importlib.import_module("jax").config.jax_enable_x64)

    def converted(self, array: Any, kind: np.dtype[Any]) -> Any:
        if self.type_of(array) == kind:
            return array
        if self.name == "torch":
            return array.to(getattr(self.functions, kind.name))
        return array.astype(kind)

    def contiguous(self, array: Any) -> Any:
        if self.name == "torch":
            return array.detach().contiguous()
        if self.functions.__name__ == "cupy":
            return self.functions.ascontiguousarray(array)
        return array

    def empty(self, shape: tuple[int, int], kind: np.dtype[Any]) -> Any:
        """Return a new array; for a library that has none to write to, one of `_core`."""
        if self.name == "torch":
            return self.functions.empty(shape, dtype=getattr(self.functions, kind.name), device=f"cuda:{self.device}")
        if self.name == "cupy":
            return self.functions.empty(shape, kind)
        return _core.empty_on_device(kind.name, *shape, self.device)

    def taken_over(self, array: Any) -> Any:
        """Return an array made by `empty` as one of the caller's library."""
        if self.has_streams:
            return array
        if self.name == "numba":
            return importlib.import_module("numba.cuda").as_cuda_array(
                importlib.import_module("cupy").from_dlpack(array)
            )
        return self.functions.from_dlpack(array)


def _library_of(array: Any) -> tuple[_Library, Any]:
    """Return the library, and the array as one of `_Library.functions`."""
    name = package_of(array)
    if name in ("torch", "cupy"):
        functions = sys.modules[name]
        device = array.device.index if name == "torch" else array.device.id
        return _Library(name, functions, device), array
    if name == "cupyx":
        return _Library("cupy", sys.modules["cupy"], array.data.device.id), array
    if name in ("jax", "jaxlib"):
        return _Library("jax", importlib.import_module("jax.numpy"), array.__dlpack_device__()[1]), array
    if hasattr(array, "__array_namespace__"):
        return _Library(name, array.__array_namespace__(), array.__dlpack_device__()[1]), array
    try:
        cupy = importlib.import_module("cupy")
    except ImportError:
        raise TypeError(f"expected CuPy to be installed for an array of {name} on a device") from None
    array = cupy.asarray(array) if hasattr(array, "__cuda_array_interface__") else cupy.from_dlpack(array)
    return _Library(name, cupy, array.device.id), array


def _exported(array: Any, stream: int) -> Any:
    """Return the array for a call of `_core`, as it is when the work that is now on the caller's stream is done."""
    try:
        return array.__dlpack__(stream=stream if stream != 0 else _LEGACY_DEFAULT_STREAM)
    except TypeError:
        return array.__dlpack__()


def _dense_weights(library: _Library, given: Any, directed: bool, unweighted: bool, kind: np.dtype[Any]) -> Any:
    xp = library.functions
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise ValueError(f"graph must be shape (N, N), got {tuple(given.shape)}")
    given_kind = library.type_of(given)
    if given_kind.kind == "c":
        raise TypeError("expected real weights, got complex ones")
    far = unreachable(kind).item()
    if given_kind == kind and kind.kind == "f" and directed and not unweighted:
        # The same with fewer passes. The library refuses minus infinity.
        return xp.where(given == 0, far, xp.nan_to_num(given, nan=far, posinf=far, neginf=-far))
    no_arc = given == 0
    if given_kind.kind == "f":
        no_arc = no_arc | ~xp.isfinite(given)
    weights = xp.where(no_arc, far, _weights_of(library, given, no_arc, unweighted, kind))
    return weights if directed else xp.minimum(weights, weights.T)


def _weights_of(library: _Library, given: Any, no_arc: Any, unweighted: bool, kind: np.dtype[Any]) -> Any:
    """Return weights of that type, by the rules for arrays in host memory."""
    xp = library.functions
    given_kind = library.type_of(given)
    if given_kind.kind == "f" and bool((given == -math.inf).any()):
        raise ValueError("expected weights above minus infinity, got -inf")
    weights = library.converted(given, kind)
    if unweighted:
        return xp.ones_like(weights)
    if given_kind == kind and kind.kind == "f":
        return weights
    if kind.kind == "i":
        is_kept = (library.converted(weights, given_kind) == given) & (weights != unreachable(kind).item())
        if given_kind.kind == "u":
            is_kept = is_kept & (weights >= 0)
    else:
        is_kept = xp.isfinite(weights) & ((weights != 0) | (given == 0))
    if not bool((is_kept | no_arc).all()):
        raise ValueError(f"expected weights that {kind} holds, got others")
    return weights


def _sparse_weights(library: _Library, given: Any, directed: bool, unweighted: bool, kind: np.dtype[Any]) -> Any:
    """Return weights, offsets and targets of a sparse matrix of CuPy."""
    xp = library.functions
    csr = given.tocsr()
    if csr.shape[0] != csr.shape[1]:
        raise ValueError(f"compressed-sparse graph must be shape (N, N), got {csr.shape}")
    if library.type_of(csr).kind == "c":
        raise TypeError("expected real weights, got complex ones")
    offsets, targets = csr.indptr, csr.indices
    no_arc = ~xp.isfinite(csr.data)
    weights = _weights_of(library, csr.data, no_arc, unweighted, kind)
    if bool(no_arc.any()):
        are_arcs = ~no_arc
        places = xp.zeros(targets.size + 1, offsets.dtype)
        places[1:] = xp.cumsum(are_arcs)
        offsets, targets, weights = places[offsets], targets[are_arcs], weights[are_arcs]
    if not directed:
        # Parallel arcs: the lightest counts.
        n = csr.shape[0]
        places = xp.arange(targets.size, dtype=offsets.dtype)
        sources = (xp.searchsorted(offsets, places, side="right") - 1).astype(targets.dtype)
        tails = xp.concatenate([sources, targets])
        order = xp.argsort(tails, kind="stable")
        offsets = xp.zeros(n + 1, xp.int32)
        offsets[1:] = xp.cumsum(xp.bincount(tails, minlength=n))
        targets = xp.concatenate([targets, sources])[order]
        weights = xp.concatenate([weights, weights])[order]
    return tuple(xp.ascontiguousarray(part) for part in (weights, offsets.astype(xp.int32), targets.astype(xp.int32)))


def _checked_out(library: _Library, out: Any, shape: tuple[int, ...], kind: np.dtype[Any]) -> Any:
    """Return the caller's array for results as one of `_Library.functions`."""
    if library.name == "jax":
        raise TypeError("expected no out for arrays of JAX, which cannot be written to")
    if not is_on_device(out):
        raise ValueError(f"expected an out on the device of the graph, got {type(out).__name__} in host memory")
    out = _library_of(out)[1]
    is_contiguous = out.is_contiguous() if package_of(out) == "torch" else out.flags.c_contiguous
    if tuple(out.shape) != shape or library.type_of(out) != kind or not is_contiguous:
        raise ValueError(
            f"expected a C-contiguous out of shape {shape} and type {kind}, got one of shape {tuple(out.shape)} and type "
            f"{out.dtype}"
        )
    return out


def solve_on_device(
    method: str,
    csgraph: Any,
    directed: bool,
    unweighted: bool,
    indices: Any,
    return_predecessors: bool,
    policy: Policy | str,
    dtype: DTypeLike | None,
    out: Any,
    progress: Progress | bool | None,
    limit: float = math.inf,
) -> Any:
    """Solve a graph on the device that has it; return arrays there."""
    run = as_policy(policy)
    if run.name not in ("auto", "cuda_tiled"):
        raise TypeError(f"expected a policy of a device, such as cuda_tiled, for a graph on a device, got {run.name}")
    library, given = _library_of(csgraph)
    given_kind = library.type_of(given)
    if dtype is not None:
        kind = distance_type(dtype)
    else:
        widest = np.float64 if library.has_wide_types() else np.float32
        kind = given_kind if given_kind in WEIGHT_TYPES else np.dtype(widest)
    if kind.itemsize == 8 and not library.has_wide_types():
        raise TypeError(f"expected jax_enable_x64 to be set for distances of type {kind}")
    with library.current_device():
        stream = library.stream() if run.stream is None else run.stream
        make: Callable[..., Any] = _sparse_weights if hasattr(given, "tocsr") else _dense_weights
        made = make(library, given, directed, unweighted, kind)
        graph = made if isinstance(made, tuple) else (library.contiguous(made),)
        if method == "dijkstra" and bool((graph[0] < 0).any()):
            warn_of_negative_weights(stacklevel=4)
            method = "johnson"
        n = given.shape[0]
        sources, shape_of_sources = sources_of(indices, n)
        num_sources = n if sources is None else len(sources)
        shape = (*shape_of_sources, n)
        if out is None:
            distances = library.empty((num_sources, n), kind)
        else:
            distances = _checked_out(library, out, shape, kind).reshape(num_sources, n)
        predecessors = library.empty((num_sources, n), np.dtype(np.int32)) if return_predecessors else None
        seconds = n**3 / _RELAXATIONS_PER_SECOND
        where = replace(run, name="cuda_tiled", device=library.device if run.device < 0 else run.device, stream=stream)
        settings = settings_for(where, seconds, method=method, limit=limit, progress=progress)
        solve: Any = _core.solve_on_device  # It has an overload for each type.
        report = solve(
            *(_exported(part, stream) for part in graph),
            sources,
            _exported(distances, stream),
            None if predecessors is None else _exported(predecessors, stream),
            settings,
            # On a stream of the caller's choice the results are not in order with the work of the library.
            not library.has_streams or run.stream is not None,
        )
        keep_report(report)
        found = out if out is not None else library.taken_over(distances).reshape(shape)
        if predecessors is None:
            return found
        before = library.taken_over(predecessors)
        xp = library.functions
        before = xp.where(before < 0, xp.full_like(before, NO_PREDECESSOR), before)
        return found, before.reshape(shape)

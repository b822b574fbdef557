# SPDX-License-Identifier: BSL-1.0
"""What the calls of the C++ library have in common."""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._graph import AnyGraph, Prepared, exact
from ._mapped import new_mapped
from ._policies import Policy, as_policy, chosen
from ._progress import Progress, as_callback

_is_forked = False


def _note_fork() -> None:
    global _is_forked
    _is_forked = True
    _core.abandon_parent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)

# Calls that are running when the interpreter ends would call functions of Python after it.
atexit.register(_core.stop_all)

# Calls that take longer look for Ctrl-C.
_LONGEST_DEAF_CALL = 0.05

_LARGEST_INTEGER = 2**63 - 1

# An array that receives results, or the path of a .npy file that will have them.
Out = NDArray[Any] | str | os.PathLike[str] | None


class Report(NamedTuple):
    """How a call ran: see `last_result`.

    `plan` has lines for the algorithms that were considered, unless the caller named one: the time predicted on one
    thread or on the device, or the reason why it was left out. Others say in which type the call computed, why that
    fits, and how long it took.
    """

    algorithm: str
    executed_on: str
    fallback_reason: str
    num_devices: int
    out_of_core: bool
    saturated: bool
    plan: str


_last = threading.local()


def last_result() -> Report | None:
    """Return how the last call of this thread ran, or None before the first.

    Examples
    --------
    >>> import apsp
    >>> distances = apsp.floyd_warshall([[0, 1], [2, 0]])
    >>> apsp.last_result().executed_on
    'seq'
    """
    return getattr(_last, "report", None)


def seconds_of(method: str, graph: AnyGraph, num_sources: int) -> float:
    """Return how long one thread is predicted to take."""
    return _core.predicted_seconds(method, graph.num_vertices, graph.num_edges, num_sources)


def settings_of(
    policy: Policy | str,
    seconds: float,
    *,
    method: str = "auto",
    limit: float = math.inf,
    progress: Progress | bool | None = None,
    may_use_device: bool = False,
) -> _core.Settings:
    """Return the settings of a call that takes about so long on one thread.

    may_use_device : bool
        The policy 'auto' may choose a device.
    """
    run = chosen(as_policy(policy), seconds, may_use_device=may_use_device)
    return settings_for(run, seconds, method=method, limit=limit, progress=progress)


def settings_for(
    run: Policy, seconds: float, *, method: str, limit: float, progress: Progress | bool | None
) -> _core.Settings:
    """Return the settings of a call that takes about so long."""
    limit = checked_limit(limit)
    return _core.Settings(
        method=method,
        policy=run.name,
        threads=run.threads,
        device=run.device,
        required=run.required,
        memory_limit=run.memory_limit,
        stream=run.stream or 0,
        cutoff=None if limit == math.inf else limit,
        progress=as_callback(progress),
        # Python delivers signals to the main thread alone. A long call has a thread of its own, whose OpenMP threads
        # exist: a child of fork has not those of its parent.
        is_long=(seconds > _LONGEST_DEAF_CALL or _is_forked) and threading.current_thread() is threading.main_thread(),
    )


def checked_limit(limit: float) -> float:
    """Return a limit of distances: an int if it is whole and has at most 64 bits, so that it is exact, or a float."""
    try:
        found = exact(limit, "a limit")
    except TypeError:
        raise TypeError(f"expected a limit that is a number, got {limit!r}") from None
    if not found >= 0:
        raise ValueError(f"expected a limit of 0 or more, got {limit}")
    if found > _LARGEST_INTEGER:
        # It is beyond all integer distances.
        return float(found) if found < sys.float_info.max else math.inf
    return found


def warn_of_negative_weights(stacklevel: int) -> None:
    warnings.warn(
        "Graph has negative weights: dijkstra will give inaccurate results if the graph contains negative "
        "cycles. Consider johnson or bellman_ford.",
        stacklevel=stacklevel,
    )


@contextlib.contextmanager
def result_array(out: Out, shape: tuple[int, ...], kind: np.dtype[Any]) -> Iterator[NDArray[Any]]:
    """Yield the caller's array for results if it fits, or a new one.

    If the caller gives a path, it is in a file, which is put in place when the block ends without an exception.
    """
    if isinstance(out, str | os.PathLike):
        with new_mapped(out, shape, kind) as array:
            yield array
        return
    if out is None:
        yield np.empty(shape, kind)
        return
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise TypeError(f"expected an ndarray or the path of a .npy file as out, got {type(out).__name__}")
    if out.shape != shape or out.dtype != kind or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(
            f"expected a C-contiguous out of shape {shape} and type {kind} that can be written, got one of shape "
            f"{out.shape} and type {out.dtype}, "
            f"{'C-contiguous' if out.flags.c_contiguous else 'not C-contiguous'}, "
            f"{'writable' if out.flags.writeable else 'read-only'}"
        )
    yield out


def core_graph(graph: AnyGraph, out: NDArray[Any] | None = None) -> Any:
    """Return the graph for a call of `_core`, with copies of the arrays that share memory with its result."""
    if isinstance(graph, Prepared):
        return graph.core
    make: Any = _core.graph  # It has an overload for each type.
    parts: list[NDArray[Any]] = list(graph)
    if out is not None:
        parts = [part.copy() if np.may_share_memory(part, out) else part for part in parts]
    return make(*parts)


def keep_report(report: dict[str, Any], where: str = "") -> None:
    """Keep what a call reports for `last_result`, and raise the error if the graph has a negative cycle."""
    _last.report = Report(**{name: report[name] for name in Report._fields})
    if report["negative_cycle"]:
        from ._errors import NegativeCycleError

        raise NegativeCycleError(report["negative_cycle"][:-1], where)  # The cycle ends where it begins.

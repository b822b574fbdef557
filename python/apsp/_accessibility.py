# SPDX-License-Identifier: BSL-1.0
"""Sums of amounts at the vertices that are reached, weighted by distance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _core
from ._call import Out, core_graph, keep_report, result_array, seconds_of, settings_of
from ._graph import all_numbers_of, any_graph_of, distance_type, exact, sources_of, vertices_of
from ._policies import Policy, auto
from ._progress import Progress

_FLOAT64 = np.dtype(np.float64)
_LARGEST_INTEGER = 2**63 - 1


@dataclass(frozen=True)
class Decay:
    """How much an amount counts at a distance: made by `within`, `exponential`, `power`, `linear` and `gaussian`.

    Attributes
    ----------
    name : str
        Of the function that made it.
    parameters : tuple of float
        Its parameters, in the unit of the distances.
    is_several : bool
        Results have a last axis, with an entry for each parameter.
    """

    name: str
    parameters: tuple[float, ...]
    is_several: bool = False


def _parameter(given: Any, what: str, *, may_be_zero: bool = False, may_be_infinite: bool = False) -> float:
    """Return the parameter of a decay: an int if it is whole and has at most 64 bits, or a float."""
    try:
        found = exact(given, what)
    except TypeError:
        raise TypeError(f"expected {what} that is a number, got {given!r}") from None
    if not (found > 0 or (may_be_zero and found == 0)):
        raise ValueError(f"expected {what} {'of 0 or more' if may_be_zero else 'above 0'}, got {given}")
    if found == math.inf and not may_be_infinite:
        raise ValueError(f"expected {what} that is finite, got {given}")
    if not may_be_zero and found < 1 and 1 / found == math.inf:
        raise ValueError(f"expected {what} whose inverse is finite, got {given}")
    if found <= _LARGEST_INTEGER:
        return found
    try:
        return float(found)
    except OverflowError:
        raise ValueError(f"expected {what} that float64 holds, got a larger integer") from None


def within(cutoff: ArrayLike) -> Decay:
    """Return a decay by which everything within a cutoff counts in full: jobs within 30 minutes.

    Parameters
    ----------
    cutoff : float or sequence of float
        At least 0; distances equal to it are within, and infinity is any distance. With a sequence, results have a last
        axis with an entry for each cutoff, in that order.

    Examples
    --------
    >>> import apsp
    >>> apsp.within([5, 15, 30])
    Decay(name='within', parameters=(5, 15, 30), is_several=True)
    """
    given = np.asarray(cutoff, object)
    if given.ndim > 1:
        raise ValueError(f"expected a cutoff, or cutoffs in one dimension, got {given.ndim} dimensions")
    cutoffs = tuple(_parameter(c, "a cutoff", may_be_zero=True, may_be_infinite=True) for c in given.reshape(-1))
    if not cutoffs:
        raise ValueError("expected one cutoff or more, got none")
    return Decay("within", cutoffs, given.ndim == 1)


def exponential(rate: float) -> Decay:
    """Return the decay ``exp(-rate * d)``, of a rate of 0 or more.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> print(apsp.accessibility(np.diag([2.0, 2.0], 1), [1, 1, 1], apsp.exponential(0.5), indices=0).round(4))
    1.5032
    """
    return Decay("exponential", (_parameter(rate, "a rate", may_be_zero=True),))


def power(exponent: float, nearest: float = 0) -> Decay:
    """Return the decay ``max(d, nearest) ** -exponent``, that of gravity models.

    Parameters
    ----------
    exponent : float
        At least 0.
    nearest : float
        At least 0. If it is 0, distances of 0 and less add nothing, as in `harmonic`.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> apsp.accessibility(np.diag([2.0, 2.0], 1), [1, 1, 1], apsp.power(2, nearest=1))
    array([1.3125, 1.25  , 1.    ])
    """
    return Decay(
        "power",
        (
            _parameter(exponent, "an exponent", may_be_zero=True),
            _parameter(nearest, "a nearest distance", may_be_zero=True),
        ),
    )


def linear(cutoff: float) -> Decay:
    """Return the decay ``1 - d / cutoff`` up to the cutoff, which is above 0; what is farther away adds nothing.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> apsp.accessibility(np.diag([2.0, 2.0], 1), [1, 1, 1], apsp.linear(4))
    array([1.5, 1.5, 1. ])
    """
    return Decay("linear", (_parameter(cutoff, "a cutoff"),))


def gaussian(deviation: float) -> Decay:
    """Return the decay ``exp(-d**2 / (2 * deviation**2))``, of a deviation above 0.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> apsp.accessibility(np.diag([2.0, 2.0], 1), [1, 1, 1], apsp.gaussian(2)).round(4)
    array([1.7419, 1.6065, 1.    ])
    """
    return Decay("gaussian", (_parameter(deviation, "a deviation"),))


def _core_decay(decay: Decay) -> Any:
    make: Any = getattr(_core, f"decay_{decay.name}")
    return make(list(decay.parameters)) if decay.name == "within" else make(*decay.parameters)


def _checked(decay: Callable[[NDArray[Any]], ArrayLike]) -> Callable[[NDArray[Any]], NDArray[np.float64]]:
    """Return a function that calls the caller's, and refuses what is no share for each distance."""

    def shares_at(distances: NDArray[Any]) -> NDArray[np.float64]:
        shares = all_numbers_of(decay(distances), _FLOAT64, "shares of the decay")
        if shares.shape != distances.shape:
            raise ValueError(
                f"expected a decay that returns an array of shape {distances.shape}, as the distances, got one of "
                f"shape {shares.shape}"
            )
        is_finite = np.isfinite(shares)
        if not is_finite.all():
            i = np.argmin(is_finite)
            raise ValueError(
                f"expected a decay that returns finite numbers, got {shares[i]} for the distance {distances[i]}"
            )
        return np.ascontiguousarray(shares)

    return shares_at


def _amounts_of(given: Any, n: int) -> NDArray[np.float64]:
    """Return the amounts, with one or two dimensions."""
    amounts = all_numbers_of(given, _FLOAT64, "amounts")
    if amounts.ndim not in (1, 2) or len(amounts) != n or amounts.shape[1:] == (0,):
        raise ValueError(
            f"expected amounts of shape ({n},), or ({n}, c) with c of 1 or more, since the graph has {n} vertices, got "
            f"{amounts.shape}"
        )
    is_finite = np.isfinite(amounts)
    if not is_finite.all():
        raise ValueError(f"expected finite amounts, got {amounts[~is_finite].flat[0]}")
    return np.require(amounts, _FLOAT64, ["C", "A"])


def accessibility(
    csgraph: Any,
    amounts: ArrayLike,
    decay: Decay | Callable[[NDArray[Any]], ArrayLike],
    directed: bool = True,
    unweighted: bool = False,
    indices: Any = None,
    *,
    policy: Policy | str = auto,
    dtype: DTypeLike | None = None,
    limit: float = math.inf,
    out: Out = None,
    progress: Progress | bool | None = None,
) -> Any:
    """The sums of amounts at the vertices that each source reaches, weighted by their distances, without a matrix.

    For a source s this is the sum of ``amounts[t] * decay(d)`` over all vertices t that s reaches, d being the distance
    from s to t. It has the amount of s itself, at distance 0. To measure the distances to the sources instead, pass the
    transposed matrix.

    Parameters
    ----------
    csgraph : array_like, sparse matrix or array, or Hierarchy
        N x N weights, with the rules of `shortest_path`.
    amounts : array_like
        Finite numbers of shape (N,), or (N, c) for c sums for each source, which take less time together.
    decay : Decay or callable
        How much an amount counts at a distance: `within`, `exponential`, `power`, `linear`, `gaussian`, or a function
        that is called with some distances, an array of one dimension, and returns as many finite numbers. That takes
        longer, and distances come in any order.
    directed : bool
        If False, arcs can be followed in both directions.
    unweighted : bool
        Count arcs instead of adding up weights.
    indices : int or array_like of int, optional
        The sources; by default all vertices.
    policy, dtype, out, progress
        As for `shortest_path`; `out` is of type float64. `dtype` is that of the distances.
    limit : float
        Vertices that are farther away add nothing, whatever the decay.

    Returns
    -------
    sums : ndarray of float64
        In the shape of `indices`, or (N,), followed by c if there are c columns of amounts, and by the number of
        cutoffs if `within` was given several.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative length.
    ValueError
        If an amount, or a number that the function returns, is not finite, or if there are not as many as expected; or
        for graphs as in `shortest_path`.
    TypeError
        If the decay is neither one of those nor a function.

    Examples
    --------
    >>> import apsp, numpy as np
    >>> roads = np.diag([10.0, 10.0, 10.0], 1)
    >>> jobs = [0, 100, 50, 25]
    >>> apsp.accessibility(roads, jobs, apsp.within(15), directed=False)
    array([100., 150., 175.,  75.])
    >>> apsp.accessibility(roads, jobs, apsp.within([10, 20]), directed=False, indices=[0, 3])
    array([[100., 150.],
           [ 75., 175.]])
    >>> apsp.accessibility(roads, jobs, lambda d: 1 / (1 + d / 10), directed=False)
    array([ 72.91666667, 133.33333333, 112.5       ,  83.33333333])
    """
    if not isinstance(decay, Decay) and not callable(decay):
        raise TypeError(
            "expected a decay that is made by within, exponential, power, linear or gaussian, or a function, got "
            f"{decay!r}"
        )
    kind = distance_type(dtype, csgraph)
    graph = any_graph_of(csgraph, directed, unweighted, kind)
    n = graph.num_vertices
    columns = _amounts_of(amounts, n)
    sources = vertices_of(indices, n)
    shape = (*sources_of(indices, n)[1], *columns.shape[1:])
    width = 1 if columns.ndim == 1 else columns.shape[1]
    is_named = isinstance(decay, Decay)
    if isinstance(decay, Decay):
        found: Any = _core_decay(decay)
        if decay.is_several:
            shape = (*shape, len(decay.parameters))
            width *= len(decay.parameters)
    else:
        found = _checked(decay)
    settings = settings_of(
        policy, seconds_of("auto", graph, len(sources)), limit=limit, progress=progress, may_use_device=is_named
    )
    call: Any = _core.accessibility if is_named else _core.accessibility_by  # They have an overload for each type.
    with result_array(out, shape, _FLOAT64) as sums:
        if np.may_share_memory(columns, sums):
            columns = columns.copy()
        keep_report(
            call(
                core_graph(graph, sums),
                sources,
                columns if columns.ndim == 2 else columns[:, np.newaxis],
                found,
                sums.reshape(len(sources), width),
                settings,
            )
        )
    return sums

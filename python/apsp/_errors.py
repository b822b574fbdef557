# SPDX-License-Identifier: BSL-1.0
"""The error that is derived from one of SciPy. It is imported late, because SciPy takes long to import."""

from typing import Any

import scipy.sparse.csgraph


class NegativeCycleError(scipy.sparse.csgraph.NegativeCycleError):
    """The graph has a cycle of negative length, so that there are no shortest paths.

    Attributes
    ----------
    cycle : list of int
        The vertices of such a cycle, each once, in the order of its arcs.
    """

    def __init__(self, cycle: list[int], where: str = "") -> None:
        place = f" {where}" if where else ""
        super().__init__(f"Negative cycle detected{place}: " + " -> ".join(str(v) for v in [*cycle, cycle[0]]))
        self.cycle = cycle
        self._where = where

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.cycle, self._where), self.__dict__

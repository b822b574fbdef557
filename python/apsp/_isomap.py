# SPDX-License-Identifier: BSL-1.0
"""Isomap of scikit-learn with the distances of this library."""

from __future__ import annotations

import importlib
import types
from typing import Any

from ._csgraph import shortest_path


def isomap_class() -> Any:
    """Return the class `apsp.Isomap`. It is not made before it is used, because scikit-learn is optional."""
    try:
        theirs: Any = importlib.import_module("sklearn.manifold._isomap")
    except ImportError as error:
        raise ImportError("apsp.Isomap needs scikit-learn") from error
    fit = theirs.Isomap._fit_transform
    if "shortest_path" not in fit.__code__.co_names:
        raise ImportError("apsp.Isomap does not know this version of scikit-learn")

    class Isomap(theirs.Isomap):  # type: ignore[misc]
        """`sklearn.manifold.Isomap`, with the same parameters and results, and the distances of `apsp.shortest_path`."""

        # scikit-learn has no parameter for the function, so this is its method with another function of that name.
        _fit_transform = types.FunctionType(
            fit.__code__,
            {**vars(theirs), "shortest_path": shortest_path},
            fit.__name__,
            fit.__defaults__,
            fit.__closure__,
        )

    # So that objects can be pickled.
    Isomap.__module__, Isomap.__qualname__ = "apsp", "Isomap"
    return Isomap

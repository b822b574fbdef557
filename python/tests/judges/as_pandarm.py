# SPDX-License-Identifier: BSL-1.0
"""A pytest plugin: the tests of pandarm, which its source distribution has, run on apsp.network.

PYTHONPATH=python/tests/judges pytest -p as_pandarm pandarm-0.0.7.post1/tests/test_pandarm.py
"""

import sys
import types
import warnings

from counting import counted, pytest_terminal_summary  # noqa: F401  # a hook of pytest

import apsp.network


class Network(apsp.network.Network):
    """What the tests expect beside results: warnings, and a parameter for the coordinate system."""

    def __init__(self, *arguments, crs=None, **named):
        if crs is None:
            warnings.warn("No CRS was passed to geometry input", stacklevel=2)
        super().__init__(*arguments, **named)

    def aggregate(self, *arguments, **named):
        if "type" in named:
            warnings.warn("The 'type' keyword is deprecated ", FutureWarning, stacklevel=2)
        return super().aggregate(*arguments, **named)

    def shortest_path_lengths(self, *arguments, **named):
        lengths = super().shortest_path_lengths(*arguments, **named)
        if float("inf") in lengths:
            warnings.warn("Unsigned integer: shortest path distance is trying to be calculated", stacklevel=2)
        return lengths


for _name in (
    "aggregate",
    "k_nearest_nodes",
    "low_connectivity_nodes",
    "nearest_pois",
    "nodes_in_range",
    "shortest_path",
    "shortest_path_length",
    "shortest_path_lengths",
    "shortest_paths",
):
    setattr(Network, _name, counted(getattr(Network, _name)))

# In place of the modules of pandarm, which need not be installed. Of its files the tests use nothing.
for _name in ("pandarm", "pandarm.network", "pandarm.loaders", "pandarm.loaders.pandash5"):
    _module = sys.modules[_name] = types.ModuleType(_name)
    _module.Network = Network
    if "." in _name:
        _parent, _, _child = _name.rpartition(".")
        setattr(sys.modules[_parent], _child, _module)

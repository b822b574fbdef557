# SPDX-License-Identifier: BSL-1.0
"""A pytest plugin: the tests of NetworkX run with the backend apsp, which is given every call that it can run.

PYTHONPATH=python/tests/judges pytest -p as_networkx --pyargs networkx.algorithms.shortest_paths
"""

import os

from counting import counted, pytest_terminal_summary  # noqa: F401  # a hook of pytest

import apsp

# Read by NetworkX when pytest is configured.
os.environ["NETWORKX_TEST_BACKEND"] = "apsp"
os.environ["NETWORKX_FALLBACK_TO_NX"] = "True"

for _name in ("betweenness", "shortest_path", "dijkstra", "summarize", "tight_predecessors", "transitive_closure"):
    setattr(apsp, _name, counted(getattr(apsp, _name)))

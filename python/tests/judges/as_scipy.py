# SPDX-License-Identifier: BSL-1.0
"""A pytest plugin: the tests of other packages call the functions of apsp instead of SciPy's.

PYTHONPATH=python/tests/judges pytest -p as_scipy --pyargs scipy.sparse.csgraph.tests.test_shortest_path
PYTHONPATH=python/tests/judges pytest -p as_scipy --pyargs sklearn.manifold.tests.test_isomap
"""

import scipy.sparse.csgraph
from counting import counted, pytest_terminal_summary  # noqa: F401  # a hook of pytest

import apsp

# Before the tests import the names.
for _name in ("shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall"):
    setattr(scipy.sparse.csgraph, _name, counted(getattr(apsp, _name)))

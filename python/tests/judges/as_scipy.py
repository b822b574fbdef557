# SPDX-License-Identifier: BSL-1.0
"""A pytest plugin: the tests of other packages call the functions of apsp instead of SciPy's.

PYTHONPATH=python/tests/judges pytest -p as_scipy --pyargs scipy.sparse.csgraph.tests.test_shortest_path
PYTHONPATH=python/tests/judges pytest -p as_scipy --pyargs sklearn.manifold.tests.test_isomap
"""

import functools

import scipy.sparse.csgraph

import apsp

NAMES = ("shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall")
calls = 0


def _counted(function):
    @functools.wraps(function)
    def call(*arguments, **named):
        global calls
        calls += 1
        return function(*arguments, **named)

    return call


# Before the tests import the names.
for _name in NAMES:
    setattr(scipy.sparse.csgraph, _name, _counted(getattr(apsp, _name)))


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"{calls} calls of apsp")

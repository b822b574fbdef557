# SPDX-License-Identifier: BSL-1.0
"""What is imported when, and what needs optional packages."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse.csgraph

import apsp


def test_scipy_is_imported_when_it_is_needed():
    program = """
import sys, numpy as np, apsp
apsp.floyd_warshall([[0, 1], [1, 0]])
apsp.summarize(np.ones((3, 3)))
assert not any(name.split(".")[0] in ("scipy", "sklearn", "tqdm") for name in sys.modules)
try:
    apsp.johnson([[0, -1], [-1, 0]])
except apsp.NegativeCycleError as error:
    print(error.cycle)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.strip()) == sorted("[0, 1]")


def test_names():
    for name in apsp.__all__:
        assert getattr(apsp, name) is getattr(apsp, name)
    assert {name for name in dir(apsp) if not name.startswith("__")} == set(apsp.__all__)
    assert issubclass(apsp.NegativeCycleError, scipy.sparse.csgraph.NegativeCycleError)
    with pytest.raises(AttributeError, match="nothing"):
        apsp.nothing  # noqa: B018


def test_isomap():
    manifold = pytest.importorskip("sklearn.manifold")
    base = pytest.importorskip("sklearn.base")
    points = np.random.default_rng(1).random((200, 3))
    for dtype in (np.float64, np.float32):
        ours = apsp.Isomap(n_neighbors=7, n_components=2).fit(points.astype(dtype))
        theirs = manifold.Isomap(n_neighbors=7, n_components=2).fit(points.astype(dtype))
        assert ours.dist_matrix_.dtype == theirs.dist_matrix_.dtype
        np.testing.assert_allclose(ours.dist_matrix_, theirs.dist_matrix_, rtol=1e-6)
    assert base.clone(ours).get_params() == theirs.get_params()
    again = pickle.loads(pickle.dumps(ours))
    assert isinstance(again, apsp.Isomap) and isinstance(again, manifold.Isomap)
    np.testing.assert_array_equal(again.embedding_, ours.embedding_)


def test_isomap_without_scikit_learn():
    program = """
import sys
sys.modules["sklearn"] = None
import apsp
try:
    apsp.Isomap
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "apsp.Isomap needs scikit-learn\n"

# SPDX-License-Identifier: BSL-1.0
"""Results in files, and bars."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csgraph
from test_csgraph import TYPES, as_floats, random_graph

import apsp


@pytest.mark.parametrize("dtype", TYPES)
def test_results_in_files(tmp_path, dtype):
    weights = random_graph(40, 0.1, seed=3)
    expected = csgraph.dijkstra(weights)
    for name in ("floyd_warshall", "dijkstra", "bellman_ford", "johnson", "shortest_path"):
        for path in (tmp_path / "distances.npy", str(tmp_path / "others.npy")):
            found = getattr(apsp, name)(weights, out=path, dtype=dtype)
            assert isinstance(found, np.memmap) and found.dtype == dtype
            np.testing.assert_array_equal(as_floats(found), expected)
            found.flush()
            np.testing.assert_array_equal(np.load(path), found)
    table = apsp.distance_table(weights, [1, 2], [3], out=tmp_path / "table.npy", dtype=dtype)
    np.testing.assert_array_equal(as_floats(table), expected[[1, 2]][:, [3]])


def test_other_results_in_files(tmp_path):
    weights = random_graph(40, 0.1, seed=5)
    closure = apsp.transitive_closure(weights, out=tmp_path / "closure.npy")
    assert closure.dtype == bool and np.load(tmp_path / "closure.npy").shape == (40, 40)
    apsp.batch([weights, weights], out=tmp_path / "batch.npy", dtype=np.int16)
    assert np.load(tmp_path / "batch.npy").shape == (2, 40, 40)
    made = apsp.mapped(tmp_path / "row.npy", 40, np.float32)
    assert apsp.dijkstra(weights, indices=3, dtype=np.float32, out=made) is made
    empty = apsp.floyd_warshall(np.empty((0, 0)), out=tmp_path / "empty.npy")
    assert empty.shape == (0, 0)
    for wrong in ("distances.txt", tmp_path / "npy"):
        with pytest.raises(ValueError, match=r"ends in \.npy"):
            apsp.dijkstra(weights, out=wrong)
    with pytest.raises(FileNotFoundError):
        apsp.dijkstra(weights, out=tmp_path / "missing" / "distances.npy")


@pytest.mark.parametrize("has_tqdm", [False, True])
def test_bars(has_tqdm):
    if has_tqdm:
        pytest.importorskip("tqdm")
    program = f"""
import sys
if not {has_tqdm}: sys.modules["tqdm"] = None
import numpy as np, apsp
graph = np.random.default_rng(1).random((300, 300))
apsp.floyd_warshall(graph, progress=True)
apsp.summarize(graph, progress=False)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"" and done.stderr.count(b"\n") == 1
    last = done.stderr.decode().rstrip("\n").split("\r")[-1]
    assert last.startswith("apsp: ") and ("300/300" if has_tqdm else "300 of 300") in last

# SPDX-License-Identifier: BSL-1.0
"""Files of results: what was there is as it was unless a call succeeds; and results that share memory with the graph."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph
from test_csgraph import random_graph

import apsp

OLD = np.arange(9.0).reshape(3, 3)
GRAPH = np.array([[0, 1.0, 5], [0, 0, 2], [1, 0, 0]])


def csr_with(part, place, value):
    csr = scipy.sparse.csr_array(GRAPH)
    getattr(csr, part)[place] = value
    return csr


def stop(done, total):
    raise RuntimeError("expected to stop")


FAILING_CALLS = {
    "policy": lambda out: apsp.shortest_path(GRAPH, policy="typo", out=out),
    "indices": lambda out: apsp.shortest_path(GRAPH, indices=9, out=out),
    "limit": lambda out: apsp.dijkstra(GRAPH, limit=-1, out=out),
    "targets": lambda out: apsp.dijkstra(GRAPH, targets=[9], out=out),
    "nearest": lambda out: apsp.dijkstra(csr_with("indices", 0, 7), min_only=True, indices=[1], out=out),
    "minus infinity": lambda out: apsp.johnson(csr_with("data", 0, -np.inf), out=out),
    "target": lambda out: apsp.johnson(csr_with("indices", 0, 7), out=out),
    "negative target": lambda out: apsp.floyd_warshall(csr_with("indices", 0, -1), out=out),
    "semiring": lambda out: apsp.shortest_path(GRAPH, semiring="max_times", out=out),
    "device": lambda out: apsp.johnson(GRAPH, policy=apsp.cuda_tiled(required=True, device=99), out=out),
    "progress": lambda out: apsp.johnson(GRAPH, progress=3, out=out),
    "callback": lambda out: apsp.floyd_warshall(GRAPH, progress=stop, out=out),
    "cycle": lambda out: apsp.johnson(-GRAPH, out=out),
    "table": lambda out: apsp.distance_table(csr_with("indices", 0, 7), [0], [1], out=out),
    "table, policy": lambda out: apsp.distance_table(GRAPH, [0], [1], policy="typo", out=out),
    "batch, fill": lambda out: apsp.batch([GRAPH], fill=np.nan, out=out),
    "batch": lambda out: apsp.batch([GRAPH, csr_with("indices", 0, 7)], out=out),
    "batch, weights": lambda out: apsp.batch([np.array([[0, 300], [0, 0]])], dtype=np.uint8, out=out),
    "closure": lambda out: apsp.transitive_closure(csr_with("indices", 0, 7), out=out),
    "closure, policy": lambda out: apsp.transitive_closure(GRAPH, policy="typo", out=out),
}


@pytest.mark.parametrize("name", FAILING_CALLS)
def test_a_call_that_fails_leaves_the_file(tmp_path, name):
    path = tmp_path / "kept.npy"
    for is_there in (False, True):
        if is_there:
            np.save(path, OLD)
        with pytest.raises((ValueError, TypeError, RuntimeError, apsp.NegativeCycleError)):
            FAILING_CALLS[name](path)
        # Nothing else is left.
        assert os.listdir(tmp_path) == (["kept.npy"] if is_there else [])
    np.testing.assert_array_equal(np.load(path), OLD)


def test_arrays_stay_valid_when_their_file_is_replaced(tmp_path):
    path = tmp_path / "distances.npy"
    weights = random_graph(600, 0.1, seed=2)
    large = apsp.floyd_warshall(weights, out=path)
    expected = np.array(large)
    small = apsp.floyd_warshall(GRAPH, out=path)
    made = apsp.mapped(path, 5)
    np.testing.assert_array_equal(large, expected)
    np.testing.assert_array_equal(small, csgraph.floyd_warshall(GRAPH))
    assert made.shape == (5,) and made.filename == str(path) == large.filename
    # The graph may be in the file that is replaced.
    np.save(path, weights)
    found = apsp.floyd_warshall(np.load(path, mmap_mode="r"), out=path)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.load(path), expected)


def test_names_and_permissions_are_kept(tmp_path):
    path, link = tmp_path / "distances.npy", tmp_path / "link.npy"
    np.save(path, OLD)
    path.chmod(0o640)
    link.symlink_to(path.name)
    apsp.floyd_warshall(GRAPH, out=link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    np.testing.assert_array_equal(np.load(path), csgraph.floyd_warshall(GRAPH))
    dangling = tmp_path / "dangling.npy"
    dangling.symlink_to("new.npy")
    apsp.floyd_warshall(GRAPH, out=dangling)
    assert dangling.is_symlink() and (tmp_path / "new.npy").is_file()
    with pytest.raises(IsADirectoryError):
        (tmp_path / "folder.npy").mkdir()
        apsp.floyd_warshall(GRAPH, out=tmp_path / "folder.npy")
    if os.geteuid() != 0:
        path.chmod(0o440)
        with pytest.raises(PermissionError):
            apsp.floyd_warshall(GRAPH, out=path)


def run_in(folder, program):
    return subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=120)


def test_a_process_that_is_killed_leaves_the_file(tmp_path):
    if not hasattr(os, "O_TMPFILE"):
        pytest.skip("no files without names")
    np.save(tmp_path / "kept.npy", OLD)
    done = run_in(
        tmp_path,
        """
import os, signal, numpy as np, apsp
apsp.floyd_warshall(np.ones((500, 500)), out="kept.npy", progress=lambda *_: os.kill(os.getpid(), signal.SIGKILL))
""",
    )
    assert done.returncode == -signal.SIGKILL
    np.testing.assert_array_equal(np.load(tmp_path / "kept.npy"), OLD)
    assert os.listdir(tmp_path) == ["kept.npy"]


WITHOUT_ROOM = """
import os, numpy as np, apsp
free = os.statvfs(".").f_bfree
for call in (lambda: apsp.floyd_warshall(np.ones((500, 500)), out="kept.npy"), lambda: apsp.mapped("kept.npy", 250000)):
    try:
        call()
    except OSError as error:
        assert "expected room for 2000128 bytes" in str(error) and "kept.npy" in str(error), error
    else:
        raise AssertionError("no error")
    assert os.listdir(".") == ["kept.npy"] and os.path.getsize("kept.npy") == 200
if {is_alone}:
    assert os.statvfs(".").f_bfree == free
apsp.floyd_warshall(np.ones((3, 3)), out="kept.npy")
"""


def test_a_limit_for_the_size_of_files(tmp_path):
    np.save(tmp_path / "kept.npy", OLD)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000000, 1000000))"
    done = run_in(tmp_path, limit + WITHOUT_ROOM.format(is_alone=False))
    assert done.returncode == 0, done.stderr


def test_a_full_disk(tmp_path):
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("a file system cannot be mounted")
    try:
        np.save(tmp_path / "kept.npy", OLD)
        done = run_in(tmp_path, WITHOUT_ROOM.format(is_alone=True))
        assert done.returncode == 0, done.stderr
    finally:
        subprocess.run(["umount", tmp_path], check=True)


CALLS_WITH_OUT = {
    "shortest_path": (lambda g, out: apsp.shortest_path(g, out=out), csgraph.shortest_path),
    "floyd_warshall": (lambda g, out: apsp.floyd_warshall(g, out=out), csgraph.floyd_warshall),
    "dijkstra": (lambda g, out: apsp.dijkstra(g, out=out), csgraph.dijkstra),
    "bellman_ford": (lambda g, out: apsp.bellman_ford(g, out=out), csgraph.bellman_ford),
    "johnson": (lambda g, out: apsp.johnson(g, out=out), csgraph.johnson),
    "omp": (lambda g, out: apsp.floyd_warshall(g, out=out, policy=apsp.omp(threads=2)), csgraph.floyd_warshall),
    "undirected": (
        lambda g, out: apsp.dijkstra(g, directed=False, out=out),
        lambda g: csgraph.dijkstra(g, directed=False),
    ),
    "table": (
        lambda g, out: apsp.distance_table(g, np.arange(g.shape[0]), np.arange(g.shape[0]), out=out),
        csgraph.dijkstra,
    ),
    "nearest": (
        lambda g, out: np.array([apsp.dijkstra(g, indices=[3], min_only=True, out=out[0])]),
        lambda g: csgraph.dijkstra(g, indices=[3]),
    ),
    "batch": (lambda g, out: apsp.batch([g], out=out[None])[0], csgraph.dijkstra),
    "semiring": (
        lambda g, out: apsp.shortest_path(g, semiring="min_max", out=out),
        lambda g: apsp.shortest_path(g, semiring="min_max"),
    ),
}


@pytest.mark.parametrize("name", CALLS_WITH_OUT)
@pytest.mark.parametrize("shared", ["data", "indices", "indptr", "dense"])
def test_results_that_share_memory_with_the_graph(name, shared):
    n = 60
    weights = random_graph(n, 0.2, seed=17)
    call, oracle = CALLS_WITH_OUT[name]
    expected = oracle(weights)
    memory = np.zeros(n * n)
    if shared == "dense":
        graph = memory.reshape(n, n)
        graph[:] = weights
    else:
        graph = scipy.sparse.csr_array(weights)
        part = getattr(graph, shared)
        # At another place than the first, so that rows are overwritten that are still to be read.
        view = memory[5:].view(part.dtype)[: len(part)]
        view[:] = part
        setattr(graph, shared, view)
        assert np.may_share_memory(getattr(graph, shared), memory)
    found = call(graph, memory.reshape(n, n))
    assert np.may_share_memory(found, memory) or name == "nearest"
    np.testing.assert_allclose(found, expected)


def test_a_closure_that_shares_memory_with_the_graph():
    n = 200
    weights = random_graph(n, 0.01, seed=18)
    graph = scipy.sparse.csr_array(weights)
    expected = np.isfinite(csgraph.dijkstra(graph))
    memory = np.zeros(n * n, np.uint8)
    view = memory[64:].view(graph.indices.dtype)[: graph.nnz]
    view[:] = graph.indices
    graph.indices = view
    found = apsp.transitive_closure(graph, out=memory.view(np.bool_).reshape(n, n))
    np.testing.assert_array_equal(found, expected)

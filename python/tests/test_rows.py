# SPDX-License-Identifier: BSL-1.0
"""The iterator of rows, against SciPy's distances."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph
from test_csgraph import POLICIES, TYPES, as_floats, layouts, random_graph

import apsp


def large_graph(n=20000):
    random = np.random.default_rng(1)
    arcs = random.integers(0, n, (2, 5 * n))
    return scipy.sparse.csr_array((random.integers(1, 9, 5 * n).astype(float), arcs), shape=(n, n))


@pytest.mark.parametrize("n, density", [(0, 1), (1, 1), (7, 0.3), (50, 0.08), (50, 0.7)])
def test_rows_of_all_layouts(n, density):
    weights = random_graph(n, density, seed=n)
    for directed in (True, False):
        expected = csgraph.dijkstra(weights, directed=directed) if n else np.empty((0, 0))
        for graph in layouts(weights):
            if n == 0 and isinstance(graph, list):
                continue
            found = dict(apsp.for_each_row(graph, directed))
            assert sorted(found) == list(range(n))
            for source, row in found.items():
                np.testing.assert_array_equal(row, expected[source])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
@pytest.mark.parametrize("num_ahead", [1, 100])
def test_types_and_policies(policy, dtype, num_ahead):
    weights = random_graph(60, 0.08, seed=3)
    expected = csgraph.dijkstra(weights, limit=90)
    indices = [5, 3, 3, -1]
    rows = apsp.for_each_row(weights, indices=indices, limit=90, policy=policy, dtype=dtype, num_ahead=num_ahead)
    found = list(rows)
    assert sorted(source for source, _ in found) == [3, 3, 5, 59]
    for source, row in found:
        assert row.dtype == dtype and row.flags.writeable
        np.testing.assert_array_equal(as_floats(row), expected[source])
    assert apsp.last_result().executed_on in {"seq", "omp", "cuda_tiled"}


def num_threads():
    """Those of C++, too, where the system tells."""
    tasks = pathlib.Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else threading.active_count()


def test_iterators_that_end_early():
    graph = large_graph()
    list(apsp.for_each_row(graph, indices=[0, 1], policy=apsp.omp(threads=2)))  # starts the threads of OpenMP
    before = num_threads()
    begin = time.monotonic()
    for policy in (apsp.seq, apsp.omp(threads=2)):
        with apsp.for_each_row(graph, policy=policy, num_ahead=2) as rows:
            source, row = next(rows)
            np.testing.assert_array_equal(row, apsp.dijkstra(graph, indices=source))
        assert list(rows) == []
        rows.close()
        for _, row in apsp.for_each_row(graph, policy=policy):
            assert row.shape == (20000,)
            break
        dropped = apsp.for_each_row(graph, policy=policy)
        del dropped
    gc.collect()
    assert time.monotonic() - begin < 30
    # The threads of OpenMP end with the thread that has started them, which may take a moment.
    for _ in range(100):
        if num_threads() <= before:
            break
        time.sleep(0.05)
    assert num_threads() <= before


def test_several_at_once():
    graph = large_graph(2000)
    expected = csgraph.dijkstra(graph)
    count = 0
    for first, second in zip(apsp.for_each_row(graph), apsp.for_each_row(graph, policy=apsp.seq, num_ahead=1)):
        for source, row in (first, second):
            np.testing.assert_array_equal(row, expected[source])
        count += 1
    assert count == 2000


@pytest.mark.parametrize("policy", [apsp.seq, apsp.omp(threads=2)], ids=lambda p: p.name)
def test_an_iterator_that_its_progress_closes(policy):
    held = []
    closed = threading.Event()

    def close(done, total):
        if held:
            held.pop().close()
            closed.set()

    rows = apsp.for_each_row(large_graph(2000), policy=policy, num_ahead=2000, progress=close)
    watch = weakref.ref(rows)
    held.append(rows)
    del rows
    assert closed.wait(30)
    gc.collect()
    assert watch() is None


def test_exceptions():
    with pytest.raises(apsp.NegativeCycleError) as raised:
        next(apsp.for_each_row([[0, -1], [-1, 0]]))
    assert sorted(raised.value.cycle) == [0, 1]
    graph = random_graph(20, 0.3, seed=5)

    def fail(done, total):
        raise KeyError("not today")

    rows = apsp.for_each_row(graph, progress=fail)
    with pytest.raises(KeyError, match="not today"):
        list(rows)
    assert list(rows) == []
    with pytest.raises(ValueError, match="num_ahead of 1 or more"):
        apsp.for_each_row(graph, num_ahead=0)
    with pytest.raises(ValueError, match="out of range"):
        apsp.for_each_row(graph, indices=20)


def test_an_interrupt_ends_the_loop_and_the_process_ends_with_an_iterator():
    # Python leaves a signal ignored that was ignored when it began, as in the background of a script.
    program = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np, scipy.sparse, apsp
n = 50000
random = np.random.default_rng(1)
graph = scipy.sparse.csr_array((np.ones(5 * n), random.integers(0, n, (2, 5 * n))), shape=(n, n))
rows = apsp.for_each_row(graph, policy=apsp.seq)
try:
    for source, row in rows:
        print("row", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
left = apsp.for_each_row(graph, policy=apsp.seq)
next(left)
reporting = apsp.for_each_row(graph, progress=lambda done, total: None)
next(reporting)
class Cycle: pass
cycle = Cycle()
cycle.itself, cycle.rows = cycle, apsp.for_each_row(graph)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout.readline() == "row\n"
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        while process.stdout.readline() != "interrupted\n":
            assert time.monotonic() - begin < 10
        assert process.wait(60) == 0


def test_iterators_that_their_progress_refers_to_are_collected():
    class Job:
        def __init__(self):
            self.rows = apsp.for_each_row(np.ones((40, 40)), num_ahead=2, progress=self.report)
            self.reports = 0

        def report(self, done, total):
            self.reports += 1

    before = num_threads()
    jobs = [weakref.ref(Job()) for _ in range(20)]
    gc.collect()
    assert all(job() is None for job in jobs)
    for _ in range(100):
        if num_threads() <= before:
            break
        time.sleep(0.05)
    assert num_threads() <= before
    job = Job()
    assert len(list(job.rows)) == 40
    assert job.reports > 0


def test_the_next_row_in_its_own_progress_is_an_error():
    is_ready = threading.Event()
    errors = []

    def progress(done, total):
        is_ready.wait(30)
        try:
            next(rows)
        except RuntimeError as error:
            errors.append(str(error))

    graph = random_graph(60, 0.1, seed=7)
    rows = apsp.for_each_row(graph, progress=progress)
    is_ready.set()
    found = dict(rows)
    assert len(found) == 60
    assert errors and all("outside of progress" in error for error in errors)

    def fail(done, total):
        is_ready.wait(30)
        next(rows)

    is_ready.clear()
    rows = apsp.for_each_row(graph, progress=fail)
    is_ready.set()
    with pytest.raises(RuntimeError, match="outside of progress"):
        list(rows)


FORKED = """
import os, sys, threading, time
import numpy as np, scipy.sparse, apsp
random = np.random.default_rng(1)
n = 3000
graph = scipy.sparse.csr_array((random.random(8 * n), random.integers(0, n, (2, 8 * n))), shape=(n, n))
rows = apsp.for_each_row(graph, num_ahead=2)
next(rows)
begun = threading.Event()
stop = threading.Event()
def solve():
    def watch(done, total):
        begun.set()
        stop.wait(60)
    apsp.johnson(graph, policy="seq", progress=watch)
thread = threading.Thread(target=solve)
thread.start()
assert begun.wait(60)
def in_child(f):
    child = os.fork()
    if child == 0:
        f()
        sys.exit(0)
    for _ in range(600):
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return "it did not end"
def step():
    for _ in range(2):
        try:
            next(rows)
        except RuntimeError as error:
            assert "call for_each_row in the child" in str(error), error
        else:
            os._exit(5)
def drop():
    global rows
    del rows
def close():
    rows.close()
    assert list(rows) == []
def call():
    few = graph[:50, :50]
    found = dict(apsp.for_each_row(few, policy=apsp.omp(threads=2)))
    np.testing.assert_array_equal([found[i] for i in range(50)], apsp.dijkstra(few, policy="seq"))
    assert in_child(lambda: None) == 0
print([in_child(f) for f in (lambda: None, step, drop, close, call)])
stop.set()
thread.join()
assert len(list(rows)) == n - 1  # The parent goes on.
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_children_of_fork_do_not_wait_for_calls_of_their_parent():
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[0, 0, 0, 0, 0]\n", done.stderr

# SPDX-License-Identifier: BSL-1.0
"""Times of policies with arrays in host memory, from which `auto` chooses: the fastest of several, in milliseconds.

python python/bench/policies.py
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

import apsp
from apsp._call import seconds_of
from apsp._graph import graph_of

POLICIES = (apsp.seq, apsp.omp, apsp.cuda_tiled(required=True))
LONGEST_CALL_ON_ONE_THREAD = 1


def milliseconds(call: Callable[[], Any]) -> float:
    times: list[float] = []
    while len(times) < 5 and sum(times) < 4:
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return 1e3 * min(times)


def compare(what: str, function: Callable[..., Any], graph: Any, method: str) -> None:
    seen = graph_of(graph, True, False, np.dtype(np.float64))
    seconds = seconds_of(method, seen, seen.num_vertices)
    line = f"{what}, n = {seen.num_vertices}: predicted {1e3 * seconds:.1f}"
    for policy in POLICIES:
        if policy.name == "seq" and seconds > LONGEST_CALL_ON_ONE_THREAD:
            continue
        line += f", {policy.name} {milliseconds(lambda policy=policy: function(graph, policy=policy)):.1f}"
    print(line)


def main() -> None:
    begin = time.perf_counter()
    apsp.floyd_warshall(np.ones((2, 2)), policy=POLICIES[-1])
    print(f"first call on a device: {1e3 * (time.perf_counter() - begin):.0f}")
    random = np.random.default_rng(1)
    for n in (200, 400, 700, 1000, 2000, 5000):
        compare("floyd_warshall", apsp.floyd_warshall, random.random((n, n)) + 0.1, "floyd_warshall")
    for n in (500, 1000, 2000, 5000, 10000, 20000):
        ends = random.integers(0, n, (2, 4 * n))
        graph = scipy.sparse.csr_array((random.random(4 * n) + 0.1, tuple(ends)), (n, n))
        compare("shortest_path", apsp.shortest_path, graph, "auto")


if __name__ == "__main__":
    main()

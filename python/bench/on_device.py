# SPDX-License-Identifier: BSL-1.0
"""Times of calls whose graph and results are in device memory, in milliseconds: the fastest of several.

    python python/bench/on_device.py [--n 16384]

Arrays of PyTorch. The C++ call alone has the same arrays without what Python does before it: a pass that finds the
entries that are no arcs, and their exchange.
"""

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import torch

import apsp
from apsp import _core
from apsp._call import settings_for


def milliseconds(call: Callable[[], Any], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        call()
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - begin))
    return min(times)


def compare(n: int, repeat: int) -> None:
    generator = torch.Generator("cuda").manual_seed(n)
    given = torch.rand((n, n), generator=generator, device="cuda", dtype=torch.float32) + 0.25
    out = torch.empty_like(given)
    settings = settings_for(apsp.cuda_tiled(device=0), 1, method="floyd_warshall", limit=math.inf, progress=None)
    solve: Any = _core.solve_on_device

    def call_alone() -> None:
        solve(given.__dlpack__(stream=1), None, out.__dlpack__(stream=1), None, settings, False)

    into = milliseconds(lambda: apsp.floyd_warshall(given, out=out), repeat)
    new = milliseconds(lambda: apsp.floyd_warshall(given), repeat)
    alone = milliseconds(call_alone, repeat)
    print(
        f"n = {n}: into an array {into:.2f}, a new array {new:.2f}, the C++ call alone {alone:.2f}; "
        f"into / C++ {into / alone:.4f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, nargs="+", default=[4096, 16384])
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    print(torch.cuda.get_device_name(), "apsp", apsp.__version__)
    for n in options.n:
        compare(n, options.repeat)


if __name__ == "__main__":
    main()

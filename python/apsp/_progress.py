# SPDX-License-Identifier: BSL-1.0
"""How far a call is, on the terminal or in a notebook."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

Progress = Callable[[int, int], None]


def as_callback(progress: Progress | bool | None) -> Progress | None:
    """Return the function that a call reports to; for True one that shows a bar of tqdm, or plain text without it."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        if not callable(progress):
            raise TypeError(f"expected a function, True or None as progress, got {progress!r}")
        return progress
    try:
        tqdm = importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return _Text()
    return _Bar(tqdm)


class _Bar:
    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=total, desc="apsp")
        self._bar.update(done - self._bar.n)
        if done >= total:
            self._bar.close()


class _Text:
    """At most one message per second, and one at the end."""

    def __init__(self) -> None:
        self._next = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done < total and now < self._next:
            return
        self._next = now + 1
        end = "\n" if done >= total else ""
        print(f"\rapsp: {done} of {total}", end=end, file=sys.stderr, flush=True)

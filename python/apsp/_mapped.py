# SPDX-License-Identifier: BSL-1.0
"""Results in files, which may be larger than the memory."""

from __future__ import annotations

import operator
import os
from typing import Any

import numpy as np
from numpy.typing import DTypeLike


def mapped(
    path: str | os.PathLike[str], shape: int | tuple[int, ...], dtype: DTypeLike = np.float64
) -> np.memmap[Any, np.dtype[Any]]:
    """Create a .npy file, or replace one, and return its array, for example as `out` of a call.

    The system reads and writes the pages of the file as they are used, so that results may be larger than the memory.
    Room for all entries is reserved on the disk if the system can.

    Parameters
    ----------
    path : str or path
        Of the file; it must end in .npy. `numpy.load(path, mmap_mode="r")` reads it.
    shape : int or tuple of int
        The shape of the array.
    dtype : data type
        Of its entries.

    Examples
    --------
    >>> import apsp, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     distances = apsp.mapped(pathlib.Path(folder) / "distances.npy", (3, 3))
    ...     apsp.floyd_warshall([[0, 1, 5], [0, 0, 2], [1, 0, 0]], out=distances)
    memmap([[0., 1., 3.],
            [3., 0., 2.],
            [1., 2., 0.]])
    """
    name = os.fsdecode(path)
    if not name.endswith(".npy"):
        raise ValueError(f"expected a path that ends in .npy, got {name!r}")
    array: np.memmap[Any, np.dtype[Any]] = np.lib.format.open_memmap(
        name, mode="w+", dtype=np.dtype(dtype), shape=tuple(shape) if np.iterable(shape) else (operator.index(shape),)
    )
    if hasattr(os, "posix_fallocate"):
        # If the disk is full, a write to memory would end the process.
        with open(name, "r+b") as file:
            os.posix_fallocate(file.fileno(), 0, os.fstat(file.fileno()).st_size)
    return array

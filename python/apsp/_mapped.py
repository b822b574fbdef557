# SPDX-License-Identifier: BSL-1.0
"""Results in files, which may be larger than the memory."""

from __future__ import annotations

import contextlib
import errno
import math
import operator
import os
import secrets
import stat
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike


def mapped(
    path: str | os.PathLike[str], shape: int | tuple[int, ...], dtype: DTypeLike = np.float64
) -> np.memmap[Any, np.dtype[Any]]:
    """Create a .npy file, or put a new one in place of another, and return its array, for example as `out` of a call.

    The system reads and writes the pages of the file as they are used, so that results may be larger than the memory.
    Room for all entries is reserved on the disk. If there is too little, the old file is as it was. Arrays that are
    mapped to the old file keep its entries.

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
    with new_mapped(path, tuple(shape) if np.iterable(shape) else (operator.index(shape),), dtype) as array:
        return array


@contextlib.contextmanager
def new_mapped(
    path: str | os.PathLike[str], shape: tuple[int, ...], dtype: DTypeLike
) -> Iterator[np.memmap[Any, np.dtype[Any]]]:
    """Yield the array of a new file, which is put in place when the block ends without an exception.

    Otherwise what was there is as it was.
    """
    name = os.fsdecode(path)
    if not name.endswith(".npy"):
        raise ValueError(f"expected a path that ends in .npy, got {name!r}")
    kind = np.dtype(dtype)
    if kind.hasobject or min(shape, default=0) < 0:
        raise ValueError(f"expected a shape of 0 or more and a dtype without objects, got {shape} and {kind}")
    target = os.path.realpath(name)
    old = _replaced(target)
    number, own_name = _created(target, 0o666 if old is None else old.st_mode & 0o777)
    try:
        with os.fdopen(number, "w+b", buffering=0) as file:
            if old is not None:
                # Others than the owner may not be allowed to set these, nor may file systems have them.
                with contextlib.suppress(OSError):
                    os.chown(number, old.st_uid, old.st_gid)
                with contextlib.suppress(OSError):
                    os.chmod(number, old.st_mode & 0o777)
            header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(file, header)
            begin = file.tell()
            _reserve(number, begin + kind.itemsize * math.prod(shape), target)
            array: np.memmap[Any, np.dtype[Any]] = np.memmap(file, kind, "r+", begin, shape)
            yield array
            if old is not None:
                # The old entries are on the disk until all of the new ones are.
                array.flush()
                os.fsync(number)
            if own_name is None:
                own_name = _named(number, target)
            os.replace(own_name, target)
            own_name = None
            setattr(array, "filename", target)  # noqa: B010  # It had none before, and types do not know it.
    finally:
        if own_name is not None:
            with contextlib.suppress(OSError):
                os.unlink(own_name)


def _replaced(target: str) -> os.stat_result | None:
    """Return what the system knows of the file that will be replaced; None if there is none."""
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(old.st_mode):
        number = errno.EISDIR if stat.S_ISDIR(old.st_mode) else errno.ENODEV
        raise OSError(number, os.strerror(number), target)
    if not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    return old


def _name_beside(target: str) -> str:
    return os.path.join(os.path.dirname(target), f".apsp-{secrets.token_hex(8)}")


def _created(target: str, permissions: int) -> tuple[int, str | None]:
    """Return the descriptor of a new file in the directory of the target, and its name; None if it has none yet."""
    if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
        # Nothing of it remains if the process is killed. Not all file systems have such files.
        with contextlib.suppress(OSError):
            return os.open(os.path.dirname(target), os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, permissions), None
    own_name = _name_beside(target)
    try:
        return os.open(own_name, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, permissions), own_name
    except OSError as error:
        raise OSError(error.errno, error.strerror, target) from None


def _named(number: int, target: str) -> str:
    """Give a file without a name one in the directory of the target, and return it."""
    own_name = _name_beside(target)
    # Without a directory, links are not followed.
    descriptors = os.open("/proc/self/fd", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.link(str(number), own_name, src_dir_fd=descriptors, follow_symlinks=True)
    finally:
        os.close(descriptors)
    return own_name


def _reserve(number: int, size: int, target: str) -> None:
    """Take room on the disk: without it, a write to memory would end the process."""
    try:
        disk = os.fstatvfs(number)
        if 0 < disk.f_blocks and disk.f_bfree < size // max(disk.f_frsize, 1):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        try:
            os.posix_fallocate(number, 0, size)
        except (AttributeError, OSError) as error:
            if isinstance(error, OSError) and error.errno not in (errno.EOPNOTSUPP, errno.ENOSYS):
                raise
            zeros = bytes(1 << 20)
            at = os.fstat(number).st_size
            while at < size:
                at += os.pwrite(number, zeros[: size - at], at)
    except OSError as error:
        what = f"{error.strerror}; expected room for {size} bytes"
        raise OSError(error.errno, what, target) from None

# SPDX-License-Identifier: BSL-1.0
"""Where a call runs."""

from __future__ import annotations

import operator
import os
from dataclasses import dataclass, replace
from typing import Any


def whole_number(value: Any, name: str, least: int, greatest: int = 2**63 - 1) -> int:
    """Return the argument of that name, which must be an integer in that range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"expected a whole number as {name}, got {value!r}") from None
    if number < least:
        raise ValueError(f"expected {name} of {least} or more, got {number}")
    if number > greatest:
        raise ValueError(f"expected {name} of {greatest} or less, got {number}")
    return number


@dataclass(frozen=True)
class Policy:
    """Where a call runs. Calling a policy returns a copy with other settings.

    Attributes
    ----------
    name : str
        'auto', 'seq' (one thread), 'omp' (threads) or 'cuda_tiled' (a CUDA device). 'auto' is 'seq' for small
        problems; for others 'omp', or 'cuda_tiled' if there is a device and the call takes long enough.
    threads : int
        Of 'omp'; 0 for as many as OpenMP has.
    device : int
        The number of the device; -1 for the current one.
    required : bool
        Raise `DeviceError` instead of falling back to 'omp' if the device cannot be used.
    memory_limit : int
        Bytes of device memory that a call may use; 0 for what is free.
    stream : int, optional
        The handle of a CUDA stream. By default the current stream of the library whose arrays are on a device, and
        the default stream for arrays in host memory.

    Examples
    --------
    >>> import apsp
    >>> apsp.omp(threads=8)
    Policy(name='omp', threads=8, device=-1, required=False, memory_limit=0, stream=None)
    """

    name: str
    threads: int = 0
    device: int = -1
    required: bool = False
    memory_limit: int = 0
    stream: int | None = None

    def __post_init__(self) -> None:
        for name, least, greatest in (
            ("threads", 0, 2**31 - 1),
            ("device", -1, 2**31 - 1),
            ("memory_limit", 0, 2**64 - 1),
            ("stream", 0, 2**64 - 1),
        ):
            value = getattr(self, name)
            if value is not None or name != "stream":
                whole_number(value, f"{name} of a policy", least, greatest)

    def __call__(self, **settings: Any) -> Policy:
        """Return a copy with these settings."""
        if "name" in settings:
            raise TypeError("expected settings of a policy, got another name")
        return replace(self, **settings)


auto = Policy("auto")
seq = Policy("seq")
omp = Policy("omp")
cuda_tiled = Policy("cuda_tiled")

# Seconds that a call takes on one thread. In shorter calls threads take longer to start than they save, and much longer
# if other work has the cores.
_SHORTEST_CALL_OF_THREADS = 0.02
# In shorter calls the copies to a device and back take longer than they save.
_SHORTEST_CALL_OF_DEVICE = 0.02
# The driver takes 0.25 s to start, which other threads of the host could use.
_SHORTEST_CALL_THAT_STARTS_DEVICE = 0.5

_has_device: bool | None = None  # unknown before the first call that is worth it


def _device_answers() -> bool:
    global _has_device
    if _has_device is None:
        from . import _core

        _has_device = _core.has_device()
    return _has_device


def _num_threads() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def as_policy(policy: Policy | str) -> Policy:
    """Return the policy, or the one of that name."""
    if isinstance(policy, Policy):
        return policy
    for known in (auto, seq, omp, cuda_tiled):
        if policy == known.name:
            return known
    raise ValueError(f"expected a policy: auto, seq, omp or cuda_tiled; got {policy!r}")


def chosen(policy: Policy, seconds: float, *, may_use_device: bool = False) -> Policy:
    """Return `policy`, or for 'auto' the one for a call that takes so long on one thread."""
    if policy.name != "auto":
        return policy
    if seconds < _SHORTEST_CALL_OF_THREADS:
        return replace(policy, name="seq")
    shortest = _SHORTEST_CALL_OF_DEVICE if _has_device else _SHORTEST_CALL_THAT_STARTS_DEVICE * _num_threads()
    is_worth_it = may_use_device and _has_device is not False and seconds > shortest
    return replace(policy, name="cuda_tiled" if is_worth_it and _device_answers() else "omp")

# SPDX-License-Identifier: BSL-1.0
"""Where a call runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Policy:
    """Where a call runs. Calling a policy returns a copy with other settings.

    Attributes
    ----------
    name : str
        'auto', 'seq' (one thread), 'omp' (threads) or 'cuda_tiled' (a CUDA device). 'auto' is 'seq' for small
        problems and 'omp' for others.
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

    def __call__(self, **settings: Any) -> Policy:
        """Return a copy with these settings."""
        if "name" in settings:
            raise TypeError("expected settings of a policy, got another name")
        return replace(self, **settings)


auto = Policy("auto")
seq = Policy("seq")
omp = Policy("omp")
cuda_tiled = Policy("cuda_tiled")

# In shorter calls threads take longer to start than they save, and much longer if other work has the cores.
_SHORTEST_CALL_OF_THREADS = 0.003


def as_policy(policy: Policy | str) -> Policy:
    """Return the policy, or the one of that name."""
    if isinstance(policy, Policy):
        return policy
    for known in (auto, seq, omp, cuda_tiled):
        if policy == known.name:
            return known
    raise ValueError(f"expected a policy: auto, seq, omp or cuda_tiled; got {policy!r}")


def chosen(policy: Policy, seconds: float) -> Policy:
    """Return `policy`, or for 'auto' the one for a call that takes so long on one thread."""
    if policy.name != "auto":
        return policy
    return replace(policy, name="seq" if seconds < _SHORTEST_CALL_OF_THREADS else "omp")

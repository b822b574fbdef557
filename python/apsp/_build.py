# SPDX-License-Identifier: BSL-1.0
"""How the package was built."""

from __future__ import annotations

from typing import Any

from . import _core


def build_info() -> dict[str, Any]:
    """Return how the package was built.

    Returns
    -------
    info : dict
        'cuda_kernels' is whether this build has the CUDA kernels. Without them all calls run on the host.
    """
    return {"cuda_kernels": _core.has_kernels}

# SPDX-License-Identifier: BSL-1.0
"""The build backend: that of scikit-build-core, with the sources of the C++ library in the source distribution.

The package lies in a folder of the library's repository, so that a source distribution of the folder alone could not be
built. The sources are copied to `library`, from which CMakeLists.txt takes them if that exists.
"""

import pathlib
import shutil

from scikit_build_core import build as _backend
from scikit_build_core.build import *  # noqa: F403  # the hooks of PEP 517 and 660

_HERE = pathlib.Path(__file__).resolve().parent.parent
_COPY = _HERE / "library"
_PARTS = ("CMakeLists.txt", "LICENSE", "adaptors", "apsp", "cmake", "detail")


def build_sdist(sdist_directory, config_settings=None):
    if _COPY.exists():
        # This is a source distribution already.
        return _backend.build_sdist(sdist_directory, config_settings)
    try:
        _COPY.mkdir()
        for part in _PARTS:
            original = _HERE.parent / part
            copy = shutil.copytree if original.is_dir() else shutil.copy2
            copy(original, _COPY / part)
        return _backend.build_sdist(sdist_directory, config_settings)
    finally:
        shutil.rmtree(_COPY, ignore_errors=True)

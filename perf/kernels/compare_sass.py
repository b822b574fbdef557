#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the machine code of all kernels of two builds.

    perf/kernels/compare_sass.py BUILD OTHER_BUILD

A change that only moves host code leaves every kernel as it was. Kernels are compared by name, wherever their object
files are; what differs is listed, and the exit status is 1 then. Needs cuobjdump, which is part of the CUDA Toolkit,
or of the packages nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm of PyPI.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Names in unnamed namespaces have a number that depends on the path of the source.
_FILE_NUMBER = re.compile(r"_GLOBAL__N__[0-9a-f]+_\d+_[A-Za-z0-9_]+?_cu_[0-9a-f]+(?:_\d+)?|_INTERNAL_[0-9a-f]+_[^ ]*?_cu_[0-9a-f]+_\d+")
_FUNCTION = re.compile(r"^\s*Function : (\S+)", re.MULTILINE)
_ARCHITECTURE = re.compile(r"^\s*arch = (sm_\w+)", re.MULTILINE)


def objects_of(build: pathlib.Path) -> list[pathlib.Path]:
    """Return the objects of the library that are made from CUDA sources."""
    found = sorted(build.glob("CMakeFiles/apsp.dir/**/*.cu.o"))
    if not found:
        sys.exit(f"expected a build with objects of CUDA sources, got {build} without any")
    return found


def kernels_in(cuobjdump: str, path: pathlib.Path) -> list[tuple[str, str]]:
    """Return the names of the kernels in an object, with a digest of the code of each."""
    text = subprocess.run([cuobjdump, "-sass", str(path)], capture_output=True, text=True, check=True).stdout
    found = []
    for part in re.split(r"(?=^Fatbin elf code:)", text, flags=re.MULTILINE):
        architecture = _ARCHITECTURE.search(part)
        starts = [*_FUNCTION.finditer(part)]
        ends = [start.start() for start in starts[1:]] + [len(part)]
        for start, end in zip(starts, ends, strict=False):  # Parts with PTX have no functions.
            code = _FILE_NUMBER.sub("unnamed", part[start.end() : end])
            name = _FILE_NUMBER.sub("unnamed", start.group(1))
            where = architecture.group(1) if architecture else "?"
            found.append((f"{where} {name}", hashlib.sha256(code.encode()).hexdigest()))
    return found


def kernels_of(cuobjdump: str, build: pathlib.Path) -> dict[str, list[str]]:
    """Return the digests of the kernels of a build, by name. An instantiation may be in several objects."""
    kernels = collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda path: kernels_in(cuobjdump, path), objects_of(build)):
            for name, digest in found:
                kernels[name].append(digest)
    return {name: sorted(digests) for name, digests in kernels.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs=2, metavar="BUILD", type=pathlib.Path)
    builds = parser.parse_args().builds
    cuobjdump = shutil.which("cuobjdump", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
    if cuobjdump is None:
        sys.exit("expected cuobjdump in PATH, got none: it is part of the CUDA Toolkit")
    old, new = (kernels_of(cuobjdump, build) for build in builds)
    for name in sorted(old.keys() - new.keys()):
        print(f"only in {builds[0]}: {name}")
    for name in sorted(new.keys() - old.keys()):
        print(f"only in {builds[1]}: {name}")
    changed = [name for name in sorted(old.keys() & new.keys()) if old[name] != new[name]]
    for name in changed:
        print(f"differs: {name}")
    equal = len(old.keys() & new.keys()) - len(changed)
    print(f"{equal} kernels are equal, {len(old.keys() ^ new.keys()) + len(changed)} are not")
    return 0 if old == new else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that all files that state the version state that of apsp/config.hpp, from which CMake
reads it."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def found(path, pattern):
    match = re.search(pattern, (ROOT / path).read_text(), re.MULTILINE)
    return match.group(1) if match else "none"


def main():
    number = found("apsp/config.hpp", r"^#define APSP_VERSION (\d+)$")
    if number == "none":
        print("expected '#define APSP_VERSION <number>' in apsp/config.hpp", file=sys.stderr)
        return 1
    major, rest = divmod(int(number), 10000)
    minor, patch = divmod(rest, 100)
    version = f"{major}.{minor}.{patch}"
    others = {
        "CITATION.cff": found("CITATION.cff", r"^version: (\S+)$"),
        "README.md": found("README.md", r"^  GIT_TAG v([0-9.]+)"),
        "CHANGELOG.md": found("CHANGELOG.md", r"^## \[([0-9.]+)\]"),
        "python/pyproject.toml": found("python/pyproject.toml", r'^version = "([0-9.]+)"$'),
        "python/apsp/__init__.py": found("python/apsp/__init__.py", r'^__version__ = "([0-9.]+)"$'),
        "packaging/vcpkg/apsp/vcpkg.json": json.loads(
            (ROOT / "packaging/vcpkg/apsp/vcpkg.json").read_text()
        )["version"],
        "packaging/spack/packages/apsp/package.py": found(
            "packaging/spack/packages/apsp/package.py", r'^    version\("([0-9.]+)"\)$'
        ),
        "packaging/conda/recipe.yaml": found(
            "packaging/conda/recipe.yaml", r'^  version: "([0-9.]+)"$'
        ),
    }
    wrong = {path: said for path, said in others.items() if said != version}
    for path, said in wrong.items():
        print(f"{path} says {said}, apsp/config.hpp {version}", file=sys.stderr)
    print(f"version {version}, repeated in {len(others)} files: {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

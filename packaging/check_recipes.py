#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the recipes as far as possible without their tools: the Python files parse, the vcpkg
manifest has valid keys and names, and the options that the recipes pass exist. Where py-rattler-build
is installed, the recipe of conda is rendered for all of its variants."""

import ast
import json
import pathlib
import re
import sys

PACKAGING = pathlib.Path(__file__).resolve().parent
ROOT = PACKAGING.parent
RECIPES = ("conanfile.py", "package.py", "portfile.cmake", "recipe.yaml")
MANIFEST_KEYS = {
    *("name", "version", "version-semver", "version-date", "version-string", "port-version"),
    *("maintainers", "contacts", "summary", "description", "homepage", "documentation", "license"),
    *("supports", "dependencies", "default-features", "features", "builtin-baseline", "overrides"),
}
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def recipes(*patterns):
    found = (path for pattern in patterns for path in PACKAGING.rglob(pattern))
    return sorted(p for p in found if "build" not in p.relative_to(PACKAGING).parts)


def missing_kinds():
    for kind in (*RECIPES, "vcpkg.json"):
        if not recipes(kind):
            yield PACKAGING / kind, "there is no such recipe"


def faults_of_python():
    for path in recipes("conanfile.py", "package.py"):
        try:
            ast.parse(path.read_text())
        except SyntaxError as error:
            yield path, f"line {error.lineno}: {error.msg}"


def faults_of_manifest(path):
    manifest = json.loads(path.read_text())
    features = manifest.get("features", {})
    for key in manifest.keys() - MANIFEST_KEYS:
        yield path, f"vcpkg knows no {key}"
    if manifest["name"] != path.parent.name:
        yield path, f"{manifest['name']} lies in {path.parent.name}"
    dependencies = list(manifest.get("dependencies", []))
    for feature in features.values():
        if not feature.get("description"):
            yield path, "a feature without a description"
        dependencies += feature.get("dependencies", [])
    names = [d if isinstance(d, str) else d["name"] for d in dependencies]
    for name in [manifest["name"], *features, *names]:
        if not NAME.fullmatch(name):
            yield path, f"{name} is no name for vcpkg"


def faults_of_options():
    options = [(ROOT / path).read_text() for path in ("cmake/options.cmake", "python/CMakeLists.txt")]
    known = set(re.findall(r"^(?:option|set)\((\w+)", "\n".join(options), re.MULTILINE))
    known.add("APSP_VERSION")  # which Conan's recipe reads
    for path in recipes(*RECIPES):
        for option in sorted(set(re.findall(r"(?:\b|D)(APSP_[A-Z_]+)", path.read_text())) - known):
            yield path, f"{option} is no option of the project"


def faults_of_conda():
    try:
        import rattler_build
    except ImportError:
        return
    for path in recipes("recipe.yaml"):
        try:
            recipe = rattler_build.MultiOutputRecipe.from_file(path)
            variants = rattler_build.VariantConfig.from_file(path.with_name("variants.yaml"))
            packages = recipe.render(variants)
        except rattler_build.RattlerBuildError as error:
            yield path, error
        else:
            builds = {package.recipe.build.string for package in packages}
            print(f"{path.relative_to(ROOT)}: {len(builds)} packages")


def main():
    faults = [*missing_kinds(), *faults_of_python(), *faults_of_options(), *faults_of_conda()]
    for path in recipes("vcpkg.json"):
        faults += faults_of_manifest(path)
    for path, fault in faults:
        print(f"{path.relative_to(ROOT)}: {fault}", file=sys.stderr)
    print(f"{len(recipes(*RECIPES))} recipes: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

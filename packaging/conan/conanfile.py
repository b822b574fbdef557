# SPDX-License-Identifier: BSL-1.0
"""Conan 2 recipe of the checkout it lies in: `conan create packaging/conan`."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

ROOT = os.path.join("..", "..")


class ApspRecipe(ConanFile):
    name = "apsp"
    license = "BSL-1.0"
    author = "the apsp developers"
    description = "Generic all-pairs shortest paths for CPU and CUDA"
    topics = ("shortest-paths", "floyd-warshall", "graph", "boost-graph", "cuda")
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False], "cuda": [True, False], "mpi": [True, False]}
    # mpi: apsp::mpi, with the MPI of the system, as clusters have it. Programs may use another one.
    default_options = {"shared": False, "fPIC": True, "cuda": False, "mpi": False}
    implements = ["auto_shared_fpic"]

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, ROOT, "apsp", "config.hpp"))
        number = int(re.search(r"^#define APSP_VERSION (\d+)$", text, re.MULTILINE).group(1))
        self.version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def export_sources(self):
        root = os.path.join(self.recipe_folder, ROOT)
        for pattern in ("CMakeLists.txt", "LICENSE", "apsp/*", "adaptors/*", "detail/*", "cmake/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["APSP_ENABLE_TESTS"] = False
        toolchain.cache_variables["APSP_ENABLE_CUDA"] = "ON" if self.options.cuda else "OFF"
        toolchain.cache_variables["APSP_ENABLE_MPI"] = "ON" if self.options.mpi else "OFF"
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        # The library's own CMake package contains the usage requirements: OpenMP's flags, the CUDA runtime.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "apsp")]
        major, minor = self.version.split(".")[:2]
        self.cpp_info.includedirs = [os.path.join("include", f"apsp-{major}.{minor}")]
        self.cpp_info.libs = ["apsp"]

# SPDX-License-Identifier: BSL-1.0
"""Spack package of a checkout: `spack repo add packaging/spack`, then
`spack dev-build --source-path . apsp@0.1.0`."""

from spack.package import *


class Apsp(CMakePackage, CudaPackage):
    """Generic all-pairs shortest paths for CPU and CUDA: one call with an execution policy on any graph."""

    license("BSL-1.0")

    version("0.1.0")

    variant("shared", default=False, description="Build a shared library")
    variant("mpi", default=False, description="Provide apsp::mpi, for calls on several processes")

    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("cuda@12.8:", when="+cuda")
    depends_on("mpi", when="+mpi")

    conflicts("%gcc@:11")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs: cuda_arch=90")

    def cmake_args(self):
        args = [
            self.define("APSP_ENABLE_TESTS", False),
            self.define("APSP_ENABLE_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define_from_variant("APSP_ENABLE_MPI", "mpi"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args

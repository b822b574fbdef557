# SPDX-License-Identifier: BSL-1.0
# Builds for 64-bit ARM with Debian's cross-compiler (g++-aarch64-linux-gnu), and runs the tests by qemu-user:
#   cmake -S . -B build/aarch64 --toolchain cmake/aarch64-linux-gnu.cmake -DAPSP_ENABLE_CUDA=OFF -DAPSP_ENABLE_MPI=OFF
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

# Headers, libraries and packages of this machine are those of another processor.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

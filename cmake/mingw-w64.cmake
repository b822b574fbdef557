# SPDX-License-Identifier: BSL-1.0
# Builds for 64-bit Windows with Debian's cross-compiler (g++-mingw-w64-x86-64-posix), and runs the tests by Wine:
#   cmake -S . -B build/mingw --toolchain cmake/mingw-w64.cmake -DAPSP_ENABLE_CUDA=OFF -DAPSP_ENABLE_MPI=OFF
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
find_program(APSP_WINE NAMES wine64 wine PATHS /usr/lib/wine)
if(APSP_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${APSP_WINE})
endif()
# Objects of tests have more sections than the default format allows.
set(CMAKE_CXX_FLAGS_INIT -Wa,-mbig-obj)
# Programs need no DLL of the compiler, nor that of OpenMP, which CMake would find.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a
                OUTPUT_VARIABLE OpenMP_gomp_LIBRARY OUTPUT_STRIP_TRAILING_WHITESPACE)
set(OpenMP_gomp_LIBRARY ${OpenMP_gomp_LIBRARY} CACHE FILEPATH "")

# Headers, libraries and packages of this machine are those of another system.
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

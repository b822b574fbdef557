// SPDX-License-Identifier: BSL-1.0
#pragma once

// How the compiled library was built, written by CMake. Where only the sources are, there is no
// such header.
#if __has_include(<apsp/build_options.hpp>)
#include <apsp/build_options.hpp>
#endif

/// The version of the library: 10000 * major + 100 * minor + patch. Names in `apsp` are in an
/// inline namespace, `v1`; docs/versioning.md says when it changes, and what a version promises.
#define APSP_VERSION 100

// Compiler requirements. Every other public header includes this header first.
#if __cplusplus < 202002L
#error "apsp: C++20 is needed; compile with -std=c++20"
#define APSP_UNSUPPORTED_COMPILATION "apsp_needs_cxx20"
#elif !defined(__cpp_exceptions)
#error "apsp: errors are reported by exceptions; compile without -fno-exceptions"
#define APSP_UNSUPPORTED_COMPILATION "apsp_needs_exceptions"
#elif !defined(__SIZEOF_INT128__)
#error "apsp: the type __int128 is needed, compile for a 64-bit target"
#define APSP_UNSUPPORTED_COMPILATION "apsp_needs_int128"
#elif defined(APSP_WITH_OPENMP) && !defined(_OPENMP)
#error "apsp: the library was built with OpenMP; compile with -fopenmp (nvcc: -Xcompiler=-fopenmp)"
#define APSP_UNSUPPORTED_COMPILATION "apsp_needs_openmp"
#endif
#ifdef APSP_UNSUPPORTED_COMPILATION
// Compilers continue after #error, but not after a missing header: the message above is not
// followed by thousands of others.
#include APSP_UNSUPPORTED_COMPILATION
#endif

// Parallel loops exist in all of a program or nowhere in it: if the library was built without
// OpenMP, a program that uses OpenMP itself compiles the same functions as the library.
#if defined(_OPENMP) && !defined(APSP_WITHOUT_OPENMP)
#define APSP_USES_OPENMP
#endif

/// Marks a name that will be removed: `APSP_DEPRECATED("use distance_table") void old_name();`.
#define APSP_DEPRECATED(advice) [[deprecated("apsp: " advice)]]

/// Marks symbols that the compiled library exports; all others are hidden in a shared library.
#define APSP_EXPORT __attribute__((visibility("default")))

// SPDX-License-Identifier: BSL-1.0
#pragma once

// What the library needs of a compiler. Every other public header includes this one first.
#if __cplusplus < 202002L
#error "apsp: C++20 is needed; compile with -std=c++20"
#elif !defined(__cpp_exceptions)
#error "apsp: errors are reported by exceptions; compile without -fno-exceptions"
#elif !defined(__SIZEOF_INT128__)
#error "apsp: the type __int128 is needed, compile for a 64-bit target"
#endif

/// Marks what programs need of the compiled library; all else in a shared library is hidden.
#define APSP_EXPORT __attribute__((visibility("default")))

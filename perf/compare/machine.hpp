// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>

// What a measurement depends on besides the program: the machine, the compiler and the commit.
namespace apsp_compare {

/// The processor's own name, or "unknown processor".
std::string processor_name();
/// Hardware threads of this machine; at least 1.
int hardware_threads();
/// How many programs besides this one have wanted a processor during the last minute, on average; 0
/// where the operating system does not tell.
double load_of_others();
/// The compiler and the kind of build.
std::string compiler_name();
/// `git describe` of the source tree when it was configured, or empty.
std::string commit_name();
/// What --version prints.
std::string version_text();

/// @throws std::runtime_error with the bytes needed if n x n entries of @p bytes_per_pair bytes are
///         more than the machine has free. Where the operating system does not tell, nothing is
///         checked. Linux grants memory it does not have, so waiting for std::bad_alloc is too
///         late.
void require_memory(std::size_t n, std::size_t bytes_per_pair);

/// "1.9 GiB" and the like.
std::string readable_bytes(double bytes);

}  // namespace apsp_compare

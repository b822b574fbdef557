// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

// The environment of a measurement: the machine, the compiler and the commit.
namespace apsp_perf {

/// The name of the processor, or "unknown processor".
std::string processor_name();
/// The number of hardware threads of this machine, at least 1.
int hardware_threads();
/// The average number of other programs that used a processor in the last minute; 0 if the
/// operating system does not report it.
double load_of_others();
/// The compiler and the build type.
std::string compiler_name();
/// `git describe` of the source tree when it was configured, or empty.
std::string commit_name();
/// The output of --version.
std::string version_text();
/// The command line, quoted for the shell, without the options @p omitted and their values.
std::string command_text(const std::string& program, int argc, char** argv,
                         const std::vector<std::string>& omitted = {});

struct no_memory : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// @throws no_memory with the number of bytes if n x n entries of @p bytes_per_pair bytes exceed
///         the free memory. Does nothing if the operating system does not report it. Linux
///         overcommits memory, so waiting for std::bad_alloc would be too late.
void require_memory(std::size_t n, std::size_t bytes_per_pair);

}  // namespace apsp_perf

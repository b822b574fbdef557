// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

// What the multiprocessors of the architectures hold.
namespace apsp::inline v1::detail::cuda {

/// The virtual architecture that this device code is compiled for, such as 90; 0 in host code.
#ifdef __CUDA_ARCH__
inline constexpr int compiled_architecture = __CUDA_ARCH__ / 10;
#else
inline constexpr int compiled_architecture = 0;
#endif

/// @p wanted blocks of that many threads, or as many as a multiprocessor can hold.
constexpr unsigned resident_blocks(unsigned wanted, unsigned threads,
                                   int architecture = compiled_architecture) {
  const bool is_for_servers = architecture == 0 || architecture == 80 || architecture == 90 ||
                              architecture == 100 || architecture == 103;
  const bool is_ampere = architecture == 86 || architecture == 87;
  const unsigned most_threads = is_for_servers ? 2048 : 1536;
  const unsigned most_blocks = is_for_servers ? 32 : is_ampere ? 16 : 24;
  const unsigned most = most_threads / threads < most_blocks ? most_threads / threads : most_blocks;
  return wanted < most ? wanted : most;
}

/// The shared memory of a multiprocessor with little of it, of which every block reserves a part.
inline constexpr std::size_t little_shared_memory = 100 * 1024;
inline constexpr std::size_t reserved_shared_memory = 1024;

constexpr bool has_little_shared_memory(int architecture) {
  return architecture == 86 || architecture == 89 || architecture == 120 || architecture == 121;
}

}  // namespace apsp::inline v1::detail::cuda

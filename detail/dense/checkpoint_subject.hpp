// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/npy.hpp"
#include "../../apsp/semiring.hpp"
#include "../graph/semiring_edges.hpp"
#include "checkpoint.hpp"

namespace apsp::detail {

/// "user-defined" unless the semiring is one of the library.
template <class S>
constexpr std::string_view name_of_semiring() {
  using T = typename S::value_type;
  if constexpr (is_min_plus<S>) return "min_plus";
  if constexpr (std::is_same_v<S, max_min<T>>) return "max_min";
  if constexpr (std::is_same_v<S, min_max<T>>) return "min_max";
  if constexpr (std::is_same_v<S, max_times<T>>) return "max_times";
  return "user-defined";
}

/// A bijection of 64 bits in which every bit depends on all others. Source: Steele, Lea, Flood 2014
/// (SplitMix64).
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

template <npy_value T>
std::uint64_t bits_of(T value) {
  if (value == T{}) value = T{};  // Zeros are equal.
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// A number for the arcs of a graph of n vertices and their weights. It does not depend on the order of
/// the arcs, nor on the type of the graph.
template <class T, class Graph>
std::uint64_t hash_arcs(const Graph& g, std::size_t n, int threads, std::uint64_t seed) {
  std::vector<std::uint64_t> of_source(n);
  visit_values<T>(g, threads, [&](std::size_t u, std::size_t v, const T& w) {
    of_source[u] += mixed_bits(mixed_bits(v) ^ bits_of(w));
  });
  std::uint64_t hash = mixed_bits(seed);
  for (const std::uint64_t h : of_source) hash = mixed_bits(hash ^ h);
  return hash;
}

[[noreturn]] inline void refuse_entries_of_checkpoint() {
  throw std::invalid_argument(
      "apsp: a checkpoint has entries of the type of the distances: expected bool, an integer or "
      "floating point of 1 to 8 bytes, got another type");
}

template <npy_value T>
checkpoint_subject make_subject(std::size_t n, std::string semiring, std::uint64_t graph_hash) {
  return {n, sizeof(T), npy_type<T>(), npy_header<T>(n, n), std::move(semiring), graph_hash};
}

}  // namespace apsp::detail

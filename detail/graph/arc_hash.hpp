// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "semiring_edges.hpp"

// Numbers that tell graphs and lists of vertices apart.
namespace apsp::inline v1::detail {

/// A bijection of 64 bits in which every bit depends on all others. Source: Steele, Lea, Flood 2014
/// (SplitMix64).
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// The bits of a weight, which are equal for equal weights. Weights of a type of the caller all
/// have the same.
template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) <= sizeof bits) {
    if (value == T{}) value = T{};  // Zeros are equal.
    std::memcpy(&bits, &value, sizeof value);
  } else if constexpr (std::is_floating_point_v<T>) {
    // A long double has bytes that are not part of its value.
    const auto rounded = static_cast<double>(value);
    bits = mixed_bits(bits_of(rounded)) ^ bits_of(static_cast<double>(value - T(rounded)));
  }
  return bits;
}

/// A number for the arcs of a graph of n vertices. It does not depend on the order of the arcs.
/// Safe to use from several threads for arcs of different sources.
class arc_hash {
 public:
  explicit arc_hash(std::size_t n) : of_source_(n) {}

  /// @param bits  of the weight.
  void add(std::size_t u, std::size_t v, std::uint64_t bits) {
    of_source_[u] += mixed_bits(mixed_bits(v) ^ bits);
  }
  std::uint64_t value(std::uint64_t seed) const {
    std::uint64_t hash = mixed_bits(seed);
    for (const std::uint64_t h : of_source_) hash = mixed_bits(hash ^ h);
    return hash;
  }

 private:
  std::vector<std::uint64_t> of_source_;
};

/// A number for the arcs of a validated graph of n vertices and their weights. It does not depend
/// on the type of the graph.
template <class T, class Graph>
std::uint64_t hash_arcs(const Graph& g, std::size_t n, int threads, std::uint64_t seed) {
  arc_hash hash(n);
  visit_values<T>(g, threads,
                  [&](std::size_t u, std::size_t v, const T& w) { hash.add(u, v, bits_of(w)); });
  return hash.value(seed);
}

/// A number for a list of vertices in their order.
inline std::uint64_t hash_vertices(std::span<const std::int32_t> vertices) {
  std::uint64_t hash = mixed_bits(vertices.size());
  for (const std::int32_t v : vertices) {
    hash = mixed_bits(hash ^ static_cast<std::uint64_t>(v));
  }
  return hash;
}

}  // namespace apsp::inline v1::detail

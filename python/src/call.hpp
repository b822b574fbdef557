// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/result.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

/// The calls of the library, for types that are known when the program runs.
namespace apsp_python {

/// What a call is to do, and where.
struct settings {
  std::optional<apsp::algorithm> algorithm;  ///< none: the one that is expected to be the fastest
  std::string policy;
  int threads = 0;
  int device = -1;
  bool required = false;
  std::size_t memory_limit = 0;
  std::optional<double> cutoff;
  std::function<void(std::size_t, std::size_t)> progress;
  std::stop_token stop;
};

/// The arcs of a graph in compressed sparse rows.
template <class T>
struct sparse_graph {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> targets;
  std::span<const T> weights;
};
/// A square matrix in row-major order; `apsp::unreachable` where there is no arc.
template <class T>
struct dense_graph {
  T* weights;
  std::size_t num_vertices;
};

/// Matrices in row-major order.
template <class T>
struct outputs {
  T* distances;
  std::int32_t* predecessors;  ///< null: none
  std::size_t rows;
  std::size_t columns;
};

/// @param sources  none: all vertices
template <class T, class Graph>
apsp::result solve(const settings& how, const Graph& graph,
                   const std::optional<std::span<const std::int64_t>>& sources,
                   const outputs<T>& results);

}  // namespace apsp_python

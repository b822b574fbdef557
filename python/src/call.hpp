// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/contraction_hierarchy.hpp>
#include <apsp/csr.hpp>
#include <apsp/dense.hpp>
#include <apsp/graph.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/result.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <variant>

// The arguments of the calls of the library, for types that are known when the program runs.
namespace apsp_python {

/// What a call is to do, and where.
struct settings {
  std::optional<apsp::algorithm> algorithm;  ///< none: the one that is expected to be the fastest
  std::string policy;
  int threads = 0;
  int device = -1;
  bool required = false;
  std::size_t memory_limit = 0;
  std::uintptr_t stream = 0;  ///< a cudaStream_t; 0: the default stream
  std::optional<long double> cutoff;
  std::function<void(std::size_t, std::size_t)> progress;
  bool is_long = false;  ///< look for signals meanwhile
  std::stop_token stop;
};

/// The policy with what does not depend on where it runs.
template <class Policy>
auto observed(const settings& how, Policy policy) {
  if (how.cutoff) policy = policy.cutoff(*how.cutoff);
  auto watched = policy.stop(how.stop);
  if (how.progress) watched = watched.progress(how.progress);
  return watched;
}
/// The policy of those settings, which is cuda_tiled.
inline auto device_policy_of(const settings& how) {
  auto policy = apsp::cuda_tiled.required(how.required)
                    .memory_limit(how.memory_limit)
                    .on(reinterpret_cast<CUstream_st*>(how.stream));
  return observed(how, how.device >= 0 ? policy.device(how.device) : policy);
}
/// Calls f(policy) with the policy of those settings.
template <class F>
auto with_policy_of(const settings& how, F f) {
  if (how.policy == "seq") return f(observed(how, apsp::seq));
  if (how.policy == "omp") return f(observed(how, apsp::omp.threads(how.threads)));
  if (how.policy != "cuda_tiled") {
    throw std::invalid_argument("apsp: expected seq, omp or cuda_tiled, got " + how.policy);
  }
  return f(device_policy_of(how));
}

/// The arcs of a graph in compressed sparse rows.
template <class T>
using sparse_graph = apsp::csr_view<std::int64_t, std::int32_t, T>;
/// A square matrix in row-major order; `apsp::unreachable` where there is no arc.
template <class T>
using dense_graph = apsp::matrix_view<const T>;

/// A graph that has been prepared. It is never changed, since calls of other threads may use it.
template <class T>
struct prepared_graph {
  std::shared_ptr<const apsp::contraction_hierarchy<T>> hierarchy;
};

/// One of them. Calls that read the arcs once take this type, so that they are compiled once.
template <class T>
struct any_graph {
  std::variant<sparse_graph<T>, dense_graph<T>, prepared_graph<T>> view;
  std::shared_ptr<const void> owner{};  ///< of what is viewed, if no array of Python is

  std::size_t num_vertices() const {
    return std::visit([](const auto& graph) { return apsp::num_vertices_of(graph); }, view);
  }
};

/// Calls f(graph) with the prepared graph, of which the library makes use, or with any other one.
template <class T, class F>
auto with_prepared(const any_graph<T>& graph, F f) {
  const auto* const prepared = std::get_if<prepared_graph<T>>(&graph.view);
  return prepared != nullptr ? f(*prepared) : f(graph);
}

/// Matrices in row-major order.
template <class T>
struct outputs {
  T* distances;
  std::int32_t* predecessors;  ///< null: none
  std::size_t rows;
  std::size_t columns;
};

/// @param sources  none: all vertices
template <class T>
apsp::result solve(const settings& how, const any_graph<T>& graph,
                   const std::optional<std::span<const std::int64_t>>& sources,
                   const outputs<T>& results);
/// The same for a prepared graph.
template <class T>
apsp::result solve_prepared(const settings& how, const prepared_graph<T>& graph,
                            const std::optional<std::span<const std::int64_t>>& sources,
                            const outputs<T>& results);

}  // namespace apsp_python

template <class T>
struct apsp::graph_adaptor<apsp_python::prepared_graph<T>> {
  using graph_type = apsp_python::prepared_graph<T>;
  using adaptor = graph_adaptor<contraction_hierarchy<T>>;
  using weight_type = T;

  static std::size_t num_vertices(const graph_type& g) { return g.hierarchy->num_vertices(); }
  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    adaptor::for_each_edge(*g.hierarchy, f);
  }
  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f) {
    adaptor::for_each_out_edge(*g.hierarchy, u, f);
  }
  static decltype(auto) kept(const graph_type& g) { return adaptor::kept(*g.hierarchy); }
};

template <class T>
struct apsp::graph_adaptor<apsp_python::any_graph<T>> {
  using graph_type = apsp_python::any_graph<T>;
  using weight_type = T;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices(); }

  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    std::visit([&]<class G>(const G& view) { graph_adaptor<G>::for_each_edge(view, f); }, g.view);
  }

  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f) {
    std::visit([&]<class G>(const G& view) { graph_adaptor<G>::for_each_out_edge(view, u, f); },
               g.view);
  }

  static void validate(const graph_type& g) {
    std::visit(
        []<class G>(const G& view) {
          if constexpr (requires { graph_adaptor<G>::validate(view); }) {
            graph_adaptor<G>::validate(view);
          }
        },
        g.view);
  }
};

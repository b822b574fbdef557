// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../apsp/error.hpp"
#include "../apsp/policy.hpp"
#include "cuda/floyd_warshall.hpp"
#include "cuda/per_source.hpp"
#include "distance_code.hpp"
#include "host/floyd_warshall.hpp"
#include "host/parallel_for.hpp"
#include "host/per_source.hpp"
#include "monitor.hpp"
#include "per_source_problem.hpp"
#include "problem.hpp"

// What runs a call, once dispatch has decided. Each backend has one solver per algorithm; the
// solvers of an algorithm have one interface.
namespace apsp::detail {

/// The device could run, but there are no kernels for what the weights turned out to need.
class no_kernels : public device_error {
 public:
  using device_error::device_error;
};

/// How Floyd–Warshall ended.
enum class matrix_outcome {
  finished,
  negative_diagonal,  ///< A diagonal entry ended below zero.
  stopped             ///< Because it was asked to; entries are then anything.
};

class host_backend {
 public:
  /// @param threads  0 leaves the number to OpenMP.
  host_backend(backend name, int threads, monitor& watch)
      : name_(name), threads_(threads), watch_(&watch) {}

  backend name() const { return name_; }
  int host_threads() const { return threads_; }
  monitor& watch() const { return *watch_; }

  template <class C>
  solve_outcome solve_per_source(const per_source_problem<C>& problem, row_sink<C>& sink) const {
    return host::solve_per_source(problem, threads_, sink, *watch_);
  }

  template <class C>
  class floyd_warshall_solver {
   public:
    /// True if unreachable entries leave the solver as `unreachable`, not in code.
    static constexpr bool decodes = !is_coded_integer<C>;

    floyd_warshall_solver(const host_backend& backend, std::size_t n, C* const* distances,
                          std::int32_t* const* predecessors, bool transposed)
        : threads_(backend.host_threads()),
          watch_(backend.watch()),
          n_(n),
          distances_(distances),
          predecessors_(predecessors),
          transposed_(transposed) {}

    template <class Source>
    void load(const Source& source) {
      source.fill(distances_, transposed_);
      if (predecessors_ == nullptr) return;
      host::parallel_for(n_, threads_, [&](std::size_t u) {
        for (std::size_t v = 0; v < n_; ++v) {
          const bool is_arc = u != v && distances_[u][v] < source.code().unreachable;
          predecessors_[u][v] = is_arc ? static_cast<std::int32_t>(u) : -1;
        }
      });
    }

    matrix_outcome solve(const distance_code<C>& code) {
      const host_problem<C> problem{n_, distances_, predecessors_, code.unreachable, code.floor};
      if (!host::floyd_warshall_solver<C>(problem).solve(threads_, watch_)) {
        return matrix_outcome::stopped;
      }
      if (predecessors_ != nullptr && is_coded_integer<C>) forget_unreachable(code);
      for (std::size_t v = 0; v < n_; ++v) {
        if (distances_[v][v] < C{}) return matrix_outcome::negative_diagonal;
      }
      return matrix_outcome::finished;
    }

   private:
    // A path over missing arcs may have got shorter by arcs of negative weight, and recorded so.
    void forget_unreachable(const distance_code<C>& code) {
      host::parallel_for(n_, threads_, [&](std::size_t u) {
        for (std::size_t v = 0; v < n_; ++v) {
          if (distances_[u][v] >= code.unreachable_from) predecessors_[u][v] = -1;
        }
      });
    }

    int threads_;
    monitor& watch_;
    std::size_t n_;
    C* const* distances_;
    std::int32_t* const* predecessors_;
    bool transposed_;
  };

 private:
  backend name_;
  int threads_;
  monitor* watch_;
};

class cuda_backend {
 public:
  cuda_backend(const cuda::launch_target& target, monitor& watch)
      : target_(target), watch_(&watch) {}

  backend name() const { return target_.kernels; }
  int host_threads() const { return 0; }
  monitor& watch() const { return *watch_; }
  const cuda::launch_target& target() const { return target_; }

  template <class C>
  solve_outcome solve_per_source(const per_source_problem<C>& problem, row_sink<C>& sink) const {
    if constexpr (has_compiled_kernels<C>) {
      return cuda::solve_per_source(target_, problem, sink, *watch_);
    } else {
      throw no_kernels("a path of these weights may need 128-bit sums, which have no CUDA kernels");
    }
  }

  template <class C>
  class floyd_warshall_solver {
   public:
    /// On the device that takes one pass at the speed of its memory.
    static constexpr bool decodes = true;

    floyd_warshall_solver(const cuda_backend& backend, std::size_t n, C* const* distances,
                          std::int32_t* const* predecessors, bool transposed)
        : watch_(backend.watch()),
          n_(n),
          distances_(distances),
          predecessors_(predecessors),
          transposed_(transposed),
          solver_(backend.target_, n, predecessors != nullptr) {}

    template <class Source>
    void load(const Source& source) {
      // A list of arcs is smaller than the matrix unless most pairs are joined.
      const bool as_list = source.on_diagonal() == decltype(source.on_diagonal())::zero &&
                           source.num_edges() <= n_ * n_ / 4;
      if (as_list) {
        std::vector<cuda::arc<C>> arcs;
        arcs.reserve(source.num_edges());
        source.for_each_coded_arc(1, [&](std::size_t u, std::size_t v, const C& w) {
          if (transposed_) std::swap(u, v);
          arcs.push_back({static_cast<std::int32_t>(u), static_cast<std::int32_t>(v), w});
        });
        solver_.load(arcs, source.code().unreachable);
      } else {
        source.fill(distances_, transposed_);
        solver_.load(distances_, source.code().unreachable);
      }
    }

    matrix_outcome solve(const distance_code<C>& code) {
      if (!solver_.solve(code.floor, watch_)) return matrix_outcome::stopped;
      const bool valid = !solver_.has_negative_diagonal();
      if constexpr (is_coded_integer<C>) {
        solver_.replace_from(code.unreachable_from, largest_value<C>());
      }
      solver_.store(distances_, predecessors_);
      return valid ? matrix_outcome::finished : matrix_outcome::negative_diagonal;
    }

   private:
    monitor& watch_;
    std::size_t n_;
    C* const* distances_;
    std::int32_t* const* predecessors_;
    bool transposed_;
    cuda::floyd_warshall_solver<C> solver_;
  };

 private:
  cuda::launch_target target_;
  monitor* watch_;
};

}  // namespace apsp::detail

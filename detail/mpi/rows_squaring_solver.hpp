// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../dense/problem/problem.hpp"
#include "../dense/problem/squarings.hpp"
#include "../host/parallel_for.hpp"
#include "../host/untouched_buffer.hpp"
#include "../matrix/part.hpp"
#include "communicator.hpp"
#include "grid.hpp"
#include "panel_product.hpp"

namespace apsp::inline v1::detail::mpi {

/// The closure of a matrix whose whole rows lie on several processes, by squaring it until its
/// paths are long enough or no entry improves.
template <class Backend, class S>
class rows_squaring_solver {
  using T = typename S::value_type;

 public:
  /// Allocates all memory that solve() needs, and does not communicate.
  /// @param problem  its rows are those of this process, with consecutive entries from row to row.
  rows_squaring_solver(const grid& processes, const Backend& backend,
                       const closure_problem<S>& problem)
      : processes_(processes),
        problem_(problem),
        n_(problem.num_vertices),
        mine_(processes.own_part(n_, n_).rows),
        threads_(backend.host_threads()),
        other_(mine_.count * n_),
        other_rows_(mine_.count),
        product_(processes, backend, problem.semiring, {n_, n_, n_}, problem.zero) {
    for (std::size_t i = 0; i < mine_.count; ++i) other_rows_[i] = other_.data() + i * n_;
  }

  template <class Source>
  void load(const Source& source) {
    source.fill_part(problem_.distances, {mine_, {0, n_}});
  }

  /// Call once, on all processes. A failure of one is thrown on all of them.
  /// @return false on all processes if the monitor of one requested a stop.
  bool solve() {
    const auto count = static_cast<std::size_t>(squarings_needed(problem_.longest_path));
    T* const* from = problem_.distances;
    T* const* to = other_rows_.data();
    if (!product_.begin(count * n_)) return false;
    for (std::size_t s = 0; s < count; ++s) {
      copy_rows(from, to);
      const bool finished =
          product_.relax(from, from, to, !problem_.has_negative_weight, [](auto& /*solver*/) {});
      if (!finished) return false;
      std::swap(from, to);
      if (processes_.everywhere().maximum(are_equal(from, to) ? 0 : 1) == 0) {
        if (!product_.skip((count - 1 - s) * n_)) return false;
        break;
      }
    }
    if (from != problem_.distances) copy_rows(from, problem_.distances);
    return true;
  }

 private:
  void copy_rows(const T* const* from, T* const* to) const {
    host::parallel_for(mine_.count, threads_,
                       [&](std::size_t i) { std::copy_n(from[i], n_, to[i]); });
  }
  bool are_equal(const T* const* x, const T* const* y) const {
    for (std::size_t i = 0; i < mine_.count; ++i) {
      if (!std::equal(x[i], x[i] + n_, y[i])) return false;
    }
    return true;
  }

  const grid& processes_;  ///< in one column
  closure_problem<S> problem_;
  std::size_t n_;
  index_part mine_;
  int threads_;
  host::untouched_buffer<T> other_;
  std::vector<T*> other_rows_;
  panel_product<Backend, S> product_;
};

}  // namespace apsp::inline v1::detail::mpi

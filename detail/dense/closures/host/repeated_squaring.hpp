// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../host/untouched_buffer.hpp"
#include "../../../values/distance_code.hpp"
#include "../../matrix/host/symmetric_rows.hpp"
#include "../../problem/problem.hpp"
#include "../../problem/squarings.hpp"
#include "../../products/host/product.hpp"

namespace apsp::inline v1::detail::host {

/// The closure by squaring the matrix until its paths are long enough or no entry improves. Uses
/// two buffers: the rows of the problem and a matrix of its own.
template <class S>
class APSP_EXPORT squaring_solver {
  using T = typename S::value_type;

 public:
  /// Allocates all memory that solve() needs; nothing is written before that.
  explicit squaring_solver(const closure_problem<S>& problem);

  squaring_solver(const squaring_solver&) = delete;
  squaring_solver& operator=(const squaring_solver&) = delete;

  /// Runs on @p threads threads, as `floyd_warshall_solver` does. Steps of @p watch are the k of
  /// each squaring's sum.
  /// @return false if @p watch requested a stop; the entries are then unspecified.
  bool solve(int threads, monitor& watch);
  /// True if only half of the matrix was computed in every squaring.
  bool used_symmetry() const { return square_.leaves_out_lower; }

 private:
  template <class U>
  std::vector<U*> rows_of(untouched_buffer<U>& m) const {
    std::vector<U*> rows(n_);
    for (std::size_t i = 0; i < n_; ++i) rows[i] = m.data() + i * n_;
    return rows;
  }

  template <class U>
  void copy_rows(U* const* from, U* const* to, int threads) const {
    parallel_for(n_, threads, [&](std::size_t i) { std::copy_n(from[i], n_, to[i]); });
  }

  bool are_equal(const T* const* x, const T* const* y, int threads) const {
    std::atomic<bool> equal = true;
    parallel_for(n_, threads, [&](std::size_t i) {
      if (equal.load(std::memory_order_relaxed) && !std::equal(x[i], x[i] + n_, y[i])) {
        equal.store(false, std::memory_order_relaxed);
      }
    });
    return equal;
  }

  const closure_problem<S>& problem_;
  std::size_t n_;
  untouched_buffer<T> other_;
  std::vector<T*> other_rows_;
  untouched_buffer<std::int32_t> other_predecessors_;
  std::vector<std::int32_t*> other_predecessor_rows_;
  product_problem<S> square_;
  /// All squarings reuse its panels: new memory for each would take a tenth of the time of small
  /// ones.
  product_solver<S> product_;
};

// Defined outside of the class, so that programs do not compile again what is compiled in the
// library.
template <class S>
squaring_solver<S>::squaring_solver(const closure_problem<S>& problem)
    : problem_(problem),
      n_(problem.num_vertices),
      other_(n_ * n_),
      other_rows_(rows_of(other_)),
      square_{problem.semiring, n_, n_, n_, nullptr, nullptr, nullptr, false},
      product_(square_) {
  if (problem.predecessors != nullptr) {
    other_predecessors_ = untouched_buffer<std::int32_t>(n_ * n_);
    other_predecessor_rows_ = rows_of(other_predecessors_);
  }
}

template <class S>
bool squaring_solver<S>::solve(int threads, monitor& watch) {
  const bool records = problem_.predecessors != nullptr;
  bool in_other = false;
  const int count = squarings_needed(problem_.longest_path);
  square_.leaves_out_lower =
      !watch.stop_requested() && is_symmetric(problem_, product_.size(), threads);
  for (int s = 0; s < count; ++s) {
    T* const* from = in_other ? other_rows_.data() : problem_.distances;
    T* const* to = in_other ? problem_.distances : other_rows_.data();
    std::int32_t* const* predecessors_from =
        in_other ? other_predecessor_rows_.data() : problem_.predecessors;
    std::int32_t* const* predecessors_to =
        in_other ? problem_.predecessors : other_predecessor_rows_.data();
    copy_rows(from, to, threads);
    if (records) copy_rows(predecessors_from, predecessors_to, threads);
    square_.a = from;
    square_.b = from;
    square_.c = to;
    if (records) {
      square_.b_predecessors = predecessors_from;
      square_.c_predecessors = predecessors_to;
    }
    if (!product_.solve(threads, watch)) return false;
    if (square_.leaves_out_lower) mirror(to, n_, product_.size(), threads);
    in_other = !in_other;
    if (are_equal(from, to, threads)) {
      watch.advance(static_cast<std::size_t>(count - 1 - s) * n_);
      break;
    }
  }
  if (in_other) {
    copy_rows(other_rows_.data(), problem_.distances, threads);
    if (records) copy_rows(other_predecessor_rows_.data(), problem_.predecessors, threads);
  }
  return !watch.stop_requested();
}

#define APSP_EXTERN_SOLVER(...) extern template class squaring_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_SOLVER)
#undef APSP_EXTERN_SOLVER

}  // namespace apsp::inline v1::detail::host

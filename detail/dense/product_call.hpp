// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/matrix.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../host/parallel_for.hpp"
#include "../matrix/memory.hpp"
#include "../matrix/product_shape.hpp"
#include "../matrix/results.hpp"
#include "../matrix/rows.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"
#include "host/product.hpp"
#include "solvers.hpp"

// The product of two matrices of any kind. Handles shapes, operands that overlap the result, and
// integers whose sums might overflow.
namespace apsp::detail {

/// An entry of another type, converted to T; `unreachable` is preserved. `check_entries` has
/// validated it.
template <class T, class M>
T value_at(M& m, std::size_t i, std::size_t j) {
  const matrix_value_t<M> entry = matrix_entry(m, i, j);
  if constexpr (std::is_same_v<T, matrix_value_t<M>>) {
    return entry;
  } else {
    auto fault = edge_fault::none;
    return to_distance<T>(entry, fault);
  }
}

/// The rows of a factor as the kernels read them: the caller's memory if possible, otherwise a
/// copy.
template <class T>
class factor_rows {
 public:
  /// @param must_copy  entries must not be read in place, even if their type is T.
  /// @param encode     converts a `Value` to a T of the copy; null: no conversion.
  template <class Value, class M, class Encode>
  factor_rows(std::type_identity<Value>, M& m, const matrix_shape& shape, bool must_copy,
              int threads, Encode encode)
      : rows_(shape.rows) {
    if (!must_copy && read_in_place(m, shape)) return;
    own_ = matrix<T>(shape.rows, shape.columns);
    host::parallel_for(shape.rows, writers<M>(threads), [&](std::size_t i) {
      for (std::size_t j = 0; j < shape.columns; ++j) {
        const Value entry = value_at<Value>(m, i, j);
        if constexpr (std::is_same_v<Encode, std::nullptr_t>) {
          own_[i][j] = entry;
        } else {
          own_[i][j] = encode(entry);
        }
      }
    });
    for (std::size_t i = 0; i < shape.rows; ++i) rows_[i] = own_[i];
  }

  const T* const* data() const { return rows_.data(); }

 private:
  template <class M>
  bool read_in_place(M& m, const matrix_shape& shape) {
    for (std::size_t i = 0; i < shape.rows; ++i) {
      rows_[i] = contiguous_row<const T>(m, i);
      if (rows_[i] == nullptr) return false;
    }
    return true;
  }

  std::vector<const T*> rows_;
  matrix<T> own_;
};

/// Calls f for the entries of row @p i as values of type T.
template <class T, class M, class F>
void visit_row(M& m, std::size_t i, std::size_t columns, F f) {
  if (const T* row = contiguous_row<const T>(m, i)) {
    for (std::size_t j = 0; j < columns; ++j) f(row[j]);
  } else {
    for (std::size_t j = 0; j < columns; ++j) f(value_at<T>(m, i, j));
  }
}

/// Properties of an integer matrix that are needed before it is multiplied.
struct integer_summary {
  int128 largest_magnitude = 0;  ///< over the entries that are not `unreachable`
  bool has_unreachable = false;
};

template <class T, class M>
integer_summary summarize(M& m, const matrix_shape& shape, int threads) {
  struct row_summary {
    T lowest = 0;
    T highest = 0;
    bool has_unreachable = false;
  };
  std::vector<row_summary> rows(shape.rows);
  host::parallel_for(shape.rows, writers<M>(threads), [&](std::size_t i) {
    row_summary row;
    visit_row<T>(m, i, shape.columns, [&row](const T& entry) {
      const bool is_unreachable = entry == unreachable<T>;
      const T finite = is_unreachable ? T{0} : entry;
      row.lowest = finite < row.lowest ? finite : row.lowest;
      row.highest = row.highest < finite ? finite : row.highest;
      row.has_unreachable |= is_unreachable;
    });
    rows[i] = row;
  });
  integer_summary all;
  for (const row_summary& row : rows) {
    all.largest_magnitude = std::max({all.largest_magnitude, -static_cast<int128>(row.lowest),
                                      static_cast<int128>(row.highest)});
    all.has_unreachable |= row.has_unreachable;
  }
  return all;
}

/// @throws std::invalid_argument with the position (i, j) of a matrix entry.
[[noreturn]] inline void throw_entry_fault(std::size_t i, std::size_t j, const char* fault) {
  throw std::invalid_argument("apsp: entry (" + std::to_string(i) + ", " + std::to_string(j) +
                              ") of a matrix of a product is " + fault);
}

/// The text for an entry with that fault.
constexpr const char* words_of(edge_fault fault) {
  switch (fault) {
    case edge_fault::not_a_number:
      return "NaN";
    case edge_fault::range:
      return "out of the range of the result";
    default:
      return "no value of this semiring";
  }
}

/// True if the entry is valid in a product: a weight, or one of the semiring's constants.
template <class S>
bool is_admitted(const S& semiring, const typename S::value_type& value) {
  using T = typename S::value_type;
  if constexpr (weight_admitting_semiring<S>) {
    // All conditions are evaluated, without branches, so that the loop over a row is vectorized.
    const bool is_zero = value == T(semiring.zero);
    const bool is_one = value == T(semiring.one);
    return is_zero | is_one | static_cast<bool>(semiring.admits(value));
  } else {
    return true;
  }
}

/// The fault of an entry; null if it is valid.
template <class S, class M>
const char* fault_of(const S& semiring, M& m, std::size_t i, std::size_t j) {
  using T = typename S::value_type;
  auto fault = edge_fault::none;
  const matrix_value_t<M> entry = matrix_entry(m, i, j);
  const T value = to_distance<T>(entry, fault);
  if (fault == edge_fault::not_a_number || fault == edge_fault::range) return words_of(fault);
  return is_admitted(semiring, value) ? nullptr : words_of(edge_fault::not_admitted);
}

/// @return true if no floating-point entry is below zero.
/// @throws std::invalid_argument if an entry is NaN, out of the range of the result, or not a value
/// of the semiring.
template <class S, class M>
bool check_entries(const S& semiring, M& m, const matrix_shape& shape, int threads) {
  using T = typename S::value_type;
  constexpr bool is_converted = !std::is_same_v<T, matrix_value_t<M>>;
  constexpr bool may_be_nan = std::is_floating_point_v<T>;
  constexpr bool may_be_refused = !is_converted && weight_admitting_semiring<S>;
  std::atomic<bool> any_negative = false;
  const auto check_closely = [&](std::size_t i) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      if (const char* fault = fault_of(semiring, m, i, j)) throw_entry_fault(i, j, fault);
    }
  };
  host::parallel_for(shape.rows, writers<M>(threads), [&](std::size_t i) {
    if constexpr (is_converted) check_closely(i);
    if constexpr (may_be_nan || may_be_refused) {
      // A loop without an early exit is vectorized.
      unsigned faults = 0;
      unsigned negative = 0;
      visit_row<T>(m, i, shape.columns, [&](const T& x) {
        if constexpr (may_be_nan) {
          faults |= static_cast<unsigned>(is_nan(x));
          negative |= static_cast<unsigned>(x < T{});
        }
        if constexpr (may_be_refused) faults |= static_cast<unsigned>(!is_admitted(semiring, x));
      });
      if (faults != 0) check_closely(i);
      if (negative != 0) any_negative.store(true, std::memory_order_relaxed);
    }
  });
  return !any_negative;
}

/// The code in which a product of integers is computed, or nothing if a sum might not fit C. The
/// parameters are the largest magnitudes in the matrices.
///
/// With U = max / 2 for unreachable, U + U does not wrap, and the sum of U and any other entry
/// stays above every sum of two reachable entries.
template <class C>
std::optional<distance_code<C>> choose_product_code(int128 left, int128 right, int128 result) {
  const int128 u = largest_value<C>() / 2;
  const int128 from = u - std::max(left, right);
  if (left + right >= from || result >= from) return std::nullopt;
  return distance_code<C>{static_cast<C>(u), C{}, static_cast<C>(from)};
}

/// One product on one backend.
template <class Backend, class S, class A, class B, class D>
class product_call {
  using T = typename S::value_type;

 public:
  product_call(const Backend& backend, const S& semiring, A& a, B& b, D& c,
               const product_shape_of_call& shape)
      : backend_(backend),
        semiring_(semiring),
        a_(a),
        b_(b),
        c_(c),
        shape_(shape),
        copies_a_(may_overlap(c, result_shape(), a, left_shape())),
        copies_b_(may_overlap(c, result_shape(), b, right_shape())) {}

  result run() {
    nonnegative_ = check_entries(semiring_, a_, left_shape(), threads());
    nonnegative_ &= check_entries(semiring_, b_, right_shape(), threads());
    nonnegative_ &= check_entries(semiring_, c_, result_shape(), threads());
    if (shape_.rows == 0 || shape_.columns == 0 || shape_.depth == 0) {
      result done(backend_.name(), algorithm::product);
      if (backend_.watch().stop_requested()) done.set_stopped();
      return done;
    }
    if constexpr (is_min_plus<S> && std::is_integral_v<T>) {
      return run_coded();
    } else {
      return run_as_given();
    }
  }

 private:
  matrix_shape left_shape() const { return {shape_.rows, shape_.depth}; }
  matrix_shape right_shape() const { return {shape_.depth, shape_.columns}; }
  matrix_shape result_shape() const { return {shape_.rows, shape_.columns}; }
  int threads() const { return backend_.host_threads(); }

  template <class P, class Zero>
  bool solve(const P& problem, const Zero& zero, result& done, auto finish) {
    backend_.watch().begin(shape_.depth);
    using semiring = std::remove_cvref_t<decltype(problem.semiring)>;
    product_solver<Backend, semiring> solver(backend_, problem, zero);
    if (!solver.solve() || backend_.watch().stop_requested()) {
      done.set_stopped();
      return false;
    }
    finish(solver);
    solver.store();
    return true;
  }

  result run_as_given() {
    return run_in_own_type(static_cast<T>(semiring_.zero), copies_a_, copies_b_, nullptr,
                           [](auto&) {});
  }

  /// Computes in the narrowest type, at least as wide as the type of the entries, that holds every
  /// sum.
  result run_coded() {
    const auto left = summarize<T>(a_, left_shape(), threads());
    const auto right = summarize<T>(b_, right_shape(), threads());
    const auto result = summarize<T>(c_, result_shape(), threads());
    const auto choose = [&]<class C>(C) {
      return choose_product_code<C>(left.largest_magnitude, right.largest_magnitude,
                                    result.largest_magnitude);
    };
    constexpr bool has_kernels = std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>;
    if constexpr (has_kernels) {
      if (auto code = choose(T{})) return run_coded_in_own_type(*code, left, right);
    }
    if constexpr (!has_kernels && sizeof(T) <= 4) {
      if (auto code = choose(std::int32_t{})) return run_in(*code);
    }
    if constexpr (!has_kernels || sizeof(T) <= 4) {
      if (auto code = choose(std::int64_t{})) return run_in(*code);
    }
    return run_in(*choose(int128{}));
  }

  /// A factor without unreachable entries needs no coding. The result may hold `unreachable`
  /// unchanged: its entries are compared with sums, but are not added.
  result run_coded_in_own_type(const distance_code<T>& code, const integer_summary& left,
                               const integer_summary& right) {
    return run_in_own_type(
        code.unreachable, copies_a_ || left.has_unreachable, copies_b_ || right.has_unreachable,
        [&code](const T& entry) { return encoded(entry, code); },
        [&code](auto& solver) { solver.replace_from(code.unreachable_from, unreachable<T>); });
  }

  /// @param must_copy_a, must_copy_b, encode  as for `factor_rows`.
  template <class Encode, class Finish>
  result run_in_own_type(const T& zero, bool must_copy_a, bool must_copy_b, Encode encode,
                         Finish finish) {
    result done(backend_.name(), algorithm::product);
    const factor_rows<T> a(std::type_identity<T>{}, a_, left_shape(), must_copy_a, threads(),
                           encode);
    const factor_rows<T> b(std::type_identity<T>{}, b_, right_shape(), must_copy_b, threads(),
                           encode);
    matrix_rows<T> c(c_, result_shape(), false);
    if (!c.in_place()) {
      host::parallel_for(shape_.rows, writers<D>(threads()), [&](std::size_t i) {
        for (std::size_t j = 0; j < shape_.columns; ++j) c.data()[i][j] = matrix_entry(c_, i, j);
      });
    }
    const host::product_problem<S> problem{semiring_, shape_.rows, shape_.depth, shape_.columns,
                                           a.data(),  b.data(),    c.data(),     nonnegative_};
    if (!solve(problem, zero, done, finish)) return done;
    if (!c.in_place()) {
      host::parallel_for(shape_.rows, writers<D>(threads()), [&](std::size_t i) {
        for (std::size_t j = 0; j < shape_.columns; ++j) matrix_entry(c_, i, j) = c.data()[i][j];
      });
    }
    return done;
  }

  template <class C>
  static C encoded(const T& entry, const distance_code<C>& code) {
    return entry == unreachable<T> ? code.unreachable : static_cast<C>(entry);
  }

  /// Computes in a type other than that of the entries.
  template <class C>
  result run_in(const distance_code<C>& code) {
    result done(backend_.name(), algorithm::product);
    const auto encode = [&code](const T& entry) { return encoded(entry, code); };
    const factor_rows<C> a(std::type_identity<T>{}, a_, left_shape(), true, threads(), encode);
    const factor_rows<C> b(std::type_identity<T>{}, b_, right_shape(), true, threads(), encode);
    matrix<C> sums(shape_.rows, shape_.columns);
    const matrix_rows<C> c(sums, result_shape(), false);
    host::parallel_for(shape_.rows, writers<D>(threads()), [&](std::size_t i) {
      for (std::size_t j = 0; j < shape_.columns; ++j) sums[i][j] = encode(matrix_entry(c_, i, j));
    });
    const host::product_problem<min_plus<C>> problem{
        {}, shape_.rows, shape_.depth, shape_.columns, a.data(), b.data(), c.data(), false};
    const auto finish = [&](auto& solver) {
      solver.replace_from(code.unreachable_from, largest_value<C>());
    };
    if (!solve(problem, code.unreachable, done, finish)) return done;
    std::atomic<bool> any_cut = false;
    host::parallel_for(shape_.rows, writers<D>(threads()), [&](std::size_t i) {
      bool row_was_cut = false;
      for (std::size_t j = 0; j < shape_.columns; ++j) {
        matrix_entry(c_, i, j) =
            decoded_distance<T>(sums[i][j], code.unreachable_from, row_was_cut);
      }
      if (row_was_cut) any_cut.store(true, std::memory_order_relaxed);
    });
    done.set_saturated(any_cut);
    return done;
  }

  const Backend& backend_;
  const S& semiring_;
  A& a_;
  B& b_;
  D& c_;
  product_shape_of_call shape_;
  bool copies_a_;
  bool copies_b_;
  bool nonnegative_ = false;
};

}  // namespace apsp::detail

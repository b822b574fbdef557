// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../../../apsp/matrix.hpp"
#include "../../../apsp/matrix_traits.hpp"
#include "../../../apsp/policy.hpp"
#include "../../../apsp/result.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../host/parallel_for.hpp"
#include "../../matrix/memory.hpp"
#include "../../matrix/part.hpp"
#include "../../matrix/product_shape.hpp"
#include "../../matrix/rows.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/int128.hpp"
#include "../../values/not_a_number.hpp"
#include "../../values/weight.hpp"
#include "../products/host/product.hpp"
#include "../solvers/solvers.hpp"
#include "product_call.hpp"

// The operands of a product in host memory, in matrices of any kind.
namespace apsp::inline v1::detail {

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
  /// @param encode     converts a `Value` to a T of the copy.
  template <class Value, class M, class Encode>
  factor_rows(std::type_identity<Value>, M& m, const matrix_shape& shape, bool must_copy,
              int threads, Encode encode)
      : rows_(shape.rows) {
    if (!must_copy && read_in_place(m, shape)) return;
    own_ = matrix<T>(shape.rows, shape.columns);
    host::parallel_for(shape.rows, writers<M>(threads), [&](std::size_t i) {
      for (std::size_t j = 0; j < shape.columns; ++j) {
        const Value entry = value_at<Value>(m, i, j);
        own_[i][j] = encode(entry);
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

template <class T, class M>
operand_range range_of(M& m, const matrix_shape& shape, int threads) {
  struct row_range {
    T lowest = 0;
    T highest = 0;
    bool has_unreachable = false;
  };
  std::vector<row_range> rows(shape.rows);
  host::parallel_for(shape.rows, writers<M>(threads), [&](std::size_t i) {
    row_range row;
    visit_row<T>(m, i, shape.columns, [&row](const T& entry) {
      const bool is_unreachable = entry == unreachable<T>;
      const T finite = is_unreachable ? T{0} : entry;
      row.lowest = finite < row.lowest ? finite : row.lowest;
      row.highest = row.highest < finite ? finite : row.highest;
      row.has_unreachable |= is_unreachable;
    });
    rows[i] = row;
  });
  operand_range all;
  for (const row_range& row : rows) {
    all.largest_magnitude = std::max({all.largest_magnitude, -static_cast<int128>(row.lowest),
                                      static_cast<int128>(row.highest)});
    all.has_unreachable |= row.has_unreachable;
  }
  return all;
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

/// @param first_row  the number of the first row, for messages.
/// @return true if no floating-point entry is below zero.
/// @throws std::invalid_argument if an entry is NaN, out of the range of the result, or not a value
/// of the semiring.
template <class S, class M>
bool check_entries(const S& semiring, M& m, const matrix_shape& shape, int threads,
                   std::size_t first_row = 0) {
  using T = typename S::value_type;
  constexpr bool is_converted = !std::is_same_v<T, matrix_value_t<M>>;
  constexpr bool may_be_nan = std::is_floating_point_v<T>;
  constexpr bool may_be_refused = !is_converted && weight_admitting_semiring<S>;
  std::atomic<bool> any_negative = false;
  const auto check_closely = [&](std::size_t i) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      if (const char* fault = fault_of(semiring, m, i, j)) {
        throw_entry_fault(first_row + i, j, fault);
      }
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

/// The shapes of the operands of a product in host memory: of whole matrices, or of rows of them.
struct operand_shapes {
  explicit operand_shapes(const product_shape_of_call& whole)
      : left{whole.rows, whole.depth},
        right{whole.depth, whole.columns},
        result{whole.rows, whole.columns} {}
  /// Some rows of the left factor and the result, and some of the right factor.
  operand_shapes(const product_shape_of_call& whole, const index_part& rows,
                 const index_part& right_rows)
      : left{rows.count, whole.depth},
        right{right_rows.count, whole.columns},
        result{rows.count, whole.columns},
        first_row(rows.first),
        first_right_row(right_rows.first) {}

  matrix_shape left;
  matrix_shape right;
  matrix_shape result;
  std::size_t first_row = 0;
  std::size_t first_right_row = 0;
};

/// The operands of a product of entries T in the caller's matrices, or in rows of them.
template <class A, class B, class D>
class host_operands {
  using T = matrix_value_t<D>;

 public:
  host_operands(A& a, B& b, D& c, const operand_shapes& shapes, int threads)
      : a_(a),
        b_(b),
        c_(c),
        shapes_(shapes),
        threads_(threads),
        copies_a_(may_overlap(c, shapes.result, a, shapes.left)),
        copies_b_(may_overlap(c, shapes.result, b, shapes.right)) {}

  /// @throws std::invalid_argument as `detail::check_entries`.
  template <class S>
  operand_ranges check_entries(const S& semiring) const {
    operand_ranges found;
    found.nonnegative = check_factors(semiring);
    found.nonnegative &= check_result(semiring);
    if constexpr (is_min_plus<S> && std::is_integral_v<T>) {
      found.left = range_of<T>(a_, shapes_.left, threads_);
      found.right = range_of<T>(b_, shapes_.right, threads_);
      found.result = range_of<T>(c_, shapes_.result, threads_);
    }
    return found;
  }
  /// The same for the factors or the result alone, without the ranges of integers.
  template <class S>
  bool check_factors(const S& semiring) const {
    bool nonnegative =
        detail::check_entries(semiring, a_, shapes_.left, threads_, shapes_.first_row);
    nonnegative &=
        detail::check_entries(semiring, b_, shapes_.right, threads_, shapes_.first_right_row);
    return nonnegative;
  }
  template <class S>
  bool check_result(const S& semiring) const {
    return detail::check_entries(semiring, c_, shapes_.result, threads_, shapes_.first_row);
  }

  /// The rows that solvers over @p S read and write, with integers in a Code (a `distance_code`, or
  /// `uncoded`).
  template <class S, class Code>
  class rows {
    using C = typename S::value_type;

   public:
    static constexpr bool is_coded = is_min_plus<S> && is_coded_integer<C>;
    static constexpr bool is_own_type = std::is_same_v<C, T>;

    rows(const host_operands& operands, const Code& code, const operand_ranges& found)
        : operands_(operands),
          code_(code),
          a_(operands.factor<C>(operands.a_, operands.shapes_.left,
                                operands.copies_a_ || must_encode(found.left), encoder())),
          b_(operands.factor<C>(operands.b_, operands.shapes_.right,
                                operands.copies_b_ || must_encode(found.right), encoder())),
          own_(is_own_type ? 0 : operands.shapes_.result.rows,
               is_own_type ? 0 : operands.shapes_.result.columns),
          c_(result_rows()),
          is_in_place_(is_own_type && c_.in_place()) {
      if (is_in_place_) return;
      // In its own type the result may hold `unreachable` unchanged: its entries are compared with
      // sums, but are not added.
      operands.for_each_entry([&](std::size_t i, std::size_t j) {
        const T entry = matrix_entry(operands.c_, i, j);
        if constexpr (is_own_type) {
          c_.data()[i][j] = entry;
        } else {
          c_.data()[i][j] = encoder()(entry);
        }
      });
    }
    rows(const rows&) = delete;
    rows& operator=(const rows&) = delete;

    const C* const* a() const { return a_.data(); }
    const C* const* b() const { return b_.data(); }
    C* const* c() const { return c_.data(); }

    /// Writes the result to the caller's matrix, unless it is there already.
    /// @return true if an entry was cut to the range of T.
    bool write() const {
      if (is_in_place_) return false;
      std::atomic<bool> any_cut = false;
      operands_.for_each_entry([&](std::size_t i, std::size_t j) {
        if constexpr (is_own_type) {
          matrix_entry(operands_.c_, i, j) = c_.data()[i][j];
        } else {
          bool was_cut = false;
          matrix_entry(operands_.c_, i, j) =
              decoded_distance<T>(c_.data()[i][j], code_.unreachable_from, was_cut);
          if (was_cut) any_cut.store(true, std::memory_order_relaxed);
        }
      });
      return any_cut;
    }

   private:
    /// A factor without unreachable entries needs no coding in its own type.
    static bool must_encode(const operand_range& factor) {
      return is_coded && (!is_own_type || factor.has_unreachable);
    }
    auto encoder() const {
      if constexpr (is_coded) {
        return [code = code_](const T& entry) {
          return entry == unreachable<T> ? code.unreachable : static_cast<C>(entry);
        };
      } else {
        return [](const T& entry) { return entry; };
      }
    }
    matrix_rows<C> result_rows() {
      if constexpr (is_own_type) {
        return matrix_rows<C>(operands_.c_, operands_.shapes_.result, false);
      } else {
        return matrix_rows<C>(own_, operands_.shapes_.result, false);
      }
    }

    const host_operands& operands_;
    Code code_;
    factor_rows<C> a_;
    factor_rows<C> b_;
    matrix<C> own_;
    matrix_rows<C> c_;
    bool is_in_place_;
  };

 private:
  template <class C, class M, class Encode>
  factor_rows<C> factor(M& m, const matrix_shape& shape, bool must_copy, Encode encode) const {
    return {std::type_identity<T>{}, m, shape, must_copy, threads_, encode};
  }
  template <class F>
  void for_each_entry(F f) const {
    host::parallel_for(shapes_.result.rows, writers<D>(threads_), [&](std::size_t i) {
      for (std::size_t j = 0; j < shapes_.result.columns; ++j) f(i, j);
    });
  }

  A& a_;
  B& b_;
  D& c_;
  operand_shapes shapes_;
  int threads_;
  bool copies_a_;
  bool copies_b_;
};

/// The operands of a product of entries T, on any backend.
template <class Backend, class A, class B, class D>
class host_product {
  using T = matrix_value_t<D>;

 public:
  host_product(const Backend& backend, A& a, B& b, D& c, const product_shape_of_call& shape)
      : backend_(backend),
        shape_(shape),
        operands_(a, b, c, operand_shapes(shape), backend.host_threads()) {}

  backend name() const { return backend_.name(); }
  monitor& watch() const { return backend_.watch(); }
  bool stop_requested() const { return watch().stop_requested(); }
  bool is_empty() const { return shape_.rows == 0 || shape_.columns == 0 || shape_.depth == 0; }

  /// @throws std::invalid_argument as `detail::check_entries`.
  template <class S>
  operand_ranges check_entries(const S& semiring) const {
    return is_checked_later<S>() ? operand_ranges{} : operands_.check_entries(semiring);
  }

  /// Computes the product over @p semiring, whose type may be other than that of the entries, with
  /// integers in @p code (a `distance_code`, or `uncoded`).
  template <class S, class Code, class C = typename S::value_type>
  void multiply(const S& semiring, const Code& code, const operand_ranges& found, result& done) {
    using operand_rows = typename host_operands<A, B, D>::template rows<S, Code>;
    const operand_rows rows(operands_, code, found);
    const host::product_problem<S> problem{semiring,
                                           shape_.rows,
                                           shape_.depth,
                                           shape_.columns,
                                           rows.a(),
                                           rows.b(),
                                           rows.c(),
                                           operand_rows::is_own_type && found.nonnegative,
                                           is_checked_later<S>()};
    watch().begin(shape_.depth);
    product_solver<Backend, S> solver(backend_, problem, code.unreachable);
    const bool finished = solver.solve();
    if constexpr (may_be_checked_later<S>) {
      // The position is for the message.
      if (solver.found_nan()) operands_.check_factors(semiring);
    }
    if (!finished || stop_requested()) {
      done.set_stopped();
      return;
    }
    // The device is still computing.
    if (is_checked_later<S>()) operands_.check_result(semiring);
    if constexpr (operand_rows::is_coded) {
      solver.replace_from(code.unreachable_from, largest_value<C>());
    }
    solver.store();
    done.set_saturated(rows.write());
  }

 private:
  /// True if entries may be searched for NaN while a device computes: factors there, and C here.
  template <class S>
  static constexpr bool may_be_checked_later =
      std::is_same_v<Backend, cuda_backend> && std::is_floating_point_v<T> &&
      std::is_same_v<T, typename S::value_type> && !weight_admitting_semiring<S> &&
      std::is_same_v<T, matrix_value_t<A>> && std::is_same_v<T, matrix_value_t<B>>;
  template <class S>
  bool is_checked_later() const {
    // The host finds NaN in fewer entries before the device would answer.
    constexpr std::size_t least_entries = std::size_t{1} << 20;
    return may_be_checked_later<S> && !is_empty() &&
           shape_.depth >= least_entries / (shape_.rows + shape_.columns);
  }

  const Backend& backend_;
  product_shape_of_call shape_;
  host_operands<A, B, D> operands_;
};

}  // namespace apsp::inline v1::detail

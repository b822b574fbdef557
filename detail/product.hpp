// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../apsp/matrix.hpp"
#include "../apsp/matrix_traits.hpp"
#include "../apsp/result.hpp"
#include "../apsp/semiring.hpp"
#include "../apsp/unreachable.hpp"
#include "closure.hpp"
#include "distance_code.hpp"
#include "host/parallel_for.hpp"
#include "host/product.hpp"
#include "int128.hpp"
#include "matrix_rows.hpp"

// The product of two matrices of any kind: shapes, operands that overlap the result, and integers
// whose sums might not fit.
namespace apsp::detail {

/// The rows, depth and columns of a product.
struct product_shape_of_call {
  std::size_t rows = 0;
  std::size_t depth = 0;
  std::size_t columns = 0;
};

/// @throws std::invalid_argument unless a is m x k, b is k x n and c is m x n.
template <class A, class B, class C>
product_shape_of_call check_product(A& a, B& b, C& c) {
  static_assert(has_matrix_shape<A> && has_matrix_shape<B> && has_matrix_shape<C>,
                "apsp: the matrices of a product must tell their shapes");
  const auto shape = [](auto& m, const char* name) {
    const auto found = shape_of(m);
    if (!found) {
      throw std::invalid_argument("apsp: " + std::string(name) + " has rows of unequal length");
    }
    return *found;
  };
  const matrix_shape left = shape(a, "the left factor");
  const matrix_shape right = shape(b, "the right factor");
  const matrix_shape result = shape(c, "the result of a product");
  const auto name = [](const matrix_shape& s) {
    return std::to_string(s.rows) + " x " + std::to_string(s.columns);
  };
  // A range of no rows has no columns to count.
  const bool rows_fit = left.rows == result.rows;
  const bool depth_fits = left.columns == right.rows || (left.rows == 0 && range_of_rows<A>);
  const bool columns_fit = right.columns == result.columns ||
                           (right.rows == 0 && range_of_rows<B>) ||
                           (result.rows == 0 && range_of_rows<C>);
  if (!rows_fit || !depth_fits || !columns_fit) {
    throw std::invalid_argument("apsp: a matrix of " + name(left) + " times one of " + name(right) +
                                " does not fit a result of " + name(result));
  }
  return {result.rows, right.rows, result.columns};
}

/// The bytes that row @p i of a matrix takes, from its first entry to behind its last.
struct byte_range {
  const unsigned char* begin;
  const unsigned char* end;
};

/// The memory of the entries of a matrix, range by range; empty where it is not known.
template <class M>
std::vector<byte_range> memory_of(M& m, const matrix_shape& shape) {
  std::vector<byte_range> ranges;
  if (shape.rows == 0 || shape.columns == 0) return ranges;
  const auto add = [&](const auto* first, const auto* last) {
    if (std::less<>{}(last, first)) std::swap(first, last);
    ranges.push_back({reinterpret_cast<const unsigned char*>(first),
                      reinterpret_cast<const unsigned char*>(last + 1)});
  };
  if constexpr (strided<M>) {
    const auto layout = matrix_layout(m);
    const auto rows = static_cast<std::ptrdiff_t>(shape.rows);
    const auto columns = static_cast<std::ptrdiff_t>(shape.columns);
    const auto* corner = layout.data;
    const std::ptrdiff_t down = (rows - 1) * layout.row_stride;
    const std::ptrdiff_t across = (columns - 1) * layout.column_stride;
    add(corner + std::min<std::ptrdiff_t>(down, 0) + std::min<std::ptrdiff_t>(across, 0),
        corner + std::max<std::ptrdiff_t>(down, 0) + std::max<std::ptrdiff_t>(across, 0));
  } else if constexpr (range_of_contiguous_rows<M>) {
    for (std::size_t i = 0; i < shape.rows; ++i) {
      const auto* row = std::data(m[i]);
      add(row, row + shape.columns - 1);
    }
  }
  return ranges;
}

/// True if two matrices share memory, or may do so.
template <class X, class Y>
bool may_overlap(X& x, const matrix_shape& x_shape, Y& y, const matrix_shape& y_shape) {
  constexpr bool known =
      (strided<X> || range_of_contiguous_rows<X>)&&(strided<Y> || range_of_contiguous_rows<Y>);
  if constexpr (!known) {
    return static_cast<const void*>(std::addressof(x)) ==
           static_cast<const void*>(std::addressof(y));
  } else {
    auto xs = memory_of(x, x_shape);
    auto ys = memory_of(y, y_shape);
    const auto by_begin = [](const byte_range& a, const byte_range& b) {
      return std::less<>{}(a.begin, b.begin);
    };
    std::sort(xs.begin(), xs.end(), by_begin);
    std::sort(ys.begin(), ys.end(), by_begin);
    auto y_range = ys.begin();
    for (const byte_range& x_range : xs) {
      while (y_range != ys.end() && !std::less<>{}(x_range.begin, y_range->end)) ++y_range;
      if (y_range != ys.end() && std::less<>{}(y_range->begin, x_range.end)) return true;
    }
    return false;
  }
}

/// The rows of a factor as the kernels read them: the caller's own memory where that may be, and
/// otherwise a copy.
template <class T>
class factor_rows {
 public:
  /// @param convert  an entry as a T; null: entries are T as they are, and may be read in place.
  template <class M, class Convert>
  factor_rows(M& m, const matrix_shape& shape, bool must_copy, int threads, Convert convert)
      : rows_(shape.rows) {
    if constexpr (std::is_same_v<Convert, std::nullptr_t>) {
      if (!must_copy && read_in_place(m, shape)) return;
    }
    own_ = matrix<T>(shape.rows, shape.columns);
    host::parallel_for(shape.rows, threads, [&](std::size_t i) {
      for (std::size_t j = 0; j < shape.columns; ++j) {
        if constexpr (std::is_same_v<Convert, std::nullptr_t>) {
          own_[i][j] = static_cast<T>(matrix_entry(m, i, j));
        } else {
          own_[i][j] = convert(matrix_entry(m, i, j));
        }
      }
    });
    for (std::size_t i = 0; i < shape.rows; ++i) rows_[i] = own_[i];
  }

  const T* const* data() const { return rows_.data(); }

 private:
  template <class M>
  bool read_in_place(M& m, const matrix_shape& shape) {
    if constexpr (!std::is_same_v<matrix_value_t<M>, T>) {
      return false;
    } else if constexpr (strided<M>) {
      const auto layout = matrix_layout(m);
      if (layout.column_stride != 1) return false;
      for (std::size_t i = 0; i < shape.rows; ++i) {
        rows_[i] = layout.data + static_cast<std::ptrdiff_t>(i) * layout.row_stride;
      }
      return true;
    } else if constexpr (range_of_contiguous_rows<M>) {
      for (std::size_t i = 0; i < shape.rows; ++i) rows_[i] = std::data(m[i]);
      return true;
    } else {
      return false;
    }
  }

  std::vector<const T*> rows_;
  matrix<T> own_;
};

/// The largest magnitude among the finite entries of a matrix of integers.
template <class T, class M>
int128 largest_magnitude(M& m, const matrix_shape& shape, int threads) {
  std::vector<int128> of_row(shape.rows, 0);
  host::parallel_for(shape.rows, threads, [&](std::size_t i) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      const T entry = static_cast<T>(matrix_entry(m, i, j));
      if (entry == unreachable<T>) continue;
      const auto wide = static_cast<int128>(entry);
      of_row[i] = std::max(of_row[i], wide < 0 ? -wide : wide);
    }
  });
  int128 largest = 0;
  for (const int128 magnitude : of_row) largest = std::max(largest, magnitude);
  return largest;
}

/// @throws std::invalid_argument if an entry is NaN or no value of the semiring.
template <class S, class M>
void check_entries(const S& semiring, M& m, const matrix_shape& shape, int threads) {
  using T = typename S::value_type;
  constexpr bool may_be_refused = std::is_floating_point_v<T> || requires(const T& x) {
    semiring.admits(x);
  };
  if constexpr (may_be_refused) {
    host::parallel_for(shape.rows, threads, [&](std::size_t i) {
      for (std::size_t j = 0; j < shape.columns; ++j) {
        const T entry = static_cast<T>(matrix_entry(m, i, j));
        const auto refuse = [&](const char* why) {
          throw std::invalid_argument("apsp: entry (" + std::to_string(i) + ", " +
                                      std::to_string(j) + ") of a matrix of a product is " + why);
        };
        if (!(entry == entry)) refuse("NaN");
        if constexpr (requires { semiring.admits(entry); }) {
          if (!semiring.admits(entry)) refuse("no value of this semiring");
        }
      }
    });
  }
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
    if (shape_.rows == 0 || shape_.columns == 0 || shape_.depth == 0) {
      return result(backend_.name(), algorithm::product);
    }
    check_entries(semiring_, a_, left_shape(), threads());
    check_entries(semiring_, b_, right_shape(), threads());
    check_entries(semiring_, c_, result_shape(), threads());
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
    typename Backend::template product_solver<semiring> solver(backend_, problem, zero);
    if (!solver.solve() || backend_.watch().stop_requested()) {
      done.set_stopped();
      return false;
    }
    finish(solver);
    solver.store();
    return true;
  }

  result run_as_given() {
    result done(backend_.name(), algorithm::product);
    const factor_rows<T> a(a_, left_shape(), copies_a_, threads(), nullptr);
    const factor_rows<T> b(b_, right_shape(), copies_b_, threads(), nullptr);
    matrix_rows<T> c(c_, result_shape(), false);
    if (!c.in_place()) {
      host::parallel_for(shape_.rows, threads(), [&](std::size_t i) {
        for (std::size_t j = 0; j < shape_.columns; ++j) c.data()[i][j] = matrix_entry(c_, i, j);
      });
    }
    const host::product_problem<S> problem{semiring_, shape_.rows, shape_.depth, shape_.columns,
                                           a.data(),  b.data(),    c.data()};
    if (!solve(problem, static_cast<T>(semiring_.zero), done, [](auto&) {})) return done;
    if (!c.in_place()) {
      host::parallel_for(shape_.rows, writers<D>(threads()), [&](std::size_t i) {
        for (std::size_t j = 0; j < shape_.columns; ++j) matrix_entry(c_, i, j) = c.data()[i][j];
      });
    }
    return done;
  }

  /// In the narrowest type, from that of the entries on, that holds every sum.
  result run_coded() {
    const int128 left = largest_magnitude<T>(a_, left_shape(), threads());
    const int128 right = largest_magnitude<T>(b_, right_shape(), threads());
    const int128 result = largest_magnitude<T>(c_, result_shape(), threads());
    if constexpr (sizeof(T) <= 4) {
      if (auto code = choose_product_code<std::int32_t>(left, right, result)) return run_in(*code);
    }
    if (auto code = choose_product_code<std::int64_t>(left, right, result)) return run_in(*code);
    return run_in(*choose_product_code<int128>(left, right, result));
  }

  /// With U = max / 2 for unreachable, U + U does not wrap, and the sum of U and another entry stays
  /// above every sum of two others.
  template <class C>
  static std::optional<distance_code<C>> choose_product_code(int128 left, int128 right,
                                                             int128 result) {
    const int128 u = largest_value<C>() / 2;
    const int128 from = u - std::max(left, right);
    if (left + right >= from || result >= from) return std::nullopt;
    return distance_code<C>{static_cast<C>(u), C{}, static_cast<C>(from)};
  }

  template <class C>
  result run_in(const distance_code<C>& code) {
    result done(backend_.name(), algorithm::product);
    const auto encode = [&code](const auto& entry) {
      const T value = static_cast<T>(entry);
      return value == unreachable<T> ? code.unreachable : static_cast<C>(value);
    };
    const factor_rows<C> a(a_, left_shape(), true, threads(), encode);
    const factor_rows<C> b(b_, right_shape(), true, threads(), encode);
    matrix<C> sums(shape_.rows, shape_.columns);
    const matrix_rows<C> c(sums, result_shape(), false);
    host::parallel_for(shape_.rows, threads(), [&](std::size_t i) {
      for (std::size_t j = 0; j < shape_.columns; ++j) sums[i][j] = encode(matrix_entry(c_, i, j));
    });
    const host::product_problem<min_plus<C>> problem{
        {}, shape_.rows, shape_.depth, shape_.columns, a.data(), b.data(), c.data()};
    const auto finish = [&](auto& solver) {
      solver.replace_from(code.unreachable_from, largest_value<C>());
    };
    if (!solve(problem, code.unreachable, done, finish)) return done;
    std::vector<char> cut(shape_.rows, 0);
    host::parallel_for(shape_.rows, writers<D>(threads()), [&](std::size_t i) {
      bool row_was_cut = false;
      for (std::size_t j = 0; j < shape_.columns; ++j) {
        matrix_entry(c_, i, j) =
            decoded_distance<T>(sums[i][j], code.unreachable_from, row_was_cut);
      }
      cut[i] = row_was_cut ? 1 : 0;
    });
    done.set_saturated(std::find(cut.begin(), cut.end(), 1) != cut.end());
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
};

}  // namespace apsp::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <type_traits>

#include "../../../apsp/matrix_traits.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../host/serial_calls.hpp"
#include "../../matrix/row_record.hpp"
#include "../../matrix/rows.hpp"
#include "../../values/decay.hpp"

// Destinations of finished rows: the caller's matrices, or a user-defined function.
namespace apsp::inline v1::detail {

/// A vertex and its distance from the source of a row.
template <class T>
struct reached_vertex {
  std::int32_t vertex;
  T distance;
};

/// Receives the rows of a call, from several threads. The algorithms are compiled for this
/// interface rather than for every matrix type.
template <class T>
class row_output {
 public:
  using value_type = T;

  /// @param targets        the vertices whose distances are read; empty for all.
  /// @param takes_reached  `write_reached` may take the place of `write`.
  explicit row_output(bool wants_predecessors, std::span<const std::int32_t> targets = {},
                      bool takes_reached = false)
      : wants_predecessors_(wants_predecessors), takes_reached_(takes_reached), targets_(targets) {}
  row_output(const row_output&) = delete;
  row_output& operator=(const row_output&) = delete;

  bool wants_predecessors() const { return wants_predecessors_; }
  std::span<const std::int32_t> targets() const { return targets_; }
  bool takes_reached() const { return takes_reached_; }

  /// The row if it can be written in place, otherwise null.
  virtual T* distances(std::size_t row) = 0;
  virtual std::int32_t* predecessors(std::size_t row) = 0;

  /// If the rows are only summed up: the totals of each row, which solvers may write in place of
  /// the rows. Otherwise null.
  virtual row_record<T>* records() { return nullptr; }
  /// If only amounts are added up: what sums solvers may pass in place of the rows. Otherwise null.
  virtual const weighed_amounts<T>* amounts() const { return nullptr; }
  /// Receives the sums of a row.
  virtual void write_sums(std::size_t /*row*/, std::span<const double> /*sums*/) {}

  /// Receives a finished row, which may already be in place.
  virtual void write(std::size_t row, std::size_t source, const T* distances,
                     const std::int32_t* predecessors) = 0;
  /// Receives a finished row as a list of all vertices of `targets` that have a distance, in any
  /// order, in which vertices may repeat. The list may be changed.
  virtual void write_reached(std::size_t /*row*/, std::size_t /*source*/,
                             std::span<reached_vertex<T>> /*reached*/) {}

 protected:
  ~row_output() = default;

 private:
  bool wants_predecessors_;
  bool takes_reached_;
  std::span<const std::int32_t> targets_;
};

/// Row r of the matrices belongs to source r of the call.
template <class D, class P>
class matrix_output final : public row_output<matrix_value_t<D>> {
  using T = matrix_value_t<D>;
  static constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  matrix_output(D& distances, P& predecessors, std::size_t num_vertices)
      : row_output<T>(with_predecessors),
        distances_(distances),
        predecessors_(predecessors),
        num_vertices_(num_vertices) {}

  T* distances(std::size_t row) override { return contiguous_row<T>(distances_, row); }
  std::int32_t* predecessors([[maybe_unused]] std::size_t row) override {
    if constexpr (with_predecessors) {
      return contiguous_row<std::int32_t>(predecessors_, row);
    } else {
      return nullptr;
    }
  }

  void write(std::size_t row, std::size_t, const T* distances,
             const std::int32_t* predecessors) override {
    copy(distances_, row, distances, [](const T& d) -> const T& { return d; });
    if constexpr (with_predecessors) {
      using index = matrix_value_t<P>;
      copy(predecessors_, row, predecessors,
           [](std::int32_t p) { return p < 0 ? no_predecessor<index> : static_cast<index>(p); });
    }
  }

 private:
  template <class M, class X, class Convert>
  void copy(M& m, std::size_t row, const X* values, Convert convert) {
    if (values == contiguous_row<X>(m, row)) return;
    const auto assign = [&] {
      for (std::size_t v = 0; v < num_vertices_; ++v) matrix_entry(m, row, v) = convert(values[v]);
    };
    if constexpr (can_be_written_by_threads<M>) {
      assign();
    } else {
      const std::lock_guard lock(mutex_);
      assign();
    }
  }

  D& distances_;
  P& predecessors_;
  std::size_t num_vertices_;
  std::mutex mutex_;
};

/// The ways in which `for_each_row` calls a function.
enum class row_call { none, tree, row, index_and_tree, index_and_row };

/// The first way in which an F can be called. The others are not tried, since testing a function of
/// any arguments may be an error inside it.
template <class T, class F>
constexpr row_call find_row_call() {
  using index = std::size_t;
  using row = std::span<const T>;
  using tree = std::span<const std::int32_t>;
  if constexpr (std::invocable<F&, index, row, tree>) {
    return row_call::tree;
  } else if constexpr (std::invocable<F&, index, row>) {
    return row_call::row;
  } else if constexpr (std::invocable<F&, index, index, row, tree>) {
    return row_call::index_and_tree;
  } else if constexpr (std::invocable<F&, index, index, row>) {
    return row_call::index_and_row;
  } else {
    return row_call::none;
  }
}

/// Checks the function of a call whose distances are of type T.
template <class T, class F>
constexpr bool check_row_function() {
  constexpr bool is_callable = find_row_call<T, F>() != row_call::none;
  static_assert(is_callable,
                "apsp: for_each_row: the function cannot be called as f(source, distances), "
                "f(source, distances, predecessors), f(row, source, distances) or f(row, source, "
                "distances, predecessors), where row and source are std::size_t, distances is a "
                "std::span<const Distance>, by default of the type of the weights, and "
                "predecessors is a std::span<const std::int32_t>");
  return is_callable;
}

/// Passes each row to a function, one at a time, until it throws.
template <class T, class F>
class function_output final : public row_output<T> {
  static constexpr row_call call = find_row_call<T, F>();
  static constexpr bool with_predecessors =
      call == row_call::tree || call == row_call::index_and_tree;
  static constexpr bool with_index =
      call == row_call::index_and_tree || call == row_call::index_and_row;

 public:
  /// @param first_row  the position of the first source in the list of the caller.
  function_output(F& f, std::size_t num_vertices, std::size_t first_row = 0)
      : row_output<T>(with_predecessors),
        f_(f),
        num_vertices_(num_vertices),
        first_row_(first_row) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  void write(std::size_t row, std::size_t source, const T* distances,
             [[maybe_unused]] const std::int32_t* predecessors) override {
    const auto pass = [&](auto... place) {
      const std::span<const T> lengths(distances, num_vertices_);
      if constexpr (with_predecessors) {
        f_(place..., lengths, std::span<const std::int32_t>(predecessors, num_vertices_));
      } else {
        f_(place..., lengths);
      }
    };
    calls_.run([&] {
      if constexpr (with_index) {
        pass(first_row_ + row, source);
      } else {
        pass(source);
      }
    });
  }

 private:
  F& f_;
  std::size_t num_vertices_;
  std::size_t first_row_;
  serial_calls calls_;
};

}  // namespace apsp::inline v1::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../apsp/matrix_traits.hpp"
#include "../../../apsp/npy.hpp"
#include "../../../apsp/policy.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../call/request.hpp"
#include "../../graph/adjacency.hpp"
#include "../../graph/edges.hpp"
#include "../../graph/semiring_edges.hpp"
#include "../../graph/trees.hpp"
#include "../../host/parallel_for.hpp"
#include "../../matrix/part.hpp"
#include "../../matrix/results.hpp"
#include "../../matrix/rows.hpp"
#include "../../values/cutoff.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/exact_sum.hpp"
#include "../../values/int128.hpp"
#include "../../values/kernel_semirings.hpp"
#include "../../values/weight.hpp"
#include "../checkpoints/checkpoint_subject.hpp"
#include "../problem/matrix_source.hpp"

// What the entries of a matrix mean while its closure is computed: `coded_sums` for distances,
// `semiring_values` for all other semirings. Both have the same interface; `closure_call` and the
// places of its results are templates of it.
namespace apsp::inline v1::detail {

/// Entries of type C in host memory in rows, and predecessors (null if none are wanted).
template <class C>
struct host_rows {
  C* const* values;
  std::int32_t* const* predecessors;
  int threads;
  matrix_part part;  ///< The part of the matrix that these are.
};

/// Distances of type T, computed in type C.
template <class C, class T>
class coded_sums {
 public:
  using semiring_type = min_plus<C>;
  using computed_type = C;
  using value_type = T;
  static constexpr bool are_sums = true;
  /// The kernels may compute the transposed matrix.
  static constexpr bool can_transpose = true;

  coded_sums(std::size_t n, const weight_range<T>& weights, diagonal diag, const request& wanted,
             const distance_code<C>& code)
      : n_(n),
        weights_(weights),
        diagonal_(diag),
        wanted_(wanted),
        limit_(to_cutoff<T>(wanted.cutoff)),
        code_(code) {}

  std::size_t num_vertices() const { return n_; }
  const weight_range<T>& weights() const { return weights_; }
  diagonal given_diagonal() const { return diagonal_; }
  const request& wanted() const { return wanted_; }
  std::size_t num_edges() const { return weights_.num_edges; }
  semiring_type semiring() const { return {}; }
  C zero() const { return code_.unreachable; }
  C floor() const { return code_.floor; }
  bool may_use_symmetry() const { return wanted_.uses_symmetry; }
  bool may_have_negative_weight() const { return is_negative(); }
  // A negative cycle may have n edges.
  std::size_t longest_path() const {
    return is_negative() ? n_ : n_ - std::min<std::size_t>(n_, 1);
  }

  /// The checkpoints to keep; null: none.
  const checkpoint_settings* checkpoints() const { return wanted_.checkpoints; }
  /// What the files of checkpoints belong to.
  /// @throws std::invalid_argument if an entry may not be a T.
  template <class Graph>
  checkpoint_subject subject(const Graph& g, int threads) const {
    if (!are_entries_results()) {
      throw std::invalid_argument(
          "apsp: a checkpoint has entries of the type of the distances: expected one that holds "
          "the length of every path, got " +
          npy_type<T>());
    }
    return make_subject<T>(n_, "min_plus",
                           hash_arcs<T>(g, n_, threads, diagonal_ == diagonal::zero));
  }
  /// Writes entries of a row as those of a file.
  void encode(const C* entries, std::size_t count, T* to) const {
    bool was_cut = false;
    for (std::size_t v = 0; v < count; ++v) {
      to[v] = decoded_distance<T>(entries[v], code_.unreachable_from, was_cut);
    }
  }
  /// @param entries  may be @p from.
  void decode(const T* from, std::size_t count, C* entries) const {
    if (!is_coded_integer<C> && static_cast<const void*>(entries) == from) return;
    for (std::size_t v = 0; v < count; ++v) {
      if constexpr (is_coded_integer<C>) {
        // Distances may have been computed in a wider type.
        const auto exact = static_cast<int128>(from[v]);
        const bool is_far =
            equals_unreachable(from[v]) || exact >= static_cast<int128>(code_.unreachable_from);
        entries[v] = is_far                                     ? code_.unreachable
                     : exact < static_cast<int128>(code_.floor) ? code_.floor
                                                                : static_cast<C>(from[v]);
      } else {
        entries[v] = static_cast<C>(from[v]);
      }
    }
  }

  /// True if entries in the memory of a result of type T are at all times what `decode` of any call
  /// on the same graph reads: the code depends on the graph alone, not on what a call could prove.
  bool entries_remain_paths() const {
    if (limit_) return false;  // Entries beyond it are overwritten.
    if constexpr (is_coded_integer<C>) {
      return sizeof(C) == sizeof(T) && choose_code<C>(n_, weights_).has_value();
    } else {
      return std::is_same_v<C, T>;
    }
  }

  template <class Graph>
  matrix_source<C, T, Graph> source(const Graph& g, int threads) const {
    return {g, n_, weights_.num_edges, diagonal_, code_, threads};
  }

  /// Replaces the entries of a solver that mean "unreachable".
  template <class Solver>
  void replace_unreachable(Solver& solver) const {
    if constexpr (is_coded_integer<C>) {
      solver.replace_from(code_.unreachable_from, largest_value<C>());
    }
  }

  /// For every row, whether its predecessors may form a cycle; nothing if that is unknown, an empty
  /// vector if no row has such a cycle. Its length is 0, up to rounding.
  template <class Solver>
  std::optional<std::vector<char>> rows_in_doubt(Solver& solver) const {
    if (wanted_.prefers_fewest_edges) return std::nullopt;  // All rows are rebuilt.
    const bool may_have_loops = !std::is_integral_v<T> || !(T{} < weights_.smallest);
    return may_have_loops ? solver.rows_in_doubt() : std::vector<char>{};
  }

  /// True if the recorded predecessors may have to change before they are results.
  bool may_change_predecessors(const std::optional<std::vector<char>>& in_doubt) const {
    // A vertex without a distance keeps its predecessor if the path to another vertex leads
    // through it.
    const bool may_be_cut = limit_ || !std::is_same_v<C, T>;
    return wanted_.prefers_fewest_edges || (may_be_cut && is_negative()) || !in_doubt ||
           std::find(in_doubt->begin(), in_doubt->end(), 1) != in_doubt->end();
  }

  /// Makes the predecessors trees; with `prefer_fewest_edges`, trees of paths with the fewest
  /// edges.
  template <class Graph>
  void make_trees(const Graph& g, const host_rows<C>& rows,
                  const std::optional<std::vector<char>>& in_doubt) const {
    detail::make_trees(
        {n_, rows.predecessors, wanted_.prefers_fewest_edges, in_doubt}, rows.threads,
        [&] { return make_adjacency<T>(g, n_, rows.threads); },
        [&](const auto& arcs, std::size_t source) { return sum_slack(arcs, rows.values[source]); });
  }

  /// True if sums along a cycle may round below zero, so that an entry may be the length of a walk
  /// that contains it: an arc and the path from its end to its start cancel, up to rounding.
  /// @param rows  entries that are final.
  template <class Graph>
  bool may_round_below_zero(const Graph& g, const host_rows<C>& rows) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (!is_negative()) return false;
      // Many sums along a cycle, each rounded.
      constexpr T rounding = 64 * std::numeric_limits<T>::epsilon();
      // Sums of zeros do not round.
      const auto cancels = [](const C& there, const C& back) {
        const C magnitude = std::abs(there) + std::abs(back);
        return !equals_unreachable(there) && !equals_unreachable(back) && C{} < magnitude &&
               there + back <= static_cast<C>(rounding) * magnitude;
      };
      std::atomic<bool> cancel = false;
      if (rows.part.rows.count == n_ && rows.part.columns.count == n_) {
        // A path is not longer than an arc between its ends.
        cancel = any_pair(rows, cancels);
      } else {
        source(g, rows.threads).for_each_arc([&](std::size_t u, std::size_t v, const C& w) {
          if (u == v || !rows.part.contains(v, u)) return;
          const C back = rows.values[v - rows.part.rows.first][u - rows.part.columns.first];
          if (cancels(w, back)) cancel.store(true, std::memory_order_relaxed);
        });
      }
      if (!cancel) return false;
      weight_digits<T> digits;
      source(g, 1).for_each_arc(
          [&](std::size_t, std::size_t, const C& w) { digits.add(static_cast<T>(w)); });
      return !digits.have_exact_sums(n_);
    } else {
      return false;
    }
  }

  /// Entries above the cutoff become unreachable.
  void apply_cutoff(const host_rows<C>& rows) const {
    if (limit_ || (rows.predecessors != nullptr && !std::is_same_v<C, T>)) {
      forget_far_vertices(rows.values, rows.predecessors,
                          {rows.part.rows.count, rows.part.columns.count}, code_, limit_,
                          rows.threads);
    }
  }
  /// The same on a device.
  template <class Solver>
  void apply_cutoff_on_device(Solver& solver) const {
    if (!limit_) return;
    if constexpr (std::is_integral_v<T>) {
      solver.replace_from(static_cast<C>(*limit_) + 1, no_path<C>());
    } else {
      solver.replace_from(std::nextafter(*limit_, unreachable<T>), no_path<C>());
    }
  }
  /// Entries of at least this value, after the cutoff, are unreachable on a device.
  C unreachable_on_device() const { return no_path<C>(); }

  /// Writes the entries of rows of that shape to the caller's matrix.
  /// @param replaced  true if `replace_unreachable` replaced the entries of the rows.
  /// @return true if a value was cut to the range of T.
  bool write(const matrix_rows<C>& rows, const matrix_shape& shape, bool replaced,
             const erased_matrix<T>& distances, int threads) const {
    return write_distances(rows, shape, code_, replaced || !is_coded_integer<C>, distances,
                           threads);
  }

 private:
  /// True if @p test holds for the distances of some pair of vertices, there and back.
  template <class Test>
  static bool any_pair(const host_rows<C>& rows, Test test) {
    constexpr std::size_t tile = 32;
    const std::size_t n = rows.part.rows.count;
    std::atomic<bool> is_found = false;
    host::parallel_for((n + tile - 1) / tile, rows.threads, [&](std::size_t block) {
      const std::size_t first = block * tile;
      const std::size_t last = std::min(first + tile, n);
      for (std::size_t left = 0; left <= first; left += tile) {
        bool any = false;
        for (std::size_t i = first; i < last; ++i) {
          for (std::size_t j = left; j < std::min(left + tile, i); ++j) {
            any |= test(rows.values[i][j], rows.values[j][i]);
          }
        }
        if (any) is_found.store(true, std::memory_order_relaxed);
      }
    });
    return is_found;
  }

  bool is_negative() const { return weights_.smallest < T{}; }
  bool are_entries_results() const {
    if constexpr (std::is_same_v<C, T>) {
      return true;
    } else if constexpr (std::is_integral_v<T>) {
      return sizeof(C) <= sizeof(T) ||
             detail::longest_path(n_, weights_) < static_cast<int128>(unreachable<T>);
    } else {
      return false;
    }
  }

  std::size_t n_;
  weight_range<T> weights_;
  diagonal diagonal_;
  request wanted_;
  std::optional<T> limit_;  ///< The cutoff as a distance.
  distance_code<C> code_;
};

/// Values of a semiring other than `min_plus`, in which no cycle improves a path.
template <class S>
class semiring_values {
  using T = typename S::value_type;

 public:
  using semiring_type = S;
  using computed_type = T;
  using value_type = T;
  static constexpr bool are_sums = false;
  /// The product of the named semirings is commutative.
  static constexpr bool can_transpose = has_library_kernels<S>;

  semiring_values(std::size_t n, const S& semiring, const request& wanted)
      : n_(n),
        semiring_(semiring),
        limit_(to_cutoff_of(semiring, wanted.cutoff)),
        prefers_fewest_edges_(wanted.prefers_fewest_edges),
        uses_symmetry_(wanted.uses_symmetry),
        checkpoints_(wanted.checkpoints) {}

  std::size_t num_vertices() const { return n_; }
  const S& semiring() const { return semiring_; }
  T zero() const { return semiring_.zero; }
  T floor() const { return T{}; }
  bool may_use_symmetry() const { return uses_symmetry_; }
  /// The order of the values is not known.
  bool may_have_negative_weight() const { return true; }
  std::size_t longest_path() const { return n_ - std::min<std::size_t>(n_, 1); }

  const checkpoint_settings* checkpoints() const { return checkpoints_; }
  template <class Graph>
  checkpoint_subject subject(const Graph& g, int threads) const {
    // Semirings of users have no names.
    const std::uint64_t seed =
        mixed_bits(mixed_bits(bits_of<T>(semiring_.zero)) + bits_of<T>(semiring_.one));
    return make_subject<T>(n_, std::string(name_of_semiring<S>()),
                           hash_arcs<T>(g, n_, threads, seed));
  }
  void encode(const T* entries, std::size_t count, T* to) const { std::copy_n(entries, count, to); }
  void decode(const T* from, std::size_t count, T* entries) const {
    if (entries != from) std::copy_n(from, count, entries);
  }
  bool entries_remain_paths() const { return !limit_; }

  template <class Graph>
  semiring_source<S, Graph> source(const Graph& g, int threads) const {
    return {semiring_, g, n_, threads};
  }

  template <class Solver>
  void replace_unreachable(Solver&) const {}

  /// Unknown: many cycles do not change the value of a path, so predecessors may form cycles.
  template <class Solver>
  std::optional<std::vector<char>> rows_in_doubt(Solver&) const {
    return std::nullopt;
  }
  bool may_change_predecessors(const std::optional<std::vector<char>>&) const { return true; }

  template <class Graph>
  void make_trees(const Graph& g, const host_rows<T>& rows,
                  const std::optional<std::vector<char>>& in_doubt) const {
    detail::make_trees(
        {n_, rows.predecessors, prefers_fewest_edges_, in_doubt}, rows.threads,
        [&] { return make_value_adjacency<T>(g, n_, rows.threads); },
        [&](const auto& arcs, std::size_t source) {
          const T* const values = rows.values[source];
          return value_slack(arcs, values,
                             [this, values, &arcs](std::size_t u, std::size_t a) -> T {
                               return semiring_.times(values[u], arcs.weights[a]);
                             });
        });
  }

  /// Entries off the diagonal that are worse than the cutoff become `zero`.
  void apply_cutoff(const host_rows<T>& rows) const {
    if (!limit_) return;
    const matrix_part& part = rows.part;
    host::parallel_for(part.rows.count, rows.threads, [&](std::size_t i) {
      T* const row = rows.values[i];
      for (std::size_t j = 0; j < part.columns.count; ++j) {
        if (part.rows.first + i != part.columns.first + j &&
            is_better(semiring_, *limit_, row[j])) {
          row[j] = semiring_.zero;
        }
      }
      if (rows.predecessors == nullptr) return;
      forget_predecessors_of_unreachable(n_, rows.predecessors[i],
                                         [&](std::size_t v) { return row[v] == semiring_.zero; });
    });
  }
  template <class Solver>
  void apply_cutoff_on_device(Solver& solver) const {
    if (limit_) solver.forget_worse(*limit_);
  }
  T unreachable_on_device() const { return unreachable<T>; }

  /// @return false: every value of T is a result.
  bool write(const matrix_rows<T>& rows, const matrix_shape& shape, bool,
             const erased_matrix<T>& distances, int threads) const {
    write_rows(rows, shape, distances, threads);
    return false;
  }

 private:
  std::size_t n_;
  const S& semiring_;
  std::optional<T> limit_;
  bool prefers_fewest_edges_;
  bool uses_symmetry_;
  const checkpoint_settings* checkpoints_;
};

}  // namespace apsp::inline v1::detail

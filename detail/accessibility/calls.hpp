// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/distance_decay.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/result_row.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/checks.hpp"
#include "../call/request.hpp"
#include "../graph/sources.hpp"
#include "../host/serial_calls.hpp"
#include "../matrix/row_record.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../values/decay.hpp"
#include "../values/not_a_number.hpp"
#include "weigh.hpp"

// Sums of amounts, weighed by their distances from each source.
namespace apsp::inline v1::detail {

/// True if an F computes the shares of distances of type T.
template <class F, class T>
concept share_function = std::invocable<F&, std::span<const T>, std::span<double>>;

/// The amounts of a call, and the vertices that have some.
struct vertex_amounts {
  std::vector<double> values;         ///< One column after another.
  std::vector<std::int32_t> targets;  ///< Empty if all vertices have some.
};

/// Reads @p amounts, a row for each of n vertices.
/// @throws std::invalid_argument if there are not n, or one is not finite.
template <class M>
vertex_amounts read_amounts(const M& amounts, std::size_t n, std::size_t num_columns) {
  vertex_amounts made;
  made.values.reserve(n * num_columns);
  std::vector<char> has_some(n, 0);
  for (std::size_t c = 0; c < num_columns; ++c) {
    for (std::size_t v = 0; v < n; ++v) {
      const auto amount = static_cast<double>(matrix_entry(amounts, v, c));
      if (kind_of_float(amount) != float_kind::finite) {
        throw std::invalid_argument(
            "apsp: accessibility: expected finite amounts, but that of vertex " +
            std::to_string(v) + " is " + std::to_string(amount));
      }
      made.values.push_back(amount);
      if (amount < 0 || amount > 0) has_some[v] = 1;
    }
  }
  const auto count = static_cast<std::size_t>(std::count(has_some.begin(), has_some.end(), 1));
  if (count == n) return made;
  made.targets.reserve(count);
  for (std::size_t v = 0; v < n; ++v) {
    if (has_some[v] != 0) made.targets.push_back(static_cast<std::int32_t>(v));
  }
  return made;
}

/// A column of amounts as a matrix.
template <class R>
auto one_column(R& range) {
  const auto row = one_row(range);
  return matrix_view(row.data(), row.cols(), std::size_t{1});
}

/// Writes a row of sums for each source.
/// @tparam F  a function that computes shares, or `distance_decay`.
template <class T, class Result, class F>
class accessibility_output final : public row_output<T> {
  static constexpr bool calls_function = !std::is_same_v<std::remove_const_t<F>, distance_decay>;

 public:
  accessibility_output(const weighed_amounts<T>& wanted, std::size_t num_vertices,
                       std::span<const std::int32_t> targets, bool is_bounded, F& decay,
                       Result& result)
      : row_output<T>(false, targets, is_bounded || !targets.empty()),
        wanted_(wanted),
        decay_(decay),
        result_(result),
        num_vertices_(num_vertices) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  const weighed_amounts<T>* amounts() const override { return calls_function ? nullptr : &wanted_; }
  void write_sums(std::size_t row, std::span<const double> sums) override {
    const auto put = [&] {
      for (std::size_t j = 0; j < sums.size(); ++j) {
        matrix_entry(result_, row, j) = static_cast<matrix_value_t<Result>>(sums[j]);
      }
    };
    if constexpr (can_be_written_by_threads<Result>) {
      put();
    } else {
      const std::lock_guard lock(mutex_);
      put();
    }
  }

  void write(std::size_t row, std::size_t, const T* distances, const std::int32_t*) override {
    if constexpr (!calls_function) {
      if (this->targets().empty()) {
        std::vector<double> sums(wanted_.num_sums());
        host::weigh_row(wanted_, std::span(distances, num_vertices_), nullptr,
                        wanted_.amounts.data(), std::span(sums));
        return write_sums(row, sums);
      }
    }
    near_vertices near;
    const auto add = [&](std::size_t v) {
      if (!equals_unreachable(distances[v])) near.add(v, distances[v]);
    };
    if (this->targets().empty()) {
      for (std::size_t v = 0; v < num_vertices_; ++v) add(v);
    } else {
      for (const std::int32_t t : this->targets()) add(static_cast<std::size_t>(t));
    }
    weigh(row, near);
  }
  void write_reached(std::size_t row, std::size_t, std::span<reached_vertex<T>> reached) override {
    near_vertices near;
    near.reserve(reached.size());
    std::vector<std::uint64_t> seen((num_vertices_ + 63) / 64);
    for (const reached_vertex<T>& r : reached) {
      const auto v = static_cast<std::size_t>(r.vertex);
      const std::uint64_t bit = std::uint64_t{1} << v % 64;
      if ((seen[v / 64] & bit) == 0) near.add(v, r.distance);
      seen[v / 64] |= bit;
    }
    weigh(row, near);
  }

 private:
  struct near_vertices {
    std::vector<std::size_t> vertices;
    std::vector<T> distances;

    void reserve(std::size_t count) {
      vertices.reserve(count);
      distances.reserve(count);
    }
    void add(std::size_t v, const T& distance) {
      vertices.push_back(v);
      distances.push_back(distance);
    }
  };

  void weigh(std::size_t row, const near_vertices& near) {
    const std::size_t size = near.vertices.size();
    std::vector<double> amounts;
    amounts.reserve(size * wanted_.num_columns);
    for (std::size_t c = 0; c < wanted_.num_columns; ++c) {
      const double* const column = wanted_.amounts.data() + c * num_vertices_;
      for (const std::size_t v : near.vertices) amounts.push_back(column[v]);
    }
    std::vector<double> shares;
    if constexpr (calls_function) shares = shares_of(near.distances);
    std::vector<double> sums(wanted_.num_sums());
    host::weigh_row(wanted_, std::span(near.distances), calls_function ? shares.data() : nullptr,
                    amounts.data(), std::span(sums));
    write_sums(row, sums);
  }

  std::vector<double> shares_of(const std::vector<T>& distances) {
    std::vector<double> shares(distances.size());
    calls_.run([&] { decay_(std::span<const T>(distances), std::span(shares)); });
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (is_nan(shares[i])) {
        throw std::invalid_argument("apsp: accessibility: the share at distance " +
                                    std::to_string(distances[i]) + " is NaN");
      }
    }
    return shares;
  }

  const weighed_amounts<T>& wanted_;
  F& decay_;
  Result& result_;
  std::size_t num_vertices_;
  serial_calls calls_;
  std::mutex mutex_;
};

/// @param amounts, to  matrices
/// @param chosen_for   as in `request`
template <class T, class Policy, class Graph, class Sources, class Amounts, class F, class Result>
result find_accessibility(const Policy& policy, const Graph& g, const Sources& sources,
                          const Amounts& amounts, F& decay, Result& to,
                          std::span<const std::int32_t> chosen_for = {}) {
  constexpr bool in_host_memory = !lie_in_device_memory<Graph, Amounts, Result>;
  static_assert(in_host_memory,
                "apsp: accessibility takes a graph, amounts and a result in host memory");
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "apsp: accessibility needs distances of a built-in arithmetic type");
  static_assert(std::is_floating_point_v<matrix_value_t<Result>>,
                "apsp: the sums of accessibility must be of a floating-point type");
  constexpr bool has_shape = has_matrix_shape<Amounts>;
  static_assert(has_shape,
                "apsp: accessibility: the type of the amounts does not tell how many columns they "
                "have; pass an apsp::matrix_view");
  constexpr bool is_decay =
      std::is_same_v<std::remove_const_t<F>, distance_decay> || share_function<F, T>;
  static_assert(is_decay,
                "apsp: accessibility: the decay is neither a distance_decay nor a function that "
                "can be called as f(distances, shares), where distances is a std::span<const "
                "Distance>, by default of the type of the weights, and shares is a "
                "std::span<double>");
  if constexpr (in_host_memory && has_shape && is_decay && std::is_arithmetic_v<T>) {
    const std::size_t n = check_graph<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    const std::optional<matrix_shape> shape = shape_of(amounts);
    const std::size_t num_columns = shape ? shape->columns : 0;
    require_shape(amounts, n, num_columns, "the matrix of amounts");
    if (n != 0 && num_columns == 0) {
      throw std::invalid_argument(
          "apsp: accessibility: expected amounts in one column or more, not in none");
    }
    weighed_amounts<T> wanted{{decay_kind::step, 0, 0}, num_columns, {}, {}};
    std::optional<long double> bound = policy.cutoff();
    if constexpr (std::is_same_v<std::remove_const_t<F>, distance_decay>) {
      wanted.rule = decay.rule();
      for (const long double cutoff : decay.cutoffs()) {
        wanted.limits.push_back(largest_reached<T>(cutoff));
      }
      const long double farthest =
          *std::max_element(decay.cutoffs().begin(), decay.cutoffs().end());
      const bool is_finite = kind_of_float(farthest) == float_kind::finite;
      if (is_finite && !(bound && *bound < farthest)) bound = farthest;
    } else {
      wanted.limits = {largest_reached<T>(std::nullopt)};
    }
    require_shape(to, list.size(), wanted.num_sums(), "the result");
    check_apart_from_arrays(g, to, {list.size(), wanted.num_sums()});
    const vertex_amounts given = read_amounts(amounts, n, num_columns);
    wanted.amounts = given.values;
    request asked = request_of(policy);
    asked.cutoff = bound;
    asked.chosen_for = chosen_for;
    // Within a cutoff a source reaches few vertices, so only a short list of targets saves time.
    constexpr std::size_t vertices_per_target = 64;
    const bool are_few = given.targets.size() * vertices_per_target < n;
    const std::span<const std::int32_t> targets =
        !bound || are_few ? std::span(given.targets) : std::span<const std::int32_t>();
    accessibility_output<T, Result, F> output(wanted, n, targets, bound.has_value(), decay, to);
    return per_source(policy, asked, g, list, output);
  }
}

}  // namespace apsp::inline v1::detail

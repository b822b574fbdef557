// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/device_graph.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/distance_statistics.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/placement.hpp"
#include "../device/launch_target.hpp"
#include "../graph/sources.hpp"
#include "../host/monitor.hpp"
#include "../matrix/row_record.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../plan/rates.hpp"
#include "../values/weight_types.hpp"
#include "bins.hpp"
#include "cuda/reduce.hpp"
#include "host/reduce.hpp"
#include "rows.hpp"

// Sums and histograms of distances, from a matrix or from rows as they are computed.
namespace apsp::inline v1::detail {

/// The source vertices of the rows of @p distances: @p sources, or all vertices in order.
/// @throws std::invalid_argument if the matrix does not have that shape, or a source is out of
/// range.
template <class M, class Sources>
std::vector<std::int32_t> sources_of_rows(const M& distances, const Sources& sources) {
  const auto shape = shape_of(distances);
  const auto refuse = [](const std::string& why) {
    throw std::invalid_argument("apsp: the distance matrix is " + why);
  };
  if (!shape) refuse("of rows of unequal length");
  const std::string size = std::to_string(shape->rows) + " x " + std::to_string(shape->columns);
  const std::size_t n = shape->columns;
  if (n > static_cast<std::size_t>((std::numeric_limits<std::int32_t>::max)())) {
    throw std::length_error("apsp: more than 2^31 - 1 vertices");
  }
  std::vector<std::int32_t> list;
  if constexpr (std::is_same_v<Sources, every_vertex>) {
    if (shape->rows != n)
      refuse(size + ": expected a square one, or the sources of its rows as the next argument");
    list.resize(n);
    std::iota(list.begin(), list.end(), 0);
  } else {
    for (const auto& given : sources) {
      const auto source = plain_integer(given);
      if (std::cmp_less(source, 0) || std::cmp_greater_equal(source, n)) {
        // A range of no rows has no columns to count.
        if (shape->rows == 0) break;
        throw std::invalid_argument("apsp: source " + std::to_string(source) +
                                    " is out of range: the distance matrix is " + size);
      }
      list.push_back(static_cast<std::int32_t>(source));
    }
    if (static_cast<std::size_t>(std::ranges::distance(sources)) != shape->rows) {
      refuse(size + ", but there are " + std::to_string(std::ranges::distance(sources)) +
             " sources");
    }
  }
  return list;
}

[[noreturn]] inline void throw_not_a_number(const std::string& where) {
  throw std::invalid_argument("apsp: a distance" + where + " is NaN");
}

/// Calls @p on_host with a number of threads, or @p on_device with a target, according to the
/// policy. They return false if they were stopped.
template <class T, class Policy, class OnHost, class OnDevice>
result reduce_rows(const Policy& policy, std::size_t num_rows, std::size_t num_columns,
                   OnHost on_host, [[maybe_unused]] OnDevice on_device) {
  return on_backend<T>(policy, [&](const auto& any) {
    const auto backend = any.for_work(entries_work(num_rows, num_columns));
    result done(backend.name(), algorithm::reduction);
    backend.watch().begin(num_rows);
    bool finished = true;
    if constexpr (std::is_same_v<std::remove_const_t<decltype(backend)>, host_backend>) {
      finished = on_host(backend.host_threads(), backend.watch());
    } else if constexpr (has_compiled_kernels<T>) {
      finished = on_device(backend.target(), backend.watch());
    } else {
      throw no_kernels("there are no CUDA kernels that reduce distances of this type");
    }
    if (!finished) done.set_stopped();
    return done;
  });
}

/// The same for rows in device memory, which are reduced there.
template <class T, class Policy, class M, class OnDevice>
result reduce_device_rows(const Policy& policy, const M& distances, OnDevice on_device) {
  check_device_policy<Policy>();
  static_assert(
      has_compiled_kernels<T>,
      "apsp: distances in device memory must be float, double, std::int32_t or std::int64_t");
  if constexpr (is_cuda_policy<Policy> && has_compiled_kernels<T>) {
    require_matrix_memory(distances);
    const auto rows = device_view_of(distances);
    return run_on_device_of(target_of(policy), {rows.data()}, [&](const auto& target) {
      monitor watch(policy.attached_observer());
      result done(target.kernels, algorithm::reduction);
      watch.begin(rows.rows());
      if (!on_device(target, watch)) done.set_stopped();
      return done;
    });
  }
}

/// The rows of a matrix in device memory, one for each of the vertices @p sources.
template <class M>
auto device_distance_rows_of(const M& distances, std::span<const std::int32_t> sources) {
  using T = matrix_value_t<const M>;
  return cuda::device_distance_rows<T>{device_matrix_view<const T>(device_view_of(distances)),
                                       sources};
}

template <class T>
void check_distance_type() {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "apsp: distances to be summarized must be of a built-in arithmetic type");
}

/// Converts the records of a call to the result type; empty if the call failed.
template <class T>
distance_summary<T> make_summary(result status, std::size_t num_vertices,
                                 std::span<const std::int32_t> sources,
                                 const std::vector<row_record<T>>& records) {
  static_assert(num_totals == 6, "make_summary returns each total");
  std::vector<source_summary<T>> list;
  if (status) {
    list.reserve(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      // Does not compile if there are more members.
      const auto& [largest, farthest, num_reached, has_nan, sum, inverse_sum] = records[i];
      if (has_nan != 0) throw_not_a_number(" from vertex " + std::to_string(sources[i]));
      const auto source = static_cast<std::size_t>(sources[i]);
      source_summary<T> s{source, T{},        source, static_cast<std::size_t>(num_reached),
                          sum,    inverse_sum};
      // The source has distance 0 to itself.
      const bool is_farther = largest > T{} || (largest == T{} && farthest < sources[i]);
      if (farthest >= 0 && is_farther) {
        s.eccentricity = largest;
        s.farthest = static_cast<std::size_t>(farthest);
      }
      list.push_back(s);
    }
  }
  return {std::move(status), num_vertices, std::move(list)};
}

/// Summarizes a matrix.
template <class Policy, class M, class Sources>
auto summarize_matrix(const Policy& policy, const M& distances, const Sources& sources) {
  using T = matrix_value_t<const M>;
  check_distance_type<T>();
  const std::vector<std::int32_t> list = sources_of_rows(distances, sources);
  const std::size_t n = shape_of(distances)->columns;
  const T limit = largest_reached<T>(policy.cutoff());
  std::vector<row_record<T>> records(list.size());
  const auto on_device = [&](const auto& rows) {
    return [&, source = &rows](const auto& target, monitor& watch) {
      return cuda::summarize_rows<T>(target, *source, limit, watch, records.data());
    };
  };
  if constexpr (device_resident<M>) {
    const auto rows = device_distance_rows_of(distances, list);
    result status = reduce_device_rows<T>(policy, distances, on_device(rows));
    return make_summary<T>(std::move(status), n, list, records);
  } else {
    const matrix_row_source<M> rows(distances, list, n);
    result status = reduce_rows<T>(
        policy, list.size(), n,
        [&](int threads, monitor& watch) {
          return host::summarize_rows<T>(rows, limit, threads, watch, records.data());
        },
        on_device(rows));
    return make_summary<T>(std::move(status), n, list, records);
  }
}

/// Summarizes rows as they are finished, each in the thread that computed it, unless kernels do.
template <class T>
class summary_output final : public row_output<T> {
 public:
  summary_output(std::size_t num_rows, std::size_t num_vertices)
      : row_output<T>(false), records_(num_rows), num_vertices_(num_vertices) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }
  void write(std::size_t row, std::size_t source, const T* distances,
             const std::int32_t*) override {
    // The cutoff has already been applied to the row.
    records_[row] =
        host::summarize_row(distances, num_vertices_, source, largest_reached<T>(std::nullopt));
  }

  row_record<T>* records() override { return records_.data(); }
  const std::vector<row_record<T>>& all_records() const { return records_; }

 private:
  std::vector<row_record<T>> records_;
  std::size_t num_vertices_;
};

/// Summarizes the distances of a graph.
template <class T, class Policy, class Graph, class Sources>
distance_summary<T> summarize_graph(const Policy& policy, const Graph& g, Sources&& sources) {
  check_distance_type<T>();
  const std::size_t n = check_graph<T>(g);
  const std::vector<std::int32_t> list = list_sources(g, n, sources);
  summary_output<T> output(list.size(), n);
  result status = per_source(policy, request_of(policy), g, list, output);
  return make_summary<T>(std::move(status), n, list, output.all_records());
}

/// Converts the counts of a call to the result type; 0 if the call failed.
template <class T>
distance_counts make_counts(result status, const bin_rule<T>& bins,
                            std::vector<std::uint64_t> counts) {
  if (!status) counts.assign(bins.num_counts(), 0);
  if (counts[bins.place(extra_count::not_a_number)] != 0) throw_not_a_number("");
  distance_counts made{std::move(status),
                       {},
                       counts[bins.place(extra_count::below)],
                       counts[bins.place(extra_count::above)],
                       counts[bins.place(extra_count::unreachable)]};
  counts.resize(bins.num_bins);
  made.counts = std::move(counts);
  return made;
}

/// Counts the distances of a matrix.
template <class Policy, class M, class Sources, class T>
distance_counts count_matrix(const Policy& policy, const M& distances, const Sources& sources,
                             const histogram_bins<T>& bins) {
  check_distance_type<T>();
  const std::vector<std::int32_t> list = sources_of_rows(distances, sources);
  const T limit = largest_reached<T>(policy.cutoff());
  const bin_rule<T> rule = bins.rule();
  std::vector<std::uint64_t> counts;
  const auto on_device = [&](const auto& rows) {
    return [&, source = &rows](const auto& target, monitor& watch) {
      return cuda::count_rows<T>(target, *source, limit, rule, watch, counts);
    };
  };
  if constexpr (device_resident<M>) {
    const auto rows = device_distance_rows_of(distances, list);
    result status = reduce_device_rows<T>(policy, distances, on_device(rows));
    return make_counts(std::move(status), rule, std::move(counts));
  } else {
    const std::size_t n = shape_of(distances)->columns;
    const matrix_row_source<M> rows(distances, list, n);
    result status = reduce_rows<T>(
        policy, list.size(), n,
        [&](int threads, monitor& watch) {
          return host::count_rows<T>(rows, limit, rule, threads, watch, counts);
        },
        on_device(rows));
    return make_counts(std::move(status), rule, std::move(counts));
  }
}

/// Counts the distances of rows as they are finished, each in the thread that computed it.
template <class T>
class counting_output final : public row_output<T> {
 public:
  counting_output(std::size_t num_rows, std::size_t num_vertices, const bin_rule<T>& bins)
      : row_output<T>(false),
        is_counted_(num_rows),
        num_vertices_(num_vertices),
        bins_(bins),
        pool_(bins.num_counts()) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }
  void write(std::size_t row, std::size_t source, const T* distances,
             const std::int32_t*) override {
    // Rows come twice if rounding kept the first algorithm from terminating.
    if (std::exchange(is_counted_[row], char{1}) != 0) return;
    pool_.with_counts([&](host::row_counts& mine) {
      host::count_row(distances, num_vertices_, source, largest_reached<T>(std::nullopt), bins_,
                      mine);
    });
  }

  std::vector<std::uint64_t> counts() const { return pool_.total(); }

 private:
  std::vector<char> is_counted_;
  std::size_t num_vertices_;
  bin_rule<T> bins_;
  host::counts_pool pool_;
};

/// Counts the distances of a graph.
template <class Policy, class Graph, class Sources, class T>
distance_counts count_graph(const Policy& policy, const Graph& g, Sources&& sources,
                            const histogram_bins<T>& bins) {
  check_distance_type<T>();
  const std::size_t n = check_graph<T>(g);
  const std::vector<std::int32_t> list = list_sources(g, n, sources);
  counting_output<T> output(list.size(), n, bins.rule());
  result status = per_source(policy, request_of(policy), g, list, output);
  return make_counts(std::move(status), bins.rule(), output.counts());
}

}  // namespace apsp::inline v1::detail

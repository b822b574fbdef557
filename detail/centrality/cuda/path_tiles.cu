// SPDX-License-Identifier: BSL-1.0
#include "path_tiles.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../apsp/algorithm.hpp"
#include "../../../apsp/policy.hpp"
#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/flag.cuh"
#include "../../device/grid.cuh"
#include "../../device/several_devices.cuh"
#include "../../device/stop_signal.cuh"
#include "../../device/workspace.cuh"
#include "../../graph/adjacency.hpp"
#include "../../graph/breadth_first_order.hpp"
#include "../../per_source/problem/cuda/uploaded_arcs.cuh"
#include "../../per_source/search/cuda/pull_bellman_ford.cuh"
#include "../../per_source/search/cuda/relaxation.cuh"
#include "../batched_sources.hpp"
#include "exact_sums.cuh"
#include "naive_path_kernels.cuh"
#include "path_tile_kernels.cuh"

namespace apsp::inline v1::detail::cuda {

namespace {

/// The arcs in both directions.
template <class C>
struct arcs_both_ways {
  adjacency_view<C> out;
  adjacency<C> into;
  std::vector<std::uint32_t> positions;  ///< Of the arcs out of vertices: where they are in `into`.

  explicit arcs_both_ways(const adjacency_view<C>& arcs)
      : out(arcs), into(reversed_arcs(arcs)), positions(arcs.num_edges()) {
    const std::vector<std::uint32_t> numbers = numbers_of_reversed(arcs);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      positions[numbers[i]] = static_cast<std::uint32_t>(i);
    }
  }
};

/// What becomes of the paths.
template <class C>
struct path_output {
  path_values wanted;
  bool with_ends;
  bool scores_arcs;
  const std::function<void(const found_tiles<C>&)>* take;
};

struct found_shares {
  sweep_outcome outcome = sweep_outcome::finished;
  fixed_sums sums;  ///< Of vertices, then of arcs.
};

/// The searches of one device, which must be current.
template <class C>
class path_tile_call {
  // A row has `path_tile_lanes` distances.
  using search_solver =
      pull_bellman_ford<C, plus_weights<C>, static_cast<unsigned>(path_tile_lanes * sizeof(C))>;

 public:
  /// @param sources  are close to their neighbors in the list.
  path_tile_call(const launch_target& target, const arcs_both_ways<C>& arcs,
                 const counted_search<C>& search, std::span<const std::int32_t> sources,
                 const path_output<C>& output)
      : space_(target, resolved_device(target)),
        arcs_(arcs),
        search_(search),
        sources_(sources),
        output_(output),
        problem_{algorithm::bellman_ford, arcs.out, sources, limit(), false, false} {
    const std::size_t bits = path_tile<C>::bit_bytes(num_vertices());
    const bool fits = search_solver::is_possible(num_vertices(), num_edges()) &&
                      bits <= allow_all_shared_memory(path_tile_kernel<C>);
    is_possible_ = is_naive() || fits;
  }

  found_shares run(monitor& watch) {
    found_shares found;
    found.outcome = sweep_outcome::not_possible;
    if (!is_possible_) return found;
    APSP_RANGE_OF(algorithm::dijkstra);
    const cudaStream_t stream = space_.stream.get();
    const std::size_t n = num_vertices();
    const std::size_t m = num_edges();
    const std::size_t num_sums = adds_shares() ? n + (output_.scores_arcs ? m : 0) : 0;
    const std::size_t fixed = 2 * uploaded_arcs<C>::bytes(arcs_.out) +
                              2 * m * sizeof(std::uint32_t) + sources_.size_bytes() +
                              2 * num_sums * sizeof(unsigned long long);
    // The search itself may keep rows as large as the distances.
    std::size_t of_tile = n * path_tile_lanes * 2 * sizeof(C) + m * sizeof(std::uint32_t);
    if (counts_paths(output_.wanted)) {
      of_tile += n * path_tile_lanes * (sizeof(double) + sizeof(counted_vertex)) +
                 (n + n + 2) * sizeof(std::uint32_t);
    }
    if (adds_shares()) of_tile += n * path_tile_lanes * sizeof(double);
    const std::size_t all_tiles = (sources_.size() + path_tile_lanes - 1) / path_tile_lanes;
    const std::size_t concurrent = concurrent_blocks(
        path_tile_kernel<C>, path_tile_settings.threads, path_tile<C>::bit_bytes(n));
    std::size_t num_tiles = std::min({all_tiles, concurrent, most_tiles_on_host()});
    const memory_need need = space_.need_of(fixed + num_tiles * of_tile);
    if (!need.is_met()) {
      if (need.available < fixed + of_tile) return found;
      num_tiles = (need.available - fixed) / of_tile;
    }
    // Batches of as many tiles, as far as possible.
    const std::size_t num_batches = (all_tiles + num_tiles - 1) / num_tiles;
    num_tiles = (all_tiles + num_batches - 1) / num_batches;
    const std::size_t bytes_needed = fixed + num_tiles * of_tile;
    space_.require({bytes_needed, need.available});

    const uploaded_arcs<C> out(arcs_.out, stream, bytes_needed);
    const uploaded_arcs<C> into(arcs_.into.view(), stream, bytes_needed);
    const auto positions =
        uploaded(std::span<const std::uint32_t>(arcs_.positions), stream, bytes_needed);
    const auto sources = uploaded(sources_, stream, bytes_needed);
    std::optional<search_solver> solver;
    if (!is_naive()) {
      solver.emplace(out.get(), into.get(), problem_, heaviest(), stream);
      solver->reserve(num_tiles * path_tile_lanes, watch, bytes_needed);
    }
    const std::size_t rows = num_tiles * n * path_tile_lanes;
    const auto distances = space_.template allocate<C>(rows);
    const std::size_t counted_tiles = counts_paths(output_.wanted) ? num_tiles : 0;
    const auto counts = space_.template allocate<double>(counts_paths(output_.wanted) ? rows : 0);
    const auto shares = space_.template allocate<double>(adds_shares() ? rows : 0);
    const auto tight = space_.template allocate<std::uint32_t>(num_tiles * m);
    const auto pending = space_.template allocate<std::uint32_t>(counted_tiles * n);
    const auto counted = space_.template allocate<counted_vertex>(
        counted_tiles * path_tile_task<C>::most_counted(n));
    const auto rounds = space_.template allocate<std::uint32_t>(counted_tiles * (n + 2));
    const auto sums = space_.template allocate<unsigned long long>(2 * num_sums);
    if (num_sums != 0) {
      APSP_CUDA_CHECK(
          cudaMemsetAsync(sums.get(), 0, 2 * num_sums * sizeof(unsigned long long), stream));
    }
    device_flag outcome = space_.make_flag();
    outcome.clear();
    stop_signal stop(stream, watch, bytes_needed);
    path_tile_task<C> task{.into = into.get(),
                           .out_offsets = out.get().offsets,
                           .out_targets = out.get().targets,
                           .out_positions = positions.get(),
                           .num_sources = 0,
                           .sources = nullptr,
                           .distances = distances.get(),
                           .tolerance = search_.tolerance,
                           .memory = {counts.get(), shares.get(), tight.get(), pending.get(),
                                      counted.get(), rounds.get()},
                           .wanted = output_.wanted,
                           .with_ends = output_.with_ends,
                           .scores_arcs = output_.scores_arcs,
                           .of_vertices = {sums.get(), sums.get() + num_sums},
                           .of_arcs = {sums.get() + n, sums.get() + num_sums + n},
                           .stop = stop.flag(),
                           .outcome = outcome.get()};
    std::vector<C> host_distances;
    std::vector<double> host_counts;
    std::vector<std::uint32_t> host_tight;
    for (std::size_t first = 0; first < sources_.size(); first += num_tiles * path_tile_lanes) {
      const std::size_t count = std::min(num_tiles * path_tile_lanes, sources_.size() - first);
      task.num_sources = count;
      task.sources = sources.get() + first;
      const std::size_t tiles = (count + path_tile_lanes - 1) / path_tile_lanes;
      if (solver) {
        const solve_outcome solved =
            solver->solve({count, task.sources, distances.get(), nullptr}, watch);
        if (solved == solve_outcome::stopped) return stopped();
        if (solved != solve_outcome::finished) return found;
        launch("path_tile_kernel",
               {static_cast<unsigned>(tiles), path_tile_settings.threads, stream,
                path_tile<C>::bit_bytes(n)},
               path_tile_kernel<C>, task);
      } else {
        constexpr unsigned threads = naive_path_settings.threads;
        APSP_CUDA_CHECK(cudaMemsetAsync(tight.get(), 0, tiles * m * sizeof(std::uint32_t), stream));
        launch("naive_path_kernel", {grid_size(count, threads), threads, stream},
               naive_path_kernel<C>, task, distances.get());
      }
      if (stop.wait() == solve_outcome::stopped) return stopped();
      if (outcome.read()) return found;
      if (output_.take != nullptr) {
        const std::size_t entries = tiles * n * path_tile_lanes;
        download(distances.get(), entries, host_distances, stream);
        download(counts.get(), counts_paths(output_.wanted) ? entries : 0, host_counts, stream);
        download(tight.get(), counts_paths(output_.wanted) ? 0 : tiles * m, host_tight, stream);
        (*output_.take)({first, count, host_distances.data(), host_counts.data(), arcs_.into.view(),
                         host_tight.data()});
      }
      watch.advance(count);
    }
    download(sums.get(), num_sums, found.sums.whole, stream);
    download(sums.get() + num_sums, num_sums, found.sums.parts, stream);
    found.outcome = sweep_outcome::finished;
    return found;
  }

 private:
  bool adds_shares() const { return output_.wanted == path_values::shares; }
  bool is_naive() const { return space_.kernels == backend::cuda_naive; }
  static found_shares stopped() { return {sweep_outcome::stopped, {}}; }
  static C limit() {
    if constexpr (std::is_integral_v<C>) return unreached<C> - 1;
    return std::numeric_limits<C>::max();
  }
  /// For searches in 16 bits.
  double heaviest() const {
    double most = 0;
    for (const C& w : arcs_.out.weights) {
      if (!std::is_integral_v<C>) return std::numeric_limits<double>::infinity();
      most = std::max(most, static_cast<double>(w));
    }
    return most;
  }
  /// The tiles of which the host keeps the paths at a time.
  std::size_t most_tiles_on_host() const {
    if (output_.take == nullptr) return std::numeric_limits<std::size_t>::max();
    constexpr std::size_t most_bytes = std::size_t{1} << 28;
    const std::size_t of_lane = sizeof(C) + (counts_paths(output_.wanted) ? sizeof(double) : 0);
    const std::size_t of_arcs =
        counts_paths(output_.wanted) ? 0 : num_edges() * sizeof(std::uint32_t);
    const std::size_t of_tile = num_vertices() * path_tile_lanes * of_lane + of_arcs;
    return std::max<std::size_t>(most_bytes / of_tile, 1);
  }
  std::size_t num_vertices() const { return arcs_.out.num_vertices(); }
  std::size_t num_edges() const { return arcs_.out.num_edges(); }

  template <class X>
  static void download(const X* from, std::size_t size, std::vector<X>& to, cudaStream_t stream) {
    to.resize(size);
    if (size == 0) return;
    APSP_CUDA_CHECK(
        cudaMemcpyAsync(to.data(), from, size * sizeof(X), cudaMemcpyDeviceToHost, stream));
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
  }

  device_workspace space_;
  const arcs_both_ways<C>& arcs_;
  const counted_search<C>& search_;
  std::span<const std::int32_t> sources_;
  path_output<C> output_;
  per_source_problem<C> problem_;
  bool is_possible_ = false;
};

}  // namespace

template <class C>
sweep_outcome search_shares(const launch_target& target, const counted_search<C>& search,
                            bool with_ends, monitor& watch, path_sums& sums) {
  const arcs_both_ways<C> arcs(search.arcs);
  std::vector<std::int32_t> sources;
  const std::vector<std::int32_t> order = breadth_first_order(arcs.out, arcs.into.view());
  std::vector<std::int32_t> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    places[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  }
  for (const std::size_t i : numbers_by_neighborhood(places, search.sources)) {
    sources.push_back(search.sources[i]);
  }
  // The tiles are the same for any number of devices, and so are the sums.
  const std::size_t num_tiles = (sources.size() + path_tile_lanes - 1) / path_tile_lanes;
  const std::size_t num_devices = target.num_devices();
  const auto first_of = [&](std::size_t device) {
    return std::min(device * num_tiles / num_devices * path_tile_lanes, sources.size());
  };
  const bool scores_arcs = !sums.of_arcs.empty();
  std::vector<found_shares> found(num_devices);
  on_each_device(
      target,
      [&](const launch_target& one, std::size_t i) {
        const std::size_t first = first_of(i);
        const auto own =
            std::span<const std::int32_t>(sources).subspan(first, first_of(i + 1) - first);
        if (own.empty()) return;
        found[i] = path_tile_call<C>(one, arcs, search, own,
                                     {path_values::shares, with_ends, scores_arcs, nullptr})
                       .run(watch);
      },
      [] {});
  fixed_sums total;
  for (found_shares& device : found) {
    if (device.outcome != sweep_outcome::finished) return device.outcome;
    if (device.sums.whole.empty()) continue;
    if (total.whole.empty()) {
      std::swap(total, device.sums);
    } else {
      total.add(device.sums);
    }
  }
  if (total.whole.empty()) return sweep_outcome::finished;
  const std::size_t n = sums.of_vertices.size();
  for (std::size_t v = 0; v < n; ++v) sums.of_vertices[v] = total.value(v);
  for (std::size_t a = 0; a < sums.of_arcs.size(); ++a) sums.of_arcs[a] = total.value(n + a);
  return sweep_outcome::finished;
}

template <class C>
sweep_outcome search_paths(const launch_target& target, const counted_search<C>& search,
                           path_values wanted, monitor& watch,
                           const std::function<void(const found_tiles<C>&)>& take) {
  const arcs_both_ways<C> arcs(search.arcs);
  const device_guard guard(resolved_device(target));
  const path_output<C> output{wanted, false, false, &take};
  return path_tile_call<C>(target, arcs, search, search.sources, output).run(watch).outcome;
}

#define APSP_INSTANTIATE_PATH_TILES(C)                                                             \
  template sweep_outcome search_shares(const launch_target&, const counted_search<C>&, bool,       \
                                       monitor&, path_sums&);                                      \
  template sweep_outcome search_paths(const launch_target&, const counted_search<C>&, path_values, \
                                      monitor&,                                                    \
                                      const std::function<void(const found_tiles<C>&)>&);
APSP_INSTANTIATE_PATH_TILES(std::int32_t)
APSP_INSTANTIATE_PATH_TILES(double)
#undef APSP_INSTANTIATE_PATH_TILES

}  // namespace apsp::inline v1::detail::cuda

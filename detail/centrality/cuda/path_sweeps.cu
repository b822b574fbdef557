// SPDX-License-Identifier: BSL-1.0
#include "path_sweeps.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/grid.cuh"
#include "../../device/several_devices.cuh"
#include "../../device/stop_signal.cuh"
#include "../../device/workspace.cuh"
#include "../../elimination/elimination_tree.hpp"
#include "exact_sums.cuh"
#include "path_sweep_kernels.cuh"

namespace apsp::inline v1::detail::cuda {

namespace {

/// The numbers of sums: of places, arcs up, arcs down, and only arcs down.
struct sum_ranges {
  std::size_t up;
  std::size_t down;
  std::size_t only;
  std::size_t end;

  explicit sum_ranges(const path_hierarchy& paths)
      : up(paths.tree->num_vertices()),
        down(up + paths.up.arcs.size()),
        only(down + paths.down.arcs.size()),
        end(only + paths.down.arcs.size()) {}
};

/// The paths as the kernel reads them, beside what it reads of the hierarchy itself.
struct kernel_paths {
  std::vector<down_place> places;
  std::vector<down_arc> down;
  std::vector<double> down_counts;  ///< Empty if all counts are `float`.
  std::vector<std::int32_t> source_places;
  unsigned sources_per_lane;

  kernel_paths(const path_hierarchy& paths, std::span<const std::int32_t> sources,
               unsigned per_lane)
      : sources_per_lane(per_lane) {
    const elimination_tree& tree = *paths.tree;
    const std::vector<std::int32_t> sizes = find_subtree_sizes(tree);
    const std::vector<std::int64_t>& offsets = paths.down.offsets;
    for (std::size_t p = 0; p < tree.num_vertices(); ++p) {
      places.push_back({static_cast<std::uint32_t>(offsets[p]),
                        static_cast<std::uint32_t>(offsets[p + 1] - offsets[p]), tree.depths[p],
                        sizes[p]});
    }
    const std::size_t bytes_of_depth =
        per_lane == 1 ? sizeof(path_line<1>::line_record) : sizeof(path_line<2>::line_record);
    bool are_floats = true;
    for (const path_arc& arc : paths.down.arcs) {
      const auto count = static_cast<float>(arc.count);
      const bool is_float = static_cast<double>(count) == arc.count;
      are_floats = are_floats && is_float;
      const std::size_t from = static_cast<std::size_t>(arc.depth) * bytes_of_depth;
      down.push_back({arc.weight, is_float ? count : -1, static_cast<std::uint32_t>(from)});
    }
    if (!are_floats) {
      for (const path_arc& arc : paths.down.arcs) down_counts.push_back(arc.count);
    }
    for (const std::size_t i : numbers_by_place(tree, sources)) {
      source_places.push_back(tree.places[static_cast<std::size_t>(sources[i])]);
    }
  }

  std::size_t group_size() const { return warp_size * sources_per_lane; }
  /// Of a warp.
  std::size_t bytes_of_depth() const {
    return sources_per_lane == 1 ? path_line<1>::bytes_of_depth : path_line<2>::bytes_of_depth;
  }
  auto kernel() const {
    return sources_per_lane == 1 ? path_sweep_kernel<1> : path_sweep_kernel<2>;
  }
};

/// What one device adds up.
struct device_shares {
  sweep_outcome outcome = sweep_outcome::finished;
  fixed_sums sums;
  std::vector<unsigned long long> num_ends;
};

/// The sweeps of one device, which must be current.
class path_sweep_call {
 public:
  path_sweep_call(const launch_target& target, const path_hierarchy& paths,
                  const kernel_paths& made, std::span<const std::int32_t> source_places)
      : space_(target, resolved_device(target)),
        paths_(paths),
        made_(made),
        places_(source_places),
        height_(static_cast<std::size_t>(paths.tree->height)) {
    const std::size_t num_groups = (places_.size() + made.group_size() - 1) / made.group_size();
    const std::size_t line_bytes = made.bytes_of_depth() * height_;
    const std::size_t num_words = 2 * sum_ranges(paths).end + paths.down.arcs.size() + 2;
    const std::size_t fixed = num_words * sizeof(unsigned long long) + graph_bytes();
    num_warps_ = std::min(concurrent_blocks(made.kernel(), warp_size), num_groups);
    const memory_need need = space_.need_of(fixed + num_warps_ * line_bytes);
    if (!need.is_met()) {
      is_possible_ = need.available >= fixed + line_bytes;
      num_warps_ = is_possible_ ? (need.available - fixed) / line_bytes : 1;
    }
    // As many groups for each warp, as far as possible.
    const std::size_t rounds = (num_groups + num_warps_ - 1) / num_warps_;
    num_warps_ = (num_groups + rounds - 1) / rounds;
    bytes_needed_ = fixed + num_warps_ * line_bytes;
    if (is_possible_) space_.require({bytes_needed_, need.available});
  }

  device_shares run(bool with_ends, monitor& watch) {
    if (!is_possible_) return {sweep_outcome::not_possible, {}, {}};
    APSP_RANGE_OF(algorithm::elimination);
    const cudaStream_t stream = space_.stream.get();
    const auto upload = [&](const auto& values) {
      using value = std::remove_cvref_t<decltype(values[0])>;
      return uploaded(std::span<const value>(values), stream, bytes_needed_);
    };
    const auto places = upload(made_.places);
    const auto down = upload(made_.down);
    const auto down_counts = upload(made_.down_counts);
    const auto parents = upload(paths_.tree->parents);
    const auto up_offsets = upload(paths_.up.offsets);
    const auto up = upload(paths_.up.arcs);
    const auto sources = upload(places_);
    const sum_ranges ranges(paths_);
    const std::size_t num_down = paths_.down.arcs.size();
    const std::size_t num_words = 2 * ranges.end + num_down + 2;
    const auto words = space_.allocate<unsigned long long>(num_words);
    const auto lines = space_.allocate<char>(num_warps_ * height_ * made_.bytes_of_depth());
    unsigned long long* const whole = words.get();
    unsigned long long* const parts = whole + ranges.end;
    unsigned long long* const num_ends = parts + ranges.end;
    unsigned long long* const largest = num_ends + num_down;
    const auto sums_from = [&](std::size_t first) {
      return exact_sums{whole + first, parts + first};
    };
    APSP_CUDA_CHECK(cudaMemsetAsync(whole, 0, num_words * sizeof *whole, stream));
    stop_signal stop(stream, watch, bytes_needed_);
    path_sweep_task task{.num_places = made_.places.size(),
                         .places = places.get(),
                         .down = down.get(),
                         .down_counts = down_counts.get(),
                         .parents = parents.get(),
                         .up = {up_offsets.get(), up.get()},
                         .tolerance = paths_.tolerance,
                         .height = height_,
                         .source_places = nullptr,
                         .num_sources = 0,
                         .with_ends = with_ends,
                         .lines = lines.get(),
                         .of_places = sums_from(0),
                         .of_up = sums_from(ranges.up),
                         .of_down = sums_from(ranges.down),
                         .of_only = sums_from(ranges.only),
                         .num_ends = num_ends,
                         .largest_count = largest,
                         .num_taken = largest + 1,
                         .stop = stop.flag()};
    device_shares found;
    // An observer sees how far the call is.
    const std::size_t at_once =
        watch.is_observed() ? num_warps_ * made_.group_size() : places_.size();
    for (std::size_t first = 0; first < places_.size(); first += at_once) {
      task.source_places = sources.get() + first;
      task.num_sources = std::min(at_once, places_.size() - first);
      APSP_CUDA_CHECK(cudaMemsetAsync(task.num_taken, 0, sizeof *task.num_taken, stream));
      launch("path_sweep_kernel", {static_cast<unsigned>(num_warps_), warp_size, stream},
             made_.kernel(), task);
      if (stop.wait() == solve_outcome::stopped) {
        found.outcome = sweep_outcome::stopped;
        return found;
      }
      watch.advance(task.num_sources);
    }
    const auto download = [&](const unsigned long long* from, std::size_t size) {
      std::vector<unsigned long long> values(size);
      if (size != 0) {
        APSP_CUDA_CHECK(cudaMemcpyAsync(values.data(), from, size * sizeof *from,
                                        cudaMemcpyDeviceToHost, stream));
        APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
      }
      return values;
    };
    const double largest_count = std::bit_cast<double>(download(largest, 1).front());
    if (!(largest_count <= most_paths)) {
      found.outcome = sweep_outcome::not_possible;
      return found;
    }
    found.sums = {download(whole, ranges.end), download(parts, ranges.end)};
    found.num_ends = download(num_ends, num_down);
    return found;
  }

 private:
  std::size_t graph_bytes() const {
    const auto bytes = [](const auto& values) { return values.size() * sizeof values[0]; };
    return bytes(made_.places) + bytes(made_.down) + bytes(made_.down_counts) +
           bytes(paths_.tree->parents) + bytes(paths_.up.offsets) + bytes(paths_.up.arcs) +
           bytes(places_);
  }

  device_workspace space_;
  const path_hierarchy& paths_;
  const kernel_paths& made_;
  std::span<const std::int32_t> places_;
  std::size_t height_;
  bool is_possible_ = true;  ///< There is memory for one warp.
  std::size_t num_warps_ = 1;
  std::size_t bytes_needed_ = 0;
};

}  // namespace

sweep_outcome sweep_shares(const launch_target& target, const path_hierarchy& paths,
                           std::span<const std::int32_t> sources, bool with_ends, monitor& watch,
                           path_shares& shares) {
  // A word is too short for the addresses.
  constexpr std::size_t most_addresses = std::numeric_limits<std::uint32_t>::max();
  const auto height = static_cast<std::size_t>(paths.tree->height);
  if (paths.down.arcs.size() > most_addresses ||
      height > most_addresses / sizeof(path_line<2>::line_record)) {
    return sweep_outcome::not_possible;
  }
  std::size_t multiprocessors = 0;
  {
    const device_guard guard(target.has_several_devices() ? target.devices[0]
                                                          : resolved_device(target));
    multiprocessors = num_multiprocessors();
  }
  // The groups of lanes are the same for any number of devices, and so are the sums.
  const unsigned per_lane =
      sources.size() >= path_sweep_settings.two_from * multiprocessors ? 2 : 1;
  const kernel_paths kernels(paths, sources, per_lane);
  const std::size_t group_size = kernels.group_size();
  const std::size_t num_groups = (sources.size() + group_size - 1) / group_size;
  const std::size_t num_devices = target.num_devices();
  std::vector<device_shares> found(num_devices);
  const auto first_of = [&](std::size_t device) {
    return std::min(device * num_groups / num_devices * group_size, sources.size());
  };
  on_each_device(
      target,
      [&](const launch_target& one, std::size_t i) {
        const std::size_t first = first_of(i);
        const auto own = std::span(kernels.source_places).subspan(first, first_of(i + 1) - first);
        if (own.empty()) return;
        found[i] = path_sweep_call(one, paths, kernels, own).run(with_ends, watch);
      },
      [] {});
  fixed_sums sums;
  std::vector<unsigned long long> num_ends;
  for (device_shares& device : found) {
    if (device.outcome != sweep_outcome::finished) return device.outcome;
    if (device.sums.whole.empty()) continue;
    if (sums.whole.empty()) {
      std::swap(sums, device.sums);
      std::swap(num_ends, device.num_ends);
    } else {
      sums.add(device.sums);
      for (std::size_t i = 0; i < num_ends.size(); ++i) num_ends[i] += device.num_ends[i];
    }
  }
  const sum_ranges ranges(paths);
  const std::size_t n = paths.tree->num_vertices();
  shares.of_places.assign(n, 0);
  shares.of_up.assign(paths.up.arcs.size(), 0);
  shares.of_down.assign(paths.down.arcs.size(), 0);
  if (sums.whole.empty()) return sweep_outcome::finished;
  for (std::size_t i = 0; i < n; ++i) shares.of_places[i] = sums.value(i);
  for (std::size_t i = 0; i < shares.of_up.size(); ++i) {
    shares.of_up[i] = sums.value(ranges.up + i);
  }
  for (std::size_t place = 0; place < n; ++place) {
    const std::int64_t end = paths.down.offsets[place + 1];
    for (auto a = static_cast<std::size_t>(paths.down.offsets[place]);
         a < static_cast<std::size_t>(end); ++a) {
      const double through = sums.value(ranges.only + a);
      const auto ends = static_cast<double>(num_ends[a]);
      shares.of_down[a] = sums.value(ranges.down + a) + through + ends;
      shares.of_places[place] += with_ends ? through + ends : through;
    }
  }
  return sweep_outcome::finished;
}

}  // namespace apsp::inline v1::detail::cuda

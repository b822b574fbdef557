// SPDX-License-Identifier: BSL-1.0
#include "path_sweeps.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/grid.cuh"
#include "../../device/several_devices.cuh"
#include "../../device/stop_signal.cuh"
#include "../../device/workspace.cuh"
#include "../../elimination/elimination_tree.hpp"
#include "path_sweep_kernels.cuh"

namespace apsp::detail::cuda {

namespace {

/// Sums in fixed point, as `exact_sums` has them.
struct fixed_sums {
  std::vector<unsigned long long> whole;
  std::vector<unsigned long long> parts;

  void add(const fixed_sums& other) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      parts[i] += other.parts[i];
      whole[i] += other.whole[i] + (parts[i] < other.parts[i] ? 1 : 0);
    }
  }
  double value(std::size_t i) const {
    // With endpoints, what is added to a source may be negative in between, but no sum is.
    return static_cast<double>(whole[i]) + static_cast<double>(parts[i]) * 0x1p-64;
  }
};

/// The sums of places, arcs up, and arcs down.
std::size_t num_sums(const path_hierarchy& paths) {
  return paths.tree->num_vertices() + paths.up.arcs.size() + paths.down.arcs.size();
}

/// What one device adds up.
struct device_shares {
  sweep_outcome outcome = sweep_outcome::finished;
  fixed_sums sums;
};

/// The sweeps of one device, which must be current.
class path_sweep_call {
 public:
  path_sweep_call(const launch_target& target, const path_hierarchy& paths,
                  std::span<const std::int32_t> subtree_sizes,
                  std::span<const std::int32_t> source_places)
      : space_(target, resolved_device(target)),
        paths_(paths),
        subtree_sizes_(subtree_sizes),
        places_(source_places),
        height_(static_cast<std::size_t>(paths.tree->height)) {
    const std::size_t num_groups = (places_.size() + warp_size - 1) / warp_size;
    const std::size_t sums_bytes = 2 * num_sums(paths) * sizeof(unsigned long long);
    fixed_bytes_ = sums_bytes + graph_bytes();
    const std::size_t most_warps =
        std::min(concurrent_blocks(path_sweep_kernel, warp_size), num_groups);
    const std::size_t wanted = fixed_bytes_ + most_warps * path_line::bytes(height_);
    const memory_need need = space_.need_of(wanted);
    num_warps_ = most_warps;
    if (!need.is_met() && need.available > fixed_bytes_) {
      num_warps_ =
          std::max<std::size_t>((need.available - fixed_bytes_) / path_line::bytes(height_), 1);
    }
    // As many groups for each warp, as far as possible.
    const std::size_t rounds = (num_groups + num_warps_ - 1) / num_warps_;
    num_warps_ = (num_groups + rounds - 1) / rounds;
    space_.require({fixed_bytes_ + num_warps_ * path_line::bytes(height_), need.available});
  }

  device_shares run(bool with_ends, monitor& watch) {
    const cudaStream_t stream = space_.stream.get();
    const elimination_tree& tree = *paths_.tree;
    const std::size_t n = tree.num_vertices();
    const auto upload = [&](const auto& values) {
      using value = std::remove_cvref_t<decltype(values[0])>;
      return uploaded(std::span<const value>(values), stream, fixed_bytes_);
    };
    const auto depths = upload(tree.depths);
    const auto parents = upload(tree.parents);
    const auto sizes = upload(subtree_sizes_);
    const auto up_offsets = upload(paths_.up.offsets);
    const auto up = upload(paths_.up.arcs);
    const auto down_offsets = upload(paths_.down.offsets);
    const auto down = upload(paths_.down.arcs);
    const auto places = upload(places_);
    const std::size_t count = num_sums(paths_);
    const auto words = space_.allocate<unsigned long long>(2 * count + num_words);
    const auto lines = space_.allocate<char>(num_warps_ * path_line::bytes(height_));
    unsigned long long* const whole = words.get();
    unsigned long long* const parts = whole + count;
    unsigned long long* const largest = parts + count;
    const auto sums_from = [&](std::size_t first) {
      return exact_sums{whole + first, parts + first};
    };
    APSP_CUDA_CHECK(cudaMemsetAsync(whole, 0, (2 * count + num_words) * sizeof *whole, stream));
    stop_signal stop(stream, watch, fixed_bytes_);
    path_sweep_task task{.graph = {.num_places = n,
                                   .depths = depths.get(),
                                   .up = {up_offsets.get(), up.get()},
                                   .down = {down_offsets.get(), down.get()},
                                   .tolerance = paths_.tolerance},
                         .parents = parents.get(),
                         .subtree_sizes = sizes.get(),
                         .height = height_,
                         .source_places = nullptr,
                         .num_sources = 0,
                         .with_ends = with_ends,
                         .lines = lines.get(),
                         .of_places = sums_from(0),
                         .of_up = sums_from(n),
                         .of_down = sums_from(n + paths_.up.arcs.size()),
                         .largest_count = largest,
                         .num_taken = largest + 1,
                         .stop = stop.flag()};
    device_shares made;
    // An observer sees how far the call is.
    const std::size_t at_once = watch.is_observed() ? num_warps_ * warp_size : places_.size();
    for (std::size_t first = 0; first < places_.size(); first += at_once) {
      task.source_places = places.get() + first;
      task.num_sources = std::min(at_once, places_.size() - first);
      APSP_CUDA_CHECK(cudaMemsetAsync(task.num_taken, 0, sizeof *task.num_taken, stream));
      launch("path_sweep_kernel", {static_cast<unsigned>(num_warps_), warp_size, stream},
             path_sweep_kernel, task);
      if (stop.wait() == solve_outcome::stopped) {
        made.outcome = sweep_outcome::stopped;
        return made;
      }
      watch.advance(task.num_sources);
    }
    const auto download = [&](const unsigned long long* from, std::size_t size) {
      std::vector<unsigned long long> values(size);
      APSP_CUDA_CHECK(cudaMemcpyAsync(values.data(), from, size * sizeof *from,
                                      cudaMemcpyDeviceToHost, stream));
      APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
      return values;
    };
    const double largest_count = std::bit_cast<double>(download(largest, 1).front());
    if (!(largest_count <= most_paths)) {
      made.outcome = sweep_outcome::out_of_range;
      return made;
    }
    made.sums = {download(whole, count), download(parts, count)};
    return made;
  }

 private:
  static constexpr std::size_t num_words = 2;  ///< Beside the sums.

  std::size_t graph_bytes() const {
    const auto bytes = [](const auto& values) { return values.size() * sizeof values[0]; };
    const elimination_tree& tree = *paths_.tree;
    return bytes(tree.depths) + bytes(tree.parents) + bytes(subtree_sizes_) +
           bytes(paths_.up.offsets) + bytes(paths_.up.arcs) + bytes(paths_.down.offsets) +
           bytes(paths_.down.arcs) + bytes(places_);
  }

  device_workspace space_;
  const path_hierarchy& paths_;
  std::span<const std::int32_t> subtree_sizes_;
  std::span<const std::int32_t> places_;
  std::size_t height_;
  std::size_t fixed_bytes_ = 0;
  std::size_t num_warps_ = 1;
};

}  // namespace

sweep_outcome sweep_shares(const launch_target& target, const path_hierarchy& paths,
                           std::span<const std::int32_t> sources, bool with_ends, monitor& watch,
                           path_shares& shares) {
  const elimination_tree& tree = *paths.tree;
  const std::vector<std::int32_t> subtree_sizes = find_subtree_sizes(tree);
  std::vector<std::int32_t> places;
  places.reserve(sources.size());
  for (const std::size_t i : numbers_by_place(tree, sources)) {
    places.push_back(tree.places[static_cast<std::size_t>(sources[i])]);
  }
  const std::size_t num_devices = target.num_devices();
  std::vector<device_shares> made(num_devices);
  // The groups of lanes are the same for any number of devices, and so are the sums.
  const std::size_t num_groups = (places.size() + warp_size - 1) / warp_size;
  const auto first_of = [&](std::size_t device) {
    return std::min(device * num_groups / num_devices * warp_size, places.size());
  };
  on_each_device(
      target,
      [&](const launch_target& one, std::size_t i) {
        const std::size_t first = first_of(i);
        const auto own = std::span(std::as_const(places)).subspan(first, first_of(i + 1) - first);
        if (own.empty()) return;
        made[i] = path_sweep_call(one, paths, subtree_sizes, own).run(with_ends, watch);
      },
      [] {});
  for (const device_shares& device : made) {
    if (device.outcome != sweep_outcome::finished) return device.outcome;
  }
  fixed_sums& sums = made.front().sums;
  for (std::size_t i = 1; i < num_devices; ++i) {
    if (sums.whole.empty())
      std::swap(sums, made[i].sums);
    else if (!made[i].sums.whole.empty())
      sums.add(made[i].sums);
  }
  const auto values_from = [&](std::size_t first, std::size_t count) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = sums.value(first + i);
    return values;
  };
  const std::size_t n = tree.num_vertices();
  const std::size_t num_up = paths.up.arcs.size();
  shares.of_places = values_from(0, n);
  shares.of_up = values_from(n, num_up);
  shares.of_down = values_from(n + num_up, paths.down.arcs.size());
  return sweep_outcome::finished;
}

}  // namespace apsp::detail::cuda

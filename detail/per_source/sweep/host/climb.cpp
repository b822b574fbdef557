// SPDX-License-Identifier: BSL-1.0
#include "climb.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "../../../elimination/elimination_tree.hpp"
#include "../../../host/parallel_for.hpp"

namespace apsp::inline v1::detail::host {

namespace {

/// Divides the places of a tree into regions that have about as many of some vertices each.
class place_regions {
 public:
  place_regions(const elimination_tree& tree, std::span<const std::int32_t> vertices,
                std::size_t num_regions)
      : tree_(tree) {
    constexpr std::size_t most_cells = 8192;
    while (tree.num_vertices() >> shift_ > most_cells) ++shift_;
    region_of_cell_.resize((tree.num_vertices() >> shift_) + 1);
    constexpr std::size_t samples_of_each = 16;
    const std::size_t num_samples = std::min(vertices.size(), samples_of_each * num_regions);
    for (std::size_t i = 0; i < num_samples; ++i) {
      ++region_of_cell_[cell_of(vertices[vertices.size() / num_samples * i])];
    }
    std::size_t before = 0;
    for (std::uint32_t& region : region_of_cell_) {
      const std::size_t here = region;
      const std::size_t number = before * num_regions / num_samples;
      region = static_cast<std::uint32_t>(std::min(number, num_regions - 1));
      before += here;
    }
  }

  std::uint32_t region_of(std::int32_t vertex) const { return region_of_cell_[cell_of(vertex)]; }

 private:
  std::size_t cell_of(std::int32_t vertex) const {
    return static_cast<std::size_t>(tree_.places[static_cast<std::size_t>(vertex)]) >> shift_;
  }

  const elimination_tree& tree_;
  unsigned shift_ = 0;
  std::vector<std::uint32_t> region_of_cell_;
};

/// Sorts numbers of pairs by the places of their targets, from the last one on.
class target_sort {
 public:
  void run(const elimination_tree& tree, std::span<const std::int32_t> targets,
           std::span<std::size_t> numbers) {
    given_.assign(numbers.begin(), numbers.end());
    keys_.clear();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::int32_t target = targets[numbers[i]];
      const std::int32_t place = tree.places[static_cast<std::size_t>(target)];
      keys_.push_back(static_cast<std::uint64_t>(place) << 32 | i);
    }
    std::sort(keys_.begin(), keys_.end(), std::greater<>{});
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = given_[keys_[i] & 0xffff'ffff];
  }

 private:
  std::vector<std::size_t> given_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace

// Pairs are sorted by the regions of their sources, of which there are as many as batches in each,
// and within pieces of a region by their targets.
std::vector<std::size_t> order_for_batches(const elimination_tree& tree, const vertex_pairs& pairs,
                                           std::size_t batch_size, int threads) {
  const std::size_t count = pairs.sources.size();
  if (count == 0) return {};
  const std::size_t num_batches = count / batch_size;
  const auto num_regions =
      static_cast<std::size_t>(std::sqrt(static_cast<double>(num_batches))) + 1;
  const place_regions by_source(tree, pairs.sources, num_regions);
  std::vector<std::uint32_t> regions(count);
  constexpr std::size_t numbers_together = 4096;
  parallel_for(
      count, threads, [&](std::size_t k) { regions[k] = by_source.region_of(pairs.sources[k]); },
      numbers_together);
  std::vector<std::size_t> begins(num_regions + 1, 0);
  for (const std::uint32_t r : regions) ++begins[r + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::size_t> order(count);
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  for (std::size_t k = 0; k < count; ++k) order[next[regions[k]]++] = k;

  // A region is larger than others if its sources are few.
  const std::size_t largest_piece = std::min(2 * (count / num_regions + 1), std::size_t{1} << 32);
  std::vector<std::span<std::size_t>> pieces;
  for (std::size_t r = 0; r < num_regions; ++r) {
    for (std::size_t first = begins[r]; first < begins[r + 1]; first += largest_piece) {
      pieces.push_back(
          std::span(order).subspan(first, std::min(largest_piece, begins[r + 1] - first)));
    }
  }
  parallel_for_with_workspace(
      pieces.size(), threads, [] { return target_sort(); },
      [&](target_sort& sort, std::size_t i) { sort.run(tree, pairs.targets, pieces[i]); });
  return order;
}

}  // namespace apsp::inline v1::detail::host

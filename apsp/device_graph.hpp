// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>

#include "device_memory.hpp"

namespace apsp::inline v1 {

/// A directed graph in compressed sparse rows in device memory; see `csr_view`.
template <std::integral Offset, std::integral Target, class Weight>
class device_csr_view {
 public:
  using weight_type = Weight;

  device_csr_view(device_span<const Offset> offsets, device_span<const Target> targets,
                  device_span<const Weight> weights)
      : offsets_(offsets), targets_(targets), weights_(weights) {}

  std::size_t num_vertices() const noexcept { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  device_span<const Offset> offsets() const noexcept { return offsets_; }
  device_span<const Target> targets() const noexcept { return targets_; }
  device_span<const Weight> weights() const noexcept { return weights_; }

 private:
  device_span<const Offset> offsets_;
  device_span<const Target> targets_;
  device_span<const Weight> weights_;
};

template <device_sequence Offsets, device_sequence Targets, device_sequence Weights>
device_csr_view(const Offsets&, const Targets&, const Weights&)
    -> device_csr_view<device_value_t<Offsets>, device_value_t<Targets>, device_value_t<Weights>>;

/// A directed graph as a list of arcs in device memory; see `edge_list_view`.
template <std::integral Index, class Weight>
class device_edge_list_view {
 public:
  using weight_type = Weight;

  device_edge_list_view(std::size_t num_vertices, device_span<const Index> sources,
                        device_span<const Index> targets, device_span<const Weight> weights)
      : num_vertices_(num_vertices), sources_(sources), targets_(targets), weights_(weights) {}

  std::size_t num_vertices() const noexcept { return num_vertices_; }
  device_span<const Index> sources() const noexcept { return sources_; }
  device_span<const Index> targets() const noexcept { return targets_; }
  device_span<const Weight> weights() const noexcept { return weights_; }

 private:
  std::size_t num_vertices_;
  device_span<const Index> sources_;
  device_span<const Index> targets_;
  device_span<const Weight> weights_;
};

template <device_sequence Sources, device_sequence Targets, device_sequence Weights>
device_edge_list_view(std::size_t, const Sources&, const Targets&, const Weights&)
    -> device_edge_list_view<device_value_t<Sources>, device_value_t<Weights>>;

template <class Offset, class Target, class Weight>
inline constexpr bool is_device_resident<device_csr_view<Offset, Target, Weight>> = true;
template <class Index, class Weight>
inline constexpr bool is_device_resident<device_edge_list_view<Index, Weight>> = true;

}  // namespace apsp::inline v1

// How graphs of these types are read.
#include "../adaptors/device_graph.hpp"

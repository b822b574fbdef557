// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

#include "../detail/values/viewed_array.hpp"
#include "csr_graph.hpp"

namespace apsp::inline v1 {

/// A non-owning view of a directed graph in compressed sparse rows.
///
/// The arcs that leave vertex u are at positions `offsets[u]` to `offsets[u + 1] - 1` of `targets`
/// and `weights`; a graph of n vertices has n + 1 offsets. Any integral types are allowed. The
/// arrays must outlive the view; temporaries that own their elements do not compile. Without
/// weights, it can be passed to `weighted` and `unweighted`.
template <std::integral Offset, std::integral Target, class Weight = void>
class csr_view {
  struct none {};

 public:
  using weight_type = Weight;
  using weights_type =
      std::conditional_t<std::is_void_v<Weight>, none, std::span<std::add_const_t<Weight>>>;

  csr_view(std::span<const Offset> offsets, std::span<const Target> targets)
    requires std::is_void_v<Weight>
      : offsets_(offsets), targets_(targets) {}
  csr_view(std::span<const Offset> offsets, std::span<const Target> targets, weights_type weights)
    requires(!std::is_void_v<Weight>)
      : offsets_(offsets), targets_(targets), weights_(weights) {}

  std::size_t num_vertices() const noexcept { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::span<const Offset> offsets() const noexcept { return offsets_; }
  std::span<const Target> targets() const noexcept { return targets_; }
  const weights_type& weights() const noexcept { return weights_; }

 private:
  std::span<const Offset> offsets_;
  std::span<const Target> targets_;
  [[no_unique_address]] weights_type weights_;
};

template <std::ranges::contiguous_range Offsets, std::ranges::contiguous_range Targets>
csr_view(Offsets&&, Targets&&)
    -> csr_view<detail::viewed_value_t<Offsets>, detail::viewed_value_t<Targets>>;
template <std::ranges::contiguous_range Offsets, std::ranges::contiguous_range Targets,
          std::ranges::contiguous_range Weights>
csr_view(Offsets&&, Targets&&, Weights&&)
    -> csr_view<detail::viewed_value_t<Offsets>, detail::viewed_value_t<Targets>,
                detail::viewed_value_t<Weights>>;

}  // namespace apsp::inline v1

// How graphs of these types are read.
#include "../adaptors/csr.hpp"

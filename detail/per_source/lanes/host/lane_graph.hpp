// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../../graph/adjacency.hpp"
#include "../../../graph/breadth_first_order.hpp"
#include "lane_kernel.hpp"

// A graph as the loops of searches in lanes read it.
namespace apsp::inline v1::detail::host {

/// The vertices in an order in which neighbors are close to each other, and back.
struct vertex_order {
  template <class T>
  vertex_order(const adjacency_view<T>& outgoing, const adjacency_view<T>& incoming)
      : vertices(breadth_first_order(outgoing, incoming)), places(vertices.size()) {
    for (std::size_t place = 0; place < vertices.size(); ++place) {
      places[static_cast<std::size_t>(vertices[place])] = static_cast<std::int32_t>(place);
    }
  }
  std::size_t size() const { return vertices.size(); }

  std::vector<std::int32_t> vertices;  ///< By place.
  std::vector<std::int32_t> places;    ///< By vertex.
};

template <class S>
class lane_arcs {
  using T = typename S::value_type;

 public:
  /// @param outgoing  is read later, too.
  /// @param incoming  the same arcs, reversed.
  lane_arcs(const vertex_order& order, const adjacency_view<T>& outgoing,
            const adjacency_view<T>& incoming)
      : outgoing_(outgoing) {
    const auto pulls = [&](std::size_t v) {
      return incoming.end(v) - incoming.begin(v) <= most_pulled;
    };
    for (auto* list : {&in_offsets_, &out_offsets_, &push_offsets_}) {
      list->reserve(order.size() + 1);
      list->push_back(0);
    }
    for (auto* list : {&sources_, &targets_}) list->reserve(outgoing.num_edges());
    in_weights_.reserve(outgoing.num_edges());
    for (const std::int32_t vertex : order.vertices) {
      const auto v = static_cast<std::size_t>(vertex);
      for (std::size_t a = incoming.begin(v); pulls(v) && a < incoming.end(v); ++a) {
        sources_.push_back(incoming.targets[a]);
        in_weights_.push_back(incoming.weights[a]);
      }
      for (std::size_t a = outgoing.begin(v); a < outgoing.end(v); ++a) {
        const auto target = static_cast<std::size_t>(outgoing.targets[a]);
        if (pulls(target)) {
          targets_.push_back(order.places[target]);
        } else {
          push_targets_.push_back(order.places[target]);
          push_weights_.push_back(outgoing.weights[a]);
        }
      }
      in_offsets_.push_back(static_cast<std::int64_t>(sources_.size()));
      out_offsets_.push_back(static_cast<std::int64_t>(targets_.size()));
      push_offsets_.push_back(static_cast<std::int64_t>(push_targets_.size()));
    }
  }

  /// The arcs that it was made from.
  const adjacency_view<T>& outgoing() const { return outgoing_; }

  typename lane_kernels<S>::searched_arcs view(const vertex_order& order) const {
    return {.num_vertices = order.size(),
            .vertices = order.vertices.data(),
            .in_offsets = in_offsets_.data(),
            .sources = sources_.data(),
            .in_weights = in_weights_.data(),
            .out_offsets = out_offsets_.data(),
            .targets = targets_.data(),
            .push_offsets = push_offsets_.data(),
            .push_targets = push_targets_.data(),
            .push_weights = push_weights_.data()};
  }

 private:
  /// Paths to a vertex with more arcs into it are pushed: whenever one of these improved, it would
  /// read all of them.
  static constexpr std::size_t most_pulled = 64;

  adjacency_view<T> outgoing_;
  std::vector<std::int64_t> in_offsets_;
  std::vector<std::int32_t> sources_;
  std::vector<T> in_weights_;
  std::vector<std::int64_t> out_offsets_;
  std::vector<std::int32_t> targets_;
  std::vector<std::int64_t> push_offsets_;
  std::vector<std::int32_t> push_targets_;
  std::vector<T> push_weights_;
};

/// The open places of a search; none at first.
class open_bits {
 public:
  explicit open_bits(std::size_t num_vertices)
      : bits_((num_vertices + 63) / 64, 0), words_((bits_.size() + 63) / 64, 0) {}

  bool any() const {
    return std::any_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word != 0; });
  }
  void set(std::int32_t place) {
    const auto p = static_cast<std::size_t>(place);
    bits_[p / 64] |= std::uint64_t{1} << (p % 64);
    words_[p / 4096] |= std::uint64_t{1} << (p / 64 % 64);
  }
  void clear() {
    std::fill(bits_.begin(), bits_.end(), 0);
    std::fill(words_.begin(), words_.end(), 0);
  }
  template <class S>
  typename lane_kernels<S>::open_places view() {
    return {bits_.data(), words_.data()};
  }

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> words_;
};

}  // namespace apsp::inline v1::detail::host

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <functional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "../detail/values/given_weights.hpp"

namespace apsp::inline v1 {

namespace detail {

// Element u is the list of the arcs that leave vertex u.
template <class G>
concept range_of_lists =
    std::ranges::random_access_range<const G> && std::ranges::sized_range<const G> &&
    std::ranges::forward_range<std::ranges::range_reference_t<const G>>;

}  // namespace detail

/// A non-owning view of lists of arcs as a graph: element u of the range is a range of the arcs
/// that leave vertex u, of any type. The lists must outlive it.
///
/// `adjacency_lists_view(lists)` has integers as arcs, the targets; without the view,
/// `std::vector<std::vector<int>>` is a matrix. `adjacency_lists_view(lists, &Road::to)` has arcs
/// of another type. Both have no weights, and can be passed to `weighted` and `unweighted`.
/// `adjacency_lists_view(lists, &Road::to, &Road::minutes)` has weights.
///
/// @tparam Target, Weight  pointers to data members or const member functions, or functions of an
///                         arc. A call evaluates them several times for every arc, and they must
///                         return the same each time. Several threads read data members; others are
///                         called by one.
template <class G, class Target = std::identity, class Weight = void>
  requires detail::range_of_lists<G>
class adjacency_lists_view {
  using arc = std::ranges::range_reference_t<std::ranges::range_reference_t<const G>>;
  static_assert(std::invocable<const Target&, arc>,
                "apsp::adjacency_lists_view: the second argument must give the target of an arc: "
                "a pointer to a member of its type, or a function");
  using target_type = std::invoke_result_t<const Target&, arc>;
  static_assert(std::integral<std::remove_cvref_t<target_type>>,
                "apsp::adjacency_lists_view: the targets of arcs must be integers; for arcs of a "
                "struct, pass (lists, &Edge::target, &Edge::weight)");

 public:
  using weight_function = std::conditional_t<std::is_void_v<Weight>, detail::no_weight, Weight>;
  using weight_type = detail::weight_given_t<Weight, arc>;

  explicit adjacency_lists_view(const G& lists)
    requires std::same_as<Target, std::identity>
      : lists_(&lists) {}
  explicit adjacency_lists_view(const G&&) = delete;
  adjacency_lists_view(const G& lists, Target target_of)
    requires std::is_void_v<Weight>
      : lists_(&lists), target_(std::move(target_of)) {}
  adjacency_lists_view(const G&&, Target) = delete;
  adjacency_lists_view(const G& lists, Target target_of, weight_function weight_of)
    requires(!std::is_void_v<Weight>)
      : lists_(&lists), target_(std::move(target_of)), weight_(std::move(weight_of)) {}
  adjacency_lists_view(const G&&, Target, weight_function) = delete;

  const G& lists() const noexcept { return *lists_; }
  const Target& target() const noexcept { return target_; }
  const weight_function& weight() const noexcept { return weight_; }

 private:
  const G* lists_;
  [[no_unique_address]] Target target_;
  [[no_unique_address]] weight_function weight_;
};

template <class G, class Target, class Weight>
adjacency_lists_view(const G&, Target, Weight) -> adjacency_lists_view<G, Target, Weight>;

}  // namespace apsp::inline v1

// How lists and these views are read.
#include "../adaptors/adjacency_lists.hpp"

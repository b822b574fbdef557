// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../detail/values/given_weights.hpp"
#include "../detail/values/viewed_array.hpp"

namespace apsp::inline v1 {

/// A non-owning view of a directed graph as a list of arcs (coordinate format, COO): arc k goes
/// from `sources[k]` to `targets[k]` and has weight `weights[k]`. Arcs may be in any order, and
/// parallel arcs are allowed. Without weights, it can be passed to `weighted` and `unweighted`.
template <std::integral Index, class Weight = void>
class edge_list_view {
  struct none {};

 public:
  using weight_type = Weight;
  using weights_type =
      std::conditional_t<std::is_void_v<Weight>, none, std::span<std::add_const_t<Weight>>>;

  edge_list_view(std::size_t num_vertices, std::span<const Index> sources,
                 std::span<const Index> targets)
    requires std::is_void_v<Weight>
      : num_vertices_(num_vertices), sources_(sources), targets_(targets) {}
  edge_list_view(std::size_t num_vertices, std::span<const Index> sources,
                 std::span<const Index> targets, weights_type weights)
    requires(!std::is_void_v<Weight>)
      : num_vertices_(num_vertices), sources_(sources), targets_(targets), weights_(weights) {}

  std::size_t num_vertices() const noexcept { return num_vertices_; }
  std::span<const Index> sources() const noexcept { return sources_; }
  std::span<const Index> targets() const noexcept { return targets_; }
  const weights_type& weights() const noexcept { return weights_; }

 private:
  std::size_t num_vertices_;
  std::span<const Index> sources_;
  std::span<const Index> targets_;
  [[no_unique_address]] weights_type weights_;
};

template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
edge_list_view(std::size_t, Sources&&, Targets&&)
    -> edge_list_view<detail::viewed_value_t<Sources>>;
template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets,
          std::ranges::contiguous_range Weights>
edge_list_view(std::size_t, Sources&&, Targets&&, Weights&&)
    -> edge_list_view<detail::viewed_value_t<Sources>, detail::viewed_value_t<Weights>>;

namespace detail {

template <class R>
using arc_of = std::ranges::range_reference_t<const std::remove_cvref_t<R>>;

template <class R>
concept range_of_arcs = std::ranges::forward_range<const std::remove_cvref_t<R>>;
template <class R>
concept range_of_tuples = range_of_arcs<R> && requires {
  std::tuple_size<std::ranges::range_value_t<const std::remove_cvref_t<R>>>::value;
};
template <class R>
using tuple_of = std::ranges::range_value_t<const std::remove_cvref_t<R>>;
template <class R, std::size_t Size>
concept range_of_edges = range_of_tuples<R> && std::tuple_size_v<tuple_of<R>> == Size &&
                         std::integral<std::remove_cvref_t<std::tuple_element_t<0, tuple_of<R>>>> &&
                         std::integral<std::remove_cvref_t<std::tuple_element_t<1, tuple_of<R>>>>;

/// How `edges` reads a tuple.
template <std::size_t I>
struct element {
  template <class Tuple>
  decltype(auto) operator()(const Tuple& tuple) const {
    return std::get<I>(tuple);
  }
};

/// True if @p Vertex, a pointer to member or a function, gives an end of an arc of type Arc.
template <class Vertex, class Arc>
concept end_of_arc = std::invocable<const Vertex&, Arc> &&
                     std::integral<std::remove_cvref_t<std::invoke_result_t<const Vertex&, Arc>>>;

}  // namespace detail

/// The return type of `edges`.
template <class R, class Source = detail::element<0>, class Target = detail::element<1>,
          class Weight = void>
class edge_range {
 public:
  using weight_function = std::conditional_t<std::is_void_v<Weight>, detail::no_weight, Weight>;

  template <class Range>
  edge_range(std::size_t num_vertices, Range&& arcs, Source source_of, Target target_of,
             weight_function weight_of)
      : num_vertices_(num_vertices),
        arcs_(std::forward<Range>(arcs)),
        source_(std::move(source_of)),
        target_(std::move(target_of)),
        weight_(std::move(weight_of)) {}
  std::size_t num_vertices() const noexcept { return num_vertices_; }
  const std::remove_cvref_t<R>& arcs() const noexcept { return arcs_; }
  const Source& source() const noexcept { return source_; }
  const Target& target() const noexcept { return target_; }
  const weight_function& weight() const noexcept { return weight_; }

 private:
  std::size_t num_vertices_;
  R arcs_;
  [[no_unique_address]] Source source_;
  [[no_unique_address]] Target target_;
  [[no_unique_address]] weight_function weight_;
};

namespace detail {

template <class R>
using kept_range_t = std::conditional_t<std::is_lvalue_reference_v<R>,
                                        const std::remove_cvref_t<R>&, std::remove_cvref_t<R>>;

}  // namespace detail

/// A directed graph of @p num_vertices vertices, given as a range of arcs.
///
/// @param arcs  any forward range of tuples (source, target, weight) or (source, target): of
///              `std::tuple`, `std::pair`, or arrays. It is kept by reference, unless it is a
///              temporary. Arcs may be in any order, and parallel arcs are allowed. Without
///              weights, the graph can be passed to `weighted` and `unweighted`.
template <class R>
  requires(detail::range_of_edges<R, 2> || detail::range_of_edges<R, 3>)
auto edges(std::size_t num_vertices, R&& arcs) {
  using weight = std::conditional_t<detail::range_of_edges<R, 3>, detail::element<2>, void>;
  return edge_range<detail::kept_range_t<R>, detail::element<0>, detail::element<1>, weight>(
      num_vertices, std::forward<R>(arcs), {}, {}, {});
}

/// The same for a range of arcs of any type, for example of a struct:
/// `edges(n, roads, &Road::from, &Road::to, &Road::km)`.
///
/// @param source, target, weight  pointers to data members or const member functions, or functions
///                                of an arc. Without a weight, the graph can be passed to
///                                `weighted` and `unweighted`. A call evaluates them several times
///                                for every arc, and they must return the same each time.
template <detail::range_of_arcs R, class Source, class Target>
auto edges(std::size_t num_vertices, R&& arcs, Source source, Target target) {
  static_assert(detail::end_of_arc<Source, detail::arc_of<R>> &&
                    detail::end_of_arc<Target, detail::arc_of<R>>,
                "apsp::edges: the arguments after the range must give the source and the target "
                "of an arc, as integers: pointers to members of its type, or functions");
  return edge_range<detail::kept_range_t<R>, Source, Target>(
      num_vertices, std::forward<R>(arcs), std::move(source), std::move(target), {});
}
template <detail::range_of_arcs R, class Source, class Target, class Weight>
auto edges(std::size_t num_vertices, R&& arcs, Source source, Target target, Weight weight) {
  static_assert(detail::end_of_arc<Source, detail::arc_of<R>> &&
                    detail::end_of_arc<Target, detail::arc_of<R>> &&
                    std::invocable<const Weight&, detail::arc_of<R>>,
                "apsp::edges: the arguments after the range must give the source and the target "
                "of an arc, as integers, and its weight: pointers to members of its type, or "
                "functions");
  return edge_range<detail::kept_range_t<R>, Source, Target, Weight>(
      num_vertices, std::forward<R>(arcs), std::move(source), std::move(target), std::move(weight));
}

}  // namespace apsp::inline v1

// How graphs of these types are read.
#include "../adaptors/edge_list.hpp"

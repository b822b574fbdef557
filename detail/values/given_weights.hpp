// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <type_traits>

namespace apsp::inline v1::detail {

/// In place of a function from an arc to its weight, for a graph without weights.
struct no_weight {};

/// The type of the weights that a @p Weight, a pointer to member or a function, gives to arcs; void
/// for `void`.
template <class Weight, class Arc>
struct weight_given {
  using type = std::remove_cvref_t<std::invoke_result_t<const Weight&, Arc>>;
};
template <class Arc>
struct weight_given<void, Arc> {
  using type = void;
};
template <class Weight, class Arc>
using weight_given_t = typename weight_given<Weight, Arc>::type;

}  // namespace apsp::inline v1::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once

// Boost deprecates named parameters. The functions with a policy take them as long as they exist;
// define this macro to compile without them.
#if !defined(APSP_WITHOUT_BOOST_NAMED_PARAMETERS) && \
    !__has_include(<boost/graph/named_function_params.hpp>)
#define APSP_WITHOUT_BOOST_NAMED_PARAMETERS
#endif

#ifndef APSP_WITHOUT_BOOST_NAMED_PARAMETERS
#include <boost/graph/named_function_params.hpp>
#endif
#include <boost/graph/relax.hpp>
#include <type_traits>

#include "names.hpp"

namespace boost::graph::apsp_names {

template <class T>
using closed_plus = closed_plus<T>;

#ifndef APSP_WITHOUT_BOOST_NAMED_PARAMETERS
template <class P, class T, class R>
using bgl_named_params = bgl_named_params<P, T, R>;

using distance_combine_t = distance_combine_t;
using distance_compare_t = distance_compare_t;
using distance_inf_t = distance_inf_t;
using distance_zero_t = distance_zero_t;
using param_not_found = param_not_found;
#endif

}  // namespace boost::graph::apsp_names

namespace apsp::detail::bgl {

template <class X>
inline constexpr bool is_named_parameters = false;

/// A positional parameter: anything but Boost's named parameters.
template <class X>
concept positional = !is_named_parameters<X>;

#ifndef APSP_WITHOUT_BOOST_NAMED_PARAMETERS
template <class P, class T, class R>
inline constexpr bool is_named_parameters<names::bgl_named_params<P, T, R>> = true;

/// The named parameter @p tag, or else @p make_default().
template <class Parameters, class Tag, class F>
auto parameter_or(const Parameters& given, Tag tag, F make_default) {
  const auto value = get_param(given, tag);
  if constexpr (std::is_same_v<decltype(value), const names::param_not_found>) {
    return make_default();
  } else {
    return value;
  }
}
#endif

}  // namespace apsp::detail::bgl

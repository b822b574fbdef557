// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/error.hpp>
#include <apsp/policy.hpp>
#include <boost/mp11.hpp>
#include <cstdint>
#include <ostream>
#include <tuple>
#include <type_traits>

// The policies of the test cases. A test source is compiled twice: for the host, including cuda_*
// with its fallback, and with APSP_TEST_ON_DEVICE for cuda_* that must not fall back. Each policy
// runs, and each type, but only with APSP_LONG_TESTS each policy with each type.
namespace apsp_test {

constexpr bool runs_on_host(apsp::backend b) {
  return b == apsp::backend::seq || b == apsp::backend::omp;
}

struct seq {
  static constexpr auto policy() { return apsp::seq; }
  static constexpr auto expected = apsp::backend::seq;
};
struct omp {
  static constexpr auto policy() { return apsp::omp; }
  static constexpr auto expected = apsp::backend::omp;
};
struct omp_3_threads {
  static constexpr auto policy() { return apsp::omp.threads(3); }
  static constexpr auto expected = apsp::backend::omp;
};
struct cuda_naive {
  static constexpr auto policy() { return apsp::cuda_naive; }
  static constexpr auto expected = apsp::backend::cuda_naive;
};
struct cuda_tiled {
  static constexpr auto policy() { return apsp::cuda_tiled; }
  static constexpr auto expected = apsp::backend::cuda_tiled;
};
struct required_cuda_naive {
  static constexpr auto policy() { return apsp::cuda_naive.required(); }
  static constexpr auto expected = apsp::backend::cuda_naive;
};
struct required_cuda_tiled {
  static constexpr auto policy() { return apsp::cuda_tiled.required(); }
  static constexpr auto expected = apsp::backend::cuda_tiled;
};

#if defined(APSP_TEST_ON_DEVICE)
using policies = std::tuple<required_cuda_naive, required_cuda_tiled>;
#elif defined(APSP_LONG_TESTS)
using policies = std::tuple<seq, omp, omp_3_threads, cuda_naive, cuda_tiled>;
#else
using policies = std::tuple<seq, omp_3_threads, cuda_tiled>;
#endif

#if defined(APSP_TEST_ON_DEVICE) && !defined(APSP_LONG_TESTS)
constexpr bool is_short = true;
/// The first and the last of a list of types, for cases whose subject is not the type.
template <class List>
using some_of = std::tuple<boost::mp11::mp_front<List>, boost::mp11::mp_back<List>>;
#else
constexpr bool is_short = false;
template <class List>
using some_of = List;
#endif

/// True if the kernels of the policy take long for large problems, so that it gets smaller ones. It
/// differs from the others in its kernels only.
template <class Policy>
constexpr bool is_slow = is_short && Policy::expected == apsp::backend::cuda_naive;

/// True if the policy runs what has no kernels, on the host; `required()` policies refuse it.
template <class Policy>
constexpr bool takes_plain_loops() {
  if constexpr (requires { Policy::policy().is_required(); }) {
    return !Policy::policy().is_required();
  } else {
    return true;
  }
}

using weight_types = std::tuple<float, double, std::int32_t, std::int64_t>;
/// The types of cases whose subject is not the type. A device solves larger graphs, and so two of
/// them.
using some_weight_types =
    std::conditional_t<is_short, std::tuple<double, std::int32_t>, weight_types>;

/// A policy and a weight type, the template parameter of a test case.
template <class Policy, class Weight>
struct with {
  using policy_type = Policy;
  using weight = Weight;
  static constexpr auto expected = Policy::expected;
  static constexpr auto policy() { return Policy::policy(); }
};

template <class Types>
using first_type = std::tuple<boost::mp11::mp_front<Types>>;

// The pairs `Pair<Policy, Type>` of policies and types that are template parameters of test cases:
// one policy with all types, and the others with the first one. With APSP_LONG_TESTS all policies
// that do not fall back are combined with all types; a policy that falls back runs the same code as
// `omp`.
template <class Tested, class Others, template <class, class> class Pair, class Types>
using one_with_all =
    boost::mp11::mp_append<boost::mp11::mp_product<Pair, Tested, Types>,
                           boost::mp11::mp_product<Pair, Others, first_type<Types>>>;
template <template <class, class> class Pair, class Types>
using with_policies =
#if defined(APSP_TEST_ON_DEVICE) && defined(APSP_LONG_TESTS)
    boost::mp11::mp_product<Pair, policies, Types>;
#elif defined(APSP_TEST_ON_DEVICE)
    one_with_all<std::tuple<required_cuda_tiled>, std::tuple<required_cuda_naive>, Pair, Types>;
#elif defined(APSP_LONG_TESTS)
    one_with_all<std::tuple<seq, omp_3_threads>, std::tuple<omp, cuda_naive, cuda_tiled>, Pair,
                 Types>;
#else
    one_with_all<std::tuple<omp_3_threads>, std::tuple<seq, cuda_tiled>, Pair, Types>;
#endif

using policies_and_weights = with_policies<with, weight_types>;

// For cases whose subject is not the type: on a device, where small graphs take long, fewer types.
using fewer_weight_types =
    std::conditional_t<is_short, std::tuple<float, std::int32_t>, weight_types>;
using policies_and_fewer_weights = with_policies<with, fewer_weight_types>;

}  // namespace apsp_test

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../apsp/algorithm.hpp"
#include "../../apsp/config.hpp"
#include "../../apsp/plan.hpp"
#include "../../apsp/policy.hpp"
#include "facts.hpp"

// Chooses the algorithm of a call that leaves it open. A decision does not depend on the number of
// threads, so that the sums of floating-point weights do not either.
namespace apsp::inline v1::detail {

/// What may change a plan, and takes time to find out.
enum class missing_fact {
  nothing,
  num_levels,           ///< `call_facts::num_levels`
  share_within_cutoff,  ///< `call_facts::share_within_cutoff`
  order                 ///< `call_facts::order`, and its structure if one is found
};

struct call_plan {
  algorithm method = algorithm::floyd_warshall;
  /// Of the method, in nanoseconds of one thread on the host, or of the device.
  double time = 0;
  /// If it is not `nothing`, the caller finds it out, adds it to the facts, and plans again.
  missing_fact missing = missing_fact::nothing;
  /// What preparing an elimination may take so that it can be faster than the method, in
  /// nanoseconds of one thread.
  double preparation_time = 0;
  /// What the search for an order may take of that.
  double search_time = 0;
  apsp::plan candidates;
};

/// A pure function: equal facts give equal plans.
APSP_EXPORT call_plan plan_call(const call_facts& facts);

/// The facts of the searches that `johnson` makes on a host after reweighting.
APSP_EXPORT call_facts facts_after_reweighting(call_facts facts);

/// The algorithm that searches from each source.
APSP_EXPORT algorithm search_method(const call_facts& facts);

/// The same, but on a host Bellman–Ford for batches of sources where that is predicted to be faster
/// in a graph as deep as `num_levels` says.
APSP_EXPORT algorithm fastest_search(const call_facts& facts);
/// True if `fastest_search` depends on `num_levels`.
APSP_EXPORT bool depth_decides_search(const call_facts& facts);

/// The time of searches from each source for one of the algorithms that search, in the units of
/// `call_plan`.
APSP_EXPORT double search_time(const call_facts& facts);

/// What is left of @p rival_time for the preparation of an elimination, next to the fastest sweeps.
APSP_EXPORT double time_before_sweeps(const call_facts& facts, double rival_time);
/// What the search for an order may take: a quarter of @p rival_time on deep graphs, and otherwise
/// 5 %, at most 0.1 s.
APSP_EXPORT double order_search_time(const call_facts& facts, double rival_time);
/// The predicted time of an elimination whose order is found or ready, in the units of `call_plan`.
APSP_EXPORT double elimination_time(const call_facts& facts);

}  // namespace apsp::inline v1::detail

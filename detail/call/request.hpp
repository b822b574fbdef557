// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/policy.hpp"
#include "../plan/plan_call.hpp"

// What a policy asks of a call, whatever runs it.
namespace apsp::inline v1::detail {

struct request {
  /// The algorithm that the caller names; empty to choose one for the graph.
  std::optional<algorithm> asked{};
  std::optional<long double> cutoff{};  ///< Longer paths are not wanted.
  bool prefers_fewest_edges =
      false;                  ///< Of all shortest paths, those of the fewest edges are wanted.
  bool uses_symmetry = true;  ///< Undirected graphs may be solved at half of the work.
  bool is_required = false;   ///< An error is wanted in place of the host fallback.
  /// The sources to choose an algorithm for, if not those of the call. Processes that share out the
  /// sources of a call all choose the same algorithm.
  std::span<const std::int32_t> chosen_for = {};
  /// The plan, if the caller made one; null if the call makes it.
  const call_plan* plan = nullptr;
  /// The checkpoints to keep; null: none.
  const checkpoint_settings* checkpoints = nullptr;
};

/// True if `progress`, `stop` or a checkpoint may be set: the policy has an `observer`.
template <class Policy>
inline constexpr bool has_observer =
    std::is_same_v<std::remove_cvref_t<decltype(std::declval<const Policy&>().attached_observer())>,
                   observer>;

template <class Policy>
request request_of(const Policy& policy, std::optional<algorithm> asked = std::nullopt) {
  request wanted{.asked = asked,
                 .cutoff = policy.cutoff(),
                 .prefers_fewest_edges = policy.prefers_fewest_edges(),
                 .uses_symmetry = policy.uses_symmetry()};
  if constexpr (requires { policy.is_required(); }) wanted.is_required = policy.is_required();
  if constexpr (has_observer<Policy>) {
    const checkpoint_settings& checkpoints = policy.attached_observer().checkpoints;
    if (checkpoints.are_set()) wanted.checkpoints = &checkpoints;
  }
  return wanted;
}

}  // namespace apsp::inline v1::detail

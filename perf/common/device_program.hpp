// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "generators.hpp"
#include "timing.hpp"

// Common parts of the programs that measure whole calls, also on a device.
namespace device_program {

/// Returns the reason why no device can be used; empty if one can.
inline std::string why_no_device() {
  const auto g = apsp_perf::ring_graph<std::int32_t>(2, apsp_perf::ring_kind::directed, 1, 1);
  apsp::matrix<std::int32_t> distances(2);
  try {
    static_cast<void>(apsp::floyd_warshall(apsp::cuda_tiled.required(), g.view(), distances));
  } catch (const apsp::device_error& error) {
    return error.what();
  }
  return "";
}

/// Returns the driver version of the kernel module, such as "580.159.04"; empty without one.
inline std::string driver_version() {
  std::ifstream in("/proc/driver/nvidia/version");
  std::string line;
  std::getline(in, line);
  std::smatch version;
  return std::regex_search(line, version, std::regex(R"(\b\d+\.[\d.]+)")) ? version.str() : "";
}

/// A strategy of `bellman_ford` under `cuda_naive`.
struct named_strategy {
  const char* name;
  apsp::relaxations kind;
};
inline constexpr named_strategy strategies[] = {
    {"by_edge", apsp::relaxations::by_edge},
    {"by_incoming_edges", apsp::relaxations::by_incoming_edges},
    {"by_outgoing_edges", apsp::relaxations::by_outgoing_edges},
    {"scatter_and_check", apsp::relaxations::scatter_and_check}};

inline bool needs_device(const std::string& policy) {
  return policy.starts_with("cuda");
}

/// Prefix of the name of `cuda_tiled` on several devices.
inline const std::string devices_prefix = "cuda_tiled:devices:";

/// `cuda_tiled` on the first @p count devices.
inline auto on_devices(std::size_t count) {
  std::vector<int> devices(count);
  std::iota(devices.begin(), devices.end(), 0);
  return apsp::cuda_tiled.required().devices(devices);
}

/// Returns @p f of the policy with this name, which may also be "cuda_naive:by_edge",
/// "cuda_naive:by_edge:8" with 8 edges per thread, or "cuda_tiled:devices:2" on the first two
/// devices. CUDA policies must not fall back.
/// @throws std::invalid_argument if there is no such policy.
template <class F>
auto with_policy(const std::string& name, F f) {
  if (name.starts_with(devices_prefix)) {
    return f(on_devices(std::stoul(name.substr(devices_prefix.size()))));
  }
  for (const auto& [strategy, kind] : strategies) {
    const std::string prefix = std::string("cuda_naive:") + strategy;
    if (!name.starts_with(prefix)) continue;
    apsp::relaxation_strategy relax{.kind = kind};
    if (name != prefix) relax.edges_per_thread = std::stoi(name.substr(prefix.size() + 1));
    return f(apsp::cuda_naive.required().relax(relax));
  }
  return apsp::with_policy(name, [&](const auto& policy) {
    if constexpr (requires { policy.required(); }) {
      return f(policy.required());
    } else {
      return f(policy);
    }
  });
}

/// @throws std::runtime_error unless the call with the policy @p policy ran on its backend.
inline void require_policy(apsp::backend executed_on, const std::string& policy) {
  if (apsp::to_string(executed_on) != policy.substr(0, policy.find(':'))) {
    throw std::runtime_error("it fell back");
  }
}

/// @throws std::runtime_error if the call with the policy @p policy, for a graph without negative
///         cycles, found one or ran on another backend.
inline void require_solved(const apsp::result& done, const std::string& policy) {
  if (!done) throw std::runtime_error("a negative cycle in a graph that has none");
  require_policy(done.executed_on(), policy);
}

/// Returns the seconds of @p solve(policy), which returns an apsp::result, with the policy called
/// @p name.
template <class Solve>
double seconds_of_solve(const std::string& name, Solve solve) {
  return with_policy(name, [&](const auto& policy) {
    const auto [done, seconds] = timing::timed([&] { return solve(policy); });
    require_solved(done, name);
    return seconds;
  });
}

}  // namespace device_program

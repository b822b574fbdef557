// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/result.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "generators.hpp"
#include "weight_types.hpp"

// What the programs that measure whole calls on a device have in common. They need the standard
// library and apsp alone, since a machine with a device has often little else.
namespace device_program {

/// Why no device can be used; empty if one can.
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

/// "580.159.04" of the line that the driver's module shows; empty without one.
inline std::string driver_version() {
  std::ifstream in("/proc/driver/nvidia/version");
  std::string line;
  std::getline(in, line);
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos) {
      return word;
    }
  }
  return "";
}

/// The words of the command line, save where files were first written: that says nothing about what
/// is in them.
inline std::string call_text(std::string program, int argc, char** argv) {
  std::string text = std::move(program);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--csv" || word == "--graphs") {
      ++i;
      continue;
    }
    text += word.find(' ') == std::string::npos ? ' ' + word : " '" + word + "'";
  }
  return text;
}

/// What @p f gives for the policy called @p name; a device's does not fall back.
/// @param device the number of the device, or less than 0 for the current one.
/// @throws std::runtime_error if no policy is called so.
template <class F>
auto with_policy(const std::string& name, int device, F f) {
  const auto required = [&](auto policy) {
    return device < 0 ? policy.required() : policy.required().device(device);
  };
  if (name == "cuda_tiled") return f(required(apsp::cuda_tiled));
  if (name == "cuda_naive") return f(required(apsp::cuda_naive));
  if (name == "omp") return f(apsp::omp);
  if (name == "seq") return f(apsp::seq);
  throw std::runtime_error("policy " + name + " is unknown");
}

/// Calls @p f(std::type_identity<W>{}, type, n) for every size n under every type.
template <class F>
void for_each_type_and_size(const std::vector<std::string>& types,
                            const std::vector<std::string>& sizes, F f) {
  for (const auto& type : types) {
    for (const auto& size : sizes) {
      const auto n = command_line::to_number<std::size_t>(size);
      weight_types::with(type, [&](auto weight) { f(weight, type, n); });
    }
  }
}

/// @throws std::runtime_error if a call under the policy called @p policy ran elsewhere.
inline void require_policy(apsp::backend executed_on, const std::string& policy) {
  if (apsp::to_string(executed_on) != policy) throw std::runtime_error("it fell back");
}

/// @throws std::runtime_error if a call under the policy called @p policy, for a graph without
///         negative cycles, found one or ran elsewhere.
inline void require_solved(const apsp::result& done, const std::string& policy) {
  if (!done) throw std::runtime_error("a negative cycle in a graph that has none");
  require_policy(done.executed_on(), policy);
}

/// At most @p count of @p n rows to check, spread over the matrix, the last one among them.
inline std::vector<std::size_t> rows_to_check(std::size_t n, std::size_t count) {
  std::vector<std::size_t> rows(std::min(count, n));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = n - 1 - i * n / rows.size();
  return rows;
}

}  // namespace device_program

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm.hpp"
#include "config.hpp"
#include "plan.hpp"
#include "policy.hpp"

namespace apsp::inline v1 {

/// Whether a call has computed the distances, or why it has not.
enum class outcome {
  not_run,         ///< There has been no call: the result was made without one.
  solved,          ///< The distances are valid.
  negative_cycle,  ///< The graph has a negative cycle; see `result::negative_cycle()`.
  stopped          ///< The policy's stop token requested a stop.
};

/// The name of @p o in code.
constexpr std::string_view to_string(outcome o) {
  switch (o) {
    case outcome::not_run:
      return "not_run";
    case outcome::solved:
      return "solved";
    case outcome::negative_cycle:
      return "negative_cycle";
    case outcome::stopped:
      return "stopped";
  }
  return "unknown";
}

/// What a call reports. It converts to `false` if the graph has a negative cycle, the call was
/// stopped, or there has been no call; `outcome()` distinguishes these.
class [[nodiscard]] result {
 public:
  /// The result of no call, for members and containers: false, with the outcome `not_run`. What
  /// `executed_on()` and `algorithm()` return then has no meaning.
  result() noexcept = default;
  result(backend executed_on, apsp::algorithm algorithm)
      : executed_on_(executed_on), algorithm_(algorithm), has_run_(true) {}

  /// True if the distances are valid: the graph has no negative cycle, and the call was not
  /// stopped.
  explicit operator bool() const noexcept { return outcome() == apsp::outcome::solved; }

  /// `solved`, or why the distances are not valid. A negative cycle that was found before the call
  /// was stopped counts as `negative_cycle`.
  apsp::outcome outcome() const noexcept {
    if (!has_run_) return apsp::outcome::not_run;
    if (!negative_cycle_.empty()) return apsp::outcome::negative_cycle;
    return stopped_ ? apsp::outcome::stopped : apsp::outcome::solved;
  }

  /// The vertices of a closed walk of negative length, with the first vertex repeated at the end;
  /// empty if the graph has no negative cycle.
  const std::vector<std::size_t>& negative_cycle() const noexcept { return negative_cycle_; }

  /// The backend that ran: that of the policy, unless the call fell back to the host.
  backend executed_on() const noexcept { return executed_on_; }
  /// Why the call did not run on the backend of the policy; empty if it did.
  const std::string& fallback_reason() const noexcept { return fallback_reason_; }
  /// The algorithm that ran.
  apsp::algorithm algorithm() const noexcept { return algorithm_; }
  /// The algorithms that the call chose from, with the times that were predicted, and how it
  /// computed; without candidates if the caller named the algorithm.
  const apsp::plan& plan() const noexcept { return plan_; }
  /// True if the length of a shortest path is too large (or too negative) for the integer distance
  /// type; the entry is then `unreachable` (or the lowest value).
  bool saturated() const noexcept { return saturated_; }

  /// True if the matrix of weights was found to be symmetric and only half of it was relaxed.
  bool used_symmetry() const noexcept { return used_symmetry_; }

  /// The number of CUDA devices that the call was divided among: 0 on the host, 1 unless the policy
  /// or, in `floyd_warshall`, the processes have several and the algorithm uses them.
  std::size_t num_devices() const noexcept {
    const bool is_on_host = executed_on_ == backend::seq || executed_on_ == backend::omp;
    return is_on_host ? 0 : num_devices_;
  }

  /// True if the rows of a matrix passed through a device, and were never in its memory as a whole.
  bool out_of_core() const noexcept { return out_of_core_; }

  /// True if the call ended early because the policy's stop token requested it; distances are then
  /// unspecified.
  bool stopped() const noexcept { return stopped_; }

  // Set by the library.
  void set_algorithm(apsp::algorithm a) noexcept { algorithm_ = a; }
  /// Keeps what is known of the computation.
  void set_candidates(const apsp::plan& made) noexcept {
    const computation computed = plan_.computed();
    plan_ = made;
    plan_.set_computed(computed);
  }
  void set_computed(const computation& made) noexcept { plan_.set_computed(made); }
  void set_negative_cycle(std::vector<std::size_t> walk) { negative_cycle_ = std::move(walk); }
  void set_fallback_reason(std::string reason) { fallback_reason_ = std::move(reason); }
  void set_saturated(bool value) noexcept { saturated_ = value; }
  void set_used_symmetry(bool value) noexcept { used_symmetry_ = value; }
  void set_num_devices(std::size_t count) noexcept { num_devices_ = count; }
  void set_out_of_core(bool value) noexcept { out_of_core_ = value; }
  void set_stopped() noexcept { stopped_ = true; }

 private:
  backend executed_on_ = backend::seq;
  apsp::algorithm algorithm_ = apsp::algorithm::floyd_warshall;
  bool has_run_ = false;
  bool saturated_ = false;
  bool used_symmetry_ = false;
  bool stopped_ = false;
  bool out_of_core_ = false;
  std::size_t num_devices_ = 1;
  apsp::plan plan_;
  std::vector<std::size_t> negative_cycle_;
  std::string fallback_reason_;
};

/// Thrown by functions that return distances, and not a `result`, if there are none to return: the
/// graph has a negative cycle, the call was stopped, or a distance does not fit.
class APSP_EXPORT unsolved_error : public std::runtime_error {
 public:
  unsolved_error(const std::string& what, apsp::result done)
      : std::runtime_error(what), result_(std::move(done)) {}

  /// What the call reported, for example `negative_cycle()`.
  const apsp::result& result() const noexcept { return result_; }

 private:
  apsp::result result_;
};

}  // namespace apsp::inline v1

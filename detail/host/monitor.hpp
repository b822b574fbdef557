// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "../../apsp/plan.hpp"
#include "../../apsp/policy.hpp"
#include "serial_calls.hpp"

namespace apsp::inline v1::detail {

/// Whether a call keeps the checkpoints that its policy may ask for.
enum class checkpoint_use { refused, kept };

/// The solvers' interface to a call: progress and stop requests of its observer, and what the
/// result says of the computation. Safe to use from several threads.
class monitor {
 public:
  explicit monitor(const unobserved&, checkpoint_use = checkpoint_use::refused) {}
  /// @throws std::invalid_argument if the call does not keep the checkpoints that are asked for.
  explicit monitor(const observer& attached, checkpoint_use asked = checkpoint_use::refused)
      : observer_(&attached) {
    if (asked == checkpoint_use::refused && attached.checkpoints.are_set()) {
      throw std::invalid_argument(
          "apsp: checkpoint and resume are for floyd_warshall of one graph, with data in host "
          "memory, on several processes only under seq and omp; got another call");
    }
  }
  monitor(const monitor&) = delete;
  monitor& operator=(const monitor&) = delete;

  /// False if the call has no observer: a solver then need not stop to report.
  bool is_observed() const { return observer_ != nullptr; }

  bool stop_requested() const { return observer_ != nullptr && observer_->stop.stop_requested(); }

  /// Sets the number of steps of the call. If a call is restarted, it counts from zero again.
  void begin(std::size_t total) {
    if (observer_ == nullptr) return;
    calls_.run([&] {
      total_ = total;
      done_ = 0;
    });
  }

  /// Reports @p steps additional steps as done. Throws what the callback throws, including an
  /// earlier exception.
  void advance(std::size_t steps) {
    if (observer_ == nullptr || !observer_->progress) return;
    calls_.run([&] {
      done_ += steps;
      observer_->progress(done_, total_);
    });
  }

  /// Notes the type in which values are computed; the last note counts.
  void note_type(std::string_view type, std::string_view why_it_fits) {
    const std::lock_guard lock(notes_);
    computed_.type = type;
    computed_.why_it_fits = why_it_fits;
  }
  /// Notes that sources are solved together; the largest number counts.
  void note_batch(std::size_t num_sources) {
    const std::lock_guard lock(notes_);
    computed_.batch = std::max(computed_.batch, num_sources);
  }
  /// Notes that so many arcs are left out; the largest number counts.
  void note_arcs_left_out(std::size_t num_arcs) {
    const std::lock_guard lock(notes_);
    computed_.arcs_left_out = std::max(computed_.arcs_left_out, num_arcs);
  }
  computation computed() const {
    const std::lock_guard lock(notes_);
    return computed_;
  }

 private:
  const observer* observer_ = nullptr;
  serial_calls calls_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  mutable std::mutex notes_;
  computation computed_;
};

}  // namespace apsp::inline v1::detail

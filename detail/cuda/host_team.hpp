// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace apsp::detail::cuda {

/// Host threads that wait for many short jobs. Starting a thread per job would take longer than a
/// job.
class host_team {
 public:
  /// A team of at most @p size threads, the caller's being one of them.
  explicit host_team(unsigned size) {
    try {
      for (unsigned i = 1; i < size; ++i) helpers_.emplace_back([this, i] { help(i); });
    } catch (const std::system_error&) {
      // Fewer threads do the same work.
    }
    parts_ = static_cast<unsigned>(helpers_.size()) + 1;
  }
  ~host_team() {
    work_ = nullptr;
    start();
    for (std::thread& helper : helpers_) helper.join();
  }
  host_team(const host_team&) = delete;
  host_team& operator=(const host_team&) = delete;

  /// Calls f(part, parts) once for each part; returns when all are done. @p f throws nothing.
  template <class F>
  void run(F&& f) {
    argument_ = &f;
    work_ = [](void* argument, unsigned part, unsigned parts) {
      (*static_cast<std::remove_reference_t<F>*>(argument))(part, parts);
    };
    pending_.store(parts_ - 1, std::memory_order_relaxed);
    start();
    work_(argument_, 0, parts_);
    for (unsigned left = pending_.load(std::memory_order_acquire); left != 0;
         left = pending_.load(std::memory_order_acquire)) {
      pending_.wait(left, std::memory_order_acquire);
    }
  }

 private:
  void start() {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  void help(unsigned part) {
    for (std::uint32_t seen = 0;; ++seen) {
      round_.wait(seen, std::memory_order_acquire);
      if (work_ == nullptr) return;
      work_(argument_, part, parts_);
      if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
    }
  }

  std::vector<std::thread> helpers_;
  unsigned parts_ = 1;
  void* argument_ = nullptr;
  void (*work_)(void*, unsigned, unsigned) = nullptr;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<unsigned> pending_{0};
};

}  // namespace apsp::detail::cuda

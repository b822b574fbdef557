// SPDX-License-Identifier: BSL-1.0
#include "binding.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace apsp_python {

report report_of(const apsp::result& done) {
  report found;
  found["negative_cycle"] =
      std::vector<std::size_t>(done.negative_cycle().begin(), done.negative_cycle().end());
  found["saturated"] = done.saturated();
  found["algorithm"] = std::string(apsp::to_string(done.algorithm()));
  found["executed_on"] = std::string(apsp::to_string(done.executed_on()));
  found["fallback_reason"] = std::string(done.fallback_reason());
  found["num_devices"] = done.num_devices();
  found["out_of_core"] = done.out_of_core();
  found["plan"] = apsp::to_string(done.plan());
  return found;
}

namespace {

/// Those that are running.
struct running_calls {
  std::mutex mutex;
  std::condition_variable ended;
  std::set<std::stop_source*> stops;
  /// The thread in which the interpreter ends; none before. Others would be ended inside of C++
  /// when they ask for the GIL again.
  std::optional<std::thread::id> ending;
};
// Never deleted: a thread of a parent may have held the mutex.
running_calls* all_calls = new running_calls;  // NOLINT(cppcoreguidelines-owning-memory)
std::atomic<int> num_forks = 0;

}  // namespace

void throw_ending() {
  throw std::runtime_error("apsp: stopped, since the interpreter ends");
}

running_call::running_call(std::stop_source& stop) : stop_(&stop) {
  running_calls& all = *all_calls;
  const std::lock_guard lock(all.mutex);
  if (all.ending && *all.ending != std::this_thread::get_id()) throw_ending();
  all.stops.insert(stop_);
}
running_call::~running_call() {
  running_calls& all = *all_calls;
  const std::lock_guard lock(all.mutex);
  all.stops.erase(stop_);
  all.ended.notify_all();
}

void stop_all() {
  running_calls& all = *all_calls;
  bool has_stopped = false;
  {
    const nb::gil_scoped_release others_run;
    std::unique_lock lock(all.mutex);
    all.ending = std::this_thread::get_id();
    has_stopped = !all.stops.empty();
    for (std::stop_source* const stop : all.stops) stop->request_stop();
    all.ended.wait(lock, [&] { return all.stops.empty(); });
  }
  // Their threads may not run again, and then never release the objects of their calls.
  if (has_stopped) nb::set_leak_warnings(false);
}

void abandon_parent() {
  nb::set_leak_warnings(false);  // The objects of the other threads are lost.
  all_calls = new running_calls;
  ++num_forks;
}

int generation() {
  return num_forks;
}

void call_interruptibly(std::stop_source& stop, const std::function<void()>& f) {
  constexpr std::chrono::milliseconds between_looks(50);
  std::mutex mutex;
  std::condition_variable ended;
  bool has_ended = false;
  std::exception_ptr failure;
  std::jthread worker([&] {
    std::exception_ptr thrown;
    try {
      f();
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    failure = thrown;
    has_ended = true;
    ended.notify_one();
  });
  bool is_interrupted = false;
  for (;;) {
    {
      const nb::gil_scoped_release others_run;
      std::unique_lock lock(mutex);
      if (ended.wait_for(lock, between_looks, [&] { return has_ended; })) break;
    }
    if (!is_interrupted && PyErr_CheckSignals() != 0) {
      is_interrupted = true;
      stop.request_stop();
    }
  }
  if (is_interrupted) throw nb::python_error();
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace apsp_python

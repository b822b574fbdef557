// SPDX-License-Identifier: BSL-1.0
#include <apsp/for_each_row.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <tuple>

#include "binding.hpp"

namespace apsp_python {
namespace {

/// Rows of distances that a thread computes while they are taken, at most some of them ahead.
template <class T>
class row_queue {
 public:
  using row = std::pair<std::int64_t, std::vector<T>>;

  /// @param graph     an `any_graph<T>` object, which is kept
  /// @param capacity  the most rows that wait to be taken, at least 1
  row_queue(nb::object graph, const vertices& sources, std::size_t capacity, settings how)
      : kept_(std::move(graph)),
        graph_(nb::cast<const any_graph<T>&>(kept_)),
        sources_(sources.data(), sources.data() + sources.size()),
        capacity_(capacity),
        how_(std::move(how)) {
    if (!how_.progress) return;
    how_.progress = [this, report = std::move(how_.progress)](std::size_t done, std::size_t total) {
      const void* const outer = std::exchange(reporting_, this);
      try {
        report(done, total);
      } catch (...) {
        reporting_ = outer;
        throw;
      }
      reporting_ = outer;
    };
  }
  row_queue(const row_queue&) = delete;
  row_queue& operator=(const row_queue&) = delete;
  ~row_queue() {
    const nb::gil_scoped_acquire for_python_objects;
    kept_.reset();
    how_ = {};
  }

  /// Computes the rows.
  void produce(const std::stop_token& stop) {
    std::optional<apsp::result> found;
    std::exception_ptr thrown;
    how_.stop = stop;
    try {
      const auto put = [&](std::size_t source, std::span<const T> distances) {
        std::vector<T> copy(distances.begin(), distances.end());
        std::unique_lock lock(mutex_);
        changed_.wait(lock, stop, [&] { return rows_.size() < capacity_; });
        if (stop.stop_requested()) return;
        rows_.emplace_back(static_cast<std::int64_t>(source), std::move(copy));
        changed_.notify_all();
      };
      found.emplace(with_policy_of(how_, [&](const auto& policy) {
        return with_prepared(graph_, [&](const auto& graph) {
          return apsp::for_each_row(policy, graph, sources_, put);
        });
      }));
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_ = std::move(found);
    failure_ = thrown;
    has_ended_ = true;
    changed_.notify_all();
  }

  /// Waits for the next row for some time.
  /// @return the row and true; no row and true after the last; false if there is none yet.
  /// @throws what the call threw
  std::pair<std::optional<row>, bool> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    const auto has_changed = [&] { return !rows_.empty() || has_ended_; };
    if (!changed_.wait_for(lock, patience, has_changed)) return {std::nullopt, false};
    if (rows_.empty()) {
      if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
      return {std::nullopt, true};
    }
    std::optional<row> first = std::move(rows_.front());
    rows_.pop_front();
    changed_.notify_all();
    return {std::move(first), true};
  }

  /// True in the progress function of the call, in any of its threads.
  bool is_reporting() const { return reporting_ == this; }

  /// What the call reported; none if it has not ended, or threw.
  std::optional<apsp::result> done() {
    const std::lock_guard lock(mutex_);
    return done_;
  }

 private:
  inline static thread_local const void* reporting_ = nullptr;

  nb::object kept_;
  any_graph<T> graph_;
  std::vector<std::int64_t> sources_;
  std::size_t capacity_;
  settings how_;
  std::mutex mutex_;  ///< of the members that follow
  std::condition_variable_any changed_;
  std::deque<row> rows_;
  bool has_ended_ = false;
  std::optional<apsp::result> done_;
  std::exception_ptr failure_;
};

/// A queue and its thread, for Python.
///
/// In a child of fork the thread does not exist, and may have left the queue in any state: neither
/// is touched there.
template <class T>
class row_reader {
 public:
  /// @throws std::runtime_error if the interpreter ends: the thread could not release its objects.
  row_reader(nb::object graph, const vertices& sources, std::size_t capacity, settings how)
      : queue_(std::make_shared<row_queue<T>>(std::move(graph), sources, capacity, std::move(how))),
        worker_(std::make_unique<std::jthread>(
            [queue = queue_, stop = stop_,
             running = std::make_unique<running_call>(*stop_)]() mutable {
              queue->produce(stop->get_token());
              running.reset();
            })) {}
  row_reader(const row_reader&) = delete;
  row_reader& operator=(const row_reader&) = delete;
  ~row_reader() {
    if (!has_worker()) {
      static_cast<void>(worker_.release());
      return;
    }
    try {
      close();
    } catch (const std::runtime_error&) {
      // The interpreter ends: the worker must not be the last to release the queue, which would
      // need the GIL.
      static_cast<void>(new std::shared_ptr<row_queue<T>>(queue_));
    }
    // The progress function of the call dropped the reader; the queue lives until the call ends.
    if (worker_->joinable()) worker_->detach();
  }

  /// Waits for the next row; none after the last. Looks for signals meanwhile.
  /// @throws what the call threw; nb::python_error, which the handler of a signal raised, after
  ///         closing; std::runtime_error if the interpreter ends.
  std::optional<typename row_queue<T>::row> take() {
    constexpr std::chrono::milliseconds between_looks(50);
    std::stop_source ending;
    const running_call running(ending);
    for (;;) {
      {
        const nb::gil_scoped_release others_run;
        auto [next, is_known] = queue_->take(between_looks);
        if (is_known) return std::move(next);
      }
      if (ending.stop_requested()) throw_ending();
      if (PyErr_CheckSignals() != 0) {
        close();
        throw nb::python_error();
      }
    }
  }

  /// Stops the call, and waits until it has ended, except in its own progress function.
  void close() {
    if (!has_worker()) return;
    stop_->request_stop();
    if (queue_->is_reporting()) return;
    std::stop_source ending;
    const running_call running(ending);
    const nb::gil_scoped_release others_run;
    const std::lock_guard one_by_one(closing_);
    if (worker_->joinable()) worker_->join();
  }

  /// @throws std::runtime_error where `take` would never end.
  void check_that_rows_come() const {
    if (!has_worker()) {
      throw std::runtime_error(
          "apsp: expected the process that called for_each_row, got a child of it, which has no "
          "thread that computes the rows; call for_each_row in the child");
    }
    if (queue_->is_reporting()) {
      throw std::runtime_error(
          "apsp: expected the next row to be asked for outside of progress, got a call in the "
          "function that the computation of the rows waits for");
    }
  }

  std::optional<apsp::result> done() const { return queue_->done(); }

 private:
  bool has_worker() const { return generation_ == generation(); }

  int generation_ = generation();
  std::shared_ptr<std::stop_source> stop_ = std::make_shared<std::stop_source>();
  std::shared_ptr<row_queue<T>> queue_;
  std::mutex closing_;
  std::unique_ptr<std::jthread> worker_;
};

/// @param name  of the class in Python
template <class T>
void bind(nb::module_& m, const char* name) {
  using reader = row_reader<T>;
  nb::class_<reader>(m, name, "Rows of distances that are computed while they are taken.")
      .def(
          "take",
          [](reader& rows) -> std::optional<std::tuple<std::int64_t, array<T>>> {
            auto next = rows.take();
            if (!next) return std::nullopt;
            return std::tuple(next->first, array_of(std::move(next->second)));
          },
          "Returns a source and its row, or None after the last.")
      .def("check_that_rows_come", &reader::check_that_rows_come,
           "Raises an error where take would never end.")
      .def("close", &reader::close, "Stops the call.")
      .def(
          "report",
          [](const reader& rows) -> std::optional<report> {
            const auto done = rows.done();
            if (!done) return std::nullopt;
            return report_of(*done);
          },
          "Returns what the call reports when it has ended.");
  // A class cannot be chosen by the type of its argument.
  m.def(
      "rows",
      [](const nb::handle_t<any_graph<T>>& graph, const vertices& sources, std::size_t capacity,
         const settings& how) {
        return nb::cast(std::make_unique<reader>(nb::borrow(graph), sources, capacity, how));
      },
      "graph"_a, "sources"_a, "capacity"_a, "settings"_a, "Begins to compute rows.");
}

}  // namespace

void bind_rows(nb::module_& m) {
  bind<double>(m, "Float64Rows");
  bind<float>(m, "Float32Rows");
  bind<std::int32_t>(m, "Int32Rows");
  bind<std::int64_t>(m, "Int64Rows");
}

}  // namespace apsp_python

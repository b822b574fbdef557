// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../../apsp/algorithm.hpp"
#include "../../../../apsp/error.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/context.cuh"
#include "../../../device/several_devices.cuh"
#include "../../../device/stream.cuh"
#include "../../../elimination/elimination_tree.hpp"
#include "../../../matrix/row_record.hpp"
#include "../../../values/computed_type.hpp"
#include "../../delivery/cuda/batch_delivery.cuh"
#include "../../delivery/cuda/device_delivery.cuh"
#include "../../delivery/cuda/host_delivery.cuh"
#include "../../delivery/cuda/totals_delivery.cuh"
#include "../../problem/cuda/graph_on_device.cuh"
#include "../../problem/cuda/source_batch.cuh"
#include "../../search/cuda/naive_bellman_ford.cuh"
#include "../../search/cuda/naive_dijkstra.cuh"
#include "../../search/cuda/predecessor_kernel.cuh"
#include "../../search/cuda/tiled_dijkstra.cuh"
#include "../../sweep/cuda/elimination.cuh"
#include "../source_queue.hpp"
#include "batch_memory.cuh"
#include "bellman_ford_choice.cuh"
#include "solver.hpp"

// `solve_per_source`, for the files that instantiate it.
namespace apsp::inline v1::detail::cuda {

struct per_source_tuning {
  unsigned predecessor_threads = 256;
  std::size_t most_predecessor_blocks = std::size_t{1} << 20;
  /// Smaller batches would not saturate the transfer to the host.
  std::size_t least_batch_bytes = std::size_t{64} << 20;
};
inline constexpr per_source_tuning per_source{};

/// One call on one of its devices.
template <class C, class Join>
class per_source_run {
 public:
  per_source_run(const launch_target& target, const per_source_problem<C>& problem,
                 source_queue& queue, std::unique_ptr<batch_delivery<C>> delivery, monitor& watch)
      : target_(target),
        problem_(problem),
        queue_(queue),
        watch_(watch),
        n_(problem.arcs.num_vertices()),
        stream_(target.stream),
        graph_(problem.arcs, target.memory_limit, stream_.get()),
        delivery_(std::move(delivery)),
        memory_(problem, *delivery_) {}

  bool has_fitted_16_bits() const { return solver_ != nullptr && solver_->has_fitted_16_bits(); }

  solve_outcome run() {
    if (n_ == 0 || problem_.sources.empty()) return solve_outcome::finished;
    if (watch_.stop_requested()) return solve_outcome::stopped;
    prepare();
    const shared_context context;
    batch_range current = next_batch();
    solve_outcome outcome = current.count == 0 ? solve_outcome::finished : solve(current);
    while (current.count != 0) {
      if (outcome != solve_outcome::finished) return outcome;
      if (watch_.stop_requested()) return solve_outcome::stopped;
      const batch_range next = next_batch();
      // Another thread solves the next batch on the device while the threads of this one deliver
      // the last. If no thread can be started, or there is no second set of buffers, the next batch
      // is solved afterwards.
      const bool is_ahead = num_buffers_ > 1 && next.count != 0;
      const auto when =
          is_ahead ? std::launch::async | std::launch::deferred : std::launch::deferred;
      auto solved_next = std::async(when, [&] {
        const shared_context::use in_context(context);
        return next.count == 0 ? solve_outcome::finished : solve(next);
      });
      {
        APSP_RANGE("delivery");
        delivery_->deliver(solved(current), is_ahead);
      }
      outcome = solved_next.get();
      current = next;
    }
    // The caller cannot order work after a stream owned by this call.
    if (stream_.is_owned()) APSP_CUDA_CHECK(cudaStreamSynchronize(stream_.get()));
    return watch_.stop_requested() ? solve_outcome::stopped : solve_outcome::finished;
  }

 private:
  /// The results of a batch, from the start of solving to the end of delivery.
  struct batch_buffers {
    device_buffer<C> distances;
    device_buffer<std::int32_t> predecessors;
    device_buffer<int> has_doubt;
    event_handle ready;
  };
  /// A batch of the call: its first source, the number of sources, and its buffers.
  struct batch_range {
    std::size_t first;
    std::size_t count;
    const batch_buffers* buffers;
  };

  bool needs_incoming() const {
    return problem_.with_predecessors ||
           (target_.kernels == backend::cuda_naive && problem_.method == algorithm::bellman_ford &&
            naive_bellman_ford<C, Join>::needs_incoming(target_.strategy));
  }

  void prepare() {
    APSP_RANGE("preparation");
    make_solver();
    reserve();
  }

  void make_solver() {
    // The compiler names an algorithm that is not listed.
    switch (problem_.method) {
      case algorithm::elimination:
        return make_sweeps();
      case algorithm::dijkstra:
      case algorithm::bellman_ford:
        return make_search();
      case algorithm::johnson:
      case algorithm::floyd_warshall:
      case algorithm::repeated_squaring:
      case algorithm::breadth_first_search:
      case algorithm::product:
      case algorithm::reduction:
      case algorithm::transitive_closure:
        break;
    }
    throw std::logic_error("apsp: expected an algorithm that has kernels for sources, got " +
                           std::string(to_string(problem_.method)));
  }

  void make_search() {
    graph_.count(saturated_sum(saturated_product(graph_.bytes_of_arcs(), needs_incoming() ? 2 : 1),
                               problem_.sources.size_bytes()));
    graph_.upload_outgoing();
    if (needs_incoming()) graph_.make_incoming();
    const bool is_naive = target_.kernels == backend::cuda_naive;
    if constexpr (Join::is_sum) {
      if (problem_.method == algorithm::dijkstra) return make_dijkstra(is_naive);
    }
    if (is_naive) {
      solver_ = std::make_unique<naive_bellman_ford<C, Join>>(
          graph_.outgoing(), graph_.incoming(), problem_, target_.strategy, stream_.get());
    } else {
      solver_ = bellman_ford_choice<C, Join>(problem_, graph_, memory_, queue_.share(), watch_,
                                             stream_.get())
                    .make();
    }
  }
  void make_dijkstra(bool is_naive) {
    if (is_naive) {
      solver_ = std::make_unique<naive_dijkstra<C>>(graph_.outgoing(), problem_, stream_.get());
    } else {
      solver_ = std::make_unique<tiled_dijkstra<C>>(graph_.outgoing(), problem_, stream_.get());
    }
  }

  void make_sweeps() {
    auto made = std::make_unique<sweep_solver<C, Join>>(
        *problem_.hierarchy, queue_.share(), graph_.most_bytes(),
        target_.kernels == backend::cuda_naive, delivery_->bytes_of_total() != 0,
        delivery_->amounts(), stream_.get());
    graph_.count(saturated_sum(saturated_sum(made->graph_bytes(), problem_.sources.size_bytes()),
                               needs_incoming() ? graph_.bytes_of_arcs() : 0));
    made->upload(graph_.bytes());
    if (needs_incoming()) graph_.make_incoming();
    solver_ = std::move(made);
  }

  /// True if the distance of a vertex need not be the sum of that of its predecessor and a weight.
  bool rounds_differently() const {
    return Join::rounds && problem_.method == algorithm::elimination;
  }

  std::size_t sources_that_fit(std::size_t num_buffers) const {
    return memory_.sources_that_fit(*solver_, graph_.bytes_left(), num_buffers);
  }
  /// Chooses the size of a batch, and whether there is a second set of buffers, so that one batch
  /// can be solved while the previous one is delivered. If memory is so short that two sets would
  /// leave multiprocessors idle, larger batches are better.
  std::size_t choose_buffers() {
    const std::size_t num_sources = queue_.share();
    const std::size_t resident = solver_->concurrent_sources();
    const std::size_t least = per_source.least_batch_bytes / (n_ * memory_.bytes_per_entry()) + 1;
    const std::size_t fit_once = sources_that_fit(1);
    if (fit_once == 0)
      throw device_error(graph_.bytes() + memory_.bytes(*solver_, 1, 1), graph_.most_bytes());
    const std::size_t wanted = std::max(resident, least);
    if (num_sources <= wanted && num_sources <= fit_once) {
      batch_size_ = num_sources;
      return 1;
    }
    if (!delivery_->may_overlap()) {
      batch_size_ = balanced(std::min({fit_once, wanted, num_sources}));
      return 1;
    }
    const std::size_t fit_twice = sources_that_fit(2);
    const bool has_room = fit_twice >= std::min(num_sources, resident);
    batch_size_ = balanced(std::min({has_room ? fit_twice : fit_once, wanted, num_sources}));
    return has_room ? 2 : 1;
  }
  /// Size of equally large batches of at most @p most sources.
  std::size_t balanced(std::size_t most) const {
    const std::size_t num_sources = queue_.share();
    const std::size_t num_batches = (num_sources + most - 1) / most;
    const std::size_t lanes = solver_->layout().lanes;
    const std::size_t even = (num_sources + num_batches - 1) / num_batches;
    const std::size_t rounded = (even + lanes - 1) / lanes * lanes;
    return rounded <= most ? rounded : most;
  }

  void reserve() {
    const std::size_t num_buffers = choose_buffers();
    watch_.note_batch(batch_size_);
    const std::size_t bytes_needed =
        graph_.bytes() + memory_.bytes(*solver_, batch_size_, num_buffers);
    const std::size_t entries = memory_.num_entries(solver_->layout(), batch_size_);
    totals_ = {memory_.bytes_of_totals(solver_->layout(), batch_size_), stream_.get(),
               bytes_needed};
    for (std::size_t i = 0; i < num_buffers; ++i) {
      batch_buffers& p = buffers_[i];
      p.distances = {entries, stream_.get(), bytes_needed};
      if (problem_.with_predecessors) {
        p.predecessors = {entries, stream_.get(), bytes_needed};
        p.has_doubt = {batch_size_, stream_.get(), bytes_needed};
      }
    }
    num_buffers_ = num_buffers;
    solver_->reserve(batch_size_, watch_, bytes_needed);
    sources_ = {problem_.sources.size(), stream_.get(), bytes_needed};
    APSP_CUDA_CHECK(cudaMemcpyAsync(sources_.get(), problem_.sources.data(),
                                    problem_.sources.size_bytes(), cudaMemcpyHostToDevice,
                                    stream_.get()));
  }

  batch_range next_batch() {
    const source_queue::range taken = queue_.take(batch_size_);
    return {taken.first, taken.count, &buffers_[num_batches_++ % num_buffers_]};
  }

  solve_outcome solve(const batch_range& t) {
    APSP_RANGE_OF(problem_.method);
    const batch_buffers& p = *t.buffers;
    const source_batch<C> batch{t.count, sources_.get() + t.first, p.distances.get(),
                                totals_.get()};
    const solve_outcome outcome = solver_->solve(batch, watch_);
    if (outcome != solve_outcome::finished) return outcome;
    if (problem_.with_predecessors) {
      // With negative weights, distances alone do not prove that a row is a tree, so all rows are
      // inspected.
      APSP_CUDA_CHECK(cudaMemsetAsync(p.has_doubt.get(), problem_.has_negative_weight ? 1 : 0,
                                      t.count * sizeof(int), stream_.get()));
      const std::size_t entries = solver_->layout().padded(t.count) * n_;
      const std::size_t blocks =
          std::min((entries + per_source.predecessor_threads - 1) / per_source.predecessor_threads,
                   per_source.most_predecessor_blocks);
      launch("find_predecessors_kernel",
             {static_cast<unsigned>(blocks), per_source.predecessor_threads, stream_.get()},
             rounds_differently() ? find_predecessors_kernel<C, Join, false>
                                  : find_predecessors_kernel<C, Join, true>,
             graph_.incoming(), batch, solver_->layout(), p.predecessors.get(), p.has_doubt.get());
    }
    APSP_CUDA_CHECK(cudaEventRecord(p.ready.get(), stream_.get()));
    return outcome;
  }

  solved_batch<C> solved(const batch_range& t) const {
    return {t.first,
            t.count,
            sources_.get() + t.first,
            graph_.outgoing(),
            solver_->layout(),
            t.buffers->distances.get(),
            totals_.get(),
            problem_.with_predecessors ? t.buffers->predecessors.get() : nullptr,
            t.buffers->has_doubt.get(),
            stream_.get(),
            t.buffers->ready.get()};
  }

  const launch_target& target_;
  const per_source_problem<C>& problem_;
  source_queue& queue_;
  monitor& watch_;
  std::size_t n_;
  stream_handle stream_;
  graph_on_device<C> graph_;  ///< The sources are counted as part of it.
  std::unique_ptr<batch_solver<C>> solver_;
  std::size_t batch_size_ = 0;
  std::size_t num_buffers_ = 1;
  std::size_t num_batches_ = 0;
  device_buffer<std::int32_t> sources_;
  std::array<batch_buffers, 2> buffers_;
  device_buffer<std::byte> totals_;  ///< Of a batch; deliveries that take them do not overlap.
  std::unique_ptr<batch_delivery<C>> delivery_;  ///< Reads the buffers, so it is destroyed first.
  batch_memory<C> memory_;
};

/// A problem whose sources are in the order in which they are solved.
template <class C>
class ordered_problem {
 public:
  /// Sources that are close to each other in an elimination tree are swept together.
  explicit ordered_problem(const per_source_problem<C>& given) : problem_(given) {
    if (given.method != algorithm::elimination) return;
    rows_.reserve(given.sources.size());
    sources_.reserve(given.sources.size());
    for (const std::size_t row : numbers_by_place(*given.hierarchy->graph.tree, given.sources)) {
      rows_.push_back(static_cast<std::int32_t>(row));
      sources_.push_back(given.sources[row]);
    }
    problem_.sources = sources_;
  }
  ordered_problem(const ordered_problem&) = delete;
  ordered_problem& operator=(const ordered_problem&) = delete;

  const per_source_problem<C>& problem() const { return problem_; }
  /// The rows of the given sources; empty if their order is the same.
  std::span<const std::int32_t> rows() const { return rows_; }

 private:
  per_source_problem<C> problem_;
  std::vector<std::int32_t> rows_;
  std::vector<std::int32_t> sources_;
};

/// Solves on every device of @p target. Calls make_delivery(i) for that with number i among them,
/// and done(delivery) with what it returned, on one thread at a time.
template <class C, class Join, class MakeDelivery, class Done>
solve_outcome run_on_devices(const launch_target& target, const ordered_problem<C>& ordered,
                             monitor& watch, MakeDelivery make_delivery, Done done) {
  const per_source_problem<C>& problem = ordered.problem();
  source_queue queue(problem.sources.size(), target.num_devices());
  solve_outcome all = solve_outcome::finished;
  bool has_fitted_16_bits = true;
  std::mutex mutex;
  on_each_device(
      target,
      [&](const launch_target& one, std::size_t i) {
        auto delivery = make_delivery(i);
        auto& delivered = *delivery;
        per_source_run<C, Join> run(one, problem, queue, std::move(delivery), watch);
        const solve_outcome outcome = run.run();
        if (outcome != solve_outcome::finished) queue.close();
        const std::lock_guard lock(mutex);
        if (outcome != solve_outcome::finished) all = outcome;
        has_fitted_16_bits = has_fitted_16_bits && run.has_fitted_16_bits();
        done(delivered);
      },
      [&] { queue.close(); });
  if (has_fitted_16_bits) watch.note_type(type_name<std::uint16_t>(), no_longer_distance);
  return all;
}

/// Passes all rows to @p output.
template <class C, class Join>
solve_outcome run_per_source(const launch_target& target, const per_source_problem<C>& problem,
                             solver_output<C>& output, monitor& watch) {
  const ordered_problem ordered(problem);
  const auto num_devices = static_cast<int>(target.num_devices());
  return run_on_devices<C, Join>(
      target, ordered, watch,
      [&](std::size_t) {
        return std::make_unique<host_delivery<C, Join>>(ordered.problem(), ordered.rows(), output,
                                                        num_devices, watch);
      },
      [](auto&) {});
}

template <class C>
solve_outcome solve_per_source(const launch_target& target, const per_source_problem<C>& problem,
                               solver_output<C>& output, monitor& watch) {
  return run_per_source<C, plus_weights<C>>(target, problem, output, watch);
}

template <class C, class W>
device_row_outcome solve_into_device_rows(const launch_target& target,
                                          const per_source_problem<C>& problem,
                                          const device_row_target<C, W>& rows, monitor& watch) {
  using join = plus_weights<C>;
  const ordered_problem ordered(problem);
  bool has_saturated = false;
  const solve_outcome outcome = run_on_devices<C, join>(
      target, ordered, watch,
      [&](std::size_t) {
        return std::make_unique<device_delivery<C, W, join>>(ordered.problem(), ordered.rows(),
                                                             rows, watch);
      },
      [&](auto& delivery) { has_saturated = delivery.has_saturated(); });
  return {outcome, has_saturated};
}

/// @tparam Totals  what is added up for each source
template <class C, class W, class Totals>
device_row_outcome solve_into_totals(const launch_target& target,
                                     const per_source_problem<C>& problem,
                                     const device_finishing<C, W>& finishing, const Totals& totals,
                                     monitor& watch) {
  const ordered_problem ordered(problem);
  bool has_saturated = false;
  const solve_outcome outcome = run_on_devices<C, plus_weights<C>>(
      target, ordered, watch,
      [&](std::size_t) {
        return std::make_unique<totals_delivery<C, W, Totals>>(ordered.problem(), ordered.rows(),
                                                               finishing, totals, watch);
      },
      [&](auto& delivery) { has_saturated |= delivery.has_saturated(); });
  return {outcome, has_saturated};
}

template <class C, class W>
device_row_outcome solve_into_records(const launch_target& target,
                                      const per_source_problem<C>& problem,
                                      const device_finishing<C, W>& finishing,
                                      row_record<W>* records, monitor& watch) {
  return solve_into_totals(target, problem, finishing, record_totals<W>(records), watch);
}

template <class C, class W>
device_row_outcome solve_into_sums(const launch_target& target,
                                   const per_source_problem<C>& problem,
                                   const device_finishing<C, W>& finishing,
                                   const weighed_amounts<W>& wanted, double* sums, monitor& watch) {
  return solve_into_totals(target, problem, finishing, amount_totals<W>(wanted, sums), watch);
}

template <class C, path_join Join>
solve_outcome solve_joined_per_source(const launch_target& target,
                                      const per_source_problem<C>& problem,
                                      solver_output<C>& output, monitor& watch) {
  using join = std::conditional_t<Join == path_join::product, times_weights<C>, max_weights<C>>;
  return run_per_source<C, join>(target, problem, output, watch);
}

}  // namespace apsp::inline v1::detail::cuda

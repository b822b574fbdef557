// SPDX-License-Identifier: BSL-1.0
#include "device_parts.hpp"

#include <algorithm>
#include <apsp/device_graph.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/result.hpp>
#include <apsp/unreachable.hpp>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "../common/cuda_objects.cuh"
#include "../common/device_program.hpp"
#include "../common/timing.hpp"
#include "measure.hpp"

namespace studies {

namespace {

using cuda_objects::copy;
using cuda_objects::device_array;
using cuda_objects::event;
using cuda_objects::make_device_array;
using cuda_objects::pinned_array;
using cuda_objects::stream;
using cuda_objects::wait;

constexpr std::size_t source = 0;
constexpr unsigned threads_per_block = 256;
/// Sources, targets and weights.
constexpr std::size_t arrays_per_list = 3;

struct arc_list {
  const std::int32_t* starts;
  const std::int32_t* targets;
  const std::int32_t* weights;
};

struct arc_range {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The arcs of a thread: consecutive ones, or those a grid's width apart, so that adjacent threads
/// read adjacent arcs.
struct arc_shares {
  bool are_consecutive = false;
  std::size_t arcs_per_thread = 4;
};

__device__ std::size_t thread_index() {
  return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__global__ void start_kernel(std::int32_t* distances, std::size_t num_vertices, std::int32_t none) {
  const std::size_t v = thread_index();
  if (v < num_vertices) distances[v] = v == source ? 0 : none;
}

/// Returns true if it has decreased a distance. Other threads decrease distances concurrently. A
/// stale value is too large, and the thread that has decreased it requests another round.
__device__ bool relax_arc(const arc_list& arcs, std::size_t a, std::int32_t* distances,
                          std::int32_t none) {
  const std::int32_t distance = distances[arcs.starts[a]];
  if (distance == none) return false;
  const std::int32_t through = distance + arcs.weights[a];
  std::int32_t* const entry = distances + arcs.targets[a];
  // Most arcs decrease nothing, and a read is faster than an atomic operation.
  return through < *entry && through < atomicMin(entry, through);
}

/// Relaxes the arcs of a range. All threads together have at least as many.
template <bool AreConsecutive>
__global__ void relax_arcs_kernel(arc_list arcs, arc_range range, std::size_t arcs_per_thread,
                                  std::int32_t* distances, std::int32_t none, int* changed) {
  const std::size_t step = AreConsecutive ? 1 : std::size_t{gridDim.x} * blockDim.x;
  std::size_t a = AreConsecutive ? thread_index() * arcs_per_thread : thread_index();
  bool has_lowered = false;
  for (std::size_t i = 0; i < arcs_per_thread && a < range.count; ++i, a += step) {
    if (relax_arc(arcs, range.first + a, distances, none)) has_lowered = true;
  }
  if (has_lowered) *changed = 1;
}

/// Returns the arcs as arc_solver expects them: all sources, all targets, all weights.
std::vector<std::int32_t> arcs_of(const apsp_perf::csr_arrays<std::int32_t>& g) {
  std::vector<std::int32_t> arcs;
  arcs.reserve(arrays_per_list * g.num_edges());
  apsp_perf::for_each_arc(g, [&](std::size_t u, std::size_t, std::int32_t) {
    arcs.push_back(static_cast<std::int32_t>(u));
  });
  arcs.insert(arcs.end(), g.targets.begin(), g.targets.end());
  arcs.insert(arcs.end(), g.weights.begin(), g.weights.end());
  return arcs;
}

/// Bellman–Ford from one source by a kernel over a list of arcs, to measure the effect of the order
/// of arcs and of copies. Functions with a stream are asynchronous, unless stated otherwise.
class arc_solver {
 public:
  explicit arc_solver(const int_problem& p)
      : problem_(p),
        num_vertices_(p.n()),
        num_arcs_(p.graph.num_edges()),
        arcs_(make_device_array<std::int32_t>(arrays_per_list * num_arcs_)),
        distances_(make_device_array<std::int32_t>(num_vertices_)),
        changed_(make_device_array<int>(1)),
        changed_on_host_(cuda_objects::make_pinned_array<int>(1)),
        row_(1, num_vertices_) {}

  arc_range all_arcs() const { return {0, num_arcs_}; }

  /// Copies a range of the result of arcs_of() from host memory.
  void copy_arcs(const std::int32_t* arcs, arc_range range, const stream& on) {
    for (std::size_t array = 0; array < arrays_per_list; ++array) {
      const std::size_t first = array * num_arcs_ + range.first;
      copy(arcs_.get() + first, arcs + first, range.count, on);
    }
  }
  /// Overwrites all arcs with arcs from vertex 0 to itself, so that old arcs are not taken for
  /// copied ones. Synchronises.
  void clear_arcs() {
    CUDA_OBJECTS_CHECK(
        cudaMemset(arcs_.get(), 0, arrays_per_list * num_arcs_ * sizeof(std::int32_t)));
    CUDA_OBJECTS_CHECK(cudaDeviceSynchronize());
  }

  /// Sets the distance of the source to 0 and all others to infinity.
  void start(const stream& on) {
    start_kernel<<<num_blocks(num_vertices_), threads_per_block, 0, on.get()>>>(
        distances_.get(), num_vertices_, apsp::unreachable<std::int32_t>);
    CUDA_OBJECTS_CHECK(cudaGetLastError());
  }
  /// Relaxes the arcs of a range, each once.
  void relax(arc_range range, arc_shares shares, const stream& on) {
    if (range.count == 0) return;
    const arc_list arcs{arcs_.get(), arcs_.get() + num_arcs_, arcs_.get() + 2 * num_arcs_};
    const std::size_t per_thread = shares.arcs_per_thread;
    const auto kernel = shares.are_consecutive ? relax_arcs_kernel<true> : relax_arcs_kernel<false>;
    kernel<<<num_blocks((range.count + per_thread - 1) / per_thread), threads_per_block, 0,
             on.get()>>>(arcs, range, per_thread, distances_.get(), apsp::unreachable<std::int32_t>,
                         changed_.get());
    CUDA_OBJECTS_CHECK(cudaGetLastError());
  }
  /// Relaxes all arcs in rounds until a round changes nothing. Synchronises in every round.
  void finish(arc_shares shares, const stream& on) {
    // A path has at most n - 1 arcs, and the last round changes nothing.
    for (std::size_t round = 0; round < num_vertices_; ++round) {
      CUDA_OBJECTS_CHECK(cudaMemsetAsync(changed_.get(), 0, sizeof(int), on.get()));
      relax(all_arcs(), shares, on);
      copy(changed_on_host_.get(), changed_.get(), 1, on);
      wait(on);
      if (changed_on_host_[0] == 0) return;
    }
  }
  void search(arc_shares shares, const stream& on) {
    start(on);
    finish(shares, on);
  }

  /// Copies the distances to host memory. Synchronises.
  void copy_row(const stream& on) {
    copy(row_.data(), distances_.get(), num_vertices_, on);
    wait(on);
  }
  /// Checks the distances. Synchronises.
  verdict check(const stream& on) {
    copy_row(on);
    return problem_.known.check({static_cast<std::int32_t>(source)}, row_);
  }

 private:
  static unsigned num_blocks(std::size_t num_threads) {
    return static_cast<unsigned>((num_threads + threads_per_block - 1) / threads_per_block);
  }

  const int_problem& problem_;
  std::size_t num_vertices_;
  std::size_t num_arcs_;
  device_array<std::int32_t> arcs_;
  device_array<std::int32_t> distances_;
  device_array<int> changed_;
  pinned_array<int> changed_on_host_;
  apsp::matrix<std::int32_t> row_;
};

class copy_calls {
 public:
  copy_calls(const int_problem& p, const line& about, const settings& s, report& out)
      : about_(about),
        settings_(s),
        out_(out),
        solver_(p),
        pageable_(arcs_of(p.graph)),
        pinned_(cuda_objects::make_pinned_array<std::int32_t>(pageable_.size())),
        mark_(cuda_objects::make_event(cudaEventDisableTiming)) {
    std::copy(pageable_.begin(), pageable_.end(), pinned_.get());
    for (std::size_t i = 0; i < most_streams; ++i) streams_.push_back(cuda_objects::make_stream());
  }

  void add_transfers() {
    const stream& on = streams_[0];
    const auto search = [&] { solver_.search({}, on); };
    const auto add = [&](const std::string& label, auto call, auto complete) {
      line l = line_of("transfers", label);
      time_calls(l, settings_, [&] { return timing::seconds_of(call); });
      complete();
      l.checked = solver_.check(on);
      out_.add(l);
    };
    for (const bool is_pinned : {false, true}) {
      solver_.clear_arcs();
      add(
          is_pinned ? "graph to the device (pinned)" : "graph to the device (pageable)",
          [&] {
            solver_.copy_arcs(arcs(is_pinned), solver_.all_arcs(), on);
            wait(on);
          },
          search);
    }
    add("search", search, [] {});
    add(
        "row to the host", [&] { solver_.copy_row(on); }, [] {});
  }

  void add_streams() {
    for (const bool is_pinned : {false, true}) {
      const std::string memory = is_pinned ? "pinned" : "pageable";
      add_whole(memory + ": whole", arcs(is_pinned), 1, 1);
      for (std::size_t count = 1; count <= most_streams; count *= 2) {
        const std::string streams = std::to_string(count) + (count == 1 ? " stream" : " streams");
        add_whole(memory + ": pieces on " + streams, arcs(is_pinned), count, num_pieces);
      }
    }
  }

 private:
  static constexpr std::size_t most_streams = 8;
  static constexpr std::size_t num_pieces = 16;

  const std::int32_t* arcs(bool are_pinned) const {
    return are_pinned ? pinned_.get() : pageable_.data();
  }
  line line_of(const std::string& part, const std::string& label) const {
    line l = about_;
    l.part = part;
    l.label = label;
    return l;
  }

  void add_whole(const std::string& label, const std::int32_t* arcs, std::size_t stream_count,
                 std::size_t piece_count) {
    line l = line_of("streams", label);
    time_calls(l, settings_, [&] {
      solver_.clear_arcs();
      const double elapsed =
          timing::seconds_of([&] { copy_and_search(arcs, stream_count, piece_count); });
      join(l.checked, solver_.check(streams_[0]));
      return elapsed;
    });
    out_.add(l);
  }

  /// In the first round, a piece is relaxed on the stream that has copied it, while the following
  /// pieces are copied. The other rounds run on the first stream.
  void copy_and_search(const std::int32_t* arcs, std::size_t stream_count,
                       std::size_t piece_count) {
    const stream& first = streams_[0];
    solver_.start(first);
    for (std::size_t i = 1; i < stream_count; ++i) begin_after(streams_[i], first);
    const std::size_t num_arcs = solver_.all_arcs().count;
    for (std::size_t piece = 0; piece < piece_count; ++piece) {
      const std::size_t begin = piece * num_arcs / piece_count;
      const std::size_t end = (piece + 1) * num_arcs / piece_count;
      const stream& on = streams_[piece % stream_count];
      solver_.copy_arcs(arcs, {begin, end - begin}, on);
      solver_.relax({begin, end - begin}, {}, on);
    }
    for (std::size_t i = 1; i < stream_count; ++i) begin_after(first, streams_[i]);
    solver_.finish({}, first);
  }

  /// Makes subsequent work on @p later wait for the current work on @p earlier.
  void begin_after(const stream& later, const stream& earlier) const {
    CUDA_OBJECTS_CHECK(cudaEventRecord(mark_.get(), earlier.get()));
    CUDA_OBJECTS_CHECK(cudaStreamWaitEvent(later.get(), mark_.get()));
  }

  const line& about_;
  const settings& settings_;
  report& out_;
  arc_solver solver_;
  std::vector<std::int32_t> pageable_;
  pinned_array<std::int32_t> pinned_;
  event mark_;
  std::vector<stream> streams_;
};

template <class Policy>
void add_time_line_of(const Policy& policy, const int_problem& p, const line& about, report& out) {
  const std::string name(apsp::to_string(Policy::requested));
  const std::size_t n = p.n();
  const auto& g = p.graph;
  const stream on = cuda_objects::make_stream();
  const auto offsets = make_device_array<std::int64_t>(g.offsets.size());
  const auto targets = make_device_array<std::int32_t>(g.targets.size());
  const auto weights = make_device_array<std::int32_t>(g.weights.size());
  apsp::device_matrix<std::int32_t> distances(n);
  apsp::matrix<std::int32_t> result(n);
  // The events before, between and after the steps.
  constexpr std::array steps{"graph to the device", "solve", "distances to the host"};
  std::vector<event> events;
  for (std::size_t i = 0; i <= steps.size(); ++i) events.push_back(cuda_objects::make_event());
  const auto record = [&](std::size_t i) {
    CUDA_OBJECTS_CHECK(cudaEventRecord(events[i].get(), on.get()));
  };
  const auto run = [&] {
    std::fill(result.begin(), result.end(), -1);
    copy(distances.data(), result.data(), n * n, on);
    record(0);
    copy(offsets.get(), g.offsets.data(), g.offsets.size(), on);
    copy(targets.get(), g.targets.data(), g.targets.size(), on);
    copy(weights.get(), g.weights.data(), g.weights.size(), on);
    record(1);
    const apsp::device_csr_view graph(apsp::device_span(offsets.get(), g.offsets.size()),
                                      apsp::device_span(targets.get(), g.targets.size()),
                                      apsp::device_span(weights.get(), g.weights.size()));
    device_program::require_solved(apsp::dijkstra(policy.on(on.get()), graph, distances), name);
    record(2);
    copy(result.data(), distances.data(), n * n, on);
    record(3);
    wait(on);
  };
  run();  // warm-up
  run();
  line l = about;
  l.bytes = n * n * sizeof(std::int32_t);
  l.calls = 1;
  l.checked = p.known.check(checks::spread_sources(n, n), result);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    l.label = name + ": " + steps[i];
    l.x = seconds_text(cuda_objects::seconds_between(events[0], events[i]));
    l.seconds = cuda_objects::seconds_between(events[i], events[i + 1]);
    out.add(l);
  }
}

}  // namespace

void add_edge_orders(const int_problem& p, const line& about, const settings& s, report& out) {
  constexpr std::size_t most_edges_per_thread = 64;
  // The number of consecutive rounds, so that the time of launches is negligible.
  constexpr int num_rounds = 16;
  const stream on = cuda_objects::make_stream();
  arc_solver solver(p);
  solver.copy_arcs(arcs_of(p.graph).data(), solver.all_arcs(), on);
  wait(on);
  for (const bool are_consecutive : {true, false}) {
    const std::string name = are_consecutive ? "consecutive edges" : "edges a grid apart";
    for (std::size_t k = 1; k <= most_edges_per_thread; k *= 2) {
      const arc_shares shares{are_consecutive, k};
      line l = about;
      l.x = std::to_string(k);
      const auto add = [&](const std::string& label, int num_calls, auto call) {
        l.label = label;
        time_calls(l, s, [&] { return timing::seconds_of(call) / num_calls; });
        l.checked = solver.check(on);
        out.add(l);
      };
      add(name, 1, [&] { solver.search(shares, on); });
      // Rounds after a search: no atomics, and the same reads in any order.
      add(name + ": a last round", num_rounds, [&] {
        for (int i = 0; i < num_rounds; ++i) solver.relax(solver.all_arcs(), shares, on);
        wait(on);
      });
    }
  }
}

void add_copies(const int_problem& p, const line& about, const settings& s, report& out) {
  copy_calls calls(p, about, s, out);
  calls.add_transfers();
  calls.add_streams();
}

void add_time_line(const int_problem& p, const line& about, const settings&, report& out) {
  add_time_line_of(apsp::cuda_naive.required(), p, about, out);
  add_time_line_of(apsp::cuda_tiled.required(), p, about, out);
}

}  // namespace studies

// SPDX-License-Identifier: BSL-1.0
#include "arc_solver.cuh"

#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>

namespace studies {

namespace {

constexpr unsigned threads_per_block = 256;
/// Sources, targets and weights.
constexpr std::size_t arrays_per_list = 3;

struct arc_list {
  const std::int32_t* starts;
  const std::int32_t* targets;
  const std::int32_t* weights;
};

__device__ std::size_t thread_index() {
  return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__global__ void start_kernel(std::int32_t* distances, std::size_t num_vertices, std::size_t source,
                             std::int32_t none) {
  const std::size_t v = thread_index();
  if (v < num_vertices) distances[v] = v == source ? 0 : none;
}

/// Returns true if it has decreased a distance. Other threads decrease distances concurrently. A stale value is
/// too large, and the thread that has decreased it requests another round.
__device__ bool relax_arc(const arc_list& arcs, std::size_t a, std::int32_t* distances,
                          std::int32_t none) {
  const std::int32_t distance = distances[arcs.starts[a]];
  if (distance == none) return false;
  const std::int32_t through = distance + arcs.weights[a];
  std::int32_t* const entry = distances + arcs.targets[a];
  // Most arcs decrease nothing, and a read is faster than an atomic operation.
  return through < *entry && through < atomicMin(entry, through);
}

/// Relaxes arcs first, ..., first + count - 1. There are at least count threads.
template <arc_order Order>
__global__ void relax_arcs_kernel(arc_list arcs, arc_range range, std::size_t arcs_per_thread,
                                  std::int32_t* distances, std::int32_t none, int* changed) {
  constexpr bool is_consecutive = Order == arc_order::consecutive;
  const std::size_t num_threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t step = is_consecutive ? 1 : num_threads;
  std::size_t a = is_consecutive ? thread_index() * arcs_per_thread : thread_index();
  bool has_lowered = false;
  for (std::size_t i = 0; i < arcs_per_thread && a < range.count; ++i, a += step) {
    if (relax_arc(arcs, range.first + a, distances, none)) has_lowered = true;
  }
  if (has_lowered) *changed = 1;
}

}  // namespace

std::vector<std::int32_t> arcs_of(const apsp_perf::csr_arrays<std::int32_t>& g) {
  std::vector<std::int32_t> arcs;
  arcs.reserve(arrays_per_list * g.num_edges());
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    arcs.resize(static_cast<std::size_t>(g.offsets[u + 1]), static_cast<std::int32_t>(u));
  }
  arcs.insert(arcs.end(), g.targets.begin(), g.targets.end());
  arcs.insert(arcs.end(), g.weights.begin(), g.weights.end());
  return arcs;
}

arc_solver::arc_solver(std::size_t num_vertices, std::size_t num_arcs)
    : num_vertices_(num_vertices),
      num_arcs_(num_arcs),
      arcs_(make_device_array<std::int32_t>(arrays_per_list * num_arcs)),
      distances_(make_device_array<std::int32_t>(num_vertices)),
      changed_(make_device_array<int>(1)),
      changed_on_host_(make_pinned_array<int>(1)) {}

void arc_solver::copy_arcs(const std::int32_t* arcs, arc_range range, cudaStream_t on) {
  for (std::size_t array = 0; array < arrays_per_list; ++array) {
    const std::size_t first = array * num_arcs_ + range.first;
    copy(arcs_.get() + first, arcs + first, range.count, on);
  }
}

void arc_solver::clear_arcs() {
  // The cleared arcs lead from vertex 0 to itself.
  const std::size_t bytes = arrays_per_list * num_arcs_ * sizeof(std::int32_t);
  STUDIES_CUDA_CHECK(cudaMemset(arcs_.get(), 0, bytes));
  STUDIES_CUDA_CHECK(cudaDeviceSynchronize());
}

void arc_solver::start(std::size_t source, cudaStream_t on) {
  launch("start_kernel", num_vertices_, threads_per_block, on, start_kernel, distances_.get(),
         num_vertices_, source, apsp::unreachable<std::int32_t>);
}

void arc_solver::relax(arc_range range, arc_shares shares, cudaStream_t on) {
  if (range.count == 0) return;
  const arc_list arcs{arcs_.get(), arcs_.get() + num_arcs_, arcs_.get() + 2 * num_arcs_};
  const std::size_t per_thread = shares.arcs_per_thread;
  const auto kernel = shares.order == arc_order::consecutive
                          ? relax_arcs_kernel<arc_order::consecutive>
                          : relax_arcs_kernel<arc_order::grid_apart>;
  launch("relax_arcs_kernel", (range.count + per_thread - 1) / per_thread, threads_per_block, on,
         kernel, arcs, range, per_thread, distances_.get(), apsp::unreachable<std::int32_t>,
         changed_.get());
}

void arc_solver::finish(arc_shares shares, cudaStream_t on) {
  // A path has at most n - 1 arcs, and the last round changes nothing.
  for (std::size_t round = 0; round < num_vertices_; ++round) {
    STUDIES_CUDA_CHECK(cudaMemsetAsync(changed_.get(), 0, sizeof(int), on));
    relax(all_arcs(), shares, on);
    copy(changed_on_host_.get(), changed_.get(), 1, on);
    STUDIES_CUDA_CHECK(cudaStreamSynchronize(on));
    if (changed_on_host_[0] == 0) return;
  }
}

void arc_solver::copy_row(std::int32_t* row, cudaStream_t on) const {
  copy(row, distances_.get(), num_vertices_, on);
}

verdict arc_solver::check(const known_rows& known, std::size_t source, cudaStream_t on) const {
  apsp::matrix<std::int32_t> row(1, num_vertices_);
  copy_row(row.data(), on);
  STUDIES_CUDA_CHECK(cudaStreamSynchronize(on));
  return known.check({static_cast<std::int32_t>(source)}, row);
}

}  // namespace studies

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "../../../apsp/error.hpp"
#include "../../../apsp/policy.hpp"
#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/resolved_device.cuh"
#include "../../device/several_devices.cuh"
#include "../../device/stream.cuh"
#include "../../device/transfer.cuh"
#include "../../device/warp.hpp"
#include "../../host/monitor.hpp"
#include "small_graph_kernels.cuh"
#include "small_graph_shape.hpp"
#include "small_graphs.hpp"

// `solve_small_graphs`, for the files that instantiate it.
namespace apsp::inline v1::detail::cuda {

/// Graphs of one size class that are transferred together: their places, followed by their arcs, or
/// by matrices of those that have many.
struct small_graph_piece {
  int size_class;
  std::size_t begin;  ///< Position in the order of the batch.
  std::size_t end;
};

/// How memory is divided among the pieces of a batch.
struct small_graph_division {
  std::size_t bytes_beside_matrix;  ///< of a graph in a buffer
  std::size_t least_piece_bytes;
  std::size_t most_piece_bytes;
  std::size_t most_graphs_of_piece;
  std::size_t lanes;  ///< at most
  std::size_t buffers_per_lane;
};

/// A batch divided into pieces. Graphs of a class are consecutive, the largest classes first.
template <class C>
class small_graph_batch {
 public:
  /// An alignment that suits every vector and every place.
  static constexpr std::size_t alignment = 256;

  small_graph_batch(std::span<const small_graph<C>> graphs, std::size_t available_bytes,
                    const small_graph_division& division)
      : graphs_(graphs), division_(division) {
    sort_into_classes();
    std::size_t total = 0;
    std::size_t largest = 0;
    for (const small_graph<C>& graph : graphs) {
      total += bytes_of(graph);
      largest = std::max(largest, bytes_of(graph));
    }
    // Small enough that every lane gets several pieces and that memory holds all lanes.
    const std::size_t buffers = division.buffers_per_lane * division.lanes;
    const std::size_t wanted =
        std::clamp(total / (division.lanes * small_graph_batches.pieces_per_lane),
                   division.least_piece_bytes, division.most_piece_bytes);
    const std::size_t most = available_bytes / buffers / alignment * alignment;
    const std::size_t bytes = std::max(largest, std::min(wanted, most));
    piece_bytes_ = (bytes + alignment - 1) / alignment * alignment;
    num_lanes_ = std::min(division.lanes, available_bytes / lane_bytes());
    if (num_lanes_ == 0) throw device_error(lane_bytes(), available_bytes);
    cut();
    num_lanes_ = std::min(num_lanes_, pieces_.size());
  }

  const std::vector<small_graph_piece>& pieces() const { return pieces_; }
  const small_graph<C>& operator[](std::size_t position) const { return graphs_[order_[position]]; }
  std::size_t piece_bytes() const { return piece_bytes_; }
  std::size_t num_lanes() const { return num_lanes_; }
  /// Device memory of a lane.
  std::size_t lane_bytes() const { return division_.buffers_per_lane * piece_bytes_; }

  static std::size_t num_entries(const small_graph<C>& graph) {
    return graph.num_vertices *
           static_cast<std::size_t>(pitch_of<C>(static_cast<int>(graph.num_vertices)));
  }
  /// True if the arcs of a graph are much smaller than its matrix.
  static bool is_listed(const small_graph<C>& graph) {
    return 2 * graph.num_arcs * sizeof(small_arc<C>) <= num_entries(graph) * sizeof(C);
  }
  /// Bytes of what the host sends of a graph, a multiple of a vector.
  static std::size_t given_bytes(const small_graph<C>& graph) {
    const std::size_t bytes =
        is_listed(graph) ? graph.num_arcs * sizeof(small_arc<C>) : num_entries(graph) * sizeof(C);
    return (bytes + vector_bytes - 1) / vector_bytes * vector_bytes;
  }
  /// The offset of what follows the places of a piece.
  static std::size_t bytes_of_places(const small_graph_piece& piece) {
    return (piece.end - piece.begin) * place_bytes;
  }

 private:
  static constexpr std::size_t place_bytes = sizeof(small_graph_place<C>);
  // A matrix begins at a multiple of a vector, and always fits into a buffer.
  static_assert(place_bytes % vector_bytes == 0 &&
                place_bytes + small_graph_limit * small_graph_limit * sizeof(C) + alignment <=
                    transfers.piece_bytes);

  std::size_t bytes_of(const small_graph<C>& graph) const {
    return division_.bytes_beside_matrix + num_entries(graph) * sizeof(C);
  }

  void sort_into_classes() {
    std::array<std::size_t, num_small_graph_classes> counts{};
    for (const small_graph<C>& graph : graphs_) {
      ++counts[static_cast<std::size_t>(class_of(graph.num_vertices))];
    }
    std::array<std::size_t, num_small_graph_classes> next{};
    for (std::size_t c = num_small_graph_classes - 1; c > 0; --c) next[c - 1] = next[c] + counts[c];
    order_.resize(graphs_.size());
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      order_[next[static_cast<std::size_t>(class_of(graphs_[i].num_vertices))]++] = i;
    }
  }

  void cut() {
    std::size_t bytes = 0;
    for (std::size_t p = 0; p < order_.size(); ++p) {
      const int size_class = class_of((*this)[p].num_vertices);
      const std::size_t more = bytes_of((*this)[p]);
      if (pieces_.empty() || pieces_.back().size_class != size_class ||
          bytes + more > piece_bytes_ ||
          p - pieces_.back().begin == division_.most_graphs_of_piece) {
        pieces_.push_back({size_class, p, p});
        bytes = 0;
      }
      bytes += more;
      ++pieces_.back().end;
    }
  }

  std::span<const small_graph<C>> graphs_;
  small_graph_division division_;
  std::vector<std::size_t> order_;
  std::vector<small_graph_piece> pieces_;
  std::size_t piece_bytes_ = 0;
  std::size_t num_lanes_ = 0;
};

/// Closes the matrices of a piece, which are at @p entries on the device.
template <class C>
void close_piece(backend kernels, const small_graph_piece& piece,
                 const small_graph_place<C>* places, C* entries, cudaStream_t stream) {
  const int count = static_cast<int>(piece.end - piece.begin);
  const auto blocks = static_cast<unsigned>(count);
  if (kernels == backend::cuda_naive) {
    launch("close_in_memory_kernel", {blocks, small_graph_batches.naive_threads, stream},
           close_in_memory_kernel<C>, places, entries);
    return;
  }
  const auto in_registers = [&]<int Class>() {
    using tuning = small_graph_tuning<Class>;
    constexpr int per_block = tuning::shape.graphs_per_block;
    launch("close_in_registers_kernel",
           {static_cast<unsigned>((count + per_block - 1) / per_block),
            threads_per_block(tuning::shape), stream},
           close_in_registers_kernel<C, tuning>, places, count, entries);
  };
  switch (piece.size_class) {
    case 0:
      return in_registers.template operator()<0>();
    case 1:
      return in_registers.template operator()<1>();
    case 2:
      return in_registers.template operator()<2>();
    case 3:
      return in_registers.template operator()<3>();
    default:
      using tuning = small_graph_tuning<tiled_class - 1>;
      launch("close_by_tiles_kernel", {blocks, threads_per_block(tuning::shape), stream},
             close_by_tiles_kernel<C, tuning>, places, entries);
  }
}

/// The share of one host thread in a batch: it fills one of its two buffers while the device uses
/// the other.
template <class C>
class small_graph_lane {
 public:
  /// @param memory  device memory of `small_graph_batch::lane_bytes`.
  small_graph_lane(backend kernels, const small_graph_batch<C>& batch, transfer_lane& lane,
                   std::byte* memory, cudaStream_t stream, small_graph_exchange<C>& exchange)
      : kernels_(kernels),
        batch_(batch),
        lane_(lane),
        memory_(memory),
        stream_(stream),
        exchange_(exchange) {}

  /// @param next  returns a piece, or null if there are no more.
  template <class Next>
  void run(Next next) {
    APSP_RANGE_OF(algorithm::floyd_warshall);
    unsigned slot = 0;
    for (const small_graph_piece* piece = next(); piece != nullptr; piece = next()) {
      start(slot, *piece);
      slot = 1 - slot;
      finish(slot);
    }
    finish(1 - slot);
  }

 private:
  void start(unsigned slot, const small_graph_piece& piece) {
    std::byte* const buffer = lane_.buffer<std::byte>(slot);
    auto* const places = reinterpret_cast<small_graph_place<C>*>(buffer);
    std::size_t given = batch_.bytes_of_places(piece);
    std::size_t offset = 0;
    for (std::size_t p = piece.begin; p < piece.end; ++p) {
      const small_graph<C>& graph = batch_[p];
      const auto n = static_cast<int>(graph.num_vertices);
      const auto pitch = static_cast<std::size_t>(pitch_of<C>(n));
      small_graph_place<C> place{offset, static_cast<std::uint32_t>(given),
                                 small_graph_place<C>::is_matrix, n, graph.code};
      if (batch_.is_listed(graph)) {
        place.num_arcs = static_cast<std::int32_t>(graph.num_arcs);
        exchange_.list(graph, reinterpret_cast<small_arc<C>*>(buffer + given), pitch);
      } else {
        exchange_.fill(graph, reinterpret_cast<C*>(buffer + given), pitch);
      }
      places[p - piece.begin] = place;
      given += batch_.given_bytes(graph);
      offset += batch_.num_entries(graph);
    }
    std::byte* const on_device = memory_ + 2 * slot * batch_.piece_bytes();
    const auto* const device_places = reinterpret_cast<const small_graph_place<C>*>(on_device);
    C* const entries = reinterpret_cast<C*>(on_device + batch_.piece_bytes());
    APSP_CUDA_CHECK(cudaMemcpyAsync(on_device, buffer, given, cudaMemcpyHostToDevice, stream_));
    launch("make_matrices_kernel",
           {static_cast<unsigned>(piece.end - piece.begin), small_graph_batches.threads_per_matrix,
            stream_},
           make_matrices_kernel<C>, device_places, static_cast<const std::byte*>(on_device),
           entries);
    close_piece<C>(kernels_, piece, device_places, entries, stream_);
    // By then the device has read what was in the buffer.
    APSP_CUDA_CHECK(
        cudaMemcpyAsync(buffer, entries, offset * sizeof(C), cudaMemcpyDeviceToHost, stream_));
    lane_.record(slot, stream_);
    on_device_[slot] = &piece;
  }

  void finish(unsigned slot) {
    const small_graph_piece* const piece = std::exchange(on_device_[slot], nullptr);
    if (piece == nullptr) return;
    lane_.wait(slot);
    C* entries = lane_.buffer<C>(slot);
    for (std::size_t p = piece->begin; p < piece->end; ++p) {
      const small_graph<C>& graph = batch_[p];
      const auto n = static_cast<int>(graph.num_vertices);
      exchange_.take(graph, entries, static_cast<std::size_t>(pitch_of<C>(n)));
      entries += batch_.num_entries(graph);
    }
  }

  backend kernels_;
  const small_graph_batch<C>& batch_;
  transfer_lane& lane_;
  std::byte* memory_;
  cudaStream_t stream_;
  small_graph_exchange<C>& exchange_;
  std::array<const small_graph_piece*, 2> on_device_{};
};

/// Bytes that a batch may allocate on each of its devices.
inline std::size_t bytes_for_batch(const launch_target& target) {
  std::size_t bytes =
      target.memory_limit == 0 ? std::numeric_limits<std::size_t>::max() : target.memory_limit;
  for (std::size_t i = 0; i < target.num_devices(); ++i) {
    const device_guard guard(target.has_several_devices() ? target.devices[i]
                                                          : resolved_device(target));
    bytes = std::min(bytes, available_bytes());
  }
  return bytes;
}

template <class C>
void solve_small_graphs(const launch_target& target, std::span<const small_graph<C>> graphs,
                        small_graph_exchange<C>& exchange, const monitor& watch) {
  if (graphs.empty()) return;
  const auto num_devices = static_cast<unsigned>(target.num_devices());
  const unsigned lanes_per_device = (transfers.max_busy_threads - 1) / num_devices + 1;
  // A buffer holds the place of a graph and what the host sends, and later the matrix; a lane has
  // buffers of both kinds for two pieces.
  const small_graph_batch<C> batch(
      graphs, bytes_for_batch(target),
      {sizeof(small_graph_place<C>), small_graph_batches.least_piece_bytes, transfers.piece_bytes,
       graphs.size(), lanes_per_device, 4});
  // All devices take pieces from one queue.
  std::atomic<std::size_t> next_piece{0};
  std::atomic<bool> failed{false};
  const auto next = [&]() -> const small_graph_piece* {
    if (failed || watch.stop_requested()) return nullptr;
    const std::size_t p = next_piece++;
    return p < batch.pieces().size() ? &batch.pieces()[p] : nullptr;
  };
  const auto solve_on = [&](const launch_target& one, std::size_t) {
    const stream_handle stream(one.stream);
    const std::size_t lane_bytes = batch.lane_bytes();
    const device_buffer<std::byte> memory(batch.num_lanes() * lane_bytes, stream.get(),
                                          batch.num_lanes() * lane_bytes);
    const event_handle ready;
    APSP_CUDA_CHECK(cudaEventRecord(ready.get(), stream.get()));
    std::atomic<std::size_t> next_lane{0};
    const auto work = [&](transfer_lane& lane) {
      const stream_handle own(stream_priority::ordinary);
      APSP_CUDA_CHECK(cudaStreamWaitEvent(own.get(), ready.get()));
      try {
        small_graph_lane<C>(one.kernels, batch, lane, memory.get() + next_lane++ * lane_bytes,
                            own.get(), exchange)
            .run(next);
      } catch (...) {
        failed = true;
        // The device still uses the memory that is about to be freed.
        forget(cudaStreamSynchronize(own.get()));
        throw;
      }
    };
    transfer_lanes lanes;
    lanes.share_cores(static_cast<int>(num_devices));
    // The buffers have the size that is kept for the next call, one for each lane.
    lanes.run(piece_plan(batch.num_lanes(), transfers.piece_bytes), work, 0,
              transfers.max_busy_threads);
  };
  on_each_device(target, solve_on, [&] { failed = true; });
}

}  // namespace apsp::inline v1::detail::cuda

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "../../../../apsp/error.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../graph/adjacency.hpp"
#include "../../../graph/arcs_by_target.cuh"
#include "uploaded_arcs.cuh"

namespace apsp::inline v1::detail::cuda {

/// The graph of a call on its device, and the memory that the call may use there.
template <class C>
class graph_on_device {
 public:
  graph_on_device(const adjacency_view<C>& arcs, std::size_t memory_limit, cudaStream_t stream)
      : arcs_(arcs), stream_(stream) {
    const auto free =
        static_cast<std::size_t>(static_cast<double>(available_bytes()) * share_of_free_memory);
    most_bytes_ = memory_limit == 0 ? free : std::min(free, memory_limit);
  }

  std::size_t most_bytes() const { return most_bytes_; }
  /// Of the graph, and what else has been counted.
  std::size_t bytes() const { return bytes_; }
  std::size_t bytes_left() const { return most_bytes_ - bytes_; }
  std::size_t bytes_of_arcs() const { return uploaded_arcs<C>::bytes(arcs_); }
  /// Counts memory that lasts as long as the graph.
  /// @throws device_error if there is less.
  void count(std::size_t bytes) {
    bytes_ = saturated_sum(bytes_, bytes);
    if (bytes_ > most_bytes_) throw device_error(bytes_, most_bytes_);
  }

  /// Their bytes have been counted.
  void upload_outgoing() { outgoing_ = uploaded_arcs<C>(arcs_, stream_, bytes_); }
  /// The same. They are reversed on the device; on the host if the outgoing arcs are not on the
  /// device, or it has too little memory to sort.
  void make_incoming() {
    const std::size_t n = arcs_.num_vertices();
    const std::size_t m = arcs_.num_edges();
    if (outgoing().offsets != nullptr && m <= std::numeric_limits<std::uint32_t>::max()) {
      const std::size_t to_sort = bytes_to_sort_by_target(n, m);
      if (to_sort <= bytes_left() && saturated_sum(bytes_of_arcs(), to_sort) <= available_bytes()) {
        incoming_ = reversed(outgoing(), stream_, bytes_ + to_sort);
        return;
      }
    }
    const adjacency<C> incoming = reversed_arcs(arcs_);
    incoming_ = uploaded_arcs<C>(incoming.view(), stream_, bytes_);
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }
  /// The incoming arcs are no longer needed.
  void free_incoming() {
    incoming_ = {};
    bytes_ -= bytes_of_arcs();
  }
  /// Puts these in the place of the arcs in both directions.
  void replace(uploaded_arcs<C> outgoing, uploaded_arcs<C> incoming) {
    outgoing_ = std::move(outgoing);
    incoming_ = std::move(incoming);
  }

  const device_arcs<C>& outgoing() const { return outgoing_.get(); }
  const device_arcs<C>& incoming() const { return incoming_.get(); }

 private:
  /// The rest is left to other work on the device.
  static constexpr double share_of_free_memory = 0.9;

  adjacency_view<C> arcs_;
  cudaStream_t stream_;
  std::size_t most_bytes_ = 0;
  std::size_t bytes_ = 0;
  uploaded_arcs<C> outgoing_;
  uploaded_arcs<C> incoming_;
};

}  // namespace apsp::inline v1::detail::cuda

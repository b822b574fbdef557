// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../../../../apsp/device_memory.hpp"
#include "../../../../apsp/error.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/flag.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../device/transfer.cuh"
#include "../../../device/workspace.cuh"
#include "../../../graph/device_graph.hpp"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../../values/distance_code.hpp"
#include "../../problem/arc.hpp"
#include "exchange.cuh"
#include "matrix_setup.cuh"
#include "square_matrix.cuh"
#include "symmetric_matrix.cuh"

namespace apsp::inline v1::detail::cuda {

/// An n x n matrix in device memory, padded to whole tiles, with or without predecessors. Provides
/// its transfers to and from the device.
template <class S>
class padded_matrix {
  using T = typename S::value_type;

 public:
  /// @param granularity  the extent is a multiple of it.
  padded_matrix(device_workspace& workspace, std::size_t num_vertices, std::size_t granularity,
                bool with_predecessors)
      : space(workspace),
        records(with_predecessors),
        n(num_vertices),
        extent(round_up(num_vertices, granularity)) {
    if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw device_error("apsp: more than 2^31 - 1 vertices");
    }
  }
  /// Bytes of the matrix.
  std::size_t bytes() const {
    return saturated_product(saturated_product(extent, extent), bytes_per_entry());
  }
  std::size_t bytes_per_entry() const { return sizeof(T) + (records ? sizeof(std::int32_t) : 0); }

  void allocate() {
    distances = space.template allocate<T>(size());
    if (records) predecessors = space.template allocate<std::int32_t>(size());
    flag_ = space.make_flag();
  }

  std::size_t size() const { return extent * extent; }

  /// 0 on the diagonal, the lightest of parallel arcs, @p zero_entry elsewhere.
  void load(std::span<const arc<T>> arcs, T zero_entry) {
    zero = zero_entry;
    fill(zero);
    space.launch_over("fill_diagonal_kernel", n, fill_diagonal_kernel<T>, distances.get(), extent,
                      n, T{});
    flag_.clear();
    if constexpr (sizeof(T) <= sizeof(std::int64_t)) {
      scatter(arcs);
    } else {
      // These types have no atomic minimum, so the arcs are sorted and parallel ones removed.
      std::vector<arc<T>> sorted(arcs.begin(), arcs.end());
      const auto same_place = [](const arc<T>& a, const arc<T>& b) {
        return a.source == b.source && a.target == b.target;
      };
      std::sort(sorted.begin(), sorted.end(), [](const arc<T>& a, const arc<T>& b) {
        if (a.source != b.source) return a.source < b.source;
        return a.target != b.target ? a.target < b.target : a.weight < b.weight;
      });
      sorted.erase(std::unique(sorted.begin(), sorted.end(), same_place), sorted.end());
      scatter(sorted);
    }
    set_first_predecessors();
    read_kinds();
  }

  void load(const T* const* rows, T zero_entry) {
    zero = zero_entry;
    fill(zero);
    upload_rows(space.lanes, space.stream.get(), {distances.get(), extent, n, n}, rows);
    set_first_predecessors();
    if constexpr (is_min_plus<S>) {
      flag_.clear();
      space.launch_over("find_kinds_kernel", size(), find_kinds_kernel<T>, distances.get(), extent,
                        size(), flag_.get());
      read_kinds();
    }
  }

  /// The same for a graph in device memory.
  template <class W>
  void load(const device_graph<W>& graph, T zero_entry) {
    zero = zero_entry;
    if constexpr (is_min_plus<S>) {
      load_weights(graph);
    } else {
      load_values(graph);
    }
    set_first_predecessors();
  }

  square_matrix<T> view() const {
    return {distances.get(), predecessors.get(),
            extent,          nonnegative,
            positive,        false,
            whole,           when_final_ ? &when_final_ : nullptr};
  }

  /// To be called if `store` to host rows follows the solve: it then begins with the rows that are
  /// final first. Entries from `zero` on become @p no_path in these rows. No entry may be negative.
  void store_when_final(T no_path) {
    when_final_ = [this, no_path](std::size_t begin, std::size_t count, cudaStream_t on) {
      if constexpr (is_coded_integer<T>) replace_rows(begin, count, zero, no_path, on);
      if (begin >= n) return;
      stored_parts_.push_back({begin, std::min(count, n - begin), {}});
      APSP_CUDA_CHECK(cudaEventRecord(stored_parts_.back().ready.get(), on));
    };
  }

  bool has_negative_diagonal() {
    flag_.clear();
    space.launch_over("find_negative_diagonal_kernel", n, find_negative_diagonal_kernel<T>,
                      distances.get(), extent, n, flag_.get());
    return flag_.read();
  }

  /// True if the matrix equals its transpose.
  bool is_symmetric() {
    const std::size_t blocks = extent / transpose_width;
    flag_.clear();
    launch("find_asymmetry_kernel",
           {symmetric_blocks(space, blocks), transpose_threads, space.stream.get()},
           find_asymmetry_kernel<T>, static_cast<const T*>(distances.get()), extent, blocks,
           flag_.get());
    return !flag_.read();
  }

  void replace_from(T threshold, T value) {
    if (!stored_parts_.empty() && threshold == zero && value == no_path<T>()) return;
    stored_parts_.clear();
    replace_rows(0, extent, threshold, value, space.stream.get());
  }

  /// Entries off the diagonal that are worse than @p limit become `zero`.
  template <class Algebra>
  void forget_worse(const Algebra& algebra, T limit) {
    space.launch_over("forget_worse_kernel", size(), forget_worse_kernel<Algebra>, algebra,
                      distances.get(), extent, size(), limit, zero);
  }

  void store(T* const* rows, std::int32_t* const* predecessor_rows) {
    download_rows(space.lanes, space.stream.get(), {distances.get(), extent, n, n}, rows,
                  copy_row{}, stored_parts_);
    if (predecessor_rows != nullptr && records) {
      download_rows(space.lanes, space.stream.get(), {predecessors.get(), extent, n, n},
                    predecessor_rows);
    }
  }

  /// Writes results to the caller's device memory.
  /// @return true if a distance saturated because W cannot hold it.
  template <class W>
  bool store(const device_matrix_view<W>& result, T unreachable_from) {
    constexpr W no_path = unreachable<W>;
    constexpr W least = std::numeric_limits<W>::lowest();
    if constexpr (!std::is_same_v<T, W>) flag_.clear();
    space.launch_over("take_distances_kernel", n * n, take_distances_kernel<W, T>,
                      computed_distances<T>{.entries = distances.get(),
                                            .pitch = extent,
                                            .rows = n,
                                            .columns = n,
                                            .unreachable_from = unreachable_from},
                      taken_distances<W>{.entries = result.data(),
                                         .pitch = result.pitch(),
                                         .least = least,
                                         .no_path = no_path,
                                         .was_cut = flag_.get()});
    wait_if_own_stream();
    if constexpr (std::is_same_v<T, W>) {
      return false;
    } else {
      return flag_.read();
    }
  }
  template <class I>
  void store_predecessors(const device_matrix_view<I>& result) {
    constexpr I none = no_predecessor<I>;
    space.launch_over("take_predecessors_kernel", n * n, take_predecessors_kernel<I>,
                      predecessors.get(), extent, n, none, result.data(), result.pitch());
    wait_if_own_stream();
  }

  device_workspace& space;
  bool records;
  T zero{};                  ///< the semiring's zero, or the value that stands for it
  bool nonnegative = false;  ///< True if no entry is below zero.
  bool positive = false;     ///< True if, in addition, no entry off the diagonal is zero.
  bool whole = false;        ///< True if every entry is a whole number or stands for "no path".
  std::size_t n;
  std::size_t extent;  ///< rows of the padded matrix; also its pitch
  device_buffer<T> distances;
  device_buffer<std::int32_t> predecessors;

 private:
  // The stream is not visible to the caller, so the caller cannot order work after it.
  void wait_if_own_stream() const {
    if (space.stream.is_owned()) APSP_CUDA_CHECK(cudaStreamSynchronize(space.stream.get()));
  }
  void fill(T value) {
    space.launch_over("fill_kernel", size(), fill_kernel<T>, distances.get(), size(), value);
  }
  template <class W>
  void place(const device_graph<W>& dense) {
    constexpr W no_arc = unreachable<W>;
    space.launch_over("place_entries_kernel", size(), place_entries_kernel<T, W>, distances.get(),
                      extent, dense, no_arc, zero, flag_.get());
  }
  template <class W>
  void load_weights(const device_graph<W>& graph) {
    constexpr W no_arc = unreachable<W>;
    flag_.clear();
    if (graph.form == graph_form::dense) {
      place(graph);
    } else if constexpr (sizeof(T) <= sizeof(std::int64_t)) {
      fill(zero);
      space.launch_over("fill_diagonal_kernel", n, fill_diagonal_kernel<T>, distances.get(), extent,
                        n, T{});
      space.launch_over("scatter_graph_kernel", graph.num_places, scatter_graph_kernel<T, W>,
                        distances.get(), extent, graph, no_arc, flag_.get());
    } else {
      // These entries have no atomic minimum, but the type of the weights has one.
      const device_buffer<W> lightest = space.template allocate<W>(n * n);
      space.launch_over("fill_kernel", n * n, fill_kernel<W>, lightest.get(), n * n, no_arc);
      space.launch_over("scatter_graph_kernel", graph.num_places, scatter_graph_kernel<W, W>,
                        lightest.get(), n, graph, no_arc, flag_.get());
      place(device_graph<W>{graph_form::dense, n, n * n, lightest.get(), n});
    }
    read_kinds();
  }
  void load_values(const device_graph<T>& graph) {
    constexpr T no_arc = unreachable<T>;
    constexpr T one = S::one;
    if (graph.form == graph_form::dense) {
      space.launch_over("place_values_kernel", size(), place_values_kernel<T>, distances.get(),
                        extent, graph, no_arc, zero, one);
      return;
    }
    fill(zero);
    // A cycle never improves a path, so self-loops can be ignored.
    space.launch_over("scatter_values_kernel", graph.num_places, scatter_values_kernel<S>,
                      distances.get(), extent, graph, no_arc);
    space.launch_over("fill_diagonal_kernel", n, fill_diagonal_kernel<T>, distances.get(), extent,
                      n, one);
  }
  void set_first_predecessors() {
    if (!records) return;
    space.launch_over("first_predecessors_kernel", size(), first_predecessors_kernel<T>,
                      distances.get(), predecessors.get(), extent, size(), zero);
  }
  void read_kinds() {
    const int kinds = flag_.value();
    nonnegative = (kinds & negative_weight) == 0;
    positive = nonnegative && (kinds & zero_weight) == 0;
    whole = (kinds & fractional_weight) == 0;
  }
  void scatter(std::span<const arc<T>> arcs) {
    if (arcs.empty()) return;
    const device_buffer<arc<T>> piece =
        space.template allocate<arc<T>>(piece_plan(arcs.size(), sizeof(arc<T>)).per_piece);
    upload_pieces(space.lanes, space.stream.get(), piece.get(), arcs, [&](std::size_t count) {
      space.launch_over("scatter_arcs_kernel", count, scatter_arcs_kernel<T>, distances.get(),
                        extent, some_rows{0, extent}, piece.get(), count, flag_.get());
    });
  }

  void replace_rows(std::size_t begin, std::size_t count, T threshold, T value, cudaStream_t on) {
    const std::size_t offset = begin * extent;
    launch("replace_from_kernel", {space.setup_blocks(count * extent), setup.threads, on},
           replace_from_kernel<T>, distances.get() + offset,
           records ? predecessors.get() + offset : nullptr, count * extent, threshold, value);
  }

  device_flag flag_;
  final_rows when_final_;
  std::vector<ready_rows> stored_parts_;  ///< of the matrix, in the order in which they are final
};

}  // namespace apsp::inline v1::detail::cuda

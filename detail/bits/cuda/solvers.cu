// SPDX-License-Identifier: BSL-1.0
#include "solvers.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../apsp/device_memory.hpp"
#include "../../../apsp/error.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/grid.cuh"
#include "../../device/progress.cuh"
#include "../../device/resolved_device.cuh"
#include "../../device/transfer.cuh"
#include "../../device/workspace.cuh"
#include "bit_kernels.cuh"
#include "bit_shape.hpp"
#include "graph_bits.cuh"

namespace apsp::detail::cuda {

namespace {

// A host word is read as two device words, the first of which has the lower columns.
static_assert(std::endian::native == std::endian::little);
using host_word = std::uint64_t;
constexpr std::size_t words_per_host_word = sizeof(host_word) / sizeof(std::uint32_t);

constexpr std::size_t tile_rows = bit_product_tile.rows;
constexpr std::size_t tile_words = bit_product_tile.columns / bits_per_word;
constexpr std::size_t panel_words = pivots_per_tile / bits_per_word;

/// The size of a bit matrix on the device, in whole tiles.
struct bit_extent {
  std::size_t rows;
  std::size_t pitch;

  bit_extent(std::size_t num_rows, std::size_t columns)
      : rows(round_up(num_rows, tile_rows)),
        pitch(round_up(columns, bit_product_tile.columns) / bits_per_word) {}

  std::size_t words() const { return saturated_product(rows, pitch); }
};

/// The resources of a call, and the transfers of bits. The device of the call must be current.
class bit_call {
 public:
  bit_call(const launch_target& target, int device, std::size_t bytes_needed)
      : space_(target, device) {
    space_.require(bytes_needed);
  }

  cudaStream_t stream() const { return space_.stream.get(); }

  /// The library's own stream is not visible to the caller, who cannot order work after it.
  void wait_if_own_stream() const {
    if (space_.stream.is_owned()) APSP_CUDA_CHECK(cudaStreamSynchronize(stream()));
  }

  template <class T>
  device_buffer<T> allocate(std::size_t size) const {
    return space_.allocate<T>(size);
  }
  /// Launches a grid-stride kernel over @p count elements.
  template <class... Parameters, class... Arguments>
  void launch_over(const char* name, std::size_t count, void (*kernel)(Parameters...),
                   const Arguments&... arguments) const {
    space_.launch_over(name, count, kernel, arguments...);
  }

  /// A matrix of zeros.
  device_buffer<std::uint32_t> zeros(const bit_extent& extent) const {
    device_buffer<std::uint32_t> bits = allocate<std::uint32_t>(extent.words());
    if (extent.words() != 0) {
      APSP_CUDA_CHECK(
          cudaMemsetAsync(bits.get(), 0, extent.words() * sizeof(std::uint32_t), stream()));
    }
    return bits;
  }
  void upload(const const_bit_view& from, std::uint32_t* to, const bit_extent& extent) {
    std::vector<const host_word*> rows(from.rows);
    for (std::size_t i = 0; i < from.rows; ++i) rows[i] = from.row(i);
    upload_rows(space_.lanes, stream(), reinterpret_cast<host_word*>(to),
                extent.pitch / words_per_host_word, rows.data(), from.rows,
                used_words(from.columns));
  }
  void download(const std::uint32_t* from, const bit_extent& extent, const bit_view& to) {
    std::vector<host_word*> rows(to.rows);
    for (std::size_t i = 0; i < to.rows; ++i) rows[i] = to.row(i);
    download_rows(space_.lanes, stream(), reinterpret_cast<const host_word*>(from),
                  extent.pitch / words_per_host_word, rows.data(), to.rows, used_words(to.columns));
  }
  void set_arcs(std::span<const bit_arc> arcs, std::uint32_t* bits, std::size_t pitch) {
    if (arcs.empty()) return;
    const auto piece = allocate<bit_arc>(piece_plan(arcs.size(), sizeof(bit_arc)).per_piece);
    upload_pieces(space_.lanes, stream(), piece.get(), arcs, [&](std::size_t count) {
      launch_over("set_bit_arcs_kernel", count, set_bit_arcs_kernel, bits, pitch,
                  static_cast<const bit_arc*>(piece.get()), count);
    });
  }

 private:
  static std::size_t used_words(std::size_t columns) {
    constexpr std::size_t word_columns = sizeof(host_word) * 8;
    return round_up(columns, word_columns) / word_columns;
  }

  device_workspace space_;
};

/// The launch shape of a naive kernel, whose threads use a stride for rows and words beyond the
/// grid.
launch_shape naive_shape(std::size_t rows, std::size_t words, cudaStream_t stream) {
  constexpr std::size_t max_grid_y = 65535;
  constexpr unsigned down = bit_launches.naive_threads_y * bit_launches.naive_rows_per_thread;
  const std::size_t blocks_y = std::min<std::size_t>(grid_size(rows, down), max_grid_y);
  return {dim3(grid_size(words, bit_launches.naive_threads_x), static_cast<unsigned>(blocks_y)),
          dim3(bit_launches.naive_threads_x, bit_launches.naive_threads_y), stream};
}

void multiply_tiles(const bit_operands& operands, std::size_t rows_of_tiles, cudaStream_t stream) {
  const std::size_t blocks = rows_of_tiles * static_cast<std::size_t>(operands.tile_columns);
  if (blocks == 0) return;
  launch("bit_product_kernel", {static_cast<unsigned>(blocks), bit_product_tile.threads, stream},
         bit_product_kernel, operands);
}

/// The n x n bits of one closure.
class closing_solver {
 public:
  closing_solver(const launch_target& target, int device, std::size_t n, std::size_t num_arcs)
      : kernels_(target.kernels),
        n_(n),
        extent_(n, n),
        call_(target, device, bytes_needed(target.kernels, extent_, num_arcs)) {
    bits_ = call_.zeros(extent_);
    if (kernels_ == backend::cuda_tiled) {
      closed_tile_ = call_.allocate<std::uint32_t>(tile_rows * panel_words);
      column_panel_ = call_.allocate<std::uint32_t>(extent_.rows * panel_words);
    }
  }

  void load(std::span<const bit_arc> arcs) { call_.set_arcs(arcs, bits_.get(), extent_.pitch); }
  void load(const const_bit_view& bits) { call_.upload(bits, bits_.get(), extent_); }

  /// @return false if @p watch requested a stop.
  bool solve(monitor& watch) {
    watch.begin(n_);
    if (watch.stop_requested()) return false;
    call_.launch_over("set_diagonal_kernel", n_, set_diagonal_kernel, bits_.get(), extent_.pitch,
                      n_);
    device_progress progress(watch, call_.stream());
    return kernels_ == backend::cuda_naive ? solve_naive(progress) : solve_tiled(progress);
  }

  void store(const bit_view& bits) { call_.download(bits_.get(), extent_, bits); }

  /// Solves for a graph in device memory, and stores into a matrix there.
  template <class W>
  void load(const device_graph<W>& graph) {
    constexpr W no_arc = unreachable<W>;
    if (graph.form == graph_form::dense) {
      const std::size_t columns = round_up(n_, bits_per_word);
      call_.launch_over("pack_graph_kernel", n_ * columns, pack_graph_kernel<W>, bits_.get(),
                        extent_.pitch, columns, graph, no_arc);
    } else {
      call_.launch_over("set_graph_bits_kernel", graph.num_places, set_graph_bits_kernel<W>,
                        bits_.get(), extent_.pitch, graph, no_arc);
    }
  }
  void store(const device_matrix_view<std::uint8_t>& bytes) {
    call_.launch_over("unpack_bits_kernel", n_ * n_, unpack_bits_kernel, bits_.get(), extent_.pitch,
                      n_, n_, bytes.data(), bytes.pitch());
    call_.wait_if_own_stream();
  }

 private:
  static std::size_t bytes_needed(backend kernels, const bit_extent& extent, std::size_t num_arcs) {
    std::size_t words = extent.words();
    if (kernels == backend::cuda_tiled) {
      words = saturated_sum(words, (extent.rows + tile_rows) * panel_words);
    }
    const std::size_t arcs =
        num_arcs == 0 ? 0 : piece_plan(num_arcs, sizeof(bit_arc)).per_piece * sizeof(bit_arc);
    return saturated_sum(saturated_product(words, sizeof(std::uint32_t)), arcs);
  }

  bool solve_naive(device_progress& progress) {
    const std::size_t num_words = round_up(n_, bits_per_word) / bits_per_word;
    const launch_shape shape = naive_shape(n_, num_words, call_.stream());
    for (std::size_t k = 0; k < n_; ++k) {
      launch("close_over_pivot_kernel", shape, close_over_pivot_kernel, bits_.get(), extent_.pitch,
             n_, num_words, k);
      const std::size_t in_step = k % bit_launches.naive_pivots_per_step + 1;
      const bool ends_step = in_step == bit_launches.naive_pivots_per_step || k + 1 == n_;
      if (ends_step && !progress.step(in_step)) return false;
    }
    return progress.finish();
  }

  bool solve_tiled(device_progress& progress) {
    allow_shared_memory(bit_product_kernel, 0);
    const std::size_t num_tiles = extent_.rows / tile_rows;
    for (std::size_t tile = 0; tile < num_tiles; ++tile) {
      relax_over_tile(tile, num_tiles);
      const std::size_t pivot = tile * pivots_per_tile;
      if (!progress.step(std::min<std::size_t>(pivots_per_tile, n_ - pivot))) return false;
    }
    return progress.finish();
  }

  void relax_over_tile(std::size_t tile, std::size_t num_tiles) {
    const std::size_t pivot = tile * pivots_per_tile;
    std::uint32_t* const pivot_rows = bits_.get() + pivot * extent_.pitch;
    const std::size_t pivot_word = pivot / bits_per_word;

    // After the tile is closed, one product makes the rows of the pivots final.
    launch("close_tile_kernel", {1, pivots_per_tile, call_.stream()}, close_tile_kernel,
           static_cast<const std::uint32_t*>(pivot_rows + pivot_word), extent_.pitch,
           closed_tile_.get());
    bit_operands operands{};
    operands.a = closed_tile_.get();
    operands.a_pitch = panel_words;
    operands.b = pivot_rows;
    operands.b_pitch = extent_.pitch;
    operands.c = pivot_rows;
    operands.c_pitch = extent_.pitch;
    operands.depth = pivots_per_tile;
    operands.tile_columns = static_cast<int>(extent_.pitch / tile_words);
    operands.left_out_tile = -1;
    multiply_tiles(operands, 1, call_.stream());
    if (num_tiles == 1) return;

    // A path to a later vertex enters the rows of the pivots once, so a second product makes the
    // other rows final.
    call_.launch_over("copy_columns_kernel", extent_.rows * (pivots_per_tile / bits_per_vector),
                      copy_columns_kernel,
                      static_cast<const std::uint32_t*>(bits_.get() + pivot_word), extent_.pitch,
                      extent_.rows, column_panel_.get());
    operands.a = column_panel_.get();
    operands.c = bits_.get();
    operands.left_out_tile = static_cast<int>(tile);
    multiply_tiles(operands, num_tiles - 1, call_.stream());
  }

  backend kernels_;
  std::size_t n_;
  bit_extent extent_;
  bit_call call_;
  device_buffer<std::uint32_t> bits_;
  device_buffer<std::uint32_t> closed_tile_;
  device_buffer<std::uint32_t> column_panel_;
};

/// Calls @p load, solves and stores.
template <class Result, class Load>
bool close(const launch_target& target, std::size_t num_vertices, std::size_t num_arcs,
           const Result& result, monitor& watch, Load load) {
  if (num_vertices == 0) return !watch.stop_requested();
  const int device = resolved_device(target);
  const device_guard guard(device);
  closing_solver solver(target, device, num_vertices, num_arcs);
  load(solver);
  if (!solver.solve(watch)) return false;
  solver.store(result);
  return true;
}

}  // namespace

bool close(const launch_target& target, std::span<const bit_arc> arcs, const bit_view& bits,
           monitor& watch) {
  return close(target, bits.rows, arcs.size(), bits, watch,
               [&](closing_solver& solver) { solver.load(arcs); });
}

bool close(const launch_target& target, const bit_view& bits, monitor& watch) {
  return close(target, bits.rows, 0, bits, watch, [&](closing_solver& solver) {
    solver.load({bits.words, bits.rows, bits.columns, bits.pitch});
  });
}

template <class W>
bool close(const launch_target& target, const device_graph<W>& graph,
           const device_matrix_view<std::uint8_t>& result, monitor& watch) {
  return close(target, graph.num_vertices, 0, result, watch,
               [&](closing_solver& solver) { solver.load(graph); });
}

#define APSP_INSTANTIATE(W) APSP_INSTANTIATE_DEVICE_BITS(, W)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

bool bit_product(const launch_target& target, const const_bit_view& a, const const_bit_view& b,
                 const bit_view& c, monitor& watch) {
  const std::size_t depth = b.rows;
  watch.begin(depth);
  if (watch.stop_requested()) return false;
  if (c.rows == 0 || c.columns == 0 || depth == 0) return true;
  const int device = resolved_device(target);
  const device_guard guard(device);
  const bit_extent extent_a(c.rows, depth);
  const bit_extent extent_b(depth, c.columns);
  const bit_extent extent_c(c.rows, c.columns);
  const std::size_t words =
      saturated_sum(saturated_sum(extent_a.words(), extent_b.words()), extent_c.words());
  bit_call call(target, device, saturated_product(words, sizeof(std::uint32_t)));
  const auto bits_a = call.zeros(extent_a);
  const auto bits_b = call.zeros(extent_b);
  const auto bits_c = call.zeros(extent_c);
  call.upload(a, bits_a.get(), extent_a);
  call.upload(b, bits_b.get(), extent_b);
  call.upload({c.words, c.rows, c.columns, c.pitch}, bits_c.get(), extent_c);

  const bool tiled = target.kernels == backend::cuda_tiled;
  if (tiled) allow_shared_memory(bit_product_kernel, 0);
  bit_operands operands{};
  operands.a_pitch = extent_a.pitch;
  operands.b_pitch = extent_b.pitch;
  operands.c = bits_c.get();
  operands.c_pitch = extent_c.pitch;
  operands.tile_columns = static_cast<int>(extent_c.pitch / tile_words);
  operands.left_out_tile = -1;
  {
    device_progress progress(watch, call.stream());
    for (std::size_t k = 0; k < depth; k += bit_launches.product_depth_per_step) {
      const std::size_t count = std::min(bit_launches.product_depth_per_step, depth - k);
      operands.a = bits_a.get() + k / bits_per_word;
      operands.b = bits_b.get() + k * extent_b.pitch;
      operands.depth = static_cast<int>(round_up(count, bit_product_tile.depth));
      if (tiled) {
        multiply_tiles(operands, extent_c.rows / tile_rows, call.stream());
      } else {
        const std::size_t num_words = round_up(c.columns, bits_per_word) / bits_per_word;
        launch("naive_bit_product_kernel", naive_shape(c.rows, num_words, call.stream()),
               naive_bit_product_kernel, operands, c.rows, num_words);
      }
      if (!progress.step(count)) return false;
    }
    if (!progress.finish()) return false;
  }
  call.download(bits_c.get(), extent_c, c);
  return true;
}

}  // namespace apsp::detail::cuda

// SPDX-License-Identifier: BSL-1.0
#include "solvers.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
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
#include "../../device/side_stream.cuh"
#include "../../device/transfer.cuh"
#include "../../device/workspace.cuh"
#include "../../graph/components.hpp"
#include "../../host/parallel_for.hpp"
#include "bit_kernels.cuh"
#include "bit_shape.hpp"
#include "graph_bits.cuh"

namespace apsp::inline v1::detail::cuda {

namespace {

// A host word is read as two device words, the first of which has the lower columns.
static_assert(std::endian::native == std::endian::little);
using host_word = std::uint64_t;
constexpr std::size_t words_per_host_word = sizeof(host_word) / sizeof(std::uint32_t);
constexpr std::size_t bits_per_host_word = sizeof(host_word) * 8;

constexpr std::size_t tile_rows = bit_tile_rows;
constexpr std::size_t tile_words = bit_tile_columns / bits_per_word;
constexpr std::size_t panel_words = pivots_per_tile / bits_per_word;

/// The size of a bit matrix on the device, in whole tiles.
struct bit_extent {
  std::size_t rows;
  std::size_t pitch;

  bit_extent(std::size_t num_rows, std::size_t columns)
      : rows(round_up(num_rows, tile_rows)),
        pitch(round_up(columns, bit_tile_columns) / bits_per_word) {}

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
  /// Number of CUDA blocks for a grid-stride kernel over @p count elements.
  unsigned setup_blocks(std::size_t count) const { return space_.setup_blocks(count); }
  int multiprocessors() const { return space_.multiprocessors(); }
  /// Bytes for one CUDA block.
  std::size_t largest_shared_memory() const {
    int bytes = 0;
    APSP_CUDA_CHECK(
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, space_.device));
    return static_cast<std::size_t>(bytes);
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
    upload_rows(space_.lanes, stream(),
                {reinterpret_cast<host_word*>(to), extent.pitch / words_per_host_word, from.rows,
                 used_words(from.columns)},
                rows.data());
  }
  void upload(std::span<const std::int32_t> from, std::int32_t* to) {
    const std::int32_t* const row = from.data();
    upload_rows(space_.lanes, stream(), {to, from.size(), 1, from.size()}, &row);
  }
  void download(const std::uint32_t* from, const bit_extent& extent, const bit_view& to) {
    std::vector<host_word*> rows(to.rows);
    for (std::size_t i = 0; i < to.rows; ++i) rows[i] = to.row(i);
    download(from, extent.pitch, rows, to.columns);
  }
  void download(const std::uint32_t* from, std::size_t pitch, std::span<host_word* const> rows,
                std::size_t columns) {
    download_rows(space_.lanes, stream(),
                  {reinterpret_cast<const host_word*>(from), pitch / words_per_host_word,
                   rows.size(), used_words(columns)},
                  rows.data());
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
    return round_up(columns, bits_per_host_word) / bits_per_host_word;
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

/// Products of the current device by tiles.
class tiled_product {
 public:
  explicit tiled_product(int multiprocessors) : multiprocessors_(multiprocessors) {
    allow_shared_memory(bit_product_kernel<bit_tile_rows>, 0);
    allow_shared_memory(bit_product_kernel<low_bit_tile_rows>, 0);
  }

  void operator()(const bit_operands& operands, cudaStream_t stream) const {
    const int tiles = operands.first.size() + operands.second.size();
    if (tiles == 0) return;
    if (tiles < bit_launches.fewest_tiles_per_multiprocessor * multiprocessors_) {
      launch_parts<low_bit_tile_rows>(operands, tiles, stream);
    } else {
      launch_parts<bit_tile_rows>(operands, tiles, stream);
    }
  }
  /// True if other work should run concurrently with tiles of that number.
  bool is_long(int tiles) const {
    return tiles >= bit_launches.fewest_tiles_to_run_ahead * multiprocessors_;
  }

 private:
  template <int Rows>
  static void launch_parts(const bit_operands& operands, int tiles, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>(tiles * (bit_tile_rows / Rows));
    launch("bit_product_kernel", {blocks, bit_product_tile<Rows>.threads, stream},
           bit_product_kernel<Rows>, operands, operands.first.size());
  }

  int multiprocessors_;
};

bit_tile_lines tile_lines(std::size_t begin, std::size_t end) {
  return {static_cast<int>(begin), static_cast<int>(end), 0, 0};
}
/// Without @p left_out lines from @p gap on, as far as they are in the range.
bit_tile_lines tile_lines_except(std::size_t begin, std::size_t end, std::size_t gap,
                                 std::size_t left_out) {
  bit_tile_lines lines = tile_lines(begin, end);
  lines.gap = static_cast<int>(std::clamp(gap, begin, end));
  lines.left_out = static_cast<int>(std::clamp(gap + left_out, begin, end)) - lines.gap;
  return lines;
}

/// What is known of a graph before it is closed.
struct closure_shape {
  std::size_t num_vertices;
  std::size_t num_arcs = 0;  ///< that are loaded from a list
  /// Arcs lead to smaller vertices only, apart from loops: no bit above the diagonal is ever set.
  bool is_triangular = false;
  /// The columns of expanded rows, if the rows of a component are stored for all vertices.
  std::size_t expanded_columns = 0;
};

/// The n x n bits of one closure.
class closing_solver {
 public:
  closing_solver(const launch_target& target, int device, const closure_shape& shape)
      : kernels_(target.kernels),
        shape_(shape),
        n_(shape.num_vertices),
        extent_(n_, n_),
        call_(target, device, bytes_needed()) {
    bits_ = call_.zeros(extent_);
    if (kernels_ == backend::cuda_tiled) {
      closed_tile_ = call_.allocate<std::uint32_t>(tile_rows * panel_words);
      column_panels_ = call_.allocate<std::uint32_t>(num_panels * panel_size());
      ahead_.emplace(call_.stream(), stream_priority::highest);
    }
    if (shape.expanded_columns != 0) {
      component_of_ = call_.allocate<std::int32_t>(shape.expanded_columns);
      expanded_ = call_.allocate<std::uint32_t>(expanded_rows() * expanded_pitch());
    }
  }

  void load(std::span<const bit_arc> arcs) { call_.set_arcs(arcs, bits_.get(), extent_.pitch); }
  void load(const const_bit_view& bits) { call_.upload(bits, bits_.get(), extent_); }

  /// Reports pivots [begin, end) as report(begin, end) steps of the @p total steps of @p watch.
  /// @return false if @p watch requested a stop.
  template <class Report>
  bool solve(monitor& watch, std::size_t total, Report report) {
    watch.begin(total);
    if (watch.stop_requested()) return false;
    call_.launch_over("set_diagonal_kernel", n_, set_diagonal_kernel, bits_.get(), extent_.pitch,
                      n_);
    device_progress progress(watch, call_.stream());
    const auto end_step = [&](std::size_t begin, std::size_t end) {
      return progress.step(report(begin, end));
    };
    const bool finished =
        kernels_ == backend::cuda_naive ? solve_naive(end_step) : solve_tiled(end_step);
    return finished && progress.finish();
  }

  void store(const bit_view& bits) { call_.download(bits_.get(), extent_, bits); }

  /// Writes row c of the closure to rows[c], with a column for every element of @p component_of:
  /// the bit of the component there.
  void store(std::span<host_word* const> rows, std::span<const std::int32_t> component_of) {
    call_.upload(component_of, component_of_.get());
    const std::size_t row_bytes = extent_.pitch * sizeof(std::uint32_t);
    const bool fits = row_bytes <= call_.largest_shared_memory();
    const auto kernel = fits ? expand_columns_kernel<true> : expand_columns_kernel<false>;
    const std::size_t shared_bytes = fits ? row_bytes : 0;
    allow_shared_memory(kernel, shared_bytes);
    for (std::size_t row = 0; row < n_; row += expanded_rows()) {
      const std::size_t count = std::min(expanded_rows(), n_ - row);
      const std::size_t blocks =
          std::min(count, static_cast<std::size_t>(call_.multiprocessors()) *
                              bit_launches.expanding_blocks_per_multiprocessor);
      launch("expand_columns_kernel",
             {static_cast<unsigned>(blocks), bit_launches.expanding_threads, call_.stream(),
              shared_bytes},
             kernel,
             closed_component_rows{.bits = bits_.get() + row * extent_.pitch,
                                   .pitch = extent_.pitch,
                                   .num_rows = count,
                                   .component_of = component_of_.get(),
                                   .num_vertices = component_of.size(),
                                   .columns = expanded_pitch() * bits_per_word},
             expanded_.get(), expanded_pitch());
      call_.download(expanded_.get(), expanded_pitch(), rows.subspan(row, count),
                     component_of.size());
    }
  }

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
  /// The remainder of a step reads its panel while that of the next step is written.
  static constexpr std::size_t num_panels = 2;
  static constexpr std::size_t tiles_per_column = tile_words / panel_words;

  std::size_t panel_size() const { return extent_.rows * panel_words; }
  std::uint32_t* panel_of(std::size_t tile) const {
    return column_panels_.get() + tile % num_panels * panel_size();
  }
  std::size_t expanded_pitch() const {
    return round_up(shape_.expanded_columns, bits_per_host_word) / bits_per_word;
  }
  std::size_t expanded_rows() const {
    const std::size_t row_bytes = expanded_pitch() * sizeof(std::uint32_t);
    return std::clamp<std::size_t>(bit_launches.expanded_bytes / row_bytes, 1, n_);
  }

  std::size_t bytes_needed() const {
    std::size_t words = extent_.words();
    if (kernels_ == backend::cuda_tiled) {
      words = saturated_sum(words, tile_rows * panel_words + num_panels * panel_size());
    }
    if (shape_.expanded_columns != 0) {
      words = saturated_sum(words, shape_.expanded_columns + expanded_rows() * expanded_pitch());
    }
    const std::size_t arcs =
        shape_.num_arcs == 0
            ? 0
            : piece_plan(shape_.num_arcs, sizeof(bit_arc)).per_piece * sizeof(bit_arc);
    return saturated_sum(saturated_product(words, sizeof(std::uint32_t)), arcs);
  }

  /// @p end_step is called as end_step(begin, end) when steps over these pivots have been enqueued;
  /// false stops the call.
  template <class EndStep>
  bool solve_naive(EndStep end_step) {
    const std::size_t num_words = round_up(n_, bits_per_word) / bits_per_word;
    const launch_shape shape = naive_shape(n_, num_words, call_.stream());
    constexpr std::size_t pivots_per_step = bit_launches.naive_pivots_per_step;
    for (std::size_t begin = 0; begin < n_; begin += pivots_per_step) {
      const std::size_t end = std::min(begin + pivots_per_step, n_);
      for (std::size_t k = begin; k < end; ++k) {
        launch("close_over_pivot_kernel", shape, close_over_pivot_kernel, bits_.get(),
               extent_.pitch, n_, num_words, k);
      }
      if (!end_step(begin, end)) return false;
    }
    return true;
  }

  template <class EndStep>
  bool solve_tiled(EndStep end_step) {
    const tiled_product multiply(call_.multiprocessors());
    const cudaStream_t main = call_.stream();
    const std::size_t num_tiles = extent_.rows / tile_rows;
    close_cross(0, multiply, main);
    for (std::size_t tile = 0; tile < num_tiles; ++tile) {
      const std::size_t next = tile + 1;
      const std::size_t end = changed_columns(tile);
      const std::size_t column = next / tiles_per_column;
      const bit_tile_lines rows = changed_rows(tile, 2);
      bit_operands operands = operands_of(tile);
      operands.first = {rows, tile_lines_except(0, end, column, 1)};
      if (next < num_tiles && multiply.is_long(operands.first.size())) {
        // The tiles of the next pivots' cross come first. The cross then becomes final concurrently
        // with the other tiles: it is a chain of short kernels that alone would leave most of the
        // device idle.
        bit_operands of_next = operands_of(tile);
        of_next.first = {tile_lines(next, next + 1), tile_lines(0, end)};
        of_next.second = {rows, tile_lines(std::min(column, end), std::min(column + 1, end))};
        multiply(of_next, main);
        ahead_->wait_for_main();
        close_cross(next, multiply, ahead_->get());
        multiply(operands, main);
        ahead_->let_main_wait();
      } else {
        operands.first = {changed_rows(tile, 1), tile_lines(0, end)};
        multiply(operands, main);
        if (next < num_tiles) close_cross(next, multiply, main);
      }
      const std::size_t pivot = tile * pivots_per_tile;
      if (!end_step(pivot, std::min<std::size_t>(pivot + pivots_per_tile, n_))) return false;
    }
    return true;
  }

  /// The rows of tiles that a step changes in addition to its own.
  bit_tile_lines changed_rows(std::size_t tile, std::size_t left_out) const {
    const std::size_t num_tiles = extent_.rows / tile_rows;
    return tile_lines_except(shape_.is_triangular ? tile + 1 : 0, num_tiles, tile, left_out);
  }
  /// The end of the columns of tiles that a step changes.
  std::size_t changed_columns(std::size_t tile) const {
    return shape_.is_triangular ? tile / tiles_per_column + 1 : extent_.pitch / tile_words;
  }

  bit_operands operands_of(std::size_t tile) const {
    bit_operands operands{};
    operands.a = panel_of(tile);
    operands.a_pitch = panel_words;
    operands.b = bits_.get() + tile * pivots_per_tile * extent_.pitch;
    operands.b_pitch = extent_.pitch;
    operands.c = bits_.get();
    operands.c_pitch = extent_.pitch;
    operands.depth = pivots_per_tile;
    return operands;
  }

  /// Makes the rows of the pivots final, and copies their columns. A path to a later vertex enters
  /// the rows of the pivots once, so one product with both makes the other rows final.
  void close_cross(std::size_t tile, const tiled_product& multiply, cudaStream_t on) {
    const std::size_t pivot_word = tile * panel_words;
    std::uint32_t* const pivot_rows = bits_.get() + tile * pivots_per_tile * extent_.pitch;
    launch("close_tile_kernel", {1, pivots_per_tile, on}, close_tile_kernel,
           static_cast<const std::uint32_t*>(pivot_rows + pivot_word), extent_.pitch,
           closed_tile_.get());
    bit_operands operands = operands_of(tile);
    operands.a = closed_tile_.get();
    operands.c = pivot_rows;
    operands.first = {tile_lines(0, 1), tile_lines(0, changed_columns(tile))};
    multiply(operands, on);
    const std::size_t vectors = extent_.rows * (pivots_per_tile / bits_per_vector);
    launch("copy_columns_kernel", {call_.setup_blocks(vectors), setup.threads, on},
           copy_columns_kernel, static_cast<const std::uint32_t*>(bits_.get() + pivot_word),
           extent_.pitch, extent_.rows, panel_of(tile));
  }

  backend kernels_;
  closure_shape shape_;
  std::size_t n_;
  bit_extent extent_;
  bit_call call_;
  device_buffer<std::uint32_t> bits_;
  device_buffer<std::uint32_t> closed_tile_;
  device_buffer<std::uint32_t> column_panels_;
  device_buffer<std::int32_t> component_of_;
  device_buffer<std::uint32_t> expanded_;
  std::optional<side_stream> ahead_;  ///< closes the next pivots' cross
};

/// Calls @p load, solves and stores.
template <class Result, class Load>
bool close(const launch_target& target, const closure_shape& shape, const Result& result,
           monitor& watch, Load load) {
  if (shape.num_vertices == 0) return !watch.stop_requested();
  const int device = resolved_device(target);
  const device_guard guard(device);
  closing_solver solver(target, device, shape);
  load(solver);
  const auto pivots = [](std::size_t begin, std::size_t end) { return end - begin; };
  APSP_RANGE_OF(algorithm::transitive_closure);
  if (!solver.solve(watch, shape.num_vertices, pivots)) return false;
  solver.store(result);
  return true;
}

/// The arcs of the condensation. Those within a component have become loops.
std::vector<bit_arc> arcs_between(const host::components& found, const arc_view& arcs,
                                  std::size_t num_vertices, int threads) {
  std::vector<bit_arc> between(arcs.offsets[num_vertices]);
  host::parallel_for(num_vertices, threads, [&](std::size_t u) {
    for (std::size_t a = arcs.offsets[u]; a < arcs.offsets[u + 1]; ++a) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      between[a] = {found.component_of[u], found.component_of[v]};
    }
  });
  return between;
}

}  // namespace

bool close(const launch_target& target, std::span<const bit_arc> arcs, const bit_view& bits,
           monitor& watch) {
  return close(target, {.num_vertices = bits.rows, .num_arcs = arcs.size()}, bits, watch,
               [&](closing_solver& solver) { solver.load(arcs); });
}

bool close(const launch_target& target, const bit_view& bits, monitor& watch) {
  return close(target, {.num_vertices = bits.rows}, bits, watch, [&](closing_solver& solver) {
    solver.load({bits.words, bits.rows, bits.columns, bits.pitch});
  });
}

bool close_condensed(const launch_target& target, const arc_view& arcs, const bit_view& bits,
                     int threads, monitor& watch) {
  const std::size_t n = bits.rows;
  watch.begin(n);
  if (n == 0) return !watch.stop_requested();
  host::components found;
  if (!host::find_components(arcs.offsets, arcs.targets, n, watch, found)) return false;
  const int device = resolved_device(target);
  const device_guard guard(device);
  {
    const std::vector<bit_arc> between = arcs_between(found, arcs, n, threads);
    closing_solver solver(target, device,
                          {.num_vertices = found.count(),
                           .num_arcs = between.size(),
                           .is_triangular = true,
                           .expanded_columns = n});
    solver.load(between);
    const auto vertices = [&](std::size_t begin, std::size_t end) {
      return found.offsets[end] - found.offsets[begin];
    };
    APSP_RANGE_OF(algorithm::transitive_closure);
    if (!solver.solve(watch, n, vertices)) return false;
    std::vector<host_word*> rows(found.count());
    for (std::size_t c = 0; c < rows.size(); ++c) rows[c] = bits.row(found.first(c));
    solver.store(rows, found.component_of);
  }
  // All rows of a component are equal.
  host::parallel_for(n, threads, [&](std::size_t i) {
    const auto v = static_cast<std::size_t>(found.members[i]);
    const std::size_t first = found.first(static_cast<std::size_t>(found.component_of[v]));
    if (v != first) std::copy_n(bits.row(first), bits.pitch, bits.row(v));
  });
  return true;
}

template <class W>
bool close(const launch_target& target, const device_graph<W>& graph,
           const device_matrix_view<std::uint8_t>& result, monitor& watch) {
  return close(target, {.num_vertices = graph.num_vertices}, result, watch,
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
  APSP_RANGE_OF(algorithm::product);
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
  const tiled_product multiply(call.multiprocessors());
  bit_operands operands{};
  operands.a_pitch = extent_a.pitch;
  operands.b_pitch = extent_b.pitch;
  operands.c = bits_c.get();
  operands.c_pitch = extent_c.pitch;
  operands.first = {tile_lines(0, extent_c.rows / tile_rows),
                    tile_lines(0, extent_c.pitch / tile_words)};
  {
    device_progress progress(watch, call.stream());
    for (std::size_t k = 0; k < depth; k += bit_launches.product_depth_per_step) {
      const std::size_t count = std::min(bit_launches.product_depth_per_step, depth - k);
      operands.a = bits_a.get() + k / bits_per_word;
      operands.b = bits_b.get() + k * extent_b.pitch;
      operands.depth = static_cast<int>(round_up(count, bit_tile_depth));
      if (tiled) {
        multiply(operands, call.stream());
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

}  // namespace apsp::inline v1::detail::cuda

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "../../../../apsp/semiring.hpp"
#include "../../../../apsp/unreachable.hpp"
#include "../../../device/check.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../../values/computed_type.hpp"
#include "../../../values/distance_code.hpp"
#include "../../matrix/cuda/convert_rows.cuh"
#include "../../matrix/cuda/square_matrix.cuh"
#include "../../proofs/cuda/distance_bound.cuh"
#include "paired_floyd_warshall.cuh"
#include "tiled_floyd_warshall.cuh"

namespace apsp::inline v1::detail::cuda {

// Compiled once, with the kernels of their own weight type.
extern template class tiled_floyd_warshall<min_plus<float>>;
extern template class tiled_floyd_warshall<min_plus<double>>;
extern template class tiled_floyd_warshall<min_plus<std::int32_t>>;

/// Floyd–Warshall of whole numbers, of integer or floating-point type, in the type that relaxes
/// them fastest, if that type is proved to hold every distance: pairs of 16 bits, float, 32 bits,
/// double. Such a type gives the same distances: an intermediate value that is longer, even if it
/// is rounded or treated as unreachable, is not part of a shortest path, and a float is exact up to
/// its `largest_exact`.
///
/// The matrix is converted in place and back, so only the panels need additional memory.
template <class T>
class narrow_floyd_warshall {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= sizeof(std::int64_t));

 public:
  narrow_floyd_warshall(device_workspace& space, std::size_t num_vertices, std::size_t extent)
      : space_(space),
        n_(num_vertices),
        extent_(extent),
        relaxes_pairs_(paired_floyd_warshall::runs_on(space.device)) {}

  /// With few vertices the search for a bound takes as long as it saves.
  static bool pays(std::size_t num_vertices) {
    return size_of_problem<std::int32_t>(num_vertices) == problem_size::many_vertices;
  }
  /// The extent of the matrices must be a multiple of this.
  static std::size_t granularity(std::size_t num_vertices) {
    return std::max({paired_floyd_warshall::granularity,
                     cuda::granularity<std::int32_t>(num_vertices, false),
                     cuda::granularity<std::int64_t>(num_vertices, false)});
  }

  /// Memory allocated in addition to the matrix: the panels of one type, and before them, in less
  /// memory, the buffers for the bound.
  std::size_t bytes() const {
    std::size_t most = std::max(paired_floyd_warshall::bytes(n_, extent_), bytes_in<float>());
    if constexpr (sizeof(T) > sizeof(std::int32_t)) most = std::max(most, bytes_in<double>());
    return most;
  }

  /// @param matrix  of whole numbers, none negative; `unreachable` is not a sum of two other
  ///                entries.
  /// @return nothing if no type other than T is proved to suffice; else as
  /// `tiled_floyd_warshall::solve`.
  std::optional<bool> solve(const square_matrix<T>& matrix, T unreachable,
                            device_progress& progress) {
    if (std::is_same_v<T, float> && !relaxes_pairs_) return std::nullopt;
    const std::uint64_t enough =
        relaxes_pairs_ ? std::uint64_t{unreachable_half} - 1 : largest_exact<float>;
    const std::uint64_t bound = bound_distances(space_, matrix, n_, unreachable, enough);
    const auto note = [&](std::string_view type) {
      progress.watch().note_type(type, bounded_distances);
    };
    if (relaxes_pairs_ && bound < unreachable_half) {
      note("int16");
      return solve_in_pairs(matrix, unreachable, progress);
    }
    if constexpr (!std::is_same_v<T, float>) {
      if (bound <= largest_exact<float>) {
        note(type_name<float>());
        return solve_in<float>(matrix, unreachable, progress);
      }
    }
    if constexpr (sizeof(T) > sizeof(std::int32_t)) {
      if (bound < static_cast<std::uint64_t>(no_path_in<std::int32_t>)) {
        note(type_name<std::int32_t>());
        return solve_in<std::int32_t>(matrix, unreachable, progress);
      }
      if constexpr (std::is_integral_v<T>) {
        if (bound <= largest_exact<double>) {
          note(type_name<double>());
          return solve_in<double>(matrix, unreachable, progress);
        }
      }
    }
    return std::nullopt;
  }

 private:
  template <class Narrow>
  static constexpr std::uint64_t largest_exact =
      std::uint64_t{1} << std::numeric_limits<Narrow>::digits;
  /// The value that stands for "unreachable". The sum of two of them is not smaller.
  template <class Narrow>
  static constexpr Narrow no_path_in =
      std::is_integral_v<Narrow> ? std::numeric_limits<Narrow>::max() / 2
                                 : apsp::unreachable<Narrow>;

  template <class Narrow>
  std::size_t bytes_in() const {
    return tiled_floyd_warshall<min_plus<Narrow>>::bytes(n_, extent_, false);
  }

  template <class Narrow>
  bool solve_in(const square_matrix<T>& matrix, T unreachable, device_progress& progress) {
    tiled_floyd_warshall<min_plus<Narrow>> narrow(space_, min_plus<Narrow>{}, n_, extent_, false);
    narrow.allocate();
    constexpr Narrow no_path = no_path_in<Narrow>;
    T threshold = unreachable;
    if constexpr (std::is_integral_v<Narrow>) threshold = T{no_path};
    return solve_converted<Narrow>(
        matrix, entry_conversion<T, Narrow>{threshold, no_path},
        entry_conversion<Narrow, T>{no_path, unreachable},
        [&](const auto& converted) { return narrow.solve(converted, Narrow{}, progress); });
  }

  bool solve_in_pairs(const square_matrix<T>& matrix, T unreachable, device_progress& progress) {
    paired_floyd_warshall paired(space_, n_, extent_);
    paired.allocate();
    return solve_converted<distance_pair>(
        matrix, entry_conversion<T, std::uint16_t>{unreachable_half, unreachable_half},
        entry_conversion<std::uint16_t, T>{unreachable_half, unreachable},
        [&](const auto& converted) { return paired.solve(converted, progress); });
  }

  /// Calls solve(converted) with the matrix in words of type Word.
  template <class Word, class Narrow, class Solve>
  bool solve_converted(const square_matrix<T>& matrix, const entry_conversion<T, Narrow>& narrow,
                       const entry_conversion<Narrow, T>& widen, Solve solve) {
    const std::size_t row_bytes = matrix.pitch * sizeof(T);
    const auto convert = [&](std::size_t begin, std::size_t count, const auto& to,
                             cudaStream_t on) {
      convert_rows(space_, {matrix.distances + begin * matrix.pitch, count, row_bytes, extent_}, to,
                   on);
    };
    const cudaStream_t stream = space_.stream.get();
    convert(0, extent_, narrow, stream);
    square_matrix<Word> converted;
    converted.distances = reinterpret_cast<Word*>(matrix.distances);
    converted.pitch = row_bytes / sizeof(Word);
    converted.nonnegative = true;
    converted.symmetric = matrix.symmetric;
    bool are_wide = false;
    const final_rows when_final = [&](std::size_t begin, std::size_t count, cudaStream_t on) {
      convert(begin, count, widen, on);
      (*matrix.when_final)(begin, count, on);
      are_wide = true;
    };
    if (matrix.when_final != nullptr) converted.when_final = &when_final;
    const bool done = solve(converted);
    if (!are_wide) convert(0, extent_, widen, stream);
    return done;
  }

  device_workspace& space_;
  std::size_t n_;
  std::size_t extent_;
  bool relaxes_pairs_;
};

}  // namespace apsp::inline v1::detail::cuda

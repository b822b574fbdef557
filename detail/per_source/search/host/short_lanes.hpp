// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../../../tiles/host/narrow_kernel.hpp"
#include "../../../values/distance_code.hpp"
#include "../../problem/problem.hpp"

// Lanes of 16 bits, for graphs whose distances are whole numbers and probably short. A search finds
// out itself whether they are.
namespace apsp::inline v1::detail::host {

/// The weights in 16 bits; nothing if some weight does not fit or is so heavy that distances hardly
/// do.
template <class C>
std::optional<std::vector<std::uint16_t>> short_weights(std::span<const C> weights) {
  constexpr C heaviest{8191};
  const auto is_short = [](const C& w) {
    if (!(C{} <= w && w <= heaviest)) return false;
    if constexpr (std::is_floating_point_v<C>) return std::trunc(w) == w;
    return true;
  };
  if (weights.empty() || !std::all_of(weights.begin(), weights.end(), is_short)) {
    return std::nullopt;
  }
  return std::vector<std::uint16_t>(weights.begin(), weights.end());
}

/// Receives rows of 16-bit distances and passes them on in type C.
template <class C>
class widening_output final : public solver_output<std::uint16_t> {
 public:
  widening_output(std::size_t num_vertices, std::span<const std::int32_t> targets,
                  solver_output<C>& output)
      : num_vertices_(num_vertices),
        targets_(targets),
        output_(output),
        kernels_(choose_narrow_kernels<C>()) {}

  /// The rows are widened in place.
  std::uint16_t* distances(std::size_t row) override {
    return reinterpret_cast<std::uint16_t*>(output_.distances(row));
  }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  void finish(std::size_t row, std::uint16_t* distances, std::int32_t*) override {
    std::vector<C> own;
    output_.finish(row, widened(row, distances, own), nullptr);
  }
  /// The entries of the targets alone.
  void finish_reached(std::size_t row, const std::uint16_t* distances,
                      std::span<const std::uint32_t> reached) override {
    std::vector<C> wide(num_vertices_);
    for (const std::int32_t t : targets_) {
      const auto v = static_cast<std::size_t>(t);
      const bool is_path = distances[v] != no_path<std::uint16_t>();
      wide[v] = is_path ? static_cast<C>(distances[v]) : no_path<C>();
    }
    output_.finish_reached(row, wide.data(), reached);
  }

 private:
  C* widened(std::size_t row, const std::uint16_t* distances, std::vector<C>& own) const {
    C* wide = output_.distances(row);
    if (wide == nullptr) {
      own.resize(num_vertices_);
      wide = own.data();
    }
    if (static_cast<const void*>(wide) != distances) {
      std::memcpy(wide, distances, num_vertices_ * sizeof(std::uint16_t));
    }
    kernels_.widen_row(wide, num_vertices_, no_path<std::uint16_t>(), no_path<C>());
    return wide;
  }

  std::size_t num_vertices_;
  std::span<const std::int32_t> targets_;
  solver_output<C>& output_;
  const narrow_kernels<C>& kernels_;
};

}  // namespace apsp::inline v1::detail::host

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>

// Chooses where the matrix of a closure is while devices relax it.
namespace apsp::inline v1::detail {

enum class matrix_place {
  whole,          ///< In the memory of one device.
  divided,        ///< Its rows are divided among several devices.
  divided_upper,  ///< The same, with room for the division of a symmetric matrix, which is larger.
  passing         ///< Its rows pass through the devices.
};

enum class memory_state {
  as_counted,
  ran_out  ///< Memory was lacking though it was counted: others have taken it.
};

/// The memory that a place takes of a device, and what the call may take of it.
struct memory_need {
  std::size_t bytes = 0;
  std::size_t available = 0;

  bool is_met() const { return bytes <= available; }
};

struct closure_facts {
  bool has_several_devices = false;
  bool may_divide = false;  ///< The method has kernels for some of the rows.
  bool must_pass = false;   ///< The rows stay in host memory, for checkpoints.
  bool in_core = false;     ///< The policy refuses rows that pass.
  memory_state memory = memory_state::as_counted;
  /// Of the device with the least memory left; empty if the place is out of question.
  std::optional<memory_need> whole{};
  std::optional<memory_need> divided{};
  std::optional<memory_need> divided_upper{};
};

/// A pure function. If no place has enough memory, it returns one whose allocation reports the
/// lack.
constexpr matrix_place plan_closure(const closure_facts& facts) {
  const auto has_room = [](const std::optional<memory_need>& need) {
    return need.has_value() && need->is_met();
  };
  if (facts.must_pass) return matrix_place::passing;
  if (!facts.may_divide) return matrix_place::whole;
  if (facts.has_several_devices) {
    const bool may_fit = facts.memory == memory_state::as_counted;
    if (may_fit && has_room(facts.divided_upper)) return matrix_place::divided_upper;
    const bool divides = (may_fit && has_room(facts.divided)) || facts.in_core;
    return divides ? matrix_place::divided : matrix_place::passing;
  }
  // What ran out is counted anew: the device may have room for the matrix, though for nothing else.
  return has_room(facts.whole) || facts.in_core ? matrix_place::whole : matrix_place::passing;
}

}  // namespace apsp::inline v1::detail

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/error.hpp"
#include "../../apsp/result.hpp"
#include "communicator.hpp"

// What makes all processes of a call return the same, or all of them throw.
namespace apsp::inline v1::detail::mpi {

/// 0 without a failure, otherwise the larger the lower the rank, so that the maximum over all
/// processes names the lowest rank that failed.
inline std::uint64_t mark_of(const communicator& everywhere, bool is_marked) {
  return is_marked ? static_cast<std::uint64_t>(everywhere.size() - everywhere.rank()) : 0;
}
inline int rank_of_mark(const communicator& everywhere, std::uint64_t mark) {
  return everywhere.size() - static_cast<int>(mark);
}

/// Throws on all processes: the failure of this one, or a report of that of process @p rank.
[[noreturn]] inline void throw_everywhere(const communicator& everywhere, int rank,
                                          const std::exception_ptr& failure) {
  std::array<char, 1024> message{};
  if (rank == everywhere.rank()) {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      std::strncpy(message.data(), error.what(), message.size() - 1);
    } catch (...) {
      std::strncpy(message.data(), "an exception of unknown type", message.size() - 1);
    }
  }
  everywhere.broadcast(message.data(), message.size(), rank);
  if (failure) std::rethrow_exception(failure);
  throw distributed_error(rank, message.data());
}

/// The exception of f on this process, or null.
template <class F>
std::exception_ptr failure_of(F f) {
  try {
    f();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

/// Throws on all processes if one of them has a failure; otherwise @p values become the largest
/// ones of all processes.
template <std::size_t N>
void agree_on_success(const communicator& everywhere, const std::exception_ptr& failure,
                      std::array<std::uint64_t, N>& values) {
  std::array<std::uint64_t, N + 1> largest{};
  std::copy(values.begin(), values.end(), largest.begin());
  largest.back() = mark_of(everywhere, failure != nullptr);
  everywhere.maximize(largest);
  if (largest.back() != 0) {
    throw_everywhere(everywhere, rank_of_mark(everywhere, largest.back()), failure);
  }
  std::copy_n(largest.begin(), N, values.begin());
}
inline void agree_on_success(const communicator& everywhere, const std::exception_ptr& failure) {
  std::array<std::uint64_t, 0> nothing;
  agree_on_success(everywhere, failure, nothing);
}

/// Calls f, which does not communicate, on every process, and throws on all if it throws on one.
template <class F>
auto together(const communicator& everywhere, F f) {
  using value = decltype(f());
  if constexpr (std::is_void_v<value>) {
    agree_on_success(everywhere, failure_of(f));
  } else {
    std::optional<value> made;
    agree_on_success(everywhere, failure_of([&] { made.emplace(f()); }));
    return std::move(*made);
  }
}

/// What must be equal on all processes.
enum class argument {
  grid,
  function,
  algorithm,
  types,
  policy,
  cutoff,
  checkpoints,
  rows,
  columns,
  depth,
  vertices,
  sources,
  source_list,
  target_list,
  arcs,
  graph,
  options,
  amounts
};

/// The arguments of this process, as far as it knows them.
class shared_arguments {
 public:
  /// The largest number of an argument. MPICH 4.0 takes MPI_UINT64_T for a signed type in MPI_MAX.
  static constexpr std::uint64_t most = (std::uint64_t{1} << 62) - 1;

  static constexpr std::array<const char*, 18> names{"the process grid",
                                                     "the function",
                                                     "the algorithm",
                                                     "the type of an argument",
                                                     "the policy",
                                                     "the cutoff",
                                                     "the file of checkpoint or resume",
                                                     "the number of rows",
                                                     "the number of columns",
                                                     "the depth of a product",
                                                     "the number of vertices",
                                                     "the number of sources",
                                                     "the list of sources",
                                                     "the list of targets",
                                                     "the number of arcs",
                                                     "an arc or a weight of the graph",
                                                     "an option",
                                                     "an amount"};

  template <class T>
  void set(argument which, const T& value) {
    const auto i = static_cast<std::size_t>(which);
    const std::uint64_t bits = bits_of(value);
    values_[i] = (bits ^ (bits >> 62)) & most;
    is_known_[i] = true;
  }

  bool is_known(std::size_t i) const { return is_known_[i]; }
  std::uint64_t operator[](std::size_t i) const { return values_[i]; }

 private:
  template <class T>
  static std::uint64_t bits_of(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    } else {
      return static_cast<std::uint64_t>(value);
    }
  }

  std::array<std::uint64_t, names.size()> values_{};
  std::array<bool, names.size()> is_known_{};
};

/// A number for a text.
constexpr std::uint64_t number_of_text(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}
/// A number for a list of types, the same in all programs of one compiler.
template <class... Types>
constexpr std::uint64_t number_of_types() {
  return number_of_text(__PRETTY_FUNCTION__);
}

/// Calls read(arguments), which sets arguments and does not communicate, on every process.
/// @throws std::invalid_argument on all processes if an argument differs between two of them, or,
/// if none does, as `together` does.
template <class Read>
void agree_on_arguments(const communicator& everywhere, Read read) {
  shared_arguments mine;
  const std::exception_ptr failure = failure_of([&] { read(mine); });
  // The largest value of x + 1 and of most - x + 1. Zeros of a process that has not come so far
  // change nothing.
  constexpr std::size_t count = shared_arguments::names.size();
  constexpr std::uint64_t most = shared_arguments::most;
  std::array<std::uint64_t, 2 * count + 1> largest{};
  for (std::size_t i = 0; i < count; ++i) {
    if (!mine.is_known(i)) continue;
    largest[2 * i] = mine[i] + 1;
    largest[2 * i + 1] = most - mine[i] + 1;
  }
  largest.back() = mark_of(everywhere, failure != nullptr);
  everywhere.maximize(largest);
  for (std::size_t i = 0; i < count; ++i) {
    if (largest[2 * i] != 0 && largest[2 * i] + largest[2 * i + 1] != most + 2) {
      throw std::invalid_argument("apsp: " + std::string(shared_arguments::names[i]) +
                                  " of a call across processes is not the same on all of them");
    }
  }
  if (largest.back() != 0) {
    throw_everywhere(everywhere, rank_of_mark(everywhere, largest.back()), failure);
  }
}

/// Calls solve, which does not communicate, on every process, and throws on all if it throws on
/// one. Returns the result of all processes: a negative cycle, a stop or a distance that did not
/// fit on one of them is one of the call.
template <class Solve>
result result_of_all(const communicator& everywhere, Solve solve) {
  std::optional<result> mine;
  std::vector<std::size_t> cycle;
  std::array<std::uint64_t, 4> seen{};
  const std::exception_ptr failure = failure_of([&] {
    mine.emplace(solve());
    cycle = mine->negative_cycle();
    seen = {mark_of(everywhere, !cycle.empty()), mine->stopped(), mine->saturated(),
            static_cast<std::uint64_t>(mine->algorithm())};
  });
  agree_on_success(everywhere, failure, seen);
  result done(mine->executed_on(), static_cast<algorithm>(seen[3]));
  if (seen[0] != 0) {
    const int rank = rank_of_mark(everywhere, seen[0]);
    std::uint64_t length = cycle.size();
    everywhere.broadcast(&length, sizeof length, rank);
    together(everywhere, [&] {
      if (rank != everywhere.rank()) cycle.resize(static_cast<std::size_t>(length));
    });
    everywhere.broadcast(cycle.data(), cycle.size() * sizeof(std::size_t), rank);
    done.set_negative_cycle(std::move(cycle));
  }
  if (seen[1] != 0) done.set_stopped();
  done.set_saturated(seen[2] != 0);
  done.set_num_devices(mine->num_devices());
  done.set_candidates(mine->plan());
  done.set_computed(mine->plan().computed());
  if (!mine->fallback_reason().empty()) done.set_fallback_reason(mine->fallback_reason());
  return done;
}

}  // namespace apsp::inline v1::detail::mpi

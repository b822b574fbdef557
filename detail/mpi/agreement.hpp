// SPDX-License-Identifier: BSL-1.0
#pragma once

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
namespace apsp::detail::mpi {

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

/// Throws on all processes if one of them has a failure.
inline void agree_on_success(const communicator& everywhere, const std::exception_ptr& failure) {
  const std::uint64_t mark = everywhere.maximum(mark_of(everywhere, failure != nullptr));
  if (mark != 0) throw_everywhere(everywhere, rank_of_mark(everywhere, mark), failure);
}

/// Calls f, which does not communicate, on every process, and throws on all if it throws on one.
template <class F>
auto together(const communicator& everywhere, F f) {
  using value = decltype(f());
  std::exception_ptr failure;
  if constexpr (std::is_void_v<value>) {
    try {
      f();
    } catch (...) {
      failure = std::current_exception();
    }
    agree_on_success(everywhere, failure);
  } else {
    std::optional<value> made;
    try {
      made.emplace(f());
    } catch (...) {
      failure = std::current_exception();
    }
    agree_on_success(everywhere, failure);
    return std::move(*made);
  }
}

/// What must be equal on all processes.
enum class argument {
  function,
  algorithm,
  types,
  policy,
  cutoff,
  rows,
  columns,
  vertices,
  sources,
  arcs,
  lightest,
  heaviest
};

/// The arguments of this process, as far as it knows them.
class shared_arguments {
 public:
  static constexpr std::array<const char*, 12> names{"the function",
                                                     "the algorithm",
                                                     "the type of an argument",
                                                     "the policy",
                                                     "the cutoff",
                                                     "the number of rows",
                                                     "the number of columns",
                                                     "the number of vertices",
                                                     "the number of sources",
                                                     "the number of arcs",
                                                     "the smallest weight",
                                                     "the largest weight"};

  template <class T>
  void set(argument which, const T& value) {
    const auto i = static_cast<std::size_t>(which);
    values_[i] = bits_of(value);
    is_known_[i] = true;
  }

  bool is_known(std::size_t i) const { return is_known_[i]; }
  std::uint64_t operator[](std::size_t i) const { return values_[i]; }

 private:
  template <class T>
  static std::uint64_t bits_of(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    } else if constexpr (std::is_convertible_v<T, std::uint64_t>) {
      return static_cast<std::uint64_t>(value);
    } else if constexpr (std::is_enum_v<T>) {
      return static_cast<std::uint64_t>(value);
    } else {
      return 0;  // a weight of a type of the caller
    }
  }

  std::array<std::uint64_t, names.size()> values_{};
  std::array<bool, names.size()> is_known_{};
};

/// A number for a list of types, the same in all programs of one compiler.
template <class... Types>
constexpr std::uint64_t number_of_types() {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : std::string_view(__PRETTY_FUNCTION__)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return hash;
}

/// Calls read(arguments), which sets arguments and does not communicate, on every process.
/// @throws std::invalid_argument on all processes if an argument differs between two of them, or, if
/// none does, as `together` does.
template <class Read>
void agree_on_arguments(const communicator& everywhere, Read read) {
  shared_arguments mine;
  std::exception_ptr failure;
  try {
    read(mine);
  } catch (...) {
    failure = std::current_exception();
  }
  // The largest value of x and of ~x. 0 and 0 of a process that has not come so far change nothing.
  constexpr std::size_t count = shared_arguments::names.size();
  std::array<std::uint64_t, 2 * count + 1> largest{};
  for (std::size_t i = 0; i < count; ++i) {
    if (!mine.is_known(i)) continue;
    largest[2 * i] = mine[i];
    largest[2 * i + 1] = ~mine[i];
  }
  largest.back() = mark_of(everywhere, failure != nullptr);
  everywhere.maximize(largest);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_given = largest[2 * i] != 0 || largest[2 * i + 1] != 0;
    if (is_given && largest[2 * i] != ~largest[2 * i + 1]) {
      throw std::invalid_argument("apsp: " + std::string(shared_arguments::names[i]) +
                                  " of a call across processes is not the same on all of them");
    }
  }
  if (largest.back() != 0) {
    throw_everywhere(everywhere, rank_of_mark(everywhere, largest.back()), failure);
  }
}

/// The result of all processes: a negative cycle, a stop or a distance that did not fit on one of them
/// is one of the call.
inline result agree_on_result(const communicator& everywhere, const result& mine) {
  const auto& cycle = mine.negative_cycle();
  std::array<std::uint64_t, 4> seen{mark_of(everywhere, !cycle.empty()), mine.stopped(),
                                    mine.saturated(), static_cast<std::uint64_t>(mine.algorithm())};
  everywhere.maximize(seen);
  result done(mine.executed_on(), static_cast<algorithm>(seen[3]));
  if (seen[0] != 0) {
    const int rank = rank_of_mark(everywhere, seen[0]);
    std::uint64_t length = cycle.size();
    everywhere.broadcast(&length, sizeof length, rank);
    auto named = together(everywhere, [&] {
      return rank == everywhere.rank() ? cycle
                                       : std::vector<std::size_t>(static_cast<std::size_t>(length));
    });
    everywhere.broadcast(named.data(), named.size() * sizeof(std::size_t), rank);
    done.set_negative_cycle(std::move(named));
  }
  if (seen[1] != 0) done.set_stopped();
  done.set_saturated(seen[2] != 0);
  return done;
}

}  // namespace apsp::detail::mpi

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

// Functions that measure the time of calls in seconds.
namespace timing {

template <class Action>
double seconds_of(Action action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class Value>
struct timed_value {
  Value value;
  double seconds;
};

/// Returns the result of @p action() and its time.
template <class Action>
auto timed(Action action) -> timed_value<decltype(action())> {
  const auto start = std::chrono::steady_clock::now();
  auto value = action();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return {std::move(value), elapsed.count()};
}

/// Returns the median of at least one number; of an even number of them, the mean of the middle
/// two.
inline double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

/// Returns the median of at least one number; of an even number of them, the larger of the middle
/// two, so that it is the time of an actual call.
inline double upper_median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace timing

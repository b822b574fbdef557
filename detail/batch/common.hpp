// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/plan.hpp"
#include "../../apsp/policy.hpp"
#include "../call/request.hpp"
#include "../matrix/memory.hpp"
#include "../matrix/rows.hpp"
#include "../values/computed_type.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "../values/weight.hpp"
#include "../values/weight_types.hpp"
#include "cuda/small_graphs.hpp"

// What calls for many graphs in host memory and in device memory share.
namespace apsp::inline v1::detail {

/// The types in which distances of type T may be computed.
template <class T>
struct computing_types {
  template <template <class> class Of>
  using tuple = std::tuple<Of<T>>;
};
template <std::integral T>
struct computing_types<T> {
  template <template <class> class Of>
  using tuple = std::tuple<Of<std::int32_t>, Of<std::int64_t>, Of<int128>>;
};
template <std::integral T>
  requires(sizeof(T) > sizeof(std::int32_t))
struct computing_types<T> {
  template <template <class> class Of>
  using tuple = std::tuple<Of<std::int64_t>, Of<int128>>;
};
template <std::floating_point T>
  requires(!std::is_same_v<wider_float_t<T>, T>)
struct computing_types<T> {
  template <template <class> class Of>
  using tuple = std::tuple<Of<T>, Of<wider_float_t<T>>>;
};

/// Small graphs with distances of type T for the kernels, by the type in which they are computed.
template <class T>
class small_graphs_by_type {
 public:
  /// @return false if the type for graph @p i, of n vertices, has no kernels.
  bool add(std::size_t i, std::size_t n, const weight_range<T>& weights) {
    return with_code(n, weights, [&]<class C>(const distance_code<C>& code) {
      if constexpr (has_compiled_kernels<C>) {
        std::get<list_of_graphs<C>>(lists_).push_back({i, n, weights.num_edges, code});
      }
      return has_compiled_kernels<C>;
    });
  }
  /// Calls solve(list) for every list that is not empty.
  template <class Solve>
  void for_each_type(Solve solve) const {
    const auto solve_list = [&]<class C>(const list_of_graphs<C>& list) {
      if constexpr (has_compiled_kernels<C>) {
        if (!list.empty()) solve(list);
      }
    };
    std::apply([&](const auto&... list) { (solve_list(list), ...); }, lists_);
  }

 private:
  template <class C>
  using list_of_graphs = std::vector<cuda::small_graph<C>>;
  typename computing_types<T>::template tuple<list_of_graphs> lists_;
};

/// That distances of a graph with @p weights and n vertices were computed in type C.
template <class C, class T>
computation computed_in(std::size_t n, const weight_range<T>& weights) {
  return {.type = type_name<C>(), .why_it_fits = why_sums_fit<C>(n, weights)};
}

/// @p policy without its progress callback, which counts graphs, not the pivots of one graph.
template <class Policy>
auto without_progress(const Policy& policy) {
  if constexpr (has_observer<Policy>) {
    return policy.progress({});
  } else {
    return policy;
  }
}

/// Calls f(), and adds the graph number @p index to the message of an exception about an invalid
/// graph, behind "apsp: " or the name of the function.
template <class F>
void naming_graph(std::size_t index, F f) {
  const auto named = [index](const std::string& what) {
    const bool has_prefix = what.starts_with("apsp:") && what.find(": ") != std::string::npos;
    const std::size_t begin = has_prefix ? what.find(": ") + 2 : 0;
    return (has_prefix ? what.substr(0, begin) : "apsp: ") + "graph " + std::to_string(index) +
           ": " + what.substr(begin);
  };
  try {
    f();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(named(error.what()));
  } catch (const std::length_error& error) {
    throw std::length_error(named(error.what()));
  }
}

/// The memory of the results of a batch.
/// @tparam ShapeOf  `shape_of(i)` is the shape of what is written for graph i.
template <class Matrices, class ShapeOf>
class memory_of_results {
  using matrix_reference = decltype(std::declval<Matrices&>()[std::size_t{}]);

 public:
  memory_of_results(Matrices& matrices, std::size_t count, ShapeOf shape_of)
      : matrices_(matrices), shape_of_(shape_of) {
    results_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const matrix_shape shape = shape_of_(i);
      if (shape.rows == 0) continue;
      matrix_reference distances = matrices_[i];
      results_.push_back({hull_of(distances, shape), i, nullptr});
    }
    const auto by_begin = [](const one_result& x, const one_result& y) {
      return std::less<>{}(x.range.begin, y.range.begin);
    };
    // They usually come in allocation order.
    if (!std::is_sorted(results_.begin(), results_.end(), by_begin)) {
      std::sort(results_.begin(), results_.end(), by_begin);
    }
    const unsigned char* reach = nullptr;
    for (one_result& r : results_) {
      reach = std::max(reach, r.range.end, std::less<>{});
      r.reach = reach;
    }
  }

  /// @throws std::invalid_argument if two results share memory.
  void check_are_apart() const {
    for (std::size_t k = 1; k < results_.size(); ++k) {
      const std::size_t i = results_[k].index;
      matrix_reference mine = matrices_[i];
      static_cast<void>(any_in_range(k, results_[k].range, [&](const one_result& r) {
        matrix_reference other = matrices_[r.index];
        if (!may_overlap(mine, shape_of_(i), other, shape_of_(r.index))) return false;
        const auto [first, second] = std::minmax(i, r.index);
        throw std::invalid_argument("apsp: the distance matrices of graphs " +
                                    std::to_string(first) + " and " + std::to_string(second) +
                                    " share memory");
      }));
    }
  }

  /// True if the matrix of graph @p i, or an array of it, shares memory with the result of another
  /// graph.
  template <class M>
  bool overlap(const M& graph, const matrix_shape& shape, std::size_t i) const {
    const byte_range range = hull_of(graph, shape);
    const auto behind = std::lower_bound(results_.begin(), results_.end(), range.end,
                                         [](const one_result& r, const unsigned char* end) {
                                           return std::less<>{}(r.range.begin, end);
                                         });
    return any_in_range(static_cast<std::size_t>(behind - results_.begin()), range,
                        [&](const one_result& r) {
                          if (r.index == i) return false;
                          matrix_reference other = matrices_[r.index];
                          return may_overlap(graph, shape, other, shape_of_(r.index));
                        });
  }

  /// True if is_shared(matrix) for the result of a graph other than @p i.
  template <class IsShared>
  bool any_other(std::size_t i, IsShared is_shared) const {
    return std::any_of(results_.begin(), results_.end(), [&](const one_result& r) {
      if (r.index == i) return false;
      matrix_reference other = matrices_[r.index];
      return is_shared(other);
    });
  }

 private:
  /// The memory from the first to the last entry of a result; `reach` is the greatest end up to
  /// this one in a list that is sorted by begin.
  struct one_result {
    byte_range range;
    std::size_t index;
    const unsigned char* reach;
  };

  /// True if is_shared(r) for a result r among the first @p count that reaches into @p range.
  template <class IsShared>
  bool any_in_range(std::size_t count, const byte_range& range, IsShared is_shared) const {
    while (count != 0 && std::less<>{}(range.begin, results_[count - 1].reach)) {
      const one_result& r = results_[--count];
      if (std::less<>{}(range.begin, r.range.end) && is_shared(r)) return true;
    }
    return false;
  }

  Matrices& matrices_;
  ShapeOf shape_of_;
  std::vector<one_result> results_;
};

}  // namespace apsp::inline v1::detail

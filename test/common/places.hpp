// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <boost/mp11.hpp>
#include <cstddef>
#include <functional>
#include <tuple>
#include <utility>

#include "graphs.hpp"
#include "policies.hpp"
#ifdef APSP_TEST_ON_DEVICE
#include "device_data.hpp"
#endif

// Where graphs and results lie: what a test body is a template of beside the policy. In a program for the host
// that is host memory alone; policies that must not fall back find data in device memory, too.
namespace apsp_test {

/// What a test makes is handed on as it is.
struct host_memory {
  template <class T>
  static apsp::matrix<T> put(const apsp::matrix<T>& entries) {
    return entries;
  }
  template <class T>
  static apsp::matrix_view<T> window(T* first, std::size_t rows, std::size_t columns,
                                     std::size_t pitch) {
    return apsp::matrix_view<T>(first, rows, columns, pitch);
  }
  template <class T, class F>
  static auto in_one_form(const arc_list<T>& g, F f) {
    return f(g.view());
  }
  template <class T, class F, class Better = std::less<>>
  static void in_all_forms(const arc_list<T>& g, F f, Better = {}) {
    f(g.view());
  }
};

/// The entries, for a test to look at.
template <class M>
const M& to_host(const M& m) {
  return m;
}

/// Where the graphs lie that a call reads, and the matrices that it writes.
template <class Graphs, class Results = Graphs>
struct place {
  using graphs = Graphs;
  using results = Results;
};

#ifdef APSP_TEST_ON_DEVICE
/// What a test makes is copied to the device.
struct device_memory {
  template <class T>
  static apsp::device_matrix<T> put(const apsp::matrix<T>& entries) {
    return apsp::device_matrix<T>(entries);
  }
  template <class T>
  static apsp::device_matrix_view<T> window(T* first, std::size_t rows, std::size_t columns,
                                            std::size_t pitch) {
    return {first, rows, columns, pitch};
  }
  template <class T, class F>
  static auto in_one_form(const arc_list<T>& g, F f) {
    return f(resident<T>(g).csr());
  }
  /// @param is_better  which of two parallel arcs a dense graph holds.
  template <class T, class F, class Better = std::less<>>
  static void in_all_forms(const arc_list<T>& g, F f, Better is_better = {}) {
    resident<T>(g, is_better).in_all_forms(f);
  }
};

template <class T>
apsp::matrix<T> to_host(const apsp::device_matrix<T>& m) {
  return m.to_host();
}

using places = std::tuple<place<host_memory>, place<device_memory>>;
using mixed_places =
    std::tuple<place<host_memory, device_memory>, place<device_memory, host_memory>>;
#else
using places = std::tuple<place<host_memory>>;
using mixed_places = std::tuple<>;
#endif

/// What a test case is a template of, in a place.
template <class With, class Place>
struct at : With, Place {};

/// Each of a list, with graphs and results in one place.
template <class List>
using in_places = boost::mp11::mp_product<at, List, places>;
/// With graphs in one place and results in the other: nothing on the host.
template <class List>
using in_mixed_places = boost::mp11::mp_product<at, List, mixed_places>;
/// All of these.
template <class List>
using in_all_places = boost::mp11::mp_append<in_places<List>, in_mixed_places<List>>;

/// Results that hold nothing right before the call: memory that is given out again may.
template <class Place, class T>
auto wrong_results(std::size_t rows, std::size_t columns) {
  return Place::results::put(apsp::matrix<T>(rows, columns, static_cast<T>(-7)));
}
template <class Place, class T>
auto wrong_results(std::size_t n) {
  return wrong_results<Place, T>(n, n);
}

/// True if nothing has been written to a matrix that held @p value, or to `wrong_results`.
template <class M>
bool holds_only(const M& m, int value = -7) {
  const auto& entries = to_host(m);
  using T = typename M::value_type;
  return std::all_of(entries.begin(), entries.end(),
                     [&](const T& x) { return x == static_cast<T>(value); });
}

/// A matrix that is a part of a larger one, whose other entries must stay.
template <class Memory, class T>
class matrix_part {
 public:
  /// @param gap  entries between the rows
  matrix_part(const apsp::matrix<T>& entries, std::size_t gap)
      : columns_(entries.cols()), around_(embedded(entries, gap)), memory_(Memory::put(around_)) {}

  auto view() { return Memory::window(memory_.data(), memory_.rows(), columns_, memory_.cols()); }
  auto view() const {
    return Memory::window(memory_.data(), memory_.rows(), columns_, memory_.cols());
  }
  apsp::matrix<T> to_host() const {
    const auto& all = apsp_test::to_host(memory_);
    apsp::matrix<T> part(all.rows(), columns_);
    for (std::size_t i = 0; i < all.rows(); ++i) std::copy_n(all[i], columns_, part[i]);
    return part;
  }

  bool is_untouched_around() const {
    const auto& now = apsp_test::to_host(memory_);
    for (std::size_t i = 0; i < around_.rows(); ++i) {
      if (!std::equal(now[i] + columns_, now[i] + around_.cols(), around_[i] + columns_)) {
        return false;
      }
    }
    return true;
  }

 private:
  static apsp::matrix<T> embedded(const apsp::matrix<T>& entries, std::size_t gap) {
    apsp::matrix<T> around(entries.rows(), entries.cols() + gap, T(1));
    for (std::size_t i = 0; i < entries.rows(); ++i) {
      std::copy_n(entries[i], entries.cols(), around[i]);
    }
    return around;
  }

  std::size_t columns_;
  apsp::matrix<T> around_;
  decltype(Memory::put(std::declval<const apsp::matrix<T>&>())) memory_;
};

}  // namespace apsp_test

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <boost/mp11.hpp>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "graphs.hpp"
#include "policies.hpp"
#ifdef APSP_TEST_ON_DEVICE
#include "device_data.hpp"
#endif

// The places of graphs and results, which are template parameters of test cases beside the policy.
// Host test programs have only host memory; those with policies that must not fall back also use
// device memory.
namespace apsp_test {

/// Passes on the objects of a test unchanged.
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
  template <class T, class F, class Better = std::less<>>
  static void in_forms_by_turns(const arc_list<T>& g, F f, Better = {}) {
    f(g.view());
  }
};

/// Returns the entries for a test to read.
template <class M>
const M& to_host(const M& m) {
  return m;
}

/// The place of the graphs that a call reads, and of the matrices that it writes.
template <class Graphs, class Results = Graphs>
struct place {
  using graphs = Graphs;
  using results = Results;
};

#ifdef APSP_TEST_ON_DEVICE
/// Copies the objects of a test to the device.
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
  /// @param is_better  determines which of two parallel arcs a dense graph contains.
  template <class T, class F, class Better = std::less<>>
  static void in_all_forms(const arc_list<T>& g, F f, Better is_better = {}) {
    resident<T>(g, is_better).in_all_forms(f);
  }
  /// For cases with lists of graphs: in another form than the last graph, or with APSP_LONG_TESTS
  /// in all of them.
  template <class T, class F, class Better = std::less<>>
  static void in_forms_by_turns(const arc_list<T>& g, F f, Better is_better = {}) {
#ifdef APSP_LONG_TESTS
    in_all_forms(g, f, is_better);
#else
    static std::size_t form = 0;
    form = (form + 1) % resident<T>::num_forms;
    resident<T>(g, is_better).in_form(form, f);
#endif
  }
};

template <class T>
apsp::matrix<T> to_host(const apsp::device_matrix<T>& m) {
  return m.to_host();
}

using places = std::tuple<place<host_memory>, place<device_memory>>;
using mixed_places =
    std::tuple<place<host_memory, device_memory>, place<device_memory, host_memory>>;
using places_of_slow = std::tuple<place<device_memory>>;
#else
using places = std::tuple<place<host_memory>>;
using mixed_places = std::tuple<>;
using places_of_slow = std::tuple<>;
#endif

/// The template parameter of a test case, with a place.
template <class With, class Place>
struct at : With, Place {};

template <class With>
using is_slow_entry = std::bool_constant<is_slow<With>>;

/// All entries of a list, with graphs and results in one place; those of slow policies only in
/// device memory.
template <class List>
using in_places = boost::mp11::mp_append<
    boost::mp11::mp_product<at, boost::mp11::mp_remove_if<List, is_slow_entry>, places>,
    boost::mp11::mp_product<at, boost::mp11::mp_copy_if<List, is_slow_entry>, places_of_slow>>;
/// All entries of a list but those of slow policies, with graphs in one place and results in the
/// other; empty for host test programs.
template <class List>
using in_mixed_places =
    boost::mp11::mp_product<at, boost::mp11::mp_remove_if<List, is_slow_entry>, mixed_places>;
/// Both of these.
template <class List>
using in_all_places = boost::mp11::mp_append<in_places<List>, in_mixed_places<List>>;

/// Returns results with wrong contents, since reused memory may contain the correct results.
template <class Place, class T>
auto wrong_results(std::size_t rows, std::size_t columns) {
  return Place::results::put(apsp::matrix<T>(rows, columns, static_cast<T>(-7)));
}
template <class Place, class T>
auto wrong_results(std::size_t n) {
  return wrong_results<Place, T>(n, n);
}

/// Returns true if a matrix with contents @p value, or from `wrong_results`, has not been written.
template <class M>
bool holds_only(const M& m, int value = -7) {
  const auto& entries = to_host(m);
  using T = typename M::value_type;
  return std::all_of(entries.begin(), entries.end(),
                     [&](const T& x) { return x == static_cast<T>(value); });
}

/// A matrix that is a part of a larger one, whose other entries must not change.
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

// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/padded_matrices.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../dense/call/closure_values.hpp"
#include "../dense/calls.hpp"
#include "../dense/closures/host/floyd_warshall.hpp"
#include "../dense/problem/matrix_source.hpp"
#include "../dense/problem/problem.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../graph/erased_graph.hpp"
#include "../graph/negative_cycle.hpp"
#include "../host/monitor.hpp"
#include "../host/parallel_for.hpp"
#include "../matrix/results.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/call/call.hpp"
#include "../per_source/calls.hpp"
#include "../tiles/host/tile_kernel_choice.hpp"
#include "../tiles/host/tile_size.hpp"
#include "../values/cutoff.hpp"
#include "../values/distance_code.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"
#include "common.hpp"
#include "cuda/small_graphs.hpp"
#include "device_call.hpp"
#include "host/small_search.hpp"

// Many graphs in one call. Small graphs are solved concurrently, each in a matrix that a host
// thread fills, the backend relaxes, and a host thread stores into the caller's matrix. The other
// graphs are solved one by one.
namespace apsp::inline v1::detail {

/// A buffer for a matrix of any type in which distances of type T may be computed. It grows on
/// demand.
template <class T>
class small_matrix {
 public:
  template <class C>
  C* entries(std::size_t count) {
    auto& room = std::get<std::vector<C>>(rooms_);
    if (room.size() < count) room.resize(count);
    return room.data();
  }

 private:
  template <class C>
  using room_for = std::vector<C>;
  typename computing_types<T>::template tuple<room_for> rooms_;
};

/// Pointers to the rows of a small matrix, without an allocation.
template <class C>
class small_rows {
 public:
  small_rows(C* entries, std::size_t n, std::size_t pitch) {
    for (std::size_t i = 0; i < n; ++i) rows_[i] = entries + i * pitch;
  }
  C* const* data() const { return rows_.data(); }

 private:
  std::array<C*, cuda::small_graph_limit> rows_;
};

/// Relaxes a matrix on the calling thread. Its rows have @p pitch entries, a multiple of the host
/// kernels' strip width.
template <class C>
void close_on_host(C* entries, std::size_t n, std::size_t pitch, const distance_code<C>& code) {
  const auto& kernels = host::choose_tile_kernels<min_plus<C>>();
  if (n <= host::tile_size<C>(kernels.strip_width)) {
    kernels.close({}, n, pitch, entries, code.floor, nullptr);
    return;
  }
  const small_rows<C> rows(entries, n, pitch);
  constexpr bool may_use_symmetry = false;  // The matrix has few tiles.
  const closure_problem<min_plus<C>> problem{
      {}, n, n, rows.data(), nullptr, code.unreachable, code.floor, may_use_symmetry};
  monitor nobody(unobserved{});
  host::floyd_warshall_solver<min_plus<C>>(problem, 1).solve(nobody);
}

/// Writes a relaxed n x n matrix to the caller's matrix.
/// @return true if a distance did not fit.
template <class C, class D>
bool write_small_matrix(const C* entries, std::size_t n, std::size_t pitch,
                        const C& unreachable_from, D& distances) {
  using T = matrix_value_t<D>;
  bool cut = false;
  for (std::size_t i = 0; i < n; ++i) {
    const C* const row = entries + i * pitch;
    if (T* const to = contiguous_row<T>(distances, i)) {
      for (std::size_t j = 0; j < n; ++j)
        to[j] = decoded_distance<T>(row[j], unreachable_from, cut);
    } else {
      for (std::size_t j = 0; j < n; ++j) {
        matrix_entry(distances, i, j) = decoded_distance<T>(row[j], unreachable_from, cut);
      }
    }
  }
  return cut;
}

/// A graph that provides the address of its entries.
template <class G>
concept has_dense_entries =
    graph<G> && requires(const std::remove_cvref_t<G>& g) { graph_adaptor_t<G>::dense_entries(g); };

template <class Matrices>
inline constexpr bool is_padded = false;
template <class T>
inline constexpr bool is_padded<padded_matrices<T>> = true;

/// Completes a matrix of @p matrices, in which n rows and columns are distances: replaces
/// `unreachable`, and writes the padding.
/// @return true if a distance was replaced because of the value for "unreachable".
template <class T>
bool complete_padded(const padded_matrices<T>& matrices, std::size_t i, std::size_t n) {
  const T no_path = matrices.no_path();
  // Distances from `limit` on, and those that equal `taken`, are replaced.
  const bool is_above = !is_nan(no_path) && T{} < no_path;
  const bool is_below = !is_nan(no_path) && no_path < T{};
  const T limit = is_above ? no_path : unreachable<T>;
  const T taken = is_below ? no_path : unreachable<T>;
  const std::size_t num_replaced = equals_unreachable(no_path) ? 0 : n;
  const matrix_view<T> all = matrices[i];
  bool any_hidden = false;
  for (std::size_t u = 0; u < n; ++u) {
    T* const row = all[u];
    // Without branches, so that it is compiled to vector instructions.
    for (std::size_t v = 0; v < num_replaced; ++v) {
      const bool has_no_path = equals_unreachable(row[v]);
      const bool is_hidden = !has_no_path && (!(row[v] < limit) || row[v] == taken);
      row[v] = has_no_path || is_hidden ? no_path : row[v];
      any_hidden = any_hidden || is_hidden;
    }
    std::fill(row + n, row + matrices.extent(), matrices.padding());
  }
  std::fill(all[n], all[matrices.extent()], matrices.padding());
  return any_hidden;
}

/// One call for many graphs on one backend.
/// @tparam Asked  `floyd_warshall` or `breadth_first_search`, which on a device are the same.
template <algorithm Asked, class Policy, class Backend, class Graphs, class Matrices>
class batch_call {
  using matrix_reference = decltype(std::declval<Matrices&>()[std::size_t{}]);
  using D = std::remove_reference_t<matrix_reference>;
  using Graph = std::remove_cvref_t<decltype(std::declval<const Graphs&>()[std::size_t{}])>;
  using T = matrix_value_t<D>;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr bool has_padding = is_padded<std::remove_cv_t<Matrices>>;
  static constexpr bool is_on_device = std::is_same_v<Backend, cuda_backend>;
  /// The type in which graphs are solved by calls of their own. Such calls are not compiled for
  /// narrow integers.
  static constexpr bool is_narrow = std::is_integral_v<T> && sizeof(T) < sizeof(std::int32_t);
  using whole = std::conditional_t<is_narrow, std::int32_t, T>;
  /// The type of the cutoff. A padded matrix takes the value for "unreachable" from every distance
  /// beyond a cutoff, also beyond one that T does not hold.
  using limit_type = std::conditional_t<has_padding, whole, T>;
  /// What a thread needs to solve small graphs.
  using workspace =
      std::conditional_t<Asked == algorithm::breadth_first_search,
                         host::small_search<cuda::small_graph_limit>, small_matrix<T>>;

  /// Properties of a graph that are known after its edges have been read.
  struct entry {
    std::size_t num_vertices = 0;
    weight_range<T> weights;
    std::size_t copy = none;  ///< The index of the copy to read instead of the graph.
    bool is_done = false;
  };

 public:
  batch_call(const Policy& policy, const Backend& backend, const Graphs& graphs, Matrices& matrices)
      : policy_(policy),
        backend_(backend),
        graphs_(graphs),
        matrices_(matrices),
        cutoff_(to_cutoff<limit_type>(policy.cutoff())),
        entries_(static_cast<std::size_t>(std::size(graphs))) {}

  std::vector<result> run() {
    check();
    copy_overwritten_graphs();
    result begun(backend_.name(), Asked);
    begun.set_num_devices(backend_.num_devices());
    results_.assign(entries_.size(), begun);
    backend_.watch().begin(entries_.size());
    sort_by_size();
    if constexpr (is_on_device) {
      solve_small_on_device();
    } else {
      solve_small_on_host();
    }
    for (const std::size_t i : alone_) solve_alone(i);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (!entries_[i].is_done) results_[i].set_stopped();
    }
    return std::move(results_);
  }

 private:
  template <class C>
  class exchange : public cuda::small_graph_exchange<C> {
   public:
    explicit exchange(batch_call& call) : call_(call) {}

    void list(const cuda::small_graph<C>& graph, cuda::small_arc<C>* arcs,
              std::size_t pitch) override {
      call_.list(graph, {arcs, graph.num_arcs}, pitch);
    }
    void fill(const cuda::small_graph<C>& graph, C* entries, std::size_t pitch) override {
      call_.fill(graph.index, graph.code, entries, pitch);
    }
    void take(const cuda::small_graph<C>& graph, C* entries, std::size_t pitch) override {
      distance_code<C> code = graph.code;
      code.unreachable_from = unreachable<C>;
      call_.take(graph.index, code, entries, pitch);
    }

   private:
    batch_call& call_;
  };

  /// The n rows and columns for the distances of graph @p i.
  decltype(auto) matrix_of(std::size_t i) const {
    if constexpr (has_padding) {
      const std::size_t n = entries_[i].num_vertices;
      const auto all = matrices_[i];
      return matrix_view<T>(all.data(), n, n, all.pitch());
    } else {
      return matrices_[i];
    }
  }

  /// The shape of the memory that is written for graph @p i.
  matrix_shape written_shape(std::size_t i) const {
    std::size_t extent = entries_[i].num_vertices;
    if constexpr (has_padding) extent = matrices_.extent();
    return {extent, extent};
  }

  /// Reads all graphs and writes nothing.
  /// @throws the exception of the first invalid graph.
  void check() {
    std::exception_ptr refusal;
    std::atomic<std::size_t> refused = none;
    std::mutex mutex;
    host::parallel_for(entries_.size(), backend_.host_threads(), [&](std::size_t i) {
      if (i > refused.load(std::memory_order_relaxed)) return;
      try {
        naming_graph(i, [&] { check(i); });
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < refused) {
          refused = i;
          refusal = std::current_exception();
        }
      }
    });
    if (refusal != nullptr) std::rethrow_exception(refusal);
  }

  void check(std::size_t i) {
    const auto& g = graphs_[i];
    const std::size_t n = check_graph<T>(g);
    if constexpr (has_padding) {
      if (n > matrices_.extent()) {
        throw std::invalid_argument("apsp: the graph has " + std::to_string(n) +
                                    " vertices, but the padded matrices have " +
                                    std::to_string(matrices_.extent()) + " rows and columns");
      }
    } else {
      matrix_reference distances = matrices_[i];
      require_shape(distances, n, n, "the distance matrix");
    }
    entry& e = entries_[i];
    e.num_vertices = n;
    e.weights = find_weight_range<T>(g, n, 1);
    if constexpr (Asked == algorithm::breadth_first_search) {
      // `largest` is at least 0, so a negative weight differs from it. Loops may have other
      // weights.
      if (e.weights.num_edges != 0 && e.weights.smallest != e.weights.largest) {
        require_equal_weights(make_adjacency<T>(erased_graph<T>(g), n, 1).view());
      }
    }
  }

  // A graph may overlap the distances of another graph, and is then copied. If it overlaps its own
  // distances, no copy is needed: its matrix is written after the last read of the graph.
  void copy_overwritten_graphs() {
    // The address of a temporary matrix returned by operator[] is meaningless.
    constexpr bool has_place =
        std::is_lvalue_reference_v<matrix_reference> || can_be_written_by_threads<D>;
    if constexpr (has_place && has_dense_entries<D>) {
      const memory_of_results results(matrices_, entries_.size(),
                                      [this](std::size_t i) { return written_shape(i); });
      results.check_are_apart();
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        const bool is_shared =
            any_array(graphs_[i], [&](const auto& array, const matrix_shape& shape) {
              return results.overlap(array, shape, i);
            });
        if (is_shared) refuse_shared_arrays();
      }
      if constexpr (has_dense_entries<Graph>) {
        for (std::size_t i = 0; i < entries_.size(); ++i) {
          const std::size_t n = entries_[i].num_vertices;
          if (n == 0 || !is_overwritten(i, results)) continue;
          entries_[i].copy = copies_.size();
          copies_.push_back(copy_dense<T>(graphs_[i], n));
        }
      }
    }
  }

  /// True if graph @p i shares memory with the result of another graph.
  template <class Results>
  bool is_overwritten(std::size_t i, const Results& results) const {
    using adaptor = graph_adaptor_t<Graph>;
    const auto& g = graphs_[i];
    if constexpr (requires { adaptor::dense_matrix(g); }) {
      const std::size_t n = entries_[i].num_vertices;
      return results.overlap(adaptor::dense_matrix(g), {n, n}, i);
    } else {
      const void* const entries = adaptor::dense_entries(g);
      return results.any_other(i, [&](const auto& other) {
        return graph_adaptor_t<D>::dense_entries(other) == entries;
      });
    }
  }

  /// Calls f with graph @p i, or with its copy.
  template <class F>
  void visit(std::size_t i, F f) const {
    if constexpr (has_dense_entries<D> && has_dense_entries<Graph>) {
      if (entries_[i].copy != none) return f(copies_[entries_[i].copy]);
    }
    f(graphs_[i]);
  }

  void sort_by_size() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const std::size_t n = entries_[i].num_vertices;
      if (n == 0) {
        finish(i);
      } else {
        (n <= cuda::small_graph_limit ? small_ : alone_).push_back(i);
      }
    }
  }

  void solve_small_on_host() {
    const std::size_t count = small_.size();
    // Small enough to keep all threads busy, large enough to amortize the distribution of work.
    constexpr std::size_t most_graphs_at_a_time = 16;
    const auto threads = static_cast<std::size_t>(host::thread_count(backend_.host_threads()));
    const std::size_t grain =
        std::clamp<std::size_t>(count / (8 * threads), 1, most_graphs_at_a_time);
    host::parallel_for_with_workspace(
        count, backend_.host_threads(), [] { return workspace(); },
        [&](workspace& room, std::size_t k) {
          if (backend_.watch().stop_requested()) return;
          if constexpr (Asked == algorithm::breadth_first_search) {
            search(room, small_[k]);
          } else {
            relax(room, small_[k]);
          }
        },
        grain);
  }

  /// Solves graph @p i by Floyd–Warshall on this thread.
  void relax(workspace& room, std::size_t i) {
    const entry& e = entries_[i];
    with_code(e.num_vertices, e.weights, [&]<class C>(const distance_code<C>& code) {
      const std::size_t strip = host::choose_tile_kernels<min_plus<C>>().strip_width;
      const std::size_t pitch = (e.num_vertices + strip - 1) / strip * strip;
      C* const entries = room.template entries<C>(e.num_vertices * pitch);
      fill(i, code, entries, pitch);
      close_on_host(entries, e.num_vertices, pitch, code);
      take(i, code, entries, pitch);
    });
  }

  void solve_small_on_device() {
    small_graphs_by_type<T> lists;
    for (const std::size_t i : small_) {
      if (!lists.add(i, entries_[i].num_vertices, entries_[i].weights)) alone_.push_back(i);
    }
    lists.for_each_type([&]<class C>(const std::vector<cuda::small_graph<C>>& list) {
      exchange<C> matrices(*this);
      cuda::solve_small_graphs<C>(backend_.target(), list, matrices, backend_.watch());
    });
  }

  /// Calls f with the edges of graph @p i.
  template <class C, class F>
  void with_source(std::size_t i, const distance_code<C>& code, F f) const {
    const entry& e = entries_[i];
    visit(i, [&](const auto& g) {
      const auto& arcs = erase_graph<T>(g);
      f(matrix_source<C, T, std::remove_cvref_t<decltype(arcs)>>(
          arcs, e.num_vertices, e.weights.num_edges, diagonal::zero, code, 1));
    });
  }

  template <class C>
  void list(const cuda::small_graph<C>& graph, std::span<cuda::small_arc<C>> arcs,
            std::size_t pitch) const {
    std::size_t count = 0;
    with_source(graph.index, graph.code, [&](const auto& source) {
      source.for_each_arc([&](std::size_t u, std::size_t v, const C& w) {
        if (count < arcs.size()) arcs[count++] = {w, static_cast<std::uint16_t>(u * pitch + v)};
      });
    });
    std::fill(arcs.begin() + static_cast<std::ptrdiff_t>(count), arcs.end(),
              cuda::small_arc<C>{graph.code.unreachable, 0});
  }

  template <class C>
  void fill(std::size_t i, const distance_code<C>& code, C* entries, std::size_t pitch) const {
    const std::size_t n = entries_[i].num_vertices;
    const small_rows<C> rows(entries, n, pitch);
    with_source(i, code, [&](const auto& source) { source.fill(rows.data(), false); });
    for (std::size_t u = 0; u < n; ++u) {
      std::fill(rows.data()[u] + n, rows.data()[u] + pitch, code.unreachable);
    }
  }

  /// Writes the relaxed matrix of graph @p i to the caller's matrix, or reports why it cannot.
  template <class C>
  void take(std::size_t i, const distance_code<C>& code, C* entries, std::size_t pitch) {
    const std::size_t n = entries_[i].num_vertices;
    for (std::size_t v = 0; v < n; ++v) {
      if (entries[v * pitch + v] < C{}) return search_negative_cycle(i);
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (may_round_below_zero(i, code, entries, pitch)) return leave_alone(i);
    }
    if (cutoff_) {
      const small_rows<C> rows(entries, n, pitch);
      forget_far_vertices<C>(rows.data(), nullptr, {n, n}, code, cutoff_, 1);
    }
    matrix_reference distances = matrix_of(i);
    results_[i].set_algorithm(algorithm::floyd_warshall);
    results_[i].set_computed(computed_in<C>(n, entries_[i].weights));
    results_[i].set_saturated(
        write_small_matrix(entries, n, pitch, code.unreachable_from, distances));
    finish(i);
  }

  /// True if rounding may have made a walk look shorter than a path.
  template <class C>
  bool may_round_below_zero(std::size_t i, const distance_code<C>& code, C* entries,
                            std::size_t pitch) const {
    const std::size_t n = entries_[i].num_vertices;
    const small_rows<C> rows(entries, n, pitch);
    const coded_sums<C, T> values(n, entries_[i].weights, diagonal::zero, request_of(policy_),
                                  code);
    bool may_round = false;
    visit(i, [&](const auto& g) {
      may_round = values.may_round_below_zero(erase_graph<T>(g),
                                              {rows.data(), nullptr, 1, {{0, n}, {0, n}}});
    });
    return may_round;
  }

  /// Solves graph @p i by breadth-first search on this thread.
  void search(workspace& room, std::size_t i) {
    const std::size_t n = entries_[i].num_vertices;
    bool has_arcs = false;
    T weight{};
    room.begin(n);
    visit(i, [&](const auto& g) {
      visit_edges(erased_graph<T>(g), 1, [&](std::size_t u, std::size_t v, const T& w) {
        if (equals_unreachable(w) || u == v) return;
        room.add_arc(u, v);
        weight = w;
        has_arcs = true;
      });
    });
    // The distances by number, as `small_search` counts.
    std::array<T, cuda::small_graph_limit + 1> lengths;
    lengths[0] = unreachable<T>;
    lengths[1] = T{};
    whole length{};
    std::size_t last = 1;
    std::size_t unfit = lengths.size();  // The first number of a length that does not fit.
    room.run([&] {
      if (!has_arcs || unfit == last || last + 1 == lengths.size()) return false;
      ++last;
      if constexpr (std::is_integral_v<T>) {
        // This does not wrap: a length that fits is below `unreachable`.
        const auto step = static_cast<whole>(weight);
        const bool is_below = length < static_cast<whole>(unreachable<whole> - step);
        length = is_below ? static_cast<whole>(length + step) : unreachable<whole>;
        if (!(length < static_cast<whole>(unreachable<T>))) unfit = last;
      } else {
        length = length + weight;
      }
      lengths[last] = unfit == last ? unreachable<T> : static_cast<T>(length);
      return !(cutoff_ && *cutoff_ < length);
    });
    matrix_reference distances = matrix_of(i);
    bool is_cut = false;
    for (std::size_t u = 0; u < n; ++u) {
      const auto write = [&](auto entry_of) {
        room.for_each_number(u, [&](std::size_t v, std::size_t number) {
          is_cut = is_cut || number == unfit;
          entry_of(v) = lengths[number];
        });
      };
      if (T* const row = contiguous_row<T>(distances, u)) {
        write([&](std::size_t v) -> T& { return row[v]; });
      } else {
        write([&](std::size_t v) -> decltype(auto) { return matrix_entry(distances, u, v); });
      }
    }
    results_[i].set_saturated(is_cut);
    finish(i);
  }

  void search_negative_cycle(std::size_t i) {
    const entry& e = entries_[i];
    cycle_search_result<walk_sum_t<T>> found;
    visit(i, [&](const auto& g) {
      negative_cycle_search<T> search(e.num_vertices,
                                      collect_arcs<T>(erase_graph<T>(g), e.weights.num_edges));
      found = search.run([&] { return backend_.watch().stop_requested(); });
    });
    if (backend_.watch().stop_requested()) return;
    // Only rounding made a diagonal entry negative: the call for a single graph handles that.
    if (std::is_floating_point_v<T> && found.cycle.empty()) return leave_alone(i);
    results_[i].set_negative_cycle(std::move(found.cycle));
    finish(i);
  }

  void leave_alone(std::size_t i) {
    const std::lock_guard lock(alone_mutex_);
    alone_.push_back(i);
  }

  void solve_alone(std::size_t i) {
    if (backend_.watch().stop_requested()) return;
    visit(i, [&](const auto& g) {
      solve_whole(i, [&](auto& distances) {
        no_predecessors nothing;
        if constexpr (Asked == algorithm::breadth_first_search && !is_on_device) {
          every_vertex sources;
          return per_source_matrix<Asked>(whole_policy(), graph_of_whole(g), sources, distances,
                                          nothing, min_plus<whole>{});
        } else {
          return detail::floyd_warshall(whole_policy(), graph_of_whole(g), distances, nothing,
                                        min_plus<whole>{});
        }
      });
    });
    if (!results_[i].stopped()) finish(i);
  }

  /// Solves graph @p i by @p solve, a call for one graph and a matrix of type `whole`.
  template <class Solve>
  void solve_whole(std::size_t i, Solve solve) {
    matrix_reference distances = matrix_of(i);
    if constexpr (is_narrow) {
      const std::size_t n = entries_[i].num_vertices;
      matrix<whole> wide(n);
      result done = solve(wide);
      if (done) {
        const bool is_cut = write_small_matrix(wide.data(), n, n, unreachable<whole>, distances);
        done.set_saturated(is_cut || done.saturated());
      }
      // nvcc reports the assignment itself as an ignored result.
      static_cast<void>(results_[i] = std::move(done));
    } else {
      static_cast<void>(results_[i] = solve(distances));
    }
  }

  /// The policy of a call for one graph.
  auto whole_policy() const {
    const auto quiet = without_progress(policy_);
    if constexpr (is_narrow) {
      // Without padding, a cutoff beyond the range of T has no effect.
      return quiet.cutoff(cutoff_ ? static_cast<long double>(*cutoff_)
                                  : std::numeric_limits<long double>::infinity());
    } else {
      return quiet;
    }
  }

  /// A graph for that call. A weight that counts as `unreachable` in T must do so there.
  template <class G>
  static decltype(auto) graph_of_whole(const G& g) {
    if constexpr (is_narrow) {
      return erased_graph<T>(g);
    } else {
      return (g);
    }
  }

  void finish(std::size_t i) {
    entries_[i].is_done = true;
    if constexpr (has_padding) {
      if (results_[i] && complete_padded(matrices_, i, entries_[i].num_vertices)) {
        results_[i].set_saturated(true);
      }
    }
    backend_.watch().advance(1);
  }

  const Policy& policy_;
  const Backend& backend_;
  const Graphs& graphs_;
  Matrices& matrices_;
  std::optional<limit_type> cutoff_;
  std::vector<entry> entries_;
  std::vector<matrix<T>> copies_;
  std::vector<result> results_;
  std::vector<std::size_t> small_;
  std::vector<std::size_t> alone_;  ///< Graphs to be solved by calls of their own.
  std::mutex alone_mutex_;
};

/// Checks everything that can be checked before the first entry is written, then runs.
template <algorithm Asked, class Policy, class Graphs, class Matrices>
std::vector<result> solve_batch(const Policy& policy, const Graphs& graphs, Matrices& matrices) {
  using T = matrix_value_t<decltype(matrices[std::size_t{}])>;
  const auto num_graphs = static_cast<std::size_t>(std::size(graphs));
  const auto num_matrices = static_cast<std::size_t>(std::size(matrices));
  if (num_graphs != num_matrices) {
    throw std::invalid_argument("apsp: " + std::to_string(num_graphs) + " graphs, but " +
                                std::to_string(num_matrices) + " distance matrices");
  }
  if constexpr (lie_in_device_memory<decltype(graphs[std::size_t{}]),
                                     decltype(matrices[std::size_t{}])>) {
    return solve_batch_in_device_memory<Asked>(policy, graphs, matrices);
  } else {
    std::vector<result> results;
    const result summary = on_backend<T>(policy, [&](const auto& backend) {
      using call =
          batch_call<Asked, Policy, std::remove_cvref_t<decltype(backend)>, Graphs, Matrices>;
      results = call(policy, backend, graphs, matrices).run();
      return result(backend.name(), Asked);
    });
    if (!summary.fallback_reason().empty()) {
      for (result& done : results) done.set_fallback_reason(summary.fallback_reason());
    }
    return results;
  }
}

}  // namespace apsp::inline v1::detail

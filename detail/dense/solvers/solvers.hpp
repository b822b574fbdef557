// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../call/backend.hpp"
#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../host/untouched_buffer.hpp"
#include "../../plan/closure_plan.hpp"
#include "../../values/computed_type.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/kernel_semirings.hpp"
#include "../checkpoints/checkpoint.hpp"
#include "../closures/cuda/closure_solver.hpp"
#include "../closures/host/floyd_warshall.hpp"
#include "../closures/host/narrow_floyd_warshall.hpp"
#include "../closures/host/repeated_squaring.hpp"
#include "../divided/cuda/row_solver.hpp"
#include "../matrix/host/symmetric_rows.hpp"
#include "../predecessors/host/tight_arcs.hpp"
#include "../problem/arc.hpp"
#include "../problem/problem.hpp"
#include "../products/cuda/product_solver.hpp"
#include "../products/host/product.hpp"
#include "../proofs/arc_proofs.hpp"

// The solvers of dense problems, one for each backend, with a common interface.
namespace apsp::inline v1::detail {

/// Closes a matrix over semiring S.
template <class Backend, class S>
class closure_solver;

/// True if the backend has a closure solver over S.
template <class Backend, class S>
inline constexpr bool has_closure = true;
template <class S>
inline constexpr bool has_closure<cuda_backend, S> = has_cuda_kernels<S>;

/// Multiplies two matrices over semiring S.
template <class Backend, class S>
class product_solver;

/// The arcs of a graph in the order of their sources. For few arcs, a list is smaller than the
/// matrix.
template <class T>
class arc_list {
 public:
  /// @param transposed  the arcs are reversed, but remain in this order.
  template <class Source>
  arc_list(const Source& source, std::size_t num_vertices, bool transposed) {
    std::vector<std::size_t> ends(num_vertices);
    source.for_each_arc([&](std::size_t u, std::size_t, const T&) { ++ends[u]; });
    for (std::size_t& end : ends) end = std::exchange(size_, size_ + end);
    arcs_ = host::untouched_buffer<cuda::arc<T>>(size_);
    source.for_each_arc([&](std::size_t u, std::size_t v, const T& w) {
      cuda::arc<T>& arc = arcs_.data()[ends[u]++];
      if (transposed) std::swap(u, v);
      arc = {static_cast<std::int32_t>(u), static_cast<std::int32_t>(v), w};
    });
  }

  std::span<const cuda::arc<T>> view() const { return {arcs_.data(), size_}; }

 private:
  std::size_t size_ = 0;
  host::untouched_buffer<cuda::arc<T>> arcs_;
};

/// Finds the predecessors of a sparse graph from its arcs when the distances are final, on the
/// host.
template <class S>
class predecessors_by_arcs {
  using T = typename S::value_type;
  static constexpr bool may_search = is_min_plus<S> && std::is_arithmetic_v<T>;

 public:
  /// @return true if the graph has few enough arcs, all of positive weight.
  template <class Source>
  bool prepare(const Source& source, std::size_t num_vertices, int threads) {
    if constexpr (may_search) {
      if (source.is_sparse() && source.num_edges() <= most_searched_arcs(num_vertices)) {
        const arc_list<T> arcs(source, num_vertices, false);
        search_ = host::tight_arc_search<T>::of(arcs.view(), num_vertices, threads);
      }
    }
    return is_prepared();
  }
  bool is_prepared() const {
    if constexpr (may_search) return search_.has_value();
    return false;
  }
  /// Call once: the memory is released at the end.
  /// @return false if the monitor of the call requested a stop.
  bool find(const closure_problem<S>& problem, monitor& watch) {
    bool finished = true;
    if constexpr (may_search) {
      finished = search_->find_predecessors(problem, watch);
      rows_in_doubt_ = std::move(search_->rows_in_doubt());
      search_.reset();
    }
    return finished;
  }
  /// For every row, whether its predecessors may form a cycle; nothing if that is unknown.
  std::optional<std::vector<char>> rows_in_doubt() { return std::move(rows_in_doubt_); }

 private:
  std::conditional_t<may_search, std::optional<host::tight_arc_search<T>>, std::monostate> search_;
  std::optional<std::vector<char>> rows_in_doubt_;
};

/// Writes the matrix of a graph to the rows, unless those of a checkpoint are resumed.
template <class S, class Source>
void fill_rows(const closure_problem<S>& problem, const Source& source, bool transposed) {
  if (problem.files == nullptr || !problem.files->read_rows()) {
    source.fill(problem.distances, transposed);
  }
}

template <class S>
bool has_negative_entry_on_diagonal(const closure_problem<S>& problem) {
  for (std::size_t v = 0; v < problem.num_vertices; ++v) {
    if (problem.distances[v][v] < typename S::value_type{}) return true;
  }
  return false;
}

template <class S>
class closure_solver<host_backend, S> {
  using T = typename S::value_type;

 public:
  /// True if `replace_from` replaces the distances; false if the code that reads the distances next
  /// has to replace them.
  static constexpr bool replaces() { return false; }

  closure_solver(const host_backend& backend, closure_method method,
                 const closure_problem<S>& problem, memory_state)
      : threads_(backend.host_threads()),
        watch_(backend.watch()),
        problem_(problem),
        of_distances_(problem) {
    of_distances_.predecessors = nullptr;
    if (method == closure_method::repeated_squaring) {
      squarings_.emplace(problem);
    } else if (problem.predecessors != nullptr) {
      tiles_.emplace(problem, threads_);
    } else {
      compute_distances();
    }
  }

  /// @param transposed  the rows are the columns of the matrix.
  template <class Source>
  void load(const Source& source, bool transposed) {
    if (tiles_ && problem_.predecessors != nullptr &&
        by_arcs_.prepare(source, problem_.num_vertices, threads_)) {
      compute_distances();
    } else if (problem_.predecessors != nullptr && problem_.files != nullptr) {
      throw std::invalid_argument(
          "apsp: with checkpoint or resume, floyd_warshall finds predecessors only for sparse "
          "graphs whose weights are positive, got another graph");
    }
    fill_rows(problem_, source, transposed);
    if (problem_.predecessors == nullptr || by_arcs_.is_prepared()) return;
    for_each_entry([&](std::size_t u, std::size_t v) {
      const bool is_arc = u != v && !(problem_.distances[u][v] == problem_.zero);
      problem_.predecessors[u][v] = is_arc ? static_cast<std::int32_t>(u) : -1;
    });
  }

  /// Call once: the memory is released at the end.
  /// @return false if the monitor of the call requested a stop; the entries are then unspecified.
  bool solve() {
    bool finished = squarings_ ? solve_by_squaring() : solve_by_tiles();
    if (finished && by_arcs_.is_prepared()) finished = by_arcs_.find(problem_, watch_);
    squarings_.reset();
    tiles_.reset();
    if constexpr (has_narrower_type) narrower_.reset();
    return finished;
  }

  bool used_symmetry() const { return used_symmetry_; }

  std::size_t num_devices() const { return 0; }
  bool is_out_of_core() const { return false; }

  bool has_negative_diagonal() const { return has_negative_entry_on_diagonal(problem_); }

  /// Entries >= @p threshold become @p value and lose their predecessors: arcs of negative weight
  /// may have shortened a path over missing arcs, and recorded predecessors for it.
  void replace_from(const T& threshold, const T& /*value*/) {
    if (problem_.predecessors == nullptr) return;
    for_each_entry([&](std::size_t u, std::size_t v) {
      if (problem_.distances[u][v] >= threshold) problem_.predecessors[u][v] = -1;
    });
  }

  void store() {}

  std::optional<std::vector<char>> rows_in_doubt() { return by_arcs_.rows_in_doubt(); }

 private:
  static constexpr bool has_narrower_type = is_min_plus<S> && has_compiled_kernels<T>;

  /// Prepares a solve that records no predecessors.
  void compute_distances() {
    tiles_.emplace(of_distances_, threads_);
    if constexpr (has_narrower_type) {
      if (problem_.files == nullptr &&
          host::narrow_floyd_warshall<T>::pays(of_distances_.num_vertices)) {
        narrower_.emplace(of_distances_, threads_);
      }
    }
  }

  bool solve_by_squaring() {
    const bool finished = squarings_->solve(threads_, watch_);
    used_symmetry_ = squarings_->used_symmetry();
    return finished;
  }

  bool solve_by_tiles() {
    if constexpr (has_narrower_type) {
      if (narrower_) {
        if (const auto finished = narrower_->solve(watch_)) {
          watch_.note_type("int16", bounded_distances);
          used_symmetry_ = narrower_->used_symmetry();
          return *finished;
        }
      }
    }
    const bool finished = tiles_->solve(watch_);
    used_symmetry_ = tiles_->used_symmetry();
    return finished;
  }

  template <class F>
  void for_each_entry(F f) const {
    host::parallel_for(problem_.num_vertices, threads_, [&](std::size_t u) {
      for (std::size_t v = 0; v < problem_.num_vertices; ++v) f(u, v);
    });
  }

  int threads_;
  monitor& watch_;
  const closure_problem<S>& problem_;
  closure_problem<S> of_distances_;  ///< the same without predecessors
  bool used_symmetry_ = false;
  // Constructed before the first entry is written: a failed allocation leaves the results
  // untouched.
  std::optional<host::floyd_warshall_solver<S>> tiles_;
  std::conditional_t<has_narrower_type, std::optional<host::narrow_floyd_warshall<T>>,
                     std::monostate>
      narrower_;
  std::optional<host::squaring_solver<S>> squarings_;
  predecessors_by_arcs<S> by_arcs_;
};

template <class S>
class product_solver<host_backend, S> {
  using T = typename S::value_type;

 public:
  static constexpr bool replaces = true;

  product_solver(const host_backend& backend, const host::product_problem<S>& problem,
                 const T& /*zero*/)
      : threads_(backend.host_threads()), watch_(backend.watch()), problem_(problem) {}

  bool solve() { return host::product_solver<S>(problem_).solve(threads_, watch_); }
  /// Entries of the result >= @p threshold become @p value.
  void replace_from(const T& threshold, const T& value) {
    host::parallel_for(problem_.rows, threads_, [&](std::size_t i) {
      for (std::size_t j = 0; j < problem_.columns; ++j) {
        T& entry = problem_.c[i][j];
        entry = entry >= threshold ? value : entry;
      }
    });
  }
  void store() {}

 private:
  int threads_;
  monitor& watch_;
  const host::product_problem<S>& problem_;
};

/// Loads a graph in host memory: a sparse one as a list of arcs, otherwise its matrix.
/// @param with_rows  `with_rows(fill)` calls fill(rows) with n rows for the matrix; they are read
///                   before it returns.
template <class S, class Source, class WithRows, class T = typename S::value_type>
void load_from_host(cuda::closure_solver<S>& solver, const Source& source, const T& zero,
                    bool transposed, WithRows with_rows) {
  if constexpr (is_min_plus<S>) {
    if (source.is_sparse()) {
      const arc_list<T> arcs(source, source.num_vertices(), transposed);
      return solver.load(arcs.view(), zero);
    }
  }
  with_rows([&](T* const* rows) {
    source.fill(rows, transposed);
    solver.load(rows, zero);
  });
}

template <class S>
class closure_solver<cuda_backend, S> {
  using T = typename S::value_type;

 public:
  closure_solver(const cuda_backend& backend, closure_method method,
                 const closure_problem<S>& problem, memory_state memory)
      : target_(backend.target()), watch_(backend.watch()), problem_(problem) {
    closure_facts facts;
    facts.has_several_devices = target_.has_several_devices();
    facts.may_divide =
        method == closure_method::floyd_warshall && target_.kernels == backend::cuda_tiled;
    facts.must_pass = problem.files != nullptr;
    facts.in_core = target_.in_core;
    facts.memory = memory;
    if (facts.must_pass) check_checkpoints(facts);
    count_memory(facts, method);
    const matrix_place place = plan_closure(facts);
    if (place == matrix_place::whole) {
      whole_->allocate(*facts.whole, memory);
    } else {
      whole_.reset();
      rows_.emplace(target_, problem.semiring, problem.num_vertices, place);
    }
  }

  /// On one device this takes one pass at memory bandwidth.
  bool replaces() const { return whole_.has_value(); }

  template <class Source>
  void load(const Source& source, bool transposed) {
    if (whole_) {
      return load_from_host(*whole_, source, problem_.zero, transposed,
                            [this](auto fill) { fill(problem_.distances); });
    }
    if (problem_.predecessors != nullptr &&
        !by_arcs_.prepare(source, problem_.num_vertices, all_threads)) {
      throw no_kernels(
          "on several devices, out of core and with checkpoints, floyd_warshall finds predecessors "
          "only for sparse graphs whose weights are positive");
    }
    if constexpr (is_min_plus<S>) {
      if (rows_->places_arcs() && source.is_sparse()) {
        arcs_.emplace(source, problem_.num_vertices, transposed);
        return;
      }
    }
    fill_rows(problem_, source, transposed);
  }

  bool solve() {
    if (whole_) {
      whole_->expect_store();
      return whole_->solve(problem_.floor, problem_.longest_path, problem_.may_use_symmetry,
                           watch_);
    }
    cuda::row_problem<T> rows{.rows = problem_.distances,
                              .zero = problem_.zero,
                              .floor = problem_.floor,
                              .files = problem_.files};
    if (arcs_) rows.arcs = arcs_->view();
    rows.known.nonnegative = !problem_.has_negative_weight;
    rows.known.fits_16_bits = may_relax_pairs();
    if (rows.known.fits_16_bits) watch_.note_type("int16", bounded_distances);
    rows.known.symmetric = used_symmetry_ = is_symmetric();
    return rows_->solve(rows, watch_) &&
           (!by_arcs_.is_prepared() || by_arcs_.find(problem_, watch_));
  }
  bool used_symmetry() const { return whole_ ? whole_->used_symmetry() : used_symmetry_; }
  std::size_t num_devices() const { return whole_ ? 1 : rows_->num_devices(); }
  bool is_out_of_core() const { return rows_ && rows_->is_out_of_core(); }
  bool has_negative_diagonal() {
    return whole_ ? whole_->has_negative_diagonal() : has_negative_entry_on_diagonal(problem_);
  }
  void replace_from(const T& threshold, const T& value) {
    if (whole_) whole_->replace_from(threshold, value);
  }
  void store() {
    if (whole_) whole_->store(problem_.distances, problem_.predecessors);
  }
  std::optional<std::vector<char>> rows_in_doubt() {
    return whole_ ? whole_->rows_in_doubt() : by_arcs_.rows_in_doubt();
  }

 private:
  static constexpr int all_threads = 0;

  /// True if the rows may be relaxed in 16 bits.
  bool may_relax_pairs() const {
    if constexpr (is_min_plus<S> && has_compiled_kernels<T>) {
      if (problem_.has_negative_weight || !rows_->may_relax_pairs()) return false;
      if (arcs_) return prove_short_distances(arcs_->view(), problem_.num_vertices, watch_);
      return host::narrow_floyd_warshall<T>::are_short(problem_, all_threads, watch_);
    }
    return false;
  }

  /// True if half of the matrix may be relaxed.
  bool is_symmetric() const {
    if (!problem_.may_use_symmetry || !rows_->may_use_symmetry()) return false;
    if constexpr (is_min_plus<S>) {
      // Two opposite arcs of negative weight are a negative cycle.
      if (problem_.has_negative_weight) return false;
      if (arcs_) return prove_symmetry(arcs_->view(), problem_.num_vertices, all_threads);
    }
    constexpr std::size_t tile = 128;
    return host::is_symmetric(problem_, tile, all_threads);
  }

  /// Checkpoints are copied from rows that pass.
  static void check_checkpoints(const closure_facts& facts) {
    if (!facts.may_divide) throw no_kernels("cuda_naive keeps no checkpoints; cuda_tiled does");
    if (facts.in_core) {
      throw std::invalid_argument(
          "apsp: with checkpoint or resume, rows pass through the device; expected no in_core");
    }
  }

  void count_memory(closure_facts& facts, closure_method method) {
    if (facts.must_pass) return;
    if (facts.may_divide && facts.has_several_devices) {
      using rows = cuda::row_solver<S>;
      facts.divided = rows::need_of_rows(target_, problem_.num_vertices, false);
      facts.divided_upper = rows::need_of_rows(target_, problem_.num_vertices, true);
      return;
    }
    whole_.emplace(target_, method, problem_.semiring, problem_.num_vertices,
                   problem_.predecessors != nullptr);
    facts.whole = whole_->need();
  }

  const cuda::launch_target& target_;
  monitor& watch_;
  const closure_problem<S>& problem_;
  // Either the matrix is in the memory of one device, or its rows are divided.
  std::optional<cuda::closure_solver<S>> whole_;
  std::optional<cuda::row_solver<S>> rows_;  ///< on several devices, out of core, with checkpoints
  std::optional<arc_list<T>> arcs_;          ///< that `rows_` places
  bool used_symmetry_ = false;               ///< by `rows_`
  predecessors_by_arcs<S> by_arcs_;
};

template <class S>
class product_solver<cuda_backend, S> {
  using T = typename S::value_type;

 public:
  static constexpr bool replaces = true;

  product_solver(const cuda_backend& backend, const host::product_problem<S>& problem,
                 const T& zero)
      : watch_(backend.watch()), solver_(backend.target(), problem, zero) {}

  bool solve() { return solver_.solve(watch_); }
  bool found_nan() const { return solver_.found_nan(); }
  void replace_from(const T& threshold, const T& value) { solver_.replace_from(threshold, value); }
  void store() { solver_.store(); }

 private:
  monitor& watch_;
  cuda::product_solver<S> solver_;
};

}  // namespace apsp::inline v1::detail

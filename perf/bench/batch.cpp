// SPDX-License-Identifier: BSL-1.0
// Cases batch/policy/type/kind/n: one call for many small graphs; batch_resident: the same with all
// data in device memory; batch_loop: single calls. Cases molecules/call/policy: the numbers of arcs
// between the vertices of unweighted graphs, as graph transformers take them.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/checks.hpp"
#include "../rivals/boost_searches.hpp"
#include "cases.hpp"

namespace bench {

namespace {

constexpr std::size_t arcs_per_vertex = 4;
constexpr std::int32_t heaviest = 999;
// The number of graphs for which the loop of single calls is measured; its time is proportional to
// it.
constexpr std::size_t most_singles = 500;

template <class W>
struct graphs {
  std::vector<apsp_perf::csr_arrays<W>> arrays;
  std::vector<decltype(std::declval<const apsp_perf::csr_arrays<W>&>().view())> sparse;
  std::vector<apsp::matrix<W>> dense;
  std::vector<apsp::matrix<W>> distances;

  explicit graphs(std::size_t n) {
    const std::size_t count = n <= 128 ? 10000 : 1000;
    for (std::size_t i = 0; i < count; ++i) {
      arrays.push_back(
          apsp_perf::fixed_degree_graph<W>(n, arcs_per_vertex, heaviest, options().seed + i));
    }
    for (const auto& g : arrays) {
      sparse.push_back(g.view());
      dense.emplace_back(n, n, apsp::unreachable<W>);
      apsp_perf::store_arcs(g, dense.back());
    }
    distances.assign(count, apsp::matrix<W>(n));
  }

  void overwrite() {
    for (auto& d : distances) std::fill(d.begin(), d.end(), static_cast<W>(-1));
  }
};

/// The same graphs and their distances in device memory, the matrices as slices of one array.
template <class W>
class resident_graphs {
 public:
  explicit resident_graphs(const graphs<W>& g)
      : n_(g.arrays.front().num_vertices()),
        offsets_(joined<std::int64_t>(g, &apsp_perf::csr_arrays<W>::offsets)),
        targets_(joined<std::int32_t>(g, &apsp_perf::csr_arrays<W>::targets)),
        weights_(joined<W>(g, &apsp_perf::csr_arrays<W>::weights)),
        dense_(g.dense.size() * n_, n_),
        distances_(g.dense.size() * n_, n_) {
    std::size_t first_offset = 0;
    std::size_t first_arc = 0;
    for (std::size_t i = 0; i < g.arrays.size(); ++i) {
      const std::size_t m = g.arrays[i].num_edges();
      sparse.push_back({{offsets_.data() + first_offset, n_ + 1},
                        {targets_.data() + first_arc, m},
                        {weights_.data() + first_arc, m}});
      first_offset += n_ + 1;
      first_arc += m;
      const apsp::device_matrix_view<W> matrix(dense_.data() + i * n_ * n_, n_, n_);
      apsp::copy_to_device(g.dense[i], matrix);
      dense.emplace_back(matrix);
      distances.emplace_back(distances_.data() + i * n_ * n_, n_, n_);
    }
  }

  void overwrite() { distances_.assign(apsp::matrix<W>(distances_.rows(), n_, W(-1))); }
  void copy_to(std::vector<apsp::matrix<W>>& on_host) const {
    for (std::size_t i = 0; i < on_host.size(); ++i) on_host[i] = apsp::copy_to_host(distances[i]);
  }

 private:
  template <class X>
  static apsp::device_matrix<X> joined(const graphs<W>& g,
                                       std::vector<X> apsp_perf::csr_arrays<W>::*array) {
    std::size_t size = 0;
    for (const auto& arrays : g.arrays) size += (arrays.*array).size();
    apsp::matrix<X> row(1, size);
    auto end = row.begin();
    for (const auto& arrays : g.arrays) {
      end = std::copy((arrays.*array).begin(), (arrays.*array).end(), end);
    }
    return apsp::device_matrix<X>(row);
  }

  std::size_t n_;
  apsp::device_matrix<std::int64_t> offsets_;
  apsp::device_matrix<std::int32_t> targets_;
  apsp::device_matrix<W> weights_;
  apsp::device_matrix<W> dense_;
  apsp::device_matrix<W> distances_;

 public:
  std::vector<apsp::device_csr_view<std::int64_t, std::int32_t, W>> sparse;
  std::vector<apsp::device_matrix_view<const W>> dense;
  std::vector<apsp::device_matrix_view<W>> distances;
};

/// How the graphs are solved: in one call, with all data in host or device memory, or in single
/// calls.
enum class way { together, resident, in_a_loop };

template <class W, class Inputs>
outcome run(const std::string& policy_name, way how, graphs<W>& g, const Inputs& inputs,
            bool is_dense) {
  const bool in_a_loop = how == way::in_a_loop;
  std::optional<resident_graphs<W>> resident;
  if (how == way::resident) resident.emplace(g);
  const std::size_t singles = std::min(most_singles, inputs.size());
  return device_program::with_policy(policy_name, [&](const auto& policy) {
    const auto solve_single = [&](std::size_t i, apsp::matrix<W>& distances) {
      device_program::require_solved(apsp::floyd_warshall(policy, inputs[i], distances),
                                     policy_name);
    };
    const auto solve_in_a_loop = [&] {
      return timing::seconds_of([&] {
        for (std::size_t i = 0; i < singles; ++i) solve_single(i, g.distances[i]);
      });
    };
    const auto solve_together = [&] {
      const auto [done, seconds] =
          timing::timed([&] { return apsp::floyd_warshall(policy, inputs, g.distances); });
      for (const auto& d : done) device_program::require_solved(d, policy_name);
      return seconds;
    };
    const auto solve_resident = [&]() -> double {
      if constexpr (requires { policy.required(); }) {
        const auto [done, seconds] = timing::timed([&] {
          auto results = is_dense
                             ? apsp::floyd_warshall(policy, resident->dense, resident->distances)
                             : apsp::floyd_warshall(policy, resident->sparse, resident->distances);
          // A copy on the same stream waits for the result.
          static_cast<void>(apsp::copy_to_host(
              apsp::device_matrix_view(resident->distances.front().data(), 1, 1)));
          return results;
        });
        for (const auto& d : done) device_program::require_solved(d, policy_name);
        return seconds;
      }
      throw std::logic_error("no case has data on a device with the policy of a host");
    };
    const std::size_t solved = in_a_loop ? singles : inputs.size();
    using timed_call = std::function<double()>;
    outcome o = measure({.call = in_a_loop  ? timed_call(solve_in_a_loop)
                                 : resident ? timed_call(solve_resident)
                                            : solve_together,
                         .unit = "graphs",
                         .work = static_cast<double>(solved),
                         .prepare = [&] {
                           if (resident) return resident->overwrite();
                           g.overwrite();
                         }});
    if (resident) resident->copy_to(g.distances);
    const std::size_t n = g.arrays.front().num_vertices();
    const double size = static_cast<double>(n);
    o.counters["relaxations/s"] = size * size * size * o.work / timing::upper_median(o.seconds);
    for (std::size_t i = 0; options().check > 0 && i < solved; i += solved / 16) {
      const checks::known_rows known(g.arrays[i], n);
      require(known.check(checks::spread_sources(n, n), g.distances[i]) == checks::verdict::right,
              "wrong distances");
    }
    apsp::matrix<W> single(n);
    for (std::size_t i = 0; !in_a_loop && i < singles; ++i) {
      solve_single(i, single);
      require(single == g.distances[i], "a batch and a single call that differ");
    }
    return o;
  });
}

template <class W>
void add_batches_of(const std::string& type) {
  for (const std::size_t n : sizes_or({16, 32, 64, 128, 256})) {
    for (const bool is_dense : {false, true}) {
      const std::string suffix = (is_dense ? "/dense/" : "/sparse/") + std::to_string(n);
      for (const std::string& policy : policies()) {
        const auto add_case = [&](way how) {
          const std::string problem_name = '/' + policy + '/' + type + suffix;
          const char* const family = how == way::in_a_loop  ? "batch_loop"
                                     : how == way::resident ? "batch_resident"
                                                            : "batch";
          std::vector<rival> rivals{{"x_loop", "batch_loop" + problem_name},
                                    {"x_seq_loop", "batch_loop/seq/" + type + suffix}};
          if (how == way::resident) rivals.push_back({"x_batch", "batch" + problem_name});
          add(family + problem_name, rivals, [=] {
            auto& g = shared_problem("batch/" + type + '/' + std::to_string(n),
                                     [&] { return graphs<W>(n); });
            return is_dense ? run(policy, how, g, g.dense, is_dense)
                            : run(policy, how, g, g.sparse, is_dense);
          });
        };
        add_case(way::in_a_loop);
        add_case(way::together);
        if (device_program::needs_device(policy)) add_case(way::resident);
      }
    }
  }
}

/// Trees of 20 to 40 vertices with a few rings of six.
struct molecules {
  static constexpr std::size_t extent = 40;
  static constexpr std::uint8_t no_path = 255;

  std::vector<apsp_perf::csr_arrays<std::int32_t>> arrays;
  std::vector<decltype(std::declval<const apsp_perf::csr_arrays<std::int32_t>&>().view())> graphs;
  std::vector<boost_solvers::csr_graph<std::int32_t>> boost_graphs;
  std::vector<apsp::matrix<std::int32_t>> matrices;
  std::vector<std::uint8_t> padded;
  std::vector<std::uint8_t> expected;

  molecules() {
    constexpr std::size_t count = 10000;
    apsp_perf::random_numbers random(options().seed);
    for (std::size_t i = 0; i < count; ++i) arrays.push_back(make(random));
    for (const auto& g : arrays) {
      graphs.push_back(g.view());
      boost_graphs.push_back(boost_solvers::make_csr(g));
      matrices.emplace_back(g.num_vertices());
    }
    padded.resize(count * extent * extent);
    solve_by_boost();
    expected = padded;
  }

  static apsp_perf::csr_arrays<std::int32_t> make(apsp_perf::random_numbers& random) {
    constexpr std::size_t most_neighbors = 4;
    constexpr std::size_t ring = 6;
    const auto n = static_cast<std::size_t>(random(extent / 2, extent));
    std::vector<std::vector<std::size_t>> neighbors(n);
    const auto connect = [&](std::size_t u, std::size_t v) {
      neighbors[u].push_back(v);
      neighbors[v].push_back(u);
    };
    for (std::size_t v = 1; v < n; ++v) {
      std::size_t u = v - 1 - random.index(std::min(v, most_neighbors));
      while (neighbors[u].size() == most_neighbors) ++u;
      connect(u, v);
      if (v + 1 > ring && random.below(10) == 0) connect(v - ring + 1, v);
    }
    apsp_perf::csr_arrays<std::int32_t> g;
    for (const auto& ends : neighbors) {
      for (const std::size_t v : ends) g.add(v, 1);
      g.end_row();
    }
    return g;
  }

  void overwrite() { std::fill(padded.begin(), padded.end(), std::uint8_t{77}); }

  void solve_by_boost() {
    std::fill(padded.begin(), padded.end(), no_path);
    std::vector<boost::default_color_type> colors;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const std::size_t n = arrays[i].num_vertices();
      colors.resize(n);
      for (std::size_t u = 0; u < n; ++u) {
        boost_solvers::breadth_first_search(boost_graphs[i], u,
                                            padded.data() + (i * extent + u) * extent, colors);
      }
    }
  }
};

outcome run_molecules(const std::string& call, const std::string& policy_name) {
  auto& m = shared_problem("molecules", [] { return molecules(); });
  return device_program::with_policy(policy_name, [&](const auto& policy) {
    const apsp::padded_matrices padded(m.padded.data(), m.arrays.size(), molecules::extent,
                                       molecules::no_path);
    std::vector<apsp::result> done;
    const auto solve = [&] {
      if (call == "boost") {
        m.solve_by_boost();
      } else if (call == "matrices") {
        done = apsp::floyd_warshall(policy, m.graphs, m.matrices);
      } else if (call == "floyd_warshall") {
        done = apsp::floyd_warshall(policy, m.graphs, padded);
      } else {
        done = apsp::breadth_first_search(policy, m.graphs, padded);
      }
    };
    outcome o = measure({.call = [&] { return timing::seconds_of(solve); },
                         .unit = "graphs",
                         .work = static_cast<double>(m.arrays.size()),
                         .prepare = [&] { m.overwrite(); }});
    for (const auto& d : done) device_program::require_solved(d, policy_name);
    require(call == "matrices" || m.padded == m.expected, "distances that differ from Boost's");
    return o;
  });
}

void add_molecules() {
  add("molecules/boost/seq", {}, [] { return run_molecules("boost", "seq"); });
  for (const std::string& policy : policies()) {
    for (const std::string call : {"matrices", "floyd_warshall", "breadth_first_search"}) {
      add("molecules/" + call + '/' + policy, {{"x_boost", "molecules/boost/seq"}},
          [=] { return run_molecules(call, policy); });
    }
  }
}

}  // namespace

void add_batches() {
  if (has_type("i32")) add_molecules();
  for_each_type(
      []<class W>(std::type_identity<W>, const std::string& type) { add_batches_of<W>(type); });
}

}  // namespace bench

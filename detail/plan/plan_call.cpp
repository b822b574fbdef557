// SPDX-License-Identifier: BSL-1.0
#include "plan_call.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>

#include "device_rates.hpp"
#include "elimination_rates.hpp"
#include "lane_rates.hpp"
#include "rates.hpp"

namespace apsp::inline v1::detail {

namespace {

double closure_time(const call_facts& facts) {
  closure_speed speed =
      facts.is_on_host() ? host_speed(facts.kind).closure : cuda_tiled_speed(facts.kind);
  const bool is_narrow = facts.is_on_host() && facts.has_short_weights &&
                         facts.kind != distance_kind::other &&
                         facts.num_vertices >= fewest_relaxed_in_16_bits;
  if (is_narrow) speed.relaxation = std::min(speed.relaxation, short_relaxation);
  return floyd_warshall_time(speed, static_cast<double>(facts.num_vertices),
                             facts.with_predecessors);
}

/// True if no step of a breadth-first search reaches many of the vertices that it reaches in all:
/// on roads and meshes in two and three dimensions at most 4 %; on random graphs with two or more
/// arcs per vertex and R-MAT at least 15 %.
bool has_narrow_levels(const call_facts& facts) {
  constexpr double widest = 0.1;
  return facts.num_levels && facts.widest_level < widest * facts.reached_share;
}

/// True if the graph is probably a road network, a mesh or the like, for which there are small
/// separators, such as the levels of a breadth-first search: they are narrow, or many. On roads, a
/// power grid and grids in two and three dimensions, six graphs, the square of their number is
/// 0.16 n to 4 n; on random graphs and R-MAT it is below 0.02 n.
bool is_deep(const call_facts& facts) {
  const auto levels = static_cast<double>(facts.num_levels.value_or(0));
  return levels * levels > 0.05 * static_cast<double>(facts.num_vertices) ||
         has_narrow_levels(facts);
}

double search_breadth_first_time(const call_facts& facts, std::size_t num_levels) {
  return breadth_first_time(facts.num_sources, facts.num_vertices, facts.num_arcs, num_levels,
                            facts.with_predecessors);
}

search_work_on_device work_on_device(const call_facts& facts) {
  return {static_cast<double>(facts.num_sources),
          static_cast<double>(facts.num_vertices),
          static_cast<double>(facts.num_arcs),
          facts.reached_share,
          facts.widest_level,
          static_cast<double>(facts.num_levels.value_or(0)),
          lane_factor(facts.kind)};
}

/// True if a device has a choice between searches.
bool may_choose_search_on_device(const call_facts& facts) {
  return facts.target == backend::cuda_tiled && !facts.has_negative_weight &&
         !facts.is_over_semiring;
}

/// Of searches from each source on a device.
double device_search_time(const call_facts& facts, algorithm method) {
  const search_work_on_device work = work_on_device(facts);
  double time = 0;
  if (method != algorithm::dijkstra) {
    time = searches_on_device::bellman_ford(work);
    if (method == algorithm::johnson) {
      constexpr double least = 1.2;
      time *= std::max(least, lane_factor(facts.kind_after_reweighting) / lane_factor(facts.kind));
    }
  } else if (has_narrow_levels(facts)) {
    time = narrow_searches_on_device::dijkstra(work);
  } else {
    time = searches_on_device::dijkstra(work);
  }
  return time;
}

double sweeps_time(const call_facts& facts) {
  const auto n = static_cast<double>(facts.num_vertices);
  const auto m = static_cast<double>(facts.num_arcs);
  const double factor = lane_factor(facts.kind);
  const double lanes = 16 / factor;
  // A batch takes as long for fewer sources.
  const double num_sources = std::ceil(static_cast<double>(facts.num_sources) / lanes) * lanes;
  const double height = facts.structure.height;
  // Targets have ancestors in common.
  const double share = facts.num_targets == 0
                           ? 1
                           : std::min(1.0, static_cast<double>(facts.num_targets) * height / n);
  double time =
      share * (eliminating.swept_vertex * n + eliminating.kept_arc * facts.structure.num_kept) +
      eliminating.ancestor * height;
  double start = 0;
  if (facts.with_predecessors) {
    time += eliminating.vertex_of_tree * n + eliminating.arc_of_tree * m;
    start = eliminating.incoming_arc * m;
  }
  if (facts.adds_up_amounts) time *= eliminating.sweep_of_amounts;
  const double on_host = start + num_sources * time * factor;
  return facts.is_on_host() ? on_host
                            : eliminating.device_start + on_host * eliminating.device_sweep;
}

/// Of Bellman–Ford for batches of sources, one in each lane.
double lanes_time(const call_facts& facts, double num_levels) {
  const auto n = static_cast<double>(facts.num_vertices);
  const auto m = static_cast<double>(facts.num_arcs);
  const auto sources = static_cast<double>(facts.num_sources);
  const double factor = lane_factor(facts.kind);
  const double growth = 1 + growth_in_caches(n, in_lanes.growth);
  const double lanes = 64 / factor;
  // The part of the graph that the sources of a batch are spread over, in one dimension.
  const double spread = std::sqrt(std::min(1.0, lanes / std::max(1.0, sources)));
  const double reads = in_lanes.reads + in_lanes.reads_of_level * num_levels * spread;
  double entries = growth * (in_lanes.vertex * n + in_lanes.arc * reads * m * facts.reached_share);
  if (facts.has_short_weights && !facts.with_predecessors) entries *= in_lanes.short_type;
  double start = in_lanes.order_of_vertex * n + in_lanes.order_of_arc * m;
  if (facts.with_predecessors) {
    entries += eliminating.vertex_of_tree * n + eliminating.arc_of_tree * m;
    start += eliminating.incoming_arc * m;
  }
  // A batch takes as long for fewer sources.
  const double wide = std::ceil(sources / lanes);
  const double narrow = in_lanes.time_of_narrow * std::ceil(4 * sources / lanes);
  return start + std::min(wide, narrow) * lanes * factor * entries;
}

/// Why searches in lanes are not considered; empty if they are.
std::string_view why_not_in_lanes(const call_facts& facts) {
  if (facts.kind == distance_kind::other) return "the type has no vectors";
  if (facts.num_sources < fewest_in_lanes) return "there are few sources";
  if (facts.has_huge_weights) return "sums of weights may not fit their type";
  if (facts.num_targets != 0 && facts.num_targets < fewest_targets_of_lanes) {
    return "it does not end at targets";
  }
  return {};
}

double preparation_factor(const call_facts& facts) {
  return facts.is_on_host() ? 1 : preparation_beside_device;
}

/// False if elimination can hardly take less than @p rival_time on a graph of this size, or if it
/// takes too long to find out.
bool may_search_order(const call_facts& facts, double rival_time) {
  const auto arcs = static_cast<double>(facts.num_arcs);
  const double joined = eliminating.arc_joined * arcs;
  if (joined >= time_before_sweeps(facts, rival_time)) return false;
  if (facts.num_levels && !is_deep(facts)) {
    // On graphs that are not deep, a device searches faster than the host eliminates.
    return facts.is_on_host() && joined < order_search_time(facts, rival_time);
  }
  // The graph may be deep.
  const double arcs_per_vertex = arcs / static_cast<double>(facts.num_vertices);
  return preparation_factor(facts) * eliminating.arc * arcs_per_vertex * arcs < rival_time;
}

/// One call of `plan_call`.
class planner {
 public:
  explicit planner(const call_facts& facts) : facts_(facts) {}

  call_plan run() {
    if (depends_on_cutoff() && !facts_.share_within_cutoff) {
      plan_.method = search_method(facts_);
      plan_.missing = missing_fact::share_within_cutoff;
      return plan_;
    }
    consider_closure_and_searches();
    if (!wants_whole_rows()) return plan_;
    if (needs_depth_for_searches()) {
      plan_.missing = missing_fact::num_levels;
      return plan_;
    }
    if (facts_.is_on_host()) consider_breadth_first_search();
    if (facts_.is_on_host() && plan_.missing == missing_fact::nothing) consider_lanes();
    if (plan_.missing == missing_fact::nothing) consider_elimination();
    return plan_;
  }

 private:
  /// A search with a cutoff may end early, and a list of the vertices that are reached may be
  /// short: their times are not known.
  bool wants_whole_rows() const {
    if (depends_on_cutoff()) return true;
    return !facts_.has_cutoff && !(facts_.lists_reached && facts_.num_targets == 0);
  }
  /// True if searches that end at the cutoff compete with whole rows.
  bool depends_on_cutoff() const {
    return facts_.has_cutoff && facts_.adds_up_amounts && !facts_.has_negative_weight;
  }
  /// The part of a search from each source that is made.
  double searched_share() const {
    // A device searches for many sources together, and starts with all vertices.
    constexpr double least_on_device = 0.1;
    const double within = facts_.share_within_cutoff.value_or(1);
    if (!facts_.is_on_host()) return std::max(within, least_on_device);
    if (within < 1) return std::min(within * eliminating.search_of_list, 1.0);
    return facts_.reached_share;
  }

  void take(algorithm method, double time) {
    note(method, time);
    plan_.method = method;
    plan_.time = time;
  }
  void note(algorithm method, double time, std::string_view why_not = {}) {
    plan_.candidates.set({method, time * 1e-9, why_not});
  }

  void consider_closure_and_searches() {
    const algorithm method = search_method(facts_);
    if (facts_.is_whole_matrix && facts_.target == backend::cuda_naive) {
      // On this backend the other algorithms are slower on every measured graph of 1024 or more
      // vertices: by a factor of 20 to 500 on sparse graphs (perf/results/h200_topologies.csv).
      take(algorithm::floyd_warshall, 0);
      note(method, 0, "cuda_naive has no fast searches");
      return;
    }
    // The searches of cuda_naive have not been measured. On a host they end with what they reach.
    if (may_choose_search_on_device(facts_)) note_other_search(method);
    take(method, facts_.target == backend::cuda_naive ? 0 : searched_share() * search_time(facts_));
    if (!facts_.is_whole_matrix) return;
    const double closure = closure_time(facts_);
    if (plan_.time < closure) {
      note(algorithm::floyd_warshall, closure);
    } else {
      take(algorithm::floyd_warshall, closure);
    }
  }

  /// Of the searches on a device, that which is not @p taken.
  void note_other_search(algorithm taken) {
    if (taken == algorithm::bellman_ford) {
      note(algorithm::dijkstra, device_search_time(facts_, algorithm::dijkstra));
    } else {
      note(algorithm::bellman_ford, device_search_time(facts_, algorithm::bellman_ford),
           has_narrow_levels(facts_) ? "the levels of the graph are narrow" : "");
    }
  }

  /// True if the levels of the graph, which are not known yet, may make Dijkstra's algorithm the
  /// fastest one, and are found in little time.
  bool needs_depth_for_searches() const {
    if (facts_.num_levels || !may_choose_search_on_device(facts_) || facts_.num_sources < 2 ||
        sweeps_on_device() || plan_.method == algorithm::dijkstra ||
        plan_.time <= searches_on_device::dijkstra_start) {
      return false;
    }
    const double search = level_search_vertex * static_cast<double>(facts_.num_vertices) +
                          level_search_arc * static_cast<double>(facts_.num_arcs);
    return search < 0.3 * plan_.time;
  }

  void consider_breadth_first_search() {
    // In the deepest graphs of this many levels it takes as long as in any deeper one.
    constexpr std::size_t deepest = 1000;
    constexpr auto method = algorithm::breadth_first_search;
    if (!facts_.has_equal_weights || facts_.has_negative_weight || facts_.is_over_semiring) {
      return note(method, 0, "the weights are not known to be equal");
    }
    if (facts_.num_targets != 0) return note(method, 0, "it does not end at targets");
    const double most = search_breadth_first_time(facts_, deepest);
    if (plan_.method == algorithm::floyd_warshall && most >= plan_.time) return note(method, most);
    const double least = search_breadth_first_time(facts_, 0);
    if (sweeps_are_faster_than(least)) return note(method, least);
    const bool is_together = facts_.num_sources >= fewest_searched_together;
    if (is_together && !facts_.num_levels) plan_.missing = missing_fact::num_levels;
    take(method, search_breadth_first_time(facts_, facts_.num_levels.value_or(0)));
  }

  void consider_lanes() {
    if (facts_.has_negative_weight) return consider_lanes_after_reweighting();
    constexpr auto method = algorithm::bellman_ford;
    const std::string_view why_not = why_not_in_lanes(facts_);
    if (!why_not.empty()) return note(method, 0, why_not);
    const double least = lanes_time(facts_, 0);
    if (least >= plan_.time || sweeps_are_faster_than(least)) return note(method, least);
    if (!facts_.num_levels) {
      plan_.missing = missing_fact::num_levels;
      return;
    }
    const double time = lanes_time(facts_, static_cast<double>(*facts_.num_levels));
    // The loops for equal weights are faster.
    if (time >= plan_.time || plan_.method == algorithm::breadth_first_search) {
      return note(method, time);
    }
    take(method, time);
  }

  /// True if the hierarchy is ready, and sweeps take less than @p time: that of another algorithm
  /// in a graph of no levels, so that these need not be found out.
  bool sweeps_are_faster_than(double time) const {
    return facts_.order == order_state::ready && elimination_time(facts_) < time;
  }

  /// The searches of Johnson's algorithm.
  void consider_lanes_after_reweighting() {
    const call_facts reweighted = facts_after_reweighting(facts_);
    if (!depth_decides_search(reweighted)) return;
    if (!facts_.num_levels) {
      plan_.missing = missing_fact::num_levels;
      return;
    }
    const double time = lanes_time(reweighted, static_cast<double>(*facts_.num_levels));
    if (time < plan_.time) take(algorithm::johnson, time);
  }

  /// The fewest sources that keep a device busy with sweeps.
  static constexpr std::size_t fewest_swept_on_device = 32;
  /// True if the hierarchy is ready: the other algorithms of a device are never faster.
  bool sweeps_on_device() const {
    return !facts_.is_on_host() && facts_.order == order_state::ready &&
           facts_.num_sources >= fewest_swept_on_device;
  }

  void consider_elimination() {
    constexpr auto method = algorithm::elimination;
    if (!facts_.is_on_host()) {
      if (facts_.is_over_semiring && facts_.order != order_state::ready) return;
      if (facts_.num_sources < fewest_swept_on_device) {
        return note(method, 0, "there are few sources");
      }
      if (sweeps_on_device()) return take(method, elimination_time(facts_));
      if (facts_.target == backend::cuda_naive) return;
    } else if (facts_.is_over_semiring && plan_.method == algorithm::floyd_warshall) {
      return;
    }
    weigh_elimination();
  }

  void weigh_elimination() {
    constexpr auto method = algorithm::elimination;
    switch (facts_.order) {
      case order_state::none:
        return note(method, 0, "no order is known that takes less time");
      case order_state::unknown:
        return ask_for_order();
      case order_state::found:
      case order_state::ready:
        const double time = elimination_time(facts_);
        if (time < plan_.time) return take(method, time);
        return note(method, time);
    }
  }

  void ask_for_order() {
    constexpr auto method = algorithm::elimination;
    // The loops for other types have no vectors.
    if (facts_.kind == distance_kind::other) return note(method, 0, "the type has no vectors");
    if (!may_search_order(facts_, plan_.time)) {
      return note(method, 0, "the search for an order takes too long");
    }
    if (!facts_.num_levels) {
      plan_.missing = missing_fact::num_levels;
      return;
    }
    plan_.missing = missing_fact::order;
    plan_.preparation_time = time_before_sweeps(facts_, plan_.time) / preparation_factor(facts_);
    plan_.search_time = order_search_time(facts_, plan_.time);
  }

  const call_facts& facts_;
  call_plan plan_;
};

}  // namespace

call_facts facts_after_reweighting(call_facts facts) {
  const bool is_float =
      facts.kind == distance_kind::float32 || facts.kind == distance_kind::float64;
  facts.has_negative_weight = false;
  facts.has_short_weights = false;
  // Floating-point lengths are accumulated again along the tree, in double.
  facts.with_predecessors = facts.with_predecessors || is_float;
  facts.kind = facts.kind_after_reweighting;
  facts.has_huge_weights = false;
  return facts;
}

algorithm search_method(const call_facts& facts) {
  if (facts.has_negative_weight) return algorithm::johnson;
  if (facts.is_on_host()) return algorithm::dijkstra;
  // With Dijkstra's algorithm on one device thread per source, a call takes n^2 sequential steps
  // even for a single source.
  if (facts.target == backend::cuda_naive || facts.is_over_semiring) return algorithm::bellman_ford;
  const bool is_narrow = has_narrow_levels(facts) && facts.num_sources > 1;
  return is_narrow || searches_on_device::prefers_dijkstra(work_on_device(facts))
             ? algorithm::dijkstra
             : algorithm::bellman_ford;
}

bool depth_decides_search(const call_facts& facts) {
  // After reweighting, floating-point lengths are summed along the tree, which is the same for any
  // number of sources: that of Dijkstra's algorithm.
  const bool is_float =
      facts.kind == distance_kind::float32 || facts.kind == distance_kind::float64;
  if (is_float && facts.with_predecessors) return false;
  return facts.is_on_host() && search_method(facts) == algorithm::dijkstra &&
         why_not_in_lanes(facts).empty() && !facts.has_cutoff &&
         (!facts.lists_reached || facts.num_targets != 0) &&
         lanes_time(facts, 0) < search_time(facts);
}

algorithm fastest_search(const call_facts& facts) {
  const bool may_be_in_lanes = depth_decides_search(facts) && facts.num_levels;
  return may_be_in_lanes && lanes_time(facts, static_cast<double>(*facts.num_levels)) <
                                search_time(facts) * facts.reached_share
             ? algorithm::bellman_ford
             : search_method(facts);
}

double search_time(const call_facts& facts) {
  if (!facts.is_on_host()) return device_search_time(facts, search_method(facts));
  return host_search_time(host_speed(facts.kind).search, static_cast<double>(facts.num_sources),
                          static_cast<double>(facts.num_vertices),
                          static_cast<double>(facts.num_arcs), facts.has_negative_weight);
}

double time_before_sweeps(const call_facts& facts, double rival_time) {
  const double vertex = facts.is_on_host() ? eliminating.swept_vertex : eliminating.least_sweep;
  return rival_time -
         vertex * static_cast<double>(facts.num_sources) * static_cast<double>(facts.num_vertices);
}

double order_search_time(const call_facts& facts, double rival_time) {
  // On most graphs that are not deep it is in vain, and delays the first row.
  constexpr double longest_in_vain = 0.1e9;
  if (is_deep(facts)) return 0.25 * rival_time;
  return std::min(0.05 * rival_time, longest_in_vain);
}

double elimination_time(const call_facts& facts) {
  const order_structure& order = facts.structure;
  const double preparation = eliminating.supernode * order.supernodes +
                             eliminating.front_entry * order.front_entries +
                             eliminating.front_time * order.front_time * lane_factor(facts.kind);
  return preparation_factor(facts) * preparation + sweeps_time(facts);
}

call_plan plan_call(const call_facts& facts) {
  return planner(facts).run();
}

}  // namespace apsp::inline v1::detail

namespace apsp::inline v1 {

namespace {

std::string text_of_time(double seconds) {
  if (!(seconds > 0)) return "no time is predicted";
  const char* const units[] = {"s", "ms", "us"};
  std::size_t unit = 0;
  // Three digits are printed, so that 0.9996 is 1.
  while (unit + 1 < std::size(units) && seconds < 0.9995) {
    seconds *= 1e3;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, seconds < 999.5 ? "%.3g %s" : "%.0f %s", seconds, units[unit]);
  return text;
}

}  // namespace

double predicted_seconds(const call_size& size, std::optional<algorithm> method) {
  constexpr detail::distance_kind kind = detail::distance_kind::float64;
  const double closure = detail::floyd_warshall_time(detail::host_speed(kind).closure,
                                                     static_cast<double>(size.num_vertices), false);
  const double searches =
      detail::search_work(kind, method, size.num_sources, size.num_vertices, size.num_arcs);
  const bool may_close = !method && size.num_sources == size.num_vertices;
  double time = may_close ? std::min(closure, searches) : searches;
  if (method == algorithm::floyd_warshall) time = closure;
  if (method == algorithm::repeated_squaring) {
    time = closure * std::ceil(std::log2(static_cast<double>(size.num_vertices) + 2));
  }
  return time * 1e-9;
}

std::string to_string(const plan& whole) {
  std::string text;
  for (const candidate& c : whole.candidates()) {
    text += to_string(c.algorithm);
    text += ": ";
    if (c.why_not.empty()) {
      text += text_of_time(c.seconds);
    } else {
      text += c.why_not;
    }
    text += '\n';
  }
  const computation& made = whole.computed();
  if (!made.type.empty()) {
    text += "computed in ";
    text += made.type;
    text += ": ";
    text += made.why_it_fits;
    text += '\n';
  }
  if (made.batch != 0) text += std::to_string(made.batch) + " sources at a time\n";
  if (made.arcs_left_out != 0) text += std::to_string(made.arcs_left_out) + " arcs left out\n";
  if (made.seconds > 0) text += "took " + text_of_time(made.seconds) + '\n';
  return text;
}

}  // namespace apsp::inline v1

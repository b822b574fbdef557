// SPDX-License-Identifier: BSL-1.0
#include "comparison.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "../../perf/common/machine.hpp"

namespace apsp_compare {

namespace {

std::string ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string seconds(double value) {
  return fmt::format("{:.{}f}", value, value < 0.1 ? 6 : (value < 10 ? 3 : 1));
}

std::string vertices(const std::vector<std::size_t>& walk) {
  return fmt::format("{}", fmt::join(walk, " "));
}

template <class... Values>
void add(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

void add_table(std::string& text, const outcome& found) {
  add(text, "{:<12} {:<11} {:>5} {:>10} {:>14} {:>9} {:>9}\n", "policy", "ran on", "runs",
      "seconds", "relaxations/s", "x seq", "x Boost");
  for (const auto& r : found.rows) {
    const bool fell_back = !r.fallback_reason.empty();
    add(text, "{:<12} {:<11} {:>5} {:>10} {:>10.3f} G/s {:>9} {:>9}\n", r.policy,
        r.ran_on + (fell_back ? " *" : ""), r.seconds.size(), seconds(r.median),
        r.relaxations_per_second / 1e9, ratio(r.over_seq), ratio(r.over_boost));
  }
}

void add_verdict(std::string& text, const outcome& found) {
  if (!found.differences.empty()) {
    add(text, "DIFFER ({}):\n", found.tolerance);
    for (const auto& difference : found.differences) add(text, "  {}\n", difference);
  } else if (found.rows.size() > 1) {
    add(text, "agree: {} results, {}\n", found.rows.size(), found.tolerance);
  } else {
    add(text, "one result, nothing to compare it with\n");
  }
}

std::string report_text(const options& o, const loaded_graph& graph, const outcome& found) {
  std::string text;
  add(text, "graph    {}: {} vertices, {} arcs\n", graph.name, found.num_vertices, found.num_edges);
  add(text, "weights  {} ({})\n", found.weight_type, graph.why_type);
  add(text, "machine  {}, {} hardware threads\n", apsp_perf::processor_name(),
      apsp_perf::hardware_threads());
  add(text, "build    {}\n", apsp_perf::compiler_name());
  add(text, "output   distances{}\n\n", o.predecessors ? " and predecessors" : "");
  if (found.negative_cycle) {
    add(text, "negative cycle of length {}: {}\n", found.negative_cycle->length,
        vertices(found.negative_cycle->vertices));
    return text;
  }
  add_table(text, found);
  add(text, "\n");
  for (const auto& r : found.rows) {
    if (!r.fallback_reason.empty()) {
      add(text, "* {} fell back to {}: {}\n", r.policy, r.ran_on, r.fallback_reason);
    }
  }
  for (const auto& note : found.notes) add(text, "{}\n", note);
  if (found.saturated) {
    add(text, "some paths are too long for {}: they count as unreachable\n", found.weight_type);
  }
  add_verdict(text, found);
  for (const auto& e : found.explanations) {
    add(text,
        "\nall_pairs_shortest_paths, {}: {} on {} took {} s; predicted for one thread, or a "
        "device:\n",
        e.policy, e.algorithm, e.ran_on, seconds(e.seconds));
    add(text, "{}", e.plan);
  }
  for (const auto& p : found.paths) {
    if (p.vertices.empty()) {
      add(text, "no path from {} to {}\n", p.source, p.target);
    } else {
      add(text, "path from {} to {}, length {}: {}\n", p.source, p.target, p.length,
          vertices(p.vertices));
    }
  }
  return text;
}

}  // namespace

void print_report(const options& o, const loaded_graph& graph, const outcome& found) {
  const std::string text = report_text(o, graph, found);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw std::runtime_error("standard output cannot be written");
  }
}

void write_json(const options& o, const loaded_graph& graph, const outcome& found) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json out;
  out["program"] = apsp_perf::version_text();
  out["commit"] = apsp_perf::commit_name();
  out["command"] = o.command;
  out["machine"] = {{"processor", apsp_perf::processor_name()},
                    {"hardware_threads", apsp_perf::hardware_threads()}};
  out["compiler"] = apsp_perf::compiler_name();
  out["graph"] = {{"name", graph.name},
                  {"vertices", found.num_vertices},
                  {"arcs", found.num_edges},
                  {"weight_type", found.weight_type}};
  out["predecessors"] = o.predecessors;
  out["rows"] = nlohmann::ordered_json::array();
  for (const auto& r : found.rows) {
    out["rows"].push_back({{"policy", r.policy},
                           {"executed_on", r.ran_on},
                           {"fallback_reason", r.fallback_reason},
                           {"seconds", r.seconds},
                           {"median_seconds", r.median},
                           {"relaxations_per_second", r.relaxations_per_second},
                           {"times_seq", or_null(r.over_seq)},
                           {"times_boost", or_null(r.over_boost)}});
  }
  out["explanations"] = nlohmann::ordered_json::array();
  for (const auto& e : found.explanations) {
    out["explanations"].push_back({{"policy", e.policy},
                                   {"executed_on", e.ran_on},
                                   {"algorithm", e.algorithm},
                                   {"seconds", e.seconds},
                                   {"plan", e.plan}});
  }
  out["notes"] = found.notes;
  out["saturated"] = found.saturated;
  out["agreement"] = {{"agree", found.differences.empty()},
                      {"tolerance", found.tolerance},
                      {"differences", found.differences}};
  if (found.negative_cycle) {
    out["negative_cycle"] = {{"vertices", found.negative_cycle->vertices},
                             {"length", found.negative_cycle->length}};
  }
  out["paths"] = nlohmann::ordered_json::array();
  for (const auto& p : found.paths) {
    out["paths"].push_back({{"source", p.source},
                            {"target", p.target},
                            {"vertices", p.vertices},
                            {"length", p.vertices.empty() ? nlohmann::ordered_json(nullptr)
                                                          : nlohmann::ordered_json(p.length)}});
  }
  // File names need not be UTF-8, but JSON must be.
  const std::string text =
      out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::ofstream file(o.json_file);
  file << text << '\n';
  file.flush();
  if (!file) throw std::runtime_error(o.json_file + ": cannot be written");
}

}  // namespace apsp_compare

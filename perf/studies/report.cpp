// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "../compare/machine.hpp"
#include "../device_limit/device_limit.hpp"
#include "../device_program.hpp"

namespace studies {

namespace {

const char* to_text(estimate e) {
  switch (e) {
    case estimate::from_sources:
      return "from_sources";
    case estimate::from_vertices:
      return "from_vertices";
    default:
      return "no";
  }
}

std::string machine_text() {
  const std::string device = device_limit::device_name();
  const std::string commit = apsp_compare::commit_name();
  return fmt::format(
      "{}, {} hardware threads, load of others {:.1f}; GPU {}, driver {}; commit {}; {}",
      apsp_compare::processor_name(), apsp_compare::hardware_threads(),
      apsp_compare::load_of_others(), device.empty() ? "none" : device,
      device.empty() ? "none" : device_program::driver_version(),
      commit.empty() ? "unnamed" : commit, apsp_compare::compiler_name());
}

}  // namespace

report::report(std::string study, const settings& s, const std::string& command)
    : study_(std::move(study)), csv_(s.csv), graphs_(s.graphs) {
  const std::string machine = machine_text();
  csv_.comment(machine);
  csv_.comment(command);
  csv_.line("study", "part", "label", "x", "graph", "n", "arcs", "bytes", "calls", "seconds",
            "estimated", "checked");
  fmt::print("{}\n{}\n\n{:<16} {:<36} {:>9} {:>8} {:>9} {:>11} {:<14} {}\n", study_, machine,
             "part", "what", "x", "n", "arcs", "seconds", "estimated", "checked");
  std::fflush(stdout);
  if (graphs_.empty()) return;
  std::filesystem::create_directories(graphs_);
  graph_list_.open(graphs_ / (study_ + ".csv"));
  if (!graph_list_) throw std::runtime_error(s.graphs + ": no files can be written there");
  graph_list_ << "name,part,x,graph,n,arcs,algorithm,sources\n";
}

void report::note(const std::string& text) {
  csv_.comment(text);
  fmt::print("{}\n", text);
}

void report::add(const line& l) {
  if (!std::isfinite(l.seconds)) throw std::logic_error(l.label + ": no finite time");
  is_empty_ = false;
  fmt::print("{:<16} {:<36} {:>9} {:>8} {:>9} {:>11.4g} {:<14} {}\n", l.part, l.label, l.x, l.n,
             l.arcs, l.seconds, to_text(l.estimated), to_text(l.checked));
  std::fflush(stdout);
  csv_.line(study_, l.part, csv_file::quoted(l.label), l.x, l.graph, l.n, l.arcs, l.bytes, l.calls,
            fmt::format("{:.6g}", l.seconds), to_text(l.estimated), to_text(l.checked));
  if (l.checked == verdict::wrong) all_right_ = false;
}

void report::left_out(const line& l, const std::string& why) {
  is_empty_ = false;
  note(fmt::format("{}, {} at {}: left out, {}", l.part, l.label, l.x, why));
}

std::filesystem::path report::graph_file(const std::string& name, const char* ending) const {
  return graphs_ / (name + '.' + ending);
}

void report::list_graph(const line& l, const std::string& algorithm, const std::string& name,
                        const std::vector<std::size_t>& sources) {
  graph_list_ << fmt::format("{},{},{},{},{},{},{},", name, l.part, l.x, l.graph, l.n, l.arcs,
                             algorithm);
  for (std::size_t i = 0; i < sources.size(); ++i) graph_list_ << (i == 0 ? "" : " ") << sources[i];
  graph_list_ << std::endl;
}

}  // namespace studies

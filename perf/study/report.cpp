// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "../common/device_program.hpp"
#include "../common/machine.hpp"
#include "../limits/device_limit.hpp"

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
  const std::string commit = apsp_perf::commit_name();
  return fmt::format(
      "{}, {} hardware threads, load of others {:.1f}; GPU {}, driver {}; commit {}; {}",
      apsp_perf::processor_name(), apsp_perf::hardware_threads(), apsp_perf::load_of_others(),
      device.empty() ? "none" : device, device.empty() ? "none" : device_program::driver_version(),
      commit.empty() ? "unnamed" : commit, apsp_perf::compiler_name());
}

}  // namespace

std::string seconds_text(double seconds) {
  return fmt::format("{:.7f}", seconds);
}

report::report(std::string study, const settings& s, const std::string& command)
    : study_(std::move(study)), graphs_(s.graphs) {
  const auto open = [](std::ofstream& file, const std::filesystem::path& name) {
    file.open(name);
    if (!file) throw std::runtime_error(name.string() + " cannot be written");
  };
  const std::string machine = machine_text();
  if (!s.csv.empty()) open(csv_, s.csv);
  csv_ << "# " << machine << "\n# " << command
       << "\nstudy,part,label,x,graph,n,arcs,bytes,calls,seconds,estimated,checked" << std::endl;
  fmt::print("{}\n{}\n\n{:<16} {:<36} {:>9} {:>8} {:>9} {:>11} {:<14} {}\n", study_, machine,
             "part", "what", "x", "n", "arcs", "seconds", "estimated", "checked");
  std::fflush(stdout);
  if (graphs_.empty()) return;
  std::filesystem::create_directories(graphs_);
  open(graph_list_, graphs_ / (study_ + ".csv"));
  graph_list_ << "name,part,x,graph,n,arcs,algorithm,sources\n";
}

void report::note(const std::string& text) {
  csv_ << "# " << text << std::endl;
  fmt::print("{}\n", text);
}

void report::add(const line& l) {
  if (!std::isfinite(l.seconds)) throw std::logic_error(l.label + ": no finite time");
  is_empty_ = false;
  fmt::print("{:<16} {:<36} {:>9} {:>8} {:>9} {:>11.4g} {:<14} {}\n", l.part, l.label, l.x, l.n,
             l.arcs, l.seconds, to_text(l.estimated), to_text(l.checked));
  std::fflush(stdout);
  // A label may contain commas. The line is written before the next measurement.
  csv_ << fmt::format("{},{},\"{}\",{},{},{},{},{},{},{:.6g},{},{}", study_, l.part, l.label, l.x,
                      l.graph, l.n, l.arcs, l.bytes, l.calls, l.seconds, to_text(l.estimated),
                      to_text(l.checked))
       << std::endl;
  if (l.checked == verdict::wrong) all_right_ = false;
}

void report::left_out(const line& l, const std::string& why) {
  is_empty_ = false;
  note(fmt::format("{}, {} at {}: left out, {}", l.part, l.label, l.x, why));
}

template <class T>
void report::write_array(const char* ending, const std::vector<T>& values) const {
  const auto file = graphs_ / fmt::format("{}-{}.{}", study_, num_graphs_, ending);
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  out.close();
  if (!out) throw std::runtime_error(file.string() + " cannot be written");
}

template <class W>
void report::keep_graph(const line& l, const std::string& algorithm,
                        const apsp_perf::csr_arrays<W>& g, const checks::known_rows& known) {
  if (graphs_.empty()) return;
  write_array("offsets.i64", g.offsets);
  write_array("targets.i32", g.targets);
  write_array("weights.f64", std::vector<double>(g.weights.begin(), g.weights.end()));
  std::vector<double> rows;
  for (const auto& row : known.rows()) rows.insert(rows.end(), row.begin(), row.end());
  write_array("expected.f64", rows);
  graph_list_ << fmt::format("{}-{},{},{},{},{},{},{},{}", study_, num_graphs_, l.part, l.x,
                             l.graph, l.n, l.arcs, algorithm, fmt::join(known.sources(), " "))
              << std::endl;
  ++num_graphs_;
}

template void report::keep_graph(const line&, const std::string&,
                                 const apsp_perf::csr_arrays<float>&, const checks::known_rows&);
template void report::keep_graph(const line&, const std::string&,
                                 const apsp_perf::csr_arrays<std::int32_t>&,
                                 const checks::known_rows&);

}  // namespace studies

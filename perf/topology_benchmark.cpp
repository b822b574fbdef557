// SPDX-License-Identifier: BSL-1.0
// Every algorithm under every policy on graphs of different shapes, next to Dijkstra's algorithm under
// omp, whose matrix all others must repeat. Also what rows without a matrix cost, and how soon a call
// ends that is asked to. Needs the standard library and apsp alone, since a machine with a device has
// often little else.
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

#include "command_line.hpp"
#include "csv_file.hpp"
#include "generators.hpp"
#include "topology/runs.hpp"
#include "topology/settings.hpp"

namespace {

// Why no device can be used; empty if one can.
std::string why_no_device() {
  const apsp_perf::csr_arrays<std::int32_t> g =
      apsp_perf::ring_graph<std::int32_t>(2, apsp_perf::ring_kind::directed, 1, 1);
  apsp::matrix<std::int32_t> distances(2);
  try {
    static_cast<void>(apsp::floyd_warshall(apsp::cuda_tiled.required(), g.view(), distances));
  } catch (const apsp::device_error& error) {
    return error.what();
  }
  return "";
}

// "580.159.04" of the line that the driver's module shows; empty without one.
std::string driver_version() {
  std::ifstream in("/proc/driver/nvidia/version");
  std::string line;
  std::getline(in, line);
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos) {
      return word;
    }
  }
  return "";
}

// The words of the command line, save where the file was first written: that says nothing about what
// is in it.
std::string call_text(int argc, char** argv) {
  std::string text = "topology_benchmark";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--csv") {
      ++i;
      continue;
    }
    text += word.find(' ') == std::string::npos ? ' ' + word : " '" + word + "'";
  }
  return text;
}

// Says in the file what its lines were measured with.
void describe(csv_file& csv, const topology::settings& s, int argc, char** argv) {
  const auto or_else = [](const std::string& text, const char* otherwise) {
    return text.empty() ? otherwise : text;
  };
  csv.comment("GPU " + or_else(s.gpu, "unnamed") + ", driver " + or_else(driver_version(), "none") +
              "; commit " + or_else(s.commit, "unnamed") + "; " +
              std::to_string(std::thread::hardware_concurrency()) + " host cores");
  csv.comment(call_text(argc, argv));
}

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_program("topology_benchmark", topology::usage, argc, argv, [&] {
    const topology::settings s = topology::parse(argc, argv);
    const std::string no_device = why_no_device();
    const bool has_device = no_device.empty();
    if (!has_device) {
      std::cout << "cuda_naive and cuda_tiled are left out: " << no_device << std::endl;
    }
    csv_file csv(s.csv);
    describe(csv, s, argc, argv);
    bool right = true;
    if (s.rows)
      right = topology::run_rows(s, csv, has_device);
    else if (s.stop)
      topology::run_stop(s, csv, has_device);
    else
      right = topology::run_table(s, csv, has_device);
    if (!right) std::cerr << "topology_benchmark: a result is wrong\n";
    return right ? 0 : 1;
  });
}

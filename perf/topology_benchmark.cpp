// SPDX-License-Identifier: BSL-1.0
// Every algorithm under every policy on graphs of different shapes, next to Dijkstra's algorithm under
// omp, whose matrix all others must repeat. Also what rows without a matrix cost, and how soon a call
// ends that is asked to. Needs the standard library and apsp alone, since a machine with a device has
// often little else.
#include <iostream>
#include <string>
#include <thread>

#include "command_line.hpp"
#include "csv_file.hpp"
#include "device_program.hpp"
#include "topology/runs.hpp"
#include "topology/settings.hpp"

namespace {

// Says in the file what its lines were measured with.
void describe(csv_file& csv, const topology::settings& s, int argc, char** argv) {
  const auto or_else = [](const std::string& text, const char* otherwise) {
    return text.empty() ? otherwise : text;
  };
  csv.comment("GPU " + or_else(s.gpu, "unnamed") + ", driver " +
              or_else(device_program::driver_version(), "none") + "; commit " +
              or_else(s.commit, "unnamed") + "; " +
              std::to_string(std::thread::hardware_concurrency()) + " host cores");
  csv.comment(device_program::call_text("topology_benchmark", argc, argv));
}

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_program("topology_benchmark", topology::usage, argc, argv, [&] {
    const topology::settings s = topology::parse(argc, argv);
    const std::string no_device = device_program::why_no_device();
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

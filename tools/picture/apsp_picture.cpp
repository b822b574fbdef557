// SPDX-License-Identifier: BSL-1.0
// apsp-picture: draws graphs, coloured by what their shortest paths tell of each vertex.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>

#include "measures.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "scene.hpp"

namespace {

using namespace apsp_picture;

scene make_scene(const options& o) {
  switch (o.of) {
    case subject::terrain:
      return make_terrain(o.rows, o.columns, o.relief, o.seed);
    case subject::mesh:
      return o.mesh_file.empty() ? make_horn() : read_obj(o.mesh_file);
    default:
      return read_roads(o.graph_file, o.coordinates_file, o.degrees);
  }
}

measures measures_of(const options& o, const scene& s) {
  if (o.within) return count_within(s, *o.within, o.policy, o.threads);
  if (o.betweenness) return score_betweenness(s, o.of == subject::roads, o.policy, o.threads);
  return measure(s, o.policy, o.threads);
}

std::string draw(const options& o, const scene& s, const measures& m) {
  if (extension_of(o.output) == ".ply") return ply_of_surface(s, m);
  return o.of == subject::terrain ? svg_of_terrain(s, m) : svg_of_map(s, m);
}

void write(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(file + ": cannot be written");
}

void run(int argc, char** argv) {
  const auto o = parse_command_line(argc, argv);
  if (!o) return;
  const scene s = make_scene(*o);
  const measures m = measures_of(*o, s);
  write(o->output, draw(*o, s, m));
  fmt::print("{}: {} vertices, {} arcs\n", o->output, s.points.size(), s.from.size());
  if (o->within || o->betweenness) {
    fmt::print("{}: {:.6g} to {:.6g}, most for {}\n", m.label, m.least, m.largest, m.centre);
  } else {
    fmt::print("eccentricity {:.6g} to {:.6g}, centre {}\n", m.least, m.largest, m.centre);
    fmt::print("longest shortest path {:.6g}, {} vertices from {} to {}\n", m.path_length,
               m.longest_path.size(), m.longest_path.front(), m.longest_path.back());
  }
  if (m.num_drawn != s.points.size()) {
    fmt::print("grey: {} vertices, which do not reach the usual number of others\n",
               s.points.size() - m.num_drawn);
  }
  if (std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
}

int fail(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fputs(("apsp-picture: " + message + "\n").c_str(), stderr);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
    return 0;
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& e) {
    return fail(e.what());
  }
}

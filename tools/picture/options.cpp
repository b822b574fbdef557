// SPDX-License-Identifier: BSL-1.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <apsp/policy.hpp>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <limits>
#include <system_error>
#include <vector>

namespace apsp_picture {

namespace {

constexpr const char* description =
    "Draws a graph with the eccentricity of each vertex as its colour: the distance to the vertex "
    "that is\n"
    "farthest from it. The centre, a vertex of least eccentricity, is marked, and the longest of "
    "all\n"
    "shortest paths is drawn. With --within the colour is the number of vertices within a "
    "distance,\n"
    "with --betweenness the share of all pairs whose shortest paths lead through a vertex or "
    "along a road.";

constexpr const char* examples = R"(Examples:
  apsp-picture terrain 60 -o terrain.svg            a generated height field of 60 x 60 points
  apsp-picture terrain 80 120 --seed 7 -o hills.ply the surface of another one
  apsp-picture mesh bunny.obj -o bunny.ply          the edges of a mesh, a colour for each vertex
  apsp-picture mesh -o horn.ply                     a generated mesh
  apsp-picture roads ny.gr ny.co --degrees -o ny.svg
                                                    a road map of the 9th DIMACS Challenge
  apsp-picture roads ny.gr ny.co --degrees --within 30000 -o near.svg
                                                    how many crossings are within 30000 of each
  apsp-picture roads ny.gr ny.co --degrees --betweenness -o busy.svg
                                                    which roads are on many shortest paths

Exit status: 0, or 1 after an error, which one line on stderr describes.)";

// CLI11 accepts negative and too large numbers for an unsigned type, and converts them to other
// numbers.
template <class T>
T to_number(const std::string& text, T least, T largest, const std::string& what) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || stop != end || error != std::errc() ||
      !(value >= least && value <= largest)) {
    throw usage_error(what + ": '" + text + "' is not a number from " +
                      CLI::detail::to_string(least) + " to " + CLI::detail::to_string(largest));
  }
  return value;
}

void check_output(const std::string& name, bool is_map, bool is_mesh) {
  const std::string extension = extension_of(name);
  const bool is_known = (extension == ".svg" && !is_mesh) || (extension == ".ply" && !is_map);
  if (!is_known) {
    throw usage_error("--output: '" + name + "' does not end in " +
                      (is_map    ? ".svg"
                       : is_mesh ? ".ply"
                                 : ".svg or .ply"));
  }
  const std::filesystem::path file = name;
  std::error_code error;
  if (file.has_parent_path() && !std::filesystem::is_directory(file.parent_path(), error)) {
    throw usage_error(name + ": there is no such folder");
  }
}

}  // namespace

std::string extension_of(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

std::optional<options> parse_command_line(int argc, char** argv) {
  options o;
  std::vector<std::string> sizes;
  std::string seed = "1";
  std::string relief = "1";
  std::string within;
  CLI::App app{description, "apsp-picture"};
  app.footer(examples);
  app.get_formatter()->column_width(30);
  app.set_version_flag("--version", "apsp-picture " APSP_PICTURE_VERSION);
  app.require_subcommand(1);
  const auto add_subject = [&](const char* name, const char* text, const char* extensions) {
    CLI::App* const command = app.add_subcommand(name, text);
    command->add_option("-o,--output", o.output, std::string("The file to write: ") + extensions)
        ->required()
        ->option_text("file");
    CLI::Option* const of_distance =
        command
            ->add_option(
                "--within", within,
                "Colours are numbers of vertices within this distance, the vertex included")
            ->option_text("d");
    command
        ->add_flag("--betweenness", o.betweenness,
                   "Colours are shares of all pairs whose shortest paths lead through a vertex, or "
                   "along a road")
        ->disable_flag_override()
        ->excludes(of_distance);
    const std::vector<std::string> policies(apsp::policy_names.begin(), apsp::policy_names.end());
    command->add_option("--policy", o.policy, "seq, omp (default), cuda_naive or cuda_tiled")
        ->check(CLI::IsMember(policies).description(""))
        ->option_text("name");
    command->add_option("--threads", o.threads, "Threads of omp; default: as OpenMP gives")
        ->check(CLI::Range(1, 65536).description(""))
        ->option_text("k");
    return command;
  };
  CLI::App* const terrain = add_subject(
      "terrain", "A generated height field; paths lead over its surface", ".svg or .ply");
  terrain
      ->add_option("size", sizes,
                   "Rows and columns; the columns are as many as the rows by default")
      ->expected(1, 2)
      ->required()
      ->option_text("rows [columns]");
  terrain->add_option("--seed", seed, "Seed of the heights (1)")->option_text("s");
  terrain->add_option("--relief", relief, "Range of the heights, in lengths of the longer side (1)")
      ->option_text("r");
  CLI::App* const mesh =
      add_subject("mesh", "A mesh of triangles; paths lead along its edges", ".ply");
  mesh->add_option("file", o.mesh_file, "A Wavefront OBJ file; default: a generated mesh")
      ->option_text(" ");
  CLI::App* const roads = add_subject("roads", "A road map of the 9th DIMACS Challenge", ".svg");
  roads->add_option("graph", o.graph_file, "The graph (.gr)")->required()->option_text(" ");
  roads->add_option("coordinates", o.coordinates_file, "The coordinates of its vertices (.co)")
      ->required()
      ->option_text(" ");
  roads->add_flag("--degrees", o.degrees, "The coordinates are millionths of degrees")
      ->disable_flag_override();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) throw usage_error(e.what());
    app.exit(e);
    if (!std::cout.flush()) throw std::runtime_error("standard output cannot be written");
    return std::nullopt;
  }
  o.of = *terrain ? subject::terrain : *mesh ? subject::mesh : subject::roads;
  if (*terrain) {
    o.rows = to_number<std::size_t>(sizes.front(), 2, 4000, "rows");
    o.columns = to_number<std::size_t>(sizes.back(), 2, 4000, "columns");
    o.seed = to_number<std::uint64_t>(seed, 0, static_cast<std::uint64_t>(-1), "--seed");
    o.relief = to_number<double>(relief, 0, 1000, "--relief");
  }
  const CLI::App* const chosen = *terrain ? terrain : *mesh ? mesh : roads;
  if (chosen->count("--within") != 0) {
    o.within = to_number<double>(within, 0, std::numeric_limits<double>::max(), "--within");
  }
  check_output(o.output, o.of == subject::roads, o.of == subject::mesh);
  return o;
}

}  // namespace apsp_picture

// SPDX-License-Identifier: BSL-1.0
// Hierarchies written to files and read again, and files that are truncated, damaged, or made to
// deceive.
#define BOOST_TEST_MODULE hierarchy_files
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/csr.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/elimination.hpp>
#include <apsp/error.hpp>
#include <apsp/hierarchy_files.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/changed_graphs.hpp"
#include "../common/files.hpp"
#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/limited_files.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"

using namespace apsp_test;

namespace {

using weights = std::tuple<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                           std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using signed_weights = std::tuple<float, double, std::int16_t, std::int32_t, std::int64_t>;

/// A grid with light weights, whose sums fit in each type.
template <class T>
arc_list<T> lanes(std::size_t side, std::uint64_t seed) {
  return streets<T>(side, seed, 3);
}

/// The same with negative weights, but no negative cycle.
template <class T>
arc_list<T> slopes(std::size_t side, std::uint64_t seed) {
  return with_potentials(lanes<T>(side, seed), 0, 20, seed + 1);
}

template <class T>
apsp::contraction_hierarchy<T> prepared(const arc_list<T>& g) {
  return apsp::contraction_hierarchy<T>(apsp::seq, g.view());
}
template <class T>
std::string written(const apsp::contraction_hierarchy<T>& h) {
  std::ostringstream out;
  apsp::write_hierarchy(out, "memory", h);
  return out.str();
}
template <class T>
apsp::contraction_hierarchy<T> read(const std::string& bytes) {
  std::istringstream in(bytes);
  return apsp::read_hierarchy<T>(in, "memory");
}

template <class T>
bool same_bits(const apsp::matrix<T>& a, const apsp::matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.rows() == 0 || std::memcmp(a.data(), b.data(), a.rows() * a.cols() * sizeof(T)) == 0);
}

/// Both hierarchies must have the same sizes, and calls with them the same results.
template <class T>
void check_same(const arc_list<T>& g, const apsp::contraction_hierarchy<T>& original,
                const apsp::contraction_hierarchy<T>& found) {
  BOOST_REQUIRE(found);
  BOOST_CHECK_EQUAL(found.num_vertices(), original.num_vertices());
  BOOST_CHECK_EQUAL(found.num_edges(), original.num_edges());
  BOOST_CHECK_EQUAL(found.num_arcs(), original.num_arcs());
  BOOST_CHECK_EQUAL(found.fill(), original.fill());
  apsp::matrix<T> expected(g.n), d(g.n);
  apsp::matrix<int> expected_before(g.n), before(g.n);
  BOOST_REQUIRE(apsp::elimination(apsp::seq, original, expected, expected_before));
  BOOST_REQUIRE(apsp::elimination(apsp::seq, found, d, before));
  BOOST_CHECK(same_bits(d, expected));
  BOOST_CHECK(same_bits(before, expected_before));
  // The oracle computes in 64 bits with a sign.
  constexpr bool has_oracle = !std::is_same_v<T, std::uint64_t>;
  if constexpr (has_oracle) check_distances(g, d);
  d = apsp::matrix<T>(g.n);
  BOOST_REQUIRE(apsp::elimination(apsp::omp.threads(3), found, d));
  BOOST_CHECK(same_bits(d, expected));
  BOOST_REQUIRE(apsp::johnson(apsp::omp, found, d));
  if constexpr (has_oracle) check_distances(g, d);
  BOOST_CHECK_EQUAL(apsp::summarize_paths(apsp::omp, found).num_pairs(),
                    apsp::summarize_paths(apsp::omp, original).num_pairs());
}

template <class T>
void check_round_trip(const arc_list<T>& g) {
  auto original = prepared(g);
  BOOST_REQUIRE(original);
  const std::string bytes = written(original);
  auto found = read<T>(bytes);
  BOOST_CHECK(written(found) == bytes);
  check_same(g, original, found);

  // The structure serves for other weights, on one thread and on several.
  auto doubled = g;
  for (std::size_t a = 0; a < doubled.size(); a += 2) {
    doubled.weights[a] = static_cast<T>(doubled.weights[a] + 1);
  }
  BOOST_REQUIRE(original.customize(apsp::seq, doubled.view()));
  BOOST_REQUIRE(found.customize(apsp::omp.threads(3), doubled.view()));
  BOOST_CHECK(written(found) == written(original));
  check_same(doubled, original, found);
}

// A file in the memory of a test, by an independent description of the format: a header of 68
// bytes, arrays, and a checksum.
class file_bytes {
 public:
  explicit file_bytes(std::string bytes, std::size_t weight_size, std::size_t sum_size)
      : bytes_(std::move(bytes)), weight_size_(weight_size), sum_size_(sum_size) {}

  static constexpr std::size_t version_at = 8, types_at = 12, sizes_at = 20, header_size = 68;
  enum sizes { vertices, arcs, supernodes, upper, up, down };

  std::size_t size_of(sizes which) const {
    return static_cast<std::size_t>(number<std::uint64_t>(sizes_at + 8 * which));
  }
  // Where arrays begin.
  std::size_t order() const { return header_size; }
  std::size_t first() const { return order() + 4 * size_of(vertices); }
  std::size_t upper_offsets() const { return first() + 4 * (size_of(supernodes) + 1); }
  std::size_t upper_neighbors() const { return upper_offsets() + 8 * (size_of(supernodes) + 1); }
  std::size_t arc_offsets() const { return upper_neighbors() + 4 * size_of(upper); }
  std::size_t targets() const { return arc_offsets() + 8 * (size_of(vertices) + 1); }
  std::size_t arc_weights() const { return targets() + 4 * size_of(arcs); }
  std::size_t up_offsets() const { return arc_weights() + weight_size_ * size_of(arcs); }
  std::size_t up_arcs() const { return up_offsets() + 8 * (size_of(vertices) + 1); }
  std::size_t down_offsets() const { return up_arcs() + (4 + sum_size_) * size_of(up); }
  std::size_t down_arcs() const { return down_offsets() + 8 * (size_of(vertices) + 1); }
  std::size_t checksum() const { return down_arcs() + (4 + sum_size_) * size_of(down); }

  template <class X>
  X number(std::size_t at) const {
    X x;
    std::memcpy(&x, bytes_.data() + at, sizeof x);
    return x;
  }
  template <class X>
  file_bytes with(std::size_t at, X x) const {
    file_bytes changed = *this;
    std::memcpy(changed.bytes_.data() + at, &x, sizeof x);
    return changed;
  }
  /// The bytes with the checksum that belongs to them.
  std::string sealed() const {
    std::string all = bytes_;
    const std::uint32_t crc = crc_of(all.substr(0, all.size() - 4));
    std::memcpy(all.data() + all.size() - 4, &crc, sizeof crc);
    return all;
  }
  const std::string& bytes() const { return bytes_; }

  /// CRC-32, bit by bit.
  static std::uint32_t crc_of(const std::string& bytes) {
    std::uint32_t state = 0xffff'ffffu;
    for (const char c : bytes) {
      state ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) state = state >> 1 ^ (state % 2 != 0 ? 0xedb8'8320u : 0u);
    }
    return ~state;
  }

 private:
  std::string bytes_;
  std::size_t weight_size_;
  std::size_t sum_size_;
};

/// Runs what reads every part of a hierarchy. The distances may be wrong.
template <class T>
void use(apsp::contraction_hierarchy<T> h) {
  const std::size_t n = h.num_vertices();
  apsp::matrix<T> d(n);
  apsp::matrix<int> before(n);
  static_cast<void>(apsp::elimination(apsp::seq, h, d, before));
  static_cast<void>(apsp::summarize_paths(apsp::seq, h));
  static_cast<void>(h.customize(apsp::seq, std::as_const(h)));
  static_cast<void>(apsp::elimination(apsp::seq, h, d));
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(round_trips, T, weights) {
  for (const std::size_t side : {0u, 1u, 2u, 5u, 11u}) {
    BOOST_TEST_CONTEXT("side = " << side) {
      check_round_trip(lanes<T>(side, side));
    }
  }
  // Several trees, and vertices without arcs.
  auto apart = lanes<T>(4, 1);
  apart.n += 30;
  apart.add(20, 22, T{1});
  apart.add(22, 33, T{2});
  check_round_trip(apart);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_weights, T, signed_weights) {
  for (const std::size_t side : {2u, 6u}) check_round_trip(slopes<T>(side, side));
  if constexpr (sizeof(T) >= 4) check_round_trip(negative_graph<T>(60, 0.05, 3));
}

// Sums in types other than those of the weights.
BOOST_AUTO_TEST_CASE(types_of_sums) {
  const auto type_in = [](const std::string& bytes) {
    return std::string(bytes.substr(file_bytes::types_at, 8));
  };
  auto far = slopes<std::int64_t>(5, 2);
  for (auto& w : far.weights) w *= std::int64_t{1} << 50;
  check_round_trip(far);
  using namespace std::string_literals;
  const auto sums = [&](const auto& g) { return type_in(written(prepared(g))); };
  BOOST_CHECK_EQUAL(sums(far), "<i8\0<i8\0"s);
  for (auto& w : far.weights) w *= 1 << 7;
  const auto h = prepared(far);
  BOOST_REQUIRE(h);
  const std::string bytes = written(h);
  BOOST_CHECK_EQUAL(type_in(bytes), "<i8\0<i16"s);
  const auto found = read<std::int64_t>(bytes);
  BOOST_CHECK(written(found) == bytes);
  apsp::matrix<std::int64_t> expected(far.n), d(far.n);
  BOOST_REQUIRE(apsp::elimination(apsp::seq, h, expected));
  BOOST_REQUIRE(apsp::elimination(apsp::seq, found, d));
  BOOST_CHECK(same_bits(d, expected));
  BOOST_CHECK_EQUAL(sums(lanes<std::int64_t>(5, 2)), "<i8\0<i4\0"s);
  BOOST_CHECK_EQUAL(sums(lanes<std::uint8_t>(5, 2)), "<u1\0<i4\0"s);

  // Parts of paths leave the range of the weights, but distances do not.
  const auto scaled = [&]<class T>(T) {
    auto g = slopes<T>(5, 2);
    for (T& w : g.weights) w *= (std::numeric_limits<T>::max)() / 100;
    return g;
  };
  const auto wide = scaled(float{});
  BOOST_CHECK_EQUAL(sums(wide), "<f4\0<f8\0"s);
  const auto wide_sums = prepared(wide);
  BOOST_CHECK(written(read<float>(written(wide_sums))) == written(wide_sums));
  if (std::numeric_limits<long double>::max_exponent > std::numeric_limits<double>::max_exponent) {
    const auto too_wide = prepared(scaled(double{}));
    check_refused<std::invalid_argument>([&] { return written(too_wide); },
                                         "expected sums within the range of double");
  }
}

// A cycle of length 0 that looks negative by rounding: there is no negative cycle, and there are no
// sweeps.
BOOST_AUTO_TEST_CASE(without_sweeps) {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    random_numbers random(seed);
    arc_list<float> g{12, {}, {}, {}};
    std::vector<float> heights;
    for (std::size_t v = 0; v < g.n; ++v)
      heights.push_back(static_cast<float>(random(1, 1000)) / 7);
    for (std::size_t v = 0; v < g.n; ++v) {
      const std::size_t next = (v + 1) % g.n;
      g.add(v, next, heights[next] - heights[v]);
    }
    auto h = prepared(g);
    if (!h || h.num_arcs() != 0) continue;
    const std::string bytes = written(h);
    auto found = read<float>(bytes);
    BOOST_CHECK(found && found.num_arcs() == 0);
    BOOST_CHECK_EQUAL(found.num_edges(), g.size());
    BOOST_CHECK(written(found) == bytes);
    for (float& w : g.weights) w = 1;
    BOOST_REQUIRE(found.customize(apsp::seq, g.view()));
    BOOST_CHECK_GT(found.num_arcs(), 0u);
    return;
  }
  BOOST_ERROR("no such graph was found");
}

BOOST_AUTO_TEST_CASE(files_and_streams) {
  const auto g = lanes<std::int32_t>(9, 3);
  const auto h = prepared(g);
  const auto file = temporary("hierarchy");
  apsp::write_hierarchy(file, h);
  check_same(g, h, apsp::read_hierarchy<std::int32_t>(file));
  BOOST_CHECK_EQUAL(std::filesystem::file_size(file), written(h).size());
  {
    std::ofstream more(file, std::ios::binary | std::ios::app);
    more << 'x';
  }
  refused([&] { return apsp::read_hierarchy<std::int32_t>(file); }, 0,
          "expected the end of the file after the checksum, found more bytes");
  std::filesystem::remove(file);
  refused([&] { return apsp::read_hierarchy<std::int32_t>(file); }, 0, "no such file");
  const auto folder = std::filesystem::temp_directory_path();
  refused([&] { return apsp::read_hierarchy<std::int32_t>(folder); }, 0,
          "expected a file, found a directory");
  refused([&] { apsp::write_hierarchy(folder / "no such folder" / "h", h); }, 0,
          "cannot be opened for writing");

  // Several in one stream, and what follows them.
  const auto other = lanes<double>(3, 4);
  std::stringstream both;
  apsp::write_hierarchy(both, "both", h);
  apsp::write_hierarchy(both, "both", prepared(other));
  both << "end";
  check_same(g, h, apsp::read_hierarchy<std::int32_t>(both, "both"));
  BOOST_CHECK_EQUAL(apsp::read_hierarchy<double>(both, "both").num_vertices(), other.n);
  std::string rest;
  both >> rest;
  BOOST_CHECK_EQUAL(rest, "end");
}

BOOST_AUTO_TEST_CASE(a_file_remains_if_another_one_cannot_be_written) {
  const test_directory files("hierarchy");
  const auto file = files.path() / "streets.hierarchy";
  const auto g = lanes<float>(60, 3);
  const auto h = prepared(g);
  BOOST_REQUIRE_GT(written(h).size(), 100'000u);
  for (const bool is_there : {false, true}) {
    if (is_there) {
      apsp::write_hierarchy(file, prepared(lanes<float>(4, 3)));
    }
    const auto before = contents_of(files.path());
    BOOST_REQUIRE_EQUAL(before.size(), is_there ? 1u : 0u);
    {
      const file_size_limit limit(100'000);
      refused([&] { apsp::write_hierarchy(file, h); }, 0, "cannot be written: ");
    }
    BOOST_CHECK(contents_of(files.path()) == before);
  }
  apsp::write_hierarchy(file, h);
  BOOST_CHECK(contents_of(files.path()).begin()->second == written(h));
}

BOOST_AUTO_TEST_CASE(failures_of_streams) {
  const auto g = lanes<float>(40, 3);
  const auto h = prepared(g);
  const std::string bytes = written(h);
  if (std::filesystem::exists("/dev/full")) {
    refused([&] { apsp::write_hierarchy(std::filesystem::path("/dev/full"), h); }, 0,
            "cannot be written: ");
  }
  // A buffer that has room for so many bytes.
  class small : public std::streambuf {
   public:
    explicit small(std::size_t size) : room_(size, '\0') {
      setp(room_.data(), room_.data() + size);
    }

   private:
    std::string room_;
  };
  for (const std::size_t room : {std::size_t{0}, std::size_t{10}, bytes.size() - 1}) {
    for (const bool throws : {false, true}) {
      small buffer(room);
      std::ostream out(&buffer);
      if (throws) out.exceptions(std::ios::badbit | std::ios::failbit);
      refused([&] { apsp::write_hierarchy(out, "small", h); }, 0, "cannot be written");
    }
  }
  std::istringstream failed(bytes);
  failed.setstate(std::ios::failbit);
  refused([&] { return apsp::read_hierarchy<float>(failed, "failed"); }, 0, "cannot be read");
  std::istream none(nullptr);
  refused([&] { return apsp::read_hierarchy<float>(none, "none"); }, 0, "cannot be read");
  std::istringstream at_end(bytes.substr(0, 100));
  at_end.exceptions(std::ios::badbit | std::ios::failbit | std::ios::eofbit);
  refused([&] { return apsp::read_hierarchy<float>(at_end, "at end"); }, 0,
          "the file ends after 100 of " + std::to_string(bytes.size()) + " bytes");
}

BOOST_AUTO_TEST_CASE(hierarchies_that_are_refused) {
  auto g = lanes<std::int32_t>(5, 5);
  g.weights[3] = -100;
  const auto file = temporary("refused");
  std::filesystem::remove(file);
  const auto bad = prepared(g);
  check_refused<std::invalid_argument>([&] { apsp::write_hierarchy(file, bad); },
                                       "found one of a graph with a negative cycle");
  apsp::stop_source stop;
  stop.request_stop();
  const apsp::contraction_hierarchy<std::int32_t> stopped(apsp::seq.stop(stop.get_token()),
                                                          lanes<std::int32_t>(5, 5).view());
  check_refused<std::invalid_argument>([&] { apsp::write_hierarchy(file, stopped); },
                                       "found one whose preparation was stopped");
  BOOST_CHECK(!std::filesystem::exists(file));
}

BOOST_AUTO_TEST_CASE(other_files) {
  const std::string bytes = written(prepared(lanes<float>(3, 1)));
  const auto wrong = [](const std::string& text, const std::string& reason) {
    refused([&] { return read<float>(text); }, 0, reason);
  };
  wrong("", "expected a hierarchy");
  wrong("p sp 3 2\na 1 2 7\n", "expected a hierarchy");
  wrong(bytes.substr(1), "expected a hierarchy");
  const file_bytes file(bytes, 4, 4);
  wrong(file.with(file_bytes::version_at, std::uint32_t{2}).sealed(),
        "expected version 1 of the format, found version 2");
  wrong(file.with(file_bytes::types_at, 'x').sealed(),
        "expected a type such as <f4 for the weights, found 'xf4?'");
  refused([&] { return read<double>(bytes); }, 0,
          "expected weights that are 64-bit floating-point numbers, found 32-bit floating-point");
  refused([&] { return read<std::int32_t>(bytes); }, 0,
          "expected weights that are 32-bit integers, found 32-bit floating-point numbers");
  refused([&] { return read<std::uint32_t>(bytes); }, 0, "32-bit unsigned integers");
  wrong(file.with(file_bytes::types_at + 5, 'i').sealed(),
        "expected sums of a type for weights that are 32-bit floating-point numbers, found 32-bit "
        "integers");
  wrong(file.with(file_bytes::types_at + 4, std::uint32_t{0}).sealed(),
        "expected at most 0 arcs up");
}

// Sizes that no machine has memory for are found out by reading, not by allocating.
BOOST_AUTO_TEST_CASE(sizes_without_bytes) {
  const std::string bytes = written(prepared(lanes<float>(3, 1)));
  const file_bytes file(bytes, 4, 4);
  for (const std::size_t which : {0u, 1u, 2u, 3u, 4u, 5u}) {
    for (const std::uint64_t size : {std::uint64_t{0x7fff'ffff}, std::uint64_t{1} << 47}) {
      const auto at = file_bytes::sizes_at + 8 * which;
      refused([&] { return read<float>(file.with(at, size).sealed()); }, 0, "");
    }
    refused(
        [&] {
          return read<float>(
              file.with(file_bytes::sizes_at + 8 * which, ~std::uint64_t{0}).sealed());
        },
        0, "expected at most ");
  }
}

BOOST_AUTO_TEST_CASE(truncated) {
  const std::string bytes = written(prepared(lanes<std::int16_t>(4, 1)));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    refused([&] { return read<std::int16_t>(bytes.substr(0, size)); }, 0,
            size < 8 ? "expected a hierarchy"
            : size < file_bytes::header_size
                ? "the file ends after " + std::to_string(size) + " bytes, in its header"
                : "the file ends after " + std::to_string(size) + " of " +
                      std::to_string(bytes.size()) + " bytes");
  }
}

BOOST_AUTO_TEST_CASE(changed_bits) {
  const auto check = [](const std::string& bytes, auto reading) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ 1 << bit);
        refused([&] { reading(changed); }, 0, "");
      }
    }
  };
  check(written(prepared(slopes<float>(3, 1))),
        [](const std::string& changed) { static_cast<void>(read<float>(changed)); });
  check(written(prepared(lanes<std::int64_t>(2, 1))),
        [](const std::string& changed) { static_cast<void>(read<std::int64_t>(changed)); });
}

// Files with the checksum of their bytes, but with contents that cannot be.
BOOST_AUTO_TEST_CASE(inconsistent) {
  const auto h = prepared(slopes<std::int32_t>(6, 1));
  const file_bytes file(written(h), 4, 4);
  BOOST_REQUIRE_EQUAL(file.checksum() + 4, file.bytes().size());
  BOOST_REQUIRE(file.sealed() == file.bytes());
  const std::size_t n = h.num_vertices();
  const auto wrong = [&](const file_bytes& changed, const std::string& reason) {
    refused([&] { return read<std::int32_t>(changed.sealed()); }, 0, reason);
  };
  using i32 = std::int32_t;
  using i64 = std::int64_t;

  wrong(file.with(file.order(), i32{-1}), "expected vertices from 0 to 35 in the order, found -1");
  wrong(file.with(file.order() + 4, i32{36}), "expected vertices from 0 to 35 in the order");
  wrong(file.with(file.order(), file.number<i32>(file.order() + 4)), "is in the order twice");

  wrong(file.with(file.first(), i32{1}), "expected supernodes from place 0 to 36, found 1 to 36");
  wrong(file.with(file.first() + 4 * file.size_of(file_bytes::supernodes), i32{35}),
        "expected supernodes from place 0 to 36, found 0 to 35");
  wrong(file.with(file.first() + 4, i32{0}), "expected supernode 1 after place 0, found 0");

  wrong(file.with(file.upper_offsets(), i64{-1}), "expected upper neighbors of supernodes from 0");
  wrong(file.with(file.upper_offsets() + 8, i64{1} << 40),
        "expected ascending offsets of the upper neighbors of supernodes, found ");
  const std::size_t last_upper = file.arc_offsets() - 4;
  wrong(file.with(file.upper_neighbors(), i32{-1}), "expected upper neighbors from 0 to ");
  wrong(file.with(last_upper, static_cast<i32>(n)), "expected upper neighbors from ");
  // Places that are no ancestors, or not in the front of the parent.
  std::size_t num_other_parents = 0;
  for (i32 place = 0; place < static_cast<i32>(n); ++place) {
    if (place == file.number<i32>(last_upper)) continue;
    wrong(file.with(last_upper, place), "");
    ++num_other_parents;
  }
  BOOST_CHECK_GT(num_other_parents, 30u);

  wrong(file.with(file.arc_offsets(), i64{1}), "expected arcs of vertices from 0 to ");
  wrong(file.with(file.arc_offsets() + 8, i64{-5}), "expected ascending offsets of the arcs");
  wrong(file.with(file.targets(), i32{-1}), "expected targets from 0 to 35, found the arc 0 -> -1");
  wrong(file.with(file.targets(), i32{36}), "expected targets from 0 to 35, found the arc 0 -> 36");
  wrong(file.with(file.targets(), i32{0}),
        "expected arcs between two vertices, found the arc 0 -> 0");
  wrong(file.with(file.targets(), i32{35}),
        "expected arcs for which the supernodes have places, found the arc 0 -> 35");
  wrong(file.with(file.arc_weights(), apsp::unreachable<i32>), "expected finite weights");
  // Shorter than a path can be, by the sweeps.
  wrong(file.with(file.arc_weights(), i32{-1000}), "expected arcs of sweeps as long as paths");
  wrong(file.with(file.arc_weights(), std::numeric_limits<i32>::lowest()), "expected ");

  wrong(file.with(file.up_offsets() + 8 * n, i64{1} << 40), "expected arcs up from 0 to ");
  wrong(file.with(file.up_offsets() + 8, i64{-1}), "expected ascending offsets of the arcs up");
  wrong(file.with(file.down_offsets(), i64{1}), "expected arcs down from 0 to ");
  for (const std::size_t arcs : {file.up_arcs(), file.down_arcs()}) {
    for (const i32 depth : {i32{-1}, i32{36}, std::numeric_limits<i32>::max()}) {
      wrong(file.with(arcs, depth),
            "expected depths of places above in the same front in the arcs");
    }
    wrong(file.with(arcs + 4, std::numeric_limits<i32>::max()),
          "expected arcs of sweeps as long as paths of the graph");
    wrong(file.with(arcs + 4, std::numeric_limits<i32>::lowest()),
          "expected arcs of sweeps as long as paths of the graph");
  }

  // Two arcs from a place to the same one above.
  std::size_t num_repeated = 0;
  for (std::size_t p = 0; p < n; ++p) {
    const auto first = static_cast<std::size_t>(file.number<i64>(file.down_offsets() + 8 * p));
    if (file.number<i64>(file.down_offsets() + 8 * p + 8) < static_cast<i64>(first + 2)) continue;
    const std::size_t arc = file.down_arcs() + 8 * first;
    wrong(file.with(arc + 8, file.number<i32>(arc)),
          "expected different depths for each place in the arcs down");
    ++num_repeated;
  }
  BOOST_CHECK_GT(num_repeated, 0u);

  // Without negative weights.
  const auto plain = prepared(lanes<float>(4, 1));
  const file_bytes floats(written(plain), 4, 4);
  const auto wrong_float = [&](std::size_t at, float w, const std::string& reason) {
    refused([&] { return read<float>(floats.with(at, w).sealed()); }, 0, reason);
  };
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  wrong_float(floats.arc_weights(), nan, "expected finite weights of the arcs of the graph");
  wrong_float(floats.arc_weights(), -infinity, "expected finite weights of the arcs of the graph");
  wrong_float(floats.up_arcs() + 4, nan, "expected finite weights in the arcs up");
  wrong_float(floats.down_arcs() + 4, infinity, "expected finite weights in the arcs down");
  wrong_float(floats.down_arcs() + 4, -1,
              "expected weights that are not negative in the arcs down");
  // Sums beyond the range.
  const auto steep = prepared(slopes<float>(6, 1));
  const file_bytes slope(written(steep), 4, 4);
  auto lowest = slope;
  for (std::size_t at = slope.up_arcs(); at < slope.down_offsets(); at += 8) {
    lowest = lowest.with(at + 4, std::numeric_limits<float>::lowest());
  }
  refused([&] { return read<float>(lowest.sealed()); }, 0,
          "expected arcs of sweeps as long as paths of the graph");
}

// Whatever is changed under a checksum, a file is refused, or calls with it run without a fault.
BOOST_AUTO_TEST_CASE(deceiving) {
  const auto check = [](const auto& g, std::size_t sum_size) {
    using T = std::decay_t<decltype(g.weights.front())>;
    const auto h = prepared(g);
    const file_bytes file(written(h), sizeof(T), sum_size);
    BOOST_REQUIRE_EQUAL(file.checksum() + 4, file.bytes().size());
    std::size_t num_refused = 0;
    std::size_t num_used = 0;
    for (std::size_t i = file_bytes::types_at; i < file.checksum(); ++i) {
      for (const int mask : {1, 2, 3, 4, 16, 64, 128, 255}) {
        const auto byte = static_cast<unsigned char>(file.bytes()[i]);
        try {
          use(read<T>(file.with(i, static_cast<char>(byte ^ mask)).sealed()));
          ++num_used;
        } catch (const apsp::file_error&) {
          ++num_refused;
        }
      }
    }
    BOOST_CHECK_GT(num_refused, 100u);
    BOOST_CHECK_GT(num_used, 100u);
  };
  check(slopes<std::int32_t>(4, 1), 4);
  check(lanes<std::int32_t>(4, 2), 4);
  check(slopes<float>(4, 3), 4);
  check(lanes<std::uint16_t>(4, 4), 4);
  auto far = slopes<std::int64_t>(3, 5);
  for (auto& w : far.weights) w *= std::int64_t{1} << 57;
  check(far, 16);
}

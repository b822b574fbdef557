// SPDX-License-Identifier: BSL-1.0
// Tests of matrices written for NumPy: every byte of the file is checked.
#define BOOST_TEST_MODULE npy
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/npy.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "../common/files.hpp"

using namespace apsp_test;

namespace {

struct npy {
  std::string header;
  std::string entries;
};

npy read_npy(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  BOOST_REQUIRE(bytes.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::size_t length = byte(8) + 256 * byte(9);
  BOOST_CHECK_EQUAL((10 + length) % 64, 0u);
  BOOST_CHECK_EQUAL(bytes[10 + length - 1], '\n');
  return {bytes.substr(10, length), bytes.substr(10 + length)};
}

// Writes matrices of several shapes and checks every byte of the files.
template <class T>
void check_npy(const std::string& type) {
  const auto file = temporary("m.npy");
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{2, 3}, {1, 1}, {0, 0}, {0, 5}, {17, 1}, {123, 45}}) {
    apsp::matrix<T> m(rows, columns);
    int next = 0;
    for (T& entry : m) entry = static_cast<T>(++next);
    apsp::write_npy(file, m);
    const npy read = read_npy(file);
    const std::string expected = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" +
                                 std::to_string(rows) + ", " + std::to_string(columns) + "), }";
    BOOST_CHECK(read.header.starts_with(expected));
    BOOST_REQUIRE_EQUAL(read.entries.size(), rows * columns * sizeof(T));
    BOOST_CHECK(std::equal(read.entries.begin(), read.entries.end(),
                           reinterpret_cast<const char*>(m.data())));
    apsp::write_npy(file, m.data(), rows, columns);
    BOOST_CHECK_EQUAL(read_npy(file).entries, read.entries);
  }
  std::filesystem::remove(file);
}

}  // namespace

BOOST_AUTO_TEST_CASE(numpy_files) {
  check_npy<float>("<f4");
  check_npy<double>("<f8");
  check_npy<std::int32_t>("<i4");
  check_npy<std::int64_t>("<i8");
  check_npy<std::uint16_t>("<u2");
  check_npy<std::int8_t>("|i1");
  check_npy<bool>("|b1");

  // A contiguous matrix is written at once, any other matrix row by row.
  const auto file = temporary("rows.npy");
  apsp::write_npy(file, std::vector<std::vector<std::uint8_t>>{{'a', 'b'}, {'c', 'd'}, {'e', 'f'}});
  BOOST_CHECK_EQUAL(read_npy(file).entries, "abcdef");
  std::filesystem::remove(file);
  const std::vector<std::vector<int>> ragged{{1, 2}, {3}};
  refused([&] { apsp::write_npy(file, ragged); }, 0, "unequal length");
  BOOST_CHECK(!std::filesystem::exists(file));

  const apsp::matrix<float> m(1000);
  refused([&] { apsp::write_npy("/no/such/folder/m.npy", m); }, 0, "cannot be opened");
  refused([&] { apsp::write_npy(std::filesystem::temp_directory_path(), m); }, 0,
          "cannot be opened");
  if (std::filesystem::exists("/dev/full")) {
    refused([&] { apsp::write_npy("/dev/full", m); }, 0, "cannot be written");
    refused([&] { apsp::write_npy("/dev/full", m.data(), 1, 1); }, 0, "cannot be written");
  }
}

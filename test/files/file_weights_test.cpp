// SPDX-License-Identifier: BSL-1.0
// Tests of weights in graph files: they are read exactly or refused.
#define BOOST_TEST_MODULE file_weights
#include <boost/test/unit_test.hpp>

#include <apsp/files.hpp>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>

#include "../common/files.hpp"

using namespace apsp_test;

namespace {

// Returns the weight of an arc that is on line 2.
template <class W>
W weight_of(const std::string& written) {
  std::istringstream in("p sp 2 1\na 1 2 " + written + "\n");
  return apsp::read_dimacs<W>(in, "test.gr").weights()[0];
}

}  // namespace

BOOST_AUTO_TEST_CASE(floating_point_weights) {
  const auto weight = [](const std::string& w) { return weight_of<double>(w); };
  BOOST_CHECK_EQUAL(weight("1e-3"), 0.001);
  BOOST_CHECK_EQUAL(weight("+2.5"), 2.5);
  BOOST_CHECK_EQUAL(weight("-.5E+1"), -5.0);
  BOOST_CHECK_EQUAL(weight("3."), 3.0);
  BOOST_CHECK_EQUAL(weight("-0"), 0.0);
  BOOST_CHECK_EQUAL(weight("0e99999"), 0.0);
  BOOST_CHECK_EQUAL(weight("0.1000000000000000055511151231257827"), 0.1);
  BOOST_CHECK_EQUAL(weight("5e-324"), std::numeric_limits<double>::denorm_min());
  BOOST_CHECK_EQUAL(weight("1.7976931348623157e308"), std::numeric_limits<double>::max());
  for (const char* bad : {"nan", "inf", "-inf", "infinity", "-nan"}) {
    refused([&] { weight(bad); }, 2, "weight '" + std::string(bad) + "' is not finite");
  }
  for (const char* bad : {"1e400", "-1e400", "1e-400", "1e99999999999999999999"}) {
    refused([&] { weight(bad); }, 2, "weight '" + std::string(bad) + "' is out of the range");
  }
  for (const char* bad : {"0x10", "1,5", "--1", "+-1", "-+1", "++1", "+", "-", ".", "e5", "1e",
                          "1d5", "1_000", "+inf", "1.2.3"}) {
    refused([&] { weight(bad); }, 2, "weight '" + std::string(bad) + "' is not a number");
  }
  refused([] { weight_of<float>("1e39"); }, 2, "out of the range");
  refused([] { weight_of<float>("1e-60"); }, 2, "out of the range");
  // Rounding to double first would give 1.
  BOOST_CHECK_EQUAL(weight_of<float>("1.00000005960464477540"), 1.00000011920928955F);
}

BOOST_AUTO_TEST_CASE(integer_weights) {
  const auto small = [](const std::string& w) { return weight_of<std::int32_t>(w); };
  for (const char* twelve : {"12", "+12", "12.", "12.000", "1.2e1", "0.0012e+4", "1200E-2"}) {
    BOOST_CHECK_EQUAL(small(twelve), 12);
    BOOST_CHECK_EQUAL(weight_of<std::int64_t>(twelve), 12);
  }
  for (const char* zero : {"0", "-0", "0.0", ".0", "0e999999999999999999999", "0e-5"}) {
    BOOST_CHECK_EQUAL(small(zero), 0);
  }
  BOOST_CHECK_EQUAL(small("-2147483648"), std::numeric_limits<std::int32_t>::lowest());
  BOOST_CHECK_EQUAL(small("2147483646"), 2147483646);
  BOOST_CHECK_EQUAL(small("21474836.46e2"), 2147483646);
  for (const char* bad :
       {"0.5", "-1.5", "1e-1", "12.5e0", "1.00000000000000000000001", "1e-999999999999999999999"}) {
    refused([&] { small(bad); }, 2, "weight '" + std::string(bad) + "' is not an integer");
  }
  // As a weight, the largest integer means that there is no edge.
  for (const char* bad : {"2147483647", "2147483647.0", "2147483648", "-2147483649", "3e9", "1e400",
                          "-1e999999999999999999999"}) {
    refused([&] { small(bad); }, 2, "weight '" + std::string(bad) + "' is out of the range");
  }
  for (const char* bad : {"nan", "inf", "x", "1e", "1e+", "1e+-2", "1.e.", ".", "-", "0x1F"}) {
    refused([&] { small(bad); }, 2, "weight '" + std::string(bad) + "' is not a number");
  }
  // A double would round these integers.
  BOOST_CHECK_EQUAL(weight_of<std::int64_t>("9007199254740993"), 9007199254740993);
  BOOST_CHECK_EQUAL(weight_of<std::int64_t>("9007199254740993.0"), 9007199254740993);
  BOOST_CHECK_EQUAL(weight_of<std::int64_t>("922337203685477580.6e1"), 9223372036854775806);
  BOOST_CHECK_EQUAL(weight_of<std::int64_t>("-9223372036854775808"),
                    std::numeric_limits<std::int64_t>::lowest());
  refused([] { weight_of<std::int64_t>("9223372036854775807"); }, 2, "out of the range");
  refused([] { weight_of<std::int64_t>("92233720368547758080e0"); }, 2, "out of the range");
}

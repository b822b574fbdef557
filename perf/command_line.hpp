// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The command line of benchmarks that are to need no library but apsp.
namespace command_line {

/// The parts of a list with commas.
inline std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

/// A number of type T, all of it: "12x" is none.
template <class T>
T to_number(const std::string& text) {
  std::istringstream in(text);
  T value{};
  if (text.empty() || text.front() == '-' || !(in >> value) || !in.eof()) {
    throw std::runtime_error("'" + text + "' is not a number that fits here");
  }
  return value;
}

/// An option by its name and the variable that it sets, which must outlive it. Its type says what
/// the option takes: a bool nothing, a string any text, a vector a list with commas, a number a
/// number.
class option {
 public:
  option(std::string name, bool& flag)
      : name_(std::move(name)), takes_value_(false), set_([&flag](const auto&) { flag = true; }) {}
  option(std::string name, std::string& text)
      : name_(std::move(name)), set_([&text](const std::string& value) { text = value; }) {}
  option(std::string name, std::vector<std::string>& list)
      : name_(std::move(name)), set_([&list](const std::string& value) { list = split(value); }) {}
  /// Numbers below @p least are taken for it.
  template <class Number>
  option(std::string name, Number& number,
         std::type_identity_t<Number> least = std::numeric_limits<Number>::lowest())
      : name_(std::move(name)), set_([&number, least](const std::string& value) {
          number = std::max(least, to_number<Number>(value));
        }) {}

  const std::string& name() const { return name_; }
  bool takes_value() const { return takes_value_; }
  void set(const std::string& value) const { set_(value); }

 private:
  std::string name_;
  bool takes_value_ = true;
  std::function<void(const std::string& value)> set_;
};

/// Sets what the arguments ask for and leaves all else as it is.
/// @throws std::runtime_error if one of them is no option of these or has no value or a wrong one.
inline void read(int argc, char** argv, std::initializer_list<option> options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto* const known = std::find_if(options.begin(), options.end(),
                                           [&](const option& o) { return o.name() == name; });
    const bool is_known = known != options.end();
    if (is_known && !known->takes_value()) {
      known->set("");
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error(name + " is unknown or lacks a value");
    if (!is_known) throw std::runtime_error(name + " is unknown");
    known->set(argv[++i]);
  }
}

/// What main() returns: that of @p run(), 0 after --help as the first argument, which prints
/// @p usage, and 2 after an exception, whose text goes to standard error behind the name of the
/// program.
template <class Run>
int run_program(const char* program, const char* usage, int argc, char** argv, Run run) {
  try {
    if (argc > 1 && std::string(argv[1]) == "--help") {
      std::cout << usage;
      return 0;
    }
    return run();
  } catch (const std::exception& e) {
    std::cerr << program << ": " << e.what() << "\n";
    return 2;
  }
}

}  // namespace command_line

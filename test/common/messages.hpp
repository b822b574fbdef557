// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>

// Checks of exceptions and their messages.
namespace apsp_test {

/// Returns the message of the exception, which @p f must throw. What it returns is ignored.
template <class Exception, class F>
std::string message_of(F f) {
  try {
    static_cast<void>(f());
  } catch (const Exception& error) {
    return error.what();
  }
  BOOST_ERROR("nothing was thrown");
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Checks that @p f throws such an exception whose message contains @p words.
template <class Exception = std::invalid_argument, class F>
void check_refused(F f, const std::string& words = "") {
  const auto message = message_of<Exception>(f);
  BOOST_CHECK_MESSAGE(contains(message, words), message << " does not say: " << words);
}

}  // namespace apsp_test

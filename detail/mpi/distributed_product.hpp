// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../dense/call/host_product.hpp"
#include "../dense/call/product_call.hpp"
#include "../matrix/product_shape.hpp"
#include "../values/distance_code.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "grid.hpp"
#include "panel_product.hpp"

namespace apsp::inline v1::detail::mpi {

/// The operands of a product whose whole rows lie on several processes. Whatever fails on one
/// process is thrown on all, and a stop is one of all.
template <class Backend, class A, class B, class D>
class distributed_product {
 public:
  /// @param a, b, c  the parts of this process.
  /// @param shape    of the whole product.
  distributed_product(const grid& processes, const Backend& backend, A& a, B& b, D& c,
                      const product_shape_of_call& shape)
      : processes_(processes), backend_(backend), a_(a), b_(b), c_(c), shape_(shape) {}

  backend name() const { return backend_.name(); }
  monitor& watch() const { return backend_.watch(); }
  bool stop_requested() const {
    return processes_.everywhere().maximum(backend_.watch().stop_requested()) != 0;
  }
  bool is_empty() const { return shape_.rows == 0 || shape_.columns == 0 || shape_.depth == 0; }

  /// @return what holds for the entries of all processes.
  template <class S>
  operand_ranges check_entries(const S& semiring) {
    operand_ranges mine;
    std::vector<operand_ranges> all;
    together(processes_.everywhere(), [&] {
      const operand_shapes shapes(shape_, processes_.own_part(shape_.rows, shape_.columns).rows,
                                  processes_.own_part(shape_.depth, shape_.columns).rows);
      operands_.emplace(a_, b_, c_, shapes, backend_.host_threads());
      mine = operands_->check_entries(semiring);
      all.resize(static_cast<std::size_t>(processes_.everywhere().size()));
    });
    processes_.everywhere().gather(&mine, sizeof mine, all.data());
    for (const operand_ranges& theirs : all) {
      join(mine.left, theirs.left);
      join(mine.right, theirs.right);
      join(mine.result, theirs.result);
      mine.nonnegative &= theirs.nonnegative;
    }
    return mine;
  }

  template <class S, class Code, class C = typename S::value_type>
  void multiply(const S& semiring, const Code& code, const operand_ranges& found, result& done) {
    using operand_rows = typename host_operands<A, B, D>::template rows<S, Code>;
    const communicator& everywhere = processes_.everywhere();
    std::optional<operand_rows> rows;
    std::optional<panel_product<Backend, S>> product;
    together(everywhere, [&] {
      rows.emplace(*operands_, code, found);
      product.emplace(processes_, backend_, semiring, shape_, code.unreachable);
    });
    const bool finished =
        product->begin(shape_.depth) &&
        product->relax(rows->a(), rows->b(), rows->c(),
                       operand_rows::is_own_type && found.nonnegative, [&](auto& solver) {
                         if constexpr (operand_rows::is_coded) {
                           solver.replace_from(code.unreachable_from, largest_value<C>());
                         }
                       });
    if (!finished) {
      done.set_stopped();
      return;
    }
    std::array<std::uint64_t, 1> was_cut{};
    const std::exception_ptr failure = failure_of([&] { was_cut[0] = rows->write(); });
    agree_on_success(everywhere, failure, was_cut);
    done.set_saturated(was_cut[0] != 0);
  }

 private:
  static void join(operand_range& range, const operand_range& other) {
    range.largest_magnitude = std::max(range.largest_magnitude, other.largest_magnitude);
    range.has_unreachable |= other.has_unreachable;
  }

  const grid& processes_;
  const Backend& backend_;
  A& a_;
  B& b_;
  D& c_;
  product_shape_of_call shape_;
  std::optional<host_operands<A, B, D>> operands_;
};

}  // namespace apsp::inline v1::detail::mpi

// SPDX-License-Identifier: BSL-1.0
#include "graphblas_rival.hpp"

#include <algorithm>
#include <apsp/unreachable.hpp>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include "../common/timing.hpp"

// The header does not declare its C functions as such for C++. The headers that it includes are
// included above, or do so themselves.
extern "C" {
#include <GraphBLAS.h>
}

namespace apsp_perf {
namespace {

void check(GrB_Info info, const char* what) {
  if (info != GrB_SUCCESS) {
    throw std::runtime_error(std::string(what) + " failed: " + std::to_string(info));
  }
}

class owned_matrix {
 public:
  owned_matrix(std::size_t rows, std::size_t columns) {
    check(GrB_Matrix_new(&handle_, GrB_FP32, rows, columns), "GrB_Matrix_new");
  }
  owned_matrix(const owned_matrix&) = delete;
  owned_matrix& operator=(const owned_matrix&) = delete;
  ~owned_matrix() { GrB_Matrix_free(&handle_); }

  GrB_Matrix get() const { return handle_; }

  // Full format: all entries by row, without a pattern. GraphBLAS takes ownership of the memory.
  void fill(std::size_t count, auto write) {
    void* entries = std::malloc(count * sizeof(float));
    if (entries == nullptr) throw std::bad_alloc();
    write(static_cast<float*>(entries));
    check(GxB_Matrix_pack_FullR(handle_, &entries, count * sizeof(float), false, nullptr),
          "GxB_Matrix_pack_FullR");
  }
  void wait() { check(GrB_Matrix_wait(handle_, GrB_MATERIALIZE), "GrB_Matrix_wait"); }

 private:
  GrB_Matrix handle_ = nullptr;
};

void fill(owned_matrix& to, const apsp::matrix<float>& from) {
  to.fill(from.rows() * from.cols(),
          [&](float* entries) { std::copy(from.begin(), from.end(), entries); });
}

}  // namespace

struct graphblas_product::matrices {
  std::size_t rows;
  std::size_t columns;
  owned_matrix a;
  owned_matrix b;
  std::unique_ptr<owned_matrix> c;
};

graphblas_product::graphblas_product(const apsp::matrix<float>& a, const apsp::matrix<float>& b,
                                     graphblas_form form, int threads)
    : form_(form) {
  [[maybe_unused]] static const bool started = [] {
    check(GrB_init(GrB_NONBLOCKING), "GrB_init");
    return true;
  }();
  check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads), "GxB_NTHREADS");
  m_.reset(new matrices{a.rows(), b.cols(), {a.rows(), a.cols()}, {b.rows(), b.cols()}, nullptr});
  fill(m_->a, a);
  fill(m_->b, b);
  if (form == graphblas_form::accumulate_sparse) {
    check(GxB_Matrix_Option_set(m_->b.get(), GxB_SPARSITY_CONTROL, GxB_SPARSE),
          "GxB_SPARSITY_CONTROL");
  }
  m_->a.wait();
  m_->b.wait();
}

graphblas_product::~graphblas_product() = default;

double graphblas_product::multiply() {
  m_->c = std::make_unique<owned_matrix>(m_->rows, m_->columns);
  const bool accumulates = form_ != graphblas_form::product;
  if (accumulates) {
    const std::size_t count = m_->rows * m_->columns;
    m_->c->fill(count,
                [&](float* entries) { std::fill_n(entries, count, apsp::unreachable<float>); });
    m_->c->wait();
  }
  return timing::seconds_of([&] {
    check(GrB_mxm(m_->c->get(), nullptr, accumulates ? GrB_MIN_FP32 : nullptr,
                  GrB_MIN_PLUS_SEMIRING_FP32, m_->a.get(), m_->b.get(), nullptr),
          "GrB_mxm");
    m_->c->wait();
  });
}

apsp::matrix<float> graphblas_product::take_result() {
  void* entries = nullptr;
  GrB_Index bytes = 0;
  bool is_iso = false;
  check(GxB_Matrix_unpack_FullR(m_->c->get(), &entries, &bytes, &is_iso, nullptr),
        "GxB_Matrix_unpack_FullR");
  const std::unique_ptr<float, decltype(&std::free)> owner(static_cast<float*>(entries), std::free);
  const std::size_t count = is_iso ? 1 : m_->rows * m_->columns;
  apsp::matrix<float> result(m_->rows, m_->columns, *owner);
  std::copy_n(owner.get(), count, result.data());
  return result;
}

}  // namespace apsp_perf

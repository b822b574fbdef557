// SPDX-License-Identifier: BSL-1.0
// Compiled once per instruction set, with APSP_LIMIT_INSTRUCTION_SET, which is also the name of the
// table, and APSP_LIMIT_VECTOR_BYTES. Needs the vector extensions of GCC or Clang.
#include "host_limit.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace {

constexpr std::size_t vector_bytes = APSP_LIMIT_VECTOR_BYTES;
// As in a tile kernel, rows x columns sums are in registers, with one a per row and one b per
// column. There are 32 registers with vectors of 64 bytes, and 16 otherwise.
constexpr int rows = vector_bytes == 64 ? 4 : 2;
constexpr int columns = 4;

// Hides the value of x from the compiler, which would otherwise move the sums out of the loop.
template <class V>
inline void touch(V& x) {
#if defined(__x86_64__)
  asm volatile("" : "+v"(x));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(x));
#else
  asm volatile("" : "+m"(x));
#endif
}

// The sums of one row. The parameter is the weight, because GCC drops the size of a vector type
// that is a template argument.
template <class W>
struct sums {
  typedef W vector __attribute__((vector_size(vector_bytes)));
  vector x0, x1, x2, x3;
};

template <class V>
inline void relax(const V& a, const V& b, V& c) {
  const V sum = a + b;
  c = sum < c ? sum : c;
}

// Written entry by entry: GCC keeps an array in memory if its index is a variable, even one that
// unrolling removes.
template <class W, class V>
inline void relax_row(V& a, const sums<W>& b, sums<W>& c) {
  touch(a);
  relax(a, b.x0, c.x0);
  relax(a, b.x1, c.x1);
  relax(a, b.x2, c.x2);
  relax(a, b.x3, c.x3);
}

template <class W>
double relax_in_registers(int steps) {
  sums<W> c0{}, c1{}, c2{}, c3{};
  touch(c0.x0);
  const sums<W> b = c0;
  auto a0 = b.x0, a1 = b.x1, a2 = b.x2, a3 = b.x3;
  for (int step = 0; step < steps; ++step) {
    relax_row(a0, b, c0);
    relax_row(a1, b, c1);
    if constexpr (rows == 4) {
      relax_row(a2, b, c2);
      relax_row(a3, b, c3);
    }
  }
  // Prevents the compiler from removing the sums.
  for (sums<W>* c : {&c0, &c1, &c2, &c3}) {
    touch(c->x0);
    touch(c->x1);
    touch(c->x2);
    touch(c->x3);
  }
  return static_cast<double>(steps) * rows * columns * (vector_bytes / sizeof(W));
}

}  // namespace

#define APSP_LIMIT_TEXT(x) #x
#define APSP_LIMIT_NAME(x) APSP_LIMIT_TEXT(x)
const host_limit::loops host_limit::APSP_LIMIT_INSTRUCTION_SET = {
    APSP_LIMIT_NAME(APSP_LIMIT_INSTRUCTION_SET), relax_in_registers<float>,
    relax_in_registers<double>, relax_in_registers<std::int32_t>, relax_in_registers<std::int64_t>};

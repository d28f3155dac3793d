// Results that take the place of an operand.

#include <gtest/gtest.h>

#include "sim/lowering/memory_use.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

constexpr int64_t kMiB = 1 << 20;

// The buffer of `name`.
const Buffer& BufferOf(const Program& program, std::string_view name) {
  const OpId id = OpNamed(program, name).id;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.value == id) return buffer;
  }
  ADD_FAILURE() << "no buffer of " << name;
  return program.buffers.front();
}

// Whether `result` is written over `operand`.
bool IsInPlace(const Program& program, std::string_view result, std::string_view operand) {
  const int32_t from = BufferOf(program, result).in_place_of;
  return from >= 0 && program.buffers[from].value == OpNamed(program, operand).id;
}

TEST(InPlace, AnElementwiseKernelWritesOverADyingOperand) {
  const Program program = BackendWithoutFusion(R"(graph "g" {
    x = f32[512,512] parameter()
    a = f32[512,512] opaque(x), label="first"
    b = f32[512,512] exponential(a)
    c = f32[512,512] opaque(b), label="last"
    output result c
  })");
  EXPECT_TRUE(IsInPlace(program, "b", "a"));
  // x, and two of the three in turn.
  EXPECT_EQ(program.memory.peak.value, 3 * kMiB);
  EXPECT_EQ(PackedSize(program.buffers), Bytes{3 * kMiB});
}

TEST(InPlace, WhatIsReadLaterKeepsItsBytes) {
  const Program program = BackendWithoutFusion(R"(graph "g" {
    x = f32[512,512] parameter()
    a = f32[512,512] opaque(x), label="first"
    b = f32[512,512] exponential(a)
    c = f32[512,512] opaque(b, a), label="last"
    output result c
  })");
  EXPECT_FALSE(IsInPlace(program, "b", "a"));
  EXPECT_EQ(program.memory.peak.value, 4 * kMiB);
}

TEST(InPlace, ArgumentsKeepTheirBytes) {
  const Program program = BackendWithoutFusion(R"(graph "g" {
    x = f32[512,512] parameter()
    b = f32[512,512] exponential(x)
    c = f32[512,512] opaque(b), label="last"
    output result c
  })");
  EXPECT_EQ(BufferOf(program, "b").in_place_of, -1);
}

TEST(InPlace, NotWhereElementsMove) {
  const Program program = BackendWithoutFusion(R"(graph "g" {
    x = f32[512,512] parameter()
    a = f32[512,512] opaque(x), label="first"
    b = f32[512,512] reverse(a), dims={1}
    c = f32[512,512] opaque(b), label="last"
    output result c
  })");
  EXPECT_FALSE(IsInPlace(program, "b", "a"));
}

TEST(InPlace, NotForAnotherSize) {
  const Program program = BackendWithoutFusion(R"(graph "g" {
    x = f32[512,512] parameter()
    a = f32[512,512] opaque(x), label="first"
    b = bf16[512,512] convert(a)
    c = f32[512,512] opaque(b), label="last"
    output result c
  })");
  EXPECT_EQ(BufferOf(program, "b").in_place_of, -1);
}

TEST(InPlace, AProductWritesOverWhatIsAddedToItNotOverItsFactors) {
  const Program program = Backend(R"(graph "g" {
    x = f32[512,512] parameter()
    a = f32[512,512] opaque(x), label="first"
    s = f32[512,512] opaque(x), label="second"
    p = f32[512,512] dot(a, x), lhs_contract={1}, rhs_contract={0}
    b = f32[512,512] add(p, s)
    c = f32[512,512] opaque(b), label="last"
    output result c
  })");
  EXPECT_TRUE(IsInPlace(program, "b", "s"));
}

TEST(InPlace, EachOperandIsGivenOnce) {
  const Program program = Backend(R"(graph "g" {
    x = f32[512,512] parameter()
    a = f32[512,512] opaque(x), label="first"
    b = f32[512,512] exponential(a)
    d = f32[512,512] negate(a)
    c = f32[512,512] opaque(b, d), label="last"
    output result c
  })");
  const Buffer& b = BufferOf(program, "b");
  const Buffer& d = BufferOf(program, "d");
  EXPECT_NE(b.in_place_of >= 0, d.in_place_of >= 0);
}

TEST(InPlace, SumsOverTheCoresStayWhereTheirTermsAre) {
  const Program program = Backend(R"(graph "g" {
    x = f32[512,512] parameter()
    a = f32[512,512] opaque(x), label="first"
    s = f32[512,512] all-reduce(a)
    c = f32[512,512] opaque(s), label="last"
    output result c
  })");
  EXPECT_TRUE(IsInPlace(program, "s", "a"));
}

}  // namespace
}  // namespace tilewise

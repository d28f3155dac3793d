// Layouts and kernels of a compiler's dump are taken over.

#include <gmock/gmock.h>

#include "sim/lowering/lower.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::string_view kText = R"(graph "g" {
  x = f32[256,512] parameter()
  a = f32[256,512] exponential(x)
  b = f32[256,512] negate(a)
  c = f32[256,512] tanh(b)
  output result c
})";

absl::StatusOr<Program> LowerAs(const Compilation& compilation) {
  LowerOptions options;
  options.training = false;
  options.compilation = &compilation;
  return Lower(GraphOf(kText), 1, BackendTarget(), options);
}

// a apart, b and c together, though one kernel would do.
Compilation TwoKernels() {
  Compilation compilation;
  compilation.kernels = {"exp.1", "fusion.2"};
  compilation.kernel_of = {-1, 0, 1, 1};
  compilation.layouts.resize(4);
  return compilation;
}

TEST(Compiled, KernelsAreThoseOfTheDump) {
  const absl::StatusOr<Program> program = LowerAs(TwoKernels());
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_THAT(program->kernels, SizeIs(2));
  EXPECT_THAT(program->kernels[0].ops, SizeIs(1));
  EXPECT_THAT(program->kernels[1].ops, SizeIs(2));
}

TEST(Compiled, LayoutsAreThoseOfTheDump) {
  Compilation compilation = TwoKernels();
  compilation.layouts[1] = PhysicalLayout{{0, 1}, {{8, 128}, {2, 1}}, 0};
  const absl::StatusOr<Program> program = LowerAs(compilation);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(FormatLayout(program->layouts[1]), "{0,1:T(8,128)}");
}

TEST(Compiled, WhatTheDumpKeepsOnChipTakesNoHbm) {
  Compilation compilation = TwoKernels();
  compilation.layouts[1] = PhysicalLayout{{1, 0}, {{8, 128}}, 1};
  const absl::StatusOr<Program> program = LowerAs(compilation);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->kernels[0].to_hbm().value, 0);
  EXPECT_EQ(program->kernels[1].from_hbm().value, 0);
  EXPECT_EQ(program->kernels[1].to_hbm().value, 256 * 512 * 4);
}

TEST(Compiled, KernelThatComesTwiceIsAnError) {
  Compilation compilation = TwoKernels();
  compilation.kernel_of = {-1, 0, 1, 0};
  EXPECT_THAT(LowerAs(compilation).status().message(), HasSubstr("expected its ops together"));
}

TEST(Compiled, LayoutOfAnotherRankIsAnError) {
  Compilation compilation = TwoKernels();
  compilation.layouts[2] = PhysicalLayout{{2, 1, 0}, {}, 0};
  EXPECT_THAT(LowerAs(compilation).status().message(),
              HasSubstr("expected the dims of f32[256,512]"));
}

// A kernel of the dump whose result is a broadcast writes it; one within a
// kernel is free.
TEST(Compiled, ABroadcastThatIsAKernelIsWritten) {
  const Graph graph = GraphOf(R"(graph "g" {
    v = f32[512] parameter()
    x = f32[256,512] parameter()
    a = f32[256,512] broadcast(v), dims={1}
    b = f32[256,512] add(x, a)
    output result b
  })");
  const auto lower = [&](const std::vector<int32_t>& kernel_of) {
    Compilation compilation;
    compilation.kernels = {"broadcast.1", "add.2"};
    compilation.kernel_of = kernel_of;
    compilation.layouts.resize(4);
    LowerOptions options;
    options.training = false;
    options.compilation = &compilation;
    return *Lower(graph, 1, BackendTarget(), options);
  };
  const int64_t matrix = 256 * 512 * 4;
  const Program apart = lower({-1, -1, 0, 1});
  ASSERT_THAT(apart.kernels, SizeIs(2));
  EXPECT_EQ(apart.kernels[0].hbm_write.value, matrix);
  EXPECT_EQ(apart.kernels[1].hbm_read.value, 2 * matrix);
  const Program together = lower({-1, -1, 1, 1});
  ASSERT_THAT(together.kernels, SizeIs(1));
  EXPECT_LT(together.kernels[0].hbm_read.value, 2 * matrix);
}

}  // namespace
}  // namespace tilewise

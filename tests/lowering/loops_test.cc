// Ops that stand in a loop: iterations, what a loop carries, what it keeps.

#include <gmock/gmock.h>

#include "sim/lowering/lower.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

// Adds x w to a carried value in each of five iterations.
constexpr std::string_view kSummingLoop = R"(graph "g" {
  x = f32[256,256] parameter()
  w = f32[256,256] variable()
  zero = f32[] constant(), value=0
  start = f32[256,256] broadcast(zero), dims={}
  carried = f32[256,256] optimization-barrier(start), loop=1, trip_count=5
  y = f32[256,256] dot(x, w), lhs_contract={1}, rhs_contract={0}, loop=1, trip_count=5
  sum = f32[256,256] add(carried, y), loop=1, trip_count=5
  after = f32[256,256] exponential(sum)
  output result after
})";

const Kernel* KernelOf(const Program& program, std::string_view name) {
  const OpId id = OpNamed(program, name).id;
  for (const Kernel& kernel : program.kernels) {
    if (std::find(kernel.ops.begin(), kernel.ops.end(), id) != kernel.ops.end()) {
      return &kernel;
    }
  }
  return nullptr;
}

TEST(Loops, KernelsOfABodyRunOnceAIteration) {
  const Program program = Backend(kSummingLoop);
  EXPECT_EQ(KernelOf(program, "y")->repeat, 5);
  EXPECT_EQ(KernelOf(program, "after")->repeat, 1);
}

TEST(Loops, WhatFollowsALoopIsNoEpilogueOfItsBody) {
  const Program program = Backend(kSummingLoop);
  EXPECT_EQ(KernelOf(program, "y"), KernelOf(program, "sum"));
  EXPECT_NE(KernelOf(program, "sum"), KernelOf(program, "after"));
}

TEST(Loops, ZerosThatALoopStartsFromAreWrittenOnce) {
  const Program program = Backend(kSummingLoop);
  const Kernel* start = KernelOf(program, "carried");
  ASSERT_NE(start, nullptr);
  EXPECT_EQ(start->repeat, 1);
  EXPECT_EQ(start->hbm_write.value, 256 * 256 * 4);
}

TEST(Loops, ACarriedValueIsUpdatedInPlace) {
  const Program program = Backend(R"(graph "g" {
    x = f32[8,128] parameter()
    i = s32[] parameter()
    zero = f32[] constant(), value=0
    start = f32[1024,128] broadcast(zero), dims={}
    carried = f32[1024,128] optimization-barrier(start), loop=1, trip_count=128
    e = f32[8,128] exponential(x), loop=1, trip_count=128
    new = f32[1024,128] dynamic-update-slice(carried, e, i), dims={0}, loop=1, trip_count=128
    output result new
  })");
  EXPECT_LE(KernelOf(program, "new")->hbm_write.value, 8 * 128 * 4);
}

TEST(Loops, EqualOpsInsideAndOutsideAreNotMerged) {
  const Program program = RunPasses(GraphOf(R"(graph "g" {
    x = f32[256,256] parameter()
    a = f32[256,256] exponential(x)
    b = f32[256,256] exponential(x), loop=1, trip_count=3
    s = f32[256,256] add(a, b)
    output result s
  })"),
                                    BackendTarget(), {RunSimplify});
  EXPECT_EQ(program.graph.size(), 4);
}

TEST(Loops, ResultsOfIterationsAreKeptForTheGradients) {
  constexpr std::string_view kText = R"(graph "g" {
    x = f32[N,256] parameter()
    w = f32[256,256] variable()
    carried = f32[N,256] optimization-barrier(x), loop=1, trip_count=7
    y = f32[N,256] dot(carried, w), lhs_contract={1}, rhs_contract={0}, loop=1, trip_count=7
    t = f32[N,256] tanh(y), loop=1, trip_count=7
    output result t
  })";
  const Target target = BackendTarget();
  absl::StatusOr<Program> program = Lower(GraphOf(kText), 128, target, {});
  ASSERT_TRUE(program.ok()) << program.status();
  int64_t largest = 0;
  for (const Buffer& buffer : program->buffers) {
    if (buffer.use != BufferUse::kActivation) continue;
    largest = std::max(largest, buffer.padded.value);
  }
  EXPECT_EQ(largest, 7 * 128 * 256 * 4);
  int64_t backward = 0;
  for (const Kernel& kernel : program->kernels) {
    if (kernel.kind == KernelKind::kMatrix && kernel.phase == Phase::kBackward)
      backward += kernel.repeat;
  }
  EXPECT_EQ(backward, 2 * 7);  // of x and of w
}

}  // namespace
}  // namespace tilewise

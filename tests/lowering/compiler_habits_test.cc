// What changes in a training step with the compiler of older frameworks.

#include <algorithm>

#include "sim/lowering/lower.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

constexpr std::string_view kTwoLayers = R"(graph "mlp" {
  x = f32[N,512] parameter()
  w1 = f32[512,1024] variable()
  y1 = f32[N,1024] dot(x, w1), lhs_contract={1}, rhs_contract={0}
  zero = f32[] constant(), value=0
  z = f32[N,1024] broadcast(zero), dims={}
  r1 = f32[N,1024] maximum(y1, z)
  w2 = f32[1024,512] variable()
  y2 = f32[N,512] dot(r1, w2), lhs_contract={1}, rhs_contract={0}
  output result y2
})";

Program LowerWith(OptimizerKind optimizer, CompilerHabits habits) {
  LowerOptions options;
  options.spec.optimizer = optimizer;
  options.compiler = habits;
  Target target = BackendTarget();
  target.cores = 8;
  absl::StatusOr<Program> program = Lower(GraphOf(kTwoLayers), 8, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : Program();
}

int64_t Count(const Program& program, KernelKind kind, Phase phase) {
  return std::count_if(program.kernels.begin(), program.kernels.end(),
                       [&](const Kernel& k) { return k.kind == kind && k.phase == phase; });
}

// Passes of the update kernels over one variable's bytes.
double UpdatePasses(const Program& program) {
  constexpr double kVariables = 2 * 4.0 * 512 * 1024;
  double bytes = 0;
  for (const Kernel& kernel : program.kernels) {
    if (kernel.phase != Phase::kUpdate) continue;
    if (kernel.kind == KernelKind::kCollective) continue;
    bytes += static_cast<double>((kernel.hbm_read + kernel.hbm_write).value);
  }
  return bytes / kVariables;
}

// Gradient, variable and two slots in; variable and slots out.
TEST(FusedUpdates, ReadAndWriteEachValueOnce) {
  const Program program = LowerWith(OptimizerKind::kRmsPropMomentum, {});
  EXPECT_NEAR(UpdatePasses(program), 7, 0.01);
  EXPECT_EQ(Count(program, KernelKind::kLoop, Phase::kUpdate), 2);
}

// Mean square 3, momentum 4 as it reads the new mean square, variable 3.
TEST(SingleOutputUpdates, ReadWhatTheLastOneWrote) {
  const Program program = LowerWith(OptimizerKind::kRmsPropMomentum, {.fuses_updates = false});
  EXPECT_NEAR(UpdatePasses(program), 10, 0.01);
  EXPECT_EQ(Count(program, KernelKind::kLoop, Phase::kUpdate), 6);
}

TEST(SingleOutputUpdates, AreNotMergedAsReadersOfOneGradient) {
  const Program program = LowerWith(OptimizerKind::kAdam, {.fuses_updates = false});
  for (const Kernel& kernel : program.kernels) {
    if (kernel.phase == Phase::kUpdate) {
      EXPECT_EQ(kernel.outputs.size(), 1) << kernel.name;
    }
  }
}

TEST(SingleOutputUpdates, ChangeNothingWhereOneValueIsWritten) {
  const Program fused = LowerWith(OptimizerKind::kSgd, {});
  const Program single = LowerWith(OptimizerKind::kSgd, {.fuses_updates = false});
  EXPECT_EQ(fused.kernels.size(), single.kernels.size());
}

TEST(AllReduces, AreOneForEachGradientUnlessCombined) {
  const auto all_reduces = [](CompilerHabits habits) {
    const Program program = LowerWith(OptimizerKind::kSgd, habits);
    return std::count_if(program.kernels.begin(), program.kernels.end(),
                         [](const Kernel& k) { return k.kind == KernelKind::kCollective; });
  };
  EXPECT_EQ(all_reduces({.combines_all_reduces = false}), 2);
  EXPECT_LT(all_reduces({}), 2);
}

}  // namespace
}  // namespace tilewise

// Kernels that run again to free memory.

#include "sim/lowering/rematerialization/rematerialize.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "tests/lowering/backend.h"
#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

// Large values that are made from x at once, and used one after the other.
constexpr std::string_view kFan = R"(graph "fan" {
  x = f32[4096,4096] parameter()
  a = f32[4096,4096] exponential(x)
  b = f32[4096,4096] opaque(a), label="one"
  c = f32[4096,4096] opaque(b), label="two"
  d = f32[4096,4096] opaque(c), label="three"
  e = f32[128,128] opaque(d, a), label="four"
  output result e
})";
constexpr int64_t kMiB = 1 << 20;

Target WithHbm(int64_t mebibytes) {
  Target target = BackendTarget();
  target.chip.hbm = {mebibytes * kMiB};
  target.chip.hbm_reserved = {};
  return target;
}

Program Fitted(std::string_view text, int64_t mebibytes) {
  const Target target = WithHbm(mebibytes);
  Program program = Backend(text, target);
  FitByRematerialization(program, target.chip);
  return program;
}

int CountMarked(const Program& program) {
  int count = 0;
  for (const Kernel& kernel : program.kernels) count += kernel.rematerialized;
  return count;
}

TEST(Rematerialize, DoesNothingWhenTheStepFits) {
  const Program program = Fitted(kFan, 1024);
  EXPECT_EQ(CountMarked(program), 0);
  EXPECT_EQ(program.memory.without_rematerialization, Bytes{});
}

// x takes 64 MiB, and `a` lives beside two others of as much.
TEST(Rematerialize, RunsAKernelAgainBeforeTheNextUse) {
  const Program program = Fitted(kFan, 230);
  EXPECT_TRUE(program.memory.fits());
  EXPECT_EQ(program.memory.without_rematerialization.value, 256 * kMiB);
  ASSERT_EQ(CountMarked(program), 1);
  const size_t count = program.kernels.size();
  const Kernel& again = program.kernels[count - 2];
  EXPECT_TRUE(again.rematerialized);
  EXPECT_TRUE(again.name.ends_with(".remat")) << again.name;
  EXPECT_EQ(program.graph.op(again.outputs.at(0)).name, "a");
  EXPECT_GT(again.vector.transcendental, 0);
}

TEST(Rematerialize, RunsProductsAgain) {
  constexpr std::string_view kProduct = R"(graph "product" {
    x = f32[4096,4096] parameter()
    a = f32[4096,4096] dot(x, x), lhs_contract={1}, rhs_contract={0}
    b = f32[4096,4096] opaque(a), label="one"
    c = f32[4096,4096] opaque(b), label="two"
    d = f32[128,128] opaque(c, a), label="three"
    output result d
  })";
  const Program program = Fitted(kProduct, 230);
  EXPECT_TRUE(program.memory.fits());
  EXPECT_EQ(CountMarked(program), 1);
}

constexpr std::string_view kChain = R"(graph "chain" {
  x = f32[4096,128] parameter()
  a = f32[4096,4096] dot(x, x), lhs_contract={1}, rhs_contract={1}
  b = f32[4096,4096] dot(a, a), lhs_contract={1}, rhs_contract={0}
  c = f32[4096,4096] opaque(b), label="one"
  d = f32[4096,4096] opaque(c), label="two"
  e = f32[128,128] opaque(d), label="three"
  f = f32[128,128] opaque(e, b), label="four"
  g = f32[128,128] opaque(f, a), label="five"
  output result g
})";

Program FittedChain(bool runs_chains) {
  Target target = WithHbm(150);
  target.chip.rematerializes_chains = runs_chains;
  Program program = Backend(kChain, target);
  FitByRematerialization(program, target.chip);
  return program;
}

// Neither `a` nor `b` may live beside both `c` and `d`. `a` runs again for `b`,
// and once more for what reads it last.
TEST(Rematerialize, RunsAChainAgainWhenWhatAKernelReadsIsGone) {
  const Program program = FittedChain(true);
  EXPECT_TRUE(program.memory.fits());
  EXPECT_EQ(CountMarked(program), 3);
}

// `a` is made of what is there, `b` of what would have to be made first.
TEST(Rematerialize, LeavesWhatTakesAChainWhereTheCompilerLooksAtSingleKernels) {
  const Program program = FittedChain(false);
  EXPECT_FALSE(program.memory.fits());
  EXPECT_LT(program.memory.peak, program.memory.without_rematerialization);
}

TEST(Rematerialize, TellsTheLeastPeakOfAProgramThatCannotFit) {
  const Program program = Fitted(kFan, 150);
  EXPECT_FALSE(program.memory.fits());
  EXPECT_EQ(CountMarked(program), 0);  // its kernels are as they were
  EXPECT_EQ(program.memory.without_rematerialization.value, 256 * kMiB);
  EXPECT_LT(program.memory.peak.value, 256 * kMiB);
}

// Whether every kernel finds what it reads: written before, and in a buffer
// that is live.
void ExpectReadable(const Program& program) {
  std::map<OpId, int32_t> written;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const auto at = static_cast<int32_t>(k);
    const Kernel& kernel = program.kernels[k];
    for (const OpId id : kernel.inputs) {
      if (program.graph.op(id).operands.empty()) continue;
      ASSERT_TRUE(written.contains(id)) << kernel.name;
      const bool is_live =
          std::any_of(program.buffers.begin(), program.buffers.end(), [&](const Buffer& buffer) {
            return buffer.value == id && buffer.first == written[id] && at <= buffer.last;
          });
      EXPECT_TRUE(is_live) << kernel.name;
    }
    for (const OpId id : kernel.outputs) written[id] = at;
  }
}

Program DeepStep(int64_t mebibytes, const CompilerHabits& compiler = {}, bool scan = false) {
  GraphBuilder b("deep");
  OpId x = b.Parameter({DType::kF32, {BatchDim(), {1024, false}}}, "x");
  for (int i = 0; i < 12; ++i) {
    b.SetScope("layer" + std::to_string(i));
    if (scan) b.SetLoop({i + 1, 1});
    const Shape square = Shape::Of(DType::kF32, {1024, 1024});
    const OpId turned = b.Unary(OpKind::kTanh, b.Reverse(x, {1}));
    const OpId y = b.MatMul(turned, b.Variable(square, "w", true));
    x = b.Binary(OpKind::kMultiply, x, y);
  }
  b.SetLoop({});
  b.AddOutput(x, Output::Role::kResult);
  LowerOptions options;
  options.spec = SpecOf(LossKind::kMeanSquaredError);
  options.compiler = compiler;
  auto program = Lower(*b.Build(), 8192, WithHbm(mebibytes), options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

TEST(Rematerialize, TrainingStepsOfManySizesStaySound) {
  const Program roomy = DeepStep(16384);
  ASSERT_EQ(CountMarked(roomy), 0);
  const int64_t peak = roomy.memory.peak.value / kMiB;
  int fitted = 0;
  for (const int64_t percent : {95, 85, 75, 60}) {
    SCOPED_TRACE(percent);
    const Program program = DeepStep(peak * percent / 100);
    ExpectReadable(program);
    if (!program.memory.fits()) continue;
    ++fitted;
    EXPECT_EQ(program.memory.without_rematerialization, roomy.memory.peak);
    EXPECT_LE(program.memory.peak, program.memory.available);
    EXPECT_LE(program.memory.least, program.memory.peak);
    EXPECT_GE(program.memory.roomy_part().value_or(-1), 0);
  }
  EXPECT_GE(fitted, 2);
}

// As the training loops of old XLA do: what reads a weight must come before its
// update, and is left where it is.
TEST(Rematerialize, MayLeaveReadersOfOverwrittenVariables) {
  const auto readers = [](const CompilerHabits& compiler) {
    const int64_t peak = DeepStep(16384).memory.peak.value / kMiB;
    const Program program = DeepStep(peak * 75 / 100, compiler);
    int count = 0;
    for (const Kernel& kernel : program.kernels) {
      const bool reads = std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [&](OpId id) {
        return program.graph.op(id).kind == OpKind::kVariable;
      });
      count += reads && kernel.rematerialized;
    }
    return count;
  };
  EXPECT_GT(readers({}), 0);
  EXPECT_EQ(readers({.recomputes_weight_readers = false}), 0);
}

TEST(Rematerialize, LeavesLoopsOverLayersAlone) {
  for (const bool scan : {false, true}) {
    const int64_t peak = DeepStep(16384, {}, scan).memory.peak.value / kMiB;
    const Program program = DeepStep(peak * 75 / 100, {}, scan);
    int count = 0;
    for (const Kernel& kernel : program.kernels) {
      const bool in_loop = program.graph.op(kernel.root).loop.is_one_trip();
      count += in_loop == scan && kernel.rematerialized;
    }
    EXPECT_EQ(count > 0, !scan);
  }
}

TEST(Rematerialize, MayBeDisabled) {
  const Program program = Fitted(kFan, 230);
  LowerOptions options;
  options.training = false;
  options.disabled_passes = {"rematerialize"};
  const auto plain = Lower(GraphOf(kFan), 1, WithHbm(230), options);
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_FALSE(plain->memory.fits());
  EXPECT_TRUE(program.memory.fits());
}

}  // namespace
}  // namespace tilewise

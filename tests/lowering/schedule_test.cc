// Issue order, and the whole path over training steps.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "sim/lowering/lower.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

size_t IndexOf(const Program& program, const Kernel* kernel) {
  return static_cast<size_t>(kernel - program.kernels.data());
}

TEST(Schedule, VariableIsNotOverwrittenBeforeItsLastReader) {
  const Program program = Backend(R"(graph "g" {
    x = f32[256,256] parameter()
    w = f32[256,256] variable()
    g = f32[256,256] dot(x, x), lhs_contract={0}, rhs_contract={0}, phase=backward
    v = f32[256,256] subtract(w, g), phase=update
    h = f32[256,256] dot(x, g), lhs_contract={1}, rhs_contract={0}, phase=backward
    d = f32[256,256] dot(h, w), lhs_contract={1}, rhs_contract={0}, phase=backward
    output state v of w
    output result d
  })");
  EXPECT_GT(IndexOf(program, WriterOf(program, "v")), IndexOf(program, WriterOf(program, "d")));
}

TEST(Schedule, SmallAllReducesShareAKernel) {
  const Program program = Backend(R"(graph "g" {
    a = f32[256] parameter()
    b = f32[512,512] parameter()
    c = f32[4096,4096] parameter()
    ra = f32[256] all-reduce(a)
    rb = f32[512,512] all-reduce(b)
    rc = f32[4096,4096] all-reduce(c)
    output result ra
    output result rb
    output result rc
  })");
  ASSERT_EQ(program.kernels.size(), 2);
  EXPECT_EQ(program.kernels[0].ops.size(), 2);
  EXPECT_EQ(program.kernels[0].participants, 8);
  EXPECT_FALSE(program.kernels[0].overlappable);
}

constexpr std::string_view kNetwork = R"(graph "cnn" {
  x = f32[N,32,32,3] parameter()
  k1 = f32[3,3,3,32] variable()
  b1 = f32[32] variable()
  c1 = f32[N,30,30,32] convolution(x, k1), window={size=3x3}
  bb1 = f32[N,30,30,32] broadcast(b1), dims={3}
  s1 = f32[N,30,30,32] add(c1, bb1)
  zero = f32[] constant(), value=0
  z1 = f32[N,30,30,32] broadcast(zero), dims={}
  r1 = f32[N,30,30,32] maximum(s1, z1)
  p1 = f32[N,15,15,32] reduce-window(r1), window={size=2x2 stride=2x2}, reducer=max
  f = f32[N,7200] reshape(p1)
  w = f32[7200,10] variable()
  y = f32[N,10] dot(f, w), lhs_contract={1}, rhs_contract={0}
  output result y
})";

Program LowerNetwork(int64_t batch, std::vector<std::string> disabled = {}) {
  LowerOptions options;
  options.spec.from_logits = true;
  options.spec.optimizer = OptimizerKind::kMomentum;
  options.disabled_passes = std::move(disabled);
  absl::StatusOr<Program> program = Lower(GraphOf(kNetwork), batch, BackendTarget(), options);
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : Program();
}

// What every lowered program keeps.
void ExpectSound(const Program& program) {
  std::set<OpId> written;
  std::set<OpId> covered;
  for (const Kernel& kernel : program.kernels) {
    for (const OpId id : kernel.inputs) {
      const OpKind kind = program.graph.op(id).kind;
      EXPECT_TRUE(kind == OpKind::kParameter || kind == OpKind::kVariable || written.contains(id))
          << kernel.name << " reads " << program.graph.op(id).name;
    }
    written.insert(kernel.outputs.begin(), kernel.outputs.end());
    covered.insert(kernel.ops.begin(), kernel.ops.end());
    EXPECT_GE(kernel.matrix.padded_flops, kernel.matrix.useful_flops);
    EXPECT_GE(kernel.windows.steps, 1);
  }
  for (const Op& op : program.graph.ops()) {
    const OpClass op_class = ClassOf(op.kind);
    if (op_class == OpClass::kLeaf || op_class == OpClass::kData) continue;
    EXPECT_TRUE(covered.contains(op.id)) << op.name;
  }
  for (const Buffer& buffer : program.buffers) {
    EXPECT_GE(program.memory.peak, buffer.padded);
    EXPECT_GE(buffer.padded, buffer.unpadded);
    EXPECT_LE(buffer.first, buffer.last);
  }
}

TEST(LowerTrainingStep, IsSoundForManyBatchSizes) {
  for (const int64_t batch : {1, 7, 32, 64, 100, 512}) {
    SCOPED_TRACE(batch);
    ExpectSound(LowerNetwork(batch));
  }
}

TEST(LowerTrainingStep, IsSoundWithoutOptionalPasses) {
  ExpectSound(LowerNetwork(64, {"fuse"}));
  ExpectSound(LowerNetwork(64, {"schedule"}));
  ExpectSound(LowerNetwork(64, {"simplify", "fuse", "schedule"}));
}

TEST(LowerTrainingStep, FusionSavesTrafficAndKernels) {
  const Program fused = LowerNetwork(128);
  const Program single = LowerNetwork(128, {"fuse"});
  const auto traffic = [](const Program& program) {
    int64_t sum = 0;
    for (const Kernel& kernel : program.kernels) {
      sum += (kernel.hbm_read + kernel.hbm_write).value * kernel.repeat;
    }
    return sum;
  };
  EXPECT_LT(traffic(fused), traffic(single));
  EXPECT_LT(fused.kernels.size(), single.kernels.size());
}

TEST(LowerTrainingStep, UpdatesEachVariableInPlace) {
  const Program program = LowerNetwork(128);
  for (const Buffer& buffer : program.buffers) {
    EXPECT_NE(program.graph.op(buffer.value).phase == Phase::kUpdate &&
                  buffer.use == BufferUse::kActivation,
              true);
  }
  EXPECT_GT(program.memory.optimizer_state.value, 0);
  EXPECT_GE(program.memory.optimizer_state, program.memory.variables);
}

}  // namespace
}  // namespace tilewise

// Which ops share a kernel.

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

using ::testing::SizeIs;

constexpr std::string_view kConvRelu = R"(graph "g" {
  x = f32[128,8,8,64] parameter()
  k = f32[1,1,64,64] variable()
  b = f32[64] variable()
  y = f32[128,8,8,64] convolution(x, k), window={size=1x1}
  bb = f32[128,8,8,64] broadcast(b), dims={3}
  s = f32[128,8,8,64] add(y, bb)
  zero = f32[] constant(), value=0
  z = f32[128,8,8,64] broadcast(zero), dims={}
  r = f32[128,8,8,64] maximum(s, z)
  output result r
})";

TEST(Fuse, BiasAndActivationJoinTheConvolution) {
  const Program program = Backend(kConvRelu);
  ASSERT_THAT(program.kernels, SizeIs(1));
  const Kernel& kernel = program.kernels[0];
  EXPECT_EQ(kernel.kind, KernelKind::kMatrix);
  EXPECT_EQ(kernel.root, OpNamed(program, "y").id);
  EXPECT_THAT(kernel.inputs, SizeIs(3));
  EXPECT_THAT(kernel.outputs, SizeIs(1));
}

TEST(Fuse, NarrowValueIsWrittenAndWidenedByEachUser) {
  const Program program = Backend(R"(graph "g" {
    x = bf16[128,8,8,64] parameter()
    k = bf16[1,1,64,64] variable()
    y = bf16[128,8,8,64] convolution(x, k), window={size=1x1}
    w = f32[128,8,8,64] convert(y)
    m = f32[64] reduce(w), dims={0,1,2}, reducer=sum
    mm = f32[128,8,8,64] broadcast(m), dims={3}
    c = f32[128,8,8,64] subtract(w, mm)
    n = bf16[128,8,8,64] convert(c)
    output result n
  })");
  EXPECT_EQ(WriterOf(program, "w"), nullptr);
  EXPECT_NE(WriterOf(program, "y"), nullptr);
}

TEST(Fuse, NormalisationIsAPrologueOfTheNextConvolution) {
  const Program program = Backend(R"(graph "g" {
    x = bf16[128,8,8,64] parameter()
    k = bf16[1,1,64,64] variable()
    y = bf16[128,8,8,64] convolution(x, k), window={size=1x1}
    w = f32[128,8,8,64] convert(y)
    q = f32[128,8,8,64] multiply(w, w)
    m = f32[64] reduce(w), dims={0,1,2}, reducer=sum
    v = f32[64] reduce(q), dims={0,1,2}, reducer=sum
    mm = f32[128,8,8,64] broadcast(m), dims={3}
    r = f32[64] rsqrt(v)
    rr = f32[128,8,8,64] broadcast(r), dims={3}
    c = f32[128,8,8,64] subtract(w, mm)
    s = f32[128,8,8,64] multiply(c, rr)
    n = bf16[128,8,8,64] convert(s)
    l = bf16[1,1,64,64] variable()
    z = bf16[128,8,8,64] convolution(n, l), window={size=1x1}
    g = bf16[1,1,64,64] conv-kernel-grad(n, z), window={size=1x1}
    output result z
    output result g
  })");
  EXPECT_EQ(WriterOf(program, "s"), nullptr);
  EXPECT_EQ(WriterOf(program, "n"), nullptr);
  EXPECT_NE(WriterOf(program, "y"), nullptr);
}

TEST(Fuse, VarianceAboutTheMeanTakesASecondSweep) {
  const Program program = Backend(R"(graph "g" {
    x = f32[128,8,8,64] parameter()
    e = f32[128,8,8,64] exponential(x)
    m = f32[64] reduce(e), dims={0,1,2}, reducer=sum
    mm = f32[128,8,8,64] broadcast(m), dims={3}
    c = f32[128,8,8,64] subtract(e, mm)
    q = f32[128,8,8,64] multiply(c, c)
    v = f32[64] reduce(q), dims={0,1,2}, reducer=sum
    output result m
    output result v
  })");
  EXPECT_NE(WriterOf(program, "m"), WriterOf(program, "v"));
}

TEST(Fuse, TwoConvolutionsStayApart) {
  const Program program = Backend(R"(graph "g" {
    x = f32[128,8,8,64] parameter()
    k = f32[1,1,64,64] variable()
    y = f32[128,8,8,64] convolution(x, k), window={size=1x1}
    e = f32[128,8,8,64] negate(y)
    z = f32[128,8,8,64] convolution(e, k), window={size=1x1}
    output result z
  })");
  ASSERT_THAT(program.kernels, SizeIs(2));
  EXPECT_EQ(WriterOf(program, "y"), nullptr);  // the epilogue is written
  EXPECT_NE(WriterOf(program, "e"), nullptr);
}

TEST(Fuse, ReduceOnAConvolutionIsItsSideResult) {
  const Program program = Backend(R"(graph "g" {
    x = f32[128,8,8,64] parameter()
    k = f32[1,1,64,64] variable()
    y = f32[128,8,8,64] convolution(x, k), window={size=1x1}
    q = f32[128,8,8,64] multiply(y, y)
    m = f32[64] reduce(y), dims={0,1,2}, reducer=sum
    v = f32[64] reduce(q), dims={0,1,2}, reducer=sum
    output result y
    output result m
    output result v
  })");
  ASSERT_THAT(program.kernels, SizeIs(1));
  EXPECT_THAT(program.kernels[0].outputs, SizeIs(3));
}

TEST(Fuse, ReduceResultStartsANewKernel) {
  const Program program = Backend(R"(graph "g" {
    x = f32[512,1024] parameter()
    m = f32[512] reduce(x), dims={1}, reducer=max
    bm = f32[512,1024] broadcast(m), dims={0}
    d = f32[512,1024] subtract(x, bm)
    output result d
  })");
  EXPECT_THAT(program.kernels, SizeIs(2));
}

TEST(Fuse, MaskIsComputedAgainByEachUser) {
  const Program program = Backend(R"(graph "g" {
    x = f32[512,1024] parameter()
    w = f32[1024,1024] variable()
    r = f32[512,1024] abs(x)
    y = f32[512,1024] dot(r, w), lhs_contract={1}, rhs_contract={0}
    z = f32[1024,1024] dot(r, y), lhs_contract={0}, rhs_contract={0}
    output result z
  })");
  EXPECT_THAT(program.kernels, SizeIs(2));
  EXPECT_EQ(WriterOf(program, "r"), nullptr);
}

TEST(Fuse, OptimizerUpdateIsOneKernel) {
  const Program program = Backend(R"(graph "g" {
    w = f32[512,512] variable()
    m = f32[512,512] variable(), trainable=false
    g = f32[512,512] parameter()
    n = f32[512,512] add(m, g)
    v = f32[512,512] subtract(w, n)
    output state n of m
    output state v of w
  })");
  ASSERT_THAT(program.kernels, SizeIs(1));
  EXPECT_THAT(program.kernels[0].outputs, SizeIs(2));
}

TEST(Fuse, SiblingsThatShareTheirInputMerge) {
  const Program program = Backend(R"(graph "g" {
    x = f32[512,1024] parameter()
    a = f32[512,1024] exponential(x)
    b = f32[512,1024] negate(x)
    output result a
    output result b
  })");
  EXPECT_THAT(program.kernels, SizeIs(1));
}

TEST(Fuse, ActivationIsComputedAgainByEachUser) {
  const Program program = Backend(R"(graph "g" {
    x = f32[4096,1024] parameter()
    w = f32[1024,1024] variable()
    r = f32[4096,1024] tanh(x)
    y = f32[4096,1024] dot(r, w), lhs_contract={1}, rhs_contract={0}
    z = f32[1024,1024] dot(r, y), lhs_contract={0}, rhs_contract={0}
    output result z
  })");
  EXPECT_EQ(WriterOf(program, "r"), nullptr);
}

TEST(Fuse, LongArithmeticIsDoneOnceAndWritten) {
  const Program program = Backend(R"(graph "g" {
    x = f32[4096,1024] parameter()
    w = f32[1024,1024] variable()
    r = f32[4096,1024] logistic(x)
    y = f32[4096,1024] dot(r, w), lhs_contract={1}, rhs_contract={0}
    z = f32[1024,1024] dot(r, y), lhs_contract={0}, rhs_contract={0}
    output result z
  })");
  EXPECT_NE(WriterOf(program, "r"), nullptr);
}

TEST(Fuse, MaskOfPositionsIsNeverWritten) {
  const Program program = Backend(R"(graph "g" {
    x = f32[2048,2048] parameter()
    y = f32[2048,2048] parameter()
    i = s32[2048,2048] iota(), dims={0}
    j = s32[2048,2048] iota(), dims={1}
    seen = pred[2048,2048] compare(i, j), comparison=ge
    a = f32[2048,2048] select(seen, x, y)
    t = f32[2048,2048] transpose(x), dims={1,0}
    b = f32[2048,2048] select(seen, y, t)
    output result a
    output result b
  })");
  EXPECT_EQ(WriterOf(program, "seen"), nullptr);
}

TEST(Fuse, KeysRepeatedForTheirQueriesAreWritten) {
  const Program program = Backend(R"(graph "g" {
    q = bf16[8,4,16,128] parameter()
    k = bf16[8,256,128] parameter()
    r = bf16[8,4,256,128] broadcast(k), dims={0,2,3}
    s = bf16[8,4,16,256] dot(q, r), lhs_batch={0,1}, rhs_batch={0,1}, lhs_contract={3}, rhs_contract={3}
    output result s
  })");
  const Kernel* writer = WriterOf(program, "r");
  ASSERT_NE(writer, nullptr);
  EXPECT_THAT(program.kernels, SizeIs(2));
  EXPECT_EQ(writer->from_hbm().value, 8 * 256 * 128 * 2);
  EXPECT_EQ(writer->to_hbm().value, 4 * 8 * 256 * 128 * 2);
}

TEST(Fuse, MatrixRepeatedForAllProductsIsNeverWritten) {
  const Program program = Backend(R"(graph "g" {
    x = bf16[8,64,256] parameter()
    w = bf16[256,512] variable()
    r = bf16[8,256,512] broadcast(w), dims={1,2}
    y = bf16[8,64,512] dot(x, r), lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}
    output result y
  })");
  EXPECT_EQ(WriterOf(program, "r"), nullptr);
}

TEST(Fuse, ValueNormalisedByManyRowsIsComputedAgain) {
  const Program program = Backend(R"(graph "g" {
    x = bf16[32768,1024] parameter()
    n = bf16[32768,1024] negate(x)
    e = f32[32768,1024] convert(n)
    s = f32[32768] reduce(e), dims={1}
    r = f32[32768] rsqrt(s)
    b = f32[32768,1024] broadcast(r), dims={0}
    m = f32[32768,1024] multiply(e, b)
    w = f32[1024,1024] variable()
    y = f32[32768,1024] dot(m, w), lhs_contract={1}, rhs_contract={0}
    z = f32[1024,1024] dot(m, y), lhs_contract={0}, rhs_contract={0}
    output result z
  })");
  EXPECT_EQ(WriterOf(program, "m"), nullptr);
}

constexpr std::string_view kWeightedSum = R"(graph "g" {
  g = bf16[1024,128] parameter()
  v = bf16[2048,128] parameter()
  x = f32[1024,2048] parameter()
  most = f32[1024] reduce(x), dims={1}, reducer=max
  wide = f32[1024,2048] broadcast(most), dims={0}
  p = f32[1024,2048] subtract(x, wide)
  dp = f32[1024,2048] dot(g, v), lhs_contract={1}, rhs_contract={1}
  q = f32[1024,2048] multiply(p, dp)
  s = f32[1024] reduce(q), dims={1}
  output result s
  output result dp
})";

TEST(Fuse, ReduceJoinsAProductThatCanRunLater) {
  const Program program = Backend(kWeightedSum);
  EXPECT_EQ(WriterOf(program, "s"), WriterOf(program, "dp"));
  EXPECT_NE(WriterOf(program, "s"), WriterOf(program, "most"));
}

TEST(Fuse, ReduceStaysApartFromAProductThatItsOtherInputNeeds) {
  const Program program = Backend(R"(graph "g" {
    g = bf16[1024,128] parameter()
    v = bf16[2048,128] parameter()
    dp = f32[1024,2048] dot(g, v), lhs_contract={1}, rhs_contract={1}
    most = f32[1024] reduce(dp), dims={1}, reducer=max
    wide = f32[1024,2048] broadcast(most), dims={0}
    p = f32[1024,2048] subtract(dp, wide)
    s = f32[1024] reduce(p), dims={1}
    output result s
    output result dp
  })");
  EXPECT_EQ(WriterOf(program, "most"), WriterOf(program, "dp"));
  EXPECT_NE(WriterOf(program, "s"), WriterOf(program, "dp"));
}

Bytes Traffic(const Program& program) {
  Bytes sum;
  for (const Kernel& kernel : program.kernels) {
    sum += (kernel.hbm_read + kernel.hbm_write) * kernel.repeat;
  }
  return sum;
}

TEST(Fuse, NeverMovesMoreBytesThanWithoutIt) {
  EXPECT_LT(Traffic(Backend(kConvRelu)).value, Traffic(BackendWithoutFusion(kConvRelu)).value);
}

TEST(Fuse, EveryOpWithACostIsInAKernelBothWays) {
  for (const Program& program : {Backend(kConvRelu), BackendWithoutFusion(kConvRelu)}) {
    std::set<OpId> seen;
    for (const Kernel& kernel : program.kernels) {
      seen.insert(kernel.ops.begin(), kernel.ops.end());
    }
    for (const Op& op : program.graph.ops()) {
      if (ClassOf(op.kind) == OpClass::kLeaf) continue;
      EXPECT_TRUE(seen.contains(op.id)) << op.name;
    }
  }
}

// What is left of the gradient of a bias when the batch is one example. With
// tiles of one row the reshape moves nothing.
TEST(Fuse, ReduceOfOneRowJoinsWhatMakesIt) {
  constexpr std::string_view kText = R"(graph "g" {
    x = f32[1,512] parameter()
    y = f32[1,512] exponential(x)
    z = f32[512] reshape(y)
    output result y
    output result z
  })";
  for (const int64_t generation : {3, 4}) {
    EXPECT_EQ(Backend(kText, BackendTarget(generation)).kernels.size(), 1);
  }
}

TEST(Fuse, OperandsOfKernelsOfTheUsersOwnAreInMemory) {
  const Program program = Backend(R"(graph "g" {
    b = f32[512,512] parameter()
    r = f32[4,8,512,512] broadcast(b), dims={2,3}
    o = f32[4,8,512,128] opaque(r), label="tpu_custom_call"
    output result o
  })");
  ASSERT_EQ(program.kernels.size(), 2u);
  EXPECT_EQ(program.kernels[0].outputs, std::vector<OpId>{OpNamed(program, "r").id});
  EXPECT_EQ(program.kernels[0].hbm_write.value, int64_t{4} * 8 * 512 * 512 * 4);
  EXPECT_GE(program.kernels[1].hbm_read, program.kernels[0].hbm_write);
}

}  // namespace
}  // namespace tilewise

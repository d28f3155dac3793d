// Dim orders of convolutions, dots and their neighbours.

#include <gmock/gmock.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

using ::testing::Not;
using ::testing::StartsWith;

Program Assign(std::string_view text, int64_t generation = 3) {
  return RunPasses(GraphOf(text), BackendTarget(generation), {RunAssignLayouts});
}

int CountKind(const Program& program, OpKind kind) {
  int count = 0;
  for (const Op& op : program.graph.ops()) count += op.kind == kind ? 1 : 0;
  return count;
}

TEST(AssignLayouts, LargeBatchGoesToLanes) {
  const Program program = Assign(R"(graph "g" {
    x = f32[128,32,32,64] parameter()
    k = f32[3,3,64,64] variable()
    y = f32[128,30,30,64] convolution(x, k), window={size=3x3}
    output result y
  })");
  EXPECT_THAT(LayoutOf(program, "x"), StartsWith("{0,3,2,1"));
  EXPECT_THAT(LayoutOf(program, "y"), StartsWith("{0,3,2,1"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 0);
}

TEST(AssignLayouts, SmallBatchGoesToSublanes) {
  const Program program = Assign(R"(graph "g" {
    x = f32[32,16,16,128] parameter()
    k = f32[3,3,128,256] variable()
    y = f32[32,14,14,256] convolution(x, k), window={size=3x3}
    output result y
  })");
  EXPECT_THAT(LayoutOf(program, "x"), StartsWith("{3,0,2,1"));
  EXPECT_THAT(LayoutOf(program, "y"), StartsWith("{3,0,2,1"));
}

// tpu-lowering 2.1: three features in lanes would be padded 42.7 times.
TEST(AssignLayouts, PaddingOverridesTheBatchRule) {
  const Program program = Assign(R"(graph "g" {
    x = f32[32,16,16,3] parameter()
    k = f32[3,3,3,128] variable()
    y = f32[32,14,14,128] convolution(x, k), window={size=3x3}
    output result y
  })");
  EXPECT_THAT(LayoutOf(program, "x"), StartsWith("{0,3,2,1"));
  EXPECT_THAT(LayoutOf(program, "y"), StartsWith("{3,0,2,1"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 0);
}

// Rows of images are gathered whole: a side may be in the lanes, and not their 3 colours.
TEST(AssignLayouts, GatheredImagesAreNotPaddedInTheirColours) {
  const Program program = Assign(R"(graph "g" {
    x = f32[32,224,224,3] parameter()
    i = s32[32] parameter()
    y = f32[32,224,224,3] gather(x, i)
    z = f32[32,224,224,3] add(x, y)
    output result z
  })");
  EXPECT_THAT(LayoutOf(program, "y"), Not(StartsWith("{3,")));
  EXPECT_THAT(LayoutOf(program, "y"), Not(StartsWith("{0,")));
  const Program rows = Assign(R"(graph "g" {
    t = f32[512,16] variable()
    i = s32[8,128] parameter()
    y = f32[8,128,16] gather(t, i)
    output result y
  })");
  EXPECT_THAT(LayoutOf(rows, "y"), StartsWith("{2,"));
}

// What a convolution fuses takes no HBM of its own, so that the padding of one
// image in the sublanes counts once.
TEST(AssignLayouts, AnEpilogueAtBatchOneIsNotCopied) {
  const Program program = Assign(R"(graph "g" {
    x = f32[1,56,56,64] parameter()
    k1 = f32[3,3,64,64] variable()
    c = f32[1,54,54,64] convolution(x, k1), window={size=3x3}
    m = f32[1,54,54,64] negate(c)
    e = f32[1,54,54,64] exponential(m)
    t = f32[1,54,54,64] tanh(e)
    k2 = f32[3,3,64,64] variable()
    y = f32[1,52,52,64] convolution(t, k2), window={size=3x3}
    output result y
  })");
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 0);
}

TEST(AssignLayouts, ElementwiseAndPoolingShareTheLayoutOfTheirConv) {
  const Program program = Assign(R"(graph "g" {
    x = f32[256,8,8,64] parameter()
    k = f32[1,1,64,64] variable()
    y = f32[256,8,8,64] convolution(x, k), window={size=1x1}
    e = f32[256,8,8,64] exponential(y)
    p = f32[256,4,4,64] reduce-window(e), window={size=2x2 stride=2x2}, reducer=max
    output result p
  })");
  EXPECT_EQ(LayoutOf(program, "e"), LayoutOf(program, "y"));
  EXPECT_EQ(LayoutOf(program, "p"), LayoutOf(program, "y"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 0);
}

TEST(AssignLayouts, AConstantTiesNoLayoutsTogether) {
  const Program program = Assign(R"(graph "g" {
    x = f32[8,64,32,64] parameter()
    k = f32[1,1,64,64] variable()
    c = f32[8,64,32,64] constant()
    a = f32[8,64,32,64] convolution(x, k), window={size=1x1}
    b = f32[8,64,32,64] maximum(a, c)
    z = f32[8,64,32,64] variable()
    l = f32[1,1,64,64] variable()
    d = f32[8,64,32,64] convolution(z, l), window={size=1x1}, channels_first=true
    y = f32[8,64,32,64] maximum(d, c)
    output result b
    output result y
  })");
  EXPECT_THAT(LayoutOf(program, "b"), StartsWith("{3,0"));
  EXPECT_THAT(LayoutOf(program, "y"), StartsWith("{1,0"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 0);
}

TEST(AssignLayouts, ImagesOfACallComeAlikeWhereverTheirFeaturesStand) {
  const Program last = Assign(R"(graph "g" {
    x = f32[8,8,28,28,32] parameter()
    y = f32[8,4,14,14,32] reduce-window(x), window={size=2x2x2 stride=2x2x2}, reducer=max
    output result y
  })");
  EXPECT_THAT(LayoutOf(last, "x"), StartsWith("{4,1"));
  const Program second = Assign(R"(graph "g" {
    x = f32[8,32,8,28,28] parameter()
    y = f32[8,32,4,14,14] reduce-window(x), window={size=2x2x2 stride=2x2x2}, channels_first=true, reducer=max
    output result y
  })");
  EXPECT_THAT(LayoutOf(second, "x"), StartsWith("{1,2"));
}

// A dump of relu(xW+b) on v5e shows x, W and the result with dim 0 in lanes.
TEST(AssignLayouts, TinyDotPutsBatchInLanes) {
  const Program program = Assign(R"(graph "g" {
    x = f32[16,8] parameter()
    w = f32[8,4] variable()
    y = f32[16,4] dot(x, w), lhs_contract={1}, rhs_contract={0}
    output result y
  })",
                                 5);
  EXPECT_EQ(LayoutOf(program, "x"), "{0,1:T(8,128)}");
  EXPECT_EQ(LayoutOf(program, "w"), "{0,1:T(4,128)}");
  EXPECT_EQ(LayoutOf(program, "y"), "{0,1:T(4,128)}");
}

// tpu-lowering 2.2: the dim that is reduced next goes to the sublanes.
TEST(AssignLayouts, ReducedDimGoesToSublanes) {
  const Program program = Assign(R"(graph "g" {
    q = f32[8,2048,128] parameter()
    k = f32[8,2048,128] parameter()
    s = f32[8,2048,2048] dot(q, k), lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={2}
    m = f32[8,2048] reduce(s), dims={2}, reducer=max
    output result m
  })",
                                 6);
  EXPECT_THAT(LayoutOf(program, "s"), StartsWith("{1,2,0"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 0);
}

TEST(AssignLayouts, TransposeBetweenDotsMovesNothing) {
  const Program program = Assign(R"(graph "g" {
    x = f32[256,512] parameter()
    w = f32[512,384] variable()
    y = f32[256,384] dot(x, w), lhs_contract={1}, rhs_contract={0}
    t = f32[384,256] transpose(y), dims={1,0}
    z = f32[384,512] dot(t, x), lhs_contract={1}, rhs_contract={0}
    output result z
  })");
  EXPECT_THAT(LayoutOf(program, "y"), StartsWith("{1,0"));
  EXPECT_THAT(LayoutOf(program, "t"), StartsWith("{0,1"));
}

// Rows that are repeated between two transposes, as nearest upsampling does.
TEST(AssignLayouts, SpreadThroughReshapesAndTransposes) {
  const Program program = Assign(R"(graph "g" {
    x = f32[8,128,16,8] parameter()
    k = f32[1,1,128,128] variable()
    c = f32[8,128,16,8] convolution(x, k), window={size=1x1}, channels_first=true
    t = f32[8,16,8,128] transpose(c), dims={0,2,3,1}
    b = f32[8,16,8,2,128] broadcast(t), dims={0,1,2,4}
    r = f32[8,16,16,128] reshape(b)
    u = f32[8,128,16,16] transpose(r), dims={0,3,1,2}
    l = f32[1,1,128,128] variable()
    y = f32[8,128,16,16] convolution(u, l), window={size=1x1}, channels_first=true
    output result y
  })");
  EXPECT_THAT(LayoutOf(program, "u"), StartsWith("{1,0,3,2"));
  EXPECT_THAT(LayoutOf(program, "r"), StartsWith("{3,0,2,1"));
  EXPECT_THAT(LayoutOf(program, "b"), StartsWith("{4,0,3,2,1"));
}

// Queries as exporters to ONNX write them: 4 heads of 64 features.
TEST(AssignLayouts, HeadsAreSplitOffWithoutACopy) {
  const Program program = Assign(R"(graph "g" {
    x = f32[8,128,256] parameter()
    w = f32[256,256] variable()
    k = f32[8,4,128,64] variable()
    s = f32[] parameter()
    d = f32[8,128,256] dot(x, w), lhs_contract={2}, rhs_contract={0}
    r = f32[8,128,4,64] reshape(d)
    t = f32[8,4,128,64] transpose(r), dims={0,2,1,3}
    b = f32[8,4,128,64] broadcast(s)
    m = f32[8,4,128,64] multiply(t, b)
y = f32[8,4,128,128] dot(m, k), lhs_batch={0,1}, rhs_batch={0,1}, lhs_contract={3}, rhs_contract={3}
    output result y
  })");
  EXPECT_THAT(LayoutOf(program, "d"), StartsWith("{1,2,0"));
  EXPECT_THAT(LayoutOf(program, "r"), StartsWith("{1,3,2,0"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 0);
}

// The sum alone would have the 64 features in the lanes.
TEST(AssignLayouts, ASumAtTheEndOfADotCountsLessThanPadding) {
  const Program program = Assign(R"(graph "g" {
    p = f32[8,4,128,128] parameter()
    v = f32[8,4,128,64] variable()
    w = f32[4,64,256] variable()
y = f32[8,4,128,64] dot(p, v), lhs_batch={0,1}, rhs_batch={0,1}, lhs_contract={2}, rhs_contract={2}
    s = f32[4,64] reduce(y), dims={0,2}
    z = f32[8,128,256] dot(y, w), lhs_contract={1,3}, rhs_contract={0,1}
    output result s
    output result z
  })");
  EXPECT_THAT(LayoutOf(program, "y"), StartsWith("{2,3"));
}

TEST(AssignLayouts, CopiesWhatAMatrixOpCannotRead) {
  const Program program = Assign(R"(graph "g" {
    x = f32[4,64,64,256] parameter()
    e = f32[4,64,64,256] exponential(x)
    r = f32[1048576,4] reshape(e)
    d = f32[4,1048576] transpose(r), dims={1,0}
    o = f32[4,1048576] opaque(d), label="custom"
    output result o
  })");
  EXPECT_EQ(LayoutOf(program, "o"), "{1,0:T(4,128)}");
}

// 16 features in the lanes would be padded eight times.
TEST(AssignLayouts, PartsAreStoredAsTheyPadLeast) {
  const Program program = Assign(R"(graph "g" {
    ids = s32[4096] parameter()
    part = f32[8192,16] variable()
    part16 = bf16[8192,16] convert(part)
    table = bf16[8192,128] all-gather(part16), dims={1}, group_size=8
    rows = bf16[4096,128] gather(table, ids)
    wide = f32[4096,128] convert(rows)
    grad = f32[8192,128] scatter-add(ids, wide)
    sum = f32[8192,16] reduce-scatter(grad), dims={1}, group_size=8
    new = f32[8192,16] add(part, sum)
    output result rows
    output state new of part
  })");
  EXPECT_THAT(LayoutOf(program, "part"), StartsWith("{0,1"));
  EXPECT_THAT(LayoutOf(program, "new"), StartsWith("{0,1"));
  EXPECT_THAT(LayoutOf(program, "table"), StartsWith("{1,0"));
  EXPECT_THAT(LayoutOf(program, "sum"), StartsWith("{1,0"));
  // Either part is copied, neither whole.
  for (const Op& op : program.graph.ops()) {
    if (op.kind != OpKind::kCopy) continue;
    EXPECT_EQ(op.shape.size(1), 16) << op.name;
  }
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 2);
}

// 28 rows in the sublanes would take those of 32; 256 experts there take their own.
TEST(AssignLayouts, PartsOfExpertsAreStoredWithoutPadding) {
  const Program program = Assign(R"(graph "g" {
    x = bf16[256,64,1792] parameter()
    part = f32[256,28,2048] variable()
    part16 = bf16[256,28,2048] convert(part)
    w = bf16[256,1792,2048] all-gather(part16), dims={1}, group_size=64
    y = bf16[256,64,2048] dot(x,w), lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}
    new = f32[256,28,2048] negate(part)
    output result y
    output state new of part
  })");
  EXPECT_THAT(LayoutOf(program, "part"), StartsWith("{2,0,1"));
  EXPECT_THAT(LayoutOf(program, "new"), StartsWith("{2,0,1"));
}

TEST(AssignLayouts, KeepsOutputsAndNames) {
  const Program program = Assign(R"(graph "g" {
    w = f32[64,64] variable()
    g = f32[64,64] negate(w)
    output state g of w
  })");
  ASSERT_EQ(program.graph.outputs().size(), 1);
  EXPECT_EQ(program.graph.op(program.graph.outputs()[0].variable).name, "w");
  EXPECT_EQ(program.layouts.size(), program.graph.ops().size());
}

// Scores of `heads` heads; `keys`: where the keys come from.
Program Scores(const std::string& heads, const std::string& keys) {
  return Assign("graph \"g\" {\nq = bf16[2,512," + heads + ",128] parameter()\nk = bf16[2,512," +
                heads + ",128] " + keys + "()\ns = bf16[2," + heads +
                ",512,512] dot(q, k), lhs_batch={0,2}, rhs_batch={0,2}, "
                "lhs_contract={3}, rhs_contract={3}\noutput result s\n}");
}

TEST(AssignLayouts, ArgumentsOfACallComeInTheFrameworksLayout) {
  const Program program = Scores("8", "parameter");
  EXPECT_THAT(LayoutOf(program, "q"), StartsWith("{3,2,1,0"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 2);
}

TEST(AssignLayouts, TheFrameworksLayoutIsTheCompactOne) {
  const Program program = Scores("6", "parameter");
  EXPECT_THAT(LayoutOf(program, "q"), StartsWith("{3,1,2,0"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 0);
}

TEST(AssignLayouts, InputsOfAStepWithVariablesComeAsTheOpsWantThem) {
  const Program program = Scores("8", "variable");
  EXPECT_THAT(LayoutOf(program, "q"), StartsWith("{3,1,2,0"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 0);
}

TEST(AssignLayouts, ResultsOfACallGoInTheFrameworksLayout) {
  const Program program = Assign(R"(graph "g" {
    x = f32[8,512,512] parameter()
    y = f32[8,512,512] exponential(x)
    r = f32[8,512] reduce(y), dims={2}
    b = f32[8,512,512] broadcast(r), dims={0,1}
    z = f32[8,512,512] divide(y, b)
    output result z
  })");
  EXPECT_THAT(LayoutOf(program, "z"), StartsWith("{1,2,0"));
  EXPECT_EQ(CountKind(program, OpKind::kCopy), 2);
  const Op& result = program.graph.op(program.graph.outputs()[0].value);
  EXPECT_EQ(result.kind, OpKind::kCopy);
  EXPECT_THAT(LayoutOf(program, result.name), StartsWith("{2,1,0"));
}

// A reverse of an argument of a module in `order`.
Program Reversed(const std::string& shape, const std::string& layout) {
  return Assign("graph \"g\" {\nx = " + shape + " parameter()" + layout + "\nr = " + shape +
                " reverse(x), dims={3}\noutput result r\n}");
}

TEST(AssignLayouts, ArgumentsOfAModuleKeepTheLayoutThatItsFileStates) {
  const Program rows = Reversed("f32[32,64,8,31]", ", layout={3,2,1,0}");
  EXPECT_THAT(LayoutOf(rows, "x"), StartsWith("{3,2,1,0"));
  EXPECT_THAT(LayoutOf(rows, "r"), StartsWith("{3,2,1,0"));
  EXPECT_EQ(CountKind(rows, OpKind::kCopy), 0);
  const Program other = Reversed("f32[32,64,8,31]", ", layout={1,3,2,0}");
  EXPECT_THAT(LayoutOf(other, "x"), StartsWith("{1,3,2,0"));
}

TEST(AssignLayouts, RowsThatAreNearlyAllPaddingAreNotHeldSo) {
  const Program images = Reversed("f32[128,64,64,3]", ", layout={3,2,1,0}");
  EXPECT_THAT(LayoutOf(images, "x"), Not(StartsWith("{3")));
}

}  // namespace
}  // namespace tilewise

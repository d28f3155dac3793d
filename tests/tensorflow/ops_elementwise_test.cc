// Elementwise ops and their gradients: nodes in, ops of the graph out.

#include <gtest/gtest.h>

#include "tests/tensorflow/op_lines.h"

namespace tilewise {
namespace {

struct Case {
  const char* name;
  const char* nodes;
  const char* lines;
};

constexpr Case kCases[] = {
    {"Relu", R"(
x = Placeholder() dtype=f32 shape=[?,4]
y = Relu(x))",
     "f32[N,4] broadcast; f32[N,4] maximum"},
    {"AddBroadcasts", R"(
x = Placeholder() dtype=f32 shape=[?,8,4]
b = Placeholder() dtype=f32 shape=[4]
y = AddV2(x, b))",
     "f32[N,8,4] broadcast; f32[N,8,4] add"},
    {"FloorDivOfIntegers", R"(
x = Placeholder() dtype=s32 shape=[?,4]
y = Placeholder() dtype=s32 shape=[?,4]
z = FloorDiv(x, y))",
     "s32[N,4] divide; s32[N,4] multiply; pred[N,4] compare; s32[N,4] "
     "broadcast; pred[N,4] compare; s32[N,4] broadcast; pred[N,4] compare; "
     "pred[N,4] compare; pred[N,4] and; s32[N,4] broadcast; s32[N,4] "
     "subtract; s32[N,4] select"},
    {"DivNoNan", R"(
x = Placeholder() dtype=f32 shape=[4]
y = Placeholder() dtype=f32 shape=[4]
z = DivNoNan(x, y))",
     "f32[4] divide; f32[4] broadcast; f32[4] broadcast; pred[4] compare; "
     "f32[4] select"},
    {"SelectByAVectorOverTheFirstDim", R"(
c = Placeholder() dtype=pred shape=[?]
x = Placeholder() dtype=f32 shape=[?,4]
y = Placeholder() dtype=f32 shape=[?,4]
z = Select(c, x, y))",
     "pred[N,4] broadcast; f32[N,4] select"},
    {"TanhGrad", R"(
x = Placeholder() dtype=f32 shape=[4]
y = Placeholder() dtype=f32 shape=[4]
z = TanhGrad(x, y))",
     "f32[4] multiply; f32[4] broadcast; f32[4] subtract; f32[4] multiply"},
    {"BiasOfChannelsFirst", R"(
x = Placeholder() dtype=f32 shape=[?,8,5,5]
w = Placeholder() dtype=f32 shape=[8]
y = BiasAdd(x, w) data_format=NCHW
g = BiasAddGrad(y) data_format=NCHW)",
     "f32[N,8,5,5] broadcast; f32[N,8,5,5] add; f32[8] reduce"},
};

TEST(ElementwiseOps, BecomeOpsOfTheGraph) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(OpLines(c.nodes), c.lines);
  }
}

}  // namespace
}  // namespace tilewise

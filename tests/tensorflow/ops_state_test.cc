// Lists and variables: nodes in, ops of the graph out.

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
    {"TensorListSetItem", R"(
e = Const() value=s32:[4]
n = Const() value=s32:3
l = TensorListReserve(e, n) element_dtype=f32
i = Placeholder() dtype=s32 shape=[]
x = Placeholder() dtype=f32 shape=[4]
m = TensorListSetItem(l, i, x)
y = TensorListStack(m, e))",
     "f32[1,4] reshape; f32[3,4] dynamic-update-slice"},
    {"TensorListGetItem", R"(
x = Placeholder() dtype=f32 shape=[3,4]
e = Const() value=s32:[4]
l = TensorListFromTensor(x, e)
i = Placeholder() dtype=s32 shape=[]
y = TensorListGetItem(l, i, e))",
     "f32[1,4] dynamic-slice; f32[4] reshape"},
    {"TensorArrayRead", R"(
n = Const() value=s32:3
a = TensorArrayV3(n) dtype=f32
x = Placeholder() dtype=f32 shape=[3,4]
r = Const() value=s32:[0,1,2]
f = TensorArrayScatterV3(a, r, x, a:1)
i = Placeholder() dtype=s32 shape=[]
y = TensorArrayReadV3(a, i, f) dtype=f32)",
     "f32[1,4] dynamic-slice; f32[4] reshape"},
    {"GradientDescent", R"(
v = VariableV2() dtype=f32 shape=[4,8]
l = Const() value=f32:0.1
g = Placeholder() dtype=f32 shape=[4,8]
u = ApplyGradientDescent(v, l, g))",
     "f32[4,8] broadcast; f32[4,8] multiply; f32[4,8] subtract; state "
     "f32[4,8]"},
    {"SparseMomentum", R"(
v = VarHandleOp() dtype=f32 shape=[40,8]
a = VarHandleOp() dtype=f32 shape=[40,8]
l = Const() value=f32:0.1
g = Placeholder() dtype=f32 shape=[4,8]
i = Placeholder() dtype=s32 shape=[4]
u = ResourceSparseApplyMomentum(v, a, l, g, i, l))",
     "f32[4,8] gather; f32[4,8] gather; f32[4,8] broadcast; f32[4,8] multiply; "
     "f32[4,8] add; f32[4,8] broadcast; f32[4,8] multiply; f32[4,8] subtract; "
     "f32[40,8] scatter-slices; f32[40,8] scatter-slices; state f32[40,8]; "
     "state f32[40,8]"},
    {"ResourceGather", R"(
v = VarHandleOp() dtype=f32 shape=[40,8]
i = Placeholder() dtype=s32 shape=[?]
y = ResourceGather(v, i) dtype=f32)",
     "f32[N,8] gather"},
};

TEST(StateOps, BecomeOpsOfTheGraph) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(OpLines(c.nodes), c.lines);
  }
}

}  // namespace
}  // namespace tilewise

// Ops on shapes and the movement of elements: nodes in, ops of the graph out.

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
    {"ShapesAreFoldedWithTheBatch", R"(
x = Placeholder() dtype=f32 shape=[?,8,4]
s = Shape(x)
z = Const() value=s32:[0]
o = Const() value=s32:[1]
n = StridedSlice(s, z, o, o) shrink_axis_mask=1
k = Const() value=s32:32
p = Pack(n, k)
y = Reshape(x, p))",
     "f32[N,32] reshape"},
    {"OpenSizeTakesTheBatch", R"(
x = Placeholder() dtype=f32 shape=[?,8,4]
s = Const() value=s32:[-1,4]
y = Reshape(x, s))",
     "f32[8N,4] reshape"},
    {"FixedBatchIsTheBatch", R"(
x = Placeholder() dtype=f32 shape=[?,7,7,8]
s = Const() value=s32:[1,392]
y = Reshape(x, s))",
     "f32[N,392] reshape"},
    {"StridedSliceMasks", R"(
x = Placeholder() dtype=f32 shape=[?,8,4]
b = Const() value=s32:[0,7,0]
e = Const() value=s32:[0,0,0]
t = Const() value=s32:[1,-2,1]
y = StridedSlice(x, b, e, t) begin_mask=5 end_mask=5)",
     "f32[N,4,4] slice; f32[N,4,4] reverse"},
    {"StridedSliceEllipsisNewAxisAndIndex", R"(
x = Placeholder() dtype=f32 shape=[?,8,4]
b = Const() value=s32:[0,0,-1]
e = Const() value=s32:[0,0,0]
t = Const() value=s32:[1,1,1]
y = StridedSlice(x, b, e, t) ellipsis_mask=1 new_axis_mask=2 shrink_axis_mask=4)",
     "f32[N,8,1] slice"},
    {"FirstExample", R"(
x = Placeholder() dtype=f32 shape=[?,8]
b = Const() value=s32:[0]
e = Const() value=s32:[1]
y = StridedSlice(x, b, e, e) shrink_axis_mask=1)",
     "s32[1] iota; s32[1] broadcast; s32[1] add; f32[1,8] gather; f32[8] "
     "reshape"},
    {"IndexThatIsData", R"(
x = Placeholder() dtype=f32 shape=[?,8,4]
i = Placeholder() dtype=s32 shape=[2]
e = Const() value=s32:[0,0]
t = Const() value=s32:[1,1]
y = StridedSlice(x, i, e, t) begin_mask=1 end_mask=1 shrink_axis_mask=2)",
     "s32[1] slice; s32[] reshape; f32[N,1,4] dynamic-slice; f32[N,4] reshape"},
    {"Split", R"(
a = Const() value=s32:1
x = Placeholder() dtype=f32 shape=[?,8]
s = Split(a, x) num_split=4
y = AddV2(s:1, s:3))",
     "f32[N,2] slice; f32[N,2] slice; f32[N,2] slice; f32[N,2] slice; f32[N,2] "
     "add"},
    {"Unpack", R"(
x = Placeholder() dtype=f32 shape=[?,2,4]
u = Unpack(x) axis=1 num=2
y = AddV2(u, u:1))",
     "f32[N,1,4] slice; f32[N,4] reshape; f32[N,1,4] slice; f32[N,4] reshape; "
     "f32[N,4] add"},
    {"Tile", R"(
x = Placeholder() dtype=f32 shape=[?,4]
m = Const() value=s32:[1,3]
y = Tile(x, m))",
     "f32[N,3,4] broadcast; f32[N,12] reshape"},
    {"RangeUpToTheBatch", R"(
x = Placeholder() dtype=f32 shape=[?,4]
s = Shape(x)
z = Const() value=s32:[0]
o = Const() value=s32:[1]
n = StridedSlice(s, z, o, o) shrink_axis_mask=1
a = Const() value=s32:0
d = Const() value=s32:1
r = Range(a, n, d)
y = Cast(r) DstT=f32)",
     "s32[N] iota; f32[N] convert"},
    {"BroadcastGradientArgs", R"(
x = Placeholder() dtype=f32 shape=[?,4]
b = Placeholder() dtype=f32 shape=[4]
s = Shape(x)
t = Shape(b)
r = BroadcastGradientArgs(s, t)
y = Sum(x, r:1))",
     "f32[4] reduce"},
    {"ConcatFromTheEnd", R"(
x = Placeholder() dtype=f32 shape=[?,4]
y = Placeholder() dtype=f32 shape=[?,3]
a = Const() value=s32:-1
z = ConcatV2(x, y, a))",
     "f32[N,7] concatenate"},
    {"XlaDynamicSlice", R"(
x = Placeholder() dtype=f32 shape=[8,4]
i = Placeholder() dtype=s32 shape=[2]
s = Const() value=s32:[2,4]
y = XlaDynamicSlice(x, i, s))",
     "s32[1] slice; s32[] reshape; f32[2,4] dynamic-slice"},
    {"DepthToSpace", R"(
x = Placeholder() dtype=f32 shape=[?,2,3,8]
y = DepthToSpace(x) block_size=2)",
     "f32[N,2,3,2,2,2] reshape; f32[N,2,2,3,2,2] transpose; f32[N,4,6,2] "
     "reshape"},
    {"SpaceToBatchAndBack", R"(
x = Placeholder() dtype=f32 shape=[?,6,5]
b = Const() value=s32:[2]
p = Const() value=s32:[1,1]
s = Const() value=s32:[1,2]
q = Reshape(p, s)
y = SpaceToBatchND(x, b, q)
z = BatchToSpaceND(y, b, q))",
     "f32[N,8,5] pad; f32[N,4,2,5] reshape; f32[2,N,4,5] transpose; "
     "f32[2N,4,5] reshape; f32[2,N,4,5] reshape; f32[N,4,2,5] transpose; "
     "f32[N,8,5] reshape; f32[N,6,5] slice"},
};

TEST(ShapeOps, BecomeOpsOfTheGraph) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(OpLines(c.nodes), c.lines);
  }
}

}  // namespace
}  // namespace tilewise

// What ops of TensorFlow compute, on the reference evaluator: numbers worked
// out by hand from the definitions of the ops.

#include <gtest/gtest.h>

#include "tests/tensorflow/op_lines.h"

namespace tilewise {
namespace {

struct Case {
  const char* name;
  const char* nodes;
  const char* leaves;
  const char* values;
};

constexpr Case kCases[] = {
    {"FloorModHasTheSignOfTheDivisor", R"(
x = Placeholder() dtype=s32 shape=[4]
y = Placeholder() dtype=s32 shape=[4]
z = FloorMod(x, y))",
     "x=-7,7,-7,7 y=3,3,-3,-3", "[2 1 -1 -2]"},
    {"FloorDivRoundsDown", R"(
x = Placeholder() dtype=s32 shape=[4]
y = Placeholder() dtype=s32 shape=[4]
z = FloorDiv(x, y))",
     "x=-7,7,-7,7 y=3,3,-3,-3", "[-3 2 2 -3]"},
    {"DivNoNanIsZeroAtZero", R"(
x = Placeholder() dtype=f32 shape=[2]
y = Placeholder() dtype=f32 shape=[2]
z = DivNoNan(x, y))",
     "x=1,3 y=0,2", "[0 1.5]"},
    {"ErfinvInTheMiddleAndTheTails", R"(
x = Placeholder() dtype=f32 shape=[3]
z = Erfinv(x))",
     "x=0.5,-0.9,0.999", "[0.4769 -1.163 2.327]"},
    {"StridedSliceGoesBackwards", R"(
x = Placeholder() dtype=f32 shape=[8]
b = Const() value=s32:[7]
e = Const() value=s32:[0]
t = Const() value=s32:[-2]
y = StridedSlice(x, b, e, t) end_mask=1)",
     "x=0,1,2,3,4,5,6,7", "[7 5 3 1]"},
    {"StridedSliceGradPutsBack", R"(
s = Const() value=s32:[5]
b = Const() value=s32:[1]
e = Const() value=s32:[5]
t = Const() value=s32:[2]
dy = Placeholder() dtype=f32 shape=[2]
y = StridedSliceGrad(s, b, e, t, dy))",
     "dy=1,2", "[0 1 0 2 0]"},
    {"MirrorPadLeavesTheEdgeOut", R"(
x = Placeholder() dtype=f32 shape=[3]
p = Const() value=s32:[2,1]
s = Const() value=s32:[1,2]
q = Reshape(p, s)
y = MirrorPad(x, q) mode=REFLECT)",
     "x=1,2,3", "[3 2 1 2 3 2]"},
    {"MirrorPadGradFoldsBack", R"(
dy = Placeholder() dtype=f32 shape=[6]
p = Const() value=s32:[2,1]
s = Const() value=s32:[1,2]
q = Reshape(p, s)
y = MirrorPadGrad(dy, q) mode=REFLECT)",
     "dy=1,2,3,4,5,6", "[3 12 6]"},
    {"SpaceToBatchTakesEverySecond", R"(
x = Placeholder() dtype=f32 shape=[1,4,1]
b = Const() value=s32:[2]
p = Const() value=s32:[0,0]
s = Const() value=s32:[1,2]
q = Reshape(p, s)
y = SpaceToBatchND(x, b, q))",
     "x=1,2,3,4", "[1 3 2 4]"},
    {"BatchToSpaceIsItsInverse", R"(
x = Placeholder() dtype=f32 shape=[2,2,1]
b = Const() value=s32:[2]
p = Const() value=s32:[0,0]
s = Const() value=s32:[1,2]
q = Reshape(p, s)
y = BatchToSpaceND(x, b, q))",
     "x=1,3,2,4", "[1 2 3 4]"},
    {"ExclusiveSumsLeaveTheElementOut", R"(
x = Placeholder() dtype=f32 shape=[3]
a = Const() value=s32:0
y = Cumsum(x, a) exclusive=true)",
     "x=1,2,3", "[0 1 3]"},
    {"ExclusiveSumsFromTheEnd", R"(
x = Placeholder() dtype=f32 shape=[3]
a = Const() value=s32:0
y = Cumsum(x, a) exclusive=true reverse=true)",
     "x=1,2,3", "[5 3 0]"},
    {"ReverseSequenceTurnsTheFirstSteps", R"(
x = Placeholder() dtype=f32 shape=[2,3]
l = Placeholder() dtype=s32 shape=[2]
y = ReverseSequence(x, l) seq_dim=1 batch_dim=0)",
     "x=1,2,3,4,5,6 l=2,3", "[2 1 3 6 5 4]"},
    {"RollMovesToTheRight", R"(
x = Placeholder() dtype=f32 shape=[5]
s = Const() value=s32:2
a = Const() value=s32:0
y = Roll(x, s, a))",
     "x=1,2,3,4,5", "[4 5 1 2 3]"},
    {"StitchPutsRowsInPlace", R"(
i = Const() value=s32:[2,0]
j = Const() value=s32:[1]
x = Placeholder() dtype=f32 shape=[2]
y = Placeholder() dtype=f32 shape=[1]
z = DynamicStitch(i, j, x, y))",
     "x=1,2 y=3", "[2 3 1]"},
    {"WhereGivesTrueCoordinatesFirst", R"(
x = Placeholder() dtype=pred shape=[2,3]
y = Where(x))",
     "x=0,1,0,1,0,0", "[0 1 1 0 0 0 0 2 1 1 1 2]"},
    {"UniqueNumbersTheValues", R"(
x = Placeholder() dtype=s32 shape=[3]
u = Unique(x)
y = Identity(u:1))",
     "x=5,3,5", "[1 0 1]"},
    {"SparseReshapeMovesPlaces", R"(
i = Placeholder() dtype=s64 shape=[2,2]
s = Const() value=s64:[2,3]
n = Const() value=s64:[-1,2]
y = SparseReshape(i, s, n)
z = Identity(y))",
     "i=0,1,1,0", "[0 1 1 1]"},
    {"SparseSegmentMeanDividesByTheRows", R"(
d = Placeholder() dtype=f32 shape=[3]
i = Placeholder() dtype=s32 shape=[3]
s = Placeholder() dtype=s32 shape=[3]
y = SparseSegmentMean(d, i, s))",
     "d=1,2,3 i=0,2,1 s=0,0,1", "[2 2 0]"},
    {"AvgPoolGradSharesByTheCounts", R"(
s = Const() value=s32:[1,1,3,1]
d = Placeholder() dtype=f32 shape=[1,1,3,1]
g = AvgPoolGrad(s, d) ksize=[1,1,2,1] strides=[1,1,1,1] padding=SAME)",
     "d=2,4,6", "[1 3 8]"},
    {"AvgPoolGradOfStrides", R"(
s = Const() value=s32:[1,1,4,1]
d = Placeholder() dtype=f32 shape=[1,1,2,1]
g = AvgPoolGrad(s, d) ksize=[1,1,2,1] strides=[1,1,2,1] padding=VALID)",
     "d=2,4", "[1 1 2 2]"},
    {"BatchNormGradSumsToZero", R"(
d = Placeholder() dtype=f32 shape=[4,1,1,1]
x = Placeholder() dtype=f32 shape=[4,1,1,1]
s = Placeholder() dtype=f32 shape=[1]
m = Placeholder() dtype=f32 shape=[1]
v = Placeholder() dtype=f32 shape=[1]
g = FusedBatchNormGradV3(d, x, s, m, v, v) epsilon=0.0
y = Identity(g))",
     "d=1,0,0,0 x=1,2,3,4 s=2 m=2.5 v=1.25", "[0.5367 -0.7155 -0.1789 0.3578]"},
    {"CrossEntropyHasItsGradient", R"(
x = Placeholder() dtype=f32 shape=[1,2]
l = Placeholder() dtype=f32 shape=[1,2]
y = SoftmaxCrossEntropyWithLogits(x, l)
g = Identity(y:1))",
     "x=0,0 l=1,0", "[-0.5 0.5]"},
    {"PatchesKeepTheFeaturesTogether", R"(
x = Placeholder() dtype=f32 shape=[1,2,2,2]
y = ExtractImagePatches(x) ksizes=[1,2,2,1] strides=[1,1,1,1] rates=[1,1,1,1] padding=VALID)",
     "x=1,2,3,4,5,6,7,8", "[1 2 3 4 5 6 7 8]"},
    {"FakeQuantRoundsInTheRange", R"(
x = Placeholder() dtype=f32 shape=[3]
l = Placeholder() dtype=f32 shape=[]
h = Placeholder() dtype=f32 shape=[]
y = FakeQuantWithMinMaxVars(x, l, h))",
     "x=-1,0.3,2 l=0 h=1", "[0 0.302 1]"},
    {"LstmCellForgetsByItsBias", R"(
x = Placeholder() dtype=f32 shape=[1,1]
c = Placeholder() dtype=f32 shape=[1,1]
s = Placeholder() dtype=f32 shape=[1,1]
w = Placeholder() dtype=f32 shape=[2,4]
p = Placeholder() dtype=f32 shape=[1]
b = Placeholder() dtype=f32 shape=[4]
y = LSTMBlockCell(x, c, s, w, p, p, p, b)
z = Identity(y:6))",
     "x=1 c=1 s=1 w=0,0,0,0,0,0,0,0 p=0 b=0,0,0,0", "[0.3119]"},
    {"GruCellMixesStateAndCandidate", R"(
x = Placeholder() dtype=f32 shape=[1,1]
h = Placeholder() dtype=f32 shape=[1,1]
w = Placeholder() dtype=f32 shape=[2,2]
v = Placeholder() dtype=f32 shape=[2,1]
b = Placeholder() dtype=f32 shape=[2]
d = Placeholder() dtype=f32 shape=[1]
y = GRUBlockCell(x, h, w, v, b, d)
z = Identity(y:3))",
     "x=1 h=3 w=0,0,0,0 v=0,0 b=0,0 d=0", "[1.5]"},
    {"NegativeGatherIndexOfKnownNumbers", R"(
x = Placeholder() dtype=f32 shape=[]
k = Const() value=f32:[1.0,2.0,4.0]
i = Const() value=s32:2
a = Const() value=s32:0
g = GatherV2(k, i, a)
y = Mul(x, g))",
     "x=5", "[20]"},
    {"GradientDescent", R"(
v = VariableV2() dtype=f32 shape=[1]
l = Const() value=f32:0.1
g = Placeholder() dtype=f32 shape=[1]
u = ApplyGradientDescent(v, l, g))",
     "v=1 g=2", "[0.8]"},
    {"NesterovMomentum", R"(
v = VarHandleOp() dtype=f32 shape=[1]
a = VarHandleOp() dtype=f32 shape=[1]
l = Const() value=f32:0.1
m = Const() value=f32:0.9
g = Placeholder() dtype=f32 shape=[1]
u = ResourceApplyMomentum(v, a, l, g, m) use_nesterov=true)",
     "v=1 a=0.5 g=1", "[0.7695] [1.45]"},
    {"KerasMomentum", R"(
v = VarHandleOp() dtype=f32 shape=[1]
a = VarHandleOp() dtype=f32 shape=[1]
l = Const() value=f32:0.1
m = Const() value=f32:0.9
g = Placeholder() dtype=f32 shape=[1]
u = ResourceApplyKerasMomentum(v, a, l, g, m))",
     "v=1 a=0.5 g=1", "[1.35] [0.35]"},
    {"Adam", R"(
v = VarHandleOp() dtype=f32 shape=[1]
m = VarHandleOp() dtype=f32 shape=[1]
w = VarHandleOp() dtype=f32 shape=[1]
a = Const() value=f32:0.9
b = Const() value=f32:0.999
l = Const() value=f32:0.1
e = Const() value=f32:0.0
g = Placeholder() dtype=f32 shape=[1]
u = ResourceApplyAdam(v, m, w, a, b, l, a, b, e, g))",
     "v=1 m=0 w=0 g=0.5", "[0.9] [0.05] [0.00025]"},
    {"Ftrl", R"(
v = VarHandleOp() dtype=f32 shape=[1]
a = VarHandleOp() dtype=f32 shape=[1]
n = VarHandleOp() dtype=f32 shape=[1]
l = Const() value=f32:0.1
z = Const() value=f32:0.0
p = Const() value=f32:-0.5
g = Placeholder() dtype=f32 shape=[1]
u = ResourceApplyFtrl(v, a, n, g, l, l, z, p))",
     "v=1 a=0.1 n=0 g=1", "[0.5936] [1.1] [-6.326]"},
    {"RmsProp", R"(
v = VarHandleOp() dtype=f32 shape=[1]
s = VarHandleOp() dtype=f32 shape=[1]
m = VarHandleOp() dtype=f32 shape=[1]
l = Const() value=f32:0.1
r = Const() value=f32:0.9
z = Const() value=f32:0.0
g = Placeholder() dtype=f32 shape=[1]
u = ResourceApplyRMSProp(v, s, m, l, r, z, z, g))",
     "v=1 s=0 m=0 g=1", "[0.6838] [0.1] [0.3162]"},
    {"SparseAdagradChangesItsRowsOnly", R"(
v = VarHandleOp() dtype=f32 shape=[3]
a = VarHandleOp() dtype=f32 shape=[3]
l = Const() value=f32:0.1
g = Placeholder() dtype=f32 shape=[1]
i = Placeholder() dtype=s32 shape=[1]
u = ResourceSparseApplyAdagrad(v, a, l, g, i))",
     "v=1,1,1 a=3,3,3 g=1 i=1", "[1 0.95 1] [3 4 3]"},
};

TEST(OpValues, AreThoseOfTheDefinition) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(OpValues(c.nodes, c.leaves), c.values);
  }
}

}  // namespace
}  // namespace tilewise

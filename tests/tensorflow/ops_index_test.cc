// Reductions, order, and access by index: nodes in, ops of the graph out.

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
    {"Gather", R"(
t = Placeholder() dtype=f32 shape=[100,8]
i = Placeholder() dtype=s32 shape=[?,5]
a = Const() value=s32:0
y = GatherV2(t, i, a))",
     "f32[N,5,8] gather"},
    {"GatherWithBatchDims", R"(
t = Placeholder() dtype=f32 shape=[?,6,8]
i = Placeholder() dtype=s32 shape=[?,5]
a = Const() value=s32:1
y = GatherV2(t, i, a) batch_dims=1)",
     "f32[N,5,8] gather-slices"},
    {"GatherNd", R"(
t = Placeholder() dtype=f32 shape=[6,7,8]
i = Placeholder() dtype=s32 shape=[?,2]
y = GatherNd(t, i))",
     "f32[N,8] gather-slices"},
    {"ScatterNd", R"(
i = Placeholder() dtype=s32 shape=[5,1]
u = Placeholder() dtype=f32 shape=[5,8]
s = Const() value=s32:[10,8]
y = ScatterNd(i, u, s))",
     "f32[10,8] scatter-slices"},
    {"TensorScatterMax", R"(
x = Placeholder() dtype=f32 shape=[10,8]
i = Placeholder() dtype=s32 shape=[5,1]
u = Placeholder() dtype=f32 shape=[5,8]
y = TensorScatterMax(x, i, u))",
     "f32[10,8] scatter-slices"},
    {"SegmentSumIsAScatterAdd", R"(
d = Placeholder() dtype=f32 shape=[?,8]
i = Placeholder() dtype=s32 shape=[?]
n = Const() value=s32:4
y = UnsortedSegmentSum(d, i, n))",
     "f32[4,8] scatter-add"},
    {"SegmentMax", R"(
d = Placeholder() dtype=f32 shape=[?,8]
i = Placeholder() dtype=s32 shape=[?]
n = Const() value=s32:4
y = UnsortedSegmentMax(d, i, n))",
     "f32[4,8] scatter-slices"},
    {"OneHot", R"(
i = Placeholder() dtype=s32 shape=[?]
d = Const() value=s32:10
a = Const() value=f32:1
b = Const() value=f32:0
y = OneHot(i, d, a, b))",
     "s32[N,10] broadcast; s32[N,10] iota; pred[N,10] compare; f32[N,10] "
     "broadcast; f32[N,10] broadcast; f32[N,10] select"},
    {"TopK", R"(
x = Placeholder() dtype=f32 shape=[?,50]
k = Const() value=s32:5
y = TopKV2(x, k))",
     "f32[N,5] top-k; s32[N,5] top-k"},
    {"ArgMax", R"(
x = Placeholder() dtype=f32 shape=[?,50]
k = Const() value=s32:1
y = ArgMax(x, k) output_type=s32)",
     "s32[N] arg-reduce"},
    {"MeanKeepsDims", R"(
x = Placeholder() dtype=f32 shape=[?,7,7,8]
k = Const() value=s32:[1,2]
y = Mean(x, k) keep_dims=true)",
     "f32[N,8] reduce; f32[N,1,1,8] reshape; f32[N,1,1,8] broadcast; "
     "f32[N,1,1,8] multiply"},
    {"Unique", R"(
x = Placeholder() dtype=s64 shape=[?]
y = Unique(x))",
     "s32[N] iota; s64[N] sort; s32[N] sort; s32[N] cumulative; s32[N] "
     "broadcast; s32[N] subtract; s32[N] broadcast; s32[N] maximum; s64[N] "
     "gather; pred[N] compare; s32[N] convert; s32[N] cumulative; s64[N] "
     "scatter-slices; s32[N] scatter-slices"},
    {"Where", R"(
x = Placeholder() dtype=pred shape=[6,5]
y = Where(x))",
     "pred[30] reshape; pred[30] not; s32[30] convert; s32[30] iota; s32[30] "
     "sort; s32[30] broadcast; s32[30] remainder; s32[30] broadcast; s32[30] "
     "divide; s32[30,1] reshape; s32[30,1] reshape; s32[30,2] concatenate; "
     "s64[30,2] convert"},
    {"HashedStringsAreFed", R"(
s = Placeholder() dtype=str shape=[?]
h = StringToHashBucketFast(s) num_buckets=100
t = Placeholder() dtype=f32 shape=[100,8]
a = Const() value=s32:0
y = GatherV2(t, h, a))",
     "f32[N,8] gather"},
    {"Bucketize", R"(
x = Placeholder() dtype=f32 shape=[?]
y = Bucketize(x) boundaries=[1.0,2.0])",
     "f32[N,2] broadcast; f32[N,2] broadcast; pred[N,2] compare; s32[N,2] "
     "convert; s32[N] reduce"},
};

TEST(IndexOps, BecomeOpsOfTheGraph) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(OpLines(c.nodes), c.lines);
  }
}

}  // namespace
}  // namespace tilewise

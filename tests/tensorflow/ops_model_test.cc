// Products, convolutions, pools, norms, losses, recurrent layers: nodes in, ops
// of the graph out.

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
    {"MatMulTransposed", R"(
x = Placeholder() dtype=f32 shape=[?,8]
w = Placeholder() dtype=f32 shape=[4,8]
y = MatMul(x, w) transpose_b=true)",
     "f32[N,4] dot"},
    {"BatchMatMulAdjoint", R"(
x = Placeholder() dtype=f32 shape=[?,2,5,8]
w = Placeholder() dtype=f32 shape=[?,2,5,8]
y = BatchMatMulV2(x, w) adj_y=true)",
     "f32[N,2,5,5] dot"},
    {"Einsum", R"(
x = Placeholder() dtype=f32 shape=[?,5,8]
w = Placeholder() dtype=f32 shape=[8,2,4]
y = Einsum(x, w) equation=abc,cde->abde)",
     "f32[N,5,2,4] dot"},
    {"FusedMatMul", R"(
x = Placeholder() dtype=f32 shape=[?,8]
w = Placeholder() dtype=f32 shape=[8,4]
b = Placeholder() dtype=f32 shape=[4]
y = _FusedMatMul(x, w, b) fused_ops=[BiasAdd,Relu])",
     "f32[N,4] dot; f32[N,4] broadcast; f32[N,4] add; f32[N,4] broadcast; "
     "f32[N,4] maximum"},
    {"ConvolutionSame", R"(
x = Placeholder() dtype=f32 shape=[?,9,9,3]
w = Placeholder() dtype=f32 shape=[3,3,3,8]
y = Conv2D(x, w) strides=[1,2,2,1] padding=SAME)",
     "f32[N,5,5,8] convolution"},
    {"ConvolutionOfChannelsFirstWithPadding", R"(
x = Placeholder() dtype=f32 shape=[?,4,9,9]
w = Placeholder() dtype=f32 shape=[3,3,2,8]
y = Conv2D(x, w) strides=[1,1,1,1] padding=EXPLICIT explicit_paddings=[0,0,0,0,1,1,2,0] data_format=NCHW)",
     "f32[N,8,9,9] convolution"},
    {"DepthwiseConvolution", R"(
x = Placeholder() dtype=f32 shape=[?,9,9,4]
w = Placeholder() dtype=f32 shape=[3,3,4,2]
y = DepthwiseConv2dNative(x, w) strides=[1,1,1,1] padding=VALID)",
     "f32[3,3,1,8] reshape; f32[N,7,7,8] convolution"},
    {"TransposedConvolution", R"(
x = Placeholder() dtype=f32 shape=[?,5,5,8]
w = Placeholder() dtype=f32 shape=[3,3,4,8]
s = Shape(x)
z = Const() value=s32:[0]
o = Const() value=s32:[1]
n = StridedSlice(s, z, o, o) shrink_axis_mask=1
h = Const() value=s32:10
c = Const() value=s32:4
p = Pack(n, h, h, c)
y = Conv2DBackpropInput(p, w, x) strides=[1,2,2,1] padding=SAME)",
     "f32[N,10,10,4] conv-input-grad"},
    {"KernelGradient", R"(
x = Placeholder() dtype=f32 shape=[8,9,9,3]
s = Const() value=s32:[3,3,3,16]
d = Placeholder() dtype=f32 shape=[8,9,9,16]
y = Conv2DBackpropFilter(x, s, d) strides=[1,1,1,1] padding=SAME)",
     "f32[3,3,3,16] conv-kernel-grad"},
    {"Convolution3D", R"(
x = Placeholder() dtype=f32 shape=[?,4,9,9,3]
w = Placeholder() dtype=f32 shape=[2,3,3,3,8]
y = Conv3D(x, w) strides=[1,1,1,1,1] padding=VALID data_format=NDHWC)",
     "f32[N,3,7,7,8] convolution"},
    {"MaxPoolSame", R"(
x = Placeholder() dtype=f32 shape=[?,9,9,3]
y = MaxPool(x) ksize=[1,2,2,1] strides=[1,2,2,1] padding=SAME)",
     "f32[N,5,5,3] reduce-window"},
    {"MaxPoolGrad", R"(
x = Placeholder() dtype=f32 shape=[8,8,8,3]
y = Placeholder() dtype=f32 shape=[8,4,4,3]
d = Placeholder() dtype=f32 shape=[8,4,4,3]
g = MaxPoolGrad(x, y, d) ksize=[1,2,2,1] strides=[1,2,2,1] padding=VALID)",
     "f32[8,8,8,3] select-and-scatter"},
    {"AvgPoolCountsRealElements", R"(
x = Placeholder() dtype=f32 shape=[?,9,9,3]
y = AvgPool(x) ksize=[1,3,3,1] strides=[1,2,2,1] padding=SAME)",
     "f32[N,5,5,3] reduce-window; f32[1,5,5,1] reduce-window; f32[5,5] "
     "reshape; f32[N,5,5,3] broadcast; f32[N,5,5,3] divide"},
    {"BatchNormInference", R"(
x = Placeholder() dtype=f32 shape=[?,9,9,3]
s = Placeholder() dtype=f32 shape=[3]
y = FusedBatchNormV3(x, s, s, s, s) is_training=false)",
     "f32[N,9,9,3] batch-norm-inference"},
    {"LocalResponseNorm", R"(
x = Placeholder() dtype=f32 shape=[?,9,9,16]
y = LRN(x) depth_radius=2)",
     "f32[N,9,9,16] multiply; f32[81N,16,1] reshape; f32[81N,16,1] "
     "reduce-window; f32[N,9,9,16] reshape; f32[N,9,9,16] broadcast; "
     "f32[N,9,9,16] multiply; f32[N,9,9,16] broadcast; f32[N,9,9,16] add; "
     "f32[N,9,9,16] broadcast; f32[N,9,9,16] power; f32[N,9,9,16] divide"},
    {"SparseCrossEntropy", R"(
x = Placeholder() dtype=f32 shape=[?,10]
l = Placeholder() dtype=s32 shape=[?]
y = SparseSoftmaxCrossEntropyWithLogits(x, l))",
     "f32[N] softmax-cross-entropy; s32[N,10] broadcast; s32[N,10] iota; "
     "pred[N,10] compare; f32[N,10] broadcast; f32[N,10] broadcast; f32[N,10] "
     "select; f32[N,10] softmax; f32[N,10] subtract"},
    {"ResizeNearestAndItsGradient", R"(
x = Placeholder() dtype=f32 shape=[?,4,4,3]
s = Const() value=s32:[8,8]
y = ResizeNearestNeighbor(x, s)
g = ResizeNearestNeighborGrad(y, s))",
     "f32[N,4,2,4,3] broadcast; f32[N,8,4,3] reshape; f32[N,8,4,2,3] "
     "broadcast; f32[N,8,8,3] reshape; f32[N,8,1,8,1,3] reshape; f32[N,8,8,3] "
     "reduce"},
    {"ResizeBilinearGivesF32", R"(
x = Placeholder() dtype=bf16 shape=[?,4,4,3]
s = Const() value=s32:[7,9]
y = ResizeBilinear(x, s))",
     "f32[N,4,4,3] convert; f32[N,4,3,7] dot; f32[N,7,4,3] transpose; "
     "f32[N,7,3,9] dot; f32[N,7,9,3] transpose"},
    {"BlockLstm", R"(
n = Const() value=s64:5
x = Placeholder() dtype=f32 shape=[5,2,8]
c = Placeholder() dtype=f32 shape=[2,4]
w = Placeholder() dtype=f32 shape=[12,16]
p = Placeholder() dtype=f32 shape=[4]
b = Placeholder() dtype=f32 shape=[16]
y = BlockLSTMV2(n, x, c, c, w, p, p, p, b))",
     "f32[8,16] slice; f32[4,16] slice; f32[2,5,8] transpose; f32[2,5,16] dot; "
     "f32[2,5,16] broadcast; f32[2,5,16] add; f32[2,16] dot; f32[2,1,16] "
     "reshape; f32[2,5,16] pad; f32[2,5,16] add; f32[2,5,4] recurrent; "
     "f32[5,2,4] transpose"},
    {"CudnnRnn", R"(
x = Placeholder() dtype=f32 shape=[5,2,8]
h = Placeholder() dtype=f32 shape=[1,2,4]
w = Placeholder() dtype=f32 shape=[224]
y = CudnnRNNV3(x, h, h, w) rnn_mode=lstm)",
     "f32[2,5,8] transpose; f32[128] slice; f32[8,16] reshape; f32[64] slice; "
     "f32[4,16] reshape; f32[16] slice; f32[2,5,16] dot; "
     "f32[2,5,16] broadcast; f32[2,5,16] add; f32[2,5,4] recurrent; f32[2,1,4] "
     "slice; f32[2,4] reshape; f32[1,2,4] reshape; f32[5,2,4] transpose"},
    {"RandomNumbersOfSixteenBits", R"(
s = Const() value=s32:[4,8]
y = RandomUniform(s) dtype=bf16)",
     "f32[4,8] rng-uniform; bf16[4,8] convert"},
    {"ShuffleSortsByRandomKeys", R"(
x = Placeholder() dtype=f32 shape=[16,4]
y = RandomShuffle(x))",
     "u32[16] rng-bits; s32[16] iota; s32[16] sort; f32[16,4] gather"},
    {"CrossReplicaSum", R"(
x = Placeholder() dtype=f32 shape=[4]
g = Const() value=s32:[0,1]
s = Const() value=s32:[1,2]
q = Reshape(g, s)
y = CrossReplicaSum(x, q))",
     "f32[4] all-reduce"},
    {"NonMaxSuppressionOfGivenOverlapsIsOpaque", R"(
b = Placeholder() dtype=f32 shape=[100,100]
s = Placeholder() dtype=f32 shape=[100]
m = Const() value=s32:10
t = Const() value=f32:0.5
y = NonMaxSuppressionWithOverlaps(b, s, m, t, t))",
     "s32[10] opaque"},
    {"CholeskyOfComplexNumbersIsOpaque", R"(
x = Placeholder() dtype=c64 shape=[?,64,64]
y = Cholesky(x))",
     "c64[N,64,64] opaque"},
    {"RealFourierTransformIsTwoProducts", R"(
x = Placeholder() dtype=f32 shape=[?,64]
n = Const() value=s32:[64]
y = RFFT(x, n))",
     "f32[N,33] dot; f32[N,33] dot; f32[N,33] negate; c64[N,33] complex"},
};

bool IsCosted(const std::string& lines) {
  return lines.find("opaque") == std::string::npos && lines.find("error:") == std::string::npos;
}

TEST(ModelOps, FactorizationsAndSelectionsAreWrittenOut) {
  EXPECT_TRUE(IsCosted(OpLines(R"(
x = Placeholder() dtype=f32 shape=[?,200,200]
l = Cholesky(x)
y = MatrixTriangularSolve(l, x) lower=true)")));
  EXPECT_TRUE(IsCosted(OpLines(R"(
x = Placeholder() dtype=f32 shape=[?,64,32]
y = Qr(x))")));
  for (const char* op : {"Svd(x)", "SelfAdjointEigV2(x)", "Lu(x)", "MatrixInverse(x)",
                         "MatrixSolve(x, x)", "LogMatrixDeterminant(x)"}) {
    const std::string lines =
        OpLines("x = Placeholder() dtype=f32 shape=[?,6,6]\ny = " + std::string(op) + "\n");
    EXPECT_TRUE(IsCosted(lines)) << lines;
  }
  const std::string selected = OpLines(R"(
b = Placeholder() dtype=f32 shape=[100,4]
s = Placeholder() dtype=f32 shape=[100]
m = Const() value=s32:10
t = Const() value=f32:0.5
y = NonMaxSuppressionV4(b, s, m, t, t))");
  EXPECT_TRUE(IsCosted(selected)) << selected;
  EXPECT_NE(selected.find("f32[1,100,100] divide"), std::string::npos);
  EXPECT_NE(selected.find("top-k"), std::string::npos);
}

TEST(ModelOps, DetectionsOfEachClassAreJoined) {
  for (const char* boxes : {"[?,100,1,4]", "[?,100,3,4]"}) {
    const std::string lines =
        OpLines(std::string("b = Placeholder() dtype=f32 shape=") + boxes + R"(
s = Placeholder() dtype=f32 shape=[?,100,3]
m = Const() value=s32:10
n = Const() value=s32:40
t = Const() value=f32:0.5
y = CombinedNonMaxSuppression(b, s, m, n, t, t))");
    EXPECT_TRUE(IsCosted(lines)) << lines;
    // 3 classes of 10, filled up to what is asked for.
    EXPECT_NE(lines.find("f32[N,30] top-k"), std::string::npos) << lines;
    EXPECT_NE(lines.find("f32[N,40,4] pad"), std::string::npos) << lines;
  }
}

TEST(ModelOps, CropsAreGathersOfPixels) {
  const std::string lines = OpLines(R"(
x = Placeholder() dtype=f32 shape=[2,8,8,3]
b = Placeholder() dtype=f32 shape=[5,4]
i = Placeholder() dtype=s32 shape=[5]
s = Const() value=s32:[4,6]
y = CropAndResize(x, b, i, s))");
  EXPECT_TRUE(IsCosted(lines)) << lines;
  EXPECT_NE(lines.find("f32[5,4,6,3] gather"), std::string::npos) << lines;
}

TEST(ModelOps, BecomeOpsOfTheGraph) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(OpLines(c.nodes), c.lines);
  }
}

}  // namespace
}  // namespace tilewise

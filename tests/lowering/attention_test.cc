// Attention: both forms compute the same, and the flash kernels' work and
// traffic.

#include <algorithm>

#include "sim/lowering/kernels/unit_time.h"
#include "tests/lowering/backend.h"
#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

std::string Attention(const std::string& attributes) {
  return "q = f32[2,5,4,3] parameter()\nk = f32[2,5,2,3] parameter()\n"
         "v = f32[2,5,2,3] parameter()\nm = pred[2,1,1,5] parameter()\n"
         "y = f32[2,5,4,3] attention(q, k, v, m), scale=0.5" +
         attributes + "\noutput result y";
}

TEST(Decompose, KeepsTheValueOfEitherAttention) {
  for (const char* attributes :
       {"", ", causal=true", ", causal=true, sliding_window=2", ", flash=true",
        ", flash=true, causal=true", ", flash=true, causal=true, sliding_window=2"}) {
    const Graph graph = ParsedGraph(Attention(attributes));
    const Graph parts = After(RunDecompose, graph);
    ExpectSameValues(graph, parts, 1);
    EXPECT_EQ(CountKind(parts, OpKind::kAttention), 0);
    EXPECT_EQ(CountKind(parts, OpKind::kSoftmax), 0);
    const bool flash = std::string(attributes).find("flash") == 2;
    EXPECT_EQ(CountKind(parts, OpKind::kFlashAttention), flash ? 1 : 0);
  }
}

// Trained q, k, v of 8 heads, 1024 positions, depth 128.
Program Step(const std::string& attributes, bool training = true, bool bias = false) {
  const std::string shape = "bf16[4,1024,8,128]";
  const Graph graph =
      ParsedGraph("q = " + shape + " variable()\nk = " + shape + " variable()\nv = " + shape +
                  " variable()\nb = bf16[4,8,1024,1024] parameter()\ny = " + shape +
                  " attention(q, k, v" + (bias ? ", b)" : ")") + attributes + "\noutput result y");
  LowerOptions options;
  options.training = training;
  options.spec = SpecOf(LossKind::kMeanSquaredError);
  auto program = Lower(graph, 1, BackendTarget(), options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

std::vector<const Kernel*> Flash(const Program& program) {
  std::vector<const Kernel*> kernels;
  for (const Kernel& kernel : program.kernels) {
    if (kernel.kind == KernelKind::kAttention) kernels.push_back(&kernel);
  }
  return kernels;
}

TEST(FlashAttention, MovesOnlyQueriesKeysValuesAndOutput) {
  const Program program = Step(", flash=true", false);
  const auto kernels = Flash(program);
  ASSERT_EQ(kernels.size(), 1u);
  const int64_t tensor = 4 * 1024 * 8 * 128 * 2;
  EXPECT_EQ(kernels[0]->hbm_read.value, 3 * tensor);
  EXPECT_EQ(kernels[0]->hbm_write.value, tensor);
  EXPECT_EQ(kernels[0]->matrix.useful_flops, 4.0 * 4 * 8 * 1024 * 1024 * 128);
  EXPECT_EQ(kernels[0]->matrix.padded_flops, kernels[0]->matrix.useful_flops);
  EXPECT_EQ(kernels[0]->vector.transcendental, 4 * 8 * 1024);  // one a score
}

TEST(FlashAttention, GradientTakesSevenProductsOfWhichFiveAreUseful) {
  const auto program = Step(", flash=true");
  const auto kernels = Flash(program);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0]->phase, Phase::kForward);
  EXPECT_EQ(kernels[0]->outputs.size(), 2u);  // and the log-sum-exp
  EXPECT_EQ(kernels[1]->phase, Phase::kBackward);
  EXPECT_EQ(kernels[1]->outputs.size(), 3u);
  EXPECT_EQ(kernels[1]->matrix.useful_flops, 2.5 * kernels[0]->matrix.useful_flops);
  EXPECT_EQ(kernels[1]->matrix.padded_flops, 3.5 * kernels[0]->matrix.padded_flops);
}

TEST(FlashAttention, SkipsBlocksThatTheMaskHides) {
  const auto all = Step(", flash=true", false);
  const auto causal = Step(", flash=true, causal=true", false);
  const MatrixWork& full = Flash(all)[0]->matrix;
  const MatrixWork& half = Flash(causal)[0]->matrix;
  EXPECT_EQ(half.padded_flops, 0.75 * full.padded_flops);  // 3 of 4 blocks
  EXPECT_NEAR(half.useful_flops, full.useful_flops * 1025 / 2048, 1);
}

// Of 8 blocks of 128 queries the first sees one block of keys, the second two,
// the others three. The last of the first 256 queries is the first one that
// sees 256 keys.
TEST(FlashAttention, SkipsBlocksThatASlidingWindowHides) {
  const auto program = Step(
      ", flash=true, causal=true, sliding_window=256, "
      "window={size=128x128x128x128}");
  const auto kernels = Flash(program);
  const int64_t heads = 4 * 8;
  const double square = 2.0 * 2 * 128 * 128 * 128;  // of both products
  EXPECT_EQ(kernels[0]->matrix.padded_flops, heads * square * (1 + 2 + 6 * 3));
  EXPECT_EQ(kernels[0]->matrix.useful_flops, heads * 2.0 * 2 * 128 * (256 * 257 / 2.0 + 768 * 256));
  const int64_t cores = BackendTarget().chip.tensor_cores_per_device;
  EXPECT_EQ(kernels[0]->windows.steps, heads * 8 * 3 / cores);
  EXPECT_EQ(kernels[1]->windows.steps, heads * 8 * 3 / cores);
}

TEST(FlashAttention, AWindowOfAllKeysIsNone) {
  const auto whole = Step(", flash=true, causal=true, sliding_window=1024");
  const auto none = Step(", flash=true, causal=true");
  for (size_t i = 0; i < 2; ++i) {
    const Kernel& narrow = *Flash(whole)[i];
    const Kernel& wide = *Flash(none)[i];
    EXPECT_EQ(narrow.matrix.padded_flops, wide.matrix.padded_flops);
    EXPECT_EQ(narrow.matrix.useful_flops, wide.matrix.useful_flops);
    EXPECT_EQ(narrow.windows.steps, wide.windows.steps);
  }
}

TEST(FlashAttention, LargerBlocksHideLessOfWhatTheMaskHides) {
  const std::string causal = ", flash=true, causal=true";
  const std::string window = ", window={size=1024x512x1024x1024x1024x1024}";
  const Program small = Step(causal);
  const Program large = Step(causal + window);
  const auto padded = [](const Program& program, size_t kernel) {
    return Flash(program)[kernel]->matrix.padded_flops;
  };
  // 3 of 4 pairs of blocks; both of one block of queries; the only one.
  EXPECT_EQ(padded(large, 0) * 3, padded(small, 0) * 4);
  EXPECT_EQ(padded(large, 1) * 3, padded(small, 1) * 4);
  EXPECT_EQ(Flash(large)[1]->matrix.useful_flops, Flash(small)[1]->matrix.useful_flops);
}

TEST(FlashAttention, RunsProductsBesideTheSoftmaxUnlessABiasIsAdded) {
  const Chip& chip = BackendTarget().chip;
  for (const bool bias : {false, true}) {
    const Program program = Step(", flash=true", false, bias);
    const Kernel& kernel = *Flash(program).at(0);
    const Seconds mxu = MatrixTime(kernel.matrix, chip);
    const Seconds vector = VectorTime(kernel.vector, chip);
    const Seconds both = ComputeTime(kernel, chip);
    if (bias) {
      EXPECT_GE(both, mxu + vector);
    } else {
      EXPECT_EQ(both, std::max(mxu, vector));
    }
  }
}

TEST(FlashAttention, StepsOverHiddenBlocksAndFillsTheArrayForEachProduct) {
  const Program program = Step(", flash=true, causal=true");
  const auto kernels = Flash(program);
  const int64_t cores = BackendTarget().chip.tensor_cores_per_device;
  const int64_t heads = 4 * 8 / cores;
  EXPECT_EQ(kernels[0]->windows.steps, heads * 4);
  EXPECT_EQ(kernels[0]->matrix.fills, heads * 3 * 2);
  EXPECT_EQ(kernels[1]->windows.steps, heads * 4 * 2);  // two sweeps
  EXPECT_EQ(kernels[1]->matrix.fills, heads * 3 * 7);
}

TEST(FlashAttention, GradientInOneSweepTakesFiveProductsAndTransposesOnce) {
  const Program two = Step(", flash=true");
  const Program one = Step(", flash=true, window={size=512x512x512x512}");
  const Kernel& fused = *Flash(one)[1];
  const Kernel& split = *Flash(two)[1];
  EXPECT_EQ(fused.matrix.padded_flops, fused.matrix.useful_flops);
  EXPECT_EQ(fused.matrix.useful_flops, split.matrix.useful_flops);
  EXPECT_EQ(2 * fused.vector.transcendental, split.vector.transcendental);
  EXPECT_EQ(split.vector.cross_lane, 0);
  EXPECT_GT(fused.vector.cross_lane, 0);
  EXPECT_EQ(Flash(one)[0]->matrix.padded_flops, Flash(two)[0]->matrix.padded_flops);
}

constexpr int64_t kTensor = int64_t{4} * 1024 * 8 * 128 * 2;
constexpr int64_t kBias = int64_t{4} * 8 * 1024 * 1024 * 2;
constexpr int64_t kStatistic = int64_t{4} * 1024 * 8 * 128 * 4;

TEST(FlashAttention, ReadsTheBiasWhereItComputes) {
  const std::string attributes = ", flash=true, causal=true";
  const Program plain = Step(attributes);
  const Program biased = Step(attributes, true, true);
  const Bytes more = Flash(biased)[0]->hbm_read - Flash(plain)[0]->hbm_read;
  EXPECT_EQ(more.value, kBias / 4 * 3);
}

// Sums and maxima, of each row in all lanes.
TEST(FlashAttention, WritesTheRowsStatisticsForTheGradientOfABias) {
  const Program program = Step(", flash=true, causal=true", true, true);
  const Kernel& forward = *Flash(program)[0];
  EXPECT_EQ(forward.hbm_write.value, kTensor + 2 * kStatistic);
}

// Two blocks of queries and of keys, of whose pairs three are computed.
TEST(FlashAttention, GradientOfABiasFetchesOperandsForEachPairOfBlocks) {
  const Program program = Step(", flash=true, causal=true", true, true);
  const Kernel& gradient = *Flash(program)[1];
  const int64_t queries = 2 * (2 * kTensor + 3 * kTensor) / 2;  // and dy
  const int64_t keys = queries;                                 // and values
  const int64_t sums = 2 * (kStatistic + 2 * kStatistic);
  const int64_t dots = kStatistic + 3 * kStatistic / 2;
  EXPECT_EQ(gradient.hbm_read.value, queries + keys + sums + dots + 2 * kBias);
  EXPECT_EQ(gradient.hbm_write.value, 3 * kTensor + kBias);
}

// Sums, maxima and sums of output x doutput; these once more, as wide as a
// block of 512 keys.
TEST(FlashAttention, FillsTheLanesBeforeTheGradientOfABias) {
  const auto copies = [](bool bias, int64_t bytes) {
    const Program program = Step(", flash=true, causal=true", true, bias);
    return std::count_if(program.kernels.begin(), program.kernels.end(), [&](const Kernel& kernel) {
      return kernel.kind == KernelKind::kCopy && kernel.hbm_write.value == bytes;
    });
  };
  EXPECT_EQ(copies(true, kStatistic), 3);
  EXPECT_EQ(copies(true, 4 * kStatistic), 1);
  EXPECT_EQ(copies(false, kStatistic) + copies(false, 4 * kStatistic), 0);
}

// Weights are made as keys x queries where there is no bias.
TEST(FlashAttention, GradientTransposesOnlyWithABias) {
  EXPECT_EQ(Flash(Step(", flash=true"))[1]->vector.cross_lane, 0);
  const Program biased = Step(", flash=true", true, true);
  EXPECT_GT(Flash(biased)[1]->vector.cross_lane, 0);
}

TEST(ReferenceAttention, WritesItsScores) {
  const Program flash = Step(", flash=true", false);
  const Program plain = Step("", false);
  const auto traffic = [](const Program& program) {
    int64_t bytes = 0;
    for (const Kernel& kernel : program.kernels) {
      bytes += (kernel.hbm_read + kernel.hbm_write).value;
    }
    return bytes;
  };
  const int64_t scores = int64_t{4} * 8 * 1024 * 1024 * 2;
  EXPECT_GT(traffic(plain), traffic(flash) + 2 * scores);
}

TEST(ReferenceAttention, GradientUsesTheWeightsOfTheForwardPass) {
  const Program program = Step("");
  int64_t products = 0;
  for (const Kernel& kernel : program.kernels) {
    if (kernel.kind == KernelKind::kMatrix) ++products;
  }
  EXPECT_EQ(products, 6);
}

}  // namespace
}  // namespace tilewise

// Kernels of a hand-made step, grouped by layer.

#include <gtest/gtest.h>

#include "graph/text.h"
#include "report/report.h"

namespace tilewise {
namespace {

// Two layers; the second op of conv1 shares its layer.
constexpr char kSource[] = R"(graph "m" {
  x = f32[8,128] parameter()
  w = f32[128,128] variable()
  d = f32[8,128] dot(x, w), lhs_contract={1}, rhs_contract={0}, item="conv1"
  t = f32[8,128] tanh(d), item="conv1"
  e = f32[8,128] exponential(t), item="head"
  output result e
})";

class OpRows : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<Graph> graph = ParseGraph(kSource);
    ASSERT_TRUE(graph.ok()) << graph.status();
    source_ = *graph;
    program_.graph = source_;
    target_.chip.lanes = 128;
    target_.chip.sublanes = 8;
    for (const Op& op : source_.ops()) {
      program_.layouts.push_back(DefaultLayout(op.shape, target_.chip));
    }
    Add(KernelKind::kMatrix, 2, Phase::kForward, 0.001);
    Add(KernelKind::kLoop, 3, Phase::kForward, 0.0005);
    Add(KernelKind::kLoop, 4, Phase::kForward, 0.001);
    Add(KernelKind::kMatrix, 2, Phase::kBackward, 0.004);
    Add(KernelKind::kCollective, 1, Phase::kBackward, 0.002);
    Add(KernelKind::kLoop, 1, Phase::kUpdate, 0.0015);
    timeline_.step = {0.010};
  }

  void Add(KernelKind kind, OpId origin, Phase phase, double seconds) {
    Kernel kernel;
    kernel.kind = kind;
    kernel.root = kernel.origin = origin;
    kernel.outputs = {origin};
    kernel.phase = phase;
    if (kind == KernelKind::kMatrix) {
      kernel.matrix.useful_flops = 1e6;
      kernel.matrix.padded_flops = 4e6;
    }
    KernelSpan span;
    span.kernel = KernelId(program_.kernels.size());
    span.duration = {seconds};
    span.mxu_useful = {kind == KernelKind::kMatrix ? seconds / 10 : 0};
    span.bound = kind == KernelKind::kMatrix ? Bound::kMatrix : Bound::kMemory;
    program_.kernels.push_back(kernel);
    timeline_.spans.push_back(span);
  }

  std::vector<OpRow> Rows() const { return MakeOpRows(program_, timeline_, source_, target_); }

  Graph source_;
  Program program_;
  Timeline timeline_;
  Target target_;
};

TEST_F(OpRows, GroupsByLayerLongestFirst) {
  const std::vector<OpRow> rows = Rows();
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].name, "conv1");
  EXPECT_EQ(rows[1].name, "all-reduce");
  EXPECT_EQ(rows[2].name, "optimizer");
  EXPECT_EQ(rows[3].name, "head");
}

TEST_F(OpRows, LosesNoTime) {
  double total = 0;
  for (const OpRow& row : Rows()) total += row.total().value;
  EXPECT_DOUBLE_EQ(total, 0.010);
}

TEST_F(OpRows, SplitsForwardAndBackward) {
  const OpRow row = Rows()[0];
  EXPECT_DOUBLE_EQ(row.forward.value, 0.0015);
  EXPECT_DOUBLE_EQ(row.backward.value, 0.004);
  EXPECT_DOUBLE_EQ(row.share, 0.55);
}

TEST_F(OpRows, RatesTheMatrixUnit) {
  const OpRow row = Rows()[0];
  EXPECT_DOUBLE_EQ(row.padding, 4);
  EXPECT_NEAR(row.mxu_use, 0.0005 / 0.0055, 1e-12);
  EXPECT_EQ(row.bound, Bound::kMatrix);
  EXPECT_EQ(row.kind, "dot");
}

TEST_F(OpRows, RatesBytesWhereThereAreNoFlops) {
  const OpRow head = Rows()[3];
  EXPECT_DOUBLE_EQ(head.padding, 1);  // f32[8,128] is one tile
  EXPECT_EQ(head.bound, Bound::kMemory);
}

}  // namespace
}  // namespace tilewise

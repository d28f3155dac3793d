// The step that the cores of a mesh run together computes what one core would.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <absl/strings/str_replace.h>
#include <gtest/gtest.h>

#include "tests/lowering/mesh_models.h"
#include "tests/lowering/mesh_steps.h"
#include "tests/lowering/step_graphs.h"
#include "tests/reference/mesh_evaluator.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

std::vector<MeshModel> Cases() {
  return {{"Mlp", kMlp, OptimizerKind::kSgd},
          {"MlpLamb", kMlp, OptimizerKind::kLamb},
          {"Gated", kGated},
          {"Attention", AttentionBlock(false)},
          {"FlashAttention", AttentionBlock(true)},
          {"Projected", kProjected},
          {"Lookup", kLookup},
          {"Tied", kTied},
          {"TiedBlock", kTiedBlock},
          {"TiedProducts", kTiedProducts},
          {"Experts", kExperts},
          {"BiasedExperts", kBiasedExperts, OptimizerKind::kLamb},
          {"LookedUpBiases", kLookedUpBiases},
          {"Tiles", kTiles},
          {"Convolutions", kConvolutions, OptimizerKind::kMomentum}};
}

class PartitionedOverMesh : public testing::TestWithParam<MeshModel> {};

TEST_P(PartitionedOverMesh, DataComputesTheSame) { ExpectSameStep(GetParam(), {.data = 3}); }
TEST_P(PartitionedOverMesh, FsdpComputesTheSame) { ExpectSameStep(GetParam(), {.fsdp = 3}); }
TEST_P(PartitionedOverMesh, TensorComputesTheSame) { ExpectSameStep(GetParam(), {.tensor = 3}); }
TEST_P(PartitionedOverMesh, ProductsComputeTheSame) {
  ExpectSameStep(GetParam(), {.data = 5, .fsdp = 3, .tensor = 2});
}
TEST_P(PartitionedOverMesh, ExpertComputesTheSame) { ExpectSameStep(GetParam(), {.expert = 2}); }
TEST_P(PartitionedOverMesh, ExpertsBesideOtherAxesComputeTheSame) {
  ExpectSameStep(GetParam(), {.fsdp = 3, .expert = 2});
  ExpectSameStep(GetParam(), {.data = 3, .expert = 2});
  ExpectSameStep(GetParam(), {.data = 5, .fsdp = 3, .expert = 2});
  ExpectSameStep(GetParam(), {.tensor = 3, .expert = 2});
  ExpectSameStep(GetParam(), {.fsdp = 2, .tensor = 3});
}
TEST_P(PartitionedOverMesh, SharedUpdatesComputeTheSame) {
  ExpectSameStep(GetParam(), {.data = 3}, true);
  ExpectSameStep(GetParam(), {.data = 3, .fsdp = 2}, true);
}

INSTANTIATE_TEST_SUITE_P(Models, PartitionedOverMesh, testing::ValuesIn(Cases()),
                         [](const auto& model) { return model.param.name; });

// Models with whatever ops there are; random numbers of a part are not those of
// the whole, and statistics over the batch stay per core.
class RandomStepOverMesh : public testing::TestWithParam<int> {
 protected:
  static bool Has(const Graph& graph, OpClass op_class, OpKind kind) {
    return std::any_of(graph.ops().begin(), graph.ops().end(), [&](const Op& op) {
      return ClassOf(op.kind) == op_class || op.kind == kind;
    });
  }
};

TEST_P(RandomStepOverMesh, ComputesTheSame) {
  const auto seed = static_cast<uint32_t>(GetParam());
  const Graph forward = reference::RandomClassifier(seed, 6, 6, seed % 2 == 1);
  if (Has(forward, OpClass::kRandom, OpKind::kOpaque)) return;
  const TrainingSpec spec = SpecOf(LossKind::kSoftmaxCrossEntropy, OptimizerKind::kMomentum);
  ExpectSameStep(forward, spec, {.tensor = 2}, false);
  ExpectSameStep(forward, spec, {.tensor = 3}, false);
  if (Has(forward, OpClass::kRandom, OpKind::kBatchNormTraining)) return;
  ExpectSameStep(forward, spec, {.fsdp = 2}, false);
  ExpectSameStep(forward, spec, {.data = 2, .tensor = 3}, true);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomStepOverMesh, testing::Range(0, 40));

// Bytes of variables that one core stores.
int64_t StoredBytes(const Graph& graph) {
  int64_t bytes = 0;
  for (const Op& op : graph.ops()) {
    if (op.kind == OpKind::kVariable) bytes += op.shape.unpadded_bytes().value;
  }
  return bytes;
}

TEST(PartitionFsdp, StoresAPartOfEachMatrixAndItsSlots) {
  const MeshModel mlp = {"Mlp", kMlp, OptimizerKind::kAdam};
  const Graph one = ExpectSameStep(mlp, {.data = 3});
  const Graph part = ExpectSameStep(mlp, {.fsdp = 3});
  const int64_t vectors = 3 * 4 * (30 + 12);
  EXPECT_EQ(StoredBytes(part) - vectors, (StoredBytes(one) - vectors) / 3);
}

TEST(PartitionFsdp, GathersTheNarrowWeightOnceForEachPass) {
  const Graph part = ExpectSameStep({"Gated", kGated, OptimizerKind::kSgd}, {.fsdp = 3});
  int64_t forward = 0;
  for (const Op& op : part.ops()) {
    if (op.kind != OpKind::kAllGather) continue;
    EXPECT_EQ(op.shape.dtype, DType::kBF16) << op.name;
    forward += op.phase == Phase::kBackward ? 0 : 1;
  }
  EXPECT_EQ(forward, 3);
  EXPECT_EQ(CountKind(part, OpKind::kAllGather), 6);
  EXPECT_EQ(CountKind(part, OpKind::kReduceScatter), 3);
}

TEST(PartitionFsdp, SumsGradientsInTheTypeOfTheProduct) {
  const Graph part = ExpectSameStep({"Gated", kGated, OptimizerKind::kSgd}, {.data = 2, .fsdp = 3});
  for (const Op& op : part.ops()) {
    if (ClassOf(op.kind) != OpClass::kCollective || op.shape.rank() < 2) {
      continue;
    }
    EXPECT_EQ(op.shape.dtype, DType::kBF16) << op.name;
  }
}

TEST(PartitionTensor, SumsOnceAfterEachPairOfMatrices) {
  const Graph part = ExpectSameStep({"Gated", kGated, OptimizerKind::kSgd}, {.tensor = 3});
  EXPECT_EQ(CountKind(part, OpKind::kAllReduce), 2);
  EXPECT_EQ(CountKind(part, OpKind::kAllGather), 0);
  EXPECT_EQ(CountKind(part, OpKind::kAllToAll), 0);
}

TEST(PartitionTensor, KeepsTheResidualStreamWhole) {
  const Graph part = ExpectSameStep({"Projected", kProjected, OptimizerKind::kSgd}, {.tensor = 3});
  EXPECT_EQ(CountKind(part, OpKind::kAllGather), 1);  // h
  for (const Op& op : part.ops()) {
    if (op.name == "a") {
      EXPECT_EQ(op.shape.size(1), 10);
    }
    if (op.name == "b") {
      EXPECT_EQ(op.shape.size(1), 12);
    }
  }
}

TEST(PartitionTensor, KeepsHeadsTogetherThroughAttention) {
  for (const bool flash : {false, true}) {
    const Graph part =
        ExpectSameStep({"", AttentionBlock(flash), OptimizerKind::kSgd}, {.tensor = 3});
    EXPECT_EQ(CountKind(part, OpKind::kAllGather), 1) << flash;  // the table
    EXPECT_EQ(CountKind(part, OpKind::kAllToAll), 0) << flash;
  }
}

TEST(PartitionTensor, MovesNoWeightToItsOperand) {
  const Graph part = ExpectSameStep({"TiedBlock", kTiedBlock, OptimizerKind::kSgd}, {.tensor = 3});
  for (const Op& op : part.ops()) {
    if (op.kind == OpKind::kAllGather || op.kind == OpKind::kAllToAll) {
      EXPECT_EQ(op.shape.rank(), 3) << op.name;  // an activation
    }
  }
}

TEST(PartitionTensor, SumsTermsToPartsOfPositionsInTraining) {
  constexpr char kBlock[] = R"(
  x = f32[N,6,4] parameter()
  w1 = f32[4,12] variable()
  a = f32[N,6,12] dot(x, w1), lhs_contract={2}, rhs_contract={0}
  t = f32[N,6,12] tanh(a)
  w2 = f32[12,4] variable()
  b = f32[N,6,4] dot(t, w2), lhs_contract={2}, rhs_contract={0}
  y = f32[N,6,4] add(x, b)
  n = f32[N,6,4] tanh(y)
  w3 = f32[4,12] variable()
  z = f32[N,6,12] dot(n, w3), lhs_contract={2}, rhs_contract={0}
  output result z
)";
  const Graph part = ExpectSameStep({"Block", kBlock, OptimizerKind::kSgd}, {.tensor = 3});
  int checked = 0;
  for (const Op& op : part.ops()) {
    if (op.name == "y" || op.name == "n") {
      EXPECT_EQ(op.shape.size(1), 2) << op.name;
      ++checked;
    }
    if (op.name == "z") {
      EXPECT_EQ(op.shape.size(1), 6);
      EXPECT_EQ(op.shape.size(2), 4);
      ++checked;
    }
  }
  EXPECT_EQ(checked, 3);
}

// A block of two residual sums, with a wide and a narrow layer.
std::string Block(const std::string& name, const std::string& x) {
  constexpr char kBody[] = R"(
  $/f/t = f32[N,6,6] tanh(@)
  $/f/w1 = f32[6,15] variable()
  $/f/p = f32[N,6,15] dot($/f/t, $/f/w1), lhs_contract={2}, rhs_contract={0}
  $/f/pt = f32[N,6,15] tanh($/f/p)
  $/f/w2 = f32[15,6] variable()
  $/f/u = f32[N,6,6] dot($/f/pt, $/f/w2), lhs_contract={2}, rhs_contract={0}
  $/f/y = f32[N,6,6] add(@, $/f/u)
  $/g/yt = f32[N,6,6] tanh($/f/y)
  $/g/v1 = f32[6,3] variable()
  $/g/q = f32[N,6,3] dot($/g/yt, $/g/v1), lhs_contract={2}, rhs_contract={0}
  $/g/qt = f32[N,6,3] tanh($/g/q)
  $/g/v2 = f32[3,6] variable()
  $/g/r = f32[N,6,6] dot($/g/qt, $/g/v2), lhs_contract={2}, rhs_contract={0}
  $/g/z = f32[N,6,6] add($/f/y, $/g/r)
)";
  return absl::StrReplaceAll(kBody, {{"$", name}, {"@", x}});
}

Graph RecomputedBlocks() {
  TrainingSpec spec = SpecOf(LossKind::kMeanSquaredError);
  spec.remat = Remat::kDots;
  spec.learning_rate = 1;
  const std::string body = "x = f32[N,6,6] parameter()\n" + Block("a", "x") + Block("b", "a/g/z") +
                           "output result b/g/z";
  return ExpectSameStep(ParsedGraph(body), spec, {.tensor = 3}, false);
}

TEST(PartitionTensor, MakesGradientsInThePartsOfTheirWeights) {
  const Graph part = RecomputedBlocks();
  EXPECT_EQ(CountKind(part, OpKind::kAllToAll), 0);
  for (const Op& op : part.ops()) {
    if (ClassOf(op.kind) != OpClass::kCollective) continue;
    EXPECT_NE(op.phase, Phase::kUpdate) << op.name;
  }
}

TEST(PartitionTensor, KeepsSumsNotTerms) {
  const Graph part = RecomputedBlocks();
  int64_t sums = 0;
  for (const Op& op : part.ops()) {
    if (op.kind != OpKind::kBarrier || op.shape.size(2) != 6) continue;
    EXPECT_EQ(op.shape.size(1), 2) << op.name;
    ++sums;
  }
  EXPECT_GT(sums, 0);
}

// Rows move, which are fewer than the table's.
TEST(PartitionFsdp, LooksUpItsFeaturesForTheExamplesOfAllCores) {
  const Graph part = ExpectSameStep({"Lookup", kLookup, OptimizerKind::kSgd}, {.fsdp = 3});
  EXPECT_EQ(CountKind(part, OpKind::kAllToAll), 4);
  for (const Op& op : part.ops()) {
    if (op.kind == OpKind::kAllToAll || ClassOf(op.kind) != OpClass::kCollective) continue;
    EXPECT_NE(op.shape.size(0), 30) << op.name;
  }
}

// The lookups' terms are whole on their core.
TEST(PartitionFsdp, OfTiedTablesSumsTheProductsTermsAlone) {
  const Graph part = ExpectSameStep({"Tied", kTied, OptimizerKind::kSgd}, {.fsdp = 3});
  int64_t sums = 0;
  for (const Op& op : part.ops()) {
    if (op.kind != OpKind::kReduceScatter) continue;
    EXPECT_NE(part.operand(op, 0).kind, OpKind::kScatterAdd);
    EXPECT_EQ(op.shape.size(1), 2);
    ++sums;
  }
  EXPECT_EQ(sums, 1);
  EXPECT_EQ(CountKind(part, OpKind::kAllReduce), 0);
}

// Each product's, as it is made: no wide term stands whole.
TEST(PartitionFsdp, SumsTermsInTheTypeOfTheirProducts) {
  const Graph part =
      ExpectSameStep({"TiedProducts", kTiedProducts, OptimizerKind::kSgd}, {.fsdp = 3});
  for (const Op& op : part.ops()) {
    if (op.kind != OpKind::kReduceScatter) continue;
    EXPECT_EQ(op.shape.dtype, DType::kBF16);
  }
  EXPECT_EQ(CountKind(part, OpKind::kReduceScatter), 2);
}

// Four parts divide neither its rows nor its features.
TEST(PartitionFsdp, SumsTermsOfATableThatIsWhole) {
  const Graph part =
      ExpectSameStep({"TiedProducts", kTiedProducts, OptimizerKind::kSgd}, {.fsdp = 4});
  EXPECT_EQ(CountKind(part, OpKind::kReduceScatter), 0);
  EXPECT_GT(CountKind(part, OpKind::kAllReduce), 0);
}

// Each core has two experts of four, and tokens come and go: one way and back
// for each pass of the two products in a row.
TEST(PartitionExpert, TokensMoveAndExpertsDoNot) {
  const Graph part = ExpectSameStep({"Experts", kExperts, OptimizerKind::kSgd}, {.expert = 2});
  EXPECT_EQ(CountKind(part, OpKind::kAllToAll), 4);
  for (const Op& op : part.ops()) {
    if (op.kind == OpKind::kVariable && op.shape.rank() == 3) {
      EXPECT_EQ(op.shape.size(0), 2) << op.name;
    }
    const bool gathers = op.kind == OpKind::kAllGather || op.kind == OpKind::kReduceScatter ||
                         op.kind == OpKind::kAllReduce;
    EXPECT_FALSE(gathers && op.shape.rank() > 2) << op.name;
  }
}

// What tokens look up does not move: their places do. Tokens, places, results
// and gradients.
TEST(PartitionExpert, TokensLookUpTheirBiasesWhereTheExpertsAre) {
  const Graph part = ExpectSameStep({"LookedUpBiases", kLookedUpBiases, OptimizerKind::kSgd},
                                    {.fsdp = 3, .expert = 2});
  int64_t exchanges = 0;
  for (const Op& op : part.ops()) {
    const bool is_one = op.kind == OpKind::kAllToAll && op.as<CollectiveAttrs>().axis == "expert";
    exchanges += is_one ? 1 : 0;
  }
  EXPECT_EQ(exchanges, 4);
}

// Over fsdp alone; all other weights are in parts over both axes.
TEST(PartitionExpert, ExpertsAreGatheredFromFewerCores) {
  const Graph part =
      ExpectSameStep({"Experts", kExperts, OptimizerKind::kSgd}, {.fsdp = 3, .expert = 2});
  int64_t experts = 0;
  for (const Op& op : part.ops()) {
    if (op.kind != OpKind::kAllGather) continue;
    const bool is_expert = op.shape.rank() == 3;
    experts += is_expert ? 1 : 0;
    EXPECT_EQ(op.as<CollectiveAttrs>().axis, is_expert ? "fsdp" : "fsdp+expert") << op.name;
    EXPECT_EQ(op.as<CollectiveAttrs>().group_size, is_expert ? 3 : 6) << op.name;
  }
  EXPECT_EQ(experts, 6);
}

TEST(PartitionTensor, SharesAllMatrixWork) {
  const auto work = [](const Graph& graph) {
    double elements = 0;
    for (const Op& op : graph.ops()) {
      if (ClassOf(op.kind) != OpClass::kMxu) continue;
      elements += static_cast<double>(op.shape.elements()) *
                  static_cast<double>(graph.operand(op, 0).shape.elements());
    }
    return elements;
  };
  const MeshModel gated = {"Gated", kGated, OptimizerKind::kSgd};
  const Graph one = ExpectSameStep(gated, {.data = 1});
  const Graph part = ExpectSameStep(gated, {.tensor = 3});
  EXPECT_LE(work(part), work(one) / 3);
}

TEST(PartitionProduct, SumsGradientsOfVectorsOverDataAndFsdpAtOnce) {
  const Graph part = ExpectSameStep({"Mlp", kMlp, OptimizerKind::kSgd}, {.data = 3, .fsdp = 2});
  for (const Op& op : part.ops()) {
    if (op.kind != OpKind::kAllReduce) continue;
    const bool is_vector = op.shape.rank() == 1;
    EXPECT_EQ(op.as<CollectiveAttrs>().axis, is_vector ? "data+fsdp" : "data") << op.name;
    EXPECT_EQ(op.as<CollectiveAttrs>().group_size, is_vector ? 6 : 3);
  }
  EXPECT_EQ(CountKind(part, OpKind::kAllReduce), 4);
}

}  // namespace
}  // namespace tilewise

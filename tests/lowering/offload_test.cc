// Policies that keep or offload the results of named layers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/remat_blocks.h"
#include "tests/lowering/backend.h"
#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Layers of two residual halves, as transformers have; `second` leads to the parts
// of the second half.
Graph Layers(int count, int64_t width = 8, const std::string& second = "/") {
  GraphBuilder b("layers");
  const Dim features = {width, false};
  OpId x = b.Parameter({DType::kF32, {BatchDim(), features}}, "x");
  const auto dense = [&](const std::string& name, OpId input) {
    b.SetScope(name);
    const Shape square(DType::kF32, {features, features});
    return b.MatMul(input, b.Variable(square, "w", true));
  };
  x = dense("first", x);
  for (int i = 0; i < count; ++i) {
    const std::string layer = "layer" + std::to_string(i);
    const OpId q = b.Unary(OpKind::kTanh, dense(layer + "/query", x));
    x = b.Binary(OpKind::kAdd, x, dense(layer + "/output", q));
    const OpId y = b.Unary(OpKind::kTanh, dense(layer + second + "up", x));
    x = b.Binary(OpKind::kAdd, x, dense(layer + second + "down", y));
  }
  b.AddOutput(dense("last", x), Output::Role::kResult);
  return *b.Build();
}

// Residual layers of one attention each, on positions of two heads.
Graph AttentionLayers(bool scan, int64_t positions, int64_t width, bool flash = true) {
  GraphBuilder b("layers");
  const Dim features = {width, false};
  OpId x = b.Parameter({DType::kF32, {BatchDim(), {positions, false}, {2, false}, features}}, "x");
  for (int i = 0; i < 3; ++i) {
    if (scan) b.SetLoop({i + 1, 1});
    const std::string layer = "layer" + std::to_string(i);
    const auto dense = [&](const std::string& name, OpId input) {
      b.SetScope(layer + name);
      const Shape square(DType::kF32, {features, features});
      return b.Dot(input, b.Variable(square, "w", true), {{}, {}, {3}, {0}});
    };
    const OpId q = dense("/query", x);
    const OpId k = dense("/key", x);
    const OpId v = dense("/value", x);
    b.SetScope(layer + "/attention");
    const OpId y = b.Attention(q, k, v, {.causal = true, .flash = flash});
    x = b.Binary(OpKind::kAdd, x, dense("/output", y));
  }
  b.AddOutput(x, Output::Role::kResult);
  return *b.Build();
}

// Residual layers that share a mask of the examples' classes.
Graph MaskedLayers() {
  GraphBuilder b("layers");
  const Dim features = {8, false};
  OpId x = b.Parameter({DType::kF32, {BatchDim(), features}}, "x");
  const OpId ids = b.Parameter({DType::kS32, {BatchDim()}}, "ids");
  const Shape places(DType::kS32, {BatchDim(), features});
  const OpId mask =
      b.Convert(b.Compare(Comparison::kEq, b.Broadcast(ids, places.dims, {0}), b.Iota(places, 1)),
                DType::kF32);
  const auto dense = [&](const std::string& name) {
    b.SetScope(name);
    const Shape square(DType::kF32, {features, features});
    return b.MatMul(x, b.Variable(square, "w", true));
  };
  for (int i = 0; i < 3; ++i) {
    const OpId y = dense("layer" + std::to_string(i));
    x = b.Binary(OpKind::kAdd, x, b.Binary(OpKind::kMultiply, y, mask));
  }
  b.AddOutput(dense("last"), Output::Role::kResult);
  return *b.Build();
}

TrainingSpec SpecWith(std::string_view text) {
  TrainingSpec spec = SpecOf(LossKind::kMeanSquaredError);
  absl::StatusOr<RematPolicy> policy = ParseRematPolicy(text);
  EXPECT_TRUE(policy.ok()) << policy.status();
  if (!policy.ok()) return spec;
  spec.remat = policy->base;
  spec.remat_tensors = policy->tensors;
  return spec;
}

Graph Step(std::string_view policy, const Graph& layers = Layers(3)) {
  auto step = ExpandTraining(layers.Bind(4), SpecWith(policy));
  EXPECT_TRUE(step.ok()) << step.status();
  return *std::move(step);
}

Program Lowered(std::string_view policy, const Graph& layers, int64_t batch) {
  auto target = MakeTarget("v6e", 4, "");
  EXPECT_TRUE(target.ok()) << target.status();
  LowerOptions options;
  options.spec = SpecWith(policy);
  auto program = Lower(layers, batch, *target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

Program Lowered(std::string_view policy) { return Lowered(policy, Layers(6, 1024), 65536); }

int64_t CountForwardAttentions(const Program& program) {
  return std::count_if(program.kernels.begin(), program.kernels.end(), [&](const Kernel& kernel) {
    return program.graph.op(kernel.root).kind == OpKind::kFlashAttention;
  });
}

double Flops(const Program& program) {
  double flops = 0;
  for (const Kernel& kernel : program.kernels) {
    flops += kernel.matrix.useful_flops;
  }
  return flops;
}

int64_t CountHostCopies(const Program& program) {
  return std::count_if(program.kernels.begin(), program.kernels.end(),
                       [](const Kernel& kernel) { return kernel.kind == KernelKind::kHostCopy; });
}

TEST(ParseRematPolicy, KnowsPoliciesAndExceptions) {
  EXPECT_EQ(*ParseRematPolicy("dots"), (RematPolicy{Remat::kDots, {}}));
  EXPECT_EQ(ParseRematPolicy("save_qkv_proj")->tensors.size(), 3u);
  const RematPolicy policy = *ParseRematPolicy("full,query_proj=save,decoder_layer_input=offload");
  Op op;
  op.kind = OpKind::kDot;
  op.name = "layer1/query/dot";
  EXPECT_EQ(policy.ActionOn(op), RematAction::kSave);
  op.name = "layer1/up/dot";
  EXPECT_EQ(policy.ActionOn(op), RematAction::kRecompute);
  EXPECT_TRUE(policy.OffloadsBlockInputs());
}

TEST(ParseRematPolicy, ContextIsTheResultOfAttentionAlone) {
  const RematPolicy context = *ParseRematPolicy("minimal_with_context");
  const RematPolicy minimal = *ParseRematPolicy("minimal");
  Op op;
  op.name = "layer1/self/attention";
  op.kind = OpKind::kAttention;
  EXPECT_EQ(context.ActionOn(op), RematAction::kSave);
  EXPECT_EQ(minimal.ActionOn(op), RematAction::kRecompute);
  op.kind = OpKind::kMultiply;  // of the rotation
  EXPECT_EQ(context.ActionOn(op), RematAction::kRecompute);
  op.kind = OpKind::kDot;  // in no layer
  op.name = "dot";
  EXPECT_EQ(ParseRematPolicy("full,context=save")->ActionOn(op), RematAction::kRecompute);
}

TEST(ParseRematPolicy, KnowsProductsOfExperts) {
  const auto saves = [](std::string_view policy, std::string name) {
    Op op;
    op.kind = OpKind::kDot;
    op.name = std::move(name);
    return ParseRematPolicy(policy)->ActionOn(op) == RematAction::kSave;
  };
  EXPECT_TRUE(saves("full,moe_mlpwo=save", "layer1/experts/down/dot"));
  EXPECT_FALSE(saves("full,moe_mlpwo=save", "layer1/experts/gate/dot"));
  EXPECT_FALSE(saves("full,moe_mlpwo=save", "layer1/down/dot"));
  EXPECT_FALSE(saves("full,mlpwo=save", "layer1/experts/down/dot"));
}

TEST(ParseRematPolicy, NamesWhatItDoesNotKnow) {
  EXPECT_THAT(std::string(ParseRematPolicy("most").status().message()),
              testing::HasSubstr("minimal_offloaded"));
  EXPECT_THAT(std::string(ParseRematPolicy("full,q=save").status().message()),
              testing::HasSubstr("query_proj"));
  EXPECT_FALSE(ParseRematPolicy("full,query_proj=keep").ok());
  EXPECT_FALSE(ParseRematPolicy("none,query_proj=save").ok());
}

TEST(ParseRematPolicy, KnowsWhatAModelDoesNotMake) {
  const Graph layers = Layers(1);
  EXPECT_THAT(MadeTensors(layers), ElementsAre("query_proj", "out_proj", "mlpwi_0", "mlpwo"));
  const auto unmade = [&](std::string_view text) {
    return ParseRematPolicy(text)->NotMadeBy(layers);
  };
  EXPECT_THAT(unmade("full,decoder_layer_input=offload"), IsEmpty());
  EXPECT_THAT(unmade("full,mlpwo=save,context=save"), ElementsAre("context"));
  // Layers without a gate have a policy all the same.
  EXPECT_THAT(unmade("minimal_offloaded"), IsEmpty());
  EXPECT_THAT(unmade("minimal_with_context"), ElementsAre("context"));
}

TEST(FindRematBlocks, TakesANamedLayerAsAWhole) {
  const Graph graph = Layers(3);
  const std::vector<RematBlock> blocks = FindRematBlocks(graph);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(graph.op(blocks[1].result()).name, "layer0/down/add");
}

TEST(FindRematBlocks, TakesALayerWithASharedExpertAsAWhole) {
  const Graph graph = Layers(3, 8, "/shared/");
  const std::vector<RematBlock> blocks = FindRematBlocks(graph);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(graph.op(blocks[1].result()).name, "layer0/shared/down/add");
}

class NamedPolicy : public testing::TestWithParam<const char*> {};

TEST_P(NamedPolicy, KeepsTheStep) { ExpectSameValues(Step("none"), Step(GetParam()), 1); }

INSTANTIATE_TEST_SUITE_P(Policies, NamedPolicy,
                         testing::Values("full", "save_qkv_proj", "save_dot_except_mlpwi",
                                         "qkv_proj_offloaded", "minimal_offloaded",
                                         "full,decoder_layer_input=offload",
                                         "dots,decoder_layer_input=offload,query_proj=offload"));

TEST(NamedPolicy, KeepsTheStepOfAttention) {
  for (const bool flash : {false, true}) {
    const Graph layers = AttentionLayers(true, 4, 3, flash);
    for (const char* policy : {"full", "minimal_with_context", "full,context=save",
                               "full,context=offload", "save_dot_with_context_except_mlp"}) {
      SCOPED_TRACE(policy);
      ExpectSameValues(Step("none", layers), Step(policy, layers), 1);
    }
  }
}

// Integers are small, and a mask of them is one fusion away.
TEST(NamedPolicy, MasksOfIntegersAreMadeAgain) {
  const Graph layers = MaskedLayers();
  for (const char* policy : {"full", "full,decoder_layer_input=offload"}) {
    SCOPED_TRACE(policy);
    const Graph step = Step(policy, layers);
    ExpectSameValues(Step("none", layers), step, 1);
    int64_t made = 0;
    for (const Op& op : step.ops()) {
      if (op.kind != OpKind::kCompare) continue;
      ++made;
      const Op& mask = step.op(step.users(op.id)[0]);
      for (const OpId user : step.users(mask.id)) {
        EXPECT_EQ(step.op(user).phase, op.phase) << step.op(user).name;
      }
    }
    EXPECT_GT(made, 1);
  }
}

// Its statistics, which the gradient reads, are of the same run.
TEST(NamedPolicy, KeptAttentionRunsOnceInLoopsAndOutside) {
  for (const bool scan : {false, true}) {
    SCOPED_TRACE(scan);
    const Graph layers = AttentionLayers(scan, 512, 128);
    const auto count = [&](std::string_view policy) {
      return CountForwardAttentions(Lowered(policy, layers, 64));
    };
    EXPECT_EQ(count("none"), 3);
    EXPECT_GT(count("full"), 3);
    EXPECT_GT(count("minimal"), 3);
    EXPECT_EQ(count("full,context=save"), 3);
    EXPECT_EQ(count("full,context=offload"), 3);
  }
}

TEST(NamedPolicy, SavedProductsAreNotComputedAgain) {
  const double full = Flops(Lowered("full"));
  const double saved = Flops(Lowered("save_qkv_proj"));
  const double dots = Flops(Lowered("dots"));
  EXPECT_LT(saved, full);
  EXPECT_LT(dots, saved);
}

// The largest sum of live buffers; a scheduler with room to spare fetches ahead of it.
Bytes PeakOfBuffers(const Program& program) {
  Bytes peak;
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    Bytes live;
    for (const Buffer& buffer : program.buffers) {
      if (buffer.adds_at(k)) live += buffer.padded;
    }
    peak = std::max(peak, live);
  }
  return peak;
}

TEST(NamedPolicy, OffloadedValuesTakeNoHbmBetweenTheirUses) {
  const Program saved = Lowered("save_qkv_proj");
  const Program offloaded = Lowered("qkv_proj_offloaded");
  EXPECT_EQ(Flops(saved), Flops(offloaded));
  EXPECT_EQ(CountHostCopies(saved), 0);
  EXPECT_EQ(CountHostCopies(offloaded), 12);
  EXPECT_LT(PeakOfBuffers(offloaded), PeakOfBuffers(saved));
  const Program inputs = Lowered("full,decoder_layer_input=offload");
  EXPECT_LT(PeakOfBuffers(inputs), PeakOfBuffers(Lowered("full")));
}

// Small sums over the tensor axis are combined, but not with one that their
// copy from the host waits for.
TEST(Offload, CanBeScheduledWhereProductsAreShared) {
  const auto mesh = ParseMesh("tensor=4");
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  const auto target = MakeTarget("v6e", 4, "", *mesh);
  ASSERT_TRUE(target.ok()) << target.status();
  for (const char* policy :
       {"full,query_proj=offload", "full,decoder_layer_input=offload", "full,out_proj=offload"}) {
    LowerOptions options;
    options.spec = SpecWith(policy);
    const auto program = Lower(Layers(3, 64), 8, *target, options);
    ASSERT_TRUE(program.ok()) << program.status();
    EXPECT_GT(CountHostCopies(*program), 0) << policy;
  }
}

TEST(Offload, CoresThatShareWorkCopyAPartEach) {
  const auto bytes = [](const char* text) {
    const auto mesh = ParseMesh(text);
    const auto target = MakeTarget("v6e", 4, "", *mesh);
    LowerOptions options;
    options.spec = SpecWith("full,decoder_layer_input=offload");
    const auto program = Lower(Layers(3, 1024), 4096, *target, options);
    EXPECT_TRUE(program.ok()) << program.status();
    int64_t sum = 0;
    for (const Kernel& kernel : program->kernels) {
      if (kernel.kind == KernelKind::kHostCopy) sum += kernel.hbm_read.value;
    }
    return sum;
  };
  EXPECT_EQ(bytes("tensor=4") * 4, bytes("fsdp=4"));
}

}  // namespace
}  // namespace tilewise

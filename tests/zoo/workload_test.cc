// What a zoo workload carries, and that every model runs through the simulator.

#include <algorithm>

#include <gtest/gtest.h>

#include "estimator/estimate.h"
#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "workload/example_size.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

Workload Load(std::string_view spec, bool training = true) {
  absl::StatusOr<Workload> workload = LoadZoo(spec, training);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload.ok() ? *std::move(workload) : Workload{};
}

int64_t Count(const Workload& workload, OpKind kind) {
  const auto ops = workload.graph->ops();
  return std::count_if(ops.begin(), ops.end(), [&](const Op& op) { return op.kind == kind; });
}

// The smallest of each model that still has all its parts.
constexpr const char* kSmall[] = {
    "zoo:alexnet,image=96,dense=64",
    "zoo:densenet,image=64,growth=8",
    "zoo:inception,image=96",
    "zoo:mobilenet,image=64",
    "zoo:resnet,depth=18,image=64",
    "zoo:resnet50,image=64",
    "zoo:unet,image=64,filters=8,levels=2",
    "zoo:vgg,image=32",
    "zoo:vgg,image=32,params=bf16,dtype=bf16",
    "zoo:bert,layers=2,d_model=64,heads=4,d_ff=128,vocab=512,seq=32,"
    "predictions=4",
    "zoo:bert,layers=1,d_model=64,heads=4,d_ff=128,vocab=512,seq=32,classes=3",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=2,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,kind=reference",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=4,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,kind=reference,norm=layer,positions=learned,bias=1,"
    "tied=1,gated=0,activation=gelu",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=2,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,kind=reference,experts=4",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=2,head_dim=16,d_ff=128,"
    "vocab=512,seq=32",
    "zoo:bert,layers=1,d_model=64,heads=4,d_ff=128,vocab=512,seq=32,dropout=0",
    "zoo:bert,layers=2,d_model=64,heads=4,d_ff=128,vocab=512,seq=32,"
    "embedding=16,share_layers=1",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=2,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,dtype=s8",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=2,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,dtype=fp8",
    "zoo:decoder,layers=3,d_model=64,heads=4,kv_heads=4,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,experts=4,capacity=0,shared_experts=1,dense_layers=1,"
    "expert_every=2,expert_ff=32,latent=32,query_latent=48",
    "zoo:decoder,layers=1,d_model=64,heads=4,kv_heads=4,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,experts=4,top_k=1,capacity=0,weigh=input,"
    "sort_grad=scatter",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=4,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,experts=6,capacity=0,dense_layers=1,mtp_layers=2",
    "zoo:decoder,layers=4,d_model=64,heads=4,kv_heads=2,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,sliding_window=8,global_every=2,global_head_dim=32,"
    "global_kv_heads=1,global_values=keys,qk_norm=1,result_norm=1",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=4,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,experts=4,capacity=0,bias=1,lookup=one_hot",
    "zoo:resnet,depth=18,image=64,variant=pre_norm,norm=group",
    "zoo:ssd",
    "zoo:stable_diffusion,latent=16,filters=32,head_dim=16,text=8,"
    "text_features=32,groups=16",
    "zoo:transformer,layers=2,d_model=64,heads=4,d_ff=128,vocab=512,seq=32",
    "zoo:vit,image=64,layers=2,d_model=64,heads=4,d_ff=128,dropout=10",
    "zoo:gnmt,layers=2,units=64,vocab=512,seq=8,target_seq=6",
    "zoo:lstm,layers=2,units=64,embed=32,vocab=512,seq=8",
    "zoo:lstm,layers=1,units=64,embed=32,vocab=512,seq=8,cell=gru",
    "zoo:mlp,layers=2,nodes=256",
};

class ZooStep : public testing::TestWithParam<const char*> {};

Timeline Simulate(const Workload& workload, bool training) {
  const auto target = MakeTarget("v3", 8, "");
  EXPECT_TRUE(target.ok()) << target.status();
  LowerOptions options;
  options.training = training;
  if (workload.training) options.spec = *workload.training;
  const auto program = Lower(*workload.graph, 4, *target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return {};
  EXPECT_LE(EstimateProgram(*program, *target).step.value,
            1.000001 * SimulateStep(*program, *target).step.value);
  return SimulateStep(*program, *target);
}

TEST_P(ZooStep, TrainsAndInfers) {
  const Workload training = Load(GetParam());
  ASSERT_TRUE(training.graph && training.training);
  EXPECT_GT(training.layers, 1);
  const Timeline step = Simulate(training, true);
  const Timeline forward = Simulate(Load(GetParam(), false), false);
  EXPECT_GT(forward.step.value, 0);
  EXPECT_GT(step.step.value, forward.step.value);
}

INSTANTIATE_TEST_SUITE_P(Models, ZooStep, testing::ValuesIn(kSmall));

int64_t CountInStep(const std::string& spec, OpKind kind) {
  const Workload workload = Load(spec);
  LowerOptions options;
  options.spec = *workload.training;
  const auto program = Lower(*workload.graph, 4, *MakeTarget("v3", 1, ""), options);
  EXPECT_TRUE(program.ok()) << program.status();
  const auto ops = program->graph.ops();
  return std::count_if(ops.begin(), ops.end(), [&](const Op& op) { return op.kind == kind; });
}

TEST(ZooExperts, TokensThatWereSortedAreTakenBackUnlessTheirGradientsAdd) {
  const std::string spec =
      "zoo:decoder,layers=1,d_model=64,heads=4,kv_heads=4,head_dim=16,d_ff=128,"
      "vocab=512,seq=32,experts=4,capacity=0";
  const std::string adds = spec + ",sort_grad=scatter";
  // There and back.
  EXPECT_EQ(CountInStep(adds, OpKind::kScatterAdd), CountInStep(spec, OpKind::kScatterAdd) + 2);
  EXPECT_EQ(CountInStep(adds, OpKind::kGather), CountInStep(spec, OpKind::kGather) - 2);
}

// 64 choices in 6 groups of 11, which are rounded up to the rows of a tile.
TEST(ZooExperts, ThatDoNotDivideTheRowsHaveLongerGroups) {
  const std::string spec =
      "zoo:decoder,layers=1,d_model=64,heads=4,kv_heads=4,head_dim=16,d_ff=128,"
      "vocab=512,seq=32,experts=6,capacity=0";
  const Workload workload = Load(spec);
  const auto ops = workload.graph->ops();
  const auto up = std::find_if(ops.begin(), ops.end(), [](const Op& op) {
    return op.kind == OpKind::kDot && !op.as<DotAttrs>().blocks.empty();
  });
  ASSERT_NE(up, ops.end());
  EXPECT_EQ(up->shape.size(0), 6);
  EXPECT_EQ(up->shape.dims[1].factor, 16);
  // There and back again, as with a number that divides them.
  EXPECT_EQ(CountInStep(spec, OpKind::kGather),
            CountInStep(std::string(spec).replace(spec.find("experts=6"), 9, "experts=8"),
                        OpKind::kGather));
}

TEST(ZooDecoder, LayersThatPredictAheadHaveResultsOfTheirOwn) {
  const std::string spec =
      "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=2,head_dim=16,d_ff=128,"
      "vocab=512,seq=32";
  const auto results = [](const std::string& text) {
    const Workload workload = Load(text);
    return workload.graph->outputs().size();
  };
  EXPECT_EQ(results(spec), 1u);
  EXPECT_EQ(results(spec + ",mtp_layers=2"), 3u);
  // One table and one matrix of tokens for all: of weights only those of the
  // layer, its norms and its projection come to them.
  const auto weights = [](const std::string& text) {
    const Workload workload = Load(text);
    const auto ops = workload.graph->ops();
    return std::count_if(ops.begin(), ops.end(),
                         [](const Op& op) { return op.kind == OpKind::kVariable; });
  };
  const auto of_layer =
      weights(spec) - weights(std::string(spec).replace(spec.find("layers=2"), 8, "layers=1"));
  EXPECT_EQ(weights(spec + ",mtp_layers=1"), weights(spec) + of_layer + 4);
}

TEST(ZooDecoder, TilesOfLogitsNeedOneMoreProductAndLessMemory) {
  const auto lowered = [](const std::string& tiles) {
    const Workload workload = Load(
        "zoo:decoder,layers=1,d_model=256,heads=2,kv_heads=2,d_ff=512,"
        "vocab=32768,seq=2048,vocab_tiles=" +
        tiles);
    LowerOptions options;
    options.spec = *workload.training;
    auto program = Lower(*workload.graph, 2, *MakeTarget("v5e", 4, ""), options);
    EXPECT_TRUE(program.ok()) << program.status();
    return *std::move(program);
  };
  const auto flops = [](const Program& program) {
    double sum = 0;
    for (const Kernel& kernel : program.kernels) {
      sum += kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
    }
    return sum;
  };
  const Program whole = lowered("1");
  const Program tiled = lowered("8");
  EXPECT_LT(tiled.memory.peak.value, 0.5 * whole.memory.peak.value);
  EXPECT_NEAR(flops(tiled) - flops(whole), 2.0 * 2 * 2048 * 256 * 32768, 1e3);
}

// A loop cannot carry parts of a sum over cores: the gradient is whole on each, and is summed
// whole behind it, in f32 where the loss takes f32; its update waits for the loop over layers.
TEST(ZooDecoder, TilesOfLogitsCarryTheWholeGradientOfTheOutputMatrix) {
  const Workload workload = Load(
      "zoo:decoder,layers=4,d_model=256,heads=2,kv_heads=2,d_ff=512,vocab=4096,seq=512,"
      "dtype=bf16,params=bf16,vocab_tiles=4");
  LowerOptions options;
  options.spec = *workload.training;
  const auto program =
      Lower(*workload.graph, 8, *MakeTarget("v6e", 8, "", *ParseMesh("fsdp=8")), options);
  ASSERT_TRUE(program.ok()) << program.status();
  const Op* sum = nullptr;
  for (const Op& op : program->graph.ops()) {
    if (op.kind == OpKind::kAllReduce && op.shape == Shape::Of(DType::kF32, {256, 4096})) sum = &op;
  }
  ASSERT_NE(sum, nullptr);
  const auto buffer = std::ranges::find(program->buffers, sum->id, &Buffer::value);
  ASSERT_NE(buffer, program->buffers.end());
  EXPECT_GT(buffer->last - buffer->first, 40);
  EXPECT_EQ(program->kernels[buffer->last].phase, Phase::kUpdate);
}

// All cores together do what one would, however the positions are shared out.
TEST(ZooDecoder, PositionsSharedOutLeaveTheMatrixWorkAsItIs) {
  const auto flops = [](const std::string& parameters, const std::string& mesh, int64_t batch) {
    const Workload workload =
        Load("zoo:decoder,layers=2,d_model=256,heads=2,kv_heads=2,d_ff=512,vocab=4096,seq=2048," +
             parameters);
    LowerOptions options;
    options.spec = *workload.training;
    auto program =
        Lower(*workload.graph, batch, *MakeTarget("v6e", 8, "", *ParseMesh(mesh)), options);
    EXPECT_TRUE(program.ok()) << parameters << ": " << program.status();
    double sum = 0;
    for (const Kernel& kernel : program->kernels) {
      sum += kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
    }
    return sum;
  };
  for (const std::string parameters :
       {"vocab_tiles=1", "vocab_tiles=4", "kind=reference", "scan=0,tied=1", "sliding_window=512",
        "experts=4,top_k=2,capacity=0"}) {
    const double whole = flops(parameters, "fsdp=8", 1);
    EXPECT_NEAR(flops(parameters, "fsdp=2,context=4", 4) / whole, 1, 0.01) << parameters;
    EXPECT_NEAR(flops(parameters, "context=8", 8) / whole, 1, 0.01) << parameters;
  }
}

// A part of the batch keeps its activations until its own gradients are there.
TEST(ZooDecoder, PartsOfTheBatchNeedLessMemoryLoopedOrNot) {
  for (const std::string scan : {"1", "0"}) {
    const auto peak = [&](int64_t parts) {
      const Workload workload = Load(
          "zoo:decoder,layers=6,d_model=512,heads=4,kv_heads=4,d_ff=2048,vocab=512,seq=1024,scan=" +
          scan);
      LowerOptions options;
      options.spec = *workload.training;
      options.spec.accumulation_steps = parts;
      auto program =
          Lower(*workload.graph, 16, *MakeTarget("v6e", 8, "", *ParseMesh("fsdp=8")), options);
      EXPECT_TRUE(program.ok()) << program.status();
      return static_cast<double>(program->memory.peak.value);
    };
    EXPECT_LT(peak(2), 0.65 * peak(1)) << scan;
    EXPECT_LT(peak(8), 0.35 * peak(1)) << scan;
  }
}

// Their gradients are added up as they are made, in the parts in which the weights are stored.
TEST(ZooDecoder, PartsOfTheBatchHoldOneSumOfGradients) {
  const auto peak = [&](const std::string& parameters, const std::string& mesh, int64_t parts) {
    const Workload workload =
        Load("zoo:decoder,layers=4,d_model=1024,heads=8,kv_heads=8,d_ff=4096,vocab=1024,seq=32," +
             parameters);
    LowerOptions options;
    options.spec = *workload.training;
    options.spec.accumulation_steps = parts;
    const Target target = *MakeTarget("v6e", 8, "", *ParseMesh(mesh));
    auto program = Lower(*workload.graph, 4 * parts, target, options);
    EXPECT_TRUE(program.ok()) << program.status();
    return static_cast<double>(program->memory.peak.value);
  };
  for (const std::string parameters :
       {"scan=1", "scan=0", "scan=1,dtype=f32", "scan=0,dtype=f32"}) {
    for (const std::string mesh : {"data=8", "fsdp=8", "data=2,fsdp=4", "fsdp=2,tensor=4"}) {
      const std::string name = parameters + " " + mesh;
      EXPECT_LT(peak(parameters, mesh, 16), 1.05 * peak(parameters, mesh, 8)) << name;
      EXPECT_LT(peak(parameters, mesh, 2), 1.75 * peak(parameters, mesh, 1)) << name;
    }
  }
}

// What the forward pass makes of its own values is not made again for the
// gradients, in a loop over layers as little as in layers that are written out.
TEST(ZooDecoder, LoopsKeepTheWeightsOfAttention) {
  const auto dots = [](const std::string& scan) {
    const Workload workload = Load(
        "zoo:decoder,layers=4,d_model=256,heads=2,kv_heads=2,d_ff=512,vocab=512,seq=256,"
        "kind=reference,scan=" +
        scan);
    LowerOptions options;
    options.spec = *workload.training;
    auto program = Lower(*workload.graph, 2, *MakeTarget("v6e", 1, ""), options);
    EXPECT_TRUE(program.ok()) << program.status();
    double flops = 0;
    for (const Kernel& kernel : program->kernels) {
      flops += kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
    }
    return flops;
  };
  EXPECT_DOUBLE_EQ(dots("1"), dots("0"));
}

TEST(ZooDecoder, TilesAreOfTrainingOnly) {
  constexpr char kSpec[] = "zoo:decoder,layers=1,seq=64,vocab_tiles=4";
  EXPECT_EQ(Load(kSpec).graph->outputs().size(), 4u);
  EXPECT_EQ(Load(kSpec, false).graph->outputs().size(), 1u);
  constexpr char kOnePosition[] = "zoo:decoder,layers=1,seq=1,cached=64,vocab_tiles=4";
  EXPECT_TRUE(LoadZoo(kOnePosition, false).ok());
}

TEST(ZooExperts, WhoseInputsAreWeighedHaveNothingToMultiplyAfterwards) {
  const std::string spec =
      "zoo:decoder,layers=1,d_model=64,heads=4,kv_heads=4,head_dim=16,d_ff=128,"
      "vocab=512,seq=32,experts=4,top_k=1,capacity=0";
  EXPECT_LT(CountInStep(spec + ",weigh=input", OpKind::kDot), CountInStep(spec, OpKind::kDot));
}

constexpr const char* kMicro[] = {
    "zoo:attention,seq=256,heads=4",
    "zoo:attention,seq=256,heads=4,kv_heads=2,causal=0",
    "zoo:attention,seq=256,heads=4,grad=1",
    "zoo:attention,seq=256,heads=4,grad=1,bias=1",
    "zoo:attention,seq=256,heads=4,kind=flash",
    "zoo:attention,seq=256,heads=4,kind=flash,grad=1,bias=1",
    "zoo:collective,bytes=1048576",
    "zoo:collective,kind=all_gather,bytes=1048576",
    "zoo:collective,kind=reduce_scatter,bytes=1048576",
    "zoo:collective,kind=all_to_all,bytes=1048576",
    "zoo:collective,kind=permute,bytes=1048576",
    "zoo:conv,batch=4",
    "zoo:conv,batch=4,groups=64",
    "zoo:copy",
    "zoo:copy,bytes=1048576",
    "zoo:elementwise,op=add",
    "zoo:elementwise,op=div,dim0=1000,dim1=3",
    "zoo:elementwise,op=binary_step",
    "zoo:elementwise,op=elu",
    "zoo:elementwise,op=gelu",
    "zoo:elementwise,op=leaky",
    "zoo:elementwise,op=linear",
    "zoo:elementwise,op=parametric",
    "zoo:elementwise,op=relu,vector=1",
    "zoo:elementwise,op=selu",
    "zoo:elementwise,op=sigmoid",
    "zoo:elementwise,op=tanh",
    "zoo:embedding",
    "zoo:gemm",
    "zoo:gemm,batch=4,dtype=f32,precision=highest",
    "zoo:gemm,dtype=s8",
    "zoo:layernorm",
    "zoo:softmax",
};

class ZooMicro : public testing::TestWithParam<const char*> {};

TEST_P(ZooMicro, HasNothingToTrainAndTakesTime) {
  const Workload workload = Load(GetParam());
  ASSERT_TRUE(workload.graph);
  EXPECT_FALSE(workload.training.has_value());
  EXPECT_EQ(workload.graph->trainable_parameters(), 0);
  EXPECT_TRUE(workload.graph->is_static());
  EXPECT_GT(Simulate(workload, false).step.value, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Workloads, ZooMicro, testing::ValuesIn(kMicro));

TEST(ZooWorkload, InputsComeFromTheHostOnlyBesideAFile) {
  Workload alone = Load("zoo:mlp,input=100");
  EXPECT_EQ(BytesPerExample(alone).value, 0);
  alone.files.push_back({"train.py", "", {}});
  EXPECT_EQ(BytesPerExample(alone).value, 400);
  Workload product = Load("zoo:gemm");
  product.files.push_back({"train.py", "", {}});
  EXPECT_EQ(BytesPerExample(product).value, 0);
}

TEST(ZooWorkload, InferenceUsesMovingAveragesAndDropsNothing) {
  EXPECT_GT(Count(Load("zoo:vit,dropout=10,layers=1"), OpKind::kRngUniform), 0);
  EXPECT_EQ(Count(Load("zoo:vit,dropout=10,layers=1", false), OpKind::kRngUniform), 0);
  const Workload training = Load("zoo:resnet50");
  const Workload inference = Load("zoo:resnet50", false);
  EXPECT_EQ(Count(training, OpKind::kBatchNormTraining), 53);
  EXPECT_EQ(Count(training, OpKind::kBatchNormInference), 0);
  EXPECT_EQ(Count(inference, OpKind::kBatchNormInference), 53);
}

TEST(ZooWorkload, WeightsAreWideInTrainingOnly) {
  const auto type_of_first_weight = [](const Workload& workload) {
    for (const Op& op : workload.graph->ops()) {
      if (op.kind == OpKind::kVariable) return op.shape.dtype;
    }
    return DType::kPred;
  };
  EXPECT_EQ(type_of_first_weight(Load("zoo:resnet50")), DType::kF32);
  EXPECT_EQ(type_of_first_weight(Load("zoo:resnet50", false)), DType::kBF16);
  EXPECT_EQ(type_of_first_weight(Load("zoo:resnet50,params=bf16")), DType::kBF16);
}

TEST(ZooWorkload, IntegerWeightsAreNotTrained) {
  EXPECT_FALSE(Load("zoo:mlp,dtype=s8").training.has_value());
  EXPECT_FALSE(Load("zoo:resnet50,params=s8").training.has_value());
}

TEST(ZooWorkload, AttentionHasGradientsOfItsThreeOperands) {
  EXPECT_EQ(Load("zoo:attention").graph->outputs().size(), 1u);
  EXPECT_EQ(Load("zoo:attention,grad=1").graph->outputs().size(), 3u);
}

TEST(ZooWorkload, FlashAttentionWritesNoScores) {
  const auto peak = [](std::string_view spec) {
    const auto target = MakeTarget("v4", 1, "");
    LowerOptions options;
    options.training = false;
    const auto program = Lower(*Load(spec).graph, 1, *target, options);
    return program->memory.peak.value;
  };
  const int64_t scores = 2 * 32 * 2048LL * 2048 * 2;  // bf16
  EXPECT_GT(peak("zoo:attention"), scores);
  EXPECT_LT(peak("zoo:attention,kind=flash"), scores / 2);
}

// Products of narrow types against the chip's own peak for them: the rate of
// bf16 where the operands are converted.
TEST(ZooGemm, NarrowTypesRunAtTheirOwnRate) {
  struct Rate {
    const char *chip, *type;
    double over_bf16;
  };
  for (const Rate& rate : {Rate{"v5e", "s8", 2}, Rate{"v5e", "s4", 4}, Rate{"v5e", "f8e4m3", 1},
                           Rate{"v6e", "s8", 2}, Rate{"v6e", "f8e4m3", 1}, Rate{"v7x", "f8e4m3", 2},
                           Rate{"v7x", "s8", 1}, Rate{"v4", "s8", 1}}) {
    const auto target = MakeTarget(rate.chip, 1, "");
    ASSERT_TRUE(target.ok()) << target.status();
    const auto time = [&](const std::string& type) {
      const Workload workload = Load("zoo:gemm,m=8192,n=8192,k=8192,dtype=" + type);
      LowerOptions options;
      options.training = false;
      const auto program = Lower(*workload.graph, 1, *target, options);
      EXPECT_TRUE(program.ok()) << program.status();
      return SimulateStep(*program, *target).step.value;
    };
    const double faster = time("bf16") / time(rate.type);
    EXPECT_GT(faster, 0.85 * rate.over_bf16) << rate.chip << " " << rate.type;
    EXPECT_LT(faster, 1.01 * rate.over_bf16) << rate.chip << " " << rate.type;
  }
}

TEST(ZooDecoder, DecodingReadsTheCacheOfEachLayer) {
  const auto time = [](const std::string& cached) {
    const Workload workload = Load(
        "zoo:decoder,layers=2,vocab=512,seq=1,kind=reference,slots=64,cached=" + cached, false);
    const auto target = MakeTarget("v5e", 1, "");
    LowerOptions options;
    options.training = false;
    const auto program = Lower(*workload.graph, 1, *target, options);
    EXPECT_TRUE(program.ok()) << program.status();
    return SimulateStep(*program, *target).step.value;
  };
  // Keys and values of 8 heads of 128 in bf16, of 64 examples and two layers.
  const double bytes = 2.0 * 2 * 64 * 4096 * 8 * 128 * 2;
  const double more = time("8192") - time("4096");
  EXPECT_GT(more, bytes / 819e9);
  EXPECT_LT(more, 3 * bytes / 819e9);
}

TEST(ZooDecoder, CacheIsOfInferenceOnly) {
  EXPECT_FALSE(LoadZoo("zoo:decoder,layers=1,seq=1,cached=64").ok());
  EXPECT_FALSE(LoadZoo("zoo:decoder,layers=1,seq=65,cached=64", false).ok());
}

}  // namespace
}  // namespace tilewise

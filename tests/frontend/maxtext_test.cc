// Configurations of MaxText: which decoder of the zoo they are, how it is trained and shared.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/maxtext/decoder_spec.h"
#include "frontend/maxtext/maxtext_values.h"
#include "frontend/maxtext/read_maxtext.h"
#include "graph/text.h"
#include "tests/support/temporary_folder.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr std::string_view kSizes = R"(base_emb_dim: 256
base_num_query_heads: 4
base_num_kv_heads: 2
base_mlp_dim: 768
base_num_decoder_layers: 4
head_dim: 64
mlp_activations: ["silu", "linear"]
vocab_size: 4096
max_target_length: 256
)";

std::string SpecOf(const std::string& more, std::vector<std::string> arguments = {}) {
  const std::string text = std::string(kSizes) + more;
  const auto values = MaxTextValues::Read({"model.yml", text}, arguments);
  EXPECT_TRUE(values.ok()) << values.status();
  const auto spec = DecoderSpecOf(*values);
  return spec.ok() ? spec->text : std::string(spec.status().message());
}

Workload ReadWith(const std::string& more, LoadOptions options = {.cores = 16}) {
  const std::string text = std::string(kSizes) + more;
  const InputFile file = {"model.yml", text};
  EXPECT_TRUE(LooksLikeMaxText(file));
  auto workload = ReadMaxText(file, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload.ok() ? *std::move(workload) : Workload();
}

Mesh MeshOf(std::vector<std::string> arguments, int64_t devices = 16, int64_t slices = 1) {
  return *ReadWith("", {.cores = devices, .slices = slices, .program = {.arguments = arguments}})
              .mesh;
}

TEST(MaxText, IsADecoderOfTheZoo) {
  const Workload read = ReadWith("use_iota_embed: true\n");
  const auto written = LoadZoo(
      "zoo:decoder,layers=4,d_model=256,heads=4,kv_heads=2,head_dim=64,d_ff=768,vocab=4096,seq=256,"
      "lookup=one_hot,q_block=256,kv_block=256,grad_q_block=256,grad_kv_block=256,params=f32");
  ASSERT_TRUE(written.ok() && read.graph);
  ASSERT_EQ(read.graph->size(), written->graph->size());
  for (const Op& op : read.graph->ops()) {
    const Op& other = written->graph->op(op.id);
    EXPECT_EQ(op.kind, other.kind);
    EXPECT_EQ(op.shape, other.shape);
    EXPECT_EQ(op.location.file, "model.yml");
  }
}

TEST(MaxText, BlocksAddWhatTheyHave) {
  EXPECT_THAT(SpecOf("decoder_block: qwen3"), HasSubstr(",qk_norm=1"));
  EXPECT_THAT(SpecOf("decoder_block: qwen2"), HasSubstr(",bias=heads"));
  EXPECT_THAT(SpecOf("decoder_block: gemma2\nsliding_window_size: 128"),
              testing::AllOf(HasSubstr("layers=8,"), HasSubstr("sliding_window=128"),
                             HasSubstr("global_every=2,result_norm=1")));
  EXPECT_THAT(SpecOf("decoder_block: mixtral\nnum_experts: 8\nnum_experts_per_tok: 2"),
              HasSubstr("experts=8,top_k=2,capacity=0"));
  EXPECT_THAT(SpecOf("decoder_block: mixtral\nnum_experts: 8\nnum_experts_per_tok: 2\n"
                     "sparse_matmul: false\ncapacity_factor: 1.25"),
              HasSubstr("capacity=125"));
  EXPECT_THAT(SpecOf("decoder_block: deepseek\nq_lora_rank: 96"),
              HasSubstr("latent=512,query_latent=96"));
  EXPECT_THAT(SpecOf("decoder_block: gpt3"), HasSubstr("norm=layer,positions=learned,bias=1"));
  EXPECT_THAT(SpecOf("decoder_block: other"), HasSubstr("'other' of MaxText is not known"));
}

TEST(MaxText, TheCommandLineWins) {
  EXPECT_THAT(SpecOf("quantization: ''", {"quantization=fp8_full", "scan_layers=false"}),
              testing::AllOf(HasSubstr("dtype=fp8"), HasSubstr("scan=0")));
  EXPECT_THAT(SpecOf("attention: dot_product"), HasSubstr("kind=reference"));
  EXPECT_THAT(SpecOf("base_num_decoder_layers: 6"), HasSubstr("layers=6"));
}

TEST(MaxText, FilesAreThoseOfItsFolders) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("models"));
  folder.Write("models/small.yml", kSizes);
  const std::string base = folder.Write(
      "base.yml", "base_output_directory: ''\nmodel_name: default\nper_device_batch_size: 12.0\n");
  const auto read = LoadFiles({base}, {.program = {.arguments = {"model_name=small"}}});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->graph);
  EXPECT_EQ(read->declared_global_batch(), 8 * 12);
  const auto model = LoadFiles({folder.path("models/small.yml")}, {});
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->declared_global_batch(), 8 * 12);
  const auto missing = LoadFiles({base}, {.program = {.arguments = {"model_name=large"}}});
  EXPECT_THAT(missing.status().message(), HasSubstr("expected large.yml of MaxText beside it"));
  EXPECT_THAT(ReadWith("", {.program = {.arguments = {"model_name=large"}}}).notes,
              Contains(Field(&Diagnostic::message, HasSubstr("large.yml of the model is not"))));
}

TEST(MaxText, ABaseMayHaveABase) {
  const TemporaryFolder folder;
  folder.Write("base.yml", std::string(kSizes) + "per_device_batch_size: 3\nremat_policy: full\n");
  folder.Write("serving.yml", "base_config: base.yml\nremat_policy: minimal\n");
  const std::string run = folder.Write(
      "run.yml", "base_config: serving.yml\nmodel_name: default\nper_device_batch_size: 2\n");
  const auto read = LoadFiles({run}, {});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->declared_global_batch(), 8 * 2);
  EXPECT_EQ(read->training->remat, Remat::kDots);
  const std::string alone =
      folder.Write("alone.yml", "base_config: other.yml\nmodel_name: default\n");
  EXPECT_THAT(LoadFiles({alone}, {}).status().message(),
              HasSubstr("expected other.yml of MaxText"));
}

TEST(MaxText, OneAxisTakesTheDevicesThatAreLeft) {
  EXPECT_EQ(MeshOf({}), (Mesh{.data = 1, .fsdp = 16}));
  EXPECT_EQ(MeshOf({"ici_tensor_parallelism=4"}), (Mesh{.data = 1, .fsdp = 4, .tensor = 4}));
  EXPECT_EQ(MeshOf({"ici_fsdp_parallelism=1", "ici_data_parallelism=-1"}), (Mesh{.data = 16}));
  EXPECT_EQ(MeshOf({}, 16, 2), (Mesh{.data = 2, .fsdp = 8, .slices = 2}));
  EXPECT_EQ(MeshOf({"ici_context_parallelism=2", "ici_expert_parallelism=2"}),
            (Mesh{.data = 1, .fsdp = 4, .expert = 2, .context = 2}));
}

TEST(MaxText, StagesPassTheirGroupsOfLayersInTurn) {
  EXPECT_EQ(MeshOf({"ici_pipeline_parallelism=2"}),
            (Mesh{.data = 1, .stage = 2, .fsdp = 8, .repeats = 2}));
  EXPECT_EQ(MeshOf({"ici_pipeline_parallelism=2", "num_layers_per_pipeline_stage=2",
                    "num_pipeline_microbatches=4"}),
            (Mesh{.data = 1, .stage = 2, .fsdp = 8, .microbatches = 4}));
}

TEST(MaxText, TheBatchIsThatOfADeviceMaybeAFraction) {
  EXPECT_EQ(ReadWith("per_device_batch_size: 0.25\n").declared_global_batch(), 4);
  EXPECT_EQ(ReadWith("per_device_batch_size: 2\ngradient_accumulation_steps: 3\n")
                .declared_global_batch(),
            96);
}

TEST(MaxText, TrainingIsAsConfigured) {
  const Workload read = ReadWith(
      "remat_policy: custom\nquery_proj: device\ndecoder_layer_input: offload\nengram: remat\n"
      "mu_dtype: bfloat16\n");
  ASSERT_TRUE(read.training);
  EXPECT_EQ(read.training->optimizer, OptimizerKind::kAdamW);
  EXPECT_EQ(read.training->momentum_type, DType::kBF16);
  EXPECT_EQ(read.training->remat_policy(),
            *ParseRematPolicy("full,decoder_layer_input=offload,query_proj=save"));
  EXPECT_TRUE(read.notes.empty());
}

TEST(MaxText, WhatIsNotKnownIsNamed) {
  const auto notes = [](const std::string& more) { return ReadWith(more).notes; };
  const auto says = [](const std::string& text) {
    return Contains(Field(&Diagnostic::message, HasSubstr(text)));
  };
  EXPECT_THAT(notes("decoder_block: other\n"), says("no model was read: the decoder_block"));
  EXPECT_THAT(notes("opt_type: muon\n"), says("'muon' is taken as AdamW"));
  EXPECT_THAT(notes("remat_policy: custom\nmla_q: device\n"), says("mla_q"));
  EXPECT_THAT(notes("attn_logits_soft_cap: 50.0\n"), says("attn_logits_soft_cap"));
  EXPECT_THAT(notes("remat_policy: sometimes\n"), says("'sometimes'"));
  EXPECT_THAT(notes("weight_dtype: int4\n"), says("the weight_dtype 'int4' of MaxText"));
  EXPECT_THAT(notes("mlp_activations: [\"swoosh\"]\n"), says("mlp_activations=swoosh"));
  EXPECT_THAT(notes("num_experts: 8\nsparse_matmul: false\n"), says("every expert gets every"));
  EXPECT_THAT(notes("gradient_accumulation_steps: 100\n"), says("of 64 batches"));
  EXPECT_THAT(notes("ici_context_parallelism: 2\ncontext_parallel_strategy: ulysses\n"),
              says("'ulysses' is simulated as a gather"));
}

}  // namespace
}  // namespace tilewise

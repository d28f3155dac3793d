// Sentences of measurement tables and the specs that they stand for.

#include "accuracy/workload_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accuracy/run_text.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

struct Sentence {
  std::string text;
  std::string spec;
  std::string dtype = "bf16";
  double devices = 8;
};

WorkloadSpec Read(const std::string& text, const std::string& dtype = "bf16", double devices = 8) {
  return ReadWorkload(
      {.text = TextMatch(text), .details = TextMatch(text), .dtype = dtype, .training = true},
      devices);
}

const std::vector<Sentence> kSentences = {
    {"jnp.matmul bf16 1000x2000x3000, timed from host", "zoo:gemm,m=1000,n=3000,k=2000,dtype=bf16"},
    {"matmul bf16 512^3", "zoo:gemm,m=512,n=512,k=512,dtype=bf16"},
    {"local bf16 matmul [64,128]x[128,256] on one core", "zoo:gemm,m=64,n=256,k=128,dtype=bf16"},
    {"int8 GEMM 4096^3", "zoo:gemm,m=4096,n=4096,k=4096,dtype=s8", "s8"},
    {"HBM copy of 1048576 bytes on one core", "zoo:copy,bytes=1048576,dtype=bf16"},
    {"HBM copy of f32[1000] (4 kB)", "zoo:copy,bytes=4000,dtype=f32"},
    {"all_gather f32 input 65,536 elements (x4 out), topology 2x2x1",
     "zoo:collective,kind=all_gather,bytes=262144,cores=8,dtype=f32"},
    {"psum of bf16 128x256 over ICI",
     "zoo:collective,kind=all_reduce,bytes=65536,cores=8,dtype=bf16"},
    {"ReduceScatter of 134 MB per-shard bf16[8,1024,8192] over 2-way axis",
     "zoo:collective,kind=reduce_scatter,bytes=134217728,cores=2,dtype=bf16"},
    {"causal self-attention only: batch 4, seq 1024, 16 heads x 64, bf16; "
     "Pallas flash attention, block 512, forward",
     "zoo:attention,batch=4,seq=1024,heads=16,head_dim=64,causal=1,kind=flash,"
     "dtype=bf16"},
    {"causal self-attention only: batch 4, seq 1024, 16 heads x 64, additive "
     "bf16 bias; XLA reference, jit(grad) = forward + backward",
     "zoo:attention,batch=4,seq=1024,heads=16,head_dim=64,causal=1,bias=1,"
     "grad=1,kind=reference,dtype=bf16"},
    {"ResNet-50 v1.5, ImageNet 224x224", "zoo:resnet,depth=50,image=224,dtype=bf16"},
    {"Flax ResNet-101 ImageNet 160, 90 epochs", "zoo:resnet,depth=101,image=160,dtype=f32", "f32"},
    {"VGG-16 ImageNet 224", "zoo:vgg,depth=16,image=224,dtype=bf16"},
    {"BERT-large pretraining (24L, h1024, 16 heads, ffn 4096, vocab 30522), "
     "seq 128, 20 masked positions",
     "zoo:bert,layers=24,d_model=1024,heads=16,d_ff=4096,vocab=30522,seq=128,"
     "predictions=20,dtype=bf16"},
    {"ViT-B/16 ImageNet-1k 224, 90 epochs",
     "zoo:vit,patch=16,layers=12,d_model=768,heads=12,d_ff=3072,image=224,"
     "dtype=bf16"},
    {"MaxText 16B decoder (emb4096 heads64x128 mlp28672 L32, gated SiLU MLP, "
     "vocab 32000), seq 2048",
     "zoo:decoder,layers=32,d_model=4096,heads=64,kv_heads=0,head_dim=128,"
     "d_ff=28672,vocab=32000,seq=2048,gated=1,activation=silu,dtype=bf16"},
    {"FC net: 8x512, input 2000, output 1000", "zoo:mlp,layers=8,nodes=512,input=2000,output=1000"},
};

TEST(WorkloadText, BecomesSpecsThatTheZooReads) {
  for (const Sentence& sentence : kSentences) {
    const WorkloadSpec read = Read(sentence.text, sentence.dtype, sentence.devices);
    EXPECT_EQ(read.spec, sentence.spec) << sentence.text;
    const absl::StatusOr<Workload> workload = LoadZoo(read.spec);
    EXPECT_TRUE(workload.ok()) << Message(workload.status());
  }
}

constexpr char kDecoder[] = "decoder (d512 L2 4 heads mlp2048, ";

TEST(WorkloadText, UnitsAreGatedAndOutputsTiedAsTheWordsSay) {
  const auto spec = [](const std::string& words) {
    return Read(kDecoder + words + ", vocab 1000), seq 1,024").spec;
  };
  EXPECT_THAT(spec("SwiGLU, untied"), testing::HasSubstr("seq=1024,gated=1,activation=silu"));
  EXPECT_THAT(spec("SwiGLU, untied"), testing::Not(testing::HasSubstr("tied=1")));
  EXPECT_THAT(spec("ReLU non-gated, tied logits"),
              testing::HasSubstr("gated=0,activation=relu,tied=1"));
}

TEST(WorkloadText, WhatIsNotSaidIsAssumed) {
  EXPECT_THAT(Read(std::string(kDecoder) + "SwiGLU, untied, vocab 1000), seq 1024").assumed,
              testing::IsEmpty());
  EXPECT_THAT(Read(std::string(kDecoder) + "vocab 1000), seq 1024").assumed,
              testing::ElementsAre("ungated GELU units", "an output matrix of its own"));
}

TEST(WorkloadText, PositionsAndExpertsHaveAxesOfTheMesh) {
  EXPECT_EQ(Read("Mistral-7B, seq 131,072, fsdp2 cp8", "bf16", 16).mesh, "fsdp=2,context=8");
  EXPECT_EQ(Read("Mixtral-8x7B, seq 4096, fsdp, ep4, 2-way context parallel", "bf16", 64).mesh,
            "fsdp=8,expert=4,context=2");
}

TEST(WorkloadText, SlicesAreDataParallelUnlessWeightsGoOverThem) {
  const WorkloadSpec two = Read("Llama-2-70B, seq 4096, fsdp, 2 slices over DCN", "bf16", 512);
  EXPECT_EQ(two.slices, 2);
  EXPECT_EQ(two.mesh, "data=2,fsdp=256");
  const WorkloadSpec over =
      Read("Llama-3.1-405B, seq 8192, fsdp 256 in slice x dcn fsdp 2", "bf16", 512);
  EXPECT_EQ(over.slices, 2);
  EXPECT_EQ(over.mesh, "fsdp=512");
}

TEST(WorkloadText, WhatIsKeptIsSaidInWords) {
  std::vector<std::string> assumed;
  EXPECT_EQ(RematIn(TextMatch("fsdp, remat full, flash attention"), assumed), "full");
  EXPECT_EQ(RematIn(TextMatch("remat custom: layer input, qkv and attn-out offloaded to host, "
                              "flash attention"),
                    assumed),
            "full,decoder_layer_input=offload,query_proj=offload,key_proj=offload,"
            "value_proj=offload,out_proj=offload");
  EXPECT_TRUE(assumed.empty());
  EXPECT_EQ(RematIn(TextMatch("remat per recipe (custom), flash attention"), assumed), "full");
  EXPECT_THAT(assumed, testing::ElementsAre("remat full"));
}

TEST(WorkloadText, DecodingReadsTheCache) {
  const TextMatch text("Llama-3.3-70B vLLM serving, tp8, 1000 in / 1000 out, 64 concurrent");
  const WorkloadSpec read =
      ReadWorkload({.text = text, .details = text, .dtype = "bf16", .global_batch = 64}, 8);
  EXPECT_THAT(read.spec, testing::HasSubstr("seq=1,cached=1500,slots=64,kind=reference"));
  EXPECT_EQ(read.mesh, "tensor=8");
  EXPECT_EQ(ReadWorkload({.text = text, .details = text, .dtype = "bf16"}, 8).reason,
            "found no number of sequences that are decoded together");
}

TEST(WorkloadText, NamesMayOmitTheirHyphens) {
  const std::string spec = Read("llama3.1-405b, seq 8192, fsdp", "", 512).spec;
  EXPECT_EQ(spec,
            "zoo:decoder,layers=126,d_model=16384,heads=128,kv_heads=8,"
            "head_dim=128,d_ff=53248,vocab=128256,seq=8192");
}

TEST(WorkloadText, LongestNameWins) {
  const std::string spec = Read("BERT-base-cased fine-tune, seq 128").spec;
  EXPECT_NE(spec.find("vocab=28996"), std::string::npos) << spec;
  EXPECT_NE(spec.find("classes=2"), std::string::npos) << spec;
}

TEST(WorkloadText, NetworksAroundOthersAreThemselves) {
  EXPECT_EQ(Read("SSD-ResNet34, COCO 300x300").spec, "zoo:ssd,image=300,dtype=bf16");
  EXPECT_EQ(Read("Stable Diffusion v2 UNet, 512x512 = 64x64x4 latents, group "
                 "norm 16 groups")
                .spec,
            "zoo:stable_diffusion,groups=16,dtype=bf16");
  EXPECT_THAT(Read("DeepSeek-V3 671B, seq 4096, fsdp").spec, testing::HasSubstr("experts=256"));
}

TEST(WorkloadText, MeshAndRematerialisation) {
  const WorkloadSpec both = Read(
      "GPT-3 175B (96L, d12288, 96 heads, ffn 49152, vocab 50257), seq 2048; "
      "fsdp64 x tp8, remat full",
      "bf16", 512);
  EXPECT_EQ(both.mesh, "fsdp=64,tensor=8");
  EXPECT_EQ(Read("Mistral-7B, seq 8192, fsdp", "bf16", 16).mesh, "fsdp=16");
  EXPECT_EQ(Read("Mistral-7B, seq 8192").mesh, "");
}

TEST(WorkloadText, BandwidthCountsWhatItsBenchmarkCounts) {
  EXPECT_EQ(Read("HBM copy of 1000 bytes").moved_bytes, 2000);
  EXPECT_NEAR(Read("psum of bf16 100x100", "bf16", 4).moved_bytes, 2 * 20000 * 0.75, 1e-6);
  EXPECT_NEAR(Read("all_gather f32 input 1000 elements; transferred data 0.5 GB").moved_bytes, 5e8,
              1);
}

TEST(WorkloadText, HandWrittenProductsHaveTheirAuthorsBlocks) {
  const WorkloadSpec one = Read("Pallas blocked matmul bf16 1024^3, blocks bm=bk=bn=128");
  EXPECT_EQ(one.spec, "zoo:gemm,m=1024,n=1024,k=1024,dtype=bf16");
  ASSERT_TRUE(one.matmul_cuts);
  EXPECT_EQ(one.matmul_cuts->k, 8);
  EXPECT_TRUE(one.matmul_cuts->hand_written);
  const WorkloadSpec three =
      Read("Pallas blocked matmul bf16 4096^3, blocks bm=512 bk=1024 bn=2048");
  ASSERT_TRUE(three.matmul_cuts);
  EXPECT_EQ(three.matmul_cuts->m, 8);
  EXPECT_EQ(three.matmul_cuts->k, 4);
  EXPECT_EQ(three.matmul_cuts->n, 2);
}

TEST(WorkloadText, WhatIsNotThereHasAReason) {
  for (const std::string text : {"Mask R-CNN ResNet-50 FPN, COCO 800x1333", "DLRM, 1/20 epoch",
                                 "RetinaNet ResNet-50 FPN, COCO", "ALBERT-base pretraining",
                                 "Pallas blocked matmul bf16 1024^3, blocks bm=128",
                                 "nothing at all", "Llama-2-70B decode, int8 weights"}) {
    const WorkloadSpec read = Read(text);
    EXPECT_EQ(read.spec, "") << text;
    EXPECT_NE(read.reason, "") << text;
  }
}

TEST(WorkloadText, APromptIsReadByTheSameDecoder) {
  EXPECT_EQ(
      PromptOf("zoo:decoder,layers=2,seq=1,cached=1500,slots=64,kind=reference,dtype=bf16", 1000),
      "zoo:decoder,layers=2,seq=1000,dtype=bf16");
}

TEST(DType, WhatIsComputedIn) {
  EXPECT_EQ(ReadDType("f32 (bf16 MXU passes)"), "f32");
  EXPECT_EQ(ReadDType("bf16 (f32 weights)"), "bf16");
  EXPECT_EQ(ReadDType("bf16 compute, f32 params"), "bf16");
  EXPECT_EQ(ReadDType("float16"), "f16");
  EXPECT_EQ(ReadDType("not stated"), "");
}

}  // namespace
}  // namespace tilewise

// Parameters and multiply-accumulates against the published ones.

#include <ostream>

#include <gtest/gtest.h>

#include "tests/zoo/counts.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

struct Size {
  const char* spec;
  double parameters;       // 0: not compared
  double relative = 1e-9;  // allowed difference
  double multiply_accumulates = 0;
  double relative_work = 0.02;
};

void PrintTo(const Size& size, std::ostream* out) { *out << size.spec; }

// Exact counts are those of torchvision and of the models' own releases;
// rounded ones are as the papers give them.
constexpr Size kSizes[] = {
    {"zoo:resnet,depth=18", 11689512, 1e-9, 1.81e9},
    {"zoo:resnet,depth=34", 21797672, 1e-9, 3.66e9},
    {"zoo:resnet50", 25557032, 1e-9, 4.09e9},
    {"zoo:resnet50,variant=v1", 25557032, 1e-9, 3.86e9},
    {"zoo:resnet,depth=101", 44549160, 1e-9, 7.80e9},
    {"zoo:resnet,depth=152", 60192808, 1e-9, 11.51e9},
    {"zoo:vgg", 138357544, 1e-9, 15.47e9},
    {"zoo:vgg,depth=19", 143667240, 1e-9, 19.63e9},
    {"zoo:alexnet", 61100840, 1e-9, 0.714e9},
    {"zoo:mobilenet", 3504872, 1e-9, 0.300e9},
    {"zoo:densenet", 7978856, 1e-9, 2.83e9},
    {"zoo:densenet,depth=201", 20013928, 1e-9, 4.29e9},
    {"zoo:inception", 23834568, 1e-9, 5.71e9},
    {"zoo:vit", 86567656, 1e-9, 17.56e9},
    {"zoo:unet", 31.03e6, 1e-3},
    {"zoo:bert", 336.2e6, 2e-3},
    {"zoo:bert,layers=12,d_model=768,heads=12,d_ff=3072", 110e6, 0.01},
    {"zoo:bert,layers=12,d_model=4096,heads=64,d_ff=16384,vocab=30000,"
     "embedding=128,share_layers=1",
     222.6e6, 0.01},
    {"zoo:resnet,variant=pre_norm,norm=group", 25.55e6, 1e-3, 4.1e9},
    {"zoo:ssd,image=1200", 20e6, 0.05, 216.5e9, 0.03},
    {"zoo:stable_diffusion", 865910724, 2e-3},
    {"zoo:transformer", 210e6, 0.01},
    {"zoo:gnmt", 160e6, 0.01},
    {"zoo:decoder,layers=1", 8030261248.0 - 31 * 218112000.0},
    {"zoo:decoder,layers=1,d_model=12288,heads=96,kv_heads=96,d_ff=49152,"
     "vocab=50257,seq=2048,gated=0,activation=gelu,norm=layer,"
     "positions=learned,bias=1,tied=1",
     50257 * 12288.0 + 2048 * 12288.0 + 12 * 12288.0 * 12288 + 15 * 12288.0},
    // Gemma 3 of 12 B, whose report has 1,012 and 10,759 million.
    {"zoo:decoder,layers=48,d_model=3840,heads=16,kv_heads=8,head_dim=256,"
     "d_ff=15360,vocab=262208,activation=gelu,tied=1,sliding_window=1024,"
     "global_every=6,qk_norm=1,result_norm=1",
     11771e6, 1e-3},
    // gpt-oss-120b.
    {"zoo:decoder,layers=36,d_model=2880,heads=64,kv_heads=8,head_dim=64,"
     "d_ff=2880,vocab=201088,experts=128,top_k=4,capacity=0,bias=1,"
     "sliding_window=128,global_every=2",
     116.83e9, 1e-3},
    {"zoo:mlp", 2000 * 4096.0 + 3 * 4096 * 4096.0 + 4096 * 1000.0 + 4 * 4096 + 1000, 1e-9,
     2000 * 4096.0 + 3 * 4096 * 4096.0 + 4096 * 1000.0, 1e-9},
};

class ZooSize : public testing::TestWithParam<Size> {};

TEST_P(ZooSize, IsAsPublished) {
  const Size& size = GetParam();
  const absl::StatusOr<Workload> workload = LoadZoo(size.spec);
  ASSERT_TRUE(workload.ok()) << workload.status();
  const Graph& graph = *workload->graph;
  EXPECT_NEAR(static_cast<double>(graph.trainable_parameters()), size.parameters,
              size.parameters * size.relative)
      << size.spec;
  if (size.multiply_accumulates > 0) {
    EXPECT_NEAR(MultiplyAccumulates(graph), size.multiply_accumulates,
                size.multiply_accumulates * size.relative_work)
        << size.spec;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ZooSize, testing::ValuesIn(kSizes));

TEST(ZooSize, EightBillionDecoderHasEightBillionParameters) {
  const auto workload = LoadZoo("zoo:decoder");
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(workload->graph->trainable_parameters(), 8030261248);
}

TEST(ZooSize, LatentAttentionAndSharedExpertsAreAsPublished) {
  const auto workload = LoadZoo(
      "zoo:decoder,layers=27,d_model=2048,heads=16,kv_heads=16,head_dim=128,"
      "d_ff=10944,vocab=102400,seq=2048,experts=64,top_k=6,capacity=0,"
      "shared_experts=2,dense_layers=1,expert_ff=1408,latent=512");
  ASSERT_TRUE(workload.ok()) << workload.status();
  // DeepSeek-V2-Lite.
  EXPECT_EQ(workload->graph->trainable_parameters(), 15706484224);
}

TEST(ZooSize, SharedLayersDoNotAddWeights) {
  const auto one = LoadZoo("zoo:bert,layers=1,share_layers=1");
  const auto six = LoadZoo("zoo:bert,layers=6,share_layers=1");
  ASSERT_TRUE(one.ok() && six.ok());
  EXPECT_EQ(one->graph->trainable_parameters(), six->graph->trainable_parameters());
}

TEST(ZooSize, ExpertsMultiplyTheFeedForwardWeights) {
  const auto one = LoadZoo("zoo:decoder,layers=2");
  const auto eight = LoadZoo("zoo:decoder,layers=2,experts=8");
  ASSERT_TRUE(one.ok() && eight.ok());
  const int64_t feed_forward = 3 * 4096 * 14336;
  const int64_t router = 4096 * 8;
  EXPECT_EQ(eight->graph->trainable_parameters() - one->graph->trainable_parameters(),
            2 * (7 * feed_forward + router));
}

}  // namespace
}  // namespace tilewise

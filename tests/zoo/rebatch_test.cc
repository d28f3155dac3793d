// The batch of every model is found again after it was bound.

#include "graph/rebatch.h"

#include <gtest/gtest.h>

#include "graph/text.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

class ZooBatch : public testing::TestWithParam<const char*> {
 protected:
  static Graph Load() {
    const absl::StatusOr<Workload> workload = LoadZoo(GetParam());
    EXPECT_TRUE(workload.ok()) << workload.status();
    return workload.ok() ? *workload->graph : Graph();
  }
};

TEST_P(ZooBatch, IsFoundAgain) {
  const Graph symbolic = Load();
  for (const int64_t batch : {4, 64}) {  // some are as many as heads, features
    const Graph bound = symbolic.Bind(batch);
    const auto guess = GuessBatch(bound);
    ASSERT_TRUE(guess.ok()) << guess.status();
    EXPECT_EQ(guess->batch, batch);
    const auto separated = SeparateBatch(bound, *guess);
    ASSERT_TRUE(separated.ok()) << separated.status();
    EXPECT_EQ(PrintGraph(separated->Bind(batch)), PrintGraph(bound));
    EXPECT_EQ(PrintGraph(separated->Bind(6)), PrintGraph(symbolic.Bind(6)));
  }
}

TEST_P(ZooBatch, OfOneIsFoundAgain) {
  const Graph symbolic = Load();
  const auto guess = GuessBatch(symbolic.Bind(1));
  ASSERT_TRUE(guess.ok()) << guess.status();
  const auto separated = SeparateBatch(symbolic.Bind(1), *guess);
  ASSERT_TRUE(separated.ok()) << separated.status();
  ASSERT_EQ(separated->outputs().size(), symbolic.outputs().size());
  for (size_t i = 0; i < symbolic.outputs().size(); ++i) {
    EXPECT_EQ(FormatShape(separated->op(separated->outputs()[i].value).shape),
              FormatShape(symbolic.op(symbolic.outputs()[i].value).shape));
  }
}

constexpr const char* kModels[] = {
    "zoo:alexnet,image=96,dense=64",
    "zoo:densenet,image=64,growth=8",
    "zoo:inception,image=96",
    "zoo:mobilenet,image=64",
    "zoo:resnet50,image=64",
    "zoo:unet,image=64,filters=8,levels=2",
    "zoo:bert,layers=2,d_model=64,heads=4,d_ff=128,vocab=512,seq=32,"
    "predictions=4",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=2,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,kind=reference,experts=4",
    "zoo:decoder,layers=2,d_model=64,heads=4,kv_heads=4,head_dim=16,d_ff=128,"
    "vocab=512,seq=32,positions=learned",
    "zoo:stable_diffusion,latent=16,filters=32,head_dim=16,text=8,"
    "text_features=32,groups=16",
    "zoo:ssd",
    "zoo:vit,image=64,layers=2,d_model=64,heads=4,d_ff=128,dropout=10",
    "zoo:gnmt,layers=2,units=64,vocab=512,seq=8,target_seq=6",
    "zoo:lstm,layers=2,units=64,embed=32,vocab=512,seq=8",
    "zoo:mlp,layers=2,nodes=256",
};

INSTANTIATE_TEST_SUITE_P(Models, ZooBatch, testing::ValuesIn(kModels));

}  // namespace
}  // namespace tilewise

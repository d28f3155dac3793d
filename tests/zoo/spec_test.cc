// How specs are read, and what is said of wrong ones.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zoo/zoo.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

std::string ErrorOf(std::string_view spec) {
  const auto workload = LoadZoo(spec);
  return workload.ok() ? "" : Message(workload.status());
}

TEST(ZooSpec, IsToldFromAFileName) {
  EXPECT_TRUE(IsZooSpec("zoo:mlp"));
  EXPECT_FALSE(IsZooSpec("zoo/mlp.json"));
  EXPECT_FALSE(IsZooSpec("model.json"));
}

TEST(ZooSpec, UnknownModelGetsTheNearestName) {
  EXPECT_THAT(ErrorOf("zoo:resnet5"), HasSubstr("found model 'resnet5', expected "));
  EXPECT_THAT(ErrorOf("zoo:decoderr"), HasSubstr("did you mean 'decoder'?"));
}

TEST(ZooSpec, UnknownParameterGetsTheNearestName) {
  EXPECT_EQ(ErrorOf("zoo:resnet50,imge=160"),
            "zoo:resnet50: found parameter 'imge', expected depth, variant, norm, "
            "image, classes, dtype, params; did you mean 'image'?");
}

TEST(ZooSpec, WrongValuesAreNamedWithWhatIsExpected) {
  EXPECT_EQ(ErrorOf("zoo:mlp,nodes=0"),
            "zoo:mlp: parameter 'nodes': found '0', expected an integer from 1 "
            "to 16777216");
  EXPECT_EQ(ErrorOf("zoo:mlp,nodes=12x"),
            "zoo:mlp: parameter 'nodes': found '12x', expected an integer from "
            "1 to 16777216");
  EXPECT_EQ(ErrorOf("zoo:mlp,nodes=99999999999999999999"),
            "zoo:mlp: parameter 'nodes': found '99999999999999999999', "
            "expected an integer from 1 to 16777216");
  EXPECT_EQ(ErrorOf("zoo:attention,kind=flsh"),
            "zoo:attention: parameter 'kind': found 'flsh', expected "
            "reference, flash; did you mean 'flash'?");
  EXPECT_EQ(ErrorOf("zoo:mlp,nodes"), "zoo:mlp: found 'nodes', expected parameter=value");
  EXPECT_EQ(ErrorOf("zoo:mlp,"), "zoo:mlp: found '', expected parameter=value");
  EXPECT_EQ(ErrorOf("zoo:mlp,nodes=4,nodes=5"),
            "zoo:mlp: found parameter 'nodes' twice, expected it once");
}

TEST(ZooSpec, SizesThatDoNotGoTogetherAreErrors) {
  EXPECT_THAT(ErrorOf("zoo:decoder,kv_heads=7"),
              HasSubstr("'kv_heads': found 7, expected a divisor of 32"));
  EXPECT_THAT(ErrorOf("zoo:bert,heads=7"), HasSubstr("a divisor of 1024"));
  EXPECT_THAT(ErrorOf("zoo:decoder,seq=64,vocab_tiles=3"),
              HasSubstr("'vocab_tiles': found 3, expected a divisor of 64"));
  EXPECT_THAT(ErrorOf("zoo:vit,patch=15"), HasSubstr("a divisor of 224"));
  EXPECT_THAT(ErrorOf("zoo:unet,image=100"), HasSubstr("a multiple of 16"));
  EXPECT_THAT(ErrorOf("zoo:decoder,experts=4,top_k=5"), HasSubstr("at most 4 experts"));
  EXPECT_THAT(ErrorOf("zoo:decoder,mtp_layers=1,seq=1"),
              HasSubstr("'mtp_layers': expected several positions"));
  EXPECT_THAT(ErrorOf("zoo:decoder,global_head_dim=256"),
              HasSubstr("'global_every': found 0, expected how often"));
  EXPECT_THAT(ErrorOf("zoo:decoder,global_every=2,global_kv_heads=5"),
              HasSubstr("'global_kv_heads': found 5, expected a divisor"));
  EXPECT_THAT(ErrorOf("zoo:attention,causal=0,sliding_window=8"),
              HasSubstr("a sliding window of 8 keys, expected none or a"));
  EXPECT_THAT(ErrorOf("zoo:copy,bytes=3"), HasSubstr("a multiple of 2"));
  EXPECT_THAT(ErrorOf("zoo:vgg,image=8"), HasSubstr("does not fit"));
}

TEST(ZooSpec, HugeSizesEndInAnErrorAndNotInOverflow) {
  EXPECT_NE(ErrorOf("zoo:gemm,m=16777216,n=16777216,k=16777216"), "");
  EXPECT_NE(ErrorOf("zoo:decoder,layers=1,d_model=16777216,d_ff=16777216,"
                    "vocab=16777216,heads=16384,kv_heads=0,head_dim=16384"),
            "");
  EXPECT_NE(ErrorOf("zoo:elementwise,dim0=1073741824,dim1=1073741824,vector=1"), "");
}

TEST(ZooModels, AreSortedAndDocumented) {
  const auto models = ZooModels();
  EXPECT_TRUE(std::is_sorted(models.begin(), models.end(),
                             [](const ZooModel& a, const ZooModel& b) { return a.name < b.name; }));
  for (const ZooModel& model : models) {
    EXPECT_FALSE(model.summary.empty()) << model.name;
    for (const ZooParameter& parameter : model.parameters) {
      EXPECT_FALSE(parameter.help.empty()) << model.name << parameter.name;
      // The default is a value that can be given.
      const std::string spec = std::string("zoo:") + std::string(model.name) + "," +
                               std::string(parameter.name) + "=" +
                               std::string(parameter.default_value);
      EXPECT_TRUE(LoadZoo(spec).ok()) << spec << ": " << ErrorOf(spec);
    }
  }
}

}  // namespace
}  // namespace tilewise

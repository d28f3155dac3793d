// `simulate --array`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

TEST(Systolic, ProductHasTheCyclesOfScaleSim) {
  const std::string gemm =
      "simulate zoo:gemm,m=4096,n=1024,k=1024 --array "
      "128x128";
  EXPECT_THAT(RunTilewise(gemm).out, HasSubstr("286592"));
  EXPECT_THAT(RunTilewise(gemm + " --dataflow os").out, HasSubstr("327168"));
  EXPECT_THAT(RunTilewise(gemm).out, HasSubstr("286591"));  // the tool's
}

TEST(Systolic, ModelIsSummedOverItsLayers) {
  const RunResult run = RunTilewise("simulate zoo:resnet50 --infer --array 128x128");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("convolution"));
  EXPECT_THAT(run.out, HasSubstr("total"));
}

TEST(Systolic, RefusesWhatIsNoArray) {
  for (const char* array : {"128", "0x128", "128x", "128x128x128", "axb"}) {
    const RunResult run = RunTilewise(std::string("simulate zoo:gemm --array ") + array);
    EXPECT_EQ(run.exit_code, 2) << array;
    EXPECT_THAT(run.err, HasSubstr("such as 128x128")) << array;
  }
  EXPECT_EQ(RunTilewise("simulate zoo:gemm --dataflow os").exit_code, 2);
}

}  // namespace
}  // namespace tilewise

// `calibrate`: from a table to a chip file that every command takes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kTable[] =
    "m,n,k,device_us\n"
    "128,128,128,4\n256,256,256,4.2\n512,512,512,6\n1024,1024,1024,17\n"
    "2048,2048,2048,90\n4096,4096,4096,640\n";

TEST(Calibrate, WritesAChipThatTheOtherCommandsTake) {
  const TemporaryFolder folder;
  const std::string table = folder.Write("mine.csv", kTable);
  const std::string chip = folder.path("mine.txtpb");
  const RunResult run =
      RunTilewise("calibrate --measurements " + table + " --chip v4 --output " + chip);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("fitted, before"));
  EXPECT_THAT(run.out, HasSubstr("kernel_overhead_us"));
  const RunResult simulated = RunTilewise("simulate zoo:gemm --chip " + chip);
  EXPECT_EQ(simulated.exit_code, 0) << simulated.err;
  EXPECT_THAT(simulated.out, HasSubstr("mine"));
}

TEST(Calibrate, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  const std::string table = folder.Write("mine.csv", kTable);
  EXPECT_EQ(RunTilewise("calibrate --chip v4").exit_code, 2);
  EXPECT_EQ(RunTilewise("calibrate --measurements " + table).exit_code, 2);
  const RunResult name =
      RunTilewise("calibrate --measurements " + table + " --chip v4 --output mine.txt");
  EXPECT_EQ(name.exit_code, 2);
  EXPECT_THAT(name.err, HasSubstr("ends in .txtpb"));
  const RunResult only =
      RunTilewise("calibrate --measurements " + table + " --chip v4 --only nosuch");
  EXPECT_EQ(only.exit_code, 2);
  EXPECT_THAT(only.err, HasSubstr("found no constant 'nosuch...'"));
}

}  // namespace
}  // namespace tilewise

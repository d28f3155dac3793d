// The JSON of `simulate --array` and `calibrate` against their published
// schemas.

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

constexpr char kTable[] =
    "m,n,k,device_us\n"
    "128,128,128,4\n256,256,256,4.2\n512,512,512,6\n1024,1024,1024,17\n"
    "2048,2048,2048,90\n4096,4096,4096,640\n";

class Schema : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null")) {
      GTEST_SKIP() << "no python3-jsonschema";
    }
  }

  bool Accepts(const std::string& schema, const std::string& json) const {
    const std::string path = folder_.Write("output.json", json);
    const std::string command = "/usr/bin/python3 -W ignore -m jsonschema -i " +
                                path + " " TILEWISE_SOURCE_DIR "/docs/schema/" +
                                schema;
    return std::system(command.c_str()) == 0;
  }

  // What `tilewise ARGUMENTS --format json` prints.
  static std::string Json(const std::string& arguments) {
    const RunResult run = RunTilewise(arguments + " --format json");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }

  const TemporaryFolder folder_;
};

TEST_F(Schema, OfASystolicArrayAcceptsEveryDataflow) {
  for (const std::string dataflow : {"ws", "os", "is"}) {
    EXPECT_TRUE(Accepts(
        "systolic.schema.json",
        Json("simulate zoo:mlp --array 128x64 --dataflow " + dataflow)));
  }
}

TEST_F(Schema, OfASystolicArrayRefusesAnotherCommand) {
  EXPECT_FALSE(Accepts("systolic.schema.json", Json("list chips")));
}

TEST_F(Schema, OfCalibrateAcceptsAFit) {
  const std::string table = folder_.Write("mine.csv", kTable);
  EXPECT_TRUE(Accepts("calibrate.schema.json",
                      Json("calibrate --chip v4 --measurements " + table +
                           " --output " + folder_.path("mine.txtpb"))));
}

}  // namespace
}  // namespace tilewise

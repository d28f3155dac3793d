// The JSON of commands against their published schemas.

#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"
#include "tests/support/checked_by_python.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kTable[] =
    "m,n,k,device_us\n"
    "128,128,128,4\n256,256,256,4.2\n512,512,512,6\n1024,1024,1024,17\n"
    "2048,2048,2048,90\n4096,4096,4096,640\n";

class Schema : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasSchemaValidator()) GTEST_SKIP() << "no python3-jsonschema";
  }

  static bool Accepts(const std::string& schema, const std::string& json) {
    return FollowsSchema(json, TILEWISE_SOURCE_DIR "/docs/schema/" + schema);
  }

  // What `tilewise ARGUMENTS --format json` prints.
  static std::string Json(const std::string& arguments) {
    const RunResult run = RunTilewise(arguments + " --format json");
    EXPECT_LE(run.exit_code, 1) << run.err;
    return run.out;
  }

  std::string script() const { return folder_.Write("t.py", kSmallScript); }

  const TemporaryFolder folder_;
};

TEST_F(Schema, OfASystolicArrayAcceptsEveryDataflow) {
  for (const std::string dataflow : {"ws", "os", "is"}) {
    EXPECT_TRUE(Accepts("systolic.schema.json",
                        Json("simulate zoo:mlp --array 128x64 --dataflow " + dataflow)));
  }
}

TEST_F(Schema, OfASystolicArrayRefusesAnotherCommand) {
  EXPECT_FALSE(Accepts("systolic.schema.json", Json("list chips")));
}

TEST_F(Schema, OfCalibrateAcceptsAFit) {
  const std::string table = folder_.Write("mine.csv", kTable);
  EXPECT_TRUE(Accepts("calibrate.schema.json", Json("calibrate --chip v4 --measurements " + table +
                                                    " --output " + folder_.path("mine.txtpb"))));
}

TEST_F(Schema, OfReportsAcceptsEveryCommandOnAScript) {
  for (const std::string command :
       {"advise", "lint", "lint --statistics", "simulate", "estimate", "tune"}) {
    EXPECT_TRUE(Accepts("report.schema.json", Json(command + " " + script()))) << command;
  }
}

TEST_F(Schema, OfDiffAcceptsTwoVersions) {
  EXPECT_TRUE(
      Accepts("diff.schema.json",
              Json("diff zoo:mlp,nodes=512 zoo:mlp,nodes=1024 --budget step=+3%,hbm=+1GiB")));
}

TEST_F(Schema, OfSarifAcceptsAScriptsFindings) {
  const RunResult run = RunTilewise("lint --format sarif " + script());
  EXPECT_TRUE(Accepts("sarif-subset.json", run.out)) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"ruleId\": \"IP001\""));
}

TEST_F(Schema, OfGitlabAcceptsAScriptsFindings) {
  const RunResult run = RunTilewise("lint --format gitlab " + script());
  EXPECT_TRUE(Accepts("gitlab-subset.json", run.out)) << run.err;
}

std::string ReadAll(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Report, GoesToFurtherFilesInTheirOwnFormats) {
  const TemporaryFolder folder;
  const std::string script = folder.Write("t.py", kSmallScript);
  const std::string sarif = folder.path("out.sarif");
  const std::string junit = folder.path("out.xml");
  const RunResult run =
      RunTilewise("lint " + script + " --report sarif=" + sarif + " --report junit=" + junit);
  EXPECT_EQ(run.out, RunTilewise("lint " + script).out);
  EXPECT_EQ(ReadAll(sarif), RunTilewise("lint --format sarif " + script).out);
  EXPECT_TRUE(IsXml(ReadAll(junit)));
}

TEST(Report, NeedsAFormatAndAFile) {
  const RunResult unknown = RunTilewise("lint a.py --report sarf=x");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'sarif'"));
  const RunResult nowhere = RunTilewise("lint a.py --report sarif");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("expected a file after it: sarif=FILE"));
}

TEST(Format, OfFindingsAloneIsOnlyForCommandsThatLint) {
  EXPECT_EQ(RunTilewise("simulate zoo:mlp --format sarif").exit_code, 2);
  EXPECT_THAT(RunTilewise("lint --help").out, HasSubstr("checkstyle"));
}

}  // namespace
}  // namespace tilewise

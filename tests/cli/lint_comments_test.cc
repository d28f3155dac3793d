// Suppression comments in files of every kind, through the program.

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class LintComments : public ::testing::Test {
 protected:
  RunResult Lint(const std::string& arguments) const {
    return RunTilewise("lint --format concise " + arguments,
                       "cd '" + folder_.path("") + "' && TILEWISE_CACHE=false");
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_.path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  TemporaryFolder folder_;
};

std::string Matmul(const std::string& comment) {
  return comment + R"(node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1024 } dim { size: 1024 } } } } }
node { name: "w" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1024 } dim { size: 1024 } } } } }
node { name: "y" op: "MatMul" input: "x" input: "w"
  attr { key: "T" value { type: DT_FLOAT } } }
)";
}

// Their reader keeps no text of such a file.
TEST_F(LintComments, OfATextGraph) {
  folder_.Write("g.pbtxt", Matmul(""));
  EXPECT_THAT(Lint("g.pbtxt --select PR001").out, HasSubstr("PR001"));
  folder_.Write("g.pbtxt", Matmul("# tilewise: ignore-file[PR001, IP001] yes\n"));
  EXPECT_THAT(Lint("g.pbtxt --select PR001").out, HasSubstr("Found no findings; 1 suppressed"));
  EXPECT_THAT(Lint("g.pbtxt --select PR001,IP001,SU --fix").out, HasSubstr("1 fixed"));
  EXPECT_EQ(Read("g.pbtxt"), Matmul("# tilewise: ignore-file[PR001] yes\n"));
}

TEST_F(LintComments, OfAModule) {
  folder_.Write("m.hlo", R"(HloModule m
ENTRY main {
  a = f32[1024,1024]{1,0} parameter(0)
  b = f32[1024,1024]{1,0} parameter(1)
  // tilewise: ignore[OP001] no pooling here
  ROOT d = f32[1024,1024]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)");
  EXPECT_THAT(Lint("m.hlo").out, HasSubstr("m.hlo:5:3: info: SU001 unused-suppression [*]: this "
                                           "ignore silences no finding of OP001"));
}

TEST_F(LintComments, OfAConfigurationStandAtTheSettingThatTheyMean) {
  const std::string text =
      "task:\n  train_data:\n    input_path: 'gs://b/train*'\n"
      "    global_batch_size: 1000@\n    drop_remainder: false\n";
  const auto with = [&](const std::string& comment) {
    std::string changed = text;
    return changed.replace(changed.find('@'), 1, comment);
  };
  folder_.Write("e.yaml", with(""));
  EXPECT_THAT(
      Lint("e.yaml --select AL002,DY002").out,
      AllOf(HasSubstr("e.yaml:4:5: warning: AL002"), HasSubstr("e.yaml:4:5: warning: DY002")));
  folder_.Write("e.yaml", with("  # tilewise: ignore[AL002, DY002] few"));
  EXPECT_THAT(Lint("e.yaml --select AL002,DY002,SU").out,
              HasSubstr("Found no findings; 2 suppressed"));
}

}  // namespace
}  // namespace tilewise

// C++ sources as a user lints and fixes them: many at once, formatted, as YAML for Clang's tools.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kPool[] =
    "#include <torch/torch.h>\n"
    "#define POOL(x) torch::max_pool2d(x, 2)\n"
    "struct Stage : torch::nn::Module {\n"
    "  torch::Tensor forward(torch::Tensor x) {\n"
    "    x = POOL(x);\n"
    "    return torch::max_pool2d( x,2 );\n"
    "  }\n"
    "};\n";

class LintCpp : public ::testing::Test {
 protected:
  RunResult Lint(const std::string& arguments) {
    return RunTilewise("lint --select OP001 " + arguments, "cd '" + folder_.path("") + "' &&");
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_.path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  TemporaryFolder folder_;
};

TEST_F(LintCpp, EditsTheSourceAndNoMacro) {
  folder_.Write("a.cc", kPool);
  const RunResult run = Lint("--fix --unsafe-fixes a.cc");
  const std::string fixed = Read("a.cc");
  EXPECT_THAT(fixed, HasSubstr("return torch::avg_pool2d( x,2 );")) << run.out << run.err;
  EXPECT_THAT(fixed, HasSubstr("#define POOL(x) torch::max_pool2d(x, 2)"));
  EXPECT_THAT(run.out, HasSubstr("1 fixed"));
}

// A source whose header names the framework is a program, whatever it says itself.
TEST_F(LintCpp, ASourceWithoutAModelHasOneReason) {
  folder_.Write("net.h",
                std::string("#include <torch/torch.h>\n") +
                    "inline int start() { auto net = torch::nn::Linear(4, 4); return 0; }\n" +
                    std::string(200'000, '\n'));
  folder_.Write("main.cc", "#include \"net.h\"\nint main() { return start(); }\n");
  const RunResult run = Lint("main.cc");
  EXPECT_THAT(run.out, HasSubstr("no model was read"));
  EXPECT_THAT(run.out, Not(HasSubstr("names no framework")));
}

TEST_F(LintCpp, ASourceWithoutTheLibrariesHasOneReason) {
  folder_.Write("plain.cc", "// Beside examples of Libtorch, xla and others.\nint main() {}\n");
  const RunResult run = Lint("plain.cc");
  EXPECT_THAT(run.out, HasSubstr("names no framework"));
  EXPECT_THAT(run.out, Not(HasSubstr("no model was read")));
}

TEST_F(LintCpp, FormatsWhatItEditsWhereTheProjectHasAStyle) {
  folder_.Write(".clang-format", "BasedOnStyle: Google\n");
  folder_.Write("a.cc", kPool);
  EXPECT_THAT(Lint("--diff --unsafe-fixes a.cc").out,
              HasSubstr("+    return torch::avg_pool2d(x, 2);"));
  EXPECT_EQ(Read("a.cc"), kPool);
}

TEST_F(LintCpp, ExportsFixesThatClangsToolsApply) {
  folder_.Write("a.cc", kPool);
  fs::create_directory(folder_.path("out"));
  const RunResult run = Lint("--export-fixes out/fixes.yaml --unsafe-fixes a.cc");
  EXPECT_EQ(Read("a.cc"), kPool) << run.err;
  const std::string yaml = Read("out/fixes.yaml");
  EXPECT_THAT(yaml, HasSubstr("DiagnosticName:  tilewise-op001"));
  EXPECT_THAT(yaml, HasSubstr("ReplacementText: \"avg_pool2d\""));
  const std::string tool = "/usr/bin/clang-apply-replacements-19";
  if (!fs::exists(tool)) GTEST_SKIP() << "no clang-apply-replacements";
  ASSERT_EQ(std::system((tool + " '" + folder_.path("out") + "'").c_str()), 0);
  EXPECT_THAT(Read("a.cc"), HasSubstr("return torch::avg_pool2d( x,2 );"));
}

TEST_F(LintCpp, ExportsAnEmptyListWhereNothingIsToBeDone) {
  folder_.Write("a.cc", "#include <torch/torch.h>\ntorch::Tensor x;\n");
  Lint("--export-fixes fixes.yaml a.cc");
  EXPECT_THAT(Read("fixes.yaml"), HasSubstr("Diagnostics: []"));
  EXPECT_EQ(Lint("--export-fixes fixes.yaml --fix a.cc").exit_code, 2);
}

TEST_F(LintCpp, PrintsTheSameForAnyNumberOfThreads) {
  fs::create_directory(folder_.path("src"));
  for (int i = 0; i < 12; ++i) folder_.Write(fmt::format("src/unit_{}.cc", i), kPool);
  const RunResult one = Lint("--no-cache --jobs 1 src");
  const RunResult many = Lint("--no-cache --jobs 4 src");
  EXPECT_EQ(one.out, many.out);
  EXPECT_EQ(one.err, many.err);
  EXPECT_THAT(one.out, HasSubstr("unit_11.cc: 2 findings"));
}

TEST_F(LintCpp, TakesFlagsFromADatabaseOrFromTheCommand) {
  folder_.Write("a.cc",
                "#include <torch/torch.h>\n#ifdef POOLED\n" + std::string(kPool) + "#endif\n");
  fs::create_directory(folder_.path("out"));
  folder_.Write("out/compile_commands.json",
                fmt::format("[{{\"directory\": \"{0}\", \"file\": \"{0}/a.cc\", "
                            "\"command\": \"clang++ -DPOOLED -c a.cc\"}}]",
                            folder_.path(".")));
  EXPECT_THAT(Lint("a.cc").out, Not(HasSubstr("OP001")));
  EXPECT_THAT(Lint("a.cc -p out").out, HasSubstr("OP001"));
  EXPECT_THAT(Lint("a.cc -- -DPOOLED").out, HasSubstr("OP001"));
}

}  // namespace
}  // namespace tilewise

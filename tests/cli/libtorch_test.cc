// With the headers of LibTorch itself, sources say what they say with the short declarations that
// stand in for them.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr char kHeaders[] = TILEWISE_LIBTORCH;

class LibTorch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(std::string(kHeaders) + "/torch/csrc/api/include/torch/torch.h")) {
      GTEST_SKIP() << "no headers of LibTorch; scripts/setup unpacks them";
    }
  }
  static std::string Flags() {
    const std::string folder = kHeaders;
    return " -- -std=c++17 -isystem " + folder + " -isystem " + folder + "/torch/csrc/api/include";
  }
  static nlohmann::json Run(const std::string& arguments) {
    const RunResult run = RunTilewise(arguments, "cd " TILEWISE_SOURCE_DIR " &&");
    nlohmann::json report = nlohmann::json::parse(run.out, nullptr, false);
    EXPECT_TRUE(report.is_object()) << arguments << run.err;
    return report;
  }
  // Without the notes, of which the one on headers that were replaced is the difference.
  static nlohmann::json WithoutNotes(nlohmann::json report) {
    report.erase("notes");
    return report;
  }
  static void ExpectSame(const std::string& command, const std::string& file) {
    const std::string arguments = command + " --format json '" + file + "'";
    EXPECT_EQ(WithoutNotes(Run(arguments)), WithoutNotes(Run(arguments + Flags()))) << file;
  }
};

TEST_F(LibTorch, GivesTheSameModelAndAdvice) {
  for (const char* file : {"examples/libtorch/digits.cpp", "examples/libtorch/gan.cpp"}) {
    ExpectSame("simulate --chip v3", file);
    ExpectSame("advise --chip v3", file);
  }
}

TEST_F(LibTorch, GivesTheSameFindingsInFixtures) {
  // One of each rule, all in one run: the headers take seconds a file.
  std::map<std::string, std::string> first;
  for (const auto& each :
       fs::recursive_directory_iterator(TILEWISE_SOURCE_DIR "/tests/rules/fixtures")) {
    const fs::path& path = each.path();
    if (!path.filename().string().starts_with("bad") || path.extension() != ".cc") continue;
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find("<torch/torch.h>") == std::string::npos) continue;
    std::string& chosen = first[path.parent_path().string()];
    if (chosen.empty() || path.string() < chosen) chosen = path.string();
  }
  std::string files;
  for (const auto& [rule, file] : first) files += " '" + file + "'";
  ASSERT_GT(first.size(), 5U);
  const std::string lint = "lint --no-cache --preview --format json" + files;
  const nlohmann::json report = Run(lint);
  EXPECT_GE(report["findings"].size(), first.size());
  EXPECT_EQ(WithoutNotes(report), WithoutNotes(Run(lint + Flags())));
}

TEST_F(LibTorch, IsReadWithoutErrors) {
  const nlohmann::json report =
      Run("lint --no-cache --format json examples/libtorch/gan.cpp" + Flags());
  for (const nlohmann::json& note : report["notes"]) EXPECT_NE(note["rule"], "RD002") << note;
}

}  // namespace
}  // namespace tilewise

// With the headers of LibTorch itself, sources say what they say with the short declarations that
// stand in for them.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
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
  // What the source gives with the headers.
  static nlohmann::json ExpectSame(const std::string& command, const std::string& file) {
    const std::string arguments = command + " --format json '" + file + "'";
    nlohmann::json with_headers = Run(arguments + Flags());
    EXPECT_EQ(WithoutNotes(Run(arguments)), WithoutNotes(with_headers)) << file;
    return with_headers;
  }
};

// The headers take seconds a source: each of the examples is read with one command.
TEST_F(LibTorch, GivesTheSameModel) {
  ExpectSame("simulate --chip v3", "examples/libtorch/digits.cpp");
}

TEST_F(LibTorch, GivesTheSameAdviceWithoutErrors) {
  const nlohmann::json report = ExpectSame("advise --chip v3", "examples/libtorch/gan.cpp");
  for (const nlohmann::json& note : report["notes"]) EXPECT_NE(note["rule"], "RD002") << note;
}

// The fixtures of all rules as one source, each in a namespace of its own.
struct Together {
  std::string text;
  std::set<std::string> bad;  // rules
};

Together FixturesOfTorch() {
  std::set<std::string> files, includes;
  for (const auto& each :
       fs::recursive_directory_iterator(TILEWISE_SOURCE_DIR "/tests/rules/fixtures")) {
    if (each.path().extension() == ".cc") files.insert(each.path().string());
  }
  Together all;
  std::string body;
  int number = 0;
  for (const std::string& file : files) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find("<torch/torch.h>") == std::string::npos) continue;
    const fs::path path(file);
    // A main() in a namespace is no program, so that rules on its model say nothing.
    const bool of_model = text.find("int main(") != std::string::npos;
    if (!of_model && path.filename().string().starts_with("bad")) {
      all.bad.insert(path.parent_path().filename());
    }
    body += "namespace fixture_" + std::to_string(++number) + " {\n";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("#include")) {
        includes.insert(line);
      } else {
        body += line + "\n";
      }
    }
    body += "}\n";
  }
  for (const std::string& each : includes) all.text += each + "\n";
  all.text += body;
  return all;
}

TEST_F(LibTorch, CompilesFixturesAndTheirTwinsAndFindsTheSame) {
  const Together all = FixturesOfTorch();
  ASSERT_GT(all.bad.size(), 5U);
  TemporaryFolder folder;
  const std::string file = folder.Write("fixtures.cc", all.text);
  const nlohmann::json report = ExpectSame("lint --no-cache --preview", file);
  EXPECT_GE(report["findings"].size(), all.bad.size());
  for (const nlohmann::json& note : report["notes"]) {
    // A program's main() starts nothing in the namespace that it has here.
    if (note["message"].get<std::string>().starts_with("main() is called by nothing")) continue;
    EXPECT_NE(note["rule"], "RD002") << note;
  }
}

// What the first group of `form` matches in the headers of a folder.
std::set<std::string> NamesIn(const fs::path& folder, const std::string& form) {
  const std::regex names(form);
  std::set<std::string> found;
  for (const auto& each : fs::recursive_directory_iterator(folder)) {
    if (each.path().extension() != ".h") continue;
    std::ifstream in(each.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), names), end; at != end; ++at) {
      found.insert(at->str(1));
    }
  }
  return found;
}

TEST_F(LibTorch, HasAShortDeclarationOfEachModuleAndFunction) {
  std::ifstream in(TILEWISE_SOURCE_DIR "/frontend/cpp/stand_ins/tilewise/torch.inc");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::regex word(R"(\w+)");
  std::set<std::string> declared;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) {
    declared.insert(at->str());
  }
  const fs::path nn = fs::path(kHeaders) / "torch/csrc/api/include/torch/nn";
  std::set<std::string> named = NamesIn(nn / "modules", R"(TORCH_MODULE\((\w+)\))");
  EXPECT_GT(named.size(), 100u);
  named.merge(NamesIn(nn / "functional", R"(inline Tensor ([a-z]\w+)\()"));
  // Its result is a class of its own.
  named.erase("AdaptiveLogSoftmaxWithLoss");
  for (const std::string& name : named) EXPECT_TRUE(declared.contains(name)) << name;
}

}  // namespace
}  // namespace tilewise

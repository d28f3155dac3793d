// clang-tidy with the plug-in says what `tilewise lint` says.

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Places = std::multiset<std::string>;  // "CX001/bad_a.cc:12:5 CX001"

std::string TextOfFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct StandInHeader {
  const char* name;
  const char* declarations;
};
constexpr StandInHeader kHeaders[] = {
#define TW_STAND_IN(name, declarations) {name, declarations},
#include "frontend/cpp/stand_ins.def"
#undef TW_STAND_IN
};

class Tidy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(Plugin())) GTEST_SKIP() << "no " << Plugin();
    if (std::system("clang-tidy-19 --version >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "clang-tidy-19";
    // Headers of libraries that are not installed, as files.
    for (const StandInHeader& header : kHeaders) {
      Place(std::string("headers/") + header.name,
            std::string("#include \"") + header.declarations + "\"\n");
    }
    const fs::path declarations = TILEWISE_SOURCE_DIR "/frontend/cpp/stand_ins";
    for (const auto& each : fs::recursive_directory_iterator(declarations)) {
      if (!each.is_regular_file()) continue;
      Place("headers/" + fs::relative(each.path(), declarations).string(), TextOfFile(each.path()));
    }
  }
  void Place(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(folder_.path(name)).parent_path());
    folder_.Write(name, text);
  }
  static std::string Plugin() {
    return (fs::path(TILEWISE_BINARY).parent_path() / "libTilewiseTidy.so").string();
  }
  std::string RunTidy(const std::string& options, const std::string& file) {
    const std::string out = folder_.path("tidy.out");
    const std::string command = "clang-tidy-19 -load " + Plugin() +
                                " --config='{}' --checks='-*,tilewise-*' --quiet " + options +
                                " '" + file + "' -- -std=c++17 -w -idirafter " +
                                folder_.path("headers") + " </dev/null >" + out + " 2>/dev/null";
    [[maybe_unused]] const int status = std::system(command.c_str());
    return TextOfFile(out);
  }
  // `files` may be several: "a.cc' 'b.cc".
  Places OfTidy(const std::string& files) {
    const std::regex line(R"(([^\s:]+):(\d+:\d+): warning: .*\[tilewise-(\w+)\])");
    const std::string text = RunTidy("", files);
    Places places;
    for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at) {
      std::string rule = (*at)[3];
      for (char& c : rule) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      places.insert(NameOf(at->str(1)) + ":" + at->str(2) + " " + rule);
    }
    return places;
  }
  // "CX001/bad_a.cc", however the path is written.
  static std::string NameOf(const fs::path& path) {
    return (path.parent_path().filename() / path.filename()).string();
  }
  // The rules that clang-tidy has.
  std::string Rules() {
    const std::regex check(R"(tilewise-(\w+))");
    const std::string text = RunTidy("--list-checks", "");
    std::string rules;
    for (std::sregex_iterator at(text.begin(), text.end(), check), end; at != end; ++at) {
      rules += (rules.empty() ? "" : ",") + at->str(1);
    }
    for (char& c : rules) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return rules;
  }
  static Places OfLint(const std::string& rules, const std::string& files) {
    const RunResult run =
        RunTilewise("lint --no-cache --select " + rules + " --format json '" + files + "'");
    const nlohmann::json report = nlohmann::json::parse(run.out, nullptr, false);
    Places places;
    if (!report.is_object()) return {run.err};
    for (const nlohmann::json& finding : report["findings"]) {
      const nlohmann::json& place = finding["location"];
      places.insert(NameOf(place.value("file", "")) + ":" + std::to_string(place.value("line", 0)) +
                    ":" + std::to_string(place.value("column", 0)) + " " +
                    finding["rule"].get<std::string>());
    }
    return places;
  }
  TemporaryFolder folder_;
};

TEST_F(Tidy, FindsInFixturesWhatLintFinds) {
  const std::string rules = Rules();
  ASSERT_THAT(rules, HasSubstr("CX001"));
  std::string files;  // in one run each: a plug-in is loaded in half a second
  for (const auto& each :
       fs::recursive_directory_iterator(TILEWISE_SOURCE_DIR "/tests/rules/fixtures")) {
    const std::string path = each.path().string();
    if (!path.ends_with(".cc") || path.find("/CX") == std::string::npos) continue;
    files += (files.empty() ? "" : "' '") + path;
  }
  const Places places = OfTidy(files);
  EXPECT_EQ(places, OfLint(rules, files));
  EXPECT_GT(places.size(), 12u);
}

TEST_F(Tidy, HasTheRulesThatSourceTextGivesEvidenceFor) {
  const std::string rules = Rules();
  for (const char* id : {"AL001", "AL002", "DY002", "HL006", "IP003", "OP001", "PR002"}) {
    EXPECT_THAT(rules, HasSubstr(id));
  }
  // A rule on a model alone has nothing to say here.
  EXPECT_THAT(rules, Not(HasSubstr("ME006")));
  const std::string fixtures = TILEWISE_SOURCE_DIR "/tests/rules/fixtures/";
  const Places places = OfTidy(fixtures + "DY002/bad_loader.cc' '" + fixtures +
                               "DY002/good_dropped.cc' '" + fixtures + "IP004/bad_normalize.cc");
  std::set<std::string> found;
  for (const std::string& each : places) {
    if (each.ends_with("DY002") || each.ends_with("IP004")) {
      found.insert(each.substr(0, each.find(':')));
    }
  }
  EXPECT_THAT(found, ElementsAre("DY002/bad_loader.cc", "IP004/bad_normalize.cc"));
}

TEST_F(Tidy, ExportsEditsThatClangAppliesTheWayLintDoes) {
  if (std::system("clang-apply-replacements-19 --version >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "clang-apply-replacements-19";
  }
  const std::string bad =
      TextOfFile(TILEWISE_SOURCE_DIR "/tests/rules/fixtures/CX006/bad_record_by_record.cc");
  const std::string a = folder_.Write("a.cc", bad), b = folder_.Write("b.cc", bad);
  fs::create_directories(folder_.path("fixes"));
  RunTidy("--export-fixes=" + folder_.path("fixes/a.yaml"), a);
  EXPECT_EQ(TextOfFile(a), bad);
  EXPECT_EQ(std::system(("clang-apply-replacements-19 " + folder_.path("fixes")).c_str()), 0);
  RunTilewise("lint --no-cache --fix --select CX006 " + b);
  EXPECT_NE(TextOfFile(a), bad);
  EXPECT_EQ(TextOfFile(a), TextOfFile(b));
}

TEST_F(Tidy, MakesTheSafeEditsOfLint) {
  const std::string bad =
      TextOfFile(TILEWISE_SOURCE_DIR "/tests/rules/fixtures/CX006/bad_record_by_record.cc");
  const std::string a = folder_.Write("a.cc", bad), b = folder_.Write("b.cc", bad);
  RunTidy("--fix", a);
  RunTilewise("lint --no-cache --fix --select CX006 " + b);
  EXPECT_NE(TextOfFile(a), bad);
  EXPECT_EQ(TextOfFile(a), TextOfFile(b));
}

TEST_F(Tidy, HonoursCommentsOfBothAndTheConfiguration) {
  const std::string source =
      "#include \"xla/shape_util.h\"\n#include \"xla/hlo/builder/xla_builder.h\"\n"
      "void f(xla::XlaBuilder* b) {\n"
      "  auto x = xla::Parameter(b, 0, xla::ShapeUtil::MakeShape(xla::F32, {512, 3}), \"x\");";
  const std::string a = folder_.Write("a.cc", source + "\n}\n");
  const std::string b = folder_.Write("b.cc", source + "  // NOLINT(tilewise-cx007)\n}\n");
  const std::string c = folder_.Write("c.cc", source + "  // tilewise: ignore[CX007] small\n}\n");
  const Places places = OfTidy(a + "' '" + b + "' '" + c);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_THAT(*places.begin(), HasSubstr("/a.cc:"));
  folder_.Write(".tilewise.yaml", "thresholds: {CX007.min-padding: 1000}\n");
  EXPECT_THAT(OfTidy(a), IsEmpty());
}

}  // namespace
}  // namespace tilewise

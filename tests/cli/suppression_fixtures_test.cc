// What the program says of suppressions, in tests/lint/fixtures: on every line
// what its mark wants, "# want: SU001", and nothing else.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rules/suppression_rules.h"
#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

using LineAndRule = std::multiset<std::string>;  // "9 SU001"

std::vector<fs::path> Fixtures(std::string_view rule) {
  std::vector<fs::path> paths;
  const fs::path folder = TILEWISE_SOURCE_DIR "/tests/lint/fixtures";
  for (const auto& entry : fs::directory_iterator(folder / rule)) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

LineAndRule Wanted(const fs::path& path) {
  LineAndRule wanted;
  const std::regex id("[A-Z]{2}[0-9]{3}");
  std::ifstream file(path);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const size_t mark = line.find("want:");
    if (mark == std::string::npos) continue;
    const std::string marks = line.substr(mark);
    for (std::sregex_iterator it(marks.begin(), marks.end(), id), end; it != end; ++it) {
      wanted.insert(std::to_string(number) + " " + it->str());
    }
  }
  return wanted;
}

LineAndRule Found(const fs::path& path) {
  const RunResult run = RunTilewise("lint --isolated --no-cache --format json " + path.string());
  LineAndRule found;
  const auto json = nlohmann::json::parse(run.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << run.err;
  if (json.is_discarded()) return found;
  for (const auto& finding : json["findings"]) {
    found.insert(std::to_string(finding["location"]["line"].get<int>()) + " " +
                 finding["rule"].get<std::string>());
  }
  return found;
}

TEST(SuppressionFixtures, HaveTheMarkedFindings) {
  for (const Rule* rule : SuppressionRules()) {
    int bad = 0, good = 0;
    for (const fs::path& path : Fixtures(rule->info.id)) {
      const LineAndRule wanted = Wanted(path);
      ++(wanted.empty() ? good : bad);
      EXPECT_EQ(Found(path), wanted) << path;
    }
    EXPECT_GE(bad, 2) << rule->info.id;
    EXPECT_GE(good, 2) << rule->info.id;
  }
}

}  // namespace
}  // namespace tilewise

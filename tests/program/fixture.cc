// Reads fixtures: settings, wanted findings, and the workload itself.

#include "tests/program/fixture.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "frontend/load.h"
#include "graph/text.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

std::string ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void ReadSettings(const std::string& line, Fixture& fixture) {
  std::istringstream words(line);
  std::string word;
  while (words >> word) {
    if (word == "chip:") words >> fixture.chip;
    if (word == "cores:") words >> fixture.cores;
    if (word == "mesh:") words >> fixture.mesh;
    if (word == "batch:") words >> fixture.options.global_batch;
    if (word == "infer") fixture.options.training = false;
  }
}

void ReadWanted(const std::string& line, int number, Fixture& fixture) {
  const size_t mark = line.find("want:");
  if (mark == std::string::npos) return;
  const std::regex id("[A-Z]{2}[0-9]{3}");
  const std::string marks = line.substr(mark);
  for (std::sregex_iterator it(marks.begin(), marks.end(), id), end; it != end; ++it) {
    fixture.wanted.emplace(number, it->str());
  }
}

// Graph text with the line of every op as its place.
std::string WithLocations(const std::string& path, const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::string result;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = line.substr(0, line.find("//"));
    if (line.find(" = ") != std::string::npos) {
      line += fmt::format(", at=\"{}:{}:1\"", fs::path(path).filename().string(), number);
    }
    result += line + '\n';
  }
  return result;
}

// The first line that has `text`, from line `from` on; 0: none.
int LineWith(const std::string& whole, const std::string& text, int from = 1) {
  std::istringstream lines(whole);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number >= from && line.find(text) != std::string::npos) return number;
  }
  return 0;
}

}  // namespace

int LineOf(const Fixture& fixture, const Location& location) {
  if (location.cell > 0) {
    int line = 0;
    for (int cell = 0; cell < location.cell; ++cell) {
      line = LineWith(fixture.text, "\"cell_type\": \"code\"", line + 1);
    }
    return LineWith(fixture.text, "\"source\": [", line) + location.line;
  }
  if (location.line == 0 && !location.item.empty()) {
    return LineWith(fixture.text, fmt::format("name: \"{}\"", location.item));
  }
  return location.line;
}

std::vector<std::string> FixturePaths() {
  std::vector<std::string> paths;
  const std::string folder = TILEWISE_SOURCE_DIR "/tests/rules/fixtures";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
#ifndef TILEWISE_CPP
    if (entry.path().extension() == ".cc") continue;
#endif
    if (entry.is_regular_file()) paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

Fixture ReadFixture(const std::string& path) {
  Fixture fixture;
  fixture.path = path;
  fixture.rule = fs::path(path).parent_path().filename().string();
  fixture.text = ReadAll(path);
  std::istringstream lines(fixture.text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number == 1) ReadSettings(line, fixture);
    ReadWanted(line, number, fixture);
  }
  return fixture;
}

absl::StatusOr<Workload> LoadFixture(const Fixture& fixture) {
  if (!fixture.path.ends_with(".graph")) {
    TW_ASSIGN_OR_RETURN(const Target target, TargetOf(fixture));
    return LoadFiles({fixture.path}, {.cores = fixture.cores, .hosts = target.hosts()});
  }
  Workload workload;
  workload.name = fixture.path;
  TW_ASSIGN_OR_RETURN(workload.graph, ParseGraph(WithLocations(fixture.path, fixture.text)));
  return workload;
}

absl::StatusOr<Target> TargetOf(const Fixture& fixture) {
  TW_ASSIGN_OR_RETURN(const Mesh mesh, ParseMesh(fixture.mesh));
  // A slow host, whose loop and feed cost something.
  return MakeTarget(fixture.chip, fixture.cores, "colab", mesh);
}

std::vector<std::string> RulesUnderTest(const Fixture& fixture) {
  std::set<std::string> rules = {fixture.rule};
  for (const Rule* rule : AllRules()) {
    if (rule->info.set != RuleSet::kDefault) continue;
    rules.emplace(rule->info.id);
  }
  for (const auto& [line, rule] : fixture.wanted) rules.insert(rule);
  return {rules.begin(), rules.end()};
}

}  // namespace tilewise

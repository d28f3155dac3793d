// Small modules and the graphs that they become, from cases/*.txt:
//
//   -- name of the behaviour
//   HLO text
//   ==
//   the graph, op by op, without places; then the step, what is opaque, notes,
//   and the kernels of a compiled module
//
// TILEWISE_UPDATE_GOLDENS=1 writes what comes out after the "==".

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/hlo/build_graph.h"
#include "frontend/hlo/read_text.h"
#include "graph/text.h"

namespace tilewise::hlo {
namespace {

struct Case {
  std::string name;
  std::string module;
  std::string expected;
};

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Case> ParseCases(const std::string& text) {
  std::vector<Case> cases;
  std::istringstream lines(text);
  bool after = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("-- ")) {
      cases.push_back({line.substr(3), "", ""});
      after = false;
    } else if (line == "==") {
      after = true;
    } else if (!cases.empty() && !line.empty()) {
      (after ? cases.back().expected : cases.back().module) += line + "\n";
    }
  }
  return cases;
}

// Lines of the graph without ", at=...", which is the same for all.
std::string WithoutLocations(const std::string& graph) {
  std::istringstream lines(graph);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("graph") || line == "}") continue;
    kept += line.substr(2, line.find(", at=") - 2) + "\n";
  }
  return kept;
}

std::string StepName(StepKind step) {
  return step == StepKind::kTrainingStep ? "step: training\n" : "";
}

std::string Kernels(const Workload& workload) {
  std::string text;
  for (const Op& op : workload.graph->ops()) {
    const int32_t kernel = workload.compilation->kernel_of[op.id];
    text += fmt::format("kernel of {}: {}\n", op.name,
                        kernel < 0 ? "none" : workload.compilation->kernels[kernel]);
  }
  return text;
}

std::string Translated(const std::string& text) {
  const absl::StatusOr<std::vector<Module>> modules = ReadHloText(text);
  if (!modules.ok()) return Message(modules.status()) + "\n";
  const absl::StatusOr<Workload> workload = BuildWorkload(modules->front(), "test.hlo");
  if (!workload.ok()) return Message(workload.status()) + "\n";
  std::string result = WithoutLocations(PrintGraph(*workload->graph));
  result += StepName(workload->step);
  for (const auto& [name, count] : workload->opaque_layers) {
    result += fmt::format("opaque: {} x{}\n", name, count);
  }
  for (const Diagnostic& note : workload->notes) {
    result += fmt::format("{}: {}\n", note.rule, note.message);
  }
  if (workload->compilation) result += Kernels(*workload);
  return result;
}

void WriteCases(const std::filesystem::path& path, const std::vector<Case>& cases) {
  std::ofstream out(path);
  for (const Case& c : cases) {
    out << "-- " << c.name << "\n" << c.module << "==\n" << Translated(c.module) << "\n";
  }
}

class GraphCases : public testing::TestWithParam<std::string> {};

TEST_P(GraphCases, BecomeTheGraphsStated) {
  const std::filesystem::path path =
      std::filesystem::path(TILEWISE_SOURCE_DIR) / "tests/hlo/cases" / (GetParam() + ".txt");
  const std::vector<Case> cases = ParseCases(ReadFile(path));
  ASSERT_FALSE(cases.empty()) << path;
  if (std::getenv("TILEWISE_UPDATE_GOLDENS") != nullptr) {
    WriteCases(path, cases);
    return;
  }
  for (const Case& c : cases) {
    EXPECT_EQ(Translated(c.module), c.expected) << c.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, GraphCases,
                         testing::Values("elementwise", "data", "reduce", "window", "convolution",
                                         "factorization", "dot", "index", "control", "collective",
                                         "custom_call", "arguments", "compiled"),
                         [](const testing::TestParamInfo<std::string>& file) {
                           return file.param;
                         });

}  // namespace
}  // namespace tilewise::hlo

// A workload with its target and session, for tests that ask for facts.

#include "tests/program/analysed.h"

#include <utility>

#include <gtest/gtest.h>

#include "frontend/load.h"
#include "graph/text.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

void Finish(Analysed& result, const SessionOptions& options, const std::string& chip) {
  auto target = MakeTarget(chip, 8, "");
  ASSERT_TRUE(target.ok()) << target.status();
  result.target = *std::move(target);
  auto session = MakeSession(result.workload, result.target, options);
  ASSERT_TRUE(session.ok()) << session.status();
  for (const Diagnostic& note : (*session)->notes()) {
    ADD_FAILURE() << note.message;
  }
  result.session = *std::move(session);
}

}  // namespace

Outcome Analysed::With(const Change& change) const {
  const Change* const one = &change;
  const absl::StatusOr<Outcome> outcome = facts().session.OutcomeOf({&one, 1});
  EXPECT_TRUE(outcome.ok()) << outcome.status();
  return outcome.ok() ? *outcome : Outcome{};
}

std::unique_ptr<Analysed> AnalyseGraph(std::string_view text, const SessionOptions& options,
                                       const std::string& chip) {
  auto result = std::make_unique<Analysed>();
  absl::StatusOr<Graph> graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return result;
  result->workload.graph = *std::move(graph);
  Finish(*result, options, chip);
  return result;
}

std::unique_ptr<Analysed> AnalyseProgram(std::string_view python, const SessionOptions& options,
                                         const std::string& chip) {
  auto result = std::make_unique<Analysed>();
  const TemporaryFolder folder;
  auto workload = LoadFiles({folder.Write("train.py", python)}, {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  if (!workload.ok()) return result;
  result->workload = *std::move(workload);
  Finish(*result, options, chip);
  return result;
}

}  // namespace tilewise

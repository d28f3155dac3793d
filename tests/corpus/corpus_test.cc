// Every file of the corpus loads, lowers and simulates, or is refused by design
// with a message that says what it is. Skipped, visibly, without the corpus.

#include <cctype>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "estimator/estimate.h"
#include "frontend/load.h"
#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "tests/corpus/corpus_index.h"
#include "workload/coverage.h"

namespace tilewise {
namespace {

constexpr int64_t kBatch = 8;  // where the file does not fix it

Target TestTarget() {
  const absl::StatusOr<Target> target = MakeTarget("v4", 1, "");
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

// Lowers and simulates one step, which must take time and not less than the
// estimate, its lower bound.
void ExpectSimulates(const Workload& workload, bool training) {
  const Graph& graph = *workload.graph;
  const int64_t batch = graph.is_static() ? 1 : kBatch;
  const Target target = TestTarget();
  LowerOptions options;
  options.training = training;
  options.spec = workload.training.value_or(TrainingSpec{});
  if (workload.compilation) options.compilation = &*workload.compilation;
  const absl::StatusOr<Program> program = Lower(graph, batch, target, options);
  ASSERT_TRUE(program.ok()) << (training ? "training: " : "") << program.status();
  const Timeline timeline = SimulateStep(*program, target);
  const Estimate estimate = EstimateProgram(*program, target);
  EXPECT_GE(timeline.step.value * (1 + 1e-9), estimate.step.value);
}

// Shapes that the file states and that do not follow from its operands.
std::vector<std::string> WrongShapes(const Workload& workload) {
  std::vector<std::string> wrong;
  for (const Diagnostic& note : workload.notes) {
    if (note.rule != "RD004") continue;
    wrong.push_back(FormatLocation(note.location) + ": " + note.message);
  }
  return wrong;
}

class Corpus : public testing::TestWithParam<CorpusFile> {};

TEST_P(Corpus, LoadsAndSimulatesOrIsRefused) {
  const CorpusFile& file = GetParam();
  const absl::StatusOr<Workload> workload = LoadFiles({file.path}, {});
  if (!file.refused.empty()) {
    EXPECT_FALSE(workload.ok());
    EXPECT_THAT(Message(workload.status()), testing::HasSubstr(file.refused));
    return;
  }
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_FALSE(workload->format.empty());
  if (file.states_wrong_shapes) {
    EXPECT_THAT(WrongShapes(*workload), testing::Not(testing::IsEmpty()));
  } else {
    EXPECT_THAT(WrongShapes(*workload), testing::IsEmpty());
  }
  if (!workload->graph) {
    EXPECT_FALSE(workload->pipelines.empty()) << "neither model nor pipeline";
    return;
  }
  ExpectSimulates(*workload, false);
  const bool trains =
      workload->step == StepKind::kTraining && workload->graph->trainable_parameters() > 0;
  if (trains) ExpectSimulates(*workload, true);
}

std::string NameOf(const testing::TestParamInfo<CorpusFile>& info) {
  std::string name = info.param.file;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Corpus);
INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(CorpusFiles()), NameOf);

// Of all files together, by what is known of each.
struct Share {
  double native = 0;
  double all = 0;
  void Add(double amount, double share) {
    native += amount * share;
    all += amount;
  }
  double value() const { return all > 0 ? native / all : 1; }
};

TEST(CorpusFolder, IsCostedNatively) {
  const std::vector<CorpusFile> files = CorpusFiles();
  if (files.empty()) GTEST_SKIP() << "no ../shared/corpus beside the project";
  Share ops;
  Share flops;
  std::string lacking;
  for (const CorpusFile& file : files) {
    const absl::StatusOr<Workload> workload = LoadFiles({file.path}, {});
    if (!workload.ok() || !workload->graph) continue;
    const Coverage coverage = MeasureCoverage(*workload, 1);
    ops.Add(static_cast<double>(workload->layers), coverage.native_ops);
    flops.Add(coverage.flops, coverage.native_flops);
    for (const auto& [name, count] : workload->opaque_layers) {
      lacking += "\n" + file.file + ": " + std::to_string(count) + " " + name;
    }
  }
  EXPECT_GT(ops.all, 50'000);
  EXPECT_GE(ops.value(), 0.97) << lacking;
  EXPECT_GE(flops.value(), 0.99) << lacking;
}

TEST(CorpusFolder, IsThere) {
  if (CorpusFiles().empty()) {
    GTEST_SKIP() << "no ../shared/corpus beside the project: no file of it was "
                    "read";
  }
  EXPECT_GT(CorpusFiles().size(), 100u);
}

}  // namespace
}  // namespace tilewise

// What several files say, put together.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workload/workload.h"

namespace tilewise {
namespace {

Workload Compiled(const std::string& file, OptimizerKind optimizer) {
  Workload w;
  w.name = file;
  w.training = TrainingSpec{};
  w.training->optimizer = optimizer;
  w.training->location = {file, 3, 1, 0, ""};
  w.host_loop.compile = w.training->location;
  return w;
}

TEST(MergeWorkloads, TwoDifferingCompilesNameBothPlaces) {
  const auto w = MergeWorkloads({Compiled("a.py", OptimizerKind::kSgd),
                                 Compiled("b.py", OptimizerKind::kAdam)});
  ASSERT_FALSE(w.ok());
  EXPECT_THAT(Message(w.status()),
              testing::AllOf(testing::HasSubstr("a.py:3"),
                             testing::HasSubstr("b.py:3")));
}

TEST(MergeWorkloads, EqualCompilesAreOne) {
  const auto w = MergeWorkloads({Compiled("a.py", OptimizerKind::kAdam),
                                 Compiled("b.py", OptimizerKind::kAdam)});
  ASSERT_TRUE(w.ok());
  EXPECT_EQ(w->training->optimizer, OptimizerKind::kAdam);
}

TEST(Workload, TrainingPipelineIsTheOnlyOneThatIsNotEvaluation) {
  Workload w;
  w.pipelines.resize(2);
  EXPECT_EQ(w.training_pipeline(), nullptr);
  w.pipelines[0].role = PipelineRole::kEvaluation;
  EXPECT_EQ(w.training_pipeline(), &w.pipelines[1]);
}

}  // namespace
}  // namespace tilewise

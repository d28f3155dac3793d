// Conditions that cannot be told: one reading stays on one way through the
// script. Text in, pipelines out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> read = ReadPython({"t.py", "import tensorflow as tf\n" + text}, {8});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

// "range shuffle repeat" per pipeline.
std::vector<std::string> Chains(const Workload& w) {
  std::vector<std::string> result;
  for (const Pipeline& pipeline : w.pipelines) {
    std::string text;
    for (const Stage& stage : pipeline.stages) {
      text += (text.empty() ? "" : " ") + std::string(StageName(stage.kind));
    }
    result.push_back(text);
  }
  return result;
}

std::vector<std::string> Notes(const Workload& w) {
  std::vector<std::string> result;
  for (const Diagnostic& note : w.notes) result.push_back(note.message);
  return result;
}

TEST(PythonBranches, ALaterQuestionOfTheSameValueHasTheSameAnswer) {
  const Workload w = Read(R"(
def make(augment):
  ds = tf.data.Dataset.range(100)
  if augment:
    ds = ds.shuffle(10).repeat()
  ds = ds.batch(8)
  if not augment:
    ds = ds.cache()
  return ds
)");
  EXPECT_THAT(Chains(w), ElementsAre("range shuffle repeat batch"));
  EXPECT_THAT(Notes(w), ElementsAre(HasSubstr("cannot tell whether `augment`")));
}

TEST(PythonBranches, TheWayThatTrainsIsRead) {
  const Workload w = Read(R"(
def make(is_training):
  ds = tf.data.Dataset.range(100)
  if not is_training:
    ds = ds.cache().repeat()
  if is_training:
    ds = ds.shuffle(10)
  return ds.batch(8)
)");
  EXPECT_THAT(Chains(w), ElementsAre("range shuffle batch"));
  EXPECT_THAT(Notes(w), ElementsAre(HasSubstr("taken not to hold")));
}

TEST(PythonBranches, AModeIsOneOfItsConstants) {
  const Workload w = Read(R"(
def make(mode):
  ds = tf.data.Dataset.range(100)
  if mode == tf.estimator.ModeKeys.EVAL:
    ds = ds.take(10)
  elif mode == tf.estimator.ModeKeys.TRAIN:
    ds = ds.shuffle(10)
  if mode != tf.estimator.ModeKeys.TRAIN:
    ds = ds.cache()
  return ds.batch(8)
)");
  EXPECT_THAT(Chains(w), ElementsAre("range shuffle batch"));
}

TEST(PythonBranches, AnAnswerReachesCalleesAndClosures) {
  const Workload w = Read(R"(
def tail(ds, training):
  if training:
    return ds.repeat().batch(8)
  return ds.batch(8)

def make(shuffle):
  def head():
    ds = tf.data.Dataset.range(100)
    return ds.shuffle(10) if shuffle else ds.cache()
  ds = tf.data.Dataset.range(5)
  if shuffle:
    ds = ds.map(lambda x: x)
  return tail(head(), shuffle)
)");
  EXPECT_THAT(Chains(w), testing::Contains("range shuffle repeat batch"));
}

TEST(PythonBranches, PartsOfOneUnknownObjectAreDifferentValues) {
  const Workload w = Read(R"(
def make(params):
  ds = tf.data.Dataset.range(100)
  if params.shuffle:
    ds = ds.shuffle(10)
  if not params.cached:
    ds = ds.cache()
  return ds.batch(8)
)");
  EXPECT_THAT(Chains(w), ElementsAre("range shuffle cache batch"));
}

TEST(PythonBranches, BranchesThatBuildNothingStartFromTheSameState) {
  const Workload w = Read(R"(
def make(small):
  a = tf.data.Dataset.range(100)
  b = tf.data.Dataset.range(7).shuffle(3)
  ds = a
  if small:
    ds = b
  else:
    ds = ds.map(lambda x: x)
  return ds.batch(8)
)");
  EXPECT_THAT(Chains(w), testing::Contains("range map batch"));
  EXPECT_THAT(Chains(w), testing::Not(testing::Contains("range shuffle map batch")));
}

TEST(PythonBranches, MatchTakesTheCaseOfAKnownSubject) {
  const Workload w = Read(R"(
kind = "small"
match kind:
  case "large" | "huge":
    ds = tf.data.Dataset.range(100).batch(64)
  case "small":
    ds = tf.data.Dataset.range(100).batch(8)
  case _:
    ds = None
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(w.pipelines[0].batch_size(), 8);
  EXPECT_TRUE(w.notes.empty());
}

TEST(PythonBranches, MatchOfAnUnknownSubjectReadsTheCaseThatTrains) {
  const Workload w = Read(R"(
def make(split):
  ds = tf.data.Dataset.range(100)
  match split:
    case "test":
      ds = ds.cache()
    case "train":
      ds = ds.shuffle(10)
  if split == "test":
    ds = ds.repeat()
  return ds.batch(8)
)");
  EXPECT_THAT(Chains(w), ElementsAre("range shuffle batch"));
}

TEST(PythonBranches, AnIndexOfWhatIsCalledMatchIsNoMatchStatement) {
  const Workload w = Read(R"(
def make(match):
  match[0] = 8
  match["sizes"][1].append("a:b")
  x = match[0]
  match [x]:
    case [8]: n = 100
    case _: n = 10
  return tf.data.Dataset.range(n).batch(x)
ds = make({"sizes": [1, []]})
)");
  EXPECT_THAT(Chains(w), ElementsAre("range batch"));
  EXPECT_THAT(Notes(w), testing::Not(testing::Contains(HasSubstr("syntax error"))));
}

}  // namespace
}  // namespace tilewise

// The example program gets the findings its author should see, and its safe
// fixes remove theirs.

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "rules/rule.h"
#include "session/session.h"
#include "tests/program/apply_edits.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

constexpr const char* kExample = TILEWISE_SOURCE_DIR "/examples/cifar10_cnn/train.py";

std::vector<Diagnostic> Lint(const std::string& path) {
  const auto workload = LoadFiles({path}, {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  const auto target = MakeTarget("v3", 8, "");
  EXPECT_TRUE(target.ok()) << target.status();
  if (!workload.ok() || !target.ok()) return {};
  const auto session = MakeSession(*workload, *target, {});
  EXPECT_TRUE(session.ok()) << session.status();
  if (!session.ok()) return {};
  return RunRules((*session)->facts(), {});
}

std::string ReadText(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The text of the line that a finding names.
std::string LineOf(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string result;
  for (int i = 0; i < line; ++i) std::getline(lines, result);
  return result;
}

std::map<std::string, std::string> LinesByRule(const std::vector<Diagnostic>& findings,
                                               const std::string& text) {
  std::map<std::string, std::string> lines;
  for (const Diagnostic& finding : findings) {
    lines.emplace(finding.rule, LineOf(text, finding.location.line));
  }
  return lines;
}

// Two files may give one name to two models: what one of them trains is its own.
TEST(TrainingProgram, AModelOfAnotherFileIsNotTheOneThatIsTrained) {
  const TemporaryFolder folder;
  folder.Write("zoo.py", R"(
import tensorflow as tf
def layers():
    return tf.keras.Sequential([tf.keras.layers.Dense(10)])
inputs = tf.keras.Input((32,))
model = tf.keras.Model(inputs, layers()(inputs))
)");
  const std::string train = folder.Write("train.py", R"(
import tensorflow as tf
import zoo
strategy = tf.distribute.TPUStrategy(tf.distribute.cluster_resolver.TPUClusterResolver())
with strategy.scope():
    model = zoo.layers()
    model.compile("adam", "mse")
model.fit(tf.zeros((4096, 32)), tf.zeros((4096, 10)), batch_size=512)
)");
  for (const Diagnostic& finding : Lint(train)) EXPECT_NE(finding.rule, "DI006");
}

TEST(TrainingProgram, GetsItsFindingsAtTheRightLines) {
  const std::string text = ReadText(kExample);
  const auto lines = LinesByRule(Lint(kExample), text);
  const std::map<std::string, std::string> expected = {
      {"IP002", ".prefetch("},    {"IP003", ".map(normalize)"}, {"DY002", ".batch(global_batch)"},
      {"AL005", "Conv2D("},       {"OP001", "MaxPooling2D("},   {"HL001", "model.compile("},
      {"PR001", "model.compile("}};
  for (const auto& [rule, part] : expected) {
    ASSERT_TRUE(lines.contains(rule)) << rule;
    EXPECT_THAT(lines.at(rule), testing::HasSubstr(part)) << rule;
  }
}

TEST(TrainingProgram, LosesTheFindingsWhoseFixesAreApplied) {
  std::string text = ReadText(kExample);
  const TemporaryFolder folder;
  // One fix at a time: each run's spans count in the text of that run.
  for (const char* rule : {"IP002", "IP003", "IP009", "DY002", "HL001"}) {
    const std::string path = folder.Write("fixed.py", text);
    for (const Diagnostic& finding : Lint(path)) {
      if (finding.rule != rule) continue;
      ASSERT_FALSE(finding.fix.edits.empty()) << rule;
      text = ApplyEdits(text, finding.fix.edits);
      break;
    }
    folder.Write("fixed.py", text);
    for (const Diagnostic& finding : Lint(path)) {
      EXPECT_NE(finding.rule, rule) << finding.message << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace tilewise

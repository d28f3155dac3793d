// Text in, edited text out.

#include "rules/edits.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/apply_edits.h"

namespace tilewise {
namespace {

using ::testing::IsEmpty;

Workload WithText(const std::string& text) {
  Workload workload;
  workload.files.push_back({.path = "train.py", .text = text, .cells = {}});
  return workload;
}

// The span of `part` in `text`.
Span SpanOf(const std::string& text, const std::string& part) {
  const auto begin = static_cast<int64_t>(text.find(part));
  return {"train.py", 0, begin, begin + static_cast<int64_t>(part.size())};
}

// What is between the parentheses of the only call in `text`.
Span Arguments(const std::string& text) {
  return {"train.py", 0, static_cast<int64_t>(text.find('(')) + 1,
          static_cast<int64_t>(text.rfind(')'))};
}

std::string Appended(const std::string& text) {
  return ApplyEdits(text,
                    AppendArgument(WithText(text), Arguments(text), "n=1"));
}

TEST(AppendArgument, AddsACommaOnlyWhereOneIsNeeded) {
  EXPECT_EQ(Appended("f()"), "f(n=1)");
  EXPECT_EQ(Appended("f(a)"), "f(a, n=1)");
  EXPECT_EQ(Appended("f(a,)"), "f(a, n=1,)");
}

TEST(AppendArgument, KeepsOneArgumentALine) {
  EXPECT_EQ(Appended("f(\n    a,\n    b,\n)"),
            "f(\n    a,\n    b,\n    n=1,\n)");
  EXPECT_EQ(Appended("f(\n    a\n)"), "f(\n    a,\n    n=1\n)");
}

TEST(AppendArgument, StaysOutOfCommentsAndStrings) {
  EXPECT_EQ(Appended("f(a  # why, b\n)"), "f(a,\nn=1  # why, b\n)");
  EXPECT_EQ(Appended("f('#', \"a # b\")"), "f('#', \"a # b\", n=1)");
}

TEST(AppendArgument, EditsNothingOutsideTheText) {
  EXPECT_THAT(AppendArgument(WithText("f()"), {"train.py", 0, 90, 99}, "n=1"),
              IsEmpty());
  EXPECT_THAT(AppendArgument(WithText("f()"), {"other.py", 0, 1, 1}, "n=1"),
              IsEmpty());
}

TEST(SetArgument, ReplacesTheValueThatIsThere) {
  const std::string text = "batch(8, drop_remainder=False)";
  EXPECT_EQ(ApplyEdits(text, SetArgument(WithText(text), Arguments(text),
                                         "drop_remainder", "True")),
            "batch(8, drop_remainder=True)");
}

TEST(MoveCallAfter, TakesTheLineWithIt) {
  const std::string text =
      "ds = (\n    src\n    .prefetch(2)\n    .batch(8)\n)";
  EXPECT_EQ(ApplyEdits(text, MoveCallAfter(WithText(text),
                                           SpanOf(text, ".prefetch(2)"),
                                           SpanOf(text, ".batch(8)"))),
            "ds = (\n    src\n    .batch(8)\n    .prefetch(2)\n)");
}

TEST(MoveCallAfter, WorksOnOneLineAndWithContinuations) {
  const std::string line = "ds = src.prefetch(2).batch(8)";
  EXPECT_EQ(ApplyEdits(line, MoveCallAfter(WithText(line),
                                           SpanOf(line, ".prefetch(2)"),
                                           SpanOf(line, ".batch(8)"))),
            "ds = src.batch(8).prefetch(2)");
  const std::string lines = "ds = src \\\n  .prefetch(2) \\\n  .batch(8)\n";
  EXPECT_EQ(ApplyEdits(lines, MoveCallAfter(WithText(lines),
                                            SpanOf(lines, ".prefetch(2)"),
                                            SpanOf(lines, ".batch(8)"))),
            "ds = src \\\n  .batch(8) \\\n  .prefetch(2)\n");
}

TEST(MoveCallBefore, PutsTheCallFirst) {
  const std::string text = "ds = (\n    src\n    .batch(8)\n    .cache()\n)";
  EXPECT_EQ(
      ApplyEdits(text, MoveCallBefore(WithText(text), SpanOf(text, ".cache()"),
                                      SpanOf(text, ".batch(8)"))),
      "ds = (\n    src\n    .cache()\n    .batch(8)\n)");
}

TEST(AppendCall, FollowsTheStyleOfItsNeighbour) {
  const std::string text = "ds = (\n    src\n    .batch(8)\n)";
  EXPECT_EQ(
      ApplyEdits(text, AppendCall(WithText(text), SpanOf(text, ".batch(8)"),
                                  ".prefetch(2)")),
      "ds = (\n    src\n    .batch(8)\n    .prefetch(2)\n)");
}

TEST(AutotuneIn, UsesTheSpellingOfTheFile) {
  EXPECT_EQ(
      AutotuneIn(WithText("x = tf.data.experimental.AUTOTUNE"), "train.py"),
      "tf.data.experimental.AUTOTUNE");
  EXPECT_EQ(AutotuneIn(WithText("import tensorflow\n"), "train.py"),
            "tensorflow.data.AUTOTUNE");
  EXPECT_EQ(AutotuneIn(WithText("import tensorflow as tf\n"), "train.py"),
            "tf.data.AUTOTUNE");
}

}  // namespace
}  // namespace tilewise

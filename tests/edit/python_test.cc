// Text in, edited text out.

#include "edit/python.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/apply_edits.h"

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
  return ApplyEdits(text, AppendArgument(WithText(text), Arguments(text), "n=1"));
}

TEST(AppendArgument, AddsACommaOnlyWhereOneIsNeeded) {
  EXPECT_EQ(Appended("f()"), "f(n=1)");
  EXPECT_EQ(Appended("f(a)"), "f(a, n=1)");
  EXPECT_EQ(Appended("f(a,)"), "f(a, n=1,)");
}

TEST(AppendArgument, KeepsOneArgumentALine) {
  EXPECT_EQ(Appended("f(\n    a,\n    b,\n)"), "f(\n    a,\n    b,\n    n=1,\n)");
  EXPECT_EQ(Appended("f(\n    a\n)"), "f(\n    a,\n    n=1\n)");
}

TEST(AppendArgument, StaysOutOfCommentsAndStrings) {
  EXPECT_EQ(Appended("f(a  # why, b\n)"), "f(a,  # why, b\n    n=1\n)");
  EXPECT_EQ(Appended("f(\n  a,\n  b  # why\n)"), "f(\n  a,\n  b,  # why\n  n=1\n)");
  EXPECT_EQ(Appended("f(a,  # why\n  b)"), "f(a,  # why\n  b, n=1)");
  EXPECT_EQ(Appended("f('#', \"a # b\")"), "f('#', \"a # b\", n=1)");
}

TEST(AppendArgument, EditsNothingOutsideTheText) {
  EXPECT_THAT(AppendArgument(WithText("f()"), {"train.py", 0, 90, 99}, "n=1"), IsEmpty());
  EXPECT_THAT(AppendArgument(WithText("f()"), {"other.py", 0, 1, 1}, "n=1"), IsEmpty());
}

TEST(AppendArgument, LeavesOpenEndedListsAlone) {
  EXPECT_THAT(AppendArgument(WithText("f(**kw)"), Arguments("f(**kw)"), "n=1"), IsEmpty());
  const std::string generator = "f(x for x in y)";
  EXPECT_THAT(AppendArgument(WithText(generator), Arguments(generator), "n=1"), IsEmpty());
  EXPECT_EQ(Appended("f(*values)"), "f(*values, n=1)");
  EXPECT_EQ(Appended("f([x for x in y])"), "f([x for x in y], n=1)");
}

std::string Set(const std::string& text, const std::string& name, const std::string& value) {
  return ApplyEdits(text, SetArgument(WithText(text), Arguments(text), name, value));
}

TEST(SetArgument, KnowsValuesWithCommasAndNamesInsideOthers) {
  EXPECT_EQ(Set("f(a=g(1, 2), b=3)", "a", "0"), "f(a=0, b=3)");
  EXPECT_EQ(Set("f(g(n=1), n = [1, 2])", "n", "4"), "f(g(n=1), n = 4)");
  EXPECT_EQ(Set("f('n=1', max_n=2)", "n", "4"), "f('n=1', max_n=2, n=4)");
  EXPECT_EQ(Set("f(lambda a, n=1: a, n=2)", "n", "4"), "f(lambda a, n=1: a, n=4)");
  EXPECT_EQ(Set("f(x == n, b)", "x", "4"), "f(x == n, b, x=4)");
  EXPECT_EQ(Set("f(\n    n=1,  # few\n    m=2)", "n", "4"), "f(\n    n=4,  # few\n    m=2)");
}

TEST(SetArgumentAt, FindsWhatIsGivenByPlace) {
  const auto set = [](const std::string& text) {
    return ApplyEdits(text,
                      SetArgumentAt(WithText(text), Arguments(text), 1, "drop_remainder", "True"));
  };
  EXPECT_EQ(set("batch(8, False)"), "batch(8, True)");
  EXPECT_EQ(set("batch(8)"), "batch(8, drop_remainder=True)");
  EXPECT_EQ(set("batch(8, drop_remainder=False)"), "batch(8, drop_remainder=True)");
  EXPECT_EQ(set("batch(*sizes)"), "batch(*sizes)");
}

TEST(RemoveArgument, TakesItsCommaAlong) {
  const auto removed = [](const std::string& text) {
    return ApplyEdits(text, RemoveArgument(WithText(text), Arguments(text), "n"));
  };
  EXPECT_EQ(removed("f(n=1)"), "f()");
  EXPECT_EQ(removed("f(a, n=1)"), "f(a)");
  EXPECT_EQ(removed("f(n=1, a)"), "f(a)");
  EXPECT_EQ(removed("f(a, n=g(1, 2), b)"), "f(a, b)");
  EXPECT_EQ(removed("f(\n    a,\n    n=1,\n    b,\n)"), "f(\n    a,\n    b,\n)");
  EXPECT_EQ(removed("f(\n    a,\n    n=1,\n)"), "f(\n    a,\n)");
  EXPECT_EQ(removed("f(a)"), "f(a)");
}

TEST(ReplaceCallName, TakesTheWholeNameOrItsEnd) {
  const std::string text = "x = tf.keras.layers.MaxPool2D(2)";
  const auto at = static_cast<int64_t>(text.find("(2)")) + 1;
  const Span span = {"train.py", 0, at, at + 1};
  EXPECT_EQ(ApplyEdits(text, ReplaceLastName(WithText(text), span, "AveragePooling2D")),
            "x = tf.keras.layers.AveragePooling2D(2)");
  EXPECT_EQ(ApplyEdits(text, ReplaceCallName(WithText(text), span, "Pool")), "x = Pool(2)");
  EXPECT_THAT(ReplaceCallName(WithText("(a + b)"), {"train.py", 0, 1, 6}, "x"), IsEmpty());
}

TEST(SetArgument, ReplacesTheValueThatIsThere) {
  const std::string text = "batch(8, drop_remainder=False)";
  EXPECT_EQ(
      ApplyEdits(text, SetArgument(WithText(text), Arguments(text), "drop_remainder", "True")),
      "batch(8, drop_remainder=True)");
}

TEST(MoveCallAfter, TakesTheLineWithIt) {
  const std::string text = "ds = (\n    src\n    .prefetch(2)\n    .batch(8)\n)";
  EXPECT_EQ(ApplyEdits(text, MoveCallAfter(WithText(text), SpanOf(text, ".prefetch(2)"),
                                           SpanOf(text, ".batch(8)"))),
            "ds = (\n    src\n    .batch(8)\n    .prefetch(2)\n)");
}

TEST(MoveCallAfter, WorksOnOneLineAndWithContinuations) {
  const std::string line = "ds = src.prefetch(2).batch(8)";
  EXPECT_EQ(ApplyEdits(line, MoveCallAfter(WithText(line), SpanOf(line, ".prefetch(2)"),
                                           SpanOf(line, ".batch(8)"))),
            "ds = src.batch(8).prefetch(2)");
  const std::string lines = "ds = src \\\n  .prefetch(2) \\\n  .batch(8)\n";
  EXPECT_EQ(ApplyEdits(lines, MoveCallAfter(WithText(lines), SpanOf(lines, ".prefetch(2)"),
                                            SpanOf(lines, ".batch(8)"))),
            "ds = src \\\n  .batch(8) \\\n  .prefetch(2)\n");
}

TEST(MoveCallBefore, PutsTheCallFirst) {
  const std::string text = "ds = (\n    src\n    .batch(8)\n    .cache()\n)";
  EXPECT_EQ(ApplyEdits(text, MoveCallBefore(WithText(text), SpanOf(text, ".cache()"),
                                            SpanOf(text, ".batch(8)"))),
            "ds = (\n    src\n    .cache()\n    .batch(8)\n)");
}

TEST(AppendCall, FollowsTheStyleOfItsNeighbour) {
  const std::string text = "ds = (\n    src\n    .batch(8)\n)";
  EXPECT_EQ(ApplyEdits(text, AppendCall(WithText(text), SpanOf(text, ".batch(8)"), ".prefetch(2)")),
            "ds = (\n    src\n    .batch(8)\n    .prefetch(2)\n)");
}

std::string MovedAfter(const std::string& text, const std::string& call, const std::string& other) {
  return ApplyEdits(text, MoveCallAfter(WithText(text), SpanOf(text, call), SpanOf(text, other)));
}

TEST(MoveCallAfter, TakesTheCommentWithIt) {
  EXPECT_EQ(MovedAfter("ds = (\n    src\n    .prefetch(2)  # overlap\n    "
                       ".batch(8)  # all cores\n)",
                       ".prefetch(2)", ".batch(8)"),
            "ds = (\n    src\n    .batch(8)  # all cores\n    .prefetch(2)  # "
            "overlap\n)");
}

TEST(MoveCallAfter, NeverPutsCodeIntoAComment) {
  EXPECT_EQ(MovedAfter("ds = (src.prefetch(2)  # overlap\n      .batch(8)  # "
                       "cores\n)",
                       ".prefetch(2)", ".batch(8)"),
            "ds = (src  # overlap\n      .batch(8)\n      .prefetch(2)  # "
            "cores\n)");
  EXPECT_EQ(
      MovedAfter("ds = (src\n  .prefetch(2)  # why\n  .batch(8))", ".prefetch(2)", ".batch(8)"),
      "ds = (src  # why\n  .batch(8)\n  .prefetch(2))");
}

TEST(MoveCallAfter, LeavesNoEmptyAssignment) {
  EXPECT_EQ(MovedAfter("ds = load()\nds = ds.prefetch(2)\nds = "
                       "ds.batch(8)\nuse(ds)\n",
                       ".prefetch(2)", ".batch(8)"),
            "ds = load()\nds = ds.batch(8).prefetch(2)\nuse(ds)\n");
  // The only statement of its block stays.
  EXPECT_EQ(MovedAfter("if fast:\n  ds = ds.prefetch(2)\nds = ds.batch(8)\n", ".prefetch(2)",
                       ".batch(8)"),
            "if fast:\n  ds = ds\nds = ds.batch(8).prefetch(2)\n");
}

TEST(PrependCall, StandsBeforeACallInItsStyle) {
  const auto prepended = [](const std::string& text) {
    return ApplyEdits(text,
                      PrependCall(WithText(text), SpanOf(text, ".batch(8)"), ".cache(\"f\")"));
  };
  EXPECT_EQ(prepended("ds = ds.batch(8)\n"), "ds = ds.cache(\"f\").batch(8)\n");
  EXPECT_EQ(prepended("ds = (\n    src\n    .batch(8)\n)"),
            "ds = (\n    src\n    .cache(\"f\")\n    .batch(8)\n)");
}

TEST(AppendCall, GoesBehindAComment) {
  const std::string text = "ds = (\n    src\n    .batch(8)  # cores\n)";
  EXPECT_EQ(ApplyEdits(text, AppendCall(WithText(text), SpanOf(text, ".batch(8)"), ".prefetch(2)")),
            "ds = (\n    src\n    .batch(8)  # cores\n    .prefetch(2)\n)");
}

TEST(RemoveStatement, KeepsItsBlockAlive) {
  const auto removed = [](const std::string& text, const std::string& part) {
    return ApplyEdits(text, RemoveStatement(WithText(text), SpanOf(text, part)));
  };
  EXPECT_EQ(removed("a()\nb()\nc()\n", "b()"), "a()\nc()\n");
  EXPECT_EQ(removed("if x:\n  b()\nc()\n", "b()"), "if x:\n  pass\nc()\n");
  EXPECT_EQ(removed("if x:\n  b()\n  d()\n", "b()"), "if x:\n  d()\n");
  EXPECT_EQ(removed("a(); b()\n", "b()"), "a(); b()\n");
  EXPECT_EQ(removed("f(1,\n  2)  # gone\ng()\n", "f(1,\n  2)"), "g()\n");
}

TEST(AutotuneIn, UsesTheSpellingOfTheFile) {
  EXPECT_EQ(AutotuneIn(WithText("import tensorflow as tf\nx = tf.data.experimental.AUTOTUNE"),
                       "train.py"),
            "tf.data.experimental.AUTOTUNE");
  // A name that nothing binds cannot be written.
  EXPECT_EQ(AutotuneIn(WithText("x = tf.data.experimental.AUTOTUNE"), "train.py"), "");
  EXPECT_EQ(AutotuneIn(WithText("import tensorflow\n"), "train.py"), "tensorflow.data.AUTOTUNE");
  EXPECT_EQ(AutotuneIn(WithText("import tensorflow as tf\n"), "train.py"), "tf.data.AUTOTUNE");
}

}  // namespace
}  // namespace tilewise

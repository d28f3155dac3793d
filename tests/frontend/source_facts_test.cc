// What the text of a script says: blocks around calls, what they are bound to,
// decorators, versions and environment variables.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SourceFacts Read(const std::string& text) {
  absl::StatusOr<Workload> read = ReadPython({"t.py", text}, {});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(read->facts) : SourceFacts{};
}

const SourceCall& Call(const SourceFacts& facts, const std::string& name) {
  for (const SourceCall& call : facts.calls) {
    if (call.name == name) return call;
  }
  ADD_FAILURE() << "no call of " << name;
  static const SourceCall none;
  return none;
}

// Kinds of the contexts around a call, innermost first, as letters.
std::string Around(const SourceFacts& facts, const SourceCall& call) {
  std::string kinds;
  for (int32_t at = call.context; at >= 0; at = facts.contexts.at(at).parent) {
    switch (facts.contexts.at(at).kind) {
      case ContextKind::kFunction:
        kinds += 'f';
        break;
      case ContextKind::kLambda:
        kinds += 'l';
        break;
      case ContextKind::kClass:
        kinds += 'c';
        break;
      case ContextKind::kFor:
        kinds += 'F';
        break;
      case ContextKind::kWhile:
        kinds += 'W';
        break;
      case ContextKind::kComprehension:
        kinds += 'C';
        break;
      case ContextKind::kIf:
        kinds += 'i';
        break;
      case ContextKind::kElse:
        kinds += 'e';
        break;
      case ContextKind::kWith:
        kinds += 'w';
        break;
      case ContextKind::kModule:
        kinds += 'm';
        break;
    }
  }
  return kinds;
}

TEST(SourceFacts, KnowTheBlocksAroundACall) {
  const SourceFacts facts = Read(R"(
class A:
    def run(self, data):
        for x in data:
            if x > 0:
                first(x)
            elif x < 0:
                second(x)
            else:
                third(x)
        while ready():
            with lock() as held:
                fourth([fifth(y) for y in data])
f = lambda x: sixth(x) if x else seventh(x)
)");
  EXPECT_EQ(Around(facts, Call(facts, "first")), "iFfc");
  EXPECT_EQ(Around(facts, Call(facts, "second")), "ieFfc");
  EXPECT_EQ(Around(facts, Call(facts, "third")), "eeFfc");
  EXPECT_EQ(Around(facts, Call(facts, "ready")), "Wfc");
  EXPECT_EQ(Around(facts, Call(facts, "lock")), "Wfc");
  EXPECT_EQ(Around(facts, Call(facts, "fourth")), "wWfc");
  EXPECT_EQ(Around(facts, Call(facts, "fifth")), "CwWfc");
  EXPECT_EQ(Around(facts, Call(facts, "sixth")), "il");
  EXPECT_EQ(Around(facts, Call(facts, "seventh")), "el");
}

TEST(SourceFacts, TakeWhatFollowsContinueAsConditional) {
  const SourceFacts facts = Read(R"(
for step in range(9):
    before(step)
    if step % 100:
        continue
    after(step)
)");
  EXPECT_EQ(Around(facts, Call(facts, "before")), "F");
  EXPECT_EQ(Around(facts, Call(facts, "after")), "eF");
}

TEST(SourceFacts, BindResultsAndReadArguments) {
  const SourceFacts facts = Read(R"(
import jax.numpy as jnp
state, self.loss = step(state, n=jnp.pi, text="a")
print(f"loss {loss:.3f}", float(loss), **options)
)");
  const SourceCall& step = Call(facts, "step");
  EXPECT_THAT(step.results, ElementsAre("state", "self.loss"));
  ASSERT_EQ(step.arguments.size(), 3u);
  EXPECT_EQ(step.arguments[1].name, "jax.numpy.pi");
  EXPECT_EQ(step.arguments[2].string, "a");
  EXPECT_FALSE(step.open);
  const SourceCall& print = Call(facts, "print");
  EXPECT_TRUE(print.open);
  EXPECT_THAT(print.arguments[0].names, ElementsAre("loss"));
  ASSERT_GE(print.arguments[1].call, 0);
  EXPECT_EQ(facts.calls[print.arguments[1].call].name, "float");
  EXPECT_THAT(print.results, IsEmpty());
}

TEST(SourceFacts, ReadDecoratorsThroughPartial) {
  const SourceFacts facts = Read(R"(
import functools
import jax

@functools.partial(jax.jit, static_argnums=(1, 2))
def f(a, b=1, *rest):
    return a
)");
  ASSERT_EQ(facts.contexts.size(), 1u);
  EXPECT_THAT(facts.contexts[0].targets, ElementsAre("a", "b", "rest"));
  ASSERT_EQ(facts.contexts[0].decorators.size(), 1u);
  EXPECT_EQ(facts.contexts[0].decorators[0].name, "jax.jit");
  EXPECT_THAT(facts.contexts[0].decorators[0].arguments.at(0).integers, ElementsAre(1, 2));
}

TEST(SourceFacts, ReadVersionsWhereverTheyStand) {
  const SourceFacts facts = Read(R"(
# tensorflow-cpu >= 2.4, keras~=3.1
assert jax.__version__ == "0.4.20"
x = tensorflow.nn.relu(1 == 2)
)");
  ASSERT_EQ(facts.versions.size(), 3u);
  EXPECT_EQ(facts.versions[0].package, "tensorflow");
  EXPECT_EQ(facts.versions[0].relation, ">=");
  EXPECT_EQ(facts.versions[0].minor, 4);
  EXPECT_EQ(facts.versions[1].package, "keras");
  EXPECT_EQ(facts.versions[2].package, "jax");
  EXPECT_EQ(facts.versions[2].minor, 4);
}

TEST(SourceFacts, ReadTheEnvironment) {
  const SourceFacts facts = Read(R"(
import os
os.environ["KERAS_BACKEND"] = "jax"
os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
)");
  ASSERT_EQ(facts.environment.size(), 2u);
  EXPECT_EQ(facts.environment[0].name, "KERAS_BACKEND");
  EXPECT_EQ(facts.environment[0].value, "jax");
  EXPECT_EQ(facts.environment[1].value, "1");
}

TEST(SourceFacts, ReadMagicsOfNotebooks) {
  const absl::StatusOr<Workload> read =
      ReadNotebook({"t.ipynb",
                    R"({"nbformat": 4, "cells": [{"cell_type": "code", "source":
       ["%env KERAS_BACKEND=torch\n", "!pip install tensorflow==2.3\n",
        "import keras"]}]})"},
                   {});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->facts.environment.size(), 1u);
  EXPECT_EQ(read->facts.environment[0].value, "torch");
  ASSERT_EQ(read->facts.versions.size(), 1u);
  EXPECT_EQ(read->facts.versions[0].location.cell, 1);
}

TEST(SourceFacts, ANotebookOfTooManyCellsIsRefused) {
  std::string cells = R"({"cell_type": "code", "source": "a = 1"})";
  for (int i = 0; i < 20'000; ++i) cells += R"(, {"cell_type": "markdown", "source": ""})";
  const auto read =
      ReadNotebook({"many.ipynb", R"({"nbformat": 4, "cells": [)" + cells + "]}"}, {});
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(std::string(read.status().message()),
              testing::HasSubstr("found a notebook of 20001 cells, expected at most 20000"));
}

TEST(SourceFacts, OfTwoFilesKeepTheirIndices) {
  SourceFacts facts = Read("for a in b():\n    c(d())\n");
  facts.Append(Read("for e in f():\n    g(h())\n"));
  const SourceCall& g = Call(facts, "g");
  ASSERT_EQ(g.context, 1);
  EXPECT_EQ(facts.calls.at(g.arguments[0].call).name, "h");
  EXPECT_EQ(facts.calls.at(facts.contexts[1].call).name, "f");
}

}  // namespace
}  // namespace tilewise

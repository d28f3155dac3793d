// What the program comes to in the files that it imports is part of its facts.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/python/read_python.h"
#include "tests/support/temporary_folder.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

using testing::Contains;
using testing::Not;

Workload Read(const TemporaryFolder& folder, const std::string& text) {
  absl::StatusOr<Workload> read = ReadPython({folder.Write("main.py", text), text}, {8});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

std::vector<std::string> NamesOfCalls(const SourceFacts& facts) {
  std::vector<std::string> names;
  for (const SourceCall& call : facts.calls) names.push_back(call.name);
  return names;
}

constexpr const char* kEngine = R"(
import torch

def train_fn(loader, model):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        note(loss)

def note(loss):
    shown(loss.item())

def unused(loss):
    never(loss)

if __name__ == "__main__":
    started()
)";

TEST(ReachedCode, FunctionsThatTheProgramCallsAreOfIt) {
  const TemporaryFolder folder;
  folder.Write("engine.py", kEngine);
  const Workload read = Read(folder, R"(
import engine
import torch
model = torch.nn.Linear(4, 1)
if __name__ == "__main__":
    engine.train_fn([], model)
)");
  const std::vector<std::string> names = NamesOfCalls(read.facts);
  EXPECT_THAT(names, Contains("loss.backward"));
  EXPECT_THAT(names, Contains("shown"));
  EXPECT_THAT(names, Not(Contains("never")));
  EXPECT_THAT(names, Not(Contains("started")));
  const int32_t step = DefinitionOf(read.facts, "engine.train_fn", -1);
  ASSERT_GE(step, 0);
  EXPECT_EQ(read.facts.contexts[step].location.line, 4);
  // A name of the imported file means nothing in the one that is linted.
  EXPECT_EQ(DefinitionOf(read.facts, "note", -1), -1);
  EXPECT_GE(DefinitionOf(read.facts, "note", step), 0);
}

TEST(ReachedCode, APackageHandsOnWhatItsFilesDefine) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("tools"));
  folder.Write("tools/__init__.py", "from tools.steps import Trainer\n");
  folder.Write("tools/steps.py", R"(
import torch

class Trainer:
    def run(self, model):
        self.one(model)

    def one(self, model):
        model.step_of_trainer()

    def other(self):
        never()
)");
  const Workload read = Read(folder, R"(
import torch
from tools import Trainer
if __name__ == "__main__":
    trainer = Trainer()
    trainer.run(torch.nn.Linear(4, 1))
)");
  const std::vector<std::string> names = NamesOfCalls(read.facts);
  EXPECT_THAT(names, Contains("model.step_of_trainer"));
  EXPECT_THAT(names, Not(Contains("never")));
}

TEST(ReachedCode, AFileThatAnotherProgramStartsIsReadAsThatOneStartsIt) {
  const TemporaryFolder folder;
  folder.Write("main.py", R"(
import argparse
import training
if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=256)
    training.train(parser.parse_args())
)");
  // This one has another function of the name of the file.
  folder.Write("other.py", R"(
from tools import training
if __name__ == "__main__":
    train(training)
)");
  const std::string text = R"(
import torch

def train(args):
    model = torch.nn.Linear(64, args.width)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(100):
        loss = model(torch.zeros(32, 64)).sum()
        loss.backward()
        optimizer.step()
)";
  absl::StatusOr<Workload> read = ReadPython({folder.Write("training.py", text), text}, {8});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_TRUE(read->graph.has_value());
  EXPECT_EQ(read->graph->trainable_parameters(), 64 * 256 + 256);
}

}  // namespace
}  // namespace tilewise

// Models and training steps from the programs that build them.

#include "frontend/program/read_program.h"

#include <gmock/gmock.h>

namespace tilewise::program {
namespace {

using testing::HasSubstr;

Workload Read(const std::string& text, const std::string& model = "",
              const std::string& inputs = "") {
  ProgramOptions options;
  options.model = model;
  options.inputs = inputs;
  options.limits.steps = 2'000'000;  // hostile programs end soon
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

constexpr char kTorchNet[] = R"(
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self, classes=10, width=32):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(width)
        self.fc = nn.Linear(width, classes)

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x)))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))
)";

TEST(ReadProgram, ATorchModelThatIsNamed) {
  const Workload workload = Read(kTorchNet, "Net(classes=7)", "3x32x32:f32");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  ASSERT_TRUE(workload.model_size.has_value());
  // 3*3*3*32 + 2*32 + 32*7 + 7, and the statistics.
  EXPECT_EQ(workload.model_size->trainable, 1159);
  EXPECT_EQ(workload.model_size->other, 64);
  EXPECT_EQ(workload.model_size->multiply_adds, 32 * 32 * 27 * 32 + 32 * 7);
  EXPECT_FALSE(workload.graph->is_static());
}

TEST(ReadProgram, ATorchTrainingLoop) {
  const Workload workload = Read(std::string(kTorchNet) + R"(
from torch.utils.data import DataLoader, TensorDataset

def main():
    data = TensorDataset(torch.randn(1000, 3, 32, 32), torch.randint(0, 10, (1000,)))
    loader = DataLoader(data, batch_size=50, shuffle=True)
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for epoch in range(90):
        for images, labels in loader:
            loss = F.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

if __name__ == "__main__":
    main()
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  ASSERT_TRUE(workload.training.has_value());
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdamW);
  EXPECT_DOUBLE_EQ(workload.training->learning_rate.value_or(0), 3e-4);
  EXPECT_EQ(workload.host_loop.fit_batch_size.value, 50);
  EXPECT_FALSE(workload.graph->is_static()) << Notes(workload);
}

TEST(ReadProgram, GradientsOfSeveralPassesAreOneUpdate) {
  const Workload workload = Read(std::string(kTorchNet) + R"(
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(12, 3, 32, 32), torch.randint(0, 10, (12,))
for step in range(100):
    for part in range(40):
        loss = F.cross_entropy(model(x.to("cuda")), y.to("cuda"))
        loss.backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  // 40 passes of one core are 5 of each of 8.
  EXPECT_EQ(workload.training->accumulation_steps, 5);
}

TEST(ReadProgram, ATrainingFunctionThatNothingCallsIsCalled) {
  const Workload workload = Read(std::string(kTorchNet) + R"(
def train(workdir, width=16):
    model = Net(width=width)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = F.cross_entropy(model(torch.randn(8, 3, 32, 32)), torch.randint(0, 10, (8,)))
    loss.backward()
    optimizer.step()
)");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("train() is called by nothing here"));
}

TEST(ReadProgram, TextThatIsRunAsCodeSetsNamesOfTheModule) {
  const Workload workload =
      Read(std::string(kTorchNet) + "width = 8\nexec('width = 16')\nmodel = Net(width=width)\n",
           "model", "3x32x32:f32");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 3 * 3 * 3 * 16 + 2 * 16 + 16 * 10 + 10);
}

TEST(ReadProgram, AStatementThatRaisesLeavesTheOthers) {
  const Workload workload =
      Read(std::string(kTorchNet) + "first = [][0]\nmodel = Net()\n", "model", "3x32x32:f32");
  EXPECT_TRUE(workload.model_size.has_value());
  EXPECT_THAT(Notes(workload), HasSubstr("IndexError"));
}

TEST(ReadProgram, AFlaxModelThatIsNamed) {
  const Workload workload = Read(R"(
import flax.linen as nn

class Net(nn.Module):
    width: int = 64
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.width)(x))
        return nn.Dense(10)(x)
)",
                                 "Net(width=128)", "784:f32");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 784 * 128 + 128 + 128 * 10 + 10);
}

TEST(ReadProgram, WhatIsMissingIsSaid) {
  const Workload workload = Read(R"(
import torch
from company_models import get_model
model = get_model("big")
loss = model(torch.zeros(2, 3)).sum()
loss.backward()
if __name__ == "__main__":
    raise ValueError("not this far")
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(Notes(workload), HasSubstr("not this far"));
}

TEST(ReadProgram, HostileProgramsEndInANote) {
  EXPECT_THAT(Notes(Read("def f():\n    return f()\nf()\n")), HasSubstr("nested too deep"));
  EXPECT_THAT(Notes(Read("while True:\n    pass\n")), HasSubstr("too long"));
  EXPECT_THAT(Notes(Read("x = []\nwhile True:\n    x.append([1] * 1000)\n")),
              HasSubstr("too long"));
  EXPECT_THAT(Notes(Read("def g():\n    yield from g()\nlist(g())\n")),
              HasSubstr("nested too deep"));
}

TEST(ReadProgram, WhatIsNotKnownDoesNotRecurForEver) {
  const std::string text = std::string(kTorchNet) + R"(
import unknown_package
def merge(config, path):
    for base in unknown_package.load(path).setdefault("BASE", [""]):
        if base:
            merge(config, path + base)
    config["width"] = 32
def walk(tree, path=()):
    return [walk(tree[key], path + (key,)) for key in tree]
def wait():
    while True:
        try:
            unknown_package.status()
        except OSError:
            break
config = {}
merge(config, "base.yaml")
walk(unknown_package.tree)
wait()
)";
  const Workload workload = Read(text, "Net(width=config['width'])", "3x32x32:f32");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 3 * 9 * 32 + 64 + 32 * 10 + 10);
}

TEST(ReadProgram, WhatIsNotReadAndIsGivenALossWithItsOptimizerTrains) {
  const Workload workload = Read(std::string(kTorchNet) + R"(
import torch, unknown_package
model = Net(width=32)
optimizer = torch.optim.AdamW(model.parameters())
scaler = unknown_package.Scaler()
for _ in range(10):
    loss = torch.nn.functional.cross_entropy(model(torch.randn(64, 3, 32, 32)),
                                             torch.randint(10, (64,)))
    scaler(loss, optimizer, clip_grad=1.0)
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdamW);
  EXPECT_THAT(Notes(workload), HasSubstr("taken to do the update"));
}

TEST(ReadProgram, BothBranchesOfAnUnknownConditionAreFollowed) {
  // What both branches agree on stays known.
  const Workload workload = Read(std::string(kTorchNet) + R"(
import unknown_package
if unknown_package.fast():
    width = 32
    classes = 5
else:
    width = 32
    classes = 6
known = width
)",
                                 "Net(width=known)", "3x32x32:f32");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 3 * 9 * 32 + 64 + 32 * 10 + 10);
}

TEST(ReadProgram, ALossThatRequiresGradientsIsAsked) {
  const Workload workload = Read(R"(
import torch
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
loss = net(torch.zeros(8, 4)).mean()
if loss.requires_grad and not loss.detach().requires_grad:
    loss.backward()
    with torch.no_grad():
        if not (loss * 2).requires_grad:
            optimizer.step()
)");
  EXPECT_TRUE(workload.training.has_value());
}

TEST(ReadProgram, AnOptionOfALaunchersNameKeepsItsDefault) {
  const Workload workload = Read(R"(
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--gpu", help="which one")
parser.add_argument("--world_size", type=int, default=3)
args = parser.parse_args([])
net = torch.nn.Linear(4, args.world_size if args.gpu is None else 2)
torch.optim.SGD(net.parameters(), 0.1)
net(torch.zeros(8, 4)).mean().backward()
)");
  ASSERT_TRUE(workload.model_size.has_value());
  EXPECT_EQ(workload.model_size->trainable, 4 * 3 + 3);
}

TEST(ReadProgram, AGeneratorGivesTheBatchThatItIsAskedFor) {
  const Workload workload = Read(R"(
import pickle
import tensorflow as tf
def examples(batch_size=32):
    while True:
        yield pickle.load(open("x", "rb")), pickle.load(open("y", "rb"))
net = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
net.compile("sgd", "mse")
net.fit_generator(examples(batch_size=24), steps_per_epoch=10)
)");
  EXPECT_EQ(workload.declared_global_batch(), 24);
}

}  // namespace
}  // namespace tilewise::program

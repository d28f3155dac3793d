// Programs of PyTorch as users start them: with checks of what they are given,
// loops that wait for data, and command lines of typed functions.

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;
using testing::Not;

Workload Read(const std::string& text, const std::vector<std::string>& arguments = {},
              const std::string& model = "", const std::string& inputs = "") {
  ProgramOptions options;
  options.limits.steps = 2'000'000;
  options.trains = true;
  options.arguments = arguments;
  options.model = model;
  options.inputs = inputs;
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {ProgramText{.text = text}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

constexpr char kStart[] = R"(
import torch
from torch import nn
import torch.nn.functional as F

def update(model, optimizer, width=4, batch=8):
    loss = F.mse_loss(model(torch.randn(batch, width)), torch.randn(batch, 2))
    loss.backward()
    optimizer.step()

model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
)";

TEST(TorchProgram, ACheckThatFailsIsReadAsPassed) {
  const Workload workload = Read(std::string(kStart) + R"(
import argparse, os
parser = argparse.ArgumentParser()
parser.add_argument("--data_dir", default=None)
args = parser.parse_args()
def main():
    if args.data_dir is None:
        raise ValueError("give a folder")
    assert os.path.exists(args.data_dir), "no such folder"
    update(model, optimizer)
main()
)");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("a check of the program fails: give a folder"));
  EXPECT_THAT(Notes(workload), HasSubstr("a check of the program fails: no such folder"));
  EXPECT_THAT(Notes(workload), HasSubstr("--data_dir must be given; /tmp/data_dir stands for it"));
}

TEST(TorchProgram, AnExceptionThatTheProgramTakesIsRaised) {
  const Workload workload = Read(std::string(kStart) + R"(
def width_of(name):
    if name != "large":
        raise ValueError(name)
    return 4
try:
    width = width_of("small")
except ValueError:
    update(model, optimizer)
)");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("a check of the program")));
}

TEST(TorchProgram, TheLoopAroundTheDataHasTheEpochs) {
  const Workload workload = Read(std::string(kStart) + R"(
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(torch.randn(100, 4), torch.randn(100, 2)), batch_size=5)
start = 1
for run in range(start, 30 + 1):
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
)");
  EXPECT_EQ(workload.host_loop.epochs.value, 30) << Notes(workload);
}

TEST(TorchProgram, ALoopThatFillsABufferFirstReachesItsStep) {
  const Workload workload = Read(std::string(kStart) + R"(
seen, steps = 0, 1000000
for step in range(steps):
    seen += sum([i for i in range(5)])
    if step > 25000 and step % 4 == 0:
        update(model, optimizer)
)");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("some of them are left out"));
}

TEST(TorchProgram, ATypedEntryFunctionTakesItsCommandLine) {
  const std::string program = std::string(kStart) + R"(
from dataclasses import dataclass
@dataclass
class TrainArgs:
    batch: int = 2
    width: int = 4
def setup(model_dir: str, train: TrainArgs = TrainArgs(batch=6)):
    fit(train)
def fit(train):
    update(model, optimizer, train.width, train.batch)
)";
  EXPECT_THAT(Notes(Read(program)), HasSubstr("--model_dir must be given"));
  const Workload workload = Read(program, {"--train.batch", "12"});
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("setup() is called by nothing here"));
  EXPECT_THAT(Notes(workload), Not(HasSubstr("fit() is called by nothing here")));
}

TEST(TorchProgram, JsonargparseMakesWhatTheAnnotationsSay) {
  const Workload workload = Read(R"(
import torch
from torch import nn
from dataclasses import dataclass
from jsonargparse import CLI
@dataclass
class Sizes:
    width: int = 4
    depth: int = 1
made = {}
def train(sizes: Sizes = Sizes(depth=3), name: str = "a"):
    made["net"] = nn.Sequential(*[nn.Linear(sizes.width, sizes.width)
                                  for _ in range(sizes.depth)])
CLI({"test": print, "train": train})
)",
                                 {"train", "--sizes.width=8"}, "made['net']", "8:f32");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 3 * (8 * 8 + 8));
}

TEST(TorchProgram, AGeneratorThatWaitsLeavesCountsKnown) {
  const Workload workload = Read(R"(
import subprocess
from torch import nn
lines = subprocess.run(["tool"]).stdout
first = next((i for i, line in enumerate(lines) if "x" in line), None)
net = nn.Linear(4, 2)
)",
                                 {}, "net", "4:f32");
  EXPECT_THAT(Notes(workload), Not(HasSubstr("lower bound")));
}

TEST(TorchProgram, DataThatIsNotKnownHasTheShapeThatItIsGiven) {
  const Workload workload = Read(std::string(kStart) + R"(
import numpy as np
tokens = torch.tensor(np.load("shard.npy"))
x = tokens[0:32].view(8, 4)
F.mse_loss(model(x), torch.randn(8, 2)).backward()
optimizer.step()
)");
  EXPECT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("what is given the shape [8, 4] here is not known"));
}

TEST(TorchProgram, ALossThatIsNotKnownIsSaid) {
  EXPECT_THAT(Notes(Read(std::string(kStart) + R"(
import parts_that_are_absent
loss = parts_that_are_absent.loss(model)
loss.backward()
optimizer.step()
)")),
              HasSubstr("the loss is not known"));
}

TEST(TorchProgram, WhyTheWeightsOfAnOptimizerAreNotKnownIsSaid) {
  EXPECT_THAT(Notes(Read(R"(
import parts_that_are_absent
import torch
net = parts_that_are_absent.Net()
trained = list(filter(lambda p: p.requires_grad, net.parameters()))
optimizer = torch.optim.SGD([{"params": trained, "lr": 0.1}])
)")),
              HasSubstr("the weights that this optimizer changes are not known: package "
                        "parts_that_are_absent"));
}

TEST(TorchProgram, ArraysOfPlacesGoTogether) {
  const Workload workload = Read(std::string(kStart) + R"(
import numpy as np
held = np.zeros((1000000, 1, 4), dtype=np.float32)
rows = np.random.randint(0, 1000, size=8)
x = torch.tensor(held[rows, np.random.randint(0, 1, size=(8,)), :])
assert x.shape == (8, 4)
F.mse_loss(model(x), torch.randn(8, 2)).backward()
optimizer.step()
)");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("a check of the program")));
}

TEST(TorchProgram, AnArrayOfTheHostGetsItsTypeThere) {
  const Workload workload = Read(std::string(kStart) + R"(
import numpy as np
x = torch.Tensor(np.random.rand(256, 4))
F.mse_loss(model(x), torch.FloatTensor(np.random.rand(256, 2))).backward()
optimizer.step()
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  for (const Op& op : workload.graph->ops()) EXPECT_NE(op.shape.dtype, DType::kF64);
}

TEST(TorchProgram, PartsOfTimmAreFoundInTheirModules) {
  const Workload workload = Read(std::string(kStart) + R"(
from timm.data.mixup import Mixup
from timm.data.transforms_factory import create_transform
from timm.scheduler.scheduler import Scheduler
mix = Mixup(num_classes=2)
x, y = mix(torch.randn(8, 4), torch.randint(0, 2, (8,)))
F.cross_entropy(model(x), y).backward()
optimizer.step()
rates = Scheduler(optimizer).base_values
)");
  EXPECT_TRUE(workload.graph.has_value()) << Notes(workload);
}

TEST(TorchProgram, PlainTensorsThatAreTrainedInAProgramWithoutLayersAreItsWeights) {
  const Workload workload = Read(R"(
import torch
from torch.autograd import Variable
w = Variable(torch.randn(8, 4) * 0.1, requires_grad=True)
b = torch.zeros(4, requires_grad=True)
optimizer = torch.optim.Adam([w, b])
for i in range(10):
    loss = (torch.randn(16, 8) @ w + b.repeat(16, 1)).pow(2).mean()
    loss.backward()
    optimizer.step()
    for p in (w, b):
        if p.grad is not None:
            p.grad.data.zero_()
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 36);
}

TEST(TorchProgram, CopiesOfWeightsThatAnOptimizerChangesAreNotCountedAgain) {
  const Workload workload = Read(std::string(kStart) + R"(
copies = [p.clone().detach().requires_grad_() for p in model.parameters()]
update(model, torch.optim.SGD(copies, lr=0.1))
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 10);
}

TEST(TorchProgram, WhatALauncherWouldGiveTheArgumentsIsThatOfASingleProcess) {
  const Workload workload = Read(std::string(kStart) + R"(
import argparse, os
args = argparse.ArgumentParser().parse_args()
if "RANK" in os.environ:
    args.rank, args.world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
if args.rank == 0:
    update(model, optimizer, batch=16 // args.world_size)
)");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload),
              HasSubstr("rank, which a launcher of processes gives, is not known"));
}

TEST(TorchProgram, ASamplerForSeveralProcessesGivesEachABatchOfItsOwn) {
  const Workload workload = Read(std::string(kStart) + R"(
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset
data = TensorDataset(torch.randn(64, 4))
for (x,) in DataLoader(data, batch_size=4, sampler=DistributedSampler(data, num_replicas=1)):
    model(x).sum().backward()
    optimizer.step()
)");
  EXPECT_EQ(workload.declared_global_batch(), 4 * 8) << Notes(workload);
}

TEST(TorchProgram, TheTraceOfAMatrixIsTheSumOfItsDiagonal) {
  const Workload workload = Read(std::string(kStart) + R"(
torch.trace(model(torch.randn(2, 4))).backward()
optimizer.step()
)");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
}

// A loop over batches on the device of torch_xla, behind and before what a case adds.
Workload ReadOnXla(const std::string& before, const std::string& after = "train()") {
  return Read(std::string(kStart) + "import torch_xla.core.xla_model as xm\n" + before + R"(
def train(*args):
    device = xm.xla_device()
    model.to(device)
    for i in range(100):
        update(model, optimizer)
        xm.mark_step()
)" + after);
}

TEST(TorchProgram, OneProcessOfTorchXlaTrainsOnOneDevice) {
  const Workload workload = ReadOnXla("");
  ASSERT_TRUE(workload.one_device.has_value()) << Notes(workload);
  EXPECT_EQ(workload.one_device->line, 16);
}

TEST(TorchProgram, ProcessesSpmdAndMeshesUseAllDevices) {
  const std::string spawn = "import torch_xla.distributed.xla_multiprocessing as xmp";
  EXPECT_FALSE(ReadOnXla(spawn, "xmp.spawn(train)").one_device);
  EXPECT_TRUE(ReadOnXla(spawn, "xmp.spawn(train, nprocs=1)").one_device);
  EXPECT_FALSE(ReadOnXla("import torch_xla", "torch_xla.launch(train)").one_device);
  EXPECT_FALSE(ReadOnXla("import torch_xla.runtime as xr\nxr.use_spmd()").one_device);
  EXPECT_FALSE(
      ReadOnXla("import torch.distributed as dist\ndist.init_process_group('xla')").one_device);
  EXPECT_FALSE(ReadOnXla("print(xm.xrt_world_size())").one_device);
}

// PyTorch/XLA compares places with the index where the dim is not very long.
TEST(TorchProgram, AGatherAlongADimComparesUnlessItIsLong) {
  const auto gathers = [](const std::string& rows) {
    const Workload workload = Read("import torch\nfrom torch import nn\nrows = " + rows + R"(
class Picks(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(rows, 3))
    def forward(self, order):
        return torch.gather(self.table, 0, order.unsqueeze(-1).expand(-1, 3))
model = Picks()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for i in range(100):
    model(torch.randint(0, rows, (5,))).sum().backward()
    optimizer.step()
)");
    EXPECT_TRUE(workload.graph.has_value()) << Notes(workload);
    return !workload.graph.has_value() ||
           std::ranges::any_of(workload.graph->ops(), [](const Op& op) {
             return op.kind == OpKind::kGather || op.kind == OpKind::kGatherSlices;
           });
  };
  EXPECT_FALSE(gathers("40"));
  EXPECT_TRUE(gathers("90_000"));
}

// What runs without gradients is part of the step: its loops over layers run to their end.
TEST(TorchProgram, ATeacherHasAllItsLayers) {
  const Workload workload = Read(std::string(kStart) + R"(
teacher = nn.Sequential(*[nn.Linear(4, 4) for _ in range(40)], nn.Linear(4, 2))
for i in range(100):
    x = torch.randn(8, 4)
    with torch.no_grad():
        wanted = teacher(x)
    loss = F.mse_loss(model(x), wanted)
    loss.backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(std::ranges::count_if(workload.graph->ops(),
                                  [](const Op& op) { return op.kind == OpKind::kDot; }),
            42);
}

TEST(TorchProgram, AnEncoderWithoutGradientsInsideAModelHasAllItsLayers) {
  const Workload workload = Read(std::string(kStart) + R"(
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(*[nn.Linear(4, 4) for _ in range(40)], nn.Linear(4, 6))
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        with torch.no_grad():
            x = self.encoder(x)
        return self.head(x)

model = Reader()
update(model, torch.optim.SGD(model.parameters(), lr=0.1))
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(std::ranges::count_if(workload.graph->ops(),
                                  [](const Op& op) { return op.kind == OpKind::kDot; }),
            42);
}

// Crops of one size go through the network together.
TEST(TorchProgram, SizesThatFollowEachOtherAreCounted) {
  const Workload workload = Read(std::string(kStart) + R"(
for i in range(100):
    crops = [torch.randn(8, 4)] * 2 + [torch.randn(6, 4)] * 3
    ends = torch.cumsum(torch.unique_consecutive(torch.tensor([c.shape[0] for c in crops]),
                                                 return_counts=True)[1], 0)
    start, loss = 0, 0.0
    for end in ends:
        loss = loss + model(torch.cat(crops[start:end])).mean()
        start = end
    loss.backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("ends with")));
}

TEST(TorchProgram, ACheckThatRaisesNothingNamedIsPassed) {
  const Workload workload = Read(R"(
import argparse
)" + std::string(kStart) + R"(
parser = argparse.ArgumentParser()
parser.add_argument("-output_dir", type=str, default=None)
opt = parser.parse_args()
if not opt.output_dir:
    print("No result will be saved.")
    raise
for i in range(100):
    update(model, optimizer)
)");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("a check of the program fails"));
}

// A step of two losses of which one is not known is said to be a lower bound, and nothing at all
// where what is known trains next to nothing.
Workload TwoLosses(int known, int unknown) {
  return Read("known, unknown = " + std::to_string(known) + ", " + std::to_string(unknown) + R"(
import torch
from torch import nn
import no_such_package
first, second = nn.Linear(4, known), nn.Linear(4, unknown)
optimizer = torch.optim.SGD(list(first.parameters()) + list(second.parameters()), 0.1)
for i in range(100):
    x = torch.randn(8, 4)
    no_such_package.penalty(second(x)).backward()
    first(x).mean().backward()
    optimizer.step()
)");
}

TEST(TorchProgram, AStepWithALossThatIsNotKnownIsALowerBound) {
  const Workload workload = TwoLosses(64, 64);
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_THAT(workload.lower_bound, HasSubstr("at line 9, the loss is not known"));
  const Workload little = TwoLosses(1, 256);
  EXPECT_FALSE(little.graph.has_value());
  EXPECT_THAT(Notes(little), HasSubstr("no model was read: at line 9, the loss is not known"));
}

// A loop of a model whose rounds nothing tells is read for one of them; one that tests is no part
// of the step.
Workload Rounds(const std::string& count) {
  return Read(R"(
import torch
from torch import nn
layer, head = nn.Linear(8, 8), nn.Linear(8, 2)
optimizer = torch.optim.SGD([*layer.parameters(), *head.parameters()], 0.1)
rounds = )" + count +
              R"(
for i in range(100):
    x = torch.randn(4, 8)
    for _ in range(rounds):
        x = torch.relu(layer(x))
    head(x).mean().backward()
    optimizer.step()
with torch.no_grad():
    for _ in range(len(open('tests.txt').readlines())):
        layer(torch.randn(4, 8))
)");
}

TEST(TorchProgram, ALoopOfAModelWhoseRoundsAreNotKnownIsALowerBound) {
  const Workload known = Rounds("3"), unknown = Rounds("len(open('sizes.txt').readlines())");
  ASSERT_TRUE(known.graph.has_value()) << Notes(known);
  EXPECT_EQ(known.lower_bound, "");
  EXPECT_THAT(unknown.lower_bound, HasSubstr("at line 9, one round of this loop is counted"));
}

TEST(TorchProgram, ANetworkThatWasLostOnTheWayIsNotReadAsItsHead) {
  const Workload workload = Read(R"(
import no_such_package
import torch
from torch import nn
trunk, head = nn.Linear(4, 256), nn.Linear(4, 4)
optimizer = torch.optim.SGD(list(trunk.parameters()) + list(head.parameters()), 0.1)
for i in range(100):
    x = torch.randn(8, 4)
    try:
        x = x + no_such_package.fused(trunk(x))
    except Exception:
        pass
    head(torch.randn(8, 4)).mean().backward()
    optimizer.step()
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(Notes(workload), HasSubstr("less than a tenth of the optimizer's weights"));
}

}  // namespace
}  // namespace tilewise::program

// Packages that programs of PyTorch use: einx, hydra, stable_baselines3, packed sequences.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

// Trains a layer that is as wide as `size` of `setup`.
Workload ReadLayerOf(const std::string& setup, const std::string& size) {
  return ReadText("import torch\n" + setup + "net = torch.nn.Linear(" + size + R"(, 1)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(100):
    net(torch.randn(16, net.in_features)).mean().backward()
    optimizer.step()
)");
}

int64_t WidthOf(const std::string& setup, const std::string& size) {
  const Workload workload = ReadLayerOf(setup, size);
  EXPECT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  return workload.model_size.has_value() ? workload.model_size->trainable - 1 : 0;
}

TEST(TorchPackages, EinxGivesAxesByTheirNames) {
  const std::string setup = "import einx\nx, y = torch.zeros(6, 5), torch.zeros(5, 7)\n";
  EXPECT_EQ(WidthOf(setup, "einx.add('i j, j k -> i j k', x, y).numel()"), 6 * 5 * 7);
  EXPECT_EQ(WidthOf(setup, "einx.rearrange('a b -> (b a)', x).shape[0]"), 30);
  EXPECT_EQ(WidthOf(setup, "einx.sum('a [b]', x).shape[0]"), 6);
}

TEST(TorchPackages, RowsAndColumnsThatAreMatchedAreAsManyAsTheFewerOfThem) {
  const std::string setup = R"(
from scipy.optimize import linear_sum_assignment
found, wanted = torch.zeros(9, 4), torch.zeros(6, 4)
rows, columns = linear_sum_assignment(torch.cdist(found, wanted, p=1).cpu())
)";
  EXPECT_EQ(WidthOf(setup, "found[torch.as_tensor(rows)].numel() + len(columns)"), 6 * 4 + 6);
}

TEST(TorchPackages, EntriesOfAFolderHaveNamesAndPaths) {
  const std::string setup = R"(
import os
with os.scandir("/data/pictures") as entries:
    found = [(e.name, e.path) for e in entries if e.is_file()]
name, path = found[0]
)";
  EXPECT_EQ(WidthOf(setup, "7 if path == '/data/pictures/' + name else 3"), 7);
}

// Plain numbers stand for those of NumPy, and have none of this for who asks which they are.
TEST(TorchPackages, NumbersOfNumPyHaveATypeAndNoDims) {
  const std::string setup = "import numpy as np\nn = np.arange(4).sum()\n";
  EXPECT_EQ(WidthOf(setup, "n.astype('int32') + len(n.shape) + n.ndim"), 6);
  EXPECT_EQ(WidthOf(setup, "int(n.astype(np.float32).tolist() / 4 * 10)"), 15);
  EXPECT_EQ(WidthOf(setup, "getattr(7, 'shape', 5) + hasattr(7, 'shape')"), 5);
}

TEST(TorchPackages, DifferentValuesOfAnArrayComeWithWhatIsAskedFor) {
  const std::string setup = R"(
import numpy as np
values, first, places, counts = np.unique(np.array([5, 3, 5]), True, True, True)
)";
  EXPECT_EQ(WidthOf(setup, "100 * first[0] + 10 * counts[1] + places[1] + len(values)"), 122);
}

// Programs for the first versions of PyTorch, such as the loss of many detectors of boxes.
TEST(TorchPackages, AMaskOfAsManyElementsMarksThoseOfAnotherShape) {
  const std::string setup = R"(
x = torch.zeros(6, 1)
x[torch.zeros(2, 3) > 0] = 1
)";
  EXPECT_EQ(WidthOf(setup, "x.view(2, -1).shape[1]"), 3);
}

// What is trained on the items that a generator gives is no round of the generator's own loop.
TEST(TorchPackages, AGeneratorWithoutEndGivesBatchesToAllLoops) {
  const Workload workload = ReadText(R"(
import numpy as np
import torch

def batches():
    while True:
        rows = []
        for i in range(64):
            rows.append(np.random.randn(2))
        yield np.array(rows, dtype="float32")

critic, net = torch.nn.Linear(2, 1), torch.nn.Linear(2, 2)
optimizers = [torch.optim.Adam(m.parameters()) for m in (critic, net)]
data = batches()
for i in range(1000):
    for k in range(5):
        critic(torch.Tensor(data.next())).mean().backward()
        optimizers[0].step()
    x = torch.Tensor(data.next())
    critic(net(x)).mean().backward()
    optimizers[1].step()
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_THAT(NotesOfText(workload), testing::Not(HasSubstr("StopIteration")));
}

TEST(TorchPackages, PackedSequencesHoldOneStepAfterAnother) {
  const std::string setup = R"(
from torch.nn.utils import rnn
packed = rnn.pack_padded_sequence(torch.zeros(4, 9, 3), [9, 9, 9, 9], batch_first=True)
data, sizes, _, _ = packed
again = rnn.PackedSequence(torch.nn.Linear(3, 5)(packed.data), packed.batch_sizes)
out, _ = torch.nn.GRU(5, 11)(again)
whole, lengths = rnn.pad_packed_sequence(out, batch_first=True)
)";
  EXPECT_EQ(WidthOf(setup, "data.shape[0]"), 36);
  EXPECT_EQ(WidthOf(setup, "len(sizes)"), 9);
  EXPECT_EQ(WidthOf(setup, "whole.numel()"), 4 * 9 * 11);
}

TEST(TorchPackages, HydraComposesStoredConfigurationsByTheirDefaults) {
  const std::string setup = R"(
import hydra
from dataclasses import dataclass, field
from typing import Any, List
from hydra.core.config_store import ConfigStore
from omegaconf import MISSING
@dataclass
class Wide:
    width: int = 48
@dataclass
class Whole:
    defaults: List[Any] = field(default_factory=lambda: [{"model": "wide"}])
    model: Any = MISSING
    callbacks: Any = MISSING
    _target_: str = "builtins.dict"
ConfigStore.instance().store(name="config", node=Whole)
ConfigStore.instance().store(group="model", name="wide", node=Wide)
got = []
@hydra.main(config_path=None, config_name="config")
def run(cfg):
    got.append(hydra.utils.instantiate(cfg, callbacks=None)["model"].width)
run()
)";
  EXPECT_EQ(WidthOf(setup, "got[0]"), 48);
}

TEST(TorchPackages, EnvironmentsAtOnceShowTheSpacesOfOne) {
  const std::string setup = R"(
import gym, numpy
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnvWrapper
class Halved(VecEnvWrapper):
    def step_wait(self):
        seen, reward, done, infos = self.venv.step_wait()
        return seen[:, ::2], reward, done, infos
envs = Halved(DummyVecEnv([lambda: gym.make("HalfCheetah-v2")] * 3))
seen, reward, done, infos = envs.step(None)
)";
  EXPECT_EQ(WidthOf(setup, "envs.observation_space.shape[0]"), 17);
  EXPECT_EQ(WidthOf(setup, "seen.shape[0] * 100 + seen.shape[1]"), 309);
}

TEST(TorchPackages, EnvironmentsOfRecordedRunsHaveTheSpacesOfTheirRobot) {
  const std::string setup = R"(
import gym
env = gym.wrappers.RecordEpisodeStatistics(gym.make("halfcheetah-medium-expert-v2"))
best = max(env.return_queue)
hand = gym.make("pen-human-v1")
)";
  EXPECT_EQ(WidthOf(setup, "env.observation_space.shape[0]"), 17);
  EXPECT_EQ(WidthOf(setup, "hand.action_space.shape[0]"), 24);
}

TEST(TorchPackages, MomentsOfDistributionsAreNumbers) {
  const std::string setup = R"(
from scipy import stats
cut = round(100 * stats.truncnorm.std(a=-2, b=2, loc=0., scale=1))
)";
  EXPECT_EQ(WidthOf(setup, "cut"), 88);
  EXPECT_EQ(WidthOf(setup, "int(stats.norm(3, 1).std() + stats.norm.rvs(size=(5, 2)).shape[0])"),
            6);
}

TEST(TorchPackages, GamesOfAtariAreKnownByTheirClass) {
  const std::string setup = R"(
import gym
env = gym.make("PongNoFrameskip-v4")
game = isinstance(env.unwrapped, gym.envs.atari.atari_env.AtariEnv)
low = gym.make("CartPole-v1")
rows = gym.spaces.Box(low=0, high=env.observation_space.high, dtype="uint8").low
)";
  EXPECT_EQ(WidthOf(setup, "64 if game else 3"), 64);
  EXPECT_EQ(WidthOf(setup, "3 if isinstance(low, gym.envs.atari.atari_env.AtariEnv) else 64"), 64);
}

TEST(TorchPackages, MoreFilesThanWereAssumedAreHeldBack) {
  const std::string setup = R"(
import glob
files = sorted(glob.glob("images/celeba/*.jpg"))
train, test = files[:-4000], files[-4000:]
)";
  EXPECT_EQ(WidthOf(setup, "min(len(train), len(test))"), 1000);
  EXPECT_EQ(WidthOf(setup, "len(files[100:])"), 900);
}

TEST(TorchPackages, ATableThatIsCutWhereNobodyKnowsKeepsItsColumns) {
  const std::string setup = R"(
import pandas
table = pandas.read_csv("rows.txt", names=["id", "likes", "ends"])
part = table[:int(table.shape[0] * 0.8)]
width = torch.from_numpy(part[["likes", "ends"]].values).shape[1]
)";
  EXPECT_EQ(WidthOf(setup, "width + 30"), 32);
}

TEST(TorchPackages, ASizeThatIsNotKnownEndsNoSum) {
  const Workload workload = ReadText(R"(
import torch
from elsewhere import load
bias = torch.nn.Parameter(torch.FloatTensor(load().max().item()))
total = load() + bias
net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(100):
    net(torch.randn(16, 8)).mean().backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 72);
}

TEST(TorchPackages, APenaltyAloneTrainsNothing) {
  const Workload workload = ReadText(R"(
import torch
net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
x = torch.randn(16, 8, requires_grad=True)
for _ in range(100):
    grads = torch.autograd.grad(net(x).sum(), x)
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(NotesOfText(workload), HasSubstr("what is trained is not known"));
}

TEST(TorchPackages, ATensorOfATypeIsMadeOfASize) {
  EXPECT_EQ(WidthOf("x = torch.LongTensor(7)\nx[2] = 5\n", "x.shape[0]"), 7);
  EXPECT_EQ(WidthOf("x = torch.FloatTensor([1, 2, 3])\n", "x.shape[0]"), 3);
}

TEST(TorchPackages, AnEngineOfIgniteRunsItsStep) {
  const Workload workload = ReadText(R"(
import torch
from torch.utils.data import DataLoader, TensorDataset
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.handlers import EarlyStopping
from ignite.metrics import Accuracy, Loss
net, loss = torch.nn.Linear(8, 3), torch.nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
loader = DataLoader(TensorDataset(torch.zeros(90, 8), torch.zeros(90).long()), batch_size=18)
trainer = create_supervised_trainer(net, optimizer, loss, device="cuda")
tester = create_supervised_evaluator(net, metrics={"accuracy": Accuracy(), "loss": Loss(loss)})
@trainer.on(Events.EPOCH_COMPLETED)
def test(engine):
    tester.run(loader)
    print(engine.state.epoch, tester.state.metrics["accuracy"])
tester.add_event_handler(Events.COMPLETED, EarlyStopping(patience=3, score_function=None))
trainer.run(loader, max_epochs=4)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 27);
  ASSERT_TRUE(workload.training.has_value());
  EXPECT_EQ(workload.training->loss, LossKind::kSoftmaxCrossEntropy);
}

TEST(TorchPackages, APublishedDataSetHasTheRowsThatAProgramKeeps) {
  const std::string setup = R"(
from torchvision.datasets import CIFAR10
pictures = CIFAR10(".")
pictures.targets = torch.tensor(pictures.targets)
pictures.data = pictures.data[:70]
)";
  EXPECT_EQ(WidthOf(setup, "len(pictures)"), 70);
  EXPECT_EQ(WidthOf(setup, "pictures.targets.shape[0] // 1000"), 50);
}

}  // namespace
}  // namespace tilewise::program

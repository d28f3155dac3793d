// What packages and arrays of programs do: packages whose parts need each other,
// packages that are not here, and numbers that the host works out.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;
using testing::Not;

Workload ReadAt(const std::string& path, const std::string& text, const std::string& model,
                const std::string& inputs = "") {
  ProgramOptions options;
  options.model = model;
  options.inputs = inputs;
  absl::StatusOr<Workload> workload = ReadProgram(path, {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

Workload Read(const std::string& text, const std::string& model, const std::string& inputs = "") {
  return ReadAt("train.py", text, model, inputs);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

int64_t Trainable(const Workload& workload) {
  return workload.model_size.has_value() ? workload.model_size->trainable : -1;
}

constexpr char kAbsent[] = R"(
import torch
from torch import nn
from nopackage import ParallelLinear, Base

class Encoder(Base):
    def __init__(self):
        super().__init__()
        del self.head

class Net(nn.Module):
    def __init__(self, part):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.part = part
)";

TEST(Packages, APartOfAPackageThatIsNotHereMarksTheCount) {
  const Workload workload = Read(kAbsent, "Net(ParallelLinear(4, 4))");
  EXPECT_EQ(Trainable(workload), 20);
  EXPECT_THAT(Notes(workload), HasSubstr("the count is a lower bound: what part of Net holds is "
                                         "not known: package nopackage is not on the search path"));
}

TEST(Packages, APartWhoseBaseIsNotKnownMarksTheCount) {
  const Workload workload = Read(kAbsent, "Net(Encoder())");
  EXPECT_THAT(Notes(workload), HasSubstr("a base of Encoder is not known"));
}

TEST(Packages, PartsInAListMarkTheCount) {
  const Workload workload =
      Read(kAbsent, "Net(nn.ModuleList([ParallelLinear(4, 4) for _ in range(3)]))");
  EXPECT_THAT(Notes(workload), HasSubstr("what part.0 and 2 more of Net holds is not known"));
}

TEST(Packages, AKnownModelIsNotMarked) {
  const Workload workload = Read(kAbsent, "Net(nn.Linear(4, 2))");
  EXPECT_EQ(Trainable(workload), 30);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("lower bound")));
}

TEST(Packages, WhosePartsNeedEachOtherRunInPythonsOrder) {
  const std::filesystem::path root = std::filesystem::path(testing::TempDir()) / "order" / "net";
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  };
  write("__init__.py", "from net import table\nfrom net import layers\nfrom net import models\n");
  write("table.py", "import net as whole\ndef register(f):\n  whole.names = [f]\n  return f\n");
  write("layers.py",
        "from torch import nn\nfrom net.models import Net\nclass Wide(nn.Linear):\n  pass\n");
  write("models/net.py",
        "from torch import nn\nfrom net.table import register\n"
        "class Net(nn.Linear):\n  pass\nclass Deep(Net):\n  pass\n@register\n"
        "def deep():\n  from net.layers import Wide\n  return Wide(3, 5)\n");
  const std::string text = "from net.models.net import Net, Deep, deep\n";
  write("models/__init__.py", text);
  const Workload workload = ReadAt((root / "models/__init__.py").string(), text, "deep()", "3:f32");
  EXPECT_EQ(Trainable(workload), 20) << Notes(workload);
}

TEST(Packages, AProgramFindsModulesOfItsPackageThatTilewiseKnowsWithoutThem) {
  const std::filesystem::path root = std::filesystem::path(testing::TempDir()) / "known" / "optax";
  std::filesystem::create_directories(root / "examples");
  std::ofstream(root / "examples/widths.py") << "width = 6\n";
  const std::string text =
      "import optax, torch\nfrom optax.examples import widths\n"
      "model = torch.nn.Linear(widths.width, 1)\n";
  const Workload workload = ReadAt((root / "examples/train.py").string(), text, "model", "6:f32");
  EXPECT_EQ(Trainable(workload), 7) << Notes(workload);
}

TEST(Packages, AStarImportTakesNamesThatAreFoundWhenAsked) {
  const Workload workload = Read(R"(
from tensorflow.math import *
from tensorflow.nn import *
from tensorflow.keras.layers import *
from tensorflow.keras.models import Model
image = Input((8,))
model = Model(image, Dense(4)(relu(reduce_mean(image, keepdims=True, axis=-1))))
)",
                                 "model", "8:f32");
  EXPECT_EQ(Trainable(workload), 8) << Notes(workload);
}

TEST(Packages, AnImportThatFailsNamesItsModule) {
  const Workload workload = Read(R"(
import torch
width = 1
try:
    import nopackage
except ImportError as error:
    width = len(error.name)
)",
                                 "torch.nn.Linear(width, 1)");
  EXPECT_EQ(Trainable(workload), 10) << Notes(workload);
}

TEST(Packages, ConfigurationsAndRegistriesOfFvcore) {
  const Workload workload = Read(R"(
import torch
from fvcore.common.config import CfgNode
from fvcore.common.registry import Registry
MODELS = Registry("MODELS")

@MODELS.register()
def wide(cfg):
    return torch.nn.Linear(cfg.NET.WIDTH, 2)

cfg = CfgNode()
cfg.NET = CfgNode()
cfg.NET.WIDTH = 4
cfg.NET.NAME = "wide"
)",
                                 "MODELS.get(cfg.NET.NAME)(cfg)");
  EXPECT_EQ(Trainable(workload), 10) << Notes(workload);
}

TEST(Classes, AClassThatIsMadeFromProperty) {
  const Workload workload = Read(R"(
import torch

class of_class(property):
    def __get__(self, _, owner):
        return self.fget(owner)

class kept(property):
    pass

class Net:
    _width = 3

    @of_class
    def sizes(cls):
        return {"wide": cls._width}

    @kept
    def height(self):
        return self._height

    @height.setter
    def height(self, value):
        self._height = value * 2

net = Net()
net.height = 2
)",
                                 "torch.nn.Linear(Net.sizes['wide'], net.height)");
  EXPECT_EQ(Trainable(workload), 16) << Notes(workload);
}

TEST(Classes, AHookOfSubclassesCallsThoseOfItsBases) {
  const Workload workload = Read(R"(
import torch

class Base:
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.width = 3

class Middle(Base):
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.height = 2

class Leaf(Middle):
    pass
)",
                                 "torch.nn.Linear(Leaf.width, Leaf.height)");
  EXPECT_EQ(Trainable(workload), 8) << Notes(workload);
}

TEST(HostArrays, NumbersOfArraysAreWorkedOut) {
  const Workload workload = Read(R"(
import numpy as np
import torch
a = np.arange(6).reshape(2, 3)
b = (np.abs(a - 3) * 2).astype(np.float32)                    # 6 4 2, 0 2 4
c = np.sqrt(np.maximum(b, 1.0) ** 2) + np.exp(a * 0)          # 6 4 2, 1 2 4 and 1 each
d = (a.T / 2)[1]                                              # 0.5 2
first, second = int(c.sum()), int(d[1] * 2)                   # 25, 4
third = int(np.minimum(a, 2).sum() + (a < 3).sum())           # 9 + 3
)",
                                 "torch.nn.Sequential(torch.nn.Linear(first, second),"
                                 " torch.nn.Linear(third, np.int(1), bias=False))");
  EXPECT_EQ(Trainable(workload), 25 * 4 + 4 + 12) << Notes(workload);
}

TEST(HostArrays, ATableOfManyAnglesTakesLittleWork) {
  const Workload workload = Read(R"(
import numpy as np
import torch

def table(rows, width):
    def angles(row):
        return [row / np.power(10000, 2 * (i // 2) / width) for i in range(width)]
    found = np.array([angles(row) for row in range(rows)])
    found[:, 0::2] = np.sin(found[:, 0::2])
    return torch.FloatTensor(found).unsqueeze(0)
)",
                                 "torch.nn.ParameterList([torch.nn.Parameter(table(257, 512))])");
  EXPECT_EQ(Trainable(workload), 257 * 512) << Notes(workload);
}

TEST(HostArrays, ANumberThatIsSetInAShortRowStaysKnown) {
  const Workload workload = Read(R"(
import torch
scale = torch.ones(4)
scale[1] = 2.0
)",
                                 "torch.nn.Linear(int(scale[1] * 3), int(scale[0]))");
  EXPECT_EQ(Trainable(workload), 7) << Notes(workload);
}

TEST(HostArrays, AnInputHasTheTypeThatItsFrameworkNames) {
  const Workload workload = Read("import torch\n", "torch.nn.Embedding(10, 4)", "8:int64");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(Trainable(workload), 40);
}

TEST(KerasParts, APartOfWeightsMayBeAsLongAsDataThatIsNotKnownYet) {
  const Workload workload = Read(R"(
import keras
from keras import ops

class Places(keras.layers.Layer):
    def build(self, shape):
        self.table = self.add_weight(shape=(512, shape[-1]), name="table")

    def call(self, x):
        return x + ops.slice(self.table, (0, 0), (ops.shape(x)[1], ops.shape(x)[2]))

words = keras.Input((None,), dtype="int32")
model = keras.Model(words, Places()(keras.layers.Embedding(10, 4)(words)))
)",
                                 "model", "16:s32");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(Trainable(workload), 512 * 4 + 40);
}

TEST(KerasParts, WhatALayerHoldsOfItsModelIsOfTheSameBatch) {
  const Workload workload = Read(R"(
import keras
from keras import layers, backend as K
import numpy as np

image = keras.Input((8,))
mean = layers.Dense(2)(image)
spread = layers.Dense(2)(image)
code = layers.Lambda(lambda v: v[0] + K.exp(v[1]))([mean, spread])
restored = layers.Dense(8)(code)

class Loss(layers.Layer):
    def call(self, given):
        x, y = given
        self.add_loss(K.mean(K.square(x - y)) - K.mean(1 + spread - K.square(mean)))
        return x

model = keras.Model(image, Loss()([image, restored]))
model.compile(optimizer="rmsprop", loss=None)
model.fit(np.zeros((64, 8), "float32"), None, batch_size=16)
)",
                                 "");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  ASSERT_TRUE(workload.training.has_value());
  int inputs = 0;
  for (const Op& op : workload.graph->ops()) inputs += op.kind == OpKind::kParameter ? 1 : 0;
  EXPECT_EQ(inputs, 1);
}

TEST(Packages, ModulesOfAFolderSrcAreFound) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "folder_with_src";
  std::filesystem::create_directories(folder / "src");
  std::ofstream(folder / "src" / "netparts.py") << "width = 6\n";
  const Workload workload =
      ReadAt((folder / "train.py").string(),
             "import netparts\nfrom torch import nn\nnet = nn.Linear(netparts.width, 1)\n", "net");
  EXPECT_EQ(Trainable(workload), 7);
  EXPECT_THAT(Notes(workload), HasSubstr("module netparts is the one of "));
}

TEST(Packages, PublishedFilesThatAreNotHereHaveTheirSizes) {
  const Workload workload = Read(R"(
import json
from torch import nn
with open("/data/albert_config.json") as file:
    width = json.load(file)["embedding_size"]
with open("/data/vocab.txt") as file:
    words = {word.strip(): i for i, word in enumerate(file)}
net = nn.Linear(width, words["[MASK]"], bias=len(words) != 30522)
)",
                                 "net");
  EXPECT_EQ(Trainable(workload), 128 * 103);
  EXPECT_THAT(Notes(workload), HasSubstr("the configuration of ALBERT-base stands for it"));
}

TEST(Packages, AConfigurationThatMustBeGivenIsOneOfTheFolderBesideTheProgram) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "folder_with_configs";
  std::filesystem::create_directories(folder / "configs");
  std::ofstream(folder / "configs" / "first.yml") << "width: 6\n";
  std::ofstream(folder / "configs" / "second.yml") << "width: 9\n";
  const Workload workload = ReadAt((folder / "train.py").string(), R"(
import argparse, yaml
from torch import nn
parser = argparse.ArgumentParser()
parser.add_argument("--config", type=str, required=True)
with open(parser.parse_args().config) as file:
    net = nn.Linear(yaml.safe_load(file)["width"], 1)
)",
                                   "net");
  EXPECT_EQ(Trainable(workload), 7);
  EXPECT_THAT(Notes(workload), HasSubstr("first.yml of the folder configs is taken"));
}

TEST(Packages, WhatAProgramCatchesAndReportsIsSaid) {
  const Workload workload = Read(R"(
import logging, traceback
from torch import nn
net = nn.Linear(2, 1)
try:
    {}["absent"]
except Exception:
    logging.error(traceback.format_exc())
try:
    None.nothing_of_this_name()
except AttributeError:
    logging.exception("failed")
)",
                                 "net");
  EXPECT_THAT(Notes(workload), HasSubstr("the program catches and reports KeyError: 'absent'"));
  EXPECT_THAT(Notes(workload), HasSubstr("the program catches and reports AttributeError"));
}

TEST(Packages, NamesThatTorchHadForTwoVersionsOfPythonAreKnown) {
  const Workload workload = Read(R"(
import torch
width = 3 if isinstance("text", torch._six.string_classes) else 9
net = torch.nn.Linear(width, 1)
)",
                                 "net");
  EXPECT_EQ(Trainable(workload), 4);
}

TEST(Packages, AModuleThatIsReadFromASourceWhichIsNotHereIsNamed) {
  const Workload workload = Read(R"(
import torch
from torchvision import prototype
net = prototype.models.resnet18()
)",
                                 "net");
  EXPECT_THAT(Notes(workload), HasSubstr("torchvision.prototype is read from the source of package "
                                         "torchvision, which is not on the search path"));
  EXPECT_THAT(Notes(workload), Not(HasSubstr("RecursionError")));
}

TEST(Packages, AConfigurationListIsASequence) {
  const Workload workload = Read(R"(
import torch
from collections.abc import Mapping, Sequence
from omegaconf import OmegaConf
c = OmegaConf.create({"sizes": [3, 5]})
assert isinstance(c.sizes, Sequence) and isinstance(c, Mapping)
net = torch.nn.Linear(*c.sizes) if isinstance(c.sizes, Sequence) else None
)",
                                 "net");
  EXPECT_EQ(Trainable(workload), 20) << Notes(workload);
}

TEST(Packages, VersionsAndPackagesAreAskedForByLightningUtilities) {
  const Workload workload = Read(R"(
import operator
import torch
from lightning_utilities.core.imports import RequirementCache, compare_version, module_available
a = 2 if module_available("torchvision") and not module_available("nothing_of_that_name") else 1
b = 3 if compare_version("torch", operator.ge, "1.10") else 1
c = 5 if not compare_version("torch", operator.lt, "1.10") and RequirementCache("torch>=1.9") else 1
net = torch.nn.Linear(a * b, c, bias=False)
)",
                                 "net");
  EXPECT_EQ(Trainable(workload), 30) << Notes(workload);
}

TEST(Packages, AnOpOfTheProgramsOwnIsTheFunctionThatItIsMadeOf) {
  const Workload workload = Read(R"(
import torch
@torch.library.custom_op("mine::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2
@twice.register_fake
def _(x):
    return torch.empty_like(x)
net = torch.nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(10):
    twice(net(torch.randn(8, 4))).sum().backward()
    optimizer.step()
)",
                                 "");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
}

TEST(Packages, ADataModuleTakesItsArgumentsOfTheCommandLine) {
  const Workload workload = Read(R"(
import argparse
import pytorch_lightning as pl
import torch
class Data(pl.LightningDataModule):
    def __init__(self, width: int = 4, batch_size: int = 32):
        super().__init__()
        self.width, self.batch_size = width, batch_size
args = Data.add_argparse_args(argparse.ArgumentParser()).parse_args(["--width", "6"])
data = Data.from_argparse_args(args)
net = torch.nn.Linear(data.width, data.batch_size, bias=False)
)",
                                 "net");
  EXPECT_EQ(Trainable(workload), 192) << Notes(workload);
}

TEST(Packages, APackageOfTransformersKindImportsWhatIsAskedFor) {
  const Workload workload = Read(R"(
import sys
import regex
import torch
from transformers.utils import _LazyModule
lazy = _LazyModule("torch", torch.__file__, {"nn": ["Linear"]}, extra_objects={"size": 7})
words = regex.findall("[a-z]+", "three of them")
net = lazy.Linear(lazy.size, len(words), bias=False)
)",
                                 "net");
  EXPECT_EQ(Trainable(workload), 21) << Notes(workload);
}

TEST(Packages, ApexTrainsAsPyTorchDoes) {
  const Workload workload = Read(R"(
import torch
from apex import amp
from apex.normalization import FusedLayerNorm
from apex.optimizers import FusedLAMB
from apex.parallel import DistributedDataParallel as DDP
net = torch.nn.Sequential(torch.nn.Linear(4, 8), FusedLayerNorm(8))
optimizer = FusedLAMB(net.parameters(), lr=1e-3)
net, optimizer = amp.initialize(net, optimizer, opt_level="O2")
net = DDP(net)
for i in range(100):
    loss = net(torch.randn(16, 4)).mean()
    with amp.scale_loss(loss, optimizer) as scaled:
        scaled.backward()
    optimizer.step()
)",
                                 "");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kLamb);
}

}  // namespace
}  // namespace tilewise::program

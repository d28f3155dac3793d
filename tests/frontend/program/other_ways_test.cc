// Programs that give no model as they stand are read in other ways.

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"
#include "tests/support/temporary_folder.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;
using testing::Not;

Workload ReadAt(const std::string& path, const std::string& text) {
  absl::StatusOr<Workload> workload = ReadProgram(path, {{text, 0}}, ProgramOptions());
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

constexpr char kNet[] = R"(
import numpy as np
import tensorflow as tf

def train(width):
    net = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(width)])
    net.compile("sgd", "mse")
    net.fit(np.zeros((64, 8)), np.zeros((64, width)), batch_size=16)
)";

TEST(OtherWays, WhatAnErrorWouldHaveMadeIsNotKnownAndTheRestIsRead) {
  const Workload workload = ReadAt("train.py", std::string(kNet) + R"(
def report():
    return {}["absent"]

def main():
    name = report()
    train(4)

main()
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 4 + 4);
  EXPECT_THAT(Notes(workload), HasSubstr("reading goes on without what is made here"));
}

TEST(OtherWays, AnErrorThatTheProgramTakesIsTaken) {
  const Workload workload = ReadAt("train.py", std::string(kNet) + R"(
def width():
    try:
        return {}["absent"]
    except KeyError:
        return 5

def main():
    train(width())
    {}["absent"]

main()
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 5 + 5);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("reading goes on")));
}

TEST(OtherWays, ACommandOfThePageBesideGivesTheArguments) {
  const TemporaryFolder folder;
  folder.Write("README.md", "```\npython train.py \\\n  --width=6\n```\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
from absl import app, flags
FLAGS = flags.FLAGS
flags.DEFINE_integer("width", 0, "")

def main(argv):
    assert FLAGS.width > 0
    train(FLAGS.width)

app.run(main)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(OtherWays, SettingsInAFolderOfTheCheckoutAreListed) {
  const TemporaryFolder folder;
  folder.Write("sizes/small.json", R"({"width": 5})");
  folder.Write("sizes/wide.json", R"({"width": 7})");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import json
from pathlib import Path
sizes = {}
for file in Path(__file__).parent.glob("sizes/*.json"):
    with open(file) as opened:
        sizes[file.stem] = json.load(opened)
train(sizes["wide"]["width"] + len(sizes))
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 9 + 9);
}

TEST(OtherWays, APackageOnThePathOfTheProgramIsNotTheLibraryOfItsName) {
  const TemporaryFolder folder;
  folder.Write("datasets/__init__.py", "");
  folder.Write("datasets/sizes.py", "WIDTH = 9\n");
  const Workload workload = ReadAt(folder.path("scripts/train.py"), std::string(kNet) + R"(
import importlib
import os
import sys
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
train(importlib.import_module("datasets.sizes").WIDTH)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 9 + 9);
}

TEST(OtherWays, LongLoopsOneAfterTheOtherLeaveWorkForTheModel) {
  const Workload workload = ReadAt("train.py", std::string(kNet) + R"(
(x, y), _ = tf.keras.datasets.cifar10.load_data()
for kind in range(10):
    places = []
    for i in range(len(y)):
        if y[i][0] == kind:
            places.append(i)
train(4)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 4 + 4);
}

TEST(OtherWays, ImagesOfAnUnknownSizeAreSaidToStandIn) {
  const Workload workload = ReadAt("train.py", R"(
import elsewhere
import tensorflow as tf
image = tf.keras.Input((None, None, 3))
net = tf.keras.Model(image, tf.keras.layers.Conv2D(4, 3)(image))
net.compile("sgd", "mse")
net.fit(elsewhere.data())
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_TRUE(workload.sizes_assumed);
}

constexpr char kConfigured[] = R"(
from absl import app, flags
from ml_collections import config_flags
FLAGS = flags.FLAGS
config_flags.DEFINE_config_file("config", None, "")

def main(argv):
    train(FLAGS.config.width)

if __name__ == "__main__":
    app.run(main)
)";

TEST(OtherWays, AConfigurationIsReadByTheProgramThatAPageGivesAnotherOne) {
  const TemporaryFolder folder;
  folder.Write("README.md", "python tool/main.py -- \\\n --config=tool/configs/wide.py\n");
  folder.Write("tool/main.py", std::string(kNet) + kConfigured);
  const std::string configuration = R"(
import ml_collections

def get_config():
    return ml_collections.ConfigDict({"width": 3})
)";
  folder.Write("tool/configs/sizes/small.py", configuration);
  const Workload workload = ReadAt(folder.path("tool/configs/sizes/small.py"), configuration);
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 3 + 3);
  EXPECT_THAT(Notes(workload), HasSubstr("is read as the configuration of"));
}

TEST(OtherWays, AProgramOfAPackageIsStartedAboveItsFolder) {
  const TemporaryFolder folder;
  folder.Write("README.md", "python -m tool.main --config=tool/configs/small.py\n");
  folder.Write("tool/optax.py", "import optax\nrate = optax.constant_schedule(0.1)\n");
  folder.Write("tool/main.py", "import tool.optax as own\n" + std::string(kNet) + kConfigured);
  const std::string configuration = R"(
import ml_collections

def get_config():
    return ml_collections.ConfigDict({"width": 3})
)";
  folder.Write("tool/configs/small.py", configuration);
  const Workload workload = ReadAt(folder.path("tool/configs/small.py"), configuration);
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 3 + 3);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("has no attribute")));
}

TEST(OtherWays, PackagesThatPutObjectsInTheirPlacesAskEachOther) {
  const TemporaryFolder folder;
  const std::string lazy = R"(
import importlib
import sys
from types import ModuleType

class Lazy(ModuleType):
    def __getattr__(self, name):
        return getattr(importlib.import_module(".inner", self.__name__), name)

made = Lazy(__name__)
made.__path__ = __path__
sys.modules[__name__] = made
)";
  folder.Write("outer/__init__.py", lazy);
  folder.Write("outer/inner/__init__.py", lazy);
  folder.Write("outer/inner/inner.py", "WIDTH = 6\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
from outer import WIDTH
train(WIDTH)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(OtherWays, AProgramOfFlagsGoesPastACheckForAPackageThatIsNotHere) {
  const TemporaryFolder folder;
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
from absl import app
try:
    import no_such_package
except ImportError:
    no_such_package = None

def main(argv):
    if no_such_package is None:
        raise NotImplementedError("install no_such_package")
    train(6)

app.run(main)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("a check of the program fails"));
}

TEST(OtherWays, ACheckOfEachFileOfTheDataPassesForAll) {
  const Workload workload = ReadAt("train.py", std::string(kNet) + R"(
import os
rows = []
for i in range(40):
    path = "/no/such/%d.jpg" % i
    if not os.path.exists(path):
        raise KeyError("%s does not exist" % path)
    rows.append(path)
train(6 if len(rows) == 40 else 1)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(OtherWays, AnExitThatOnlySaysWhyIsACheck) {
  const Workload workload = ReadAt("train.py", std::string(kNet) + R"(
import os, sys
if not os.path.exists("no such folder"):
    print("download the data first")
    sys.exit()
else:
    print("found")
train(6)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
  EXPECT_THAT(Notes(workload), HasSubstr("the program would end here"));
}

TEST(OtherWays, AnExitAfterWorkEndsTheProgram) {
  const Workload workload = ReadAt("train.py", std::string(kNet) + R"(
mode = "train"
if mode == "train":
    train(6)
    exit(0)
train(7)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(OtherWays, AnOptionThatACheckAsksForHasTheNumberOfTheExample) {
  const TemporaryFolder folder;
  folder.Write("README.md", "python train.py -width 6 <data>\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("-width", type=int)
args = parser.parse_args()
if not args.width:
    raise
train(args.width)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(OtherWays, APlaceOfSeveralWordsInAnExampleIsNoArgument) {
  const TemporaryFolder folder;
  folder.Write("README.md", "python train.py --width 6 \\\n  [the folder with your data]\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, default=0)
args = parser.parse_args()
assert args.width > 0
train(args.width)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(OtherWays, ANumberInTheNameOfAnAssumedFileIsNotKnown) {
  const Workload workload = ReadAt("train.py", std::string(kNet) + R"(
from pathlib import Path
names = [str(p) for p in Path("train_data").glob("**/*.train.tfrecord.gz")]
assert names[0].endswith(".train.tfrecord.gz")
examples = sum([int(n.split(".")[-4]) for n in names])
train(4)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 4 + 4);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("invalid literal")));
}

TEST(OtherWays, AModuleThatPutsAnObjectInItsPlaceIsAskedThroughIt) {
  const TemporaryFolder folder;
  folder.Write("pkg/sizes.py", "WIDTH = 7\n");
  folder.Write("pkg/__init__.py", R"(
import importlib, sys
from types import ModuleType

class Lazy(ModuleType):
    def __init__(self, name, file, where):
        super().__init__(name)
        self._where = where

    def __getattr__(self, name):
        if name not in self._where:
            raise AttributeError(name)
        return getattr(importlib.import_module("." + self._where[name], self.__name__), name)

sys.modules[__name__] = Lazy(__name__, globals()["__file__"], {"WIDTH": "sizes"})
)");
  const Workload workload =
      ReadAt(folder.path("train.py"), std::string(kNet) + "from pkg import WIDTH\ntrain(WIDTH)\n");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 7 + 7);
}

TEST(OtherWays, WhyTheCountIsALowerBoundIsKept) {
  const Workload workload = ReadAt("train.py", std::string(kNet) + "train(WIDTH)\n");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_THAT(workload.lower_bound, HasSubstr("name `WIDTH` is not defined"));
}

constexpr char kWords[] = R"(
import jax, jax.numpy as jnp, numpy as np, optax
import flax.linen as nn

words = sorted(set(open("words.txt").read().split()))

class Net(nn.Module):
    words: int
    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.words)(nn.Embed(self.words, 16)(x))

net = Net(len(words))
x = np.zeros((4, 8), np.int32)
params = net.init(jax.random.PRNGKey(0), x)

@jax.jit
def step(params, x):
    def loss(p):
        return optax.softmax_cross_entropy_with_integer_labels(net.apply(p, x), x).mean()
    return jax.grad(loss)(params)

step(params, x)
)";

TEST(OtherWays, ASizeThatIsNotKnownIsTakenAsATileAndSaid) {
  const Workload workload = ReadAt("train.py", kWords);
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 128 * 16 + 16 * 128 + 128);
  EXPECT_THAT(workload.lower_bound, HasSubstr("a size that is not known is taken as 128"));
  EXPECT_TRUE(workload.sizes_assumed);
}

constexpr char kClasses[] = R"(
import torch
from torch import nn

labels = sorted(set(open("labels.txt").read().split()))

class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(16, 8)
        self.head = nn.Linear(8, classes) if classes > 0 else nn.Identity()

    def forward(self, x):
        return self.head(self.body(x))

net = Net(len(labels))
logits = net(torch.zeros(4, 6, 16)).view(-1, len(labels))
nn.functional.cross_entropy(logits, torch.zeros(24).long()).backward()
)";

TEST(OtherWays, WhatAResultHasOfASizeThatIsTakenIsTheSame) {
  const Workload workload = ReadAt("train.py", kClasses);
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 16 * 8 + 8 + 8 * 128 + 128);
  EXPECT_TRUE(workload.sizes_assumed);
}

TEST(OtherWays, ASizeThatTheUserGivesIsNotTakenAsATile) {
  ProgramOptions options;
  options.assume = {"words=['a', 'b', 'c']"};
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{kWords, 0}}, options);
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->model_size.has_value()) << Notes(*workload);
  EXPECT_EQ(workload->model_size->trainable, 3 * 16 + 16 * 3 + 3);
  EXPECT_FALSE(workload->sizes_assumed);
}

constexpr char kTable[] = R"(
import jax, jax.numpy as jnp, numpy as np
from flax import nnx
import optax

table = np.load("table.npy")

net = nnx.Linear(8, 4, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(net, optax.sgd(0.1))

@nnx.jit
def step(net, optimizer, x):
    grads = nnx.grad(lambda net, x: net(x).mean())(net, x)
    optimizer.update(grads)

for i in range(0, len(table), 16):
    step(net, optimizer, table[i:i + 16])
)";

TEST(OtherWays, WhatDataAreMissingIsSaidWithTheRemedy) {
  const Workload workload = ReadAt("train.py", kTable);
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(Notes(workload), HasSubstr("table.npy"));
  EXPECT_THAT(Notes(workload), HasSubstr("--assume NAME='data(1000, 32)'"));
}

TEST(OtherWays, DataOfAShapeThatTheUserGivesFeedTheStep) {
  ProgramOptions options;
  options.assume = {"table=data(160, 8)"};
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{kTable, 0}}, options);
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->graph.has_value()) << Notes(*workload);
  EXPECT_EQ(workload->declared_global_batch(), 16);
}

// Parts of one batch that a program gives to the devices are that batch.
TEST(OtherWays, PartsForTheDevicesAreOneBatchAndRowsThatRollKeepIt) {
  const Workload workload = ReadAt("train.py", R"(
import jax, jax.numpy as jnp, numpy as np, optax
import tensorflow as tf
import flax.linen as nn

def images(x):
    mesh = jax.sharding.Mesh(jax.devices(), ("data",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
    parts = jax.device_put(np.split(x, len(mesh.local_devices), axis=0), mesh.local_devices)
    return jax.make_array_from_single_device_arrays(x.shape, sharding, parts)

net = nn.Dense(4)
params = net.init(jax.random.PRNGKey(0), jnp.zeros((1, 8)))

@jax.jit
def step(params, x):
    x = 0.5 * x + 0.5 * jnp.roll(x, shift=1, axis=0)
    return jax.grad(lambda p: net.apply(p, x).mean())(params)

data = tf.data.Dataset.from_tensor_slices(np.zeros((640, 8), np.float32)).batch(64)
for x in data.as_numpy_iterator():
    grads = step(params, images(x))
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_FALSE(workload.graph->is_static());
  // One example is multiplied once.
  EXPECT_EQ(workload.model_size->multiply_adds, 8 * 4);
}

}  // namespace
}  // namespace tilewise::program

// Loaders that are no tf.data, as stages with workers.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

using testing::ElementsAre;

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> read = ReadPython({"t.py", text}, {8});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

std::vector<StageKind> KindsOf(const Pipeline& pipeline) {
  std::vector<StageKind> kinds;
  for (const Stage& stage : pipeline.stages) kinds.push_back(stage.kind);
  return kinds;
}

TEST(PythonLoaders, WorkersOfADataLoaderRunItsTransforms) {
  const Workload w = Read(R"(
import torch, torchvision
from torchvision import transforms as T
tf = T.Compose([T.RandomResizedCrop(224), T.ToTensor()])
ds = torchvision.datasets.ImageFolder("/data/train", transform=tf)
loader = torch.utils.data.DataLoader(ds, batch_size=128, num_workers=4)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  const Pipeline& pipeline = w.pipelines[0];
  EXPECT_EQ(pipeline.loader, "DataLoader");
  EXPECT_THAT(KindsOf(pipeline), ElementsAre(StageKind::kListFiles, StageKind::kMap,
                                             StageKind::kBatch, StageKind::kMap));
  EXPECT_TRUE(pipeline.stages[1].parallel_calls.is(4));
  EXPECT_THAT(pipeline.stages[1].function.calls,
              ElementsAre("PIL.decode_jpeg", "torchvision.transforms.RandomResizedCrop",
                          "torchvision.transforms.ToTensor", "tensorflow.ipc_send"));
}

TEST(PythonLoaders, AFolderOfPicturesIsReadDecodedAndResized) {
  const Workload w = Read(R"(
from tensorflow import keras
images = keras.utils.image_dataset_from_directory("train", image_size=(224, 224), batch_size=64)
model = keras.Sequential([keras.layers.Dense(1)])
model.fit(images)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  const std::vector<Stage>& stages = w.pipelines[0].stages;
  const auto map = std::ranges::find(stages, StageKind::kMap, &Stage::kind);
  ASSERT_NE(map, stages.end());
  EXPECT_TRUE(map->function.decodes);
  EXPECT_THAT(map->function.calls,
              ElementsAre("tensorflow.io.read_file", "tensorflow.io.decode_image",
                          "tensorflow.image.resize"));
}

TEST(PythonLoaders, ALoaderOfAnImportedModuleIsFound) {
  const std::string folder = testing::TempDir() + "loaders/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "data.py") << R"(
from torch.utils.data import DataLoader
def training_loader(data):
    return DataLoader(data, batch_size=32, shuffle=True, num_workers=4)
)";
  const std::string text = R"(
import torch, data
loader = data.training_loader(None)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for x in loader:
    model(x).sum().backward()
    optimizer.step()
)";
  absl::StatusOr<Workload> read = ReadPython({folder + "train.py", text}, {8});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->facts.imported_calls.size(), 1u);
  EXPECT_EQ(read->facts.imported_calls[0].location.file, folder + "data.py");
  ASSERT_EQ(read->pipelines.size(), 1u);
  EXPECT_TRUE(read->pipelines[0].stages[1].parallel_calls.is(4));
}

// A loader that the program does not come to feeds other programs of the checkout.
TEST(PythonLoaders, ALoaderOfAClassThatTheProgramDoesNotMakeIsNotItsInput) {
  const std::string folder = testing::TempDir() + "others/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "feeds.py") << R"(
import torch
def numbers():
    return [torch.ones(32, 4)] * 100
class Photos:
    def __init__(self, data):
        self.loader = torch.utils.data.DataLoader(data, batch_size=1000, shuffle=True)
)";
  const std::string text = R"(
import torch, feeds
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for x in feeds.numbers():
    model(x).sum().backward()
    optimizer.step()
)";
  absl::StatusOr<Workload> read = ReadPython({folder + "train.py", text}, {8});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->graph.has_value());
  EXPECT_TRUE(read->pipelines.empty());
}

// What Python itself counts with has no cost of its own.
TEST(PythonLoaders, MethodsAndFunctionsOfTheFileAreFollowed) {
  const Workload w = Read(R"(
import cv2
from tensorflow import keras
def load(path):
    return cv2.imread(path)
class Images(keras.utils.PyDataset):
    def __len__(self):
        return len(self.paths)
    def __getitem__(self, index):
        return self.__batch(range(len(self.paths)))
    def __batch(self, places):
        return [cv2.resize(load(self.paths[i]), (64, 64)) for i in places]
model = keras.Sequential([keras.layers.Dense(1)])
model.fit(Images(), epochs=2)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  const MapFunction& function = w.pipelines[0].stages[1].function;
  EXPECT_THAT(function.calls, testing::UnorderedElementsAre("cv2.resize", "cv2.imread"));
  EXPECT_TRUE(function.decodes);
}

TEST(PythonLoaders, WithoutWorkersTheLoopMakesItsBatchesItself) {
  const Workload w = Read(R"(
import torch
loader = torch.utils.data.DataLoader(data, batch_size=128, shuffle=True)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_THAT(KindsOf(w.pipelines[0]),
              ElementsAre(StageKind::kListFiles, StageKind::kMap, StageKind::kBatch));
  EXPECT_FALSE(w.pipelines[0].stages[1].parallel_calls.present());
  EXPECT_FALSE(w.pipelines[0].stages[1].function.resolved);
}

TEST(PythonLoaders, OfSeveralLoadersTheOneOfTrainingCounts) {
  const Workload w = Read(R"(
import torch
a = torch.utils.data.DataLoader(train_set, batch_size=128, num_workers=2)
b = torch.utils.data.DataLoader(val_set, batch_size=128, num_workers=3)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_TRUE(w.pipelines[0].stages[1].parallel_calls.is(2));
}

TEST(PythonLoaders, ASequenceOfKerasIsWhatItsItemsCall) {
  const Workload w = Read(R"(
import cv2, keras
class Images(keras.utils.PyDataset):
    def __init__(self, paths):
        super().__init__(workers=6)
        self.paths = paths
    def __getitem__(self, i):
        return cv2.resize(cv2.imread(self.paths[i]), (224, 224))
model.fit(Images(paths), epochs=3)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  const Stage& map = w.pipelines[0].stages[1];
  EXPECT_EQ(map.function.name, "Images.__getitem__");
  EXPECT_THAT(map.function.calls, testing::Contains("cv2.imread"));
  EXPECT_TRUE(map.function.decodes);
  EXPECT_TRUE(map.parallel_calls.is(6));
  EXPECT_EQ(w.pipelines[0].stages.back().kind, StageKind::kPrefetch);
}

TEST(PythonLoaders, AMapDatasetOfGrainIsReadByThreadsAndProcesses) {
  const std::string head = R"(
import grain.python as grain, cv2
class Images:
    def __getitem__(self, i):
        return cv2.imread(str(i))
def small(x):
    return cv2.resize(x, (224, 224))
train = grain.MapDataset.source(Images()).shuffle(seed=1).map(small).repeat()
train = train.batch(256)
)";
  const Workload threads = Read(head + "for batch in train: pass\n");
  ASSERT_EQ(threads.pipelines.size(), 1u);
  const Stage& map = threads.pipelines[0].stages[1];
  EXPECT_EQ(map.function.name, "Images.__getitem__");
  EXPECT_THAT(map.function.calls, testing::IsSupersetOf({"cv2.imread", "cv2.resize"}));
  EXPECT_TRUE(map.function.decodes);
  EXPECT_TRUE(map.parallel_calls.is(16));
  EXPECT_THAT(KindsOf(threads.pipelines[0]), ElementsAre(StageKind::kListFiles, StageKind::kMap,
                                                         StageKind::kBatch, StageKind::kPrefetch));

  const Workload processes = Read(head + R"(
train = train.to_iter_dataset(grain.ReadOptions(num_threads=4))
train = train.mp_prefetch(grain.MultiprocessingOptions(num_workers=8))
)");
  ASSERT_EQ(processes.pipelines.size(), 1u);
  EXPECT_TRUE(processes.pipelines[0].stages[1].parallel_calls.is(8));
  EXPECT_THAT(processes.pipelines[0].stages[1].function.calls,
              testing::Contains("tensorflow.ipc_send"));
}

TEST(PythonLoaders, WhatAWebDatasetMapsIsWorkOfItsLoader) {
  const Workload w = Read(R"(
import webdataset as wds, cv2
def small(x):
    return cv2.resize(x, (224, 224))
data = wds.WebDataset("train-{0000..0099}.tar").decode("pil").to_tuple("jpg", "cls")
data = data.map_tuple(small, normalise)
loader = wds.WebLoader(data, batch_size=64, num_workers=8)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_THAT(w.pipelines[0].stages[1].function.calls,
              testing::IsSupersetOf({"PIL.decode_jpeg", "cv2.resize", "normalise"}));
}

constexpr char kLoop[] = R"(
model = torch.nn.Linear(3072, 10)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for x, y in loader:
    torch.nn.functional.cross_entropy(model(x.flatten(1)), y).backward()
    optimizer.step()
)";

TEST(PythonLoaders, ValuesOfFlagsAndConfigurationsAreThoseOfTheRun) {
  const Workload w = Read(std::string(R"(
import argparse
import torch
import torchvision
class CFG:
    workers = 0
parser = argparse.ArgumentParser()
parser.add_argument("--drop_last", action="store_true")
args = parser.parse_args()
ds = torchvision.datasets.CIFAR10("data", transform=torchvision.transforms.ToTensor())
loader = torch.utils.data.DataLoader(
    ds, batch_size=64, num_workers=CFG.workers, drop_last=args.drop_last)
)") + kLoop);
  const auto loader =
      std::ranges::find(w.facts.calls, "torch.utils.data.DataLoader", &SourceCall::name);
  ASSERT_NE(loader, w.facts.calls.end());
  EXPECT_THAT(loader->arguments[2].sizes, ElementsAre(0));
  EXPECT_THAT(loader->arguments[3].sizes, ElementsAre(0));
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(w.pipelines[0].source_items, 50'000);
}

TEST(PythonLoaders, ArraysOfALoaderKeepTheirBatchInJax) {
  const Workload w = Read(R"(
import jax, jax.numpy as jnp, torch, torchvision
ds = torchvision.datasets.CIFAR10("data", transform=torchvision.transforms.ToTensor())
loader = torch.utils.data.DataLoader(ds, batch_size=64, drop_last=True)
@jax.jit
def step(w, x):
    loss = lambda w: jnp.mean((x.reshape(x.shape[0], -1) @ w) ** 2)
    return w - 0.1 * jax.grad(loss)(w)
w = jnp.zeros((3072, 10))
for x, y in loader:
    w = step(w, x.numpy())
)");
  ASSERT_TRUE(w.graph.has_value());
  EXPECT_FALSE(w.graph->is_static());
}

constexpr char kPhotos[] = R"(
from PIL import Image
from torch.utils.data import Dataset
class Photos(Dataset):
    def __init__(self, paths, transform=None):
        self.paths, self.transform = paths, transform
    def __len__(self):
        return 5000
    def __getitem__(self, i):
        image = Image.open(self.paths[i]).convert("RGB")
        return self.transform(image), i % 10
class Parts(Dataset):
    def __init__(self, whole, places):
        self.whole, self.places = whole, places
    def __len__(self):
        return len(self.places)
    def __getitem__(self, i):
        return self.whole[self.places[i]]
)";

// What trains is not what is made last, and its class is a module's.
TEST(PythonLoaders, TheItemsOfADataSetOfAnotherModuleAreRead) {
  const std::string folder = testing::TempDir() + "photos/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "photos.py") << kPhotos;
  const std::string text = std::string(R"(
import torch
from photos import Parts, Photos
from torchvision import transforms as T
train = T.Compose([T.RandomResizedCrop(32), T.RandomHorizontalFlip(), T.ToTensor()])
plain = T.Compose([T.Resize((32, 32)), T.ToTensor()])
loader = torch.utils.data.DataLoader(Parts(Photos(["a.jpg"] * 5000, train), range(100)), 64,
                                     num_workers=8)
others = torch.utils.data.DataLoader(Photos(["b.jpg"] * 5000, plain), 64)
)") + kLoop;
  absl::StatusOr<Workload> read = ReadPython({folder + "train.py", text}, {8});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->pipelines.size(), 1u);
  const Stage& map = read->pipelines[0].stages[1];
  EXPECT_TRUE(map.parallel_calls.is(8));
  EXPECT_TRUE(map.function.decodes);
  EXPECT_THAT(map.function.calls,
              ElementsAre("PIL.Image.open", ".convert", "torchvision.transforms.RandomResizedCrop",
                          "torchvision.transforms.RandomHorizontalFlip",
                          "torchvision.transforms.ToTensor", "tensorflow.ipc_send"));
}

TEST(PythonLoaders, AClassThatDerivesFromALibrarysHasItsItems) {
  const Workload w = Read(std::string(R"(
import torch
from torchvision import datasets, transforms as T
class Twice(datasets.ImageFolder):
    def __getitem__(self, i):
        image, label = super().__getitem__(i)
        return torch.cat([image, image]).view(-1)[:3072], label
data = Twice("train", T.Compose([T.Resize((32, 32)), T.ToTensor()]))
loader = torch.utils.data.DataLoader(torch.utils.data.Subset(data, range(1000)), batch_size=64)
)") + kLoop);
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_THAT(w.pipelines[0].stages[1].function.calls,
              testing::IsSupersetOf({"PIL.decode_jpeg", "torchvision.transforms.Resize",
                                     "torchvision.transforms.ToTensor", "torch.cat"}));
}

TEST(PythonLoaders, WhatALoaderOfGrainReadsAndDoesIsTheWorkOfItsWorkers) {
  const Workload w = Read(R"(
import grain.python as grain, numpy as np, jax, jax.numpy as jnp
from PIL import Image
class Photos(grain.RandomAccessDataSource):
    def __len__(self):
        return 5000
    def __getitem__(self, i):
        return np.asarray(Image.open("a.jpg").resize((32, 32)), np.float32)
class Scale(grain.MapTransform):
    def map(self, x):
        return np.clip(x, 0, 1)
source = Photos()
loader = grain.DataLoader(data_source=source, worker_count=4,
                          sampler=grain.IndexSampler(len(source), shuffle=True),
                          operations=[Scale(), grain.Batch(64, drop_remainder=True)])
@jax.jit
def step(w, x):
    loss = lambda w: jnp.mean((x.reshape(x.shape[0], -1) @ w) ** 2)
    return w - 0.1 * jax.grad(loss)(w)
w = jnp.zeros((3072, 10))
for x in loader:
    w = step(w, x)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(w.pipelines[0].loader, "DataLoader");
  const Stage& map = w.pipelines[0].stages[1];
  EXPECT_TRUE(map.parallel_calls.is(4));
  EXPECT_THAT(map.function.calls, ElementsAre("PIL.Image.open", ".resize", "numpy.asarray",
                                              "numpy.clip", "tensorflow.ipc_send"));
}

TEST(PythonLoaders, PicturesOfArraysHaveTheirSize) {
  const Workload w = Read(std::string(R"(
import cv2
import torch
import torchvision
from torchvision import transforms as T
class Pictures(torch.utils.data.Dataset):
    tf = T.Compose([T.ToPILImage(), T.Resize((32, 32)), T.ToTensor()])
    def __len__(self):
        return 5000
    def __getitem__(self, i):
        return self.tf(cv2.imread("a.png")), 0
loader = torch.utils.data.DataLoader(Pictures(), batch_size=64)
)") + kLoop);
  EXPECT_TRUE(w.graph.has_value());
}

TEST(PythonLoaders, ALossWithoutWeightsIsNoModel) {
  const Workload w = Read(R"(
import torch
from somewhere import Model
model = Model()
loss = torch.nn.functional.mse_loss(torch.randn(8, 4), torch.randn(8, 4))
loss.requires_grad = True
loss.backward()
)");
  EXPECT_FALSE(w.graph.has_value());
}

}  // namespace
}  // namespace tilewise

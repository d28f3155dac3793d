// Programs of PyTorch whose data, loss, wrappers or engines nobody knows.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

// The loop of a program, over a loader of a data set that is not known.
std::string Loop(const std::string& net, const std::string& loss, const std::string& batches) {
  return R"(
import torch, elsewhere
from torch import nn
from torch.utils.data import DataLoader
loader = DataLoader(elsewhere.Pictures("photos"), batch_size=24)
)" + net +
         R"(
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for batch in )" +
         batches + R"(:
    loss = )" +
         loss + R"(
    loss.backward()
    optimizer.step()
)";
}

const char kNet[] =
    "net = nn.Sequential(nn.Conv2d(1, 4, 5), nn.Flatten(), nn.Linear(4 * 24 * 24, 10))";

std::string InputOf(const Workload& workload) {
  if (!workload.graph.has_value()) return "no graph: " + NotesOfText(workload);
  for (const Op& op : workload.graph->ops()) {
    if (op.kind == OpKind::kParameter && op.shape.rank() > 1) return FormatShape(op.shape);
  }
  return "none";
}

TEST(UnseenData, PicturesHaveTheSizeThatTheModelTakes) {
  const Workload workload =
      ReadText(Loop(kNet, "nn.functional.cross_entropy(net(batch[0]), batch[1])", "loader"));
  EXPECT_THAT(InputOf(workload), HasSubstr(",1,28,28]"));
  EXPECT_THAT(NotesOfText(workload), HasSubstr("data of the shape [24, 1, 28, 28]"));
  EXPECT_EQ(workload.lower_bound, "");
}

TEST(UnseenData, WordsHaveTheLengthThatTheModelNames) {
  const Workload workload = ReadText(Loop(R"(
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block_size = 48
        self.words, self.out = nn.Embedding(100, 8), nn.Linear(8, 100)
    def forward(self, tokens, targets):
        return nn.functional.cross_entropy(self.out(self.words(tokens)).view(-1, 100),
                                           targets.view(-1))
net = Net())",
                                          "net(**batch)", "loader"));
  EXPECT_THAT(InputOf(workload), HasSubstr(",48]")) << NotesOfText(workload);
}

TEST(UnseenData, ALossThatIsNotKnownLeavesThePassesOfTheModel) {
  const Workload workload = ReadText(Loop(kNet, "elsewhere.loss(net(batch[0]))", "loader"));
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 4 * 25 + 4 + 10 * 4 * 24 * 24 + 10);
  EXPECT_THAT(workload.lower_bound, HasSubstr("the loss is not known"));
}

TEST(UnseenData, WhatGoesOverALoaderGivesItsBatches) {
  const Workload workload = ReadText(
      Loop("net = nn.Linear(3, 10)\nloader = DataLoader(torch.utils.data.TensorDataset("
           "torch.zeros(100, 3), torch.zeros(100, 10)), batch_size=16)",
           "(net(batch[0]) - batch[1]).pow(2).mean()", "elsewhere.progress(loader, 'training')"));
  EXPECT_THAT(InputOf(workload), HasSubstr(",3]"));
  EXPECT_THAT(NotesOfText(workload), HasSubstr("taken to give its batches"));
}

TEST(UnseenData, WhatIsMadeOfAModelCallsIt) {
  const Workload workload = ReadText(Loop("net = elsewhere.sharded(nn.Linear(3, 10), level=2)",
                                          "net(torch.randn(16, 3)).mean()", "loader"));
  ASSERT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 40);
}

TEST(UnseenData, AFunctionThatAnEngineIsGivenIsCalledWithABatch) {
  const Workload workload = ReadText(R"(
import torch, elsewhere
from torch.utils.data import DataLoader, TensorDataset
def main():
    net = torch.nn.Linear(3, 10)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    loader = DataLoader(TensorDataset(torch.zeros(100, 3)), batch_size=16)
    def step(engine, batch):
        net(batch[0]).mean().backward()
        optimizer.step()
    elsewhere.Engine(step).run(loader, max_epochs=3)
main()
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_THAT(NotesOfText(workload), HasSubstr("step() is given to what is not known"));
}

TEST(UnseenData, GroupsOfAConfigargparserTakeArgumentsByItsNames) {
  const std::string text = R"(
import configargparse, torch
p = configargparse.ArgumentParser()
group = p.add_argument_group("model")
group.add("-config", is_config_file=True)
group.add("--width", type=int, default=3)
net = torch.nn.Linear(p.parse_known_args([])[0].width, 1)
torch.optim.SGD(net.parameters(), 0.1)
net(torch.randn(16, net.in_features)).mean().backward()
)";
  const Workload workload = ReadText(text);
  ASSERT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 4);
}

TEST(UnseenData, AProgramThatAnAbsentPackageWouldRunSaysWhichOne) {
  const Workload workload = ReadText(R"(
import torch
from elsewhere.configs import Base
class Mine(Base):
    net = torch.nn.Linear(3, 10)
Mine().run()
)");
  EXPECT_THAT(NotesOfText(workload), HasSubstr("not on the search path"));
}

TEST(UnseenData, EachArgumentOfAModelHasTheShapeOfTheLayerThatItMeets) {
  const Workload workload = ReadText(Loop(R"(
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.numbers, self.out = nn.Embedding(50, 6), nn.Linear(9, 6), nn.Linear(6, 1)
    def forward(self, given):
        return self.out(self.words(given[0]).mean(1) + self.numbers(given[1]))
net = Net())",
                                          "net([batch[0], batch[1]]).mean()", "loader"));
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_THAT(NotesOfText(workload), HasSubstr("data of the shape [24, 9]"));
  EXPECT_EQ(workload.model_size->trainable, 50 * 6 + 9 * 6 + 6 + 6 + 1);
}

TEST(UnseenData, OfThreeValuesOfAnExampleNoneIsTakenForAClass) {
  const Workload workload = ReadText(R"(
import torch, elsewhere
from torch import nn
from torch.utils.data import DataLoader, Dataset
class Series(Dataset):
    def __len__(self):
        return 500
    def __getitem__(self, i):
        return torch.zeros(12), elsewhere.stamp(i), elsewhere.next_value(i)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.values, self.stamps, self.out = nn.Linear(12, 8), nn.Linear(4, 8), nn.Linear(8, 1)
    def forward(self, x, stamp):
        return self.out(self.values(x) + self.stamps(stamp))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x, stamp, y in DataLoader(Series(), batch_size=16):
    loss = nn.functional.mse_loss(net(x, stamp), y)
    loss.backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_THAT(NotesOfText(workload), HasSubstr("data of the shape [16, 4]"));
}

TEST(UnseenData, ALongRowOfWordsIsCutIntoTheBatch) {
  const Workload workload = ReadText(R"(
import torch
from torch import nn
words = torch.load("corpus.pt")
words = words.narrow(0, 0, words.size(0) // 20 * 20).view(20, -1).t().contiguous()
net = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100))
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for i in range(0, words.size(0) - 1, 35):
    data, target = words[i:i + 35], words[i + 1:i + 36].reshape(-1)
    loss = nn.functional.cross_entropy(net(data).view(-1, 100), target)
    loss.backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 100 * 8 + 8 * 100 + 100);
  EXPECT_EQ(workload.lower_bound, "");
}

TEST(UnseenData, WeightsThatTheStepDoesNotReachMakeTheCountALowerBound) {
  const Workload workload = ReadText(Loop(R"(
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(12, 8), nn.Linear(8, 8)
    def forward(self, x):
        return self.first(x)
net = Net())",
                                          "net(batch[0]).mean()", "loader"));
  EXPECT_THAT(workload.lower_bound, HasSubstr("of the 176 weights that the optimizer holds the "
                                              "step has 104"));
}

TEST(UnseenData, VolumesOfMonaiAreTheWindowsThatItsTransformsCutOut) {
  const Workload workload = ReadText(R"(
import glob, torch
from monai.data import CacheDataset, list_data_collate
from torch.utils.data import DataLoader
from monai.losses import DiceCELoss
from monai.networks.layers import Norm
from monai.networks.nets import UNet
from monai.transforms import Compose, LoadImaged, RandCropByPosNegLabeld
files = [{"image": f, "label": f} for f in sorted(glob.glob("scans/*.nii.gz"))]
cut = Compose([LoadImaged(keys=["image", "label"]),
               RandCropByPosNegLabeld(["image", "label"], "label", (96, 96, 64), num_samples=4)])
loader = DataLoader(CacheDataset(files, cut), batch_size=2, collate_fn=list_data_collate)
net = UNet(spatial_dims=3, in_channels=1, out_channels=2, channels=(16, 32, 64, 128, 256),
           strides=(2, 2, 2, 2), num_res_units=2, norm=Norm.BATCH)
loss_of, optimizer = DiceCELoss(to_onehot_y=True, softmax=True), torch.optim.Adam(net.parameters())
for batch in loader:
    loss_of(net(batch["image"].to("cuda")), batch["label"].to("cuda")).backward()
    optimizer.step()
)");
  EXPECT_THAT(InputOf(workload), HasSubstr(",1,96,96,64]"));
  EXPECT_THAT(NotesOfText(workload), HasSubstr("data of the shape [8, 1, 96, 96, 64]"));
  EXPECT_EQ(workload.model_size->trainable, 4808917);
}

TEST(UnseenData, PicturesHaveTheHeightAndTheWidthThatArgumentsGive) {
  const Workload workload = ReadText(Loop(R"(
import argparse
p = argparse.ArgumentParser()
p.add_argument("--imgH", type=int, default=32)
p.add_argument("--imgW", type=int, default=100)
options = p.parse_args()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Conv2d(1, 4, 5), nn.LSTM(4, 512), nn.LSTM(512, 8)
    def forward(self, x):
        return self.c(self.b(self.a(x).mean(2).permute(2, 0, 1))[0])[0]
net = Net())",
                                          "net(batch[0]).mean()", "loader"));
  EXPECT_THAT(NotesOfText(workload), HasSubstr("data of the shape [24, 1, 32, 100]"));
}

TEST(UnseenData, WhatALossIsMeasuredAgainstFollowsTheLossWhereNothingOfAnExampleIsKnown) {
  const Workload workload = ReadText(R"(
import pandas, torch
from torch.utils.data import DataLoader, Dataset
class Series(Dataset):
    def __init__(self):
        table = pandas.read_csv("series.csv")
        self.rows = table[table.columns[1:]].values
    def __len__(self):
        return 900
    def __getitem__(self, i):
        return self.rows[i:i + 96], self.rows[i + 96:i + 120]
net = torch.nn.Linear(7, 7)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x, y in DataLoader(Series(), batch_size=32):
    loss = torch.nn.functional.mse_loss(net(x.float()), y.float())
    loss.backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.lower_bound, "");
  EXPECT_THAT(NotesOfText(workload), HasSubstr("as large as the output"));
}

TEST(UnseenData, TheDecoderOfAForecastSeesWhatIsKnownAndWhatIsToCome) {
  const Workload workload =
      ReadText(Loop(R"(
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seq_len, self.label_len, self.pred_len = 48, 10, 8
        self.values, self.stamps = nn.Conv1d(7, 12, 3, padding=1), nn.Linear(4, 12)
        self.out = nn.Linear(12, 7)
    def forward(self, x, stamps, x_decoder, stamps_decoder):
        seen = self.values(x.permute(0, 2, 1)).transpose(1, 2) + self.stamps(stamps)
        ahead = torch.cat([x[:, -10:], torch.zeros([x_decoder.shape[0], 8, x.shape[2]])], 1)
        ahead = self.values(ahead.permute(0, 2, 1)).transpose(1, 2) + self.stamps(stamps_decoder)
        return self.out(ahead + seen.mean(1, keepdim=True))[:, -8:]
net = Net())",
                    "net(batch[0], batch[1], batch[2], batch[3]).mean()", "loader"));
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.lower_bound, "");
  EXPECT_THAT(NotesOfText(workload), HasSubstr("data of the shape [24, 48, 7]"));
  EXPECT_THAT(NotesOfText(workload), HasSubstr("data of the shape [24, 18, 4]"));
}

}  // namespace
}  // namespace tilewise::program

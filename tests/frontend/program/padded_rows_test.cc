// Rows of tokens of texts that are not here: what cuts or fills them up says how long they are.

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;
using testing::Not;

Workload Read(const std::string& text) {
  ProgramOptions options;
  options.limits.steps = 4'000'000;
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

// A program whose rows a data set makes of `ids`, the tokens of a text.
Workload ReadRows(const std::string& row) {
  return Read(R"(
import tiktoken, torch
encoding = tiktoken.get_encoding("gpt2")
class Rows(torch.utils.data.Dataset):
    def __init__(self):
        self.texts = [line for line in open("texts.txt")]
    def __len__(self):
        return len(self.texts)
    def __getitem__(self, i):
        ids = encoding.encode(self.texts[i])
)" + row + R"(
        return torch.tensor(ids)
rows = Rows()
net = torch.nn.Sequential(torch.nn.Embedding(50257, 8), torch.nn.Flatten(),
                          torch.nn.Linear(8 * rows[0].shape[0], 1))
loader = torch.utils.data.DataLoader(rows, batch_size=24)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x in loader:
    loss = net(x).mean()
    loss.backward()
    optimizer.step()
)");
}

// Weights of the embedding, and of a dense layer on rows of `length` tokens.
int64_t WeightsAt(int64_t length) { return 50257 * 8 + 8 * length + 1; }

TEST(PaddedRows, AreAsLongAsTheyAreFilledUpTo) {
  for (const std::string row :
       {"        ids = ids + [0] * (300 - len(ids))",
        "        pad = 300 - len(ids)\n        ids += [0] * pad",
        "        ids = ids[:300]\n        ids = ids + [0] * (300 - len(ids))",
        "        ids = [1] + ids\n        ids += [0] * (300 - len(ids))",
        "        room = 298 - len(ids)\n"
        "        ids = [1] + ids + [0] * room + [2]"}) {
    const Workload workload = ReadRows(row);
    ASSERT_TRUE(workload.model_size.has_value()) << row << Notes(workload);
    EXPECT_EQ(workload.model_size->trainable, WeightsAt(300)) << row << Notes(workload);
    EXPECT_EQ(workload.declared_global_batch(), 24) << row;
  }
}

TEST(PaddedRows, OfTwoBranchesThatEndAtOneLengthHaveIt) {
  const Workload workload = ReadRows(R"(
        if len(ids) < 200:
            ids = ids + [0] * (200 - len(ids))
        else:
            ids = ids[:200]
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, WeightsAt(200)) << Notes(workload);
}

TEST(PaddedRows, OfALengthThatNobodyKnowsAreAssumed) {
  const Workload workload = ReadRows("        ids = ids + [0]");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("a size that is not known is taken as 128"));
}

TEST(PaddedRows, OfTokensCutFromALongTextAreFull) {
  const Workload workload = Read(R"(
import tiktoken, torch
ids = tiktoken.get_encoding("gpt2").encode(open("book.txt").read())
class Rows(torch.utils.data.Dataset):
    def __init__(self):
        self.rows = []
        for i in range(0, len(ids) - 256, 256):
            self.rows.append(torch.tensor(ids[i:i + 256]))
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, i):
        return self.rows[i]
net = torch.nn.Embedding(50257, 8)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x in torch.utils.data.DataLoader(Rows(), batch_size=16):
    net(x).mean().backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("is taken as 128")));
}

TEST(PaddedRows, ThatAreViewsOfCutTokensAreABatch) {
  const Workload workload = Read(R"(
import numpy as np, torch
tokens = np.memmap("tokens.bin", dtype=np.uint16, mode="r")
net = torch.nn.Embedding(50257, 8)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for step in range(1000):
    cut = torch.tensor(tokens[step * 480:step * 480 + 481].astype(np.int32), dtype=torch.long)
    x = cut[:-1].view(24, 20).to("cuda")
    net(x).mean().backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.declared_global_batch(), 24) << Notes(workload);
}

TEST(AbsentWeights, LeaveTheSizesOfThoseThatTheyReplace) {
  const Workload workload = Read(R"(
import numpy as np, tensorflow as tf, torch
def stored(path):
    held = {"blocks": [{} for _ in range(2)]}
    for name, _ in tf.train.list_variables(path):
        place = held
        if name.startswith("h"):
            place = held["blocks"][int(name[1:])]
        place[name.split("/")[-1]] = np.squeeze(tf.train.load_variable(path, name))
    return held
net = torch.nn.Linear(30, 4)
net.weight = torch.nn.Parameter(torch.tensor(stored("model.ckpt")["w"]))
net.bias = torch.nn.Parameter(torch.tensor(stored("model.ckpt")["blocks"][0]["b"]))
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(1000):
    net(torch.randn(64, 30)).mean().backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 30 * 4 + 4);
  EXPECT_THAT(Notes(workload), HasSubstr("their sizes are taken to stay"));
  EXPECT_THAT(Notes(workload), Not(HasSubstr("lower bound")));
}

TEST(OpenCounts, AreAtLeastTheItemsThatStandForAll) {
  const Workload workload = Read(R"(
import os, re, torch
names = [name for name in os.listdir("pictures") if name.endswith(".jpg")]
found = sorted(set(re.match("(.*)_", name).group(1) for name in names))
kinds = {kind: i for i, kind in enumerate(found)}
assert len(kinds) > 0 and not len(kinds) == 0 and 0 < len(kinds) and len(kinds) >= 1
last = torch.nn.Linear(30, len(kinds)) if len(kinds) > 0 else torch.nn.Identity()
optimizer = torch.optim.SGD(last.parameters(), 0.1)
for _ in range(1000):
    last(torch.randn(64, 30)).mean().backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("a check of the program")));
}

TEST(OneOfTwoLists, GrowsByWhatIsPutIntoEither) {
  const Workload workload = Read(R"(
import os, torch
class Rows(torch.utils.data.Dataset):
    def __init__(self):
        self.train, self.test = [], []
        for line in open("rows.txt"):
            part = self.train if "train" in line else self.test
            part.append(torch.zeros(40))
    def __len__(self):
        return len(self.train)
    def __getitem__(self, i):
        return self.train[i]
net = torch.nn.Linear(40, 2)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x in torch.utils.data.DataLoader(Rows(), batch_size=32):
    net(x).mean().backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.declared_global_batch(), 32);
}

}  // namespace
}  // namespace tilewise::program

// Loaders of programs that start a process for each device.

#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

Pipeline LoaderOf(const std::string& start, int64_t cores) {
  const std::string text = R"(
import torch
import torch.distributed as dist
import torchvision
from torchvision import transforms as T
)" + start + R"(
tf = T.Compose([T.RandomResizedCrop(224), T.ToTensor()])
data = torchvision.datasets.ImageFolder("/data/train", transform=tf)
loader = torch.utils.data.DataLoader(data, batch_size=32, num_workers=4)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 224 * 224, 1000))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for images, labels in loader:
    loss = torch.nn.functional.cross_entropy(net(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
)";
  absl::StatusOr<Workload> read = ReadPython({"t.py", text}, {.cores = cores});
  EXPECT_TRUE(read.ok()) << read.status();
  if (!read.ok() || read->pipelines.size() != 1) return {};
  return read->pipelines[0];
}

TEST(ProcessLoaders, EachProcessOfAHostHasWorkersOfItsOwn) {
  EXPECT_EQ(LoaderOf("", 8).processes, 1);
  EXPECT_EQ(LoaderOf("dist.init_process_group('nccl')", 8).processes, 8);
}

}  // namespace
}  // namespace tilewise

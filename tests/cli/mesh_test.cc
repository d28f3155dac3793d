// Meshes on the command line.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kSimulate[] = "simulate zoo:mlp,layers=2,nodes=1024 --batch 4096 --chip v5p ";

RunResult Simulate(const std::string& arguments) { return RunTilewise(kSimulate + arguments); }

TEST(Mesh, IsPartOfTheTarget) {
  const std::string out = Simulate("--mesh fsdp=8,tensor=4").out;
  EXPECT_THAT(out, HasSubstr("v5p-64 (32 chips of TPU v5p, mesh "
                             "fsdp=8,tensor=4"));
  EXPECT_THAT(out, HasSubstr("batch 4,096 (512 per group of 4 chips)"));
  EXPECT_THAT(out, HasSubstr("reduce-scatter"));
}

TEST(Mesh, TokensMoveToTheirExperts) {
  const std::string experts =
      "simulate zoo:decoder,layers=2,d_model=512,heads=4,kv_heads=4,"
      "head_dim=128,d_ff=1024,vocab=512,seq=256,experts=4,dtype=bf16 "
      "--chip v6e --batch-per-core 4 --mesh ";
  const std::string out = RunTilewise(experts + "fsdp=2,expert=4").out;
  EXPECT_THAT(out, HasSubstr("mesh fsdp=2,expert=4"));
  EXPECT_THAT(out, HasSubstr("all-to-all"));
}

TEST(Mesh, SlicesAreJoinedByTheNetwork) {
  EXPECT_THAT(Simulate("--mesh data=8,tensor=4 --slices 2").out, HasSubstr("2 slices"));
}

TEST(Mesh, UpdateMayBeShared) {
  EXPECT_THAT(Simulate("--cores 8 --weight-update-sharding").out, HasSubstr("all-gather"));
}

constexpr char kLong[] =
    "simulate zoo:decoder,layers=2,d_model=512,heads=4,kv_heads=4,head_dim=128,d_ff=1024,"
    "vocab=512,seq=1024,dtype=bf16 --chip v6e-16 --mesh ";

TEST(Mesh, PositionsAreSharedOut) {
  const std::string out = RunTilewise(std::string(kLong) + "fsdp=4,context=4 --batch 4").out;
  EXPECT_THAT(out, HasSubstr("mesh fsdp=4,context=4"));
  EXPECT_THAT(out, HasSubstr("batch 4 (1 per group of 4 cores)"));
}

TEST(Mesh, BatchesMayBeFractionsOfASequencePerDevice) {
  const std::string out =
      RunTilewise(std::string(kLong) + "fsdp=4,context=4 --batch-per-device 0.25").out;
  EXPECT_THAT(out, HasSubstr("batch 4 (1 per group of 4 cores)"));
  const RunResult short_batch = RunTilewise(std::string(kLong) + "fsdp=16 --batch-per-device 0.25");
  EXPECT_EQ(short_batch.exit_code, 2);
  EXPECT_THAT(short_batch.err, HasSubstr("4 examples for 16 shards of the batch"));
  EXPECT_THAT(short_batch.err, HasSubstr("--mesh context=N"));
}

TEST(Mesh, MistakesSayWhatIsExpected) {
  const RunResult unknown = Simulate("--mesh pipeline=4");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("found mesh axis 'pipeline', expected data, stage, "
                                     "fsdp, expert, context, tensor, microbatches or repeats"));
  const RunResult product = Simulate("--mesh fsdp=8 --cores 12");
  EXPECT_EQ(product.exit_code, 2);
  EXPECT_THAT(product.err, HasSubstr("expected a product of 12"));
  EXPECT_EQ(Simulate("--mesh data=65536,fsdp=65536,tensor=65536").exit_code, 2);
  EXPECT_EQ(Simulate("--mesh tensor=8 --slices 2").exit_code, 2);
}

// A program of PyTorch/XLA that starts one process.
std::string OneProcess() {
  std::string path = testing::TempDir() + "one_process.py";
  std::ofstream(path) << R"(
import torch
import torch_xla.core.xla_model as xm
from torch.utils.data import DataLoader, TensorDataset
device = xm.xla_device()
model = torch.nn.Linear(1024, 1024).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(65536, 1024)), batch_size=256, drop_last=True)
for (x,) in loader:
    model(x.to(device)).mean().backward()
    xm.optimizer_step(optimizer, barrier=True)
)";
  return path;
}

TEST(OneDevice, OtherCoresOfTheSliceAreIdle) {
  const std::string advice = RunTilewise("advise " + OneProcess() + " --no-config --chip v3-8").out;
  EXPECT_THAT(advice, HasSubstr("v3-8 (1 of 8 cores of TPU v3, tpu-vm host)"));
  EXPECT_THAT(advice, HasSubstr("batch 256 (256 per core)"));
  EXPECT_THAT(advice, HasSubstr("The program trains on one core; the other 7 of the slice are"));
  EXPECT_THAT(advice, HasSubstr("it starts no process for each device"));
  EXPECT_THAT(advice, Not(HasSubstr("all-reduce")));
}

TEST(OneDevice, AMeshThatIsAskedForSharesTheBatch) {
  const std::string shared =
      RunTilewise("advise " + OneProcess() + " --no-config --chip v3-8 --mesh data=8").out;
  EXPECT_THAT(shared, HasSubstr("v3-8 (8 cores of TPU v3, tpu-vm host)"));
  EXPECT_THAT(shared, HasSubstr("batch 256 (32 per core)"));
  EXPECT_THAT(shared, Not(HasSubstr("idle")));
}

TEST(OneDevice, OtherMachinesRunItOnOneCoreToo) {
  const std::string out = RunTilewise("tune " + OneProcess() +
                                      " --no-config --chip v3-8 --search chip=v3,v5e "
                                      "--search cores --batch-per-core 256 --format json")
                              .out;
  EXPECT_THAT(out, HasSubstr("--cores 16 --mesh data=16"));
}

}  // namespace
}  // namespace tilewise

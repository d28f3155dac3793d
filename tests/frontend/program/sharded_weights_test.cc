// Programs that split their weights over all processes (FSDP), and those that
// feed each host by itself.

#include <algorithm>

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;
using testing::Not;

Workload Read(const std::string& text, int64_t hosts = 1) {
  ProgramOptions options;
  options.hosts = hosts;
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {ProgramText{.text = text}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

// A model of two layers that `wrap`, a function of the module, splits.
Workload Wrapped(const std::string& wrap, int64_t hosts = 1) {
  return Read(R"(
import torch
from torch import nn
import torch.distributed as dist
import torch_xla.core.xla_model as xm
)" + wrap + R"(
model = nn.Sequential(wrap(nn.Linear(16, 16)), nn.Linear(16, 4))
model = wrap(model)
optimizer = torch.optim.AdamW(model.parameters())
for i in range(10):
    x, y = torch.randn(4, 16), torch.randint(0, 4, (4,))
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
)",
              hosts);
}

std::string MeshOf(const Workload& workload) {
  return workload.mesh.has_value() ? FormatMesh(*workload.mesh) : "none";
}

TEST(ShardedWeights, FsdpOfXlaSplitsThemOverAllCores) {
  EXPECT_EQ(MeshOf(Wrapped(R"(
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as wrap
)")),
            "fsdp=8");
  const Workload kept = Wrapped(R"(
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP
wrap = lambda module: FSDP(module, reshard_after_forward=False)
)");
  EXPECT_EQ(MeshOf(kept), "fsdp=8");
  EXPECT_THAT(Notes(kept), HasSubstr("reshard_after_forward=False keeps gathered weights"));
}

TEST(ShardedWeights, TheStrategyOfFsdpDecides) {
  const std::string start = R"(
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, ShardingStrategy
dist.init_process_group()
)";
  const auto mesh = [&](const std::string& strategy, int64_t hosts) {
    return MeshOf(Wrapped(
        start + "wrap = lambda m: FSDP(m, sharding_strategy=ShardingStrategy." + strategy + ")",
        hosts));
  };
  EXPECT_EQ(mesh("FULL_SHARD", 1), "fsdp=8");
  EXPECT_EQ(mesh("NO_SHARD", 1), "none");
  EXPECT_EQ(mesh("HYBRID_SHARD", 2), "data=2,fsdp=4");
}

TEST(ShardedWeights, AMeshOfDevicesSaysOverWhichDim) {
  EXPECT_EQ(MeshOf(Wrapped(R"(
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
mesh = init_device_mesh("xla", (2, 4), mesh_dim_names=("dp_replicate", "dp"))
wrap = lambda module: fully_shard(module, mesh=mesh)
)")),
            "data=2,fsdp=4");
  EXPECT_EQ(MeshOf(Wrapped(R"(
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
mesh = init_device_mesh("xla", (4, 2), mesh_dim_names=("dp", "tp"))
wrap = lambda module: fully_shard(module, mesh=mesh["dp"])
)")),
            "fsdp=4,tensor=2");
}

TEST(ShardedWeights, ATrainerIsToldInWords) {
  const std::string text = R"(
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
model = BertForSequenceClassification(BertConfig(
    vocab_size=64, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
    intermediate_size=32))
data = [{"input_ids": [1] * 8, "attention_mask": [1] * 8, "labels": 0}] * 64
Trainer(model, TrainingArguments("out", per_device_train_batch_size=2 FSDP),
        train_dataset=data).train()
)";
  const auto mesh = [&](const std::string& option) {
    return MeshOf(Read(std::string(text).replace(text.find(" FSDP"), 5, option)));
  };
  EXPECT_EQ(mesh(""), "none");
  EXPECT_EQ(mesh(", fsdp='full_shard auto_wrap'"), "fsdp=8");
}

constexpr char kShards[] = R"(
import flax
import flax.training.common_utils
import jax, jax.numpy as jnp, numpy as np
import torch
import torchvision.transforms as T
import webdataset as wds
from torch.utils.data import DataLoader, default_collate

def twice(samples):
    for sample in samples:
        yield sample
        yield sample

data = wds.DataPipeline(
    wds.SimpleShardList("train-{0000..0099}.tar"), wds.tarfile_to_samples(), wds.decode("pil"),
    wds.to_tuple("jpg", "cls"), twice,
    wds.map_tuple(T.Compose([T.Resize((32, 32)), T.PILToTensor()]), torch.tensor))
loader = DataLoader(data, batch_size=16, num_workers=4, collate_fn=default_collate)

def loss(w, x, y):
    x = jnp.moveaxis(x, 1, 3).astype(jnp.float32) / 255
    return jnp.mean((x.reshape((x.shape[0], -1)) @ w - y[:, None]) ** 2)

@jax.pmap
def step(w, x, y):
    return w - 0.1 * jax.lax.pmean(jax.grad(loss)(w, x, y), "i")

w = flax.jax_utils.replicate(jnp.zeros((32 * 32 * 3, 4)))
for batch in loader:
    x, y = flax.training.common_utils.shard(jax.tree_util.tree_map(np.asarray, batch))
    w = step(w, x, y)
)";

TEST(ShardedWeights, ALoaderOfEachHostFeedsItsDevices) {
  EXPECT_EQ(Read(kShards).declared_global_batch(), 16);
  const Workload workload = Read(kShards, 2);
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(workload.declared_global_batch(), 32);
  EXPECT_FALSE(workload.graph->is_static()) << Notes(workload);
}

TEST(ShardedWeights, PicturesOfTarFilesComeAsBytes) {
  const Workload workload = Read(kShards);
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("not known")));
  const auto is_picture = [](const Op& op) {
    return op.kind == OpKind::kParameter && op.shape.dtype == DType::kU8;
  };
  EXPECT_TRUE(std::ranges::any_of(workload.graph->ops(), is_picture));
}

}  // namespace
}  // namespace tilewise::program

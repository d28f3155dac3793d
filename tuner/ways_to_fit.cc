// Each change is a setting of its own: graph, batch, target, options.

#include "tuner/ways_to_fit.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/simulate.h"
#include "tuner/bf16_graph.h"

namespace tilewise {
namespace {

struct Setting {
  std::string change;
  const Graph* graph;
  int64_t batch_per_core;
  Target target;
  LowerOptions options;
};

std::optional<FitTrial> Try(const Setting& setting) {
  const absl::StatusOr<Program> program = Lower(
      *setting.graph, setting.batch_per_core, setting.target, setting.options);
  if (!program.ok()) return std::nullopt;
  return FitTrial{.change = setting.change,
                  .batch_per_core = setting.batch_per_core,
                  .hbm_peak = program->memory.peak,
                  .hbm_available = program->memory.available,
                  .device_step = SimulateStep(*program, setting.target).step};
}

Setting WithRemat(Setting setting, Remat remat) {
  setting.options.spec.remat = remat;
  setting.options.spec.remat_tensors.clear();
  setting.change = fmt::format(
      "{} (--remat {}; tf.recompute_grad, jax.checkpoint)",
      remat == Remat::kFull ? "compute activations again in the backward pass"
                            : "the same, but keep results of matrix products",
      RematName(remat));
  return setting;
}

Setting WithBf16(Setting setting, const Graph& narrow) {
  setting.graph = &narrow;
  setting.change = "bf16 activations (mixed_bfloat16)";
  return setting;
}

// The cores that hold copies of the weights hold parts of them instead.
Setting WithShardedWeights(Setting setting) {
  Mesh& mesh = setting.target.mesh;
  mesh.fsdp = setting.target.batch_shards() / mesh.expert;
  mesh.data = 1;
  setting.change = fmt::format("a part of the weights on each core (--mesh {})",
                               FormatMesh(mesh));
  return setting;
}

Setting WithShardedUpdate(Setting setting) {
  setting.options.shard_update = true;
  setting.change =
      "a part of the optimizer state on each core (--weight-update-sharding)";
  return setting;
}

// Halved until it fits.
std::optional<FitTrial> TrySmallerBatches(Setting setting) {
  std::optional<FitTrial> trial;
  while (setting.batch_per_core > 1) {
    setting.batch_per_core /= 2;
    setting.change = fmt::format("a batch of {} per core",
                                 FormatCount(setting.batch_per_core));
    const std::optional<FitTrial> next = Try(setting);
    if (next) trial = next;
    if (next && next->fits()) break;
  }
  return trial;
}

// Whether products run on f32 operands.
bool HasWideProducts(const Graph& graph) {
  return std::any_of(graph.ops().begin(), graph.ops().end(), [](const Op& op) {
    const OpClass kind = ClassOf(op.kind);
    return op.shape.dtype == DType::kF32 &&
           (kind == OpClass::kMxu || kind == OpClass::kAttention ||
            kind == OpClass::kRecurrent);
  });
}

bool CanShard(const Target& target) {
  return target.extent(MeshAxis::kData) > 1 && target.mesh.slices <= 1;
}

class Search {
 public:
  Search(const Graph& forward, int64_t batch, const Target& target,
         const LowerOptions& options)
      : now_{"", &forward, batch, target, options},
        together_(now_),
        narrow_(InBf16(forward)) {
    now_.options.after_pass = nullptr;
    together_.options.after_pass = nullptr;
  }

  std::vector<FitTrial> Run() {
    if (now_.options.training) TryTraining();
    if (narrow_.ok() && HasWideProducts(*now_.graph)) {
      Add(Try(WithBf16(now_, *narrow_)));
      together_ = WithBf16(together_, *narrow_);
    }
    if (CanShard(now_.target)) {
      Add(Try(WithShardedWeights(now_)));
      together_ = WithShardedWeights(together_);
    }
    const bool any =
        std::any_of(trials_.begin(), trials_.end(),
                    [](const FitTrial& trial) { return trial.fits(); });
    if (!any && trials_.size() > 1) TryTogether();
    Add(TrySmallerBatches(now_));
    return std::move(trials_);
  }

 private:
  void TryTraining() {
    const TrainingSpec& spec = now_.options.spec;
    if (spec.remat != Remat::kFull || !spec.remat_tensors.empty()) {
      Add(Try(WithRemat(now_, Remat::kFull)));
      together_ = WithRemat(together_, Remat::kFull);
    }
    if (spec.remat == Remat::kNone) {
      Add(Try(WithRemat(now_, Remat::kDots)));
    }
    if (CanShard(now_.target) && !now_.options.shard_update) {
      Add(Try(WithShardedUpdate(now_)));
    }
  }

  void TryTogether() {
    together_.change = "all of these together";
    Add(Try(together_));
  }

  void Add(std::optional<FitTrial> trial) {
    if (trial) trials_.push_back(*std::move(trial));
  }

  Setting now_;
  Setting together_;  // rematerialised, narrow, sharded weights
  const absl::StatusOr<Graph> narrow_;
  std::vector<FitTrial> trials_;
};

}  // namespace

std::vector<FitTrial> WaysToFit(const Graph& forward, int64_t batch_per_core,
                                const Target& target,
                                const LowerOptions& options) {
  return Search(forward, batch_per_core, target, options).Run();
}

}  // namespace tilewise

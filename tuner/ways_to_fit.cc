// Each change is a session of its own: another target, other options, an edit
// of the model.

#include "tuner/ways_to_fit.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace tilewise {
namespace {

struct Setting {
  std::string change;
  Target target;
  SessionOptions options;
  Change edit;  // of the model or its batch
};

TrainingSpec& SpecOf(Setting& setting) { return *setting.options.spec; }

std::optional<FitTrial> Try(const Workload& workload, const Setting& setting) {
  const Session session(workload, setting.target, setting.options);
  const Change* const edit = &setting.edit;
  const absl::StatusOr<StepTotals> step = session.StepWith({&edit, 1});
  if (!step.ok()) return std::nullopt;
  return FitTrial{.change = setting.change,
                  .batch_per_core = step->batch_per_core,
                  .hbm_peak = step->peak,
                  .hbm_available = step->available,
                  .device_step = step->timeline.step};
}

Setting WithRemat(Setting setting, Remat remat) {
  SpecOf(setting).remat = remat;
  SpecOf(setting).remat_tensors.clear();
  setting.change =
      fmt::format("{} (--remat {}; tf.recompute_grad, jax.checkpoint)",
                  remat == Remat::kFull ? "compute activations again in the backward pass"
                                        : "the same, but keep results of matmuls",
                  RematName(remat));
  return setting;
}

Setting WithBf16(Setting setting) {
  setting.edit.compute_type = DType::kBF16;
  setting.change = "bf16 activations (mixed_bfloat16)";
  return setting;
}

// The cores that hold copies of the weights hold parts of them instead.
Setting WithShardedWeights(Setting setting) {
  Mesh& mesh = setting.target.mesh;
  mesh.fsdp = setting.target.batch_shards() / mesh.expert;
  mesh.data = 1;
  setting.change = fmt::format("a part of the weights on each core (--mesh {})", FormatMesh(mesh));
  return setting;
}

Setting WithShardedUpdate(Setting setting) {
  setting.options.shard_update = true;
  setting.change = "a part of the optimizer state on each core (--weight-update-sharding)";
  return setting;
}

// Whether dots and convolutions have f32 operands.
bool HasWideMatmuls(const Graph& graph) {
  return std::any_of(graph.ops().begin(), graph.ops().end(), [](const Op& op) {
    const OpClass kind = ClassOf(op.kind);
    return op.shape.dtype == DType::kF32 &&
           (kind == OpClass::kMxu || kind == OpClass::kAttention || kind == OpClass::kRecurrent);
  });
}

bool CanShard(const Target& target) {
  return target.extent(MeshAxis::kData) > 1 && target.mesh.slices <= 1;
}

class Search {
 public:
  explicit Search(const Session& session)
      : workload_(session.workload()),
        batch_(session.batch_per_core()),
        now_{"", session.target(), session.options(), Change{}} {
    now_.options.spec = session.spec();
    now_.options.global_batch = session.global_batch();
    trains_ = session.adds_gradients();
    together_ = now_;
  }

  std::vector<FitTrial> Run() {
    if (trains_) TryTraining();
    if (HasWideMatmuls(*workload_.graph)) {
      Add(Try(workload_, WithBf16(now_)));
      together_ = WithBf16(together_);
    }
    if (CanShard(now_.target)) {
      Add(Try(workload_, WithShardedWeights(now_)));
      together_ = WithShardedWeights(together_);
    }
    const bool any = std::any_of(trials_.begin(), trials_.end(),
                                 [](const FitTrial& trial) { return trial.fits(); });
    if (!any && trials_.size() > 1) TryTogether();
    Add(TrySmallerBatches());
    return std::move(trials_);
  }

 private:
  void TryTraining() {
    const TrainingSpec& spec = SpecOf(now_);
    if (spec.remat != Remat::kFull || !spec.remat_tensors.empty()) {
      Add(Try(workload_, WithRemat(now_, Remat::kFull)));
      together_ = WithRemat(together_, Remat::kFull);
    }
    if (spec.remat == Remat::kNone) {
      Add(Try(workload_, WithRemat(now_, Remat::kDots)));
    }
    if (CanShard(now_.target) && !now_.options.shard_update) {
      Add(Try(workload_, WithShardedUpdate(now_)));
    }
  }

  void TryTogether() {
    together_.change = "all of these together";
    Add(Try(workload_, together_));
  }

  // Halved until it fits.
  std::optional<FitTrial> TrySmallerBatches() {
    std::optional<FitTrial> trial;
    for (int64_t batch = batch_ / 2; batch >= 1; batch /= 2) {
      Setting setting = now_;
      setting.edit.batch_per_core = batch;
      setting.change = fmt::format("a batch of {} per core", FormatCount(batch));
      const std::optional<FitTrial> next = Try(workload_, setting);
      if (next) trial = next;
      if (next && next->fits()) break;
    }
    return trial;
  }

  void Add(std::optional<FitTrial> trial) {
    if (trial) trials_.push_back(*std::move(trial));
  }

  const Workload& workload_;
  const int64_t batch_;
  Setting now_;
  Setting together_;  // rematerialised, narrow, sharded weights
  bool trains_ = false;
  std::vector<FitTrial> trials_;
};

}  // namespace

std::vector<FitTrial> WaysToFit(const Session& session) { return Search(session).Run(); }

}  // namespace tilewise

// Each remedy is a session of its own: another target, other options, an edit
// of the model.

#include "tuner/remedies.h"

#include <algorithm>
#include <list>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "session/leaner_graph.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

struct Setting {
  std::string change;
  const Workload* workload = nullptr;
  Target target;
  SessionOptions options;
  Change edit;  // of the model or its batch
};

TrainingSpec& SpecOf(Setting& setting) { return *setting.options.spec; }

Setting WithRemat(Setting setting, Remat remat) {
  SpecOf(setting).remat = remat;
  SpecOf(setting).remat_tensors.clear();
  setting.change = fmt::format("--remat {} ({})", RematName(remat),
                               remat == Remat::kFull ? "jax.checkpoint, tf.recompute_grad"
                                                     : "only results of matmuls are kept");
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
  setting.change = fmt::format("--mesh {} (weights in parts)", FormatMesh(mesh));
  return setting;
}

Setting WithShardedUpdate(Setting setting) {
  setting.options.shard_update = true;
  setting.change = "--weight-update-sharding (optimizer state in parts)";
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

bool IsSure(const Remedy& remedy) { return remedy.fits() && remedy.certainty >= kDefaultCertainty; }

bool CanShard(const Target& target) {
  return target.extent(MeshAxis::kData) > 1 && target.mesh.slices <= 1;
}

// What is kept of each block lies in the memory of the host.
Setting WithOffload(Setting setting) {
  SpecOf(setting).remat = Remat::kFull;
  SpecOf(setting).remat_tensors = {{.name = "decoder_layer_input", .offload = true}};
  setting.change = "--remat full,decoder_layer_input=offload (to the host)";
  return setting;
}

bool Offloads(const TrainingSpec& spec) { return spec.remat_policy().OffloadsBlockInputs(); }

class Search {
 public:
  Search(const Session& session, const std::optional<ErrorRange>& memory_range)
      : memory_range_(memory_range),
        batch_(session.batch_per_core()),
        now_{"", &session.workload(), session.target(), session.options(), Change{}} {
    now_.options.spec = session.spec();
    now_.options.global_batch = session.global_batch();
    trains_ = session.adds_gradients();
    together_ = now_;
  }

  std::vector<Remedy> Run() {
    TryLeanerGraphs();
    if (HasWideMatmuls(graph())) {
      Add(Try(WithBf16(now_)));
      together_ = WithBf16(together_);
    }
    if (trains_) TryRemat();
    if (trains_) TryAccumulation();
    TrySharding();
    if (trains_ && !Offloads(SpecOf(now_))) Add(Try(WithOffload(now_)));
    const bool any = std::any_of(remedies_.begin(), remedies_.end(),
                                 [](const Remedy& remedy) { return IsSure(remedy); });
    if (!any && remedies_.size() > 1) TryTogether();
    Add(TryMoreCores());
    Add(TrySmallerBatches());
    return std::move(remedies_);
  }

 private:
  const Graph& graph() const { return *now_.workload->graph; }

  std::optional<Remedy> Try(const Setting& setting) const {
    const Session session(*setting.workload, setting.target, setting.options);
    const Change* const edit = &setting.edit;
    const absl::StatusOr<StepTotals> step = session.StepWith({&edit, 1});
    if (!step.ok()) return std::nullopt;
    Remedy remedy = {.change = setting.change,
                     .batch_per_core = step->batch_per_core,
                     .hbm_peak = step->peak,
                     .hbm_available = step->available,
                     .device_step = step->timeline.step};
    remedy.certainty = FitCertainty(step->peak, step->available, step->roomy_part, memory_range_);
    return remedy;
  }

  // The workload with another graph lives as long as the search.
  void TryGraph(std::optional<Graph> made, const std::string& change) {
    if (!made) return;
    Workload& workload = workloads_.emplace_back(*now_.workload);
    workload.graph = *std::move(made);
    Setting setting = now_;
    setting.workload = &workload;
    setting.change = change;
    Add(Try(setting));
  }

  void TryLeanerGraphs() {
    if (trains_) {
      constexpr int64_t kTiles = 8;
      TryGraph(
          WithTiledLogits(graph(), kTiles),
          fmt::format("loss in {} tiles of the positions (num_vocab_tiling={})", kTiles, kTiles));
    }
    TryGraph(WithFlashAttention(graph()), "flash attention, which keeps no scores");
  }

  void TryRemat() {
    const TrainingSpec& spec = SpecOf(now_);
    if (spec.remat == Remat::kNone) Add(Try(WithRemat(now_, Remat::kDots)));
    if (spec.remat != Remat::kFull || !spec.remat_tensors.empty()) {
      Add(Try(WithRemat(now_, Remat::kFull)));
      together_ = WithRemat(together_, Remat::kFull);
    }
  }

  // The fewest parts that fit for sure, else the most.
  void TryAccumulation() {
    std::optional<Remedy> remedy;
    const int64_t first = 2 * SpecOf(now_).accumulation_steps;
    for (int64_t parts = first; parts <= kMostParts && batch_ % parts == 0; parts *= 2) {
      Setting setting = now_;
      SpecOf(setting).accumulation_steps = parts;
      setting.change = fmt::format("--gradient-accumulation {}", parts);
      const std::optional<Remedy> next = Try(setting);
      if (next) remedy = next;
      if (next && IsSure(*next)) break;
    }
    Add(std::move(remedy));
  }

  void TrySharding() {
    if (!CanShard(now_.target)) return;
    if (trains_ && !now_.options.shard_update) Add(Try(WithShardedUpdate(now_)));
    Add(Try(WithShardedWeights(now_)));
    together_ = WithShardedWeights(together_);
  }

  void TryTogether() {
    together_.change = "weights in parts, --remat full and bf16 together";
    Add(Try(together_));
  }

  // Twice as many for the same global batch, and again, until it fits for sure.
  std::optional<Remedy> TryMoreCores() {
    std::optional<Remedy> remedy;
    for (int64_t times = 2; times <= kMostTimesTheCores && batch_ % times == 0; times *= 2) {
      Setting setting = now_;
      Mesh mesh = now_.target.mesh;
      (mesh.fsdp > 1 ? mesh.fsdp : mesh.data) *= times;
      const absl::StatusOr<Target> larger =
          MakeTarget(now_.target.chip.name, now_.target.cores * times, now_.target.host.name, mesh);
      if (!larger.ok()) break;  // no slice of that size
      setting.target = *larger;
      setting.edit.batch_per_core = batch_ / times;
      setting.change = fmt::format("--cores {}{} (the same global batch)", setting.target.cores,
                                   mesh.cores_per_copy() > 1 ? " --mesh " + FormatMesh(mesh) : "");
      const std::optional<Remedy> next = Try(setting);
      if (next) remedy = next;
      if (next && IsSure(*next)) break;
    }
    return remedy;
  }

  // Halved until it fits for sure.
  std::optional<Remedy> TrySmallerBatches() {
    std::optional<Remedy> remedy;
    for (int64_t batch = batch_ / 2; batch >= 1; batch /= 2) {
      Setting setting = now_;
      setting.edit.batch_per_core = batch;
      setting.change = fmt::format("a batch of {} per core", FormatCount(batch));
      const std::optional<Remedy> next = Try(setting);
      if (next) remedy = next;
      if (next && IsSure(*next)) break;
    }
    return remedy;
  }

  void Add(std::optional<Remedy> remedy) {
    if (remedy) remedies_.push_back(*std::move(remedy));
  }

  static constexpr int64_t kMostParts = 16;
  static constexpr int64_t kMostTimesTheCores = 16;

  const std::optional<ErrorRange> memory_range_;
  const int64_t batch_;
  std::list<Workload> workloads_;
  Setting now_;
  Setting together_;  // rematerialised, narrow, sharded weights
  bool trains_ = false;
  std::vector<Remedy> remedies_;
};

}  // namespace

std::vector<Remedy> FindRemedies(const Session& session,
                                 const std::optional<ErrorRange>& memory_range) {
  return Search(session, memory_range).Run();
}

}  // namespace tilewise

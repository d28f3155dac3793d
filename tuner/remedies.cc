// Each remedy is a session of its own: another target, other options, an edit
// of the model.

#include "tuner/remedies.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "graph/wide_matmuls.h"
#include "tuner/setting.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

TrainingSpec& SpecOf(SearchSetting& setting) { return *setting.options.spec; }

std::string RematInWords(Remat remat) {
  return fmt::format("--remat {} ({})", RematName(remat),
                     remat == Remat::kFull ? "jax.checkpoint, tf.recompute_grad"
                                           : "only results of matmuls are kept");
}

SearchSetting Remade(const SearchSetting& setting, Remat remat) {
  return WithRemat(setting, std::string(RematName(remat)), {.base = remat});
}

// The cores that hold copies of the weights hold parts of them instead.
Mesh ShardedMesh(const Target& target) {
  Mesh mesh = target.mesh;
  mesh.fsdp = target.batch_shards() / mesh.expert;
  mesh.data = 1;
  return mesh;
}

SearchSetting WithShardedWeights(SearchSetting setting) {
  setting.target.mesh = ShardedMesh(setting.target);
  return setting;
}

bool IsSure(const Remedy& remedy) { return remedy.fits() && remedy.certainty >= kDefaultCertainty; }

bool CanShard(const Target& target) {
  return target.extent(MeshAxis::kData) > 1 && target.mesh.slices <= 1;
}

// What is kept of each block lies in the memory of the host.
SearchSetting WithOffload(SearchSetting setting) {
  SpecOf(setting).remat = Remat::kFull;
  SpecOf(setting).remat_tensors = {{.name = "decoder_layer_input", .offload = true}};
  return setting;
}

SearchSetting WithTrackedMemory(SearchSetting setting) {
  setting.options.xla_flags.tracks_memory = true;
  setting.options.xla_flags.memory_percent = 100;
  return setting;
}

bool Offloads(const TrainingSpec& spec) { return spec.remat_policy().OffloadsBlockInputs(); }

// One thing changed; none where the program does not take it.
using Apply = std::function<std::optional<SearchSetting>(const SearchSetting&)>;

class Search {
 public:
  Search(const Session& session, const std::optional<ErrorRange>& memory_range)
      : memory_range_(memory_range), batch_(session.batch_per_core()), now_(SettingOf(session)) {
    trains_ = session.adds_gradients();
    const Simulated* step = session.Step();
    if (step != nullptr) peak_ = step->program.memory.peak;
    can_track_ = step != nullptr && step->program.loops_over_layers() &&
                 !now_.options.xla_flags.ends_values_early();
  }

  std::vector<Remedy> Run() {
    if (can_track_) {
      Offer("LIBTPU_INIT_ARGS=--xla_tpu_enable_scheduler_memory_pressure_tracking=true",
            WithTrackedMemory);
    }
    OfferLeanerGraphs();
    if (HasWideMatmuls(graph())) {
      Offer("bf16 activations (mixed_bfloat16)",
            [](const SearchSetting& setting) { return WithComputeType(setting, DType::kBF16); });
    }
    if (trains_) OfferRemat();
    if (trains_) TryAccumulation();
    OfferSharding();
    if (trains_ && !Offloads(SpecOf(now_))) {
      Offer("--remat full,decoder_layer_input=offload (to the host)", WithOffload);
    }
    const bool any = std::any_of(remedies_.begin(), remedies_.end(),
                                 [](const Remedy& remedy) { return IsSure(remedy); });
    if (!any && remedies_.size() > 1) Add(TryTogether());
    Add(TryMoreCores());
    Add(TrySmallerBatches());
    return std::move(remedies_);
  }

 private:
  const Graph& graph() const { return *now_.workload->graph; }

  std::optional<Remedy> Try(const std::string& words, const SearchSetting& setting) const {
    const Session session(*setting.workload, setting.target, setting.options);
    const Change* const edit = &setting.edit;
    const absl::StatusOr<StepTotals> step = session.StepWith({&edit, 1});
    if (!step.ok()) return std::nullopt;
    Remedy remedy = {.change = words,
                     .batch_per_core = step->batch_per_core,
                     .hbm_peak = step->peak,
                     .hbm_available = step->available,
                     .device_step = step->timeline.step};
    remedy.certainty = FitCertainty(step->peak, step->available, step->roomy_part, memory_range_,
                                    step->peak_without_barriers);
    return remedy;
  }

  // Tries the remedy alone, and keeps it for those that are tried together.
  void Offer(const std::string& words, Apply apply) {
    const std::optional<SearchSetting> setting = apply(now_);
    if (!setting) return;
    Add(Try(words, *setting));
    offers_.push_back({words, std::move(apply)});
  }

  void OfferLeanerGraphs() {
    constexpr int64_t kTiles = 8;
    if (trains_) {
      Offer(fmt::format("loss in {} tiles of the positions (num_vocab_tiling={})", kTiles, kTiles),
            [](const SearchSetting& setting) { return WithTiledLogits(setting, kTiles); });
    }
    Offer("flash attention, which keeps no scores", WithFlashAttention);
  }

  void OfferRemat() {
    const TrainingSpec& spec = SpecOf(now_);
    if (spec.remat == Remat::kNone) {
      Add(Try(RematInWords(Remat::kDots), Remade(now_, Remat::kDots)));
    }
    if (spec.remat != Remat::kFull || !spec.remat_tensors.empty()) {
      Offer(RematInWords(Remat::kFull),
            [](const SearchSetting& setting) { return Remade(setting, Remat::kFull); });
    }
  }

  // The fewest parts that fit for sure, else the most.
  void TryAccumulation() {
    std::optional<Remedy> remedy;
    const int64_t first = 2 * SpecOf(now_).accumulation_steps;
    for (int64_t parts = first; parts <= kMostParts && batch_ % parts == 0; parts *= 2) {
      const std::optional<Remedy> next =
          Try(fmt::format("--gradient-accumulation {}", parts), WithAccumulation(now_, parts));
      if (next) remedy = next;
      if (next && IsSure(*next)) break;
    }
    Add(std::move(remedy));
  }

  void OfferSharding() {
    if (!CanShard(now_.target)) return;
    if (trains_ && !now_.options.shard_update) {
      Add(Try("--weight-update-sharding (optimizer state in parts)", WithShardedUpdate(now_)));
    }
    Offer(fmt::format("--mesh {} (weights in parts)", FormatMesh(ShardedMesh(now_.target))),
          WithShardedWeights);
  }

  // Those that lower the peak, the cheapest first, until they suffice; what does nothing alone may
  // beside another, so that each is tried twice. Then smaller batches with them.
  std::optional<Remedy> TryTogether() {
    SearchSetting together = now_;
    std::string words;
    std::optional<Remedy> best;
    std::vector<bool> is_taken(offers_.size());
    const auto take = [&](const std::string& change, SearchSetting setting) {
      const std::string all = words.empty() ? change : words + " + " + change;
      const std::optional<Remedy> remedy = Try("together: " + all, setting);
      if (!remedy || remedy->hbm_peak >= (best ? best->hbm_peak : peak_)) return false;
      best = remedy;
      words = all;
      together = std::move(setting);
      return true;
    };
    for (size_t i = 0; i < 2 * offers_.size() && !(best && IsSure(*best)); ++i) {
      const size_t at = i % offers_.size();
      if (is_taken[at]) continue;
      const std::optional<SearchSetting> setting = offers_[at].apply(together);
      if (setting) is_taken[at] = take(offers_[at].words, *setting);
    }
    for (int64_t batch = batch_ / 2; best && batch >= 1 && !IsSure(*best); batch /= 2) {
      SearchSetting setting = together;
      setting.edit.batch_per_core = batch;
      std::optional<Remedy> smaller =
          Try(fmt::format("together: {} + a batch of {}", words, FormatCount(batch)), setting);
      if (!smaller) break;
      best = std::move(smaller);
    }
    return best;
  }

  // Twice as many for the same global batch, and again, until it fits for sure.
  std::optional<Remedy> TryMoreCores() {
    std::optional<Remedy> remedy;
    // A program that trains on one core of a slice uses all of it before it takes another.
    const bool on_one = now_.target.idle_cores > 0;
    const int64_t first = on_one ? now_.target.slice_cores() : 2;
    for (int64_t times = first; times <= first * kMostTimesTheCores / 2 && batch_ % times == 0;
         times *= 2) {
      SearchSetting setting = now_;
      Mesh mesh = now_.target.mesh;
      (mesh.fsdp > 1 ? mesh.fsdp : mesh.data) *= times;
      const absl::StatusOr<Target> larger =
          MakeTarget(now_.target.chip.name, now_.target.cores * times, now_.target.host.name, mesh);
      if (!larger.ok()) break;  // no slice of that size
      setting.target = *larger;
      setting.edit.batch_per_core = batch_ / times;
      const std::string words =
          fmt::format("--cores {}{} (the same global batch)", setting.target.cores,
                      mesh.cores_per_copy() > 1 || on_one ? " --mesh " + FormatMesh(mesh) : "");
      const std::optional<Remedy> next = Try(words, setting);
      if (next) remedy = next;
      if (next && IsSure(*next)) break;
    }
    return remedy;
  }

  // Halved until it fits for sure.
  std::optional<Remedy> TrySmallerBatches() {
    std::optional<Remedy> remedy;
    for (int64_t batch = batch_ / 2; batch >= 1; batch /= 2) {
      SearchSetting setting = now_;
      setting.edit.batch_per_core = batch;
      const std::optional<Remedy> next =
          Try(fmt::format("a batch of {} per {}", FormatCount(batch), setting.target.device()),
              setting);
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

  struct Offered {
    std::string words;
    Apply apply;
  };

  const std::optional<ErrorRange> memory_range_;
  const int64_t batch_;
  SearchSetting now_;
  Bytes peak_;                   // as it is now
  std::vector<Offered> offers_;  // in the order of what they cost
  bool trains_ = false;
  bool can_track_ = false;  // what is alive, in XLA's scheduler, and does not yet
  std::vector<Remedy> remedies_;
};

}  // namespace

std::vector<Remedy> FindRemedies(const Session& session,
                                 const std::optional<ErrorRange>& memory_range) {
  return Search(session, memory_range).Run();
}

}  // namespace tilewise

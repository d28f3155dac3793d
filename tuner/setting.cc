// What the searches for a faster step and for one that fits have in common.

#include "tuner/setting.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/math.h"
#include "session/leaner_graph.h"

namespace tilewise {
namespace {

SearchSetting WithGraph(SearchSetting setting, Graph graph) {
  auto workload = std::make_shared<Workload>(*setting.workload);
  workload->graph = std::move(graph);
  setting.workload = std::move(workload);
  return setting;
}

}  // namespace

SearchSetting SettingOf(const Session& session) {
  SearchSetting setting;
  setting.workload = std::shared_ptr<const Workload>(std::shared_ptr<void>(), &session.workload());
  setting.target = session.target();
  setting.options = session.options();
  setting.options.spec = session.spec();
  setting.options.global_batch = session.global_batch();
  return setting;
}

std::string ChangesInWords(const SearchSetting& setting) {
  return fmt::format("{}", fmt::join(setting.changes, " "));
}

SearchSetting WithRemat(SearchSetting setting, const std::string& name, const RematPolicy& policy) {
  setting.options.spec->remat = policy.base;
  setting.options.spec->remat_tensors = policy.tensors;
  setting.changes.push_back(fmt::format("--remat {}", name));
  return setting;
}

SearchSetting WithAccumulation(SearchSetting setting, int64_t parts) {
  setting.options.spec->accumulation_steps = parts;
  setting.changes.push_back(fmt::format("--gradient-accumulation {}", parts));
  return setting;
}

SearchSetting WithComputeType(SearchSetting setting, DType type) {
  setting.edit.compute_type = type;
  setting.changes.push_back(fmt::format("{} activations", DTypeName(type)));
  return setting;
}

SearchSetting WithShardedUpdate(SearchSetting setting) {
  setting.options.shard_update = true;
  setting.changes.push_back("--weight-update-sharding");
  return setting;
}

absl::StatusOr<SearchSetting> WithMachine(SearchSetting setting, const std::string& chip,
                                          int64_t cores, const Mesh& mesh) {
  const int64_t batch = CeilDiv(setting.options.global_batch, setting.target.batch_shards());
  // A host that is not the machine's usual one was asked for.
  const Target own = setting.target;
  const bool on_one = own.idle_cores > 0;
  TW_ASSIGN_OR_RETURN(const Target usual,
                      MakeTarget(own.chip.name, own.slice_cores(), "", on_one ? Mesh() : own.mesh));
  const std::string host = usual.host.name == own.host.name ? "" : own.host.name;
  if (on_one && cores == own.cores) {
    const int64_t slice = chip == own.chip.name ? own.slice_cores() : 0;
    TW_ASSIGN_OR_RETURN(setting.target, MakeTarget(chip, slice, host));
    setting.target = OneCoreOf(setting.target);
  } else {
    TW_ASSIGN_OR_RETURN(setting.target, MakeTarget(chip, cores, host, mesh));
  }
  setting.options.global_batch = batch * setting.target.batch_shards();
  return setting;
}

std::optional<SearchSetting> WithTiledLogits(SearchSetting setting, int64_t tiles) {
  std::optional<Graph> graph = WithTiledLogits(*setting.workload->graph, tiles);
  if (!graph) return std::nullopt;
  setting.changes.push_back(fmt::format("loss in {} tiles of the positions", tiles));
  return WithGraph(std::move(setting), *std::move(graph));
}

std::optional<SearchSetting> WithFlashAttention(SearchSetting setting) {
  std::optional<Graph> graph = WithFlashAttention(*setting.workload->graph);
  if (!graph) return std::nullopt;
  setting.changes.push_back("flash attention");
  return WithGraph(std::move(setting), *std::move(graph));
}

}  // namespace tilewise

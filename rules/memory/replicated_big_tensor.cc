// Flags large tensors that every device has in full.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::ME007 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "ME007",
    .name = "replicated-big-tensor",
    .set = RuleSet::kPreview,
    .needs = {.graph = true},
    .summary = "every device holds all of a large tensor",
    .no_saving = "a mesh is no part of a change; simulate it with --mesh",
    .doc = R"(
What: a tensor with a replicated sharding in a program of several devices that
takes at least min-hbm-share of a core's HBM while others are sharded (min-mib
where none is); or an embedding table of at least min-mib MiB in a data-parallel
step.
Why: each device holds the whole tensor, its gradient and its optimizer state,
and the gradient is summed over all of them in every step. Divided, it takes a
part of the memory and of the traffic.
Remedy: shard the rows over a mesh axis; for tables the embedding API of the
framework.
Ignore: small meshes, and tensors that are read so often that gathering them
would cost more.
Numbers: bytes without padding, per core.
Sources: xprof's advice on gathered weights and on embeddings.)",
    .thresholds = {{"min-mib", 256, "MiB of a table, or of a tensor where all are replicated"},
                   {"min-hbm-share", 0.01, "share of a core's HBM, where others are sharded"},
                   {"min-devices", 4, "devices from which on a mesh is judged"}},
};

void Report(const Op& op, int64_t devices, std::string_view what, Sink& sink) {
  const Bytes size = op.shape.unpadded_bytes();
  const Bytes saved = {size.value - size.value / std::max<int64_t>(1, devices)};
  Finding& found =
      sink.ReportOp(op.id, "{} {} of {} is whole on each of {} devices, expected a part on each",
                    what, FormatShape(op.shape), FormatBytes(size), FormatCount(devices));
  found.cost.bytes = saved;
  found.fix.text =
      fmt::format("divide its rows among the {} devices along a mesh axis", FormatCount(devices));
}

// Evidence in the shardings that the program states.
void CheckShardings(const Facts& facts, Sink& sink) {
  const ModuleFacts& module = facts.workload.module;
  const auto least = static_cast<int64_t>(sink.threshold("min-devices"));
  if (module.partitions < least) return;
  const Graph& graph = *facts.source;
  bool divided = false;
  for (const auto& [id, sharding] : module.shardings) {
    divided = divided || (id < graph.size() && IsArgument(graph.op(id)) &&
                          graph.op(id).kind == OpKind::kVariable && !sharding.replicated());
  }
  const double hbm = static_cast<double>(facts.target.chip.usable_hbm().value);
  const double min_bytes =
      divided ? hbm * sink.threshold("min-hbm-share") : sink.threshold("min-mib") * (1 << 20);
  for (const auto& [id, sharding] : module.shardings) {
    if (id >= graph.size() || !IsArgument(graph.op(id))) continue;
    const Op& op = graph.op(id);
    const auto size = static_cast<double>(op.shape.unpadded_bytes().value);
    if (!sharding.replicated() || size < min_bytes) continue;
    Report(op, module.partitions, "argument", sink);
  }
}

// Evidence in the model: a table of rows that are looked up, on a target whose
// cores all have their own part of the batch and nothing else divided.
void CheckTables(const Facts& facts, Sink& sink) {
  const int64_t shards = facts.target.batch_shards();
  if (!facts.workload.module.shardings.empty() || facts.workload.module.partitions > 1) {
    return;
  }
  if (shards < static_cast<int64_t>(sink.threshold("min-devices")) ||
      shards != facts.target.cores || facts.model == nullptr || facts.model->program.compiled ||
      facts.target.extent(MeshAxis::kFsdp) > 1 || facts.target.extent(MeshAxis::kExpert) > 1) {
    return;
  }
  const double min_bytes = sink.threshold("min-mib") * (1 << 20);
  std::set<OpId> seen;
  for (const Op& op : facts.source->ops()) {
    if (op.kind != OpKind::kGather) continue;
    const Op& table = facts.source->operand(op, 0);
    if (table.kind != OpKind::kVariable || !seen.insert(table.id).second) {
      continue;
    }
    const auto size = static_cast<double>(table.shape.unpadded_bytes().value);
    if (size < min_bytes) continue;
    Report(table, facts.target.cores, "embedding table", sink);
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckShardings(facts, sink);
  CheckTables(facts, sink);
}

}  // namespace

TW_RULE(ME007)

}  // namespace tilewise::ME007

// Programs of JAX run on every host; a strategy runs on one, and shares a data set out by its files
// or by its items.

#include "frontend/program/pipeline_hosts.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "frontend/program/record_facts.h"
#include "pipeline/chain.h"

namespace tilewise::program {
namespace {

// The size of the batches that `last`, which makes one row of them for each core, is made of; 1
// without such. Rows of `steps` batches, each for a step of one execution, are none.
int64_t BatchBelow(const Pipeline& pipeline, const Stage& last, int64_t steps) {
  int64_t size = 1;
  for (const Stage& stage : pipeline.stages) {
    if (&stage == &last) break;
    if (stage.kind == StageKind::kUnbatch) size = 1;
    if (stage.kind != StageKind::kBatch && stage.kind != StageKind::kPaddedBatch) continue;
    const int64_t rows = stage.amount.kind == Count::Kind::kValue ? stage.amount.value : 1;
    if (size == 1 || rows != steps) size = rows;
  }
  return size;
}

bool Has(const Trace& trace, std::string_view kind) {
  return LastRecord(trace.records, kind) != nullptr;
}

// Whether the last batch stage joins batches for the steps of one execution: no step is mapped
// over its rows.
bool HoldsRowsOfSteps(const Trace& trace, const Pipeline& pipeline, int64_t steps) {
  const Stage* last = pipeline.batch();
  if (last == nullptr || steps < 2 || !last->amount.is(steps)) return false;
  return BatchBelow(pipeline, *last, 0) > 1 && !Has(trace, "pmap");
}

// Whether the program divides the items among its hosts: it asks for their number.
bool ShardsByHost(const Trace& trace, const Pipeline& pipeline) {
  return Has(trace, "asks_hosts") && std::ranges::any_of(pipeline.stages, [&](const Stage& stage) {
           return stage.kind == StageKind::kShard && stage.amount.is(trace.hosts);
         });
}

// What each host takes of a data set that a strategy divides: some of the files where readers of
// the data set open them, else all items, of which it drops those of the others. An option says
// otherwise.
HostShare ShareByStrategy(const Trace& trace, const Pipeline& pipeline) {
  const PipelineOption* option = pipeline.option("experimental_distribute.auto_shard_policy");
  const std::string policy = option == nullptr ? "AUTO" : option->value;
  if (policy == "OFF") return HostShare::kAll;
  if (policy == "DATA") return HostShare::kDropping;
  const Stage& source = pipeline.stages.front();
  if (source.kind == StageKind::kUnknownSource || source.kind == StageKind::kZip) {
    return HostShare::kUnknown;
  }
  const bool files = source.kind == StageKind::kRecordFiles ||
                     source.kind == StageKind::kNamedDataset || TakesFileNames(pipeline, 0);
  return files && source.files.value_or(trace.hosts) >= trace.hosts ? HostShare::kPart
                                                                    : HostShare::kDropping;
}

// In JAX each host takes batches of its own where the step is mapped over its devices, or the data
// are divided among the hosts.
HostShare ShareOf(const Trace& trace, const TakenBy& taken, const Pipeline& pipeline) {
  if (taken.share == HostShare::kOneHost) return taken.share;
  if (ShardsByHost(trace, pipeline) || Has(trace, "host_share")) return HostShare::kPart;
  if (taken.share != HostShare::kUnknown) return taken.share;
  if (Has(trace, "pmap") || Has(trace, "host_batches")) return HostShare::kAll;
  const Record* strategy = LastRecord(trace.records, "strategy");
  const std::string* name = strategy == nullptr ? nullptr : strategy->text("name");
  const bool tpu = name != nullptr && name->find("TPU") != std::string::npos;
  return tpu && taken.strategy ? ShareByStrategy(trace, pipeline) : HostShare::kUnknown;
}

// The hosts of which each batches by itself from such a pipeline, for one step of all. The batches
// of a strategy are those of all hosts.
int64_t HostsThatBatch(const Trace& trace, const TakenBy& taken, const Pipeline& pipeline) {
  const bool by_function = taken.share != HostShare::kUnknown;
  if (trace.hosts <= 1 || by_function || taken.strategy) return 1;
  const HostShare share = pipeline.host_share;
  return share == HostShare::kPart || share == HostShare::kAll ? trace.hosts : 1;
}

}  // namespace

void ReadHosts(const Trace& trace, const TakenBy& taken, Pipeline& pipeline) {
  const Record* iterations = LastRecord(trace.records, "iterations");
  const auto steps =
      static_cast<int64_t>(iterations == nullptr ? 1 : iterations->number("count").value_or(1));
  pipeline.host_share = ShareOf(trace, taken, pipeline);
  const bool shards = ShardsByHost(trace, pipeline);
  if (shards && pipeline.source_items) *pipeline.source_items *= trace.hosts;
  pipeline.rows_are_steps = HoldsRowsOfSteps(trace, pipeline, steps);
  pipeline.batches_per_step = taken.batches_per_step;
  const Stage* batch = pipeline.batch();
  const int64_t size = batch == nullptr ? 0 : batch->amount.value;
  if (taken.step_batch > 0 && size > 0 && taken.step_batch % size == 0) {
    pipeline.batches_per_step = taken.step_batch / size;
    return;
  }
  const int64_t hosts = HostsThatBatch(trace, taken, pipeline);
  const bool of_cores = size > 1 && (size == trace.replicas || size * hosts == trace.replicas);
  if (of_cores) pipeline.batches_per_step *= BatchBelow(pipeline, *batch, steps);
  if (size != trace.replicas || !of_cores) pipeline.batches_per_step *= hosts;
}

}  // namespace tilewise::program

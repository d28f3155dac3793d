// Flags global batches that the cores cannot share evenly.

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/locations.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::DI001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI001",
    .name = "batch-not-divisible",
    .severity = Severity::kError,
    .fix = Applicability::kUnsafe,
    .summary = "the global batch does not divide by the cores",
    .doc = R"(
What: a global batch that is no multiple of the cores that share it; a batch
that by its name is that of one core where the global one is expected.
Why: a strategy splits each batch into equal parts, one for each core. What
does not divide is refused, or leaves cores with another shape, which is a
program of its own. With the batch of one core every core gets an eighth of it.
Remedy: global batch = batch per core x cores; batch per core a multiple of 8.
Ignore: never for training.
Numbers: the batch as the files state it, the cores of the target.
Sources: Cloud TPU performance guide (128 / 8 = 16), maxtext#2628,
transformers#5042.)",
};

bool SharesBatches(const Workload& workload) {
  return workload.host_loop.uses_tpu_strategy || workload.facts.tpu_strategy ||
         workload.host_loop.framework == Framework::kKerasTf1;
}

void CheckDivisible(const Facts& facts, int64_t batch, int64_t parts, Sink& sink) {
  const int64_t below = batch / parts;
  const int64_t lower = below * parts;
  const int64_t upper = (below + 1) * parts;
  Finding& found = sink.Report(
      LocationOfBatch(facts),
      "a global batch of {} is shared by {} cores, which is {} and a rest of {}; expected a "
      "multiple of {}: {} = {} per core x {}{}",
      FormatCount(batch), parts, FormatCount(below), batch % parts, parts, FormatCount(upper),
      FormatCount(below + 1), parts,
      lower > 0 ? fmt::format(", or {} = {} x {}", FormatCount(lower), FormatCount(below), parts)
                : "");
  found.cost.unknown = "a batch that does not divide is refused, or is compiled once more";
  found.fix.text = fmt::format("set the global batch to {}{}", FormatCount(upper),
                               lower > 0 ? " or " + FormatCount(lower) : "");
  found.change.batch_per_core = below + 1;
  WriteChange(facts, found.change, found);
}

// A name that says the batch is that of one core.
std::string PerCoreName(const SourceCall& call) {
  const SourceArgument* size = ArgumentOf(call, 0, "batch_size");
  if (size == nullptr || size->name.empty()) return "";
  const std::string_view name = LastName(size->name);
  for (const char* word : {"per_replica", "per_core", "per_device"}) {
    if (Mentions(name, word)) return std::string(name);
  }
  return "";
}

// Datasets of a function are made by each host or core.
bool MakesOwnBatches(const SourceFacts& source, const SourceCall& batch) {
  for (const char* call :
       {"distribute_datasets_from_function", "experimental_distribute_datasets_from_function",
        "get_per_replica_batch_size"}) {
    for (const SourceCall& other : source.calls) {
      if (LastName(other.name) == call) return true;
    }
  }
  const int32_t function = FunctionAround(source, batch.context);
  return function >= 0 && source.contexts[function].kind == ContextKind::kLambda;
}

void CheckPerCore(const Facts& facts, Sink& sink) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline == nullptr || pipeline->batches_per_step != 1) return;
  const Stage* stage = pipeline->batch();
  if (stage == nullptr) return;
  const SourceFacts& source = facts.workload.facts;
  const SourceCall* call = CallAt(source, stage->location);
  if (call == nullptr || MakesOwnBatches(source, *call)) return;
  const std::string name = PerCoreName(*call);
  if (name.empty()) return;
  const int64_t parts = facts.target.batch_shards();
  const std::optional<int64_t> batch = pipeline->batch_size();
  std::string numbers;
  if (batch) {
    numbers = fmt::format("{} examples, {} for each core; ", FormatCount(*batch),
                          FormatCount(*batch / parts));
  }
  Finding& found = sink.Report(
      stage->location,
      "batch({}) is given the batch of one core, and {} cores share it: {}expected {} x {}", name,
      parts, numbers, name, parts);
  found.cost.unknown = "which of the two the author wants is not known";
  found.fix.text = fmt::format("batch {} * strategy.num_replicas_in_sync examples", name);
}

void Check(const Facts& facts, Sink& sink) {
  const int64_t parts = facts.target.batch_shards();
  if (!facts.training || parts < 2 || !SharesBatches(facts.workload)) return;
  const std::optional<int64_t> batch = facts.workload.declared_global_batch();
  const Pipeline* pipeline = facts.workload.training_pipeline();
  const bool own = pipeline != nullptr && pipeline->batches_per_step != 1;
  if (batch && *batch > 0 && !own && *batch % parts != 0) {
    CheckDivisible(facts, *batch, parts, sink);
  } else {
    CheckPerCore(facts, sink);
  }
}

}  // namespace

TW_RULE(DI001)

}  // namespace tilewise::DI001

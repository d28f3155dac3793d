// Flags policies of sharding over hosts that do not fit the data's source.

#include <algorithm>

#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::DI009 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI009",
    .name = "shard-policy-mismatch",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .summary = "the data set cannot be shared among hosts as it says",
    .doc = R"(
What: with several hosts, AutoShardPolicy.FILE (or AUTO, which tries it first)
on a data set that is not made of files: from_generator, from_tensor_slices,
range.
Why: FILE gives each host some of the files. A source without files cannot be
shared so: FILE stops with an error, AUTO warns and falls back to DATA, where
each host makes all items and drops those of the others.
Remedy: AutoShardPolicy.DATA where each host can afford to make all items; else
shard by host before shuffle, with distribute_datasets_from_function.
Ignore: on one host, where nothing is shared and the warnings of TensorFlow are
noise: the rule is silent there.
Numbers: the cores of the target and how many one host has: 8.
Sources: tensorflow#42146, #55474, #53156, #66851.)",
};

constexpr int64_t kCoresPerHost = 8;

bool HasFiles(const Pipeline& pipeline) {
  return std::ranges::any_of(pipeline.stages, [](const Stage& stage) {
    return stage.kind == StageKind::kListFiles || stage.kind == StageKind::kRecordFiles ||
           stage.kind == StageKind::kNamedDataset || stage.kind == StageKind::kUnknownSource ||
           stage.kind == StageKind::kShard;
  });
}

struct Policy {
  std::string name = "AUTO";
  Location location;
};

Policy PolicyOf(const SourceFacts& source) {
  Policy policy;
  for (const SourceAssignment& assignment : source.assignments) {
    if (assignment.targets.size() != 1 || !assignment.targets[0].ends_with("auto_shard_policy")) {
      continue;
    }
    policy.name = std::string(LastName(assignment.text));
    policy.location = assignment.location;
  }
  return policy;
}

bool Distributes(const SourceFacts& source) {
  return std::ranges::any_of(source.calls, [](const SourceCall& call) {
    return LastName(call.name) == "experimental_distribute_dataset";
  });
}

void Check(const Facts& facts, Sink& sink) {
  const Workload& workload = facts.workload;
  const SourceFacts& source = workload.facts;
  if (!source.tpu_strategy || facts.target.cores <= kCoresPerHost) return;
  const Pipeline* pipeline = workload.training_pipeline();
  if (pipeline == nullptr || pipeline->stages.empty() || HasFiles(*pipeline)) {
    return;
  }
  if (!Distributes(source) && !workload.host_loop.fit.known()) return;
  const Policy policy = PolicyOf(source);
  if (policy.name != "FILE" && policy.name != "AUTO") return;
  const Stage& first = pipeline->stages.front();
  if (!first.location.known() || !IsSource(first.kind)) return;
  Finding& found =
      sink.Report(policy.location.known() ? policy.location : first.location,
                  "the data set comes from {}, which has no files, and the shard policy of {} "
                  "hosts is {}; expected DATA",
                  StageName(first.kind), facts.target.cores / kCoresPerHost, policy.name);
  if (policy.name == "AUTO") found.severity = Severity::kInfo;
  found.cost.unknown = policy.name == "FILE"
                           ? "the program stops with an error"
                           : "how long a host takes to make an item is not in the files";
  found.fix.text =
      "set options.experimental_distribute.auto_shard_policy to "
      "tf.data.experimental.AutoShardPolicy.DATA";
}

}  // namespace

TW_RULE(DI009)

}  // namespace tilewise::DI009

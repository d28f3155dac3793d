// Flags policies of sharding over hosts that do not fit the data's source.

#include <algorithm>

#include "rules/input/feed.h"
#include "rules/rule.h"
#include "session/session.h"
#include "workload/blocks.h"

namespace tilewise::DI009 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI009",
    .name = "shard-policy-mismatch",
    .fix = Applicability::kShow,
    .summary = "the data set cannot be shared among hosts as it says",
    .doc = R"(
What: with several hosts, AutoShardPolicy.FILE (or AUTO, which tries it first)
on a data set whose files no reader of its own opens: from_generator,
from_tensor_slices, range, names of files that a map reads; or shard() by host
behind the stages that read and parse.
Why: FILE gives each host some of the files that a reader opens. Without such it
stops with an error; AUTO warns and falls back to DATA, where each host makes all
items and drops those of the others. shard() keeps one item of N that reach it:
behind interleave or map each host has read and parsed all.
Remedy: AutoShardPolicy.DATA where each host can afford to make all items; else
shard by host before shuffle, with distribute_datasets_from_function; shard()
first, over the names of files, and at least as many files as hosts.
Ignore: on one host, where nothing is shared and the warnings of TensorFlow are
noise: the rule is silent there.
Numbers: the hosts of the target: 4 chips each, and one for the smallest slice.
The cost is the simulated input of a host that makes its part alone.
Sources: tensorflow#42146, #55474, #53156, #66851, maxtext#3807.)",
};

// What the step takes less where each host makes its part of the items alone.
void AddCost(const Facts& facts, const Pipeline& pipeline, const Pipeline& sharing,
             Finding& found) {
  found.cost.unknown = WhyNoLoop(facts, pipeline);
  if (!found.cost.unknown.empty()) return;
  const Seconds step = facts.loop->step;
  found.cost = WallCost(std::max(Seconds{}, step - facts.session.LoopFedBy(sharing).step), step);
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

// What each of so many hosts does with the whole data before the shard.
std::string WorkBefore(const Pipeline& pipeline, size_t shard) {
  std::string work;
  for (size_t i = 0; i < shard; ++i) {
    const Stage& stage = pipeline.stages[i];
    if (!IsOneOf(stage.kind, {StageKind::kInterleave, StageKind::kFlatMap, StageKind::kMap,
                              StageKind::kRecordFiles})) {
      continue;
    }
    work += (work.empty() ? "" : " and ") + NameOfStage(stage);
  }
  return work;
}

// How many parts the call makes; 0: not known to be one for each host. Parts that a number gives
// are those of a split into training and evaluation as well.
int64_t PartsOf(const Facts& facts, const Stage& shard) {
  const SourceCall* call = CallAt(facts.workload.facts, shard.location);
  const SourceArgument* parts = call == nullptr ? nullptr : ArgumentOf(*call, 0, "num_shards");
  if (parts == nullptr) return 0;
  constexpr std::string_view kWords[] = {"process_count", "host",   "input_pipelines",
                                         "world_size",    "worker", "replica"};
  const bool by_host = std::ranges::any_of(
      kWords, [&](std::string_view word) { return Contains(parts->text, word); });
  if (!by_host) return 0;
  const bool known = shard.amount.kind == Count::Kind::kValue;
  return known ? shard.amount.value : facts.target.hosts();
}

void CheckShard(const Facts& facts, const Pipeline& pipeline, size_t index, Sink& sink) {
  const Stage& shard = pipeline.stages[index];
  const int64_t parts = PartsOf(facts, shard);
  const std::string work = WorkBefore(pipeline, index);
  if (parts < 2 || work.empty()) return;
  const Stage& source = pipeline.stages.front();
  const std::optional<int64_t> files = source.files;
  std::string few;
  if (files && *files % parts != 0) {
    few = fmt::format("; {} {} do not divide among {} hosts", FormatCount(*files),
                      *files == 1 ? "file" : "files", FormatCount(parts));
  }
  Finding& found = sink.Report(
      shard.location,
      "shard() stands behind {}, so that each of {} hosts reads and makes all items and throws "
      "{} of {} away{}; expected it first, over the names of files",
      work, FormatCount(parts), FormatCount(parts - 1), FormatCount(parts), few);
  AddCost(facts, pipeline, With(pipeline, MovingStage(pipeline, index, 1)), found);
  found.fix.text = fmt::format(
      "move shard() in front of {}{}", NameOfStage(pipeline.stages[1]),
      few.empty() ? ""
                  : fmt::format(", and write the data to at least {} files (or a multiple of it)",
                                FormatCount(parts)));
}

// Why the hosts cannot share the files of such a source.
std::string WhyNotByFile(const Stage& source) {
  if (source.kind == StageKind::kListFiles) return "whose files no reader of its own opens";
  if (!source.files) return "which has no files";
  return fmt::format("which is {} file{}", FormatCount(*source.files),
                     *source.files == 1 ? "" : "s");
}

void CheckPolicy(const Facts& facts, Sink& sink) {
  const Workload& workload = facts.workload;
  const SourceFacts& source = workload.facts;
  if (!source.tpu_strategy || facts.target.hosts() < 2) return;
  const Pipeline* pipeline = workload.training_pipeline();
  if (pipeline == nullptr || pipeline->host_share != HostShare::kDropping) return;
  if (!Distributes(source) && !workload.host_loop.fit.known()) return;
  const Policy policy = PolicyOf(source);
  if (policy.name != "FILE" && policy.name != "AUTO") return;
  const Stage& first = pipeline->stages.front();
  if (!first.location.known() || !IsSource(first.kind)) return;
  Finding& found = sink.Report(
      policy.location.known() ? policy.location : first.location,
      "the data set comes from {}, {}, and the shard policy of {} hosts is {}{}; "
      "expected DATA",
      StageName(first.kind), WhyNotByFile(first), facts.target.hosts(), policy.name,
      policy.name == "AUTO" ? ": each of them makes all items and drops those of the others" : "");
  if (policy.name == "AUTO") {
    found.severity = Severity::kInfo;
    Pipeline sharing = *pipeline;
    sharing.host_share = HostShare::kPart;
    AddCost(facts, *pipeline, sharing, found);
  } else {
    found.cost.unknown = "the program stops with an error";
  }
  found.fix.text =
      "set options.experimental_distribute.auto_shard_policy to "
      "tf.data.experimental.AutoShardPolicy.DATA";
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    for (size_t i = 1; i < pipeline->stages.size(); ++i) {
      if (pipeline->stages[i].kind == StageKind::kShard) CheckShard(facts, *pipeline, i, sink);
    }
  }
  CheckPolicy(facts, sink);
}

}  // namespace

TW_RULE(DI009)

}  // namespace tilewise::DI009

// Tells how often a run goes over its data.

#include "advice/run_length.h"

#include <vector>

#include "session/session.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

// fit() without epochs runs one, unless a loop calls it again.
bool RunsOneEpoch(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  if (host.framework != Framework::kKeras || host.epochs.present()) return false;
  const SourceFacts& source = facts.workload.facts;
  const SourceCall* const fit = CallAt(source, host.fit);
  return fit != nullptr && LoopAround(source, fit->context) < 0 &&
         FunctionAround(source, fit->context) < 0;
}

// How often the data are repeated before the last of them; nullopt: there is no last.
std::optional<double> RepeatsOf(const Workload& workload) {
  const Pipeline* const pipeline = workload.training_pipeline();
  std::optional<double> times = 1;
  if (pipeline == nullptr) return times;
  for (const Stage& stage : pipeline->stages) {
    const bool counts = stage.amount.kind == Count::Kind::kValue && stage.amount.value > 0;
    // What is taken of endless data has an end, and is the data then.
    if (stage.kind == StageKind::kTake && counts) times = 1;
    if (stage.kind != StageKind::kRepeat) continue;
    times = times && counts ? std::optional(*times * static_cast<double>(stage.amount.value))
                            : std::nullopt;
  }
  return times;
}

// How often the run goes over its data.
std::optional<double> EpochsOfRun(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  if (RunsOneEpoch(facts)) return 1;
  if (host.one_pass) return RepeatsOf(facts.workload);
  if (host.epochs.kind != Count::Kind::kValue || host.epochs.value < 1) return std::nullopt;
  return static_cast<double>(host.epochs.value);
}

}  // namespace

std::optional<int64_t> RoundsOf(const SourceFacts& source, int32_t loop) {
  const int32_t at = source.contexts[loop].call;
  if (at < 0) return std::nullopt;
  const SourceCall& over = source.calls[at];
  if (LastName(over.name) != "range" || over.arguments.size() != 1) return std::nullopt;
  const SourceArgument& rounds = over.arguments[0];
  const std::vector<int64_t>& count = rounds.sizes.empty() ? rounds.integers : rounds.sizes;
  return count.size() == 1 ? std::optional(count[0]) : std::nullopt;
}

bool PassesOnce(const Facts& facts) { return EpochsOfRun(facts) == 1; }

}  // namespace tilewise

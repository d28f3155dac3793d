// Flags callbacks that act on batches while an execution runs several.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL004",
    .name = "spe-callback-conflict",
    .summary = "a callback acts on batches but is called once per execution",
    .doc = R"(
What: steps_per_execution is N > 1 and a callback overrides on_*_batch_* hooks,
or counts batches: ModelCheckpoint(save_freq=n), TensorBoard(update_freq=n).
Why: Keras calls batch hooks once per execution. A learning rate that is set
per batch moves N times more slowly, times that are taken per batch are those
of N, counters are N times too small.
Remedy: work on epochs, or count with the batch number that the hook is given;
a schedule belongs into the optimizer, where it runs on the device.
Ignore: callbacks that read steps_per_execution, and intervals that are
multiples of it.
Sources: Keras trainer; published measurements of steps_per_execution.)",
};

constexpr std::string_view kHooks[] = {"on_batch_begin", "on_batch_end", "on_train_batch_begin",
                                       "on_train_batch_end"};

// The batch hooks of a class in the files.
std::vector<std::string> HooksOf(const SourceFacts& facts, const std::string& name) {
  std::vector<std::string> hooks;
  for (const SourceContext& method : facts.contexts) {
    if (method.kind != ContextKind::kFunction || method.parent < 0) continue;
    const SourceContext& owner = facts.contexts[method.parent];
    if (owner.kind != ContextKind::kClass || owner.name != name) continue;
    if (IsOneOf(method.name, kHooks)) {
      hooks.push_back(method.name);
    }
  }
  return hooks;
}

// Somewhere the script reads the number: a callback may count with it.
bool ReadsSteps(const Workload& workload) {
  const auto reads = [](std::string_view text) {
    return Contains(text, ".steps_per_execution") || Contains(text, "._steps_per_execution");
  };
  return std::ranges::any_of(workload.files,
                             [&](const SourceFile& file) { return reads(file.text); });
}

// The number of batches that a callback of Keras counts to.
std::optional<int64_t> IntervalOf(const SourceFacts& facts, const Callback& callback) {
  for (const SourceCall& call : facts.calls) {
    if (call.location.line != callback.location.line ||
        call.location.file != callback.location.file ||
        call.location.cell != callback.location.cell || LastName(call.name) != callback.name) {
      continue;
    }
    for (const char* keyword : {"save_freq", "update_freq"}) {
      const SourceArgument* given = ArgumentOf(call.arguments, keyword);
      if (given != nullptr && given->integers.size() == 1) {
        return given->integers[0];
      }
    }
  }
  return std::nullopt;
}

void ReportCallback(const Facts& facts, const Callback& callback, int64_t steps, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const std::optional<int64_t> interval = IntervalOf(source, callback);
  if (interval && *interval > 0 && *interval % steps == 0) return;
  const std::vector<std::string> hooks = HooksOf(source, callback.name);
  const std::string what =
      interval
          ? fmt::format("counts to {} batches", *interval)
          : fmt::format("acts on batches{}{}", hooks.empty() ? "" : " in ", fmt::join(hooks, ", "));
  Finding& found =
      sink.Report(callback.location.known() ? callback.location : facts.workload.host_loop.fit,
                  "{} {}, but with steps_per_execution {} it is called once per {} batches; "
                  "expected a callback that works on epochs or on multiples of {}",
                  callback.name, what, steps, steps, steps);
  found.cost.unknown = "it changes what the callback sees, not how long a step takes";
  found.fix.text =
      interval
          ? fmt::format("make the interval of {} a multiple of {} batches", callback.name, steps)
          : fmt::format(
                "move what {} does to epoch hooks, or to the optimizer's learning rate schedule",
                callback.name);
}

void Check(const Facts& facts, Sink& sink) {
  const HostLoop& host = facts.workload.host_loop;
  const Count& steps = host.steps_per_execution;
  if (steps.kind != Count::Kind::kValue || steps.value < 2) return;
  if (!facts.training || host.framework != Framework::kKeras) return;
  if (ReadsSteps(facts.workload)) return;
  for (const Callback& callback : host.callbacks) {
    if (callback.per_batch) ReportCallback(facts, callback, steps.value, sink);
  }
}

}  // namespace

TW_RULE(HL004)

}  // namespace tilewise::HL004

// Flags values that are brought to the host in every step of a loop.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL006 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL006",
    .name = "per-step-fetch",
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "each step of the loop waits for a value of the device",
    .doc = R"(
What: a training loop that calls float(loss), loss.item(), loss.numpy(),
jax.device_get(metrics), print(loss) or a logger with the loss in every step,
under no condition.
Why: steps are dispatched ahead: while the device runs one, the host prepares
the next. A value that is needed on the host makes it wait for the step's end,
and the device waits for the host until the next dispatch.
Remedy: keep the values on the device (a list, a running sum) and read them
every N steps, or hand them to a callback that runs later
(xm.add_step_closure).
Ignore: loops of a few rounds, evaluation, and values that decide what the next
step is.
Numbers: with a model read and a TensorFlow loop, the host's dispatch of an
execution, which no longer overlaps; else how long the host takes between two
steps is not in the files.
Sources: PyTorch/XLA's causes of slow loops (more than 0.5 transfers per
step), lightning#15884.)",
};

// A part of a call that is a fetch itself: print(float(loss)).
bool IsPartOf(const SourceFacts& facts, const SourceCall& call,
              const std::vector<const SourceCall*>& fetches) {
  for (int32_t at = call.outer; at >= 0; at = facts.calls[at].outer) {
    const SourceCall* outer = &facts.calls[at];
    if (std::ranges::find(fetches, outer) != fetches.end()) return true;
  }
  return false;
}

std::vector<const SourceCall*> FetchesIn(const SourceFacts& facts, const StepLoop& loop) {
  std::vector<const SourceCall*> fetches;
  for (const SourceCall& call : facts.calls) {
    if (!IsInside(facts, call.context, loop.loop)) continue;
    if (!RunsEachTime(facts, call.context, loop.loop)) continue;
    if (!Fetches(call, loop.on_device)) continue;
    if (IsPartOf(facts, call, fetches)) continue;
    fetches.push_back(&call);
  }
  return fetches;
}

// Where the call is; of one in a condition, where that starts: the condition is
// the cause.
Location LocationOf(const SourceFacts& facts, const SourceCall& call) {
  for (const SourceContext& branch : facts.contexts) {
    if (branch.kind != ContextKind::kIf && branch.kind != ContextKind::kWhile) {
      continue;
    }
    const Location& start = branch.location;
    const auto length = static_cast<int32_t>(branch.text.size());
    if (start.file == call.location.file && start.cell == call.location.cell &&
        start.line == call.location.line && start.column <= call.location.column &&
        call.location.column < start.column + length) {
      return start;
    }
  }
  return call.location;
}

std::string Written(const SourceCall& call) {
  const std::string_view last = LastName(call.name);
  if (!call.receiver.empty() && call.receiver.size() < 40) {
    return fmt::format("{}.{}()", call.receiver, last);
  }
  const std::string& argument =
      call.arguments.empty() ? std::string() : call.arguments.front().text;
  return argument.size() < 40 ? fmt::format("{}({})", last, argument)
                              : fmt::format("{}(...)", last);
}

std::string Others(const std::vector<const SourceCall*>& fetches) {
  std::string text;
  for (size_t i = 1; i < fetches.size() && i < 4; ++i) {
    text += fmt::format("{}{}", i == 1 ? ", also at " : ", ",
                        LineText(fetches[i]->location, fetches[0]->location));
  }
  if (fetches.size() > 4) text += fmt::format(" and {} more", fetches.size() - 4);
  return text;
}

void AddCost(const Facts& facts, Finding& found) {
  const HostLoop& host = facts.workload.host_loop;
  if (facts.model == nullptr || host.framework != Framework::kCustomLoop) {
    found.cost.unknown =
        "how long the host takes between two steps, while the device waits, is not in the files";
    return;
  }
  found.cost.time_per_step = facts.target.host.runtime(FrameworkName(host.framework)).per_execution;
  found.cost.of_wall_step = true;
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsTpuProgram(source)) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    if (loop.driver == StepDriver::kTrainOnBatch || loop.several) continue;
    const std::vector<const SourceCall*> fetches = FetchesIn(source, loop);
    if (fetches.empty()) continue;
    Finding& found =
        sink.Report(LocationOf(source, *fetches.front()),
                    "{} waits for the device in every step of the loop at {}{}; expected a value "
                    "to be read every N steps",
                    Written(*fetches.front()), LineText(loop.location, fetches.front()->location),
                    Others(fetches));
    AddCost(facts, found);
    found.fix.text =
        loop.driver == StepDriver::kTorchXla
            ? "read it every N steps, or hand it to xm.add_step_closure"
            : "keep it on the device and read it every N steps, behind `if step % N == 0`";
  }
}

}  // namespace

TW_RULE(HL006)

}  // namespace tilewise::HL006

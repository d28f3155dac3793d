// Flags values that are brought to the host in every step of a loop.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/cpp/api_calls.h"
#include "rules/host_loop/called_fetch.h"
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
What: a training loop, or a function that is one step, that calls float(loss),
loss.item(), loss.cpu(), loss.numpy(), jax.device_get(metrics), print(loss) or a
logger with the loss or the result of a metric in every step: under no condition,
or in all branches of one; also through a function of the program that is given
the loss and prints it. The first of a loop is reported, with the lines of the
others. A program of PyTorch or TensorFlow that is not ported yet is read as one
that runs on XLA.
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

// The other branch of a condition: what runs where this one does not; -1: none.
int32_t OtherBranch(const SourceFacts& facts, int32_t branch) {
  const SourceContext& here = facts.contexts[branch];
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    const SourceContext& other = facts.contexts[i];
    const bool opposite = (here.kind == ContextKind::kIf && other.kind == ContextKind::kElse) ||
                          (here.kind == ContextKind::kElse && other.kind == ContextKind::kIf);
    if (opposite && other.parent == here.parent && other.location == here.location) {
      return static_cast<int32_t>(i);
    }
  }
  return -1;
}

// Whether one of `fetches` runs whenever `outer` does.
bool HasOneEachTime(const SourceFacts& facts, const std::vector<const SourceCall*>& fetches,
                    int32_t outer);

// Whether the fetch at `context` does, or one of each other branch on the way.
bool IsInAllBranches(const SourceFacts& facts, const std::vector<const SourceCall*>& fetches,
                     int32_t context, int32_t outer) {
  for (; context != outer; context = facts.contexts[context].parent) {
    if (context < 0) return false;
    if (RunsEachTime(facts, context, facts.contexts[context].parent)) continue;
    const ContextKind kind = facts.contexts[context].kind;
    if (kind != ContextKind::kIf && kind != ContextKind::kElse) return false;
    const int32_t other = OtherBranch(facts, context);
    // The first of `if`, `elif` and `else` is looked at from the others.
    if (other < 0 || !HasOneEachTime(facts, fetches, other)) return false;
  }
  return true;
}

bool HasOneEachTime(const SourceFacts& facts, const std::vector<const SourceCall*>& fetches,
                    int32_t outer) {
  return std::ranges::any_of(fetches, [&](const SourceCall* fetch) {
    if (!IsInside(facts, fetch->context, outer)) return false;
    int32_t at = fetch->context;
    for (; at != outer; at = facts.contexts[at].parent) {
      if (RunsEachTime(facts, at, facts.contexts[at].parent)) continue;
      const ContextKind kind = facts.contexts[at].kind;
      if (kind != ContextKind::kIf) return false;
      const int32_t other = OtherBranch(facts, at);
      if (other < 0 || !HasOneEachTime(facts, fetches, other)) return false;
    }
    return true;
  });
}

// A tensor's method that gives a number or an array of the host.
bool FetchesTensor(const SourceCall& call, const std::vector<std::string>& names) {
  const std::string_view last = LastName(call.name);
  const bool to_host = last == "to" && !call.arguments.empty() &&
                       std::ranges::any_of(call.arguments, [](const SourceArgument& argument) {
                         return argument.name == "torch.kCPU";
                       });
  return !call.receiver.empty() &&
         (last == "item" || last == "cpu" || last == "tolist" || to_host) &&
         ReadsValue(call.receiver, call.receiver_names, names);
}

// `loss = loss.item()` stands before the call in the loop: what it reads then is
// a number.
bool IsFetchedBefore(const SourceFacts& facts, const StepLoop& loop, const SourceCall& call) {
  return std::ranges::any_of(facts.assignments, [&](const SourceAssignment& assignment) {
    if (!(assignment.location < call.location) || assignment.call < 0) return false;
    if (!IsInside(facts, assignment.context, loop.loop)) return false;
    const SourceCall& fetch = facts.calls[assignment.call];
    if (&fetch == &call || !IsHostConversion(fetch)) return false;
    return HaveCommon(assignment.targets, call.receiver_names) ||
           std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
             return HaveCommon(assignment.targets, argument.names);
           });
  });
}

// Whether a call that reads or logs values is given the result of a metric, however long its text
// is: print("loss {}".format(mean.result())).
bool TakesMetric(const SourceFacts& facts, const SourceCall& call) {
  if (!Waits(call)) return false;
  return std::ranges::any_of(facts.calls, [&](const SourceCall& inner) {
    if (LastName(inner.name) != "result" || inner.receiver.empty() || !inner.arguments.empty()) {
      return false;
    }
    int32_t at = inner.outer;
    while (at >= 0 && &facts.calls[at] != &call) at = facts.calls[at].outer;
    return at >= 0;
  });
}

// Whether the call is to be looked into: not the step, whose values stay where they are.
bool MayFetchInside(const SourceCall& call, const StepLoop& loop) {
  return &call != loop.call && !IsOneOf(call.name, loop.on_device) &&
         !HaveCommon(call.results, loop.on_device);
}

std::vector<const SourceCall*> FetchesIn(const SourceFacts& facts, const TracedFunctions& traced,
                                         const StepLoop& loop) {
  const int32_t function = loop.is_function ? loop.loop : FunctionAround(facts, loop.loop);
  std::vector<const SourceCall*> all;
  for (const SourceCall& call : facts.calls) {
    if (!IsInside(facts, call.context, loop.loop)) continue;
    if (FunctionAround(facts, call.context) != function) continue;
    const bool fetches = Fetches(call, loop.on_device) || FetchesTensor(call, loop.on_device) ||
                         FetchesTensor(call, loop.maybe_on_device) || TakesMetric(facts, call);
    const bool inside = !fetches && MayFetchInside(call, loop) &&
                        FetchInCalled(facts, traced, call, loop.on_device) != nullptr;
    if (!fetches && !inside) continue;
    if (IsFetchedBefore(facts, loop, call)) continue;
    all.push_back(&call);
  }
  const std::vector<const SourceCall*> with_parts = all;
  std::erase_if(all, [&](const SourceCall* call) { return IsPartOf(facts, *call, with_parts); });
  std::vector<const SourceCall*> fetches;
  for (const SourceCall* call : all) {
    if (IsInAllBranches(facts, all, call->context, loop.loop)) fetches.push_back(call);
  }
  return fetches;
}

// Returns where the call is. A call in a condition gives the start of the condition, which is the
// cause.
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

std::string Written(const SourceCall& call, const std::vector<std::string>& on_device) {
  const std::string_view last = LastName(call.name);
  if (!call.receiver.empty() && call.receiver.size() < 40) {
    return fmt::format("{}.{}()", call.receiver, last);
  }
  std::string argument;
  for (const SourceArgument& each : call.arguments) {
    if (!ReadsValue(each.text, each.names, on_device)) continue;
    argument = each.keyword.empty() ? each.text : each.keyword + "=" + each.text;
    break;
  }
  return !argument.empty() && argument.size() < 40 ? fmt::format("{}({})", last, argument)
                                                   : fmt::format("{}(...)", last);
}

void AddCost(const Facts& facts, Finding& found) {
  const HostLoop& host = facts.workload.host_loop;
  const bool is_known = host.framework == Framework::kCustomLoop || RunsAhead(host.framework);
  if (facts.model == nullptr || !is_known) {
    found.cost.unknown =
        "how long the host takes between two steps, while the device waits, is not in the files";
    return;
  }
  const HostRuntime& runtime = facts.target.host.runtime(FrameworkName(host.framework));
  // A loop that runs ahead of the device loses its lead: each step's start shows.
  const Seconds time = RunsAhead(host.framework) ? runtime.per_step : runtime.per_execution;
  found.message += fmt::format("; the next step starts {} later ({} host)", FormatSeconds(time),
                               facts.target.host.name);
  found.cost.time_per_step = time;
  found.cost.of_wall_step = true;
}

std::string_view Remedy(const StepLoop& loop, bool is_torch_xla) {
  if (loop.driver == StepDriver::kTorch && !is_torch_xla)
    return "keep it a tensor (loss.detach()) and read it every N steps";
  return loop.driver == StepDriver::kTorch
             ? "keep it a tensor (loss.detach()) and read it every N steps, or hand it to "
               "xm.add_step_closure"
             : "keep it on the device and read it every N steps, behind `if step % N == 0`";
}

void Report(const Facts& facts, const TracedFunctions& traced, const StepLoop& loop,
            const std::vector<const SourceCall*>& fetches, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const SourceCall& fetch = *fetches.front();
  const Location location = LocationOf(source, fetch);
  const bool ported = loop.driver != StepDriver::kTorch || IsTorchXla(source);
  const SourceCall* inside = FetchInCalled(source, traced, fetch, loop.on_device);
  Finding& found = sink.Report(
      location, "{} waits for the device in {}{}{}; expected a value to be read every N steps",
      Written(fetch, loop.on_device), EachStepOf(source, loop, location),
      inside == nullptr ? "" : ", where it is read at " + LineText(inside->location, location),
      ported ? "" : ": on XLA it also cuts the graph there");
  AddCost(facts, found);
  std::vector<Location> places;
  places.reserve(fetches.size());
  for (const SourceCall* other : fetches) places.push_back(other->location);
  found.message += OtherLines(places);
  found.fix.text = Remedy(loop, IsTorchXla(source) && !IsCpp(facts.workload));
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!MayRunOnXla(source) && !Imports(source, "tensorflow")) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  const TracedFunctions traced(source, compiled);
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    if (loop.driver == StepDriver::kTrainOnBatch || loop.several) continue;
    const std::vector<const SourceCall*> fetches = FetchesIn(source, traced, loop);
    // The first one waits, whatever the others do: a loop is one cause.
    if (!fetches.empty()) Report(facts, traced, loop, fetches, sink);
  }
}

}  // namespace

TW_RULE(HL006)

}  // namespace tilewise::HL006

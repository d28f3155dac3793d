// Flags timings that measure compilation, or only the dispatch.

#include <algorithm>

#include <fmt/format.h>

#include "rules/host_loop/compiled_functions.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL009 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL009",
    .name = "unwarmed-measurement",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a time is taken of the first run, or before the device is done",
    .no_cost = "it is the measurement that is wrong, not the step",
    .doc = R"(
What: a compiled function that is timed in its first call; one that is timed
without waiting for its result; a profile that starts at the first batch.
Why: the first call compiles, which takes seconds to minutes, and the first
executions after it are slow as well. JAX and PyTorch/XLA return before the
device is done, so that a time without a wait is that of the dispatch.
Remedy: call once before the clock starts, and wait for the result before it
stops (block_until_ready, device_get). profile_batch=(10, 20).
Ignore: when the whole wall time is wanted, compilation included: names with
"compile" are taken as that.
Numbers: none: it is the measurement that is wrong.
Sources: published measurements of steps_per_execution (the first fit() is
abnormally slow), JAX's guide to benchmarking.)",
};

constexpr std::string_view kClocks =
    "time.time|time.perf_counter|time.monotonic|timeit.default_timer|time.perf_counter_ns|time."
    "time_ns";

bool IsClock(const SourceCall& call) { return IsOneOfWords(call.name, kClocks); }

// The calls of a file between the start of a clock and its next reading in the
// same block.
struct Timed {
  size_t first = 0;  // index of the clock's start
  size_t last = 0;   // of its reading
};

std::vector<Timed> TimedStretches(const SourceFacts& source) {
  std::vector<Timed> stretches;
  for (const SourceAssignment& start : source.assignments) {
    if (start.call < 0 || start.targets.size() != 1) continue;
    const size_t first = start.call;
    if (!IsClock(source.calls[first])) continue;
    for (size_t i = first + 1; i < source.calls.size(); ++i) {
      const SourceCall& call = source.calls[i];
      if (call.location.file != start.location.file || call.location.cell != start.location.cell) {
        break;
      }
      if (!IsClock(call)) continue;
      if (call.context == start.context) stretches.push_back({first, i});
      break;
    }
  }
  return stretches;
}

// A loop of a measurement holds the function, clocks and waits, not a training
// program around it.
bool IsSmall(const SourceFacts& source, const Timed& timed) {
  constexpr size_t kMostCalls = 8;
  return timed.last - timed.first <= kMostCalls &&
         std::none_of(source.calls.begin() + static_cast<int64_t>(timed.first),
                      source.calls.begin() + static_cast<int64_t>(timed.last),
                      [](const SourceCall& call) { return LastName(call.name) == "fit"; });
}

bool CalledBefore(const SourceFacts& source, const SourceCall& call, size_t before) {
  for (size_t i = 0; i < before; ++i) {
    if (source.calls[i].name == call.name) return true;
  }
  return false;
}

// "compile_time = ...": what the clock's reading is bound to or printed with.
bool MeasuresCompilation(const SourceFacts& source, const SourceCall& stop) {
  for (const SourceAssignment& assignment : source.assignments) {
    if (assignment.location.line != stop.location.line ||
        assignment.location.file != stop.location.file) {
      continue;
    }
    for (const std::string& target : assignment.targets) {
      if (Mentions(target, "compil") || Mentions(target, "warm") || Mentions(target, "total") ||
          Mentions(target, "first")) {
        return true;
      }
    }
  }
  for (int32_t at = stop.outer; at >= 0; at = source.calls[at].outer) {
    for (const SourceArgument& argument : source.calls[at].arguments) {
      if (Mentions(argument.text, "compil") || Mentions(argument.text, "first")) return true;
    }
  }
  return false;
}

void CheckStretch(const SourceFacts& source, const std::vector<CompiledFunction>& compiled,
                  const Timed& timed, Sink& sink) {
  if (!IsSmall(source, timed)) return;
  const SourceCall& start = source.calls[timed.first];
  const SourceCall& stop = source.calls[timed.last];
  const SourceCall* step = nullptr;
  const CompiledFunction* function = nullptr;
  bool waits = false;
  for (size_t i = timed.first + 1; i < timed.last; ++i) {
    const SourceCall& call = source.calls[i];
    waits = waits || Waits(call);
    if (step != nullptr) continue;
    function = CompiledBy(compiled, call.name);
    if (function != nullptr) step = &call;
  }
  if (step == nullptr || MeasuresCompilation(source, stop)) return;
  // The later rounds inside a loop are warm, and steps overlap on purpose.
  if (LoopAround(source, start.context) >= 0) return;
  if (!CalledBefore(source, *step, timed.first)) {
    sink.Report(start.location,
                "the clock starts before the first call of {}(), so that the time holds its "
                "compilation; expected a call before it",
                step->name)
        .fix.text =
        fmt::format("call {}() once and wait for it before the clock starts", step->name);
  } else if (!waits && function->compiler != ScriptCompiler::kTfFunction) {
    sink.Report(stop.location,
                "the clock stops without waiting for {}(), which returns before the device is "
                "done; expected block_until_ready()",
                step->name)
        .fix.text = function->compiler == ScriptCompiler::kTorchXla
                        ? "call xm.wait_device_ops() before the clock stops"
                        : "call jax.block_until_ready() on its result before the clock stops";
  }
}

// profile_batch=1, (1, 20), "1,20"
void CheckProfile(const SourceFacts& source, Sink& sink) {
  for (const SourceCall& call : source.calls) {
    if (LastName(call.name) != "TensorBoard") continue;
    const SourceArgument* batch = ArgumentOf(call.arguments, "profile_batch");
    if (batch == nullptr) continue;
    const bool first = !batch->integers.empty() ? batch->integers[0] == 1
                                                : batch->string.value_or("").starts_with("1,");
    if (!first) continue;
    sink.Report(call.location,
                "profile_batch={} profiles the first batch, which compiles the step; expected a "
                "later one",
                batch->text)
        .fix.text = "profile batches behind the warm-up: profile_batch=(10, 20)";
  }
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsTpuProgram(source)) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  for (const Timed& timed : TimedStretches(source)) {
    CheckStretch(source, compiled, timed, sink);
  }
  CheckProfile(source, sink);
}

}  // namespace

TW_RULE(HL009)

}  // namespace tilewise::HL009

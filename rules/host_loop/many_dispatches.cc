// Flags JAX loops that start many small programs besides the step.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL011 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL011",
    .name = "many-dispatches",
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a loop starts many small programs for each step",
    .doc = R"(
What: a loop of steps in JAX that calls four or more functions of the device
outside of its jitted step in each round: jnp.*, jax.random.*, other jitted
functions, or an optimizer's update and optax.apply_updates, which run an op for
each parameter.
Why: outside of jit each op is a program of its own, with its dispatch on the
host and its operands and result in HBM. When they take longer than the step the
device waits for them.
Remedy: put them into the jitted step (splitting keys, the update, metrics), or
run several steps in one call with lax.scan.
Ignore: when the step takes much longer than the dispatches, as those of one
step then overlap with the one before.
Numbers: how long a host takes to start a program, from its data file.
Sources: XProf (host-bound steps), JAX's guide to asynchronous dispatch.)",
    .thresholds = {{"min-dispatches", 4, "programs beside the step from which on it is said"}},
};

constexpr std::string_view kPackages[] = {"jax.numpy.", "jax.random.", "jax.lax.", "jax.nn."};
// They move data or make no program.
constexpr std::string_view kOthers =
    "array|asarray|device_put|shape|ndim|PRNGKey|key|key_data|float32|int32|bfloat16|dtype|finfo|"
    "issubdtype|iinfo|array_equal";

// Ops for each leaf of the state.
bool RunsForEachParameter(const SourceCall& call) {
  const std::string_view last = LastName(call.name);
  if (call.name == "optax.apply_updates") return true;
  const bool optimizer = Mentions(call.receiver, "opt") || call.receiver == "tx";
  return last == "update" && optimizer && call.arguments.size() >= 2 && call.results.size() >= 2;
}

bool Dispatches(const SourceCall& call, const std::vector<CompiledFunction>& compiled) {
  const std::string_view last = LastName(call.name);
  if (IsOneOfWords(last, kOthers)) return false;
  if (CompiledFor(compiled, call) != nullptr) return true;
  return std::ranges::any_of(
      kPackages, [&](std::string_view package) { return call.name.starts_with(package); });
}

struct Round {
  std::vector<const SourceCall*> small;
  const SourceCall* update = nullptr;
  bool has_step = false;  // a compiled function is called
};

// The loop around the rounds that gather gradients: what they do is done in each step.
int32_t OutOfAccumulation(const SourceFacts& source, int32_t context, int32_t loop) {
  const int32_t inner = LoopAround(source, context);
  const bool gathers =
      inner >= 0 && inner != loop && Mentions(source.contexts[inner].text, "accum");
  return gathers ? source.contexts[inner].parent : context;
}

Round RoundOf(const SourceFacts& source, const std::vector<CompiledFunction>& compiled,
              int32_t loop, const SourceCall* step) {
  Round round;
  for (const SourceCall& call : source.calls) {
    if (!IsInside(source, call.context, loop)) continue;
    if (!RunsEachTime(source, OutOfAccumulation(source, call.context, loop), loop)) continue;
    if (&call == step) continue;
    if (RunsForEachParameter(call)) {
      if (round.update == nullptr) round.update = &call;
    } else if (Dispatches(call, compiled)) {
      round.small.push_back(&call);
    }
    round.has_step = round.has_step || CompiledFor(compiled, call) != nullptr;
  }
  return round;
}

std::string HostTime(const Facts& facts) {
  constexpr std::string_view kFramework = "jax";
  const HostRuntime& runtime = facts.target.host.runtime(kFramework);
  if (runtime.framework != kFramework) return "";
  return fmt::format(", each about {} of the {} host", FormatSeconds(runtime.per_execution),
                     facts.target.host.name);
}

void Report(const Facts& facts, const Round& round, const StepLoop& loop, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const SourceCall& first = round.update != nullptr ? *round.update : *round.small.front();
  std::string what;
  if (round.update != nullptr) {
    what = fmt::format(
        "{}() runs outside of jit in {}, with a program for each op on each "
        "parameter{}",
        first.name, EachStepOf(source, loop, first.location), HostTime(facts));
  } else {
    std::string others;
    for (size_t i = 1; i < round.small.size() && i < 4; ++i) {
      others += fmt::format("{}{}", i == 1 ? "" : ", ", round.small[i]->name);
    }
    what = fmt::format("{} programs beside the step start in {} ({}, {}{}){}", round.small.size(),
                       EachStepOf(source, loop, first.location), first.name, others,
                       round.small.size() > 4 ? " ..." : "", HostTime(facts));
  }
  Finding& found = sink.Report(first.location, "{}; expected them in the jitted step", what);
  found.cost.unknown = "the device waits only where the dispatches take longer than the step";
  found.fix.text =
      round.update != nullptr
          ? "move the update and apply_updates into the jitted step"
          : "move them into the jitted step, or run several steps in one call with lax.scan";
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || !Imports(source, "jax")) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  const auto least = static_cast<size_t>(sink.threshold("min-dispatches"));
  std::set<const SourceCall*> said;  // of rounds within a step, the loops have it in common
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    const bool of_jax = loop.driver == StepDriver::kCompiled && loop.compiled != nullptr &&
                        IsJax(loop.compiled->compiler);
    if (!of_jax && loop.driver != StepDriver::kEager) continue;
    const SourceCall* const step = of_jax ? loop.call : nullptr;
    const Round round = RoundOf(source, compiled, loop.loop, step);
    if (round.update != nullptr && !said.insert(round.update).second) continue;
    if ((of_jax && round.small.size() >= least) || round.update != nullptr) {
      Report(facts, round, loop, sink);
    }
  }
}

}  // namespace

TW_RULE(HL011)

}  // namespace tilewise::HL011

// Flags programs that train on one of several cores.

#include <algorithm>

#include <fmt/format.h>

#include "advice/saving.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::DI005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI005",
    .name = "single-core-placement",
    .needs = {.training = true, .script = true},
    .summary = "one core trains while the others wait",
    .no_cost = "the step that all cores share was not simulated",
    .doc = R"(
What: training under tf.device("TPU:0") or a OneDeviceStrategy; a JAX loop whose
step is jitted and whose program names no mesh, sharding, pmap or shard_map; a
torch_xla program that starts no process per device and does not turn SPMD on;
a program of JAX or torch_xla that is seen to train on one device; with more
than one core in the target.
Why: what is put on one device runs there. A board has 4 chips, on v2 and v3
with two cores each; the others wait.
Remedy: a TPUStrategy; jit with a sharded batch (a Mesh and NamedSharding) or
pmap; torch_xla.launch or xr.use_spmd().
Ignore: tests and debugging; programs whose sharding is set up in other files.
Where no model was read, the finding is information.
Numbers: the step of the same global batch, simulated on one core and shared by
all cores of the slice (data parallel); not where the batch does not divide by
them. The summary of all fixes does not have it.
Sources: Cloud TPU guide; JAX's guide to parallel programming.)",
};

Finding& Add(const Facts& facts, const Location& location, const std::string& what, Sink& sink) {
  const int64_t cores = facts.target.slice_cores();
  Finding& found = sink.Report(
      location, "{}, so that {} of {} cores wait; expected all of them to share the batch", what,
      cores - 1, cores);
  // Without the model, the file may be one of a library whose callers share the batch.
  if (facts.model == nullptr) found.severity = Severity::kInfo;
  const std::optional<Saving> saving = SavingOfAllCores(facts);
  if (saving && saving->time_per_step > Seconds{}) {
    found.saving = saving;
    found.cost.time_per_step = saving->time_per_step;
    found.cost.of_wall_step = saving->of_wall_step;
  } else if (saving) {
    found.severity = Severity::kInfo;
    found.saving = saving;
    found.cost.unknown =
        "the step gains nothing when all cores share this batch (simulated), but a larger one may";
  }
  return found;
}

bool IsOneTpuCore(const SourceArgument& device) {
  const std::string text = device.string.value_or("");
  return Mentions(text, "tpu:0");
}

void CheckTensorflow(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const bool trains = std::ranges::any_of(source.calls, [](const SourceCall& call) {
    const std::string_view name = LastName(call.name);
    return name == "fit" || name == "apply_gradients" || name == "train_on_batch";
  });
  if (!trains || source.tpu_strategy) return;
  for (const SourceCall& call : source.calls) {
    const bool device =
        call.name == "tensorflow.device" || LastName(call.name) == "OneDeviceStrategy";
    if (!device || call.arguments.empty()) continue;
    if (!IsOneTpuCore(call.arguments.front())) continue;
    Finding& found = Add(facts, call.location,
                         fmt::format("the program trains on {}", call.arguments[0].text), sink);
    found.fix.text = "create the model under a tf.distribute.TPUStrategy";
  }
}

void CheckJax(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  // Running the program tells more than its text: sharding may be set up in other files.
  const std::optional<Location>& one_device = facts.workload.one_device;
  const bool of_jax =
      Imports(source, "jax") || facts.workload.host_loop.framework == Framework::kJax;
  if (!of_jax || Imports(source, "torch_xla") || NamesSharding(source)) return;
  if (facts.model != nullptr && !one_device) return;
  const auto report = [&](const Location& location, std::string_view what) {
    Finding& found = Add(
        facts, location,
        fmt::format("{} is jitted and the program names no mesh, sharding or pmap", what), sink);
    found.fix.text =
        "shard the batch over a jax.sharding.Mesh of all devices, and replicate the state";
  };
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    if (loop.driver != StepDriver::kCompiled || loop.compiled == nullptr ||
        loop.compiled->compiler != ScriptCompiler::kJaxJit || loop.compiled->function < 0) {
      continue;
    }
    return report(loop.call->location, fmt::format("{}()", loop.call->name));
  }
  if (one_device) report(*one_device, "the step");
}

void CheckTorch(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsTorchXla(source) || NamesLaunch(source)) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  const std::vector<StepLoop> loops = StepLoops(source, compiled);
  if (std::ranges::none_of(
          loops, [](const StepLoop& loop) { return loop.driver == StepDriver::kTorch; })) {
    return;
  }
  for (const SourceCall& call : source.calls) {
    if (LastName(call.name) != "xla_device" && call.name != "torch_xla.device") {
      continue;
    }
    Finding& found =
        Add(facts, call.location,
            "the program trains on one XLA device and starts no process per device", sink);
    found.fix.text =
        "run the training function with torch_xla.launch(), or turn SPMD on with xr.use_spmd()";
    return;
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.target.slice_cores() < 2) return;
  CheckTensorflow(facts, sink);
  CheckJax(facts, sink);
  CheckTorch(facts, sink);
}

}  // namespace

TW_RULE(DI005)

}  // namespace tilewise::DI005

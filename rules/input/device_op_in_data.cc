// Flags ops of the device in the code that makes examples and batches.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/host_loop/compiled_functions.h"
#include "rules/host_loop/data_code.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::IP023 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP023",
    .name = "device-op-in-data-code",
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "collate functions or data sets compute on the device",
    .no_cost = "how many examples a batch has and what fetching a value takes is not in the files",
    .doc = R"(
What: jnp.*, jax.ops.*, jax.random.*, jax.lax.* or a jitted function in a collate
function, a collator's __call__, __getitem__ of a data set, or what those call;
.to(device), .cuda() and tensors made on a device there; in a loop of steps the same
on the batch that a function of pmap is given.
Why: each such op is a program of its own that queues behind the training step,
and what NumPy or Python takes from it waits until it is done. The host cannot
prepare the next batch while the device works on this one, and worker processes
cannot use the device at all.
A batch that is reshaped on one device goes to it whole, and from there to the others.
Remedy: NumPy, or PyTorch on the CPU, in all code that makes data; one transfer
per batch, in the loop or by the loader.
Ignore: one conversion of a whole batch (jnp.asarray), which is not reported.
Numbers: what fetching a value takes depends on the step that it waits for.
Sources: transformers#13012 (5 times as fast with NumPy).)",
};

constexpr std::string_view kPackages[] = {"jax.numpy.", "jax.ops.", "jax.random.",
                                          "jax.lax.",   "jax.nn.",  "jax.image.",
                                          "jax.scipy.", "jax.vmap", "torch_xla."};
// They only move a batch, or ask for types and devices.
constexpr std::string_view kTransfers = "array|asarray|device_put";
constexpr std::string_view kNoOps =
    "dtype|shape|issubdtype|iinfo|finfo|float32|int32|bfloat16|process_index|process_count|"
    "get_ordinal|xrt_world_size|get_local_ordinal|world_size|global_ordinal|local_ordinal|"
    "is_master_ordinal|master_print|rendezvous|float16|int64|bool_|uint8";

bool IsOfDevice(const SourceArgument& argument) {
  const std::string text = argument.string.value_or(argument.text);
  if (Mentions(text, "cpu")) return false;
  return Mentions(text, "cuda") || Mentions(text, "xla") || text == "device" ||
         text == "self.device" || text == "args.device" || text == "DEVICE";
}

// .to(device), .cuda(), torch.tensor(x, device=device).
bool UsesTorchDevice(const SourceCall& call) {
  const std::string_view last = LastName(call.name);
  if (last == "cuda" && !call.receiver.empty()) return !call.name.starts_with("torch.");
  if (last == "to" && !call.receiver.empty() && !call.arguments.empty()) {
    return IsOfDevice(call.arguments[0]);
  }
  const SourceArgument* device = ArgumentOf(call.arguments, "device");
  return call.name.starts_with("torch.") && device != nullptr && IsOfDevice(*device);
}

bool IsDeviceOp(const SourceCall& call, const std::vector<CompiledFunction>& compiled,
                bool for_each) {
  const std::string_view last = LastName(call.name);
  if (IsOneOfWords(last, kNoOps)) return false;
  const bool of_package = std::ranges::any_of(
      kPackages, [&](std::string_view package) { return call.name.starts_with(package); });
  if (of_package || call.name == "jax.device_put") {
    return for_each || !IsOneOfWords(last, kTransfers);
  }
  if (UsesTorchDevice(call)) return true;
  return CompiledBy(compiled, call.name) != nullptr;
}

// The call's value goes to NumPy or Python at once.
bool IsReadBack(const SourceFacts& source, const SourceCall& call) {
  if (call.outer < 0) return false;
  const SourceCall& outer = source.calls[call.outer];
  return outer.name.starts_with("numpy.") || IsHostConversion(outer);
}

void Report(const SourceFacts& source, const DataCode& data,
            const std::vector<const SourceCall*>& ops, Sink& sink) {
  const SourceCall& first = *ops.front();
  const int32_t function = Around(source, first.context, ContextKind::kFunction);
  const std::string name =
      function < 0 ? "the mapped function" : source.contexts[function].name + "()";
  std::string others;
  for (size_t i = 1; i < ops.size() && i < 4; ++i) {
    others += fmt::format("{}{}", i == 1 ? ", also at " : ", ",
                          LineText(ops[i]->location, first.location));
  }
  if (ops.size() > 4) others += fmt::format(" and {} more", ops.size() - 4);
  const std::string called =
      first.receiver.empty() || first.name.starts_with("jax") || first.name.starts_with("torch")
          ? first.name
          : "." + std::string(LastName(first.name));
  Finding& found = sink.Report(
      first.location,
      "{}() in {} runs on the device for each {}{}: it queues behind the training step{}, so that "
      "data and training do not overlap; expected {} in code that makes data",
      called, name, data.RunsForEachItem(first.context) ? "example" : "batch", others,
      IsReadBack(source, first) ? " and its value is read back" : "",
      Imports(source, "jax") ? "NumPy" : "tensors of the CPU");
  found.fix.text = Imports(source, "jax")
                       ? "use NumPy here (np.random, np.bincount, np.add.at), and move the whole "
                         "batch to the device once"
                       : "leave the tensors on the CPU here, and move the whole batch in the loop "
                         "or with a MpDeviceLoader";
}

// A function that tf.data maps is traced once, and JAX computes then what the graph keeps as a
// constant; one that py_function() or numpy_function() calls runs each time.
bool IsTracedOnce(const SourceFacts& source, const SourceCall& call) {
  if (!call.in_dataset_function || !call.name.starts_with("jax.")) return false;
  if (!Imports(source, "tensorflow")) return false;
  const int32_t function = Around(source, call.context, ContextKind::kFunction);
  return std::ranges::none_of(source.calls, [&](const SourceCall& other) {
    if (!IsOneOfWords(LastName(other.name), "py_function|numpy_function|py_func")) return false;
    if (other.arguments.empty()) return false;
    return function < 0 || IsOneOf(source.contexts[function].name, other.arguments[0].names);
  });
}

// The call in the loop that makes an array of the batch on one device, which the step then takes;
// null: none.
const SourceCall* MakesBatch(const SourceFacts& source, const StepLoop& loop) {
  constexpr std::string_view kMakers =
      "jax.numpy.reshape|jax.numpy.array|jax.numpy.asarray|jax.numpy.stack|jax.numpy.transpose";
  const std::vector<std::string>& batch = source.contexts[loop.loop].targets;
  for (const SourceCall& call : source.calls) {
    if (!IsOneOfWords(call.name, kMakers) || call.arguments.empty()) continue;
    if (LoopAround(source, call.context) != loop.loop || !(call.location < loop.call->location))
      continue;
    if (!HaveCommon(call.arguments.front().names, batch)) continue;
    const bool taken = std::ranges::any_of(
        loop.call->arguments,
        [&](const SourceArgument& argument) { return HaveCommon(argument.names, call.results); });
    if (taken) return &call;
  }
  return nullptr;
}

// pmap divides the first dim of host arrays among the devices: what is on one of them already has
// to leave it again.
void CheckPmap(const SourceFacts& source, const std::vector<CompiledFunction>& compiled,
               Sink& sink) {
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    if (loop.driver != StepDriver::kCompiled || loop.compiled == nullptr) continue;
    if (loop.compiled->compiler != ScriptCompiler::kJaxPmap) continue;
    const SourceCall* call = MakesBatch(source, loop);
    if (call == nullptr) continue;
    Finding& found = sink.Report(
        call->location,
        "{}() puts the whole batch on one device, from which {}() then takes the part of each "
        "other one, in {}; expected NumPy here, so that each part goes from the host to its device",
        call->name, loop.call->name, EachStepOf(source, loop, call->location));
    found.fix.text =
        "use NumPy for the batch (np.reshape), and hand host arrays to the mapped function or to "
        "flax.jax_utils.prefetch_to_device";
  }
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || !MayRunOnXla(source)) return;
  CheckPmap(source, CompiledFunctions(source), sink);
  const DataCode data(source);
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  std::vector<std::vector<const SourceCall*>> by_function;
  for (const SourceCall& call : source.calls) {
    if (data.At(call.context) == DataPart::kNone && !call.in_dataset_function) continue;
    const bool for_each = data.RunsForEachItem(call.context);
    if (!IsDeviceOp(call, compiled, for_each) || IsTracedOnce(source, call)) continue;
    // The call speaks for its arguments.
    if (call.outer >= 0 && IsDeviceOp(source.calls[call.outer], compiled, for_each)) continue;
    const auto same = std::ranges::find_if(by_function, [&](const auto& calls) {
      return Around(source, calls.front()->context, ContextKind::kFunction) ==
             Around(source, call.context, ContextKind::kFunction);
    });
    if (same == by_function.end()) {
      by_function.push_back({&call});
    } else {
      same->push_back(&call);
    }
  }
  for (const auto& calls : by_function) Report(source, data, calls, sink);
}

}  // namespace

TW_RULE(IP023)

}  // namespace tilewise::IP023

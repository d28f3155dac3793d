// Flags a pipeline that never prefetches.

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "advice/pipeline_change.h"
#include "edit/python.h"
#include "rules/host_loop/step_loops.h"
#include "rules/input/feed.h"
#include "workload/blocks.h"

namespace tilewise::IP001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP001",
    .name = "no-prefetch",
    .fix = Applicability::kSafe,
    .summary = "the pipeline ends without prefetch",
    .doc = R"(
What: a batched pipeline without any prefetch stage; a loop of torch_xla that moves
each batch to the device itself, without a MpDeviceLoader; a step of JAX that is
given each batch as the host has it, which is named beside the findings alone
(RD006), as the runtime copies it while the step before runs.
Why: without prefetch the host prepares a batch while the device waits, and the
device computes while the host waits. A buffer lets both work at once.
Remedy: .prefetch(tf.data.AUTOTUNE) as the last stage; pl.MpDeviceLoader(loader,
device), which moves batches ahead in threads of its own and cuts the graph.
Ignore: a last stage with threads of its own (a parallel map or batch, map_and_batch) makes
elements ahead already. TensorFlow 2.13 and later put a prefetch behind a last stage that is
sequential; where the program pins such a release the finding is info. Written
out it depends neither on the release nor on the options.
Sources: tf.data performance guide, xprof.)",
};

// What the runtime may do by itself.
std::string_view InjectionNote(std::optional<bool> injected) {
  if (!injected) {
    return "; releases from 2.13 on may add it by themselves, written out it is sure";
  }
  return *injected ? "; this release adds it by itself, written out it does not depend on that"
                   : "; nothing adds it by itself here";
}

bool MovesAhead(const SourceFacts& source) {
  constexpr std::string_view kWords =
      "MpDeviceLoader|ParallelLoader|DeviceLoader|Accelerator|Trainer|Fabric";
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return IsOneOfWords(LastName(call.name), kWords);
  });
}

bool CutsGraph(const SourceFacts& source) {
  return std::ranges::any_of(source.calls, [](const SourceCall& call) {
    const std::string_view name = LastName(call.name);
    const SourceArgument* barrier = ArgumentOf(call, 1, "barrier");
    if (name == "optimizer_step") return barrier != nullptr && barrier->text != "False";
    return name == "mark_step" || call.name == "torch_xla.sync" || call.name == "torch_xla.step" ||
           call.name == "torch_xla.compile";
  });
}

// x.to(device) within the loop.
const SourceCall* TransferIn(const SourceFacts& source, int32_t loop) {
  for (const SourceCall& call : source.calls) {
    if (LastName(call.name) != "to" || call.arguments.empty()) continue;
    if (!Mentions(call.arguments[0].text, "dev") || !IsInside(source, call.context, loop)) continue;
    if (FunctionAround(source, call.context) == FunctionAround(source, loop)) return &call;
  }
  return nullptr;
}

void CheckTorch(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || !IsTorchXla(source) || MovesAhead(source)) return;
  if (!CutsGraph(source)) return;  // HL010 speaks
  for (const StepLoop& loop : StepLoops(source, CompiledFunctions(source))) {
    if (loop.driver != StepDriver::kTorch || loop.is_function) continue;
    if (source.contexts[loop.loop].kind != ContextKind::kFor) continue;
    const SourceCall* transfer = TransferIn(source, loop.loop);
    if (transfer == nullptr) continue;
    const SourceContext& context = source.contexts[loop.loop];
    Finding& found = sink.Report(
        transfer->location,
        "the loop over {} moves each batch to the device itself, so that the step waits for the "
        "transfer; expected a MpDeviceLoader, which moves batches ahead",
        context.text);
    found.cost.unknown = "how large a batch is is not in the files";
    found.fix.applicability = Applicability::kShow;
    found.fix.text =
        "loop over pl.MpDeviceLoader(loader, device) (torch_xla.distributed.parallel_loader) and "
        "drop the .to(device)";
  }
}

// Whether anything of the program puts batches on the device before they are needed.
bool PutsAhead(const SourceFacts& source) {
  constexpr std::string_view kWords =
      "prefetch_to_device|prefetch_to_mesh|prefetch_iterator|device_put|device_put_sharded|device_"
      "put_replicated|"
      "make_array_from_process_local_data|make_array_from_callback|"
      "make_array_from_single_device_arrays|host_local_array_to_global_array|DevicePrefetcher|"
      "Thread|ThreadPoolExecutor|Queue|create_input_iter";
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    // map(jax.device_put, batches)
    const bool given = std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
      return IsOneOfWords(LastName(argument.text), kWords);
    });
    return given || IsOneOfWords(LastName(call.name), kWords);
  });
}

// Whether the step is given what the loop goes over, or takes by next(..) where it counts.
bool TakesFromHost(const SourceFacts& source, const StepLoop& loop, bool counts) {
  const auto takes_next = [&](const SourceCall& call, const SourceArgument& given) {
    const bool next = call.name == "next" && IsInside(source, call.context, loop.loop);
    return next && (HaveCommon(given.names, call.results) || Contains(given.text, "next("));
  };
  return std::ranges::any_of(loop.call->arguments, [&](const SourceArgument& given) {
    if (!counts) return HaveCommon(given.names, source.contexts[loop.loop].targets);
    return std::ranges::any_of(source.calls,
                               [&](const SourceCall& call) { return takes_next(call, given); });
  });
}

// A step of JAX that is given what a loop takes from the host. The runtime copies it beside the
// step before, so that it is named alone.
void CheckJax(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || !Imports(source, "jax") || facts.loop == nullptr) return;
  if (facts.workload.training_pipeline() == nullptr || PutsAhead(source)) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    const bool of_jax = loop.driver == StepDriver::kCompiled && loop.compiled != nullptr &&
                        IsJax(loop.compiled->compiler);
    if (!of_jax || loop.is_function) continue;
    const SourceContext& context = source.contexts[loop.loop];
    const bool counts = Contains(context.text, "range(");
    if (context.kind != ContextKind::kFor || !TakesFromHost(source, loop, counts)) continue;
    Finding& found =
        sink.Report(context.location,
                    "{}() is given each batch as the host has it; expected batches that are moved "
                    "to the device ahead",
                    loop.call->name);
    found.severity = Severity::kInfo;
    found.cost = WallCost(facts.loop->transfer, facts.loop->step);
    found.too_small = "JAX copies it beside the step before";
    found.fix.applicability = Applicability::kShow;
    found.fix.text =
        "put the next batch on the device while this one trains: flax.jax_utils.prefetch_to_device,"
        " or jax.device_put in a generator that is one batch ahead";
    return;
  }
}

// Stages of no kind of their own have the name of their method: "apply".
std::string_view NameOfLast(const Stage& stage) {
  const std::string_view method = std::string_view(stage.text).substr(stage.text.rfind('.') + 1);
  return stage.kind == StageKind::kOther && !method.empty() ? method : StageName(stage.kind);
}

// Whether the last stage has threads of its own that make elements before they are asked for:
// parallel map and batch, and map_and_batch, whose stages have one location.
bool RunsAhead(const Pipeline& pipeline) {
  const Stage& last = pipeline.stages.back();
  if (!IsOneOf(last.kind, {StageKind::kMap, StageKind::kBatch, StageKind::kPaddedBatch}))
    return false;
  if (!PythonCall(last.function).empty()) return false;
  const bool fused = last.legacy.find("map_and_batch") != std::string::npos;
  return fused || (last.parallel_calls.present() && !last.parallel_calls.is(1));
}

// Whether the function that makes the pipeline prefetches what its last stage gives: on a condition
// that could not be told, as by an argument of its callers.
bool MayPrefetch(const SourceFacts& source, const Stage& last) {
  const SourceCall* const call = CallAt(source, last.location);
  if (call == nullptr) return false;
  const int32_t function = FunctionAround(source, call->context);
  return std::ranges::any_of(source.calls, [&](const SourceCall& other) {
    return LastName(other.name) == "prefetch" && call->location < other.location &&
           FunctionAround(source, other.context) == function &&
           HaveCommon(call->results, other.receiver_names);
  });
}

void Check(const Facts& facts, Sink& sink) {
  CheckTorch(facts, sink);
  CheckJax(facts, sink);
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    if (pipeline->batch() == nullptr) continue;
    if (FirstOf(*pipeline, {StageKind::kPrefetch}) || RunsAhead(*pipeline)) continue;
    const Stage& last = pipeline->stages.back();
    if (MayPrefetch(facts.workload.facts, last)) continue;
    const std::optional<bool> injected = ActsByDefault(*pipeline, "inject_prefetch");
    Finding& found = sink.Report(last.location,
                                 "the pipeline ends in {} without prefetch, expected one as its "
                                 "last stage, so that input and device overlap{}",
                                 NameOfLast(last), InjectionNote(injected));
    if (injected.value_or(false)) found.severity = Severity::kInfo;
    AddLoopFix(facts, *pipeline, EndingInPrefetch(*pipeline), found);
    const std::string tune = AutotuneIn(facts.workload, last.location.file);
    const std::string call = fmt::format(".prefetch({})", tune.empty() ? "tf.data.AUTOTUNE" : tune);
    found.fix.text = fmt::format("append {}", call);
    if (!tune.empty() && InOneBlock(facts, *pipeline->batch(), last)) {
      found.fix.edits = AppendCall(facts.workload, last.call, call);
    }
  }
}

}  // namespace

TW_RULE(IP001)

}  // namespace tilewise::IP001

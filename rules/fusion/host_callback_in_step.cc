// Flags steps that call back to the host.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise::FU001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "FU001",
    .name = "host-callback-in-step",
    .severity = Severity::kError,
    .fix = Applicability::kShow,
    .summary = "the compiled step calls back to the host",
    .no_cost = "how long the host takes to answer is not in the files",
    .doc = R"(
What: jax.debug.print or callback, io_callback, pure_callback, tf.print,
tf.py_function or tf.numpy_function in a function that is compiled for the
device; ops of a model file that print or run Python; in C++ transfers of an
XlaBuilder's program to and from the host (Outfeed, SendToHost).
Why: a callback is a point that nothing moves across: the program sends its
values to the host and, unless it is a debug print, waits for the answer. Under
SPMD a sharded value is gathered first. tf.print and Python functions have no
kernel on a TPU: they run on the host in the middle of the step.
Remedy: remove it, or gate it by the step so that it runs now and then.
Ignore: behind `if debug`, and behind lax.cond on the step's number.
Numbers: how long the host takes to answer is not in the files.
Sources: XProf's debug prints (5 %), jax#25842, tensorflow/tpu#797.)",
};

struct Callback {
  std::string_view name;
  bool prints;  // nothing waits for it
};
constexpr std::array kCallbacks = {
    Callback{"jax.debug.print", true},
    Callback{"jax.debug.callback", true},
    Callback{"jax.debug.breakpoint", false},
    Callback{"jax.pure_callback", false},
    Callback{"jax.experimental.io_callback", false},
    Callback{"jax.experimental.host_callback.id_print", true},
    Callback{"jax.experimental.host_callback.id_tap", true},
    Callback{"jax.experimental.host_callback.call", false},
    Callback{"tensorflow.print", true},
    Callback{"tensorflow.Print", true},
    Callback{"tensorflow.py_function", false},
    Callback{"tensorflow.numpy_function", false},
    Callback{"tensorflow.py_func", false},
};

const Callback* CallbackOf(const SourceCall& call) {
  const auto* found = std::ranges::find(kCallbacks, call.name, &Callback::name);
  return found == kCallbacks.end() ? nullptr : found;
}

// Returns whether a condition of the device or of Python is around it, so that
// it runs now and then.
bool IsGated(const SourceFacts& source, const SourceCall& call) {
  if (IsForDebugging(source, call.context)) return true;
  for (int32_t at = call.context; at >= 0; at = source.contexts[at].parent) {
    const SourceContext& here = source.contexts[at];
    if (here.kind == ContextKind::kIf || here.kind == ContextKind::kElse) {
      return true;
    }
    if (here.kind != ContextKind::kLambda && here.kind != ContextKind::kFunction) {
      continue;
    }
    // The function may be given to lax.cond or tf.cond by name or in place.
    for (const SourceCall& other : source.calls) {
      if (LastName(other.name) != "cond" && LastName(other.name) != "switch") {
        continue;
      }
      for (const SourceArgument& argument : other.arguments) {
        if (here.kind == ContextKind::kFunction && argument.name == here.name) {
          return true;
        }
        if (here.kind == ContextKind::kLambda && argument.text.starts_with("lambda") &&
            other.location.file == here.location.file &&
            other.location.cell == here.location.cell &&
            other.location.line <= here.location.line &&
            here.location.line <= other.location.line + 8) {
          return true;
        }
      }
    }
  }
  return false;
}

// Functions that frameworks trace themselves: methods of models and layers,
// the model function of an estimator, what strategy.run is given.
bool FrameworkTraces(const SourceFacts& source, int32_t context) {
  const int32_t function = Around(source, context, ContextKind::kFunction);
  if (function < 0) return false;
  const SourceContext& definition = source.contexts[function];
  if (definition.name == "model_fn") return true;
  for (const SourceCall& call : source.calls) {
    if (IsStrategyRun(call) && !call.arguments.empty() &&
        call.arguments.front().name == definition.name) {
      return true;
    }
  }
  if (definition.parent < 0) return false;
  const SourceContext& owner = source.contexts[definition.parent];
  if (owner.kind != ContextKind::kClass) return false;
  const bool model = std::ranges::any_of(owner.bases, [](const std::string& base) {
    const std::string_view last = LastName(base);
    return last == "Model" || last == "Layer" ||
           (last == "Module" &&
            (Contains(base, "flax") || Contains(base, "haiku") || Contains(base, "equinox")));
  });
  return model && (definition.name == "call" || definition.name == "__call__" ||
                   definition.name == "train_step" || definition.name == "compute_loss");
}

// The function around is one of those that run once per step.
bool RunsInSteps(const SourceFacts& source, int32_t context) {
  const int32_t function = Around(source, context, ContextKind::kFunction);
  if (function < 0) return false;
  const std::string& name = source.contexts[function].name;
  for (const char* word : {"step", "train", "loss", "call", "model_fn", "update", "forward"}) {
    if (Mentions(name, word)) return true;
  }
  return false;
}

void CheckScript(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source)) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  const TracedFunctions traced(source, compiled);
  for (const SourceCall& call : source.calls) {
    const Callback* callback = CallbackOf(call);
    if (callback == nullptr || call.in_dataset_function) continue;
    const bool tensorflow = call.name.starts_with("tensorflow.");
    const bool estimator = facts.workload.host_loop.framework == Framework::kTpuEstimator;
    if (tensorflow && !source.tpu_strategy && !estimator) continue;
    if (!traced.Covers(call.context) && !FrameworkTraces(source, call.context)) {
      continue;
    }
    if (IsGated(source, call)) continue;
    Finding& found = sink.Report(
        call.location, "{} in {}() {}; expected a step without callbacks", call.name,
        call.function.empty() ? "a step" : call.function,
        tensorflow         ? "has no kernel on a TPU and runs on the host in the middle of the step"
        : callback->prints ? "sends its values to the host in every step"
                           : "stops the step until the host has answered");
    if (!RunsInSteps(source, call.context)) {
      found.severity = Severity::kWarning;
    }
    found.fix.text = callback->prints
                         ? "remove it, or print values that the step returns, every N steps"
                         : "compute it on the device, or in the input pipeline";
    if (callback->prints && call.statement.begin < call.statement.end) {
      found.fix.edits = RemoveStatement(facts.workload, call.statement);
    }
  }
}

// These ops exchange values with the host while a program of XLA runs.
void CheckBuilders(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  for (const SourceCall& call : source.calls) {
    const bool sends = IsOneOfWords(call.name, "xla.Outfeed|xla.OutfeedWithToken|xla.SendToHost");
    if (!sends && call.name != "xla.RecvFromHost") continue;
    if (!IsCppPath(call.location.file) || IsGated(source, call)) continue;
    Finding& found = sink.Report(call.location, "{} in {}() {}; expected a step without callbacks",
                                 call.name, call.function.empty() ? "a step" : call.function,
                                 sends ? "sends its values to the host in every step"
                                       : "stops the step until the host has answered");
    found.severity = Severity::kWarning;
    found.fix.text = sends ? "return the values as results of the program, and fetch them every N "
                             "steps"
                           : "pass the values as arguments of the program";
  }
}

// Ops of a model file by the names it has for them.
void CheckModel(const Facts& facts, Sink& sink) {
  constexpr std::string_view kKinds[] = {"Print",           "PrintV2",     "PyFunc",
                                         "PyFuncStateless", "EagerPyFunc", "HostCompute",
                                         "XlaHostCompute"};
  for (const SourceOp& op : facts.workload.module.ops) {
    if (op.trait != OpTrait::kHost && op.trait != OpTrait::kOutsideCompilation) {
      continue;
    }
    const bool called = IsOneOf(op.kind, kKinds) || Mentions(op.kind, "callback") ||
                        op.kind == "outfeed" || op.kind == "send" || op.kind == "recv";
    if (!called || !op.reads_device || !op.location.known()) continue;
    Finding& found = sink.Report(
        op.location, "{} calls the host from within the step; expected a step without callbacks",
        op.kind);
    if (!facts.training) found.severity = Severity::kWarning;
    found.fix.text =
        fmt::format("remove {}, or move it to the input pipeline or behind the step", op.kind);
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckScript(facts, sink);
  CheckBuilders(facts, sink);
  CheckModel(facts, sink);
}

}  // namespace

TW_RULE(FU001)

}  // namespace tilewise::FU001

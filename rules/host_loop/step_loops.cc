// A step is a call in a loop that by its name or by what it is given trains.
// Conversions, prints and loggers take numbers; the rest of the calls leaves
// arrays where they are.

#include "rules/host_loop/step_loops.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advice/locations.h"
#include "advice/run_length.h"
#include "rules/host_loop/torch_steps.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

constexpr int64_t kFewRounds = 20;

constexpr std::string_view kNotTraining[] = {"eval",   "valid",   "test", "predict", "infer",
                                             "sample", "generat", "init", "warm",    "decode",
                                             "bench",  "encode",  "apply"};
constexpr std::string_view kTraining[] = {"train", "step", "update", "learn"};

bool MentionsOneOf(std::string_view text, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return Mentions(text, word); });
}

// Whether the call gets back what it was given: state, loss = f(state, batch).
bool Rebinds(const SourceCall& call) {
  return std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
    return !argument.text.empty() && IsOneOf(argument.text, call.results);
  });
}

bool Trains(const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  if (MentionsOneOf(name, kNotTraining)) return false;
  return MentionsOneOf(name, kTraining) || Rebinds(call);
}

// range(5), range(WARMUP), a loop in a function that measures.
bool IsShortOrMeasures(const SourceFacts& facts, int32_t loop) {
  const SourceContext& context = facts.contexts[loop];
  constexpr std::string_view kWords[] = {"warm", "bench", "repeat", "trial", "num_runs"};
  if (MentionsOneOf(context.text, kWords)) return true;
  const int32_t function = FunctionAround(facts, loop);
  if (function >= 0) {
    const std::string& name = facts.contexts[function].name;
    if (MentionsOneOf(name, kWords)) return true;
    // train_and_evaluate() trains.
    if (!Mentions(name, "train") && MentionsOneOf(name, kNotTraining)) {
      return true;
    }
  }
  const std::optional<int64_t> rounds = RoundsOf(facts, loop);
  return rounds && *rounds <= kFewRounds;
}

// Conversions and library calls whose results stay on the device.
bool StaysOnDevice(std::string_view name) {
  if (name == "jax.device_get" || name == "jax.block_until_ready") return false;
  return name.starts_with("jax.") || name.starts_with("tensorflow.") || name.starts_with("torch.");
}

void AddDerived(const SourceFacts& facts, StepLoop& found) {
  for (const SourceAssignment& assignment : facts.assignments) {
    if (!IsInside(facts, assignment.context, found.loop)) continue;
    if (FunctionAround(facts, assignment.context) != FunctionAround(facts, found.loop)) {
      continue;
    }
    if (!HaveCommon(assignment.names, found.on_device)) continue;
    if (assignment.call >= 0) {
      const SourceCall& call = facts.calls[assignment.call];
      if (!StaysOnDevice(call.name)) continue;
    } else if (Contains(assignment.text, "(") || Contains(assignment.text, ".shape")) {
      continue;  // something is called: it may fetch
    }
    for (const std::string& target : assignment.targets) {
      if (Contains(target, "[") || IsOneOf(target, found.on_device)) continue;
      found.on_device.push_back(target);
    }
  }
}

bool IsReduceOfStrategy(const SourceCall& call) {
  return LastName(call.name) == "reduce" && Mentions(call.receiver, "strategy");
}

// Results of the calls in the loop that are given one of `names`, and those.
std::vector<std::string> ResultsOfUsers(const SourceFacts& facts, int32_t loop,
                                        const std::vector<std::string>& names) {
  std::vector<std::string> results = names;
  for (const SourceCall& call : facts.calls) {
    if (!IsInside(facts, call.context, loop) || IsHostConversion(call)) continue;
    const bool uses = std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
      return IsOneOf(argument.text, names);
    });
    if (uses) results.insert(results.end(), call.results.begin(), call.results.end());
  }
  return results;
}

bool IsTape(const SourceContext& context) {
  return context.kind == ContextKind::kWith && context.name == "tensorflow.GradientTape";
}

// What the tapes in the loop record: tensors that eager ops have begun to compute.
std::vector<std::string> RecordedIn(const SourceFacts& facts, int32_t loop) {
  std::vector<std::string> names;
  for (const SourceAssignment& assignment : facts.assignments) {
    if (!IsInside(facts, assignment.context, loop)) continue;
    const int32_t tape = Around(facts, assignment.context, ContextKind::kWith);
    if (tape < 0 || !IsTape(facts.contexts[tape])) continue;
    names.insert(names.end(), assignment.targets.begin(), assignment.targets.end());
  }
  return names;
}

// Whether the call applies the gradients of a tape of the same loop.
bool AppliesTape(const SourceFacts& facts, const SourceCall& call) {
  if (LastName(call.name) != "apply_gradients" || IsForDebugging(facts, call.context)) return false;
  const int32_t loop = LoopAround(facts, call.context);
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    if (IsTape(facts.contexts[i]) && IsInside(facts, static_cast<int32_t>(i), loop)) return true;
  }
  return false;
}

// The function that is one step of PyTorch, with the call of backward() in it; -1: none.
int32_t StepFunctionOf(const SourceFacts& facts, const SourceCall& call) {
  if (!IsBackward(call) || LoopAround(facts, call.context) >= 0) return -1;
  const int32_t function = StepFunctionAround(facts, call.context);
  return function >= 0 && DrawsFigures(facts, function) ? -1 : function;
}

std::optional<StepLoop> StepAt(const SourceFacts& facts, const SourceCall& call,
                               const std::vector<CompiledFunction>& compiled,
                               const std::set<int32_t>& step_functions, bool torch) {
  StepLoop found;
  found.call = &call;
  found.loop = LoopAround(facts, call.context);
  if (found.loop < 0 && torch) {
    found.loop = StepFunctionOf(facts, call);
    found.is_function = true;
  }
  if (found.loop < 0 || IsShortOrMeasures(facts, found.loop)) {
    return std::nullopt;
  }
  found.location = facts.contexts[found.loop].location;
  found.compiled = CompiledFor(compiled, call);
  if (found.compiled != nullptr && Trains(call)) {
    found.driver = StepDriver::kCompiled;
  } else if (IsStrategyRun(call)) {
    found.driver = StepDriver::kStrategyRun;
  } else if (LastName(call.name) == "train_on_batch") {
    found.driver = StepDriver::kTrainOnBatch;
  } else if (torch && IsBackward(call)) {
    found.driver = StepDriver::kTorch;
    AddTorchResults(facts, found);
    return found;
  } else if (!step_functions.empty() &&
             step_functions.contains(DefinitionOf(facts, call.name, call.context))) {
    // What the function gives is on the device where the loop takes it for a tensor.
    found.driver = StepDriver::kTorch;
    found.maybe_on_device = call.results;
    return found;
  } else if (call.name == "optax.apply_updates") {
    found.driver = StepDriver::kEager;
    // Rounds that gather gradients are parts of a step.
    const int32_t outer = LoopAround(facts, facts.contexts[found.loop].parent);
    if (outer >= 0 && Mentions(facts.contexts[found.loop].text, "accum")) found.loop = outer;
    found.location = facts.contexts[found.loop].location;
    found.on_device = ResultsOfUsers(facts, found.loop, call.results);
    return found;
  } else if (AppliesTape(facts, call)) {
    found.driver = StepDriver::kTape;
    found.on_device = RecordedIn(facts, found.loop);
    return found;
  } else {
    return std::nullopt;
  }
  found.on_device = call.results;
  // strategy.reduce(..., strategy.run(...)): the outer call has the results.
  if (call.results.empty() && call.outer >= 0) {
    const SourceCall& outer = facts.calls[call.outer];
    if (IsReduceOfStrategy(outer)) found.on_device = outer.results;
  }
  return found;
}

constexpr std::string_view kMethods[] = {"numpy", "item", "tolist", "cpu"};
constexpr std::string_view kBuiltins[] = {"float", "int", "bool"};
constexpr std::string_view kFunctions[] = {"jax.device_get", "numpy.asarray", "numpy.array",
                                           "numpy.mean",     "numpy.sum",     "numpy.float32",
                                           "numpy.save",     "numpy.isnan"};
// Their arguments become text or plots.
constexpr std::string_view kLoggers =
    "print|tqdm.write|tqdm.tqdm.write|logging.info|absl.logging.info|logger.info|wandb.log|torch_"
    "xla.core.xla_model.master_print|log.info|mlflow.log_metric|tensorflow.summary.scalar";
// The value of a Keras metric, which the step updates on the device.
constexpr std::string_view kMetricValue = ".result()";
constexpr std::string_view kLoggerMethods[] = {"add_scalar",     "add_scalars", "set_postfix",
                                               "write_scalars",  "log_metrics", "set_description",
                                               "set_postfix_str"};
// They run their first argument on each array of a tree.
constexpr std::string_view kTreeMaps =
    "jax.tree.map|jax.tree_map|jax.tree_util.tree_map|jax.tree_multimap";

bool IsTreeFetch(const SourceCall& call) {
  if (call.arguments.empty() || !IsOneOfWords(call.name, kTreeMaps)) return false;
  const std::string& each = call.arguments.front().name;
  return IsOneOf(each, kBuiltins) || IsOneOf(each, kFunctions);
}

}  // namespace

std::vector<StepLoop> StepLoops(const SourceFacts& facts,
                                const std::vector<CompiledFunction>& compiled) {
  const bool torch = IsTorch(facts);
  const TracedFunctions traced(facts, compiled);
  std::set<int32_t> step_functions;
  for (const SourceCall& call : facts.calls) {
    const int32_t function = torch ? StepFunctionOf(facts, call) : -1;
    if (function >= 0) step_functions.insert(function);
  }
  std::vector<StepLoop> loops;
  for (const SourceCall& call : facts.calls) {
    std::optional<StepLoop> found = StepAt(facts, call, compiled, step_functions, torch);
    if (!found || traced.Covers(call.context)) continue;
    if (found->driver != StepDriver::kTorch) AddDerived(facts, *found);
    found->several = found->compiled != nullptr && found->compiled->function >= 0 &&
                     found->compiled->compiler == ScriptCompiler::kTfFunction &&
                     HasLoop(facts, found->compiled->function);
    const auto same = std::ranges::find(loops, found->loop, &StepLoop::loop);
    if (same == loops.end()) {
      loops.push_back(std::move(*found));
      continue;
    }
    same->on_device.insert(same->on_device.end(), found->on_device.begin(), found->on_device.end());
    same->maybe_on_device.insert(same->maybe_on_device.end(), found->maybe_on_device.begin(),
                                 found->maybe_on_device.end());
  }
  return loops;
}

bool HasLoop(const SourceFacts& facts, int32_t function) {
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    const ContextKind kind = facts.contexts[i].kind;
    if (kind != ContextKind::kFor && kind != ContextKind::kWhile) continue;
    if (IsInside(facts, static_cast<int32_t>(i), function)) return true;
  }
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    return call.name == "tensorflow.while_loop" && IsInside(facts, call.context, function);
  });
}

bool IsStrategyRun(const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  return (name == "run" || name == "experimental_run_v2") && Mentions(call.receiver, "strategy");
}

bool IsTorchXla(const SourceFacts& facts) { return Imports(facts, "torch_xla"); }

bool DrawsFigures(const SourceFacts& facts, int32_t function) {
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    return call.name.starts_with("matplotlib.") && FunctionAround(facts, call.context) == function;
  });
}

// Weights in few bits are multiplied by the kernels of bitsandbytes, which are written in CUDA.
bool NeedsCuda(const SourceFacts& facts) {
  constexpr std::string_view kFewBits[] = {"BitsAndBytesConfig", "prepare_model_for_kbit_training",
                                           "prepare_model_for_int8_training"};
  return Imports(facts, "bitsandbytes") ||
         std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
           return IsOneOf(LastName(call.name), kFewBits);
         });
}

bool MayRunOnXla(const SourceFacts& facts) {
  return IsTpuProgram(facts) || (IsTorch(facts) && !NeedsCuda(facts));
}

bool IsTorch(const SourceFacts& facts) {
  return Imports(facts, "torch") || Imports(facts, "torch_xla");
}

std::string EachStepOf(const SourceFacts& facts, const StepLoop& loop, const Location& from) {
  if (loop.is_function) return fmt::format("every call of {}()", facts.contexts[loop.loop].name);
  return fmt::format("every step of the loop at {}", LineText(loop.location, from));
}

bool IsTpuProgram(const SourceFacts& facts) {
  return facts.tpu_strategy || IsTorchXla(facts) || Imports(facts, "jax");
}

bool ReadsValue(std::string_view text, const std::vector<std::string>& read,
                const std::vector<std::string>& names) {
  constexpr std::string_view kStatic[] = {".shape", ".dtype",    ".ndim", ".keys()",
                                          ".size",  ".sharding", ".is_"};
  for (const std::string& name : read) {
    if (!IsOneOf(name, names)) continue;
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const auto word = [&](size_t place) {
        const char c = text[place];
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
      };
      if (at > 0 && (word(at - 1) || text[at - 1] == '.')) continue;
      if (text.substr(0, at).ends_with("len(")) continue;
      const size_t end = at + name.size();
      if (end < text.size() && word(end)) continue;
      const std::string_view rest = text.substr(end);
      if (std::ranges::none_of(kStatic,
                               [&](std::string_view part) { return rest.starts_with(part); })) {
        return true;
      }
    }
  }
  return false;
}

bool IsHostConversion(const SourceCall& call) {
  return IsOneOf(call.name, kBuiltins) || IsOneOf(call.name, kFunctions) || IsTreeFetch(call) ||
         (!call.receiver.empty() && IsOneOf(LastName(call.name), kMethods));
}

bool Waits(const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  return name == "block_until_ready" || name == "wait_device_ops" || name == "effects_barrier" ||
         IsHostConversion(call) || IsOneOfWords(call.name, kLoggers);
}

bool Fetches(const SourceCall& call, const std::vector<std::string>& on_device) {
  const std::string_view name = LastName(call.name);
  const bool method = !call.receiver.empty() && IsOneOf(name, kMethods);
  if (method) {
    if (call.receiver.ends_with(kMetricValue)) return true;
    return ReadsValue(call.receiver, call.receiver_names, on_device);
  }
  const bool logs = IsOneOfWords(call.name, kLoggers);
  const bool takes = IsOneOf(call.name, kBuiltins) || IsOneOf(call.name, kFunctions) || logs ||
                     IsOneOf(name, kLoggerMethods) || IsTreeFetch(call);
  if (!takes) return false;
  return std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
    return ReadsValue(argument.text, argument.names, on_device) ||
           (logs && Contains(argument.text, kMetricValue));
  });
}

std::string OtherLines(const std::vector<Location>& places) {
  const Location& first = places.front();
  std::vector<int32_t> lines;
  for (const Location& at : places) {
    const bool here = at.file == first.file && at.cell == first.cell && at.line != first.line;
    if (here && std::ranges::find(lines, at.line) == lines.end()) lines.push_back(at.line);
  }
  if (lines.empty()) return "";
  return fmt::format("; so {} {} {}", lines.size() == 1 ? "does" : "do",
                     lines.size() == 1 ? "line" : "lines", fmt::join(lines, ", "));
}

}  // namespace tilewise

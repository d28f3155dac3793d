// Flags functions that are traced and compiled again and again.

#include <algorithm>

#include <fmt/format.h>

#include "rules/host_loop/compiled_functions.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::CO005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CO005",
    .name = "retrace-hazard",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a compiled function is traced anew in each round of a loop",
    .no_cost = "how often the loop runs and how long the function compiles are not in the files",
    .doc = R"(
What: tf.function made inside a loop; jax.jit of a lambda, a partial or a
function that is made inside the loop; a tf.function that is called with the
Python number of the loop; a loop's variable in a static argument of jax.jit.
Why: a compiled program belongs to the function object and to the values of its
Python arguments. A new function or a new number is a new trace and a new
compilation, seconds to minutes each.
Remedy: make the function once before the loop; pass tensors
(tf.constant(step)) instead of Python numbers; keep what varies out of
static_argnums.
Ignore: loops over a few settings that are to be compiled each. tf.function
with an input_signature turns numbers into tensors.
Numbers: how long the step compiles, where a model was read.
Sources: XProf, PyTorch/XLA's guide to recompilation, TensorFlow's guide to
tf.function.)",
};

bool IsKnownConstantLoop(const SourceContext& loop) {
  return loop.text.starts_with("[") || loop.text.starts_with("(") ||
         Contains(loop.text, ".items()") || Contains(loop.text, "zip(");
}

// The innermost loop around that counts steps or examples.
const SourceContext* CountingLoop(const SourceFacts& source, int32_t context) {
  const int32_t loop = LoopAround(source, context);
  if (loop < 0) return nullptr;
  const SourceContext& found = source.contexts[loop];
  if (found.kind == ContextKind::kWhile) return &found;
  for (const char* word : {"range(", "enumerate(", "dataset", "loader", "_ds", "_iter", "tqdm"}) {
    if (Contains(found.text, word)) {
      return IsKnownConstantLoop(found) ? nullptr : &found;
    }
  }
  return nullptr;
}

// The function is used for many rounds inside: a loop in the loop.
bool UsedInInnerLoop(const SourceFacts& source, const CompiledFunction& each) {
  const int32_t loop = LoopAround(source, each.context);
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return !each.name.empty() && call.name == each.name && LoopAround(source, call.context) != loop;
  });
}

void CheckMadeInLoop(const SourceFacts& source, const CompiledFunction& each, Sink& sink) {
  const SourceContext* loop = CountingLoop(source, each.context);
  if (loop == nullptr || UsedInInnerLoop(source, each)) return;
  const bool in_loop =
      each.function >= 0 && LoopAround(source, source.contexts[each.function].parent) >= 0;
  // jit keeps one program per function object, however often it is called.
  if (IsJax(each.compiler) && !each.fresh && !in_loop && !each.decorator) {
    return;
  }
  Finding& found =
      sink.Report(each.location,
                  "{} is applied in each round of the loop over {}, and what is compiled then is a "
                  "new function each time; expected it before the loop",
                  CompilerName(each.compiler), loop->text);
  found.fix.text = "make the compiled function once, before the loop";
}

// What counts the rounds of a loop as a Python number.
std::string CounterOf(const SourceFacts& source, const SourceContext& loop) {
  if (loop.kind != ContextKind::kFor || loop.targets.empty()) return "";
  if (loop.call < 0) return "";
  const SourceCall* over = &source.calls[loop.call];
  for (int i = 0; i < 4 && LastName(over->name) != "range" && LastName(over->name) != "enumerate";
       ++i) {
    // tqdm(range(n))
    if (over->arguments.empty() || over->arguments[0].call < 0) return "";
    over = &source.calls[over->arguments[0].call];
  }
  const std::string_view name = LastName(over->name);
  const bool counts = (name == "range" && loop.targets.size() == 1) || name == "enumerate";
  return counts ? loop.targets.front() : "";
}

bool HasOption(const CompiledFunction& function, std::string_view name) {
  return ArgumentOf(function.options, name) != nullptr;
}

// Whether the parameter in which the call hands `counter` on is static.
bool IsStatic(const SourceFacts& source, const CompiledFunction& function, size_t position,
              const std::string& keyword) {
  const SourceArgument* numbers = ArgumentOf(function.options, "static_argnums");
  const SourceArgument* names = ArgumentOf(function.options, "static_argnames");
  if (keyword.empty() && numbers != nullptr &&
      std::ranges::find(numbers->integers, static_cast<int64_t>(position)) !=
          numbers->integers.end()) {
    return true;
  }
  if (names == nullptr) return false;
  std::string parameter = keyword;
  if (parameter.empty() && function.function >= 0) {
    const std::vector<std::string>& parameters = source.contexts[function.function].targets;
    if (position < parameters.size()) parameter = parameters[position];
  }
  return !parameter.empty() && (Contains(names->text, "'" + parameter + "'") ||
                                Contains(names->text, "\"" + parameter + "\""));
}

void CheckCall(const SourceFacts& source, const CompiledFunction& function, const SourceCall& call,
               Sink& sink) {
  const int32_t loop = LoopAround(source, call.context);
  if (loop < 0) return;
  const std::string counter = CounterOf(source, source.contexts[loop]);
  if (counter.empty()) return;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const SourceArgument& argument = call.arguments[i];
    if (argument.name != counter) continue;
    const bool tensorflow = function.compiler == ScriptCompiler::kTfFunction;
    if (tensorflow &&
        (HasOption(function, "input_signature") || HasOption(function, "reduce_retracing"))) {
      return;
    }
    if (!tensorflow && !IsStatic(source, function, i, argument.keyword)) {
      continue;
    }
    Finding& found = sink.Report(
        call.location,
        "{}() is given the Python number {}, which changes in each round: {}; expected a tensor",
        call.name, counter,
        tensorflow ? "tf.function traces each value anew"
                   : "it is static, so each value is compiled anew");
    found.fix.text =
        tensorflow
            ? fmt::format("pass tf.constant({}, tf.int64) or a tf.Variable that counts", counter)
            : fmt::format("leave {} out of static_argnums", counter);
    return;
  }
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsTpuProgram(source)) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  const TracedFunctions traced(source, compiled);
  for (const CompiledFunction& each : compiled) {
    if (traced.Covers(each.context)) continue;
    CheckMadeInLoop(source, each, sink);
  }
  for (const SourceCall& call : source.calls) {
    if (traced.Covers(call.context)) continue;
    const CompiledFunction* function = CompiledBy(compiled, call.name);
    if (function != nullptr) CheckCall(source, *function, call, sink);
  }
}

}  // namespace

TW_RULE(CO005)

}  // namespace tilewise::CO005

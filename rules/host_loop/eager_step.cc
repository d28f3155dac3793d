// Flags steps that run op by op instead of as one compiled program.

#include <algorithm>

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL007 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL007",
    .name = "eager-step",
    .severity = Severity::kError,
    .fix = Applicability::kShow,
    .needs = {.training = true, .script = true},
    .summary = "the step is not compiled",
    .no_cost = "a step that runs op by op is not simulated",
    .doc = R"(
What: run_eagerly=True or tf.config.run_functions_eagerly(True) under a TPU
strategy; strategy.run() in a loop outside of any tf.function; jit_compile=False
under a TPU strategy; jax.disable_jit; a JAX loop that takes gradients outside
of jit; a TensorFlow 2 loop that applies the gradients of a GradientTape outside
of any tf.function.
Why: an eager step is hundreds of programs of one op, each with its dispatch
and with its operands through HBM; nothing is fused. Some ops have no eager
kernel on a TPU at all.
Remedy: put the step in tf.function or jax.jit.
Ignore: while debugging: a value that is not written as True, a condition that
speaks of debugging, or an option that switches jit off is taken as that.
Numbers: eager steps are not simulated.
Sources: XProf (10 % of eager ops), Cloud TPU guide.)",
};

bool IsTrue(const SourceArgument* argument) {
  return argument != nullptr && argument->text == "True";
}

void CheckKeras(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!source.tpu_strategy) return;
  for (const SourceCall& call : source.calls) {
    if (IsForDebugging(source, call.context)) continue;
    const std::string_view name = LastName(call.name);
    if (name == "compile" && !call.receiver.empty()) {
      const SourceArgument* eager = ArgumentOf(call.arguments, "run_eagerly");
      if (IsTrue(eager)) {
        Finding& found = sink.Report(
            call.location,
            "compile() sets run_eagerly=True under a TPU strategy, expected a compiled step");
        found.fix.text = "remove run_eagerly=True";
        found.fix.edits = RemoveArgument(facts.workload, call.arguments_span, "run_eagerly");
      }
    }
    if (name.ends_with("run_functions_eagerly") && !call.arguments.empty() &&
        call.arguments.front().text == "True") {
      Finding& found = sink.Report(call.location,
                                   "tf.function is switched off by run_functions_eagerly(True) "
                                   "under a TPU strategy, expected compiled steps");
      found.fix.text = "remove the call of run_functions_eagerly";
      if (call.statement.begin < call.statement.end) {
        found.fix.edits = RemoveStatement(facts.workload, call.statement);
      }
    }
  }
}

// strategy.run() in a plain loop: neither the caller nor what it runs is a
// tf.function.
void CheckStrategyRun(const SourceFacts& source, const std::vector<CompiledFunction>& compiled,
                      const std::vector<StepLoop>& loops, Sink& sink) {
  for (const StepLoop& loop : loops) {
    if (loop.driver != StepDriver::kStrategyRun) continue;
    const SourceCall& call = *loop.call;
    if (call.arguments.empty() || call.arguments.front().name.empty()) continue;
    const std::string& step = call.arguments.front().name;
    const int32_t function = DefinitionOf(source, step, call.context);
    if (function < 0 || CompiledBy(compiled, step) != nullptr) continue;
    sink.Report(call.location,
                "strategy.run({}) is called from a Python loop and no tf.function is around it, so "
                "each op is a program of its own; expected a compiled step",
                step)
        .fix.text =
        fmt::format("call strategy.run({}) inside a function decorated with @tf.function", step);
  }
}

// Whether the loop also does what only the host can do: it is not compiled
// from another file.
bool RunsOnHost(const SourceFacts& source, int32_t loop) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return IsInside(source, call.context, loop) && Waits(call);
  });
}

// Whether the function around calls what the gradient is bound to: grads = grad_fn(params).
bool IsApplied(const SourceFacts& source, const SourceCall& gradient) {
  const int32_t function = FunctionAround(source, gradient.context);
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return FunctionAround(source, call.context) == function && IsOneOf(call.name, gradient.results);
  });
}

// The loop around the call, or around the only calls of the function that it stands in; -1: none,
// or the function goes to another one, which may compile it.
int32_t LoopOfStep(const SourceFacts& source, const SourceCall& gradient) {
  int32_t loop = LoopAround(source, gradient.context);
  if (loop < 0) {
    const int32_t function = FunctionAround(source, gradient.context);
    if (function < 0) return -1;
    if (!source.contexts[function].decorators.empty() || DrawsFigures(source, function)) return -1;
    const std::string& step = source.contexts[function].name;
    for (const SourceCall& call : source.calls) {
      const bool given = std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
        return IsOneOf(step, argument.names);
      });
      if (given) return -1;
      if (call.name == step) loop = std::max(loop, LoopAround(source, call.context));
    }
  }
  // What only the host does may stand in a loop around it.
  while (loop >= 0) {
    const int32_t outer = LoopAround(source, source.contexts[loop].parent);
    if (outer < 0) break;
    loop = outer;
  }
  return loop;
}

// Whether the call is the manager of a block without a loop: something is traced op by op there.
bool IsOfOneTrace(const SourceFacts& source, const SourceCall& call) {
  const auto block = std::ranges::find_if(source.contexts, [&](const SourceContext& context) {
    return context.kind == ContextKind::kWith && context.call >= 0 &&
           &source.calls[context.call] == &call;
  });
  if (block == source.contexts.end()) return false;
  const auto with = static_cast<int32_t>(block - source.contexts.begin());
  for (size_t i = 0; i < source.contexts.size(); ++i) {
    const ContextKind kind = source.contexts[i].kind;
    const bool loops = kind == ContextKind::kFor || kind == ContextKind::kWhile;
    if (loops && IsInside(source, static_cast<int32_t>(i), with)) return false;
  }
  return true;
}

// Gradients in a loop of training, in code that nothing compiles.
void CheckJax(const SourceFacts& source, const TracedFunctions& traced, Sink& sink) {
  for (const SourceCall& call : source.calls) {
    const bool switched_off =
        call.name == "jax.disable_jit" ||
        (call.name == "jax.config.update" && call.arguments.size() == 2 &&
         call.arguments[0].string == "jax_disable_jit" && call.arguments[1].text == "True");
    const bool always = call.context < 0 ||
                        RunsEachTime(source, call.context, FunctionAround(source, call.context));
    if (switched_off && always && !IsOfOneTrace(source, call)) {
      sink.Report(
              call.location,
              "jit is switched off, so every op is a program of its own; expected compiled steps")
          .fix.text = "remove it once the program is debugged";
    }
    if (call.name != "jax.grad" && call.name != "jax.value_and_grad") continue;
    const int32_t loop = LoopOfStep(source, call);
    if (loop < 0 || traced.Covers(call.context)) continue;
    if (!RunsOnHost(source, loop)) continue;
    // jit(grad(f)): a part of a compiled function after all.
    bool compiled = false;
    for (int32_t at = call.outer; at >= 0; at = source.calls[at].outer) {
      const std::string& outer = source.calls[at].name;
      compiled = compiled || LastName(outer).ends_with("jit") || LastName(outer).ends_with("pmap");
    }
    // grads = grad(f)(params) takes them there; step = grad(f) may be compiled further on.
    const bool in_step = LoopAround(source, call.context) < 0 && IsApplied(source, call);
    if (compiled || (!call.results.empty() && !in_step)) continue;
    sink.Report(call.location,
                "{} is applied op by op in a loop and no jax.jit is around it, expected a compiled "
                "step",
                call.name)
        .fix.text = "put the step into a function decorated with @jax.jit";
  }
}

// Whether a function around is compiled, or may be by its decorator.
bool MayBeCompiled(const SourceFacts& source, const std::vector<CompiledFunction>& compiled,
                   int32_t context) {
  for (int32_t at = FunctionAround(source, context); at >= 0;
       at = FunctionAround(source, source.contexts[at].parent)) {
    const std::string& name = source.contexts[at].name;
    if (!source.contexts[at].decorators.empty() || CompiledBy(compiled, name) != nullptr) {
      return true;
    }
  }
  return false;
}

// Whether anything in the file calls the function that the loop stands in.
bool IsCalledHere(const SourceFacts& source, int32_t loop) {
  const int32_t function = FunctionAround(source, loop);
  if (function < 0) return true;
  const std::string& name = source.contexts[function].name;
  return std::ranges::any_of(source.calls,
                             [&](const SourceCall& call) { return LastName(call.name) == name; });
}

// A step of TensorFlow 2 in a Python loop without a tf.function: its optimizer is applied there.
void CheckTape(const SourceFacts& source, const std::vector<CompiledFunction>& compiled,
               Sink& sink) {
  for (const SourceCall& call : source.calls) {
    if (call.name != "tensorflow.GradientTape") continue;
    const int32_t loop = LoopOfStep(source, call);
    if (loop < 0 || IsForDebugging(source, call.context)) continue;
    if (MayBeCompiled(source, compiled, call.context) || MayBeCompiled(source, compiled, loop)) {
      continue;
    }
    // Another file may call a method with a loop over losses or tasks from a tf.function.
    const bool in_method = !call.class_name.empty() && LoopAround(source, call.context) >= 0;
    if (in_method && !IsCalledHere(source, loop) && !RunsOnHost(source, loop)) continue;
    const int32_t function = FunctionAround(source, call.context);
    const bool trains = std::ranges::any_of(source.calls, [&](const SourceCall& other) {
      return LastName(other.name) == "apply_gradients" &&
             FunctionAround(source, other.context) == function;
    });
    if (!trains) continue;
    Finding& found = sink.Report(
        call.location,
        "the step with this GradientTape runs op by op in a Python loop and no tf.function is "
        "around it, expected a compiled step");
    if (!source.tpu_strategy) found.severity = Severity::kWarning;
    found.fix.text = "put the step into a function decorated with @tf.function";
    return;
  }
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  CheckTape(source, compiled, sink);
  CheckKeras(facts, sink);
  if (source.tpu_strategy) {
    CheckStrategyRun(source, compiled, StepLoops(source, compiled), sink);
  }
  if (Imports(source, "jax")) {
    CheckJax(source, TracedFunctions(source, compiled), sink);
  }
}

}  // namespace

TW_RULE(HL007)

}  // namespace tilewise::HL007

// Decorators and wrapping calls first; then everything that is called from
// inside, by name.

#include "rules/host_loop/compiled_functions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "workload/blocks.h"

namespace tilewise {
namespace {

struct Entry {
  std::string_view name;
  ScriptCompiler compiler;
};
constexpr std::array kCompilers = {
    Entry{"tensorflow.function", ScriptCompiler::kTfFunction},
    Entry{"jax.jit", ScriptCompiler::kJaxJit},
    Entry{"jax.pjit", ScriptCompiler::kJaxJit},
    Entry{"jax.pmap", ScriptCompiler::kJaxPmap},
    Entry{"jax.experimental.pjit.pjit", ScriptCompiler::kJaxJit},
    Entry{"flax.nnx.jit", ScriptCompiler::kJaxJit},
    Entry{"flax.nnx.pmap", ScriptCompiler::kJaxPmap},
    Entry{"equinox.filter_jit", ScriptCompiler::kJaxJit},
    Entry{"equinox.filter_pmap", ScriptCompiler::kJaxPmap},
    Entry{"torch_xla.compile", ScriptCompiler::kTorchXla},
};

// Functions that run on the host, where the device program calls back.
constexpr std::string_view kCallbacks =
    "jax.debug.callback|jax.pure_callback|jax.experimental.io_callback|jax.experimental.host_"
    "callback.call|jax.experimental.host_callback.id_tap|tensorflow.py_function|tensorflow.numpy_"
    "function|tensorflow.py_func|torch_xla.core.xla_model.add_step_closure|torch_xla.experimental."
    "xla_model.add_step_closure|threading.Thread|concurrent.futures.ThreadPoolExecutor";

std::optional<ScriptCompiler> CompilerOf(std::string_view name) {
  const auto* found = std::ranges::find(kCompilers, name, &Entry::name);
  if (found == kCompilers.end()) return std::nullopt;
  return found->compiler;
}

// What is wrapped: a name, or the first argument of partial, vmap and the like.
struct Wrapped {
  std::string name;
  bool fresh = false;
};
Wrapped Unwrap(const SourceFacts& facts, const SourceArgument& argument, int nesting = 0) {
  if (!argument.name.empty()) return {argument.name, false};
  if (argument.call < 0 || nesting > 8) return {"", true};
  const SourceCall& call = facts.calls[argument.call];
  if (call.arguments.empty()) return {"", true};
  return {Unwrap(facts, call.arguments.front(), nesting + 1).name, true};
}

// The function that a name stands for; of `g = functools.partial(f, 1)` f.
int32_t FunctionOf(const SourceFacts& facts, const std::string& name, int32_t context) {
  const int32_t found = DefinitionOf(facts, name, context);
  if (found >= 0 || name.empty()) return found;
  for (const SourceCall& call : facts.calls) {
    if (call.results.size() != 1 || call.results.front() != name) continue;
    if (LastName(call.name) != "partial" || call.arguments.empty()) continue;
    return DefinitionOf(facts, call.arguments.front().name, call.context);
  }
  return -1;
}

void AddDecorated(const SourceFacts& facts, std::vector<CompiledFunction>& compiled) {
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    const SourceContext& context = facts.contexts[i];
    if (context.kind != ContextKind::kFunction) continue;
    for (const SourceDecorator& decorator : context.decorators) {
      const std::optional<ScriptCompiler> compiler = CompilerOf(decorator.name);
      if (!compiler) continue;
      CompiledFunction& found = compiled.emplace_back();
      const bool method =
          context.parent >= 0 && facts.contexts[context.parent].kind == ContextKind::kClass;
      found.name = (method ? "self." : "") + context.name;
      found.function = static_cast<int32_t>(i);
      found.compiler = *compiler;
      found.location = decorator.location;
      found.context = context.parent;
      found.options = decorator.arguments;
      found.decorator = true;
      found.called = decorator.called;
      found.arguments_span = decorator.arguments_span;
    }
  }
}

void AddWrapped(const SourceFacts& facts, std::vector<CompiledFunction>& compiled) {
  for (const SourceCall& call : facts.calls) {
    const std::optional<ScriptCompiler> compiler = CompilerOf(call.name);
    if (!compiler || call.arguments.empty()) continue;
    if (!call.arguments.front().keyword.empty()) continue;
    const Wrapped wrapped = Unwrap(facts, call.arguments.front());
    CompiledFunction& found = compiled.emplace_back();
    found.name = call.results.size() == 1 ? call.results.front() : "";
    found.function = FunctionOf(facts, wrapped.name, call.context);
    found.fresh = wrapped.fresh;
    found.compiler = *compiler;
    found.location = call.location;
    found.context = call.context;
    found.options.assign(call.arguments.begin() + 1, call.arguments.end());
    found.called = true;
    found.arguments_span = call.arguments_span;
  }
}

}  // namespace

std::string_view CompilerName(ScriptCompiler compiler) {
  switch (compiler) {
    case ScriptCompiler::kTfFunction:
      return "tf.function";
    case ScriptCompiler::kJaxJit:
      return "jax.jit";
    case ScriptCompiler::kJaxPmap:
      return "jax.pmap";
    case ScriptCompiler::kTorchXla:
      return "torch_xla.compile";
  }
  return "?";
}

bool IsJax(ScriptCompiler compiler) {
  return compiler == ScriptCompiler::kJaxJit || compiler == ScriptCompiler::kJaxPmap;
}

std::vector<CompiledFunction> CompiledFunctions(const SourceFacts& facts) {
  std::vector<CompiledFunction> compiled;
  AddDecorated(facts, compiled);
  AddWrapped(facts, compiled);
  return compiled;
}

const CompiledFunction* CompiledBy(const std::vector<CompiledFunction>& compiled,
                                   std::string_view name) {
  const auto found = std::ranges::find(compiled, name, &CompiledFunction::name);
  return found == compiled.end() || name.empty() ? nullptr : &*found;
}

TracedFunctions::TracedFunctions(const SourceFacts& facts,
                                 const std::vector<CompiledFunction>& compiled)
    : facts_(facts) {
  for (const SourceCall& call : facts.calls) {
    if (!IsOneOfWords(call.name, kCallbacks)) continue;
    for (const SourceArgument& argument : call.arguments) {
      const int32_t run = DefinitionOf(facts, argument.name, call.context);
      if (run >= 0) on_host_.insert(run);
    }
  }
  for (const CompiledFunction& each : compiled) {
    if (each.compiler != ScriptCompiler::kTorchXla) Add(each.function);
  }
  while (!pending_.empty()) {
    const int32_t function = pending_.back();
    pending_.pop_back();
    Follow(function);
  }
}

void TracedFunctions::Add(int32_t function) {
  if (function < 0 || on_host_.contains(function)) return;
  if (functions_.insert(function).second) pending_.push_back(function);
}

// What is called, and what is handed on to be called: value_and_grad(loss_fn).
void TracedFunctions::Follow(int32_t function) {
  for (const SourceCall& call : facts_.calls) {
    if (!IsInside(facts_, call.context, function)) continue;
    Add(DefinitionOf(facts_, call.name, call.context));
    for (const SourceArgument& argument : call.arguments) {
      if (argument.name.empty()) continue;
      Add(DefinitionOf(facts_, argument.name, call.context));
    }
  }
}

bool TracedFunctions::Covers(int32_t context) const {
  bool traced = false;
  for (int32_t at = FunctionAround(facts_, context); at >= 0;
       at = FunctionAround(facts_, facts_.contexts[at].parent)) {
    if (on_host_.contains(at)) return false;
    traced = traced || functions_.contains(at);
  }
  return traced;
}

}  // namespace tilewise

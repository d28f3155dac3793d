// Decorators and wrapping calls first; then everything that is called from
// inside, by name.

#include "rules/host_loop/compiled_functions.h"

#include <algorithm>
#include <array>
#include <map>
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

// Whether the call's value is what the function around gives back, as far as the text tells: it is
// bound to no name, given to no other call and no statement by itself.
bool IsGivenBack(const SourceCall& call) {
  return call.results.empty() && call.outer < 0 && call.statement.begin >= call.statement.end;
}

// step, evaluate = make_steps(): of each name the function that make_steps() compiles and returns
// in its place.
void AddReturned(const SourceFacts& facts, std::vector<CompiledFunction>& compiled) {
  std::map<int32_t, std::vector<size_t>> by_maker;
  for (size_t i = 0; i < compiled.size(); ++i) {
    const SourceCall* call = compiled[i].decorator ? nullptr : CallAt(facts, compiled[i].location);
    if (call == nullptr || !IsGivenBack(*call)) continue;
    const int32_t maker = FunctionAround(facts, call->context);
    if (maker >= 0) by_maker[maker].push_back(i);
  }
  if (by_maker.empty()) return;
  for (const SourceCall& call : facts.calls) {
    if (call.results.empty()) continue;
    const auto made = by_maker.find(DefinitionOf(facts, call.name, call.context));
    if (made == by_maker.end() || made->second.size() != call.results.size()) continue;
    for (size_t i = 0; i < call.results.size(); ++i) {
      CompiledFunction found = compiled[made->second[i]];
      found.name = call.results[i];
      compiled.push_back(std::move(found));
    }
  }
}

// A function at the top of an imported file has a second name, by which other files call it.
void AddNamesOfModules(const SourceFacts& facts, std::vector<CompiledFunction>& compiled) {
  const size_t count = compiled.size();
  for (size_t i = 0; i < count; ++i) {
    const std::string& name = compiled[i].name;
    if (name.empty() || Contains(name, ".") || compiled[i].context < 0) continue;
    if (FunctionAround(facts, compiled[i].context) >= 0) continue;
    const int32_t module = Around(facts, compiled[i].context, ContextKind::kModule);
    if (module < 0) continue;
    CompiledFunction found = compiled[i];
    found.name = facts.contexts[module].name + "." + name;
    compiled.push_back(std::move(found));
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
  AddReturned(facts, compiled);
  AddNamesOfModules(facts, compiled);
  return compiled;
}

bool IsMethodOfState(const CompiledFunction& function, const SourceCall& call) {
  return function.decorator && function.name.starts_with("self.") &&
         !call.name.starts_with("self.") && IsOneOf(call.receiver, call.results);
}

const CompiledFunction* CompiledFor(const std::vector<CompiledFunction>& compiled,
                                    const SourceCall& call) {
  const bool of_file = !Contains(call.name, ".");
  const auto named = std::ranges::find_if(compiled, [&](const CompiledFunction& each) {
    return each.name == call.name && !call.name.empty() &&
           (!of_file || each.location.file == call.location.file);
  });
  if (named != compiled.end()) return &*named;
  const auto found = std::ranges::find_if(compiled, [&](const CompiledFunction& each) {
    return IsMethodOfState(each, call) &&
           std::string_view(each.name).substr(5) == LastName(call.name);
  });
  return found == compiled.end() ? nullptr : &*found;
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

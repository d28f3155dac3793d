// Which functions of a script run on the device as one program: what is given
// to tf.function, jax.jit, pmap, torch_xla.compile, and what those call.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "workload/source_facts.h"

namespace tilewise {

enum class ScriptCompiler : uint8_t {
  kTfFunction,
  kJaxJit,
  kJaxPmap,
  kTorchXla,
};
// "tf.function", "jax.jit", ...
std::string_view CompilerName(ScriptCompiler compiler);
bool IsJax(ScriptCompiler compiler);

struct CompiledFunction {
  std::string name;       // what calls it: "train_step", "self.step"; may be empty
  int32_t function = -1;  // the definition's context; -1: not in the files
  // What is compiled is made anew each time: a lambda, a partial.
  bool fresh = false;
  ScriptCompiler compiler = ScriptCompiler::kTfFunction;
  Location location;     // of the decorator or the call of the compiler
  int32_t context = -1;  // where that stands
  // Options: of a call, behind the function itself.
  std::vector<SourceArgument> options;
  bool decorator = false;
  bool called = false;       // there are parentheses to put an option in
  Span arguments_span = {};  // between them
};

// Returns them in the order of their locations, decorated ones first.
std::vector<CompiledFunction> CompiledFunctions(const SourceFacts& facts);
// Returns the one that a call may mean, by its name; null: none.
const CompiledFunction* CompiledBy(const std::vector<CompiledFunction>& compiled,
                                   std::string_view name);
// The same for a call; also a compiled method that gives back its object anew:
// agent, metrics = agent.update(batch).
const CompiledFunction* CompiledFor(const std::vector<CompiledFunction>& compiled,
                                    const SourceCall& call);
// Whether the call is one of such a method, whose first argument is the object.
bool IsMethodOfState(const CompiledFunction& function, const SourceCall& call);

// Contexts of the functions whose bodies become part of a device program.
class TracedFunctions {
 public:
  TracedFunctions(const SourceFacts& facts, const std::vector<CompiledFunction>& compiled);
  // Whether code at `context` is traced; functions that callbacks run on the
  // host are not.
  bool Covers(int32_t context) const;

 private:
  void Add(int32_t function);
  void Follow(int32_t function);

  const SourceFacts& facts_;
  std::set<int32_t> functions_;
  std::set<int32_t> on_host_;
  std::vector<int32_t> pending_;
};

}  // namespace tilewise

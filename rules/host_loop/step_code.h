// Which code of a program works on tensors of the device in every step: what is
// traced, forward() of modules, the loops of steps, and what those call.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "rules/host_loop/compiled_functions.h"
#include "rules/host_loop/step_loops.h"
#include "workload/source_facts.h"

namespace tilewise {

enum class StepCodeKind : uint8_t {
  kNone,
  kTorch,   // tensors of PyTorch, whose ops run as they come or lazily
  kTraced,  // becomes part of a program that JAX compiles
};

class StepCode {
 public:
  explicit StepCode(const SourceFacts& facts);
  // What code at `context` is. Code for evaluation, sampling, export and the like is
  // none, nor is what only initialises.
  StepCodeKind At(int32_t context) const;
  // "forward()", "the loop at line 7": for a message about a location in line.
  std::string PlaceOf(int32_t context, const Location& from) const;
  const std::vector<StepLoop>& loops() const { return loops_; }
  const std::vector<CompiledFunction>& compiled() const { return compiled_; }
  const TracedFunctions& traced() const { return traced_; }

 private:
  void AddModules();
  void AddLoops();
  void Add(int32_t function);
  void Follow(int32_t context);
  bool IsSetAside(int32_t context) const;

  const SourceFacts& facts_;
  std::vector<CompiledFunction> compiled_;
  TracedFunctions traced_;
  std::vector<StepLoop> loops_;
  std::set<int32_t> torch_;  // functions, and loops of steps
  std::set<int32_t> traced_modules_;
  std::vector<int32_t> pending_;
};

// Whether the class is, by its bases, a module of a framework. `package`:
// "torch", "flax" and the like; bases of the program's own are followed.
bool IsModuleClass(const SourceFacts& facts, int32_t context, std::string_view packages);

// The value of `name` at `context`: whether the function around, or the file
// where it binds nothing of that name, binds it to an array of true and false.
bool IsMask(const SourceFacts& facts, const MaskEvidence& mask, int32_t context);

// Whether a variable that the function around binds holds an array of NumPy.
bool IsOfNumpy(const SourceFacts& facts, const std::vector<std::string>& names, int32_t context);

}  // namespace tilewise

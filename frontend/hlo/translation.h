// The walk over a module that makes a graph of it: computations are written out
// where they are called, instruction by instruction, operands first.
//
// An instruction that cannot be expressed becomes an opaque op of the shape
// that the module states, with a note; so does one whose shape is not the one
// that follows from its operands.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "frontend/hlo/branch_work.h"
#include "frontend/hlo/module.h"
#include "frontend/hlo/value.h"
#include "graph/compilation.h"
#include "graph/graph_builder.h"
#include "workload/module_facts.h"

namespace tilewise::hlo {

// One instruction with the values of its operands.
struct Site {
  const Computation& computation;
  const Instruction& instruction;
  const HloShape& shape;  // of its result
  std::vector<Value> operands;

  const InstructionExtras& more() const { return instruction.more(); }
  // An array operand; kNoOp if it is none.
  OpId operand(size_t i) const { return i < operands.size() ? operands[i].op() : kNoOp; }
  // The instruction that makes operand `i`, which must exist.
  const Instruction& producer(size_t i) const {
    return computation.instructions[instruction.operands[i]];
  }
  std::vector<OpId> arrays() const;  // all operands, tuples taken apart
};

class Translation {
 public:
  // `path` is the file that locations name where the module names no source.
  Translation(const Module& module, std::string path);

  // The entry computation on its arguments. Errors: calls in each other too
  // deep or too many, a root that is not there.
  absl::StatusOr<Value> Run(std::span<const Value> arguments);

  // The functions that translate instructions use these.
  GraphBuilder& emit() { return emit_; }
  // Name and location of the ops that follow.
  void Begin(std::string_view name, Location location);
  const Module& module() const { return module_; }
  // Whether the module comes out of a compiler for TPUs.
  bool compiled() const { return compilation_.has_value(); }
  // Callee `i`; null, with a failure, when the instruction has none.
  const Computation* Callee(const Site& site, size_t i);
  Value Inline(const Computation& callee, std::vector<Value> arguments);
  // Its ops are in the kernel of the instruction that calls.
  Value InlineFused(const Computation& callee, std::vector<Value> arguments);
  // A computation of scalars, on arrays of `dims`.
  Value InlineMapped(const Computation& callee, std::vector<Value> arguments,
                     const std::vector<int64_t>& dims);
  int32_t NewLoop() { return ++loops_; }
  BranchWork& work() { return work_; }
  // A value that leaves the program besides the root.
  void AddResult(OpId op) { results_.push_back(op); }
  const std::vector<OpId>& results() const { return results_; }
  // An opaque op for each array of `shape`; counted under `label`.
  Value Unknown(const Site& site, std::string_view label, const std::string& why);
  void Note(std::string_view rule, std::string_view name, const std::string& message);
  Location Place(const Instruction& instruction) const;

  // What came of it.
  int64_t instructions() const { return visited_; }
  const std::map<std::string, int64_t>& unknown() const { return unknown_; }
  std::vector<Diagnostic> TakeNotes();
  ModuleFacts& facts() { return facts_; }
  // Returns the compilation of a module with tiled layouts.
  std::optional<Compilation> TakeCompilation();

 private:
  Value RunComputation(const Computation& computation, std::span<const Value> arguments);
  Value Step(const Computation& computation, const Instruction& instruction,
             std::vector<Value> operands, std::span<const Value> arguments);
  Value Translate(const Site& site);
  void EnterInstruction(const Instruction& instruction);
  Value Checked(const Site& site, const Value& value, const HloShape& shape);
  OpId CheckedArray(const Site& site, OpId op, const HloShape& shape);
  void NoteOpaque(std::string_view label, std::string_view why);
  Value OpaqueTree(std::string_view label, const std::vector<OpId>& operands,
                   const HloShape& shape);
  void RecordFree();  // the ops made since are of no kernel
  void RecordKernel(const Site& site, int32_t kernel, const Value& value);
  void RecordLayouts(const Value& value, const HloShape& shape);

  const Module& module_;
  std::string path_;
  GraphBuilder emit_;
  BranchWork work_;
  absl::Status fatal_;
  const Instruction* current_ = nullptr;
  int64_t limit_;
  int64_t visited_ = 0;  // instructions but for parameters
  int64_t steps_ = 0;    // all
  int depth_ = 0;
  int fused_ = 0;  // fusions around
  int32_t loops_ = 0;
  const std::vector<int64_t>* mapped_ = nullptr;
  std::map<std::string, int64_t> unknown_;
  std::vector<OpId> results_;
  int64_t disagreements_ = 0;
  std::vector<Diagnostic> notes_;
  ModuleFacts facts_;
  std::optional<Compilation> compilation_;
};

// How instructions of an opcode are translated. A failed builder means that
// the instruction cannot be expressed.
using Translator = Value (*)(Translation&, const Site&);
Translator TranslatorFor(Opcode opcode);  // null if there is none

}  // namespace tilewise::hlo

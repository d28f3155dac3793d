// Instructions and computations of HLO text.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "frontend/hlo/module.h"
#include "frontend/hlo/name_table.h"
#include "frontend/hlo/stack_frames.h"
#include "frontend/hlo/text_attributes.h"
#include "frontend/hlo/text_cursor.h"
#include "frontend/hlo/text_shape.h"

namespace tilewise::hlo {

// Reads the computations of one module. Calls are by name until Finish.
class ComputationReader {
 public:
  ComputationReader(TextCursor& cursor, ShapeReader& shapes, Module& module,
                    const StackFrames& frames);

  // "%name (a: f32[]) -> f32[] {...}" after ENTRY, the cursor at what follows
  // the name.
  bool ReadNamed(std::string_view name, const char* at, bool is_entry);
  // Instructions that stand in no computation, which become the entry.
  // Operands with a type that nothing here computes are parameters.
  bool ReadBare();
  // Puts numbers in the place of names and chooses an entry.
  bool Finish();

 private:
  struct Reference {
    int32_t computation = 0;
    int32_t instruction = 0;
    CalledName called;
  };
  // A computation that is being read.
  struct Scope {
    Computation computation;
    NameTable values;
    std::vector<Reference> references;
    bool has_root = false;
    bool is_bare = false;
  };
  // An instruction before its opcode is read.
  struct Start {
    std::string_view name;
    const char* at = nullptr;
    HloShape shape;
    int depth = 0;  // of instructions that stand in the place of operands
  };

  bool ReadBody(Scope& scope);
  bool ReadInline(int32_t& computation);
  bool ReadInstruction(Scope& scope);
  // Reads from the opcode on; `number` becomes that of the instruction.
  bool ReadOperation(Scope& scope, Start start, int32_t& number);
  bool ReadOperands(Scope& scope, Instruction& instruction, int depth);
  bool ReadOperand(Scope& scope, int depth, int32_t& number);
  bool MissingOperand(Scope& scope, std::string_view name, const char* at, const char* shape_at,
                      int32_t& number);
  bool Define(Scope& scope, std::string_view name, const char* at);
  int32_t Add(Scope& scope, Instruction instruction, std::vector<CalledName>& called);
  // "slice-start(..)" and the like: the operation wrapped in an async one.
  bool Wrap(Scope& scope, Instruction& instruction, std::vector<CalledName>& called,
            std::string_view part);
  int32_t AddComputation(Scope scope);
  bool Resolve(const Reference& reference);
  void ChooseEntry();

  TextCursor& cursor_;
  ShapeReader& shapes_;
  Module& module_;
  AttributeReader attributes_;
  absl::flat_hash_map<std::string_view, int32_t> computations_;
  std::vector<Reference> references_;
  std::vector<int32_t> operands_;    // of instructions that are being read
  std::vector<const char*> places_;  // of computations in the text
  int64_t instructions_ = 0;         // read so far
  bool has_entry_ = false;
  int inline_depth_ = 0;
};

}  // namespace tilewise::hlo

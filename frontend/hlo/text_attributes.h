// Attributes of an instruction in HLO text: those that tilewise uses, typed;
// others skipped, whatever they hold.

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "frontend/hlo/module.h"
#include "frontend/hlo/stack_frames.h"
#include "frontend/hlo/text_cursor.h"

namespace tilewise::hlo {

// A computation that an instruction calls, by name until all are read.
struct CalledName {
  size_t slot = 0;           // its place in Instruction::called
  std::string_view name;     // "" when it stands inline
  const char* at = nullptr;  // in the text
  int32_t computation = -1;  // when it stands inline
};

class AttributeReader {
 public:
  // Reads a computation that stands in braces in the place of a name, the
  // cursor at the brace; its index.
  using InlineReader = std::function<bool(int32_t& computation)>;

  AttributeReader(TextCursor& cursor, Module& module, const StackFrames& frames,
                  InlineReader read_inline)
      : cursor_(cursor), module_(module), frames_(frames), read_inline_(std::move(read_inline)) {}

  // All of ", name=value" from here on. Appends what the instruction calls.
  bool Read(Instruction& instruction, std::vector<CalledName>& called);

 private:
  bool ReadOne(std::string_view name, Instruction& instruction, std::vector<CalledName>& called);
  bool ReadIntegers(size_t attribute, Instruction& instruction);
  bool ReadGatherDims(size_t attribute, GatherDims& gather);
  bool ReadNumber(size_t attribute, Instruction& instruction);
  bool ReadWord(size_t attribute, Instruction& instruction);
  bool ReadOther(size_t attribute, Instruction& instruction);
  bool ReadBackendConfig(Instruction& instruction);
  bool ReadCalled(size_t slot, std::vector<CalledName>& called);
  bool ReadCalledList(size_t slot, std::vector<CalledName>& called);

  TextCursor& cursor_;
  Module& module_;
  const StackFrames& frames_;
  InlineReader read_inline_;
};

}  // namespace tilewise::hlo

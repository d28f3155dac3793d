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
  size_t slot = 0;           // its index in Instruction::called
  std::string_view name;     // "" when it stands inline
  const char* at = nullptr;  // in the text
  int32_t computation = -1;  // when it stands inline
};

using CalledNames = std::vector<CalledName>;

class AttributeReader {
 public:
  // Reads a computation that stands in braces in the place of a name, the
  // cursor at the brace; its index.
  using InlineReader = std::function<bool(int32_t& computation)>;

  AttributeReader(TextCursor& cursor, Module& module, const StackFrames& frames,
                  InlineReader read_inline)
      : cursor_(cursor), module_(module), frames_(frames), read_inline_(std::move(read_inline)) {}

  // Reads all of ", name=value" from here on. Appends what the instruction
  // calls.
  bool Read(Instruction& instruction, CalledNames& called);

  // What one attribute needs to be read.
  TextCursor& cursor() { return cursor_; }
  Module& module() { return module_; }
  const StackFrames& frames() const { return frames_; }
  bool ReadCalled(size_t slot, CalledNames& called);
  bool ReadCalledList(size_t slot, CalledNames& called);

 private:
  TextCursor& cursor_;
  Module& module_;
  const StackFrames& frames_;
  InlineReader read_inline_;
};

}  // namespace tilewise::hlo

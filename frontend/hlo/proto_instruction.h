// One instruction of XLA's protobufs.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "frontend/hlo/module.h"
#include "frontend/hlo/stack_frames.h"

namespace tilewise::hlo {

struct ProtoInstruction {
  Instruction instruction;  // without operands and called
  int64_t id = 0;
  std::vector<int64_t> operand_ids;
  std::vector<int64_t> called_ids;  // in the order of Instruction::called
};

// Clears and fills `read`. Throws protozero's exceptions on malformed bytes.
// Errors: of the shape.
absl::Status ReadInstructionProto(std::string_view bytes, const StackFrames& frames,
                                  ProtoInstruction& read);

}  // namespace tilewise::hlo

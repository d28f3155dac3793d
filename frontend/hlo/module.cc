// Names of instructions, and what a module as a whole says of itself.

#include "frontend/hlo/module.h"

#include <array>

#include "frontend/hlo/word_table.h"

namespace tilewise::hlo {
namespace {

constexpr auto kOpcodeNames = std::to_array<std::string_view>({
#define TW_HLO(enumerator, name) name,
#include "frontend/hlo/opcodes.def"
#undef TW_HLO
});
constexpr WordTable<kOpcodeNames.size()> kOpcodes(kOpcodeNames);

bool HasTiles(const HloShape& shape) {
  if (shape.kind == HloShape::Kind::kArray) {
    return shape.layout && !shape.layout->tiles.empty();
  }
  // Tuples of tuples hold nothing that their elements' producers do not.
  for (const HloShape& element : shape.elements) {
    if (element.layout && !element.layout->tiles.empty()) return true;
  }
  return false;
}

// Computations that the entry runs, itself included.
std::vector<int32_t> Reached(const Module& module) {
  std::vector<int32_t> reached = {module.entry};
  std::vector<bool> seen(module.computations.size());
  seen[module.entry] = true;
  for (size_t next = 0; next < reached.size(); ++next) {
    const size_t at = reached[next];
    for (const Instruction& i : module.computations[at].instructions) {
      for (const int32_t callee : i.called) {
        if (seen[callee]) continue;
        seen[callee] = true;
        reached.push_back(callee);
      }
    }
  }
  return reached;
}

}  // namespace

std::string_view OpcodeName(Opcode opcode) {
  const auto place = static_cast<size_t>(opcode);
  return place < kOpcodeNames.size() ? kOpcodeNames[place] : "unknown";
}

Opcode ParseOpcode(std::string_view name) { return static_cast<Opcode>(kOpcodes.Find(name)); }

const InstructionExtras& Instruction::more() const {
  static const InstructionExtras kStandard;
  return extras ? *extras : kStandard;
}

InstructionExtras& Instruction::Extras() {
  if (!extras) extras = std::make_unique<InstructionExtras>();
  return *extras;
}

bool HasTiledLayouts(const Module& module) {
  if (module.computations.empty()) return false;
  for (const int32_t at : Reached(module)) {
    const Computation& computation = module.computations[at];
    for (const Instruction& i : computation.instructions) {
      if (HasTiles(i.shape)) return true;
    }
  }
  return false;
}

}  // namespace tilewise::hlo

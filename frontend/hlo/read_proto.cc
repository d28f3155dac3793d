// Reads a module from its protobuf: tables first, then computations; calls and
// operands are by id.

#include "frontend/hlo/read_proto.h"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "base/units.h"
#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/link_module.h"
#include "frontend/hlo/proto_attributes.h"
#include "frontend/hlo/proto_fields.h"
#include "frontend/hlo/proto_instruction.h"
#include "frontend/hlo/proto_tables.h"
#include "frontend/wire/text_to_wire.h"

namespace tilewise::hlo {
namespace {

using IdMap = absl::flat_hash_map<int64_t, int32_t>;

// Returns where each instruction comes to stand; empty when `order` is none.
std::vector<int32_t> Places(const Computation& computation, const std::vector<int32_t>& order) {
  const std::vector<Instruction>& all = computation.instructions;
  if (order.size() != all.size()) return {};
  std::vector<int32_t> places(all.size(), -1);
  for (size_t i = 0; i < order.size(); ++i) {
    int32_t& place = places[order[i]];
    if (place != -1) return {};
    place = static_cast<int32_t>(i);
  }
  for (size_t i = 0; i < all.size(); ++i) {
    for (const int32_t operand : all[i].operands) {
      if (places[operand] >= places[i]) return {};
    }
  }
  return places;
}

// Puts the instructions in the order `order` (of their numbers), if it has each
// once and operands stay before their users; else leaves them as they are.
void OrderInstructions(Computation& computation, const std::vector<int32_t>& order) {
  const std::vector<int32_t> places = Places(computation, order);
  if (places.empty()) return;
  std::vector<Instruction> ordered;
  ordered.reserve(order.size());
  for (const int32_t at : order) {
    ordered.push_back(std::move(computation.instructions[at]));
    for (int32_t& operand : ordered.back().operands) {
      operand = places[operand];
    }
  }
  computation.instructions = std::move(ordered);
  computation.root = places[computation.root];
}

class ModuleReader {
 public:
  explicit ModuleReader(Module& module) : module_(module) {}

  absl::Status Read(std::string_view bytes) {
    try {
      TW_RETURN_IF_ERROR(ReadParts(bytes));
      for (const std::string_view computation : computations_) {
        TW_RETURN_IF_ERROR(ReadComputation(computation));
      }
      TW_RETURN_IF_ERROR(ResolveCalls());
      if (!schedule_.empty()) ReadSchedule();
    } catch (const protozero::exception& error) {
      return InvalidInput(fmt::format("malformed protobuf{}: {}", Where(), error.what()));
    }
    if (module_.computations.empty()) {
      return InvalidInput("found a module without computations");
    }
    const auto entry = computation_ids_.find(entry_id_);
    module_.entry = entry != computation_ids_.end()
                        ? entry->second
                        : static_cast<int32_t>(computations_.size()) - 1;
    return LinkModule(module_);
  }

 private:
  // " after instruction X of computation Y", as far as was read.
  std::string Where() const {
    if (module_.computations.empty()) return "";
    const Computation& computation = module_.computations.back();
    if (computation.instructions.empty()) {
      return fmt::format(" in computation {}", computation.name);
    }
    return fmt::format(" after instruction {} of computation {}",
                       computation.instructions.back().name, computation.name);
  }

  absl::Status ReadParts(std::string_view bytes) {
    using Proto = wire::HloModuleProto;
    FieldReader reader = ReaderOf(bytes);
    while (reader.next()) {
      switch (reader.tag()) {
        case Proto::kNameFieldNumber:
          module_.name = ViewOf(reader);
          break;
        case Proto::kComputationsFieldNumber:
          computations_.push_back(ViewOf(reader));
          break;
        case Proto::kEntryComputationIdFieldNumber:
          entry_id_ = reader.get_int64();
          break;
        case Proto::kScheduleFieldNumber:
          schedule_ = ViewOf(reader);
          break;
        case Proto::kInputOutputAliasFieldNumber:
          ReadAliasProto(ViewOf(reader), module_.aliases);
          break;
        case Proto::kDeviceAssignmentFieldNumber:
          ReadDeviceCounts(ViewOf(reader), module_);
          break;
        case Proto::kStackFrameIndexFieldNumber:
          ReadStackFramesProto(ViewOf(reader), frames_);
          break;
        case Proto::kFrontendAttributesFieldNumber:
          ReadFrontendProto(ViewOf(reader), module_.frontend);
          break;
        default:
          reader.skip();
      }
    }
    module_.is_scheduled = !schedule_.empty();
    module_.computations.reserve(computations_.size());
    return absl::OkStatus();
  }

  absl::Status ReadComputation(std::string_view bytes) {
    using Proto = wire::HloComputationProto;
    Computation& computation = module_.computations.emplace_back();
    IdMap& ids = instruction_ids_.emplace_back();
    const auto number = static_cast<int32_t>(module_.computations.size()) - 1;
    int64_t id = number;
    int64_t root_id = -1;
    FieldReader reader = ReaderOf(bytes);
    while (reader.next()) {
      switch (reader.tag()) {
        case Proto::kNameFieldNumber:
          computation.name = ViewOf(reader);
          break;
        case Proto::kInstructionsFieldNumber:
          if (const absl::Status status = ReadInstruction(ViewOf(reader), computation, ids);
              !status.ok()) {
            return Annotate(status, fmt::format("computation {}", computation.name));
          }
          break;
        case Proto::kIdFieldNumber:
          id = reader.get_int64();
          break;
        case Proto::kRootIdFieldNumber:
          root_id = reader.get_int64();
          break;
        case Proto::kIsFusionComputationFieldNumber:
          computation.is_fusion = reader.get_bool();
          break;
        default:
          reader.skip();
      }
    }
    if (computation.instructions.empty()) {
      return InvalidInput(
          fmt::format("found computation {} without instructions", computation.name));
    }
    const auto root = ids.find(root_id);
    computation.root = root != ids.end()
                           ? root->second
                           : static_cast<int32_t>(computation.instructions.size()) - 1;
    if (!computation_ids_.emplace(id, number).second) {
      return InvalidInput(
          fmt::format("found a second computation with id {}: {}", id, computation.name));
    }
    return absl::OkStatus();
  }

  absl::Status ReadInstruction(std::string_view bytes, Computation& computation, IdMap& ids) {
    const absl::Status status = ReadInstructionProto(bytes, frames_, read_);
    Instruction& instruction = read_.instruction;
    if (!status.ok()) {
      return Annotate(status, fmt::format("instruction {}", instruction.name));
    }
    if (instruction.index < 0) {
      return InvalidInput(
          fmt::format("instruction {}: found index {}", instruction.name, instruction.index));
    }
    if (++instructions_ > kMostInstructions) {
      return InvalidInput(
          fmt::format("found more than {} instructions, expected a module of at most that",
                      FormatCount(kMostInstructions)));
    }
    const auto number = static_cast<int32_t>(computation.instructions.size());
    instruction.operands.reserve(read_.operand_ids.size());
    for (const int64_t id : read_.operand_ids) {
      const auto operand = ids.find(id);
      if (operand == ids.end()) {
        return InvalidInput(
            fmt::format("instruction {}: found operand id {}, expected the id of an "
                        "instruction before it",
                        instruction.name, id));
      }
      instruction.operands.push_back(operand->second);
    }
    if (!ids.emplace(read_.id, number).second) {
      return InvalidInput(
          fmt::format("found a second instruction with id {}: {}", read_.id, instruction.name));
    }
    if (!read_.called_ids.empty()) {
      calls_.push_back(
          {static_cast<int32_t>(module_.computations.size()) - 1, number, read_.called_ids});
    }
    computation.instructions.push_back(std::move(instruction));
    return absl::OkStatus();
  }

  absl::Status ResolveCalls() {
    for (const Call& call : calls_) {
      Instruction& instruction =
          module_.computations[call.computation].instructions[call.instruction];
      for (const int64_t id : call.called_ids) {
        const auto callee = computation_ids_.find(id);
        if (callee == computation_ids_.end()) {
          return InvalidInput(
              fmt::format("instruction {}: found computation id {}, expected "
                          "one that the module has",
                          instruction.name, id));
        }
        instruction.called.push_back(callee->second);
      }
    }
    return absl::OkStatus();
  }

  void ReadSchedule() {
    using Sequence = wire::HloScheduleProto::InstructionSequence;
    FieldReader reader = ReaderOf(schedule_);
    while (reader.next()) {
      if (reader.tag() != wire::HloScheduleProto::kSequencesFieldNumber) {
        reader.skip();
        continue;
      }
      int64_t computation = -1;
      std::vector<int64_t> ids;
      FieldReader entry = reader.get_message();
      while (entry.next()) {
        if (entry.tag() == 1) {  // key and value of every map
          computation = entry.get_int64();
        } else if (entry.tag() == 2) {
          FieldReader sequence = entry.get_message();
          while (sequence.next()) {
            if (sequence.tag() == Sequence::kInstructionIdsFieldNumber) {
              ReadIntegers(sequence, ids);
            } else {
              sequence.skip();
            }
          }
        } else {
          entry.skip();
        }
      }
      Schedule(computation, ids);
    }
  }

  void Schedule(int64_t computation, const std::vector<int64_t>& ids) {
    const auto found = computation_ids_.find(computation);
    if (found == computation_ids_.end()) return;
    const size_t at = found->second;
    std::vector<int32_t> order;
    order.reserve(ids.size());
    for (const int64_t id : ids) {
      const auto known = instruction_ids_[at].find(id);
      if (known == instruction_ids_[at].end()) return;
      order.push_back(known->second);
    }
    OrderInstructions(module_.computations[at], order);
  }

  struct Call {
    int32_t computation = 0;
    int32_t instruction = 0;
    std::vector<int64_t> called_ids;
  };

  Module& module_;
  std::vector<std::string_view> computations_;
  std::string_view schedule_;
  int64_t entry_id_ = -1;
  StackFrames frames_;
  IdMap computation_ids_;
  int64_t instructions_ = 0;            // read so far
  std::vector<IdMap> instruction_ids_;  // by computation
  std::vector<Call> calls_;
  ProtoInstruction read_;
};

// The first field 1 of a message, which holds a module or what holds one.
std::string_view Inside(std::string_view bytes) {
  FieldReader reader = ReaderOf(bytes);
  return reader.next(wire::HloProto::kHloModuleFieldNumber) ? ViewOf(reader) : bytes;
}

absl::Status ReadInto(std::string_view bytes, Module& module) {
  module.dialect = "hlo";
  const std::optional<int> depth = ModuleDepth(bytes);
  if (!depth) {
    return InvalidInput("found no module, expected an HloModuleProto, HloProto or HloSnapshot");
  }
  try {
    for (int i = 0; i < *depth; ++i) bytes = Inside(bytes);
  } catch (const protozero::exception& error) {
    return InvalidInput(fmt::format("malformed protobuf around the module: {}", error.what()));
  }
  return ModuleReader(module).Read(bytes);
}

absl::StatusOr<std::string> WireForm(std::string_view text) {
  switch (TextModuleDepth(text).value_or(1)) {
    case 0:
      return TextToWire(text, wire::HloModuleProto());
    case 1:
      return TextToWire(text, wire::HloProto());
    default:
      return TextToWire(text, wire::HloSnapshot());
  }
}

}  // namespace

absl::StatusOr<Module> ReadHloProto(std::string_view bytes) {
  Module module;
  TW_RETURN_IF_ERROR(ReadInto(bytes, module));
  return module;
}

absl::StatusOr<Module> ReadHloTextProto(std::string_view text) {
  Module module;
  TW_ASSIGN_OR_RETURN(std::string bytes, WireForm(text));
  module.texts.push_back(std::move(bytes));
  TW_RETURN_IF_ERROR(ReadInto(module.texts.back(), module));
  return module;
}

}  // namespace tilewise::hlo

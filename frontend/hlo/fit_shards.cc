// See fit_shards.h.

#include "frontend/hlo/fit_shards.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace tilewise::hlo {
namespace {

bool IsCall(const Instruction& instruction, std::string_view target) {
  return instruction.opcode == Opcode::kCustomCall &&
         instruction.more().custom_call_target == target;
}

bool IsToShard(const Instruction& instruction) {
  return IsCall(instruction, "SPMDFullToShardShape");
}
bool IsToFull(const Instruction& instruction) {
  return IsCall(instruction, "SPMDShardToFullShape");
}
// Annotations, which have the shape of their operand.
bool KeepsShape(const Instruction& instruction) {
  return IsCall(instruction, "Sharding") || instruction.opcode == Opcode::kCopy;
}

// Costs nothing, and is its operand.
void MakeFree(Instruction& instruction) {
  instruction.opcode = Opcode::kCopy;
  instruction.extras.reset();
}

class Fitting {
 public:
  explicit Fitting(Computation& computation)
      : instructions_(computation.instructions),
        root_(computation.root),
        users_(computation.instructions.size()) {
    for (size_t i = 0; i < instructions_.size(); ++i) {
      for (int32_t operand : instructions_[i].operands) {
        users_[operand].push_back(static_cast<int32_t>(i));
      }
    }
  }

  void FitArguments() {
    for (size_t i = 0; i < instructions_.size(); ++i) {
      if (instructions_[i].opcode != Opcode::kParameter) continue;
      std::vector<int32_t> chain;
      std::optional<HloShape> local;
      if (!Uses(static_cast<int32_t>(i), chain, local) || !local) continue;
      instructions_[i].shape = *local;
      for (int32_t link : chain) {
        Instruction& made = instructions_[link];
        made.shape = *local;
        MakeFree(made);
      }
    }
  }

  void FitResults() {
    Instruction& root = instructions_[root_];
    if (root.opcode != Opcode::kTuple) {
      FitResult(root_);
      return;
    }
    const size_t count = std::min(root.operands.size(), root.shape.elements.size());
    for (size_t i = 0; i < count; ++i) {
      if (FitResult(root.operands[i])) {
        root.shape.elements[i] = instructions_[root.operands[i]].shape;
      }
    }
  }

 private:
  // Whether all uses of a value are annotations and, at their ends, the parts
  // of one shape for the device.
  bool Uses(int32_t value, std::vector<int32_t>& chain, std::optional<HloShape>& local) const {
    std::vector<int32_t> open = {value};
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      if (static_cast<int32_t>(at) == root_) return false;
      for (int32_t user : users_[at]) {
        const Instruction& use = instructions_[user];
        chain.push_back(user);
        if (IsToShard(use)) {
          if (local && !(*local == use.shape)) return false;
          local = use.shape;
        } else if (KeepsShape(use)) {
          open.push_back(user);
        } else {
          return false;
        }
      }
    }
    return true;
  }

  // A result that is put together, and used by nothing but the root.
  bool FitResult(int32_t result) {
    std::vector<int32_t> chain;
    int32_t at = result;
    while (true) {
      const Instruction& made = instructions_[at];
      if (users_[at].size() > 1) return false;
      if (!IsToFull(made) && !KeepsShape(made)) return false;
      chain.push_back(at);
      if (made.operands.empty()) return false;
      at = made.operands[0];
      if (IsToFull(made)) break;
    }
    const HloShape local = instructions_[at].shape;
    for (int32_t link : chain) {
      Instruction& made = instructions_[link];
      made.shape = local;
      MakeFree(made);
    }
    return true;
  }

  std::vector<Instruction>& instructions_;
  int32_t root_;
  std::vector<std::vector<int32_t>> users_;
};

// The part at the front; a dim of the batch is taken whole.
void MakeSlice(Instruction& instruction, const HloShape& from) {
  instruction.opcode = Opcode::kSlice;
  instruction.extras.reset();
  InstructionExtras& extras = instruction.Extras();
  extras.slice->starts.assign(from.dims.size(), 0);
  extras.slice->strides.assign(from.dims.size(), 1);
  extras.slice->limits = instruction.shape.dims;
}

// The parts side by side, for which this device's stands.
void MakePad(Instruction& instruction, const HloShape& from, int32_t zero) {
  instruction.opcode = Opcode::kPad;
  instruction.extras.reset();
  instruction.operands.push_back(zero);
  InstructionExtras& extras = instruction.Extras();
  const size_t rank = from.dims.size();
  extras.pad->low.assign(rank, 0);
  extras.pad->interior.assign(rank, 0);
  for (size_t i = 0; i < rank; ++i) {
    extras.pad->high.push_back(instruction.shape.dims[i] - from.dims[i]);
  }
}

bool Comparable(const HloShape& a, const HloShape& b) {
  if (a.kind != HloShape::Kind::kArray || b.kind != HloShape::Kind::kArray ||
      a.dims.size() != b.dims.size()) {
    return false;
  }
  for (size_t i = 0; i < a.dims.size(); ++i) {
    const bool equal = a.dims[i] == b.dims[i];
    if (!equal && (a.dims[i] < 0 || b.dims[i] < 0)) return false;
  }
  return true;
}

// Zeros for the padding that follows: an instruction before the others.
void AddZero(Computation& computation, DType dtype) {
  Instruction zero;
  zero.opcode = Opcode::kConstant;
  zero.name = "zero";
  zero.shape.dtype = dtype;
  zero.literal->splat = 0;
  std::vector<Instruction>& all = computation.instructions;
  all.insert(all.begin(), std::move(zero));
  for (Instruction& instruction : all) {
    for (int32_t& operand : instruction.operands) ++operand;
  }
  ++computation.root;
}

bool HasEntry(const Module& module) {
  const size_t entry = module.entry;
  return module.entry >= 0 && entry < module.computations.size() &&
         static_cast<size_t>(module.computations[entry].root) <
             module.computations[entry].instructions.size();
}

}  // namespace

int64_t FitShards(Module& module) {
  bool any = false;
  for (const Computation& computation : module.computations) {
    for (const Instruction& instruction : computation.instructions) {
      any = any || IsToShard(instruction) || IsToFull(instruction);
    }
  }
  if (!any || !HasEntry(module)) return 0;
  Fitting entry(module.computations[module.entry]);
  entry.FitArguments();
  entry.FitResults();
  int64_t left = 0;
  for (Computation& computation : module.computations) {
    // A zero of each type that is padded, at the front.
    std::vector<DType> zeros;
    for (const Instruction& instruction : computation.instructions) {
      if (!IsToFull(instruction)) continue;
      bool known = false;
      for (DType dtype : zeros) known = known || dtype == instruction.shape.dtype;
      if (!known) zeros.push_back(instruction.shape.dtype);
    }
    for (DType dtype : zeros) AddZero(computation, dtype);
    for (Instruction& instruction : computation.instructions) {
      const bool to_shard = IsToShard(instruction);
      if ((!to_shard && !IsToFull(instruction)) || instruction.operands.empty()) {
        continue;
      }
      const HloShape& from = computation.instructions[instruction.operands[0]].shape;
      if (!Comparable(from, instruction.shape)) continue;
      ++left;
      if (to_shard) {
        MakeSlice(instruction, from);
        continue;
      }
      for (size_t i = 0; i < zeros.size(); ++i) {
        // The last one that was added stands first.
        const size_t place = zeros.size() - 1 - i;
        if (zeros[i] == instruction.shape.dtype) {
          MakePad(instruction, from, static_cast<int32_t>(place));
          break;
        }
      }
    }
  }
  return left;
}

}  // namespace tilewise::hlo

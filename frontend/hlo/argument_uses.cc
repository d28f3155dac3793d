// Every computation is looked at once: what it does with its parameters, and
// which of them its result is.

#include "frontend/hlo/argument_uses.h"

#include <utility>
#include <vector>

namespace tilewise::hlo {
namespace {

constexpr int kMaxCallDepth = 64;  // of calls

// Returns whether an array is still the same parameter after the op; an array
// of all devices made of the parts that they keep is one too.
bool Moves(Opcode opcode) {
  return opcode == Opcode::kConvert || opcode == Opcode::kCopy || opcode == Opcode::kTranspose ||
         opcode == Opcode::kReshape || opcode == Opcode::kBitcast || opcode == Opcode::kReverse ||
         opcode == Opcode::kAllGather;
}

bool Calls(Opcode opcode) { return opcode == Opcode::kCall || opcode == Opcode::kFusion; }

// What the use as operand `i` of `user` says.
ArgumentUse UseOf(const Instruction& user, size_t i) {
  switch (user.opcode) {
    case Opcode::kConvolution: {
      // The gradient of a kernel reads data on both sides.
      const ConvDims& conv = user.more().conv;
      const bool is_kernel = i == 1 && conv.input_batch < conv.input_feature;
      return {is_kernel ? ArgumentRole::kWeight : ArgumentRole::kInput, false};
    }
    case Opcode::kRaggedDot:
      return i == 1 ? ArgumentUse{ArgumentRole::kWeight, false} : ArgumentUse{};
    case Opcode::kDot:
      if (!user.dot->rhs_batch.empty()) return {};
      return i == 1 ? ArgumentUse{ArgumentRole::kWeight, false} : ArgumentUse{std::nullopt, true};
    case Opcode::kGather:
      return i == 0 ? ArgumentUse{ArgumentRole::kWeight, false} : ArgumentUse{};
    default:
      return {};
  }
}

void Join(const ArgumentUse& next, ArgumentUse& use) {
  if (!use.role) use.role = next.role;
  use.is_left = use.is_left || next.is_left;
}

class UseFinder {
 public:
  explicit UseFinder(const Module& module) : module_(module), found_(module.computations.size()) {}

  struct Found {
    bool looked_at = false;
    std::map<int64_t, ArgumentUse> uses;  // by parameter number
    int64_t result = -1;                  // the parameter that it is
  };

  const Found& Of(size_t index, int depth) {
    Found& found = found_[index];
    if (found.looked_at || depth > kMaxCallDepth) return found;
    found.looked_at = true;
    const Computation& computation = module_.computations[index];
    // The parameter that each instruction is; -1 for none.
    std::vector<int64_t> source(computation.instructions.size(), -1);
    for (size_t at = 0; at < source.size(); ++at) {
      const Instruction& i = computation.instructions[at];
      if (i.opcode == Opcode::kParameter) {
        source[at] = i.index;
        found.uses.try_emplace(i.index);
      } else if (Calls(i.opcode) && !i.called.empty()) {
        FollowCall(Of(static_cast<size_t>(i.called[0]), depth + 1), i, at, source, found);
      } else {
        Follow(i, at, source, found);
      }
    }
    const size_t root = computation.root;
    if (root < source.size()) found.result = source[root];
    return found;
  }

 private:
  static void Follow(const Instruction& i, size_t at, std::vector<int64_t>& source, Found& found) {
    for (size_t k = 0; k < i.operands.size(); ++k) {
      const int64_t from = source[i.operands[k]];
      if (from < 0) continue;
      if (k == 0 && Moves(i.opcode)) source[at] = from;
      Join(UseOf(i, k), found.uses[from]);
    }
  }

  static void FollowCall(const Found& callee, const Instruction& call, size_t at,
                         std::vector<int64_t>& source, Found& found) {
    for (size_t k = 0; k < call.operands.size(); ++k) {
      const int64_t from = source[call.operands[k]];
      if (from < 0) continue;
      const auto number = static_cast<int64_t>(k);
      if (callee.result == number) source[at] = from;
      const auto use = callee.uses.find(number);
      if (use != callee.uses.end()) Join(use->second, found.uses[from]);
    }
  }

  const Module& module_;
  std::vector<Found> found_;
};

}  // namespace

std::map<const Instruction*, ArgumentUse> FindArgumentUses(const Module& module) {
  UseFinder finder(module);
  const size_t entry = module.entry;
  const UseFinder::Found& found = finder.Of(entry, 0);
  std::map<const Instruction*, ArgumentUse> uses;
  for (const Instruction& i : module.computations[entry].instructions) {
    if (i.opcode != Opcode::kParameter) continue;
    const auto at = found.uses.find(i.index);
    if (at != found.uses.end()) uses.emplace(&i, at->second);
  }
  return uses;
}

}  // namespace tilewise::hlo

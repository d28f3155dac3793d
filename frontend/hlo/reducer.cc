// Recognises computations by following their root through conversions and
// calls to the instruction that does the work.

#include "frontend/hlo/reducer.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tilewise::hlo {
namespace {

constexpr int kMaxWalk = 64;

struct Node {
  const Computation* computation = nullptr;
  const Instruction* instruction = nullptr;
};

bool KeepsValue(Opcode opcode) {
  return opcode == Opcode::kConvert || opcode == Opcode::kCopy || opcode == Opcode::kBitcast ||
         opcode == Opcode::kReshape || opcode == Opcode::kBroadcast ||
         opcode == Opcode::kReducePrecision || opcode == Opcode::kOptBarrier;
}

Node At(const Computation& computation, int32_t index) {
  return {&computation, &computation.instructions[index]};
}

Node Operand(const Node& node, size_t i) {
  if (i >= node.instruction->operands.size()) return {};
  return At(*node.computation, node.instruction->operands[i]);
}

// Follows what keeps the value, within one computation.
Node Source(Node node) {
  for (int step = 0;
       step < kMaxWalk && node.instruction != nullptr && KeepsValue(node.instruction->opcode);
       ++step) {
    node = Operand(node, 0);
  }
  return node;
}

int64_t ParameterNumber(const Node& node) {
  const Node source = Source(node);
  const bool is_parameter =
      source.instruction != nullptr && source.instruction->opcode == Opcode::kParameter;
  return is_parameter ? source.instruction->index : -1;
}

// The instruction that makes result `result` of `computation`, or null.
Node Result(const Computation& computation, size_t result) {
  if (computation.instructions.empty()) return {};
  const Node root = Source(At(computation, computation.root));
  if (root.instruction == nullptr || root.instruction->opcode != Opcode::kTuple) {
    return result == 0 ? root : Node();
  }
  return Source(Operand(root, result));
}

bool IsPair(int64_t a, int64_t b, int64_t first, int64_t second) {
  return (a == first && b == second) || (a == second && b == first);
}

Reducer JoinOfOpcode(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
      return Reducer::kSum;
    case Opcode::kMultiply:
      return Reducer::kProduct;
    case Opcode::kMaximum:
      return Reducer::kMax;
    case Opcode::kMinimum:
      return Reducer::kMin;
    case Opcode::kAnd:
      return Reducer::kAnd;
    case Opcode::kOr:
      return Reducer::kOr;
    case Opcode::kXor:
      return Reducer::kXor;
    default:
      return Reducer::kOther;
  }
}

bool IsOrder(Comparison comparison) {
  return comparison != Comparison::kEq && comparison != Comparison::kNe;
}

bool IsGreater(Comparison comparison) {
  return comparison == Comparison::kGt || comparison == Comparison::kGe;
}

// select(a > b, a, b) and its like.
Reducer JoinOfSelect(const Node& select, int64_t first, int64_t second) {
  const Node compare = Source(Operand(select, 0));
  if (compare.instruction == nullptr || compare.instruction->opcode != Opcode::kCompare ||
      !IsOrder(compare.instruction->comparison)) {
    return Reducer::kOther;
  }
  const int64_t left = ParameterNumber(Operand(compare, 0));
  const int64_t right = ParameterNumber(Operand(compare, 1));
  const int64_t on_true = ParameterNumber(Operand(select, 1));
  const int64_t on_false = ParameterNumber(Operand(select, 2));
  if (!IsPair(left, right, first, second) || !IsPair(on_true, on_false, first, second)) {
    return Reducer::kOther;
  }
  const bool picks_left = on_true == left;
  const bool greater = IsGreater(compare.instruction->comparison);
  return picks_left == greater ? Reducer::kMax : Reducer::kMin;
}

Reducer JoinOfNode(const Module& module, Node node, int64_t first, int64_t second) {
  for (int step = 0; step < kMaxWalk && node.instruction != nullptr; ++step) {
    const Opcode opcode = node.instruction->opcode;
    const bool calls = opcode == Opcode::kCall || opcode == Opcode::kFusion;
    const int64_t a = ParameterNumber(Operand(node, 0));
    const int64_t b = ParameterNumber(Operand(node, 1));
    if (opcode == Opcode::kSelect) return JoinOfSelect(node, first, second);
    if (!IsPair(a, b, first, second)) return Reducer::kOther;
    if (!calls) return JoinOfOpcode(opcode);
    if (node.instruction->called.empty()) return Reducer::kOther;
    node = Result(module.computations[node.instruction->called[0]], 0);
    first = 0;
    second = 1;
  }
  return Reducer::kOther;
}

bool IsUnsigned(DType dtype) {
  return dtype == DType::kPred || dtype == DType::kU4 || dtype == DType::kU8 ||
         dtype == DType::kU16 || dtype == DType::kU32 || dtype == DType::kU64;
}

// The largest finite value, rounded down.
double Highest(DType dtype) {
  if (dtype == DType::kPred) return 1;
  if (!IsFloat(dtype)) {
    const int64_t bits = BitWidth(dtype) - (IsUnsigned(dtype) ? 0 : 1);
    return std::ldexp(1.0, static_cast<int>(bits)) - 1;
  }
  if (BitWidth(dtype) == 4) return 6;
  if (BitWidth(dtype) == 8) return 448;
  return dtype == DType::kF16 ? 65504 : 3.3e38;
}

double Lowest(DType dtype) {
  if (IsFloat(dtype)) return -Highest(dtype);
  return IsUnsigned(dtype) ? 0 : -Highest(dtype) - 1;
}

// Returns, for each instruction, the parameters that it is computed from, as
// bits; those from 63 on share one.
std::vector<uint64_t> ParametersOf(const Computation& computation) {
  std::vector<uint64_t> used(computation.instructions.size(), 0);
  for (size_t i = 0; i < used.size(); ++i) {
    const Instruction& instruction = computation.instructions[i];
    if (instruction.opcode == Opcode::kParameter) {
      used[i] = uint64_t{1} << std::clamp<int64_t>(instruction.index, 0, 63);
    }
    for (const int32_t operand : instruction.operands) {
      used[i] |= used[operand];
    }
  }
  return used;
}

// The only parameter in `bits`; -1 if there are several or none.
int64_t OnlyParameter(uint64_t bits) {
  if (bits == 0 || (bits & (bits - 1)) != 0) return -1;
  int64_t number = 0;
  while (((bits >> number) & 1) == 0) ++number;
  return number;
}

// Returns what calls of the whole comparator lead to.
const Computation& Innermost(const Module& module, const Computation& computation) {
  const Computation* at = &computation;
  for (int step = 0; step < kMaxWalk && !at->instructions.empty(); ++step) {
    const Node root = Source(At(*at, at->root));
    if (root.instruction == nullptr || root.instruction->opcode != Opcode::kCall ||
        root.instruction->called.empty()) {
      break;
    }
    at = &module.computations[root.instruction->called[0]];
  }
  return *at;
}

}  // namespace

Reducer JoinOf(const Module& module, const Computation& callee, size_t result, size_t values) {
  return JoinOfNode(module, Result(callee, result), static_cast<int64_t>(result),
                    static_cast<int64_t>(result + values));
}

bool ReturnsParameter(const Module& module, const Computation& callee, int64_t parameter) {
  const Computation& inner = Innermost(module, callee);
  return ParameterNumber(Result(inner, 0)) == parameter;
}

std::optional<Reducer> PicksExtreme(const Module& module, const Computation& callee) {
  const Computation& inner = Innermost(module, callee);
  const Node value = Result(inner, 0);
  const Node index = Result(inner, 1);
  if (value.instruction == nullptr || index.instruction == nullptr ||
      index.instruction->opcode != Opcode::kSelect ||
      !IsPair(ParameterNumber(Operand(index, 1)), ParameterNumber(Operand(index, 2)), 1, 3)) {
    return std::nullopt;
  }
  const Reducer join = JoinOfNode(module, value, 0, 2);
  if (join == Reducer::kMax || join == Reducer::kMin) return join;
  if (value.instruction->opcode != Opcode::kSelect) return std::nullopt;
  const int64_t on_true = ParameterNumber(Operand(value, 1));
  if (!IsPair(on_true, ParameterNumber(Operand(value, 2)), 0, 2)) {
    return std::nullopt;
  }
  for (const Instruction& i : inner.instructions) {
    if (i.opcode != Opcode::kCompare || !IsOrder(i.comparison)) continue;
    const Node compare = {&inner, &i};
    const int64_t left = ParameterNumber(Operand(compare, 0));
    if (!IsPair(left, ParameterNumber(Operand(compare, 1)), 0, 2)) continue;
    const bool greater = IsGreater(i.comparison);
    return (on_true == left) == greater ? Reducer::kMax : Reducer::kMin;
  }
  return std::nullopt;
}

SortOrder OrderOf(const Module& module, const Computation& comparator, size_t operands) {
  const Computation& inner = Innermost(module, comparator);
  const std::vector<uint64_t> used = ParametersOf(inner);
  SortOrder order;
  int64_t best = static_cast<int64_t>(2 * operands);
  for (const Instruction& i : inner.instructions) {
    if (i.opcode != Opcode::kCompare || i.operands.size() != 2 || !IsOrder(i.comparison)) {
      continue;
    }
    const int64_t left = OnlyParameter(used[i.operands[0]]);
    const int64_t right = OnlyParameter(used[i.operands[1]]);
    if (left < 0 || right < 0 || left / 2 != right / 2 || left == right) {
      continue;
    }
    if (left / 2 >= best) continue;
    best = left / 2;
    order.key = static_cast<size_t>(best);
    // True puts parameter 2k before 2k + 1.
    order.descending = IsGreater(i.comparison) == (left < right);
  }
  return order;
}

bool IsIdentity(Reducer reducer, DType dtype, double value) {
  switch (reducer) {
    case Reducer::kSum:
    case Reducer::kXor:
    case Reducer::kOr:
      return value == 0;
    case Reducer::kProduct:
      return value == 1;
    case Reducer::kAnd:
      return dtype == DType::kPred ? value != 0 : value == -1 || value >= Highest(dtype);
    case Reducer::kMax:
      return std::isnan(value) || value <= Lowest(dtype);
    case Reducer::kMin:
      return std::isnan(value) || value >= Highest(dtype);
    case Reducer::kOther:
      return true;
  }
  return true;
}

}  // namespace tilewise::hlo

// Follows the scalars of a loop's condition and body through conversions, calls
// and fusions to elements of the loop's state and constants.

#include "frontend/hlo/loop_trips.h"

#include <algorithm>

#include "library/broadcast.h"
#include "library/trip_count.h"

namespace tilewise::hlo {
namespace {

constexpr int kMaxIterationDepth = 40;
constexpr int kMaxIterationSteps = 4000;  // for one loop
constexpr double kMaxIterations = 1e12;

// The computation that is looked at and how it was called; the outermost one
// has the loop's state as its parameter.
struct Frame {
  const Module& module;
  const Computation& computation;
  const Frame* caller = nullptr;
  const Instruction* call = nullptr;  // in the caller
  int* steps = nullptr;               // left for the loop
};

// An element of the state plus a constant, or the constant alone.
struct Scalar {
  int64_t element = -1;
  double value = 0;
};

std::optional<Scalar> Follow(const Frame& frame, int32_t index, int depth);

const Instruction& At(const Frame& frame, int32_t index) {
  return frame.computation.instructions[index];
}

const Computation* Called(const Frame& frame, const Instruction& i) {
  if (i.called.empty()) return nullptr;
  return &frame.module.computations[i.called[0]];
}

// Element `element` of the tuple that `index` makes.
std::optional<Scalar> FollowElement(const Frame& frame, int32_t index, int64_t element, int depth) {
  if (depth > kMaxIterationDepth || --*frame.steps < 0) return std::nullopt;
  const Instruction& i = At(frame, index);
  const size_t place = element;
  switch (i.opcode) {
    case Opcode::kParameter:
      if (frame.caller == nullptr) return Scalar{element, 0};
      if (static_cast<size_t>(i.index) >= frame.call->operands.size()) {
        return std::nullopt;
      }
      return FollowElement(*frame.caller, frame.call->operands[i.index], element, depth + 1);
    case Opcode::kTuple:
      if (place >= i.operands.size()) return std::nullopt;
      return Follow(frame, i.operands[place], depth + 1);
    case Opcode::kOptBarrier:
    case Opcode::kCopy:
      if (i.operands.empty()) return std::nullopt;
      return FollowElement(frame, i.operands[0], element, depth + 1);
    case Opcode::kCall:
    case Opcode::kFusion: {
      const Computation* callee = Called(frame, i);
      if (callee == nullptr) return std::nullopt;
      const Frame inner = {frame.module, *callee, &frame, &i, frame.steps};
      return FollowElement(inner, callee->root, element, depth + 1);
    }
    default:
      return std::nullopt;
  }
}

std::optional<Scalar> FollowSum(const Frame& frame, const Instruction& i, int depth) {
  if (i.operands.size() != 2) return std::nullopt;
  const std::optional<Scalar> a = Follow(frame, i.operands[0], depth + 1);
  const std::optional<Scalar> b = Follow(frame, i.operands[1], depth + 1);
  if (!a || !b) return std::nullopt;
  if (i.opcode == Opcode::kAdd && (a->element < 0 || b->element < 0)) {
    return Scalar{std::max(a->element, b->element), a->value + b->value};
  }
  if (i.opcode == Opcode::kSubtract && b->element < 0) {
    return Scalar{a->element, a->value - b->value};
  }
  return std::nullopt;
}

std::optional<Scalar> FollowConstant(const Instruction& i) {
  const Literal& literal = i.literal;
  if (literal.splat) return Scalar{-1, *literal.splat};
  if (literal.values.size() == 1) return Scalar{-1, literal.values[0]};
  return std::nullopt;
}

std::optional<Scalar> Follow(const Frame& frame, int32_t index, int depth) {
  if (depth > kMaxIterationDepth || --*frame.steps < 0) return std::nullopt;
  const Instruction& i = At(frame, index);
  switch (i.opcode) {
    case Opcode::kConstant:
      return FollowConstant(i);
    case Opcode::kAdd:
    case Opcode::kSubtract:
      return FollowSum(frame, i, depth);
    case Opcode::kGetTupleElement:
      if (i.operands.empty()) return std::nullopt;
      return FollowElement(frame, i.operands[0], i.index, depth + 1);
    case Opcode::kParameter:
      // A loop may carry one scalar, without a tuple.
      if (frame.caller == nullptr) return Scalar{0, 0};
      if (static_cast<size_t>(i.index) >= frame.call->operands.size()) {
        return std::nullopt;
      }
      return Follow(*frame.caller, frame.call->operands[i.index], depth + 1);
    case Opcode::kConvert:
    case Opcode::kCopy:
    case Opcode::kReshape:
    case Opcode::kBitcast:
    case Opcode::kBroadcast:
      if (i.operands.empty()) return std::nullopt;
      return Follow(frame, i.operands[0], depth + 1);
    case Opcode::kCall:
    case Opcode::kFusion: {
      const Computation* callee = Called(frame, i);
      if (callee == nullptr) return std::nullopt;
      const Frame inner = {frame.module, *callee, &frame, &i, frame.steps};
      return Follow(inner, callee->root, depth + 1);
    }
    default:
      return std::nullopt;
  }
}

struct Condition {
  Comparison comparison = Comparison::kLt;
  Scalar left, right;
};

std::optional<Condition> ReadCondition(const Frame& frame, int32_t index, int depth) {
  if (depth > kMaxIterationDepth) return std::nullopt;
  const Instruction& i = At(frame, index);
  if (i.opcode == Opcode::kFusion || i.opcode == Opcode::kCall) {
    const Computation* callee = Called(frame, i);
    if (callee == nullptr) return std::nullopt;
    const Frame inner = {frame.module, *callee, &frame, &i, frame.steps};
    return ReadCondition(inner, callee->root, depth + 1);
  }
  if (i.opcode != Opcode::kCompare || i.operands.size() != 2) {
    return std::nullopt;
  }
  const std::optional<Scalar> a = Follow(frame, i.operands[0], 0);
  const std::optional<Scalar> b = Follow(frame, i.operands[1], 0);
  if (!a || !b) return std::nullopt;
  return Condition{i.comparison, *a, *b};
}

// What element `scalar.element` starts as, plus the constant.
std::optional<double> Start(const Scalar& scalar, const Value& state, const GraphBuilder& e) {
  if (scalar.element < 0) return scalar.value;
  OpId op = state.op();
  if (state.is_tuple()) {
    const size_t place = scalar.element;
    if (place >= state.elements().size()) return std::nullopt;
    op = state.elements()[place].op();
  }
  const std::optional<double> value = ConstantValue(e, op);
  if (!value) return std::nullopt;
  return *value + scalar.value;
}

// What an iteration adds to the element; nothing when that is not a constant.
std::optional<double> Step(const Frame& body, int64_t element) {
  if (element < 0) return 0;
  const std::optional<Scalar> next = FollowElement(body, body.computation.root, element, 0);
  const std::optional<Scalar> whole = next ? next : Follow(body, body.computation.root, 0);
  if (!whole || whole->element != element) return std::nullopt;
  return whole->value;
}

}  // namespace

std::optional<int64_t> DeriveIterations(const Module& module, const Instruction& loop,
                                        const Value& state, const GraphBuilder& e) {
  if (loop.called.size() < 2) return std::nullopt;
  int steps = kMaxIterationSteps;
  const auto outermost = [&](size_t callee) {
    return Frame{module, module.computations[loop.called[callee]], nullptr, nullptr, &steps};
  };
  const Frame test = outermost(0);
  const Frame body = outermost(1);
  if (test.computation.instructions.empty() || body.computation.instructions.empty()) {
    return std::nullopt;
  }
  const std::optional<Condition> condition = ReadCondition(test, test.computation.root, 0);
  if (!condition) return std::nullopt;
  const std::optional<double> left = Start(condition->left, state, e);
  const std::optional<double> right = Start(condition->right, state, e);
  const std::optional<double> left_step = Step(body, condition->left.element);
  const std::optional<double> right_step = Step(body, condition->right.element);
  if (!left || !right || !left_step || !right_step) return std::nullopt;
  const std::optional<double> trips =
      IterationsWhile(condition->comparison, *left - *right, *left_step - *right_step);
  if (!trips || !(*trips < kMaxIterations)) return std::nullopt;
  return static_cast<int64_t>(*trips);
}

std::vector<bool> UnchangedElements(const Computation& body) {
  std::vector<bool> unchanged;
  if (body.instructions.empty()) return unchanged;
  const Instruction& root = body.instructions[body.root];
  if (root.opcode == Opcode::kParameter) return {};
  if (root.opcode != Opcode::kTuple) return unchanged;
  unchanged.reserve(root.operands.size());
  for (size_t i = 0; i < root.operands.size(); ++i) {
    const Instruction* from = &body.instructions[root.operands[i]];
    bool same = from->opcode == Opcode::kGetTupleElement &&
                from->index == static_cast<int64_t>(i) && !from->operands.empty();
    if (same) {
      from = &body.instructions[from->operands[0]];
      same = from->opcode == Opcode::kParameter;
    }
    unchanged.push_back(same);
  }
  return unchanged;
}

}  // namespace tilewise::hlo

// Loops and branches. Regions see the values around them; a computation of XLA
// sees its arguments only: constants are copied into it, other values are
// handed in, as further parts of what a loop carries.

#include <algorithm>
#include <utility>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "frontend/mlir/emit_loop.h"
#include "frontend/mlir/lowerers.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;

bool IsSmallConstant(const Instruction& instruction) {
  return instruction.opcode == Opcode::kConstant &&
         instruction.literal->values.size() <= Body::kMaxClonedValues;
}

// Values from around that must be handed in; the constants among them are
// copied.
struct Captures {
  std::vector<ValueId> handed;
  std::vector<ValueId> copied;
};

Captures Capture(const Body& body, const Operation& op, const std::vector<ValueId>& outer) {
  Captures captures;
  for (ValueId value : outer) {
    const absl::StatusOr<Index> index = body.Value(op, value);
    if (!index.ok()) continue;
    (IsSmallConstant(body.instruction(*index)) ? captures.copied : captures.handed)
        .push_back(value);
  }
  return captures;
}

absl::Status CopyConstants(Body& from, const Operation& op, const Captures& captures, Body& to) {
  for (ValueId value : captures.copied) {
    TW_ASSIGN_OR_RETURN(const Index index, from.Value(op, value));
    to.Bind(value, to.Clone(from.instruction(index)));
  }
  return absl::OkStatus();
}

// Opens the one tuple that a computation takes, part by part.
std::vector<Index> OpenState(Body& inner, const Operation& op, const HloShape& state) {
  const Index tuple = inner.Parameter(state, "state");
  std::vector<Index> parts;
  parts.reserve(state.elements.size());
  for (size_t i = 0; i < state.elements.size(); ++i) {
    parts.push_back(inner.Element(op, tuple, static_cast<int64_t>(i)));
  }
  return parts;
}

// A loop in terms of what makes its two computations.
struct Loop {
  const Operation* op;
  size_t carried;  // values that the body returns; captures follow
  Captures captures;
  HloShape state;
  ValueId first_value = 0;
};

// Lowers into the condition or the body; results are set by `fill`.
absl::StatusOr<int32_t> LoopComputation(Body& outer, const Loop& loop, std::string_view name,
                                        const LoopFill& fill) {
  Body inner(outer.lowering(), loop.first_value);
  std::vector<Index> parts = OpenState(inner, *loop.op, loop.state);
  TW_RETURN_IF_ERROR(BindAll(inner, *loop.op, loop.captures.handed, parts, loop.carried));
  TW_RETURN_IF_ERROR(CopyConstants(outer, *loop.op, loop.captures, inner));
  const std::vector<Index> carried(parts.begin(),
                                   parts.begin() + static_cast<ptrdiff_t>(loop.carried));
  TW_RETURN_IF_ERROR(fill(inner, carried));
  const bool is_body = name == "body";
  if (is_body) {
    std::vector<Index> results = inner.results();
    if (results.size() != loop.carried) {
      return outer.lowering().Error(*loop.op, fmt::format("the body returns {} values, expected {}",
                                                          results.size(), loop.carried));
    }
    results.insert(results.end(), parts.begin() + static_cast<ptrdiff_t>(loop.carried),
                   parts.end());
    inner.SetResults(std::move(results));
  } else if (inner.results().size() != 1) {
    return outer.lowering().Error(*loop.op,
                                  "the condition returns another number of values than 1");
  }
  return outer.lowering().AddComputation(inner.Build(name, is_body));
}

// Whether a loop's body hands element `element` on as it is, itself or through
// loops in it. `budget` bounds the search.
bool HandsOn(const Operation& loop, size_t element, int& budget) {
  if (loop.regions.size() != 2 || loop.regions[1].blocks.empty()) return false;
  const Block& block = loop.regions[1].blocks[0];
  if (block.operations.empty() || element >= block.arguments.size() ||
      element >= block.operations.back().operands.size()) {
    return false;
  }
  ValueId value = block.operations.back().operands[element];
  for (size_t i = block.operations.size(); i-- > 0;) {
    if (value == block.arguments[element]) return true;
    if (--budget < 0) return false;
    const Operation& op = block.operations[i];
    const int64_t result = int64_t{value} - op.first_result;
    if (NameOf(op.name) != "while" || result < 0 || result >= op.results ||
        static_cast<size_t>(result) >= op.operands.size()) {
      continue;
    }
    const size_t at = result;
    if (!HandsOn(op, at, budget)) return false;
    value = op.operands[at];
  }
  return value == block.arguments[element];
}

// Scalar constants that every iteration hands on as they are.
std::vector<bool> FixedConstants(const Body& body, const Operation& op,
                                 const std::vector<Index>& initial) {
  std::vector<bool> fixed(initial.size(), false);
  int budget = 100'000;
  for (size_t i = 0; i < initial.size(); ++i) {
    const Instruction& start = body.instruction(initial[i]);
    fixed[i] =
        start.opcode == Opcode::kConstant && start.shape.dims.empty() && HandsOn(op, i, budget);
  }
  return fixed;
}

// What a computation of a branch is given: a tuple of what it takes from
// around.
absl::StatusOr<int32_t> LowerBranch(Body& body, const Operation& op, const Region& region,
                                    size_t results, std::vector<Index>& arguments) {
  const Captures captures = Capture(body, op, OuterValues(body, region));
  std::vector<Index> handed;
  for (ValueId value : captures.handed) {
    TW_ASSIGN_OR_RETURN(const Index index, body.Value(op, value));
    handed.push_back(index);
  }
  const Index argument = body.TupleOf(op, std::move(handed));
  arguments.push_back(argument);
  Body branch(body.lowering(), region.first_value);
  const std::vector<Index> parts = OpenState(branch, op, body.shape(argument));
  TW_RETURN_IF_ERROR(BindAll(branch, op, captures.handed, parts));
  TW_RETURN_IF_ERROR(CopyConstants(body, op, captures, branch));
  if (!region.blocks.empty()) TW_RETURN_IF_ERROR(branch.LowerRegion(region));
  if (branch.results().size() != results) {
    return body.lowering().Error(op, fmt::format("a branch returns {} values, expected {}",
                                                 branch.results().size(), results));
  }
  return body.lowering().AddComputation(branch.Build("branch", true));
}

}  // namespace

void CollectUses(const Block& block, absl::flat_hash_set<ValueId>& seen,
                 std::vector<ValueId>& uses) {
  const auto add = [&](const std::vector<ValueId>& values) {
    for (ValueId value : values) {
      if (seen.insert(value).second) uses.push_back(value);
    }
  };
  for (const Operation& op : block.operations) {
    add(op.operands);
    for (const Successor& successor : op.successors) add(successor.operands);
    for (const Region& region : op.regions) {
      for (const Block& inner : region.blocks) CollectUses(inner, seen, uses);
    }
  }
}

absl::Status BindAll(Body& body, const Operation& op, const std::vector<ValueId>& values,
                     const std::vector<Index>& indices, size_t from) {
  if (from + values.size() > indices.size()) {
    return body.lowering().Error(
        op, fmt::format("found {} values for {} arguments", indices.size() - from, values.size()));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    body.Bind(values[i], indices[from + i]);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Index>> EmitLoop(Body& body, const Operation& op,
                                            std::vector<Index> initial,
                                            const std::vector<ValueId>& outer,
                                            const LoopFill& condition, const LoopFill& step) {
  Loop loop;
  loop.op = &op;
  loop.first_value = op.regions.empty() ? 0 : op.regions[0].first_value;
  loop.carried = initial.size();
  loop.captures = Capture(body, op, outer);
  for (ValueId value : loop.captures.handed) {
    TW_ASSIGN_OR_RETURN(const Index index, body.Value(op, value));
    initial.push_back(index);
  }
  const Index state = body.TupleOf(op, std::move(initial));
  loop.state = body.shape(state);
  TW_ASSIGN_OR_RETURN(const int32_t condition_index,
                      LoopComputation(body, loop, "condition", condition));
  TW_ASSIGN_OR_RETURN(const int32_t step_index, LoopComputation(body, loop, "body", step));
  Instruction instruction;
  instruction.opcode = Opcode::kWhile;
  instruction.operands = {state};
  instruction.called = {condition_index, step_index};
  instruction.shape = loop.state;
  const Index done = body.Add(op, std::move(instruction));
  std::vector<Index> results;
  results.reserve(loop.carried);
  for (size_t i = 0; i < loop.carried; ++i) {
    results.push_back(body.Element(op, done, static_cast<int64_t>(i)));
  }
  return results;
}

std::vector<ValueId> OuterValues(const Body& body, const Region& region) {
  absl::flat_hash_set<ValueId> seen;
  std::vector<ValueId> uses;
  for (const Block& block : region.blocks) CollectUses(block, seen, uses);
  std::vector<ValueId> outer;
  for (ValueId value : uses) {
    if (value < region.first_value && body.Has(value)) outer.push_back(value);
  }
  return outer;
}

absl::Status LowerWhile(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(std::vector<Index> initial, body.Operands(op));
  if (op.regions.size() != 2 || op.regions[0].blocks.empty() || op.regions[1].blocks.empty()) {
    return body.lowering().Error(op, "expected a condition and a body");
  }
  std::vector<ValueId> outer = OuterValues(body, op.regions[0]);
  for (ValueId value : OuterValues(body, op.regions[1])) {
    if (std::find(outer.begin(), outer.end(), value) == outer.end()) {
      outer.push_back(value);
    }
  }
  const std::vector<bool> fixed = FixedConstants(body, op, initial);
  const std::vector<Index> before = initial;
  const auto lower = [&](size_t region) {
    return [&, region](Body& inner, const std::vector<Index>& parts) {
      const Region& code = op.regions[region];
      const std::vector<ValueId>& arguments = code.blocks[0].arguments;
      TW_RETURN_IF_ERROR(BindAll(inner, op, arguments, parts));
      for (size_t i = 0; i < arguments.size(); ++i) {
        if (!fixed[i]) continue;
        inner.Bind(arguments[i], inner.Clone(body.instruction(before[i])));
      }
      return inner.LowerRegion(code);
    };
  };
  TW_ASSIGN_OR_RETURN(const std::vector<Index> results,
                      EmitLoop(body, op, std::move(initial), outer, lower(0), lower(1)));
  for (int32_t i = 0; i < op.results; ++i) {
    const size_t at = i;
    if (at >= results.size()) break;
    body.Bind(op.first_result + i, fixed[at] ? before[at] : results[at]);
  }
  return absl::OkStatus();
}

// if and case: the branches by a predicate or an index.
absl::Status LowerBranches(Body& body, const Operation& op) {
  Instruction conditional;
  conditional.opcode = Opcode::kConditional;
  TW_ASSIGN_OR_RETURN(const Index choice, body.Operand(op, 0));
  conditional.operands = {choice};
  if (op.regions.empty()) {
    return body.lowering().Error(op, "expected branches");
  }
  const size_t results = op.results;
  for (const Region& region : op.regions) {
    TW_ASSIGN_OR_RETURN(const int32_t branch,
                        LowerBranch(body, op, region, results, conditional.operands));
    conditional.called.push_back(branch);
  }
  const hlo::Computation& first = body.lowering().module().computations[conditional.called[0]];
  conditional.shape = first.instructions[first.root].shape;
  const Index made = body.Add(op, std::move(conditional));
  for (int32_t i = 0; i < op.results; ++i) {
    body.Bind(op.first_result + i, body.Element(op, made, i));
  }
  return absl::OkStatus();
}

}  // namespace tilewise::mlir

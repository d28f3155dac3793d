// See body.h: values, instructions, and what the two have to do with each
// other.

#include "frontend/mlir/body.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/lowerers.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;

bool EndsBlock(const Operation& op) {
  const std::string_view name = NameOf(op.name);
  return name == "return" || name == "yield" || !op.successors.empty();
}

// "dot_general.12" of %12; "cst_0" of %cst_0.
std::string ResultName(const Operation& op) {
  const std::string_view result =
      op.result_name.empty() ? op.result_name : op.result_name.substr(1);
  const bool numbered = !result.empty() && result[0] >= '0' && result[0] <= '9';
  if (result.empty()) return std::string(NameOf(op.name));
  return numbered ? fmt::format("{}.{}", NameOf(op.name), result) : std::string(result);
}

// Returns a type as the shape of a value: a type without one holds nothing.
HloShape ValueShape(const Type& type) {
  if (type.kind == Type::Kind::kTensor || type.kind == Type::Kind::kTuple ||
      type.kind == Type::Kind::kToken) {
    return type.shape;
  }
  HloShape none;
  none.kind = HloShape::Kind::kToken;
  return none;
}

}  // namespace

bool HasOpenDims(const HloShape& shape) {
  for (int64_t dim : shape.dims) {
    if (dim == kUnknownDim) return true;
  }
  return std::any_of(shape.elements.begin(), shape.elements.end(), HasOpenDims);
}

HloShape ArrayShape(DType dtype, std::vector<int64_t> dims) {
  HloShape shape;
  shape.dtype = dtype;
  shape.dims = std::move(dims);
  return shape;
}

HloShape TupleShape(std::vector<HloShape> elements) {
  HloShape shape;
  shape.kind = HloShape::Kind::kTuple;
  shape.elements = std::move(elements);
  return shape;
}

void Body::Bind(ValueId value, Index index) {
  // Values of a region come one after the other, but for those of the regions
  // in it.
  constexpr size_t kMostGap = 100'000;
  const size_t at = value - first_value_;
  if (value < first_value_ || at > inner_.size() + kMostGap) {
    outer_[value] = index;
    return;
  }
  if (at >= inner_.size()) inner_.resize(at + 1, -1);
  inner_[at] = index;
}

Index Body::Find(ValueId value) const {
  const size_t at = value - first_value_;
  if (value >= first_value_ && at < inner_.size() && inner_[at] >= 0) {
    return inner_[at];
  }
  const auto found = outer_.find(value);
  return found == outer_.end() ? -1 : found->second;
}

absl::StatusOr<Index> Body::Value(const Operation& op, ValueId value) const {
  const Index index = Find(value);
  if (index < 0) {
    return lowering_.Error(op, "a value of another function is used");
  }
  return index;
}

absl::StatusOr<Index> Body::Operand(const Operation& op, size_t i) const {
  if (i >= op.operands.size()) {
    return lowering_.Error(
        op, fmt::format("found {} operands, expected {}", op.operands.size(), i + 1));
  }
  return Value(op, op.operands[i]);
}

absl::StatusOr<std::vector<Index>> Body::Operands(const Operation& op) const {
  std::vector<Index> operands;
  operands.reserve(op.operands.size());
  for (ValueId value : op.operands) {
    TW_ASSIGN_OR_RETURN(const Index index, Value(op, value));
    operands.push_back(index);
  }
  return operands;
}

const SizeValues* Body::sizes(Index index) const {
  const auto found = sizes_.find(index);
  return found == sizes_.end() ? nullptr : &found->second;
}

HloShape Body::ResultShape(const Operation& op, int32_t result) const {
  return ValueShape(file().type(op.first_result + result));
}

Index Body::Parameter(HloShape shape, std::string_view name) {
  Instruction parameter;
  parameter.opcode = Opcode::kParameter;
  parameter.name = name;
  parameter.shape = std::move(shape);
  parameter.index = parameters_++;
  computation_.instructions.push_back(std::move(parameter));
  return static_cast<Index>(computation_.instructions.size() - 1);
}

void Body::SetLine(Index index, int32_t line) { computation_.instructions[index].line = line; }

void Body::SetSharding(Index index, hlo::Sharding sharding) {
  if (sharding.kind == hlo::Sharding::Kind::kNone) return;
  computation_.instructions[index].Extras().sharding = std::move(sharding);
}

Index Body::Add(const Operation& op, Instruction instruction) {
  lowering_.Locate(op, instruction);
  if (instruction.name.empty()) instruction.name = lowering_.Keep(ResultName(op));
  if (HasOpenDims(instruction.shape)) Refine(op, instruction);
  computation_.instructions.push_back(std::move(instruction));
  const Index index = static_cast<Index>(computation_.instructions.size() - 1);
  EvaluateSizes(index);
  return index;
}

// Integers that follow from constants become constants, so that what a loop
// counts up to is seen.
void Body::Fold(Instruction& instruction, const SizeValues& values) {
  if (instruction.opcode == Opcode::kConstant || instruction.opcode == Opcode::kGetDimensionSize ||
      !instruction.shape.dims.empty() || values[0].per_batch) {
    return;
  }
  instruction.opcode = Opcode::kConstant;
  instruction.operands.clear();
  const double value = values[0].value;
  hlo::Literal literal;
  literal.splat = value;
  literal.values = {value};
  instruction.literal = std::move(literal);
}

void Body::EvaluateSizes(Index index) {
  const Instruction& made = instruction(index);
  if (!MayEvaluate(made)) return;
  std::vector<const SizeValues*> known;
  std::vector<const HloShape*> shapes;
  known.reserve(made.operands.size());
  shapes.reserve(made.operands.size());
  for (Index operand : made.operands) {
    known.push_back(sizes(operand));
    shapes.push_back(&shape(operand));
  }
  std::optional<SizeValues> values = Evaluate(made, known, shapes);
  if (!values) return;
  Fold(computation_.instructions[index], *values);
  sizes_[index] = *std::move(values);
}

// Takes open dims from the operands; those that stay open are taken as the
// batch.
void Body::Refine(const Operation& op, Instruction& instruction) {
  const std::vector<int64_t> inferred = InferDims(*this, instruction);
  bool open = false;
  const auto fill = [&](HloShape& shape) {
    for (size_t i = 0; i < shape.dims.size(); ++i) {
      if (shape.dims[i] != kUnknownDim) continue;
      const bool known = inferred.size() == shape.dims.size() && inferred[i] != kUnknownDim;
      shape.dims[i] = known ? inferred[i] : -1;
      open = open || !known;
    }
  };
  fill(instruction.shape);
  for (HloShape& element : instruction.shape.elements) fill(element);
  if (open) {
    lowering_.Note("RD002", &op,
                   fmt::format("a size of the result of {} does not follow "
                               "from its operands; the batch is taken",
                               op.name));
  }
}

Index Body::Make(const Operation& op, Opcode opcode, HloShape shape, std::vector<Index> operands) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.shape = std::move(shape);
  instruction.operands = std::move(operands);
  return Add(op, std::move(instruction));
}

Index Body::Constant(const Operation& op, double value, HloShape shape) {
  Instruction constant;
  constant.opcode = Opcode::kConstant;
  constant.literal->splat = value;
  if (shape.dims.empty()) constant.literal->values = {value};
  constant.shape = std::move(shape);
  return Add(op, std::move(constant));
}

Index Body::TupleOf(const Operation& op, std::vector<Index> elements) {
  std::vector<HloShape> shapes;
  shapes.reserve(elements.size());
  for (Index element : elements) shapes.push_back(shape(element));
  return Make(op, Opcode::kTuple, TupleShape(std::move(shapes)), std::move(elements));
}

Index Body::Element(const Operation& op, Index tuple, int64_t index) {
  Instruction element;
  element.opcode = Opcode::kGetTupleElement;
  element.index = index;
  element.operands = {tuple};
  element.shape = shape(tuple).elements[index];
  return Add(op, std::move(element));
}

Index Body::Broadcast(const Operation& op, Index x, HloShape to, std::vector<int64_t> dims) {
  if (shape(x).dims == to.dims) return x;
  Instruction broadcast;
  broadcast.opcode = Opcode::kBroadcast;
  broadcast.operands = {x};
  broadcast.dims = std::move(dims);
  to.dtype = shape(x).dtype;
  broadcast.shape = std::move(to);
  return Add(op, std::move(broadcast));
}

Index Body::Reshape(const Operation& op, Index x, std::vector<int64_t> dims) {
  if (shape(x).dims == dims) return x;
  const DType dtype = shape(x).dtype;
  return Make(op, Opcode::kReshape, ArrayShape(dtype, std::move(dims)), {x});
}

absl::StatusOr<Instruction> Body::OnOperands(const Operation& op, Opcode opcode) const {
  Instruction instruction;
  instruction.opcode = opcode;
  TW_ASSIGN_OR_RETURN(instruction.operands, Operands(op));
  return instruction;
}

absl::Status Body::Finish(const Operation& op, Instruction instruction) {
  if (op.results == 1) {
    instruction.shape = ResultShape(op);
    return Alias(op, Add(op, std::move(instruction)));
  }
  std::vector<HloShape> shapes;
  shapes.reserve(op.results);
  for (int32_t i = 0; i < op.results; ++i) shapes.push_back(ResultShape(op, i));
  instruction.shape = TupleShape(std::move(shapes));
  const Index tuple = Add(op, std::move(instruction));
  for (int32_t i = 0; i < op.results; ++i) {
    Bind(op.first_result + i, Element(op, tuple, i));
  }
  return absl::OkStatus();
}

void Body::MarkDataSized(const Operation& op, size_t first) {
  const std::string_view name = NameOf(op.name);
  const bool slices = name == "real_dynamic_slice";
  if (!slices && (!name.starts_with("dynamic_") || name == "dynamic_slice" ||
                  name == "dynamic_update_slice")) {
    return;
  }
  const Index made = op.results == 1 ? Find(op.first_result) : -1;
  if (made < 0 || static_cast<size_t>(made) < first || op.operands.empty()) {
    return;
  }
  // Starts of a slice may be data; how far it goes may not.
  const Index taken =
      Find(op.operands[slices && op.operands.size() > 2 ? 2 : op.operands.size() - 1]);
  if (taken < 0 || sizes(taken) != nullptr) return;
  hlo::Instruction& result = computation_.instructions[made];
  if (instruction(taken).opcode == hlo::Opcode::kConstant) return;
  if (!HasOpenDims(file().shape(op.first_result))) return;
  result.Extras().data_sized = true;
}

absl::Status Body::LowerOperation(const Operation& op) {
  lowering_.Count(op);
  std::string_view dialect = DialectOf(op.name);
  if (dialect == "mhlo" || dialect == "chlo") dialect = "stablehlo";
  Lowerer lowerer = FindLowerer(dialect, NameOf(op.name));
  if (lowerer == nullptr) lowerer = LowerUnknown;
  const size_t made = computation_.instructions.size();
  TW_RETURN_IF_ERROR(lowerer(*this, op));
  for (int32_t i = 0; i < op.results; ++i) {
    if (!Has(op.first_result + i)) {
      return lowering_.Error(op, "found more results than it can have");
    }
  }
  if (dialect == "stablehlo") MarkDataSized(op, made);
  return absl::OkStatus();
}

absl::Status Body::LowerBlock(const Block& block) {
  TW_RETURN_IF_ERROR(lowering_.Enter(block));
  absl::Status lowered = LowerOperations(block);
  lowering_.Leave();
  return lowered;
}

absl::Status Body::LowerOperations(const Block& block) {
  for (const Operation& op : block.operations) {
    if (EndsBlock(op)) {
      TW_ASSIGN_OR_RETURN(results_, Operands(op));
      return absl::OkStatus();
    }
    TW_RETURN_IF_ERROR(LowerOperation(op));
  }
  results_.clear();
  return absl::OkStatus();
}

absl::Status Body::LowerRegion(const Region& region) {
  if (region.blocks.size() == 1) return LowerBlock(region.blocks[0]);
  return LowerLoopOfBlocks(region);
}

Index Body::Clone(const Instruction& constant) {
  Instruction copy;
  copy.opcode = Opcode::kConstant;
  copy.name = constant.name;
  copy.shape = constant.shape;
  copy.line = constant.line;
  copy.metadata = constant.metadata;
  const hlo::Literal& literal = constant.literal;
  copy.literal->splat = literal.splat;
  if (literal.values.size() <= kMaxClonedValues) {
    copy.literal->values = literal.values;
  }
  computation_.instructions.push_back(std::move(copy));
  const Index index = static_cast<Index>(computation_.instructions.size() - 1);
  EvaluateSizes(index);
  return index;
}

}  // namespace tilewise::mlir

// Walks computations: limits, operands, opaque stand-ins, shapes compared with
// those that the module states.

#include "frontend/hlo/translation.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "frontend/hlo/record_facts.h"
#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

constexpr int kMaxDepth = 120;             // calls, tuples in each other
constexpr int64_t kSmallModule = 400'000;  // instructions, calls written out
constexpr int64_t kMaxCopies = 8;          // of all instructions of a larger one
constexpr int64_t kMaxShownDisagreements = 20;

int64_t ExpansionLimit(const Module& module) {
  int64_t count = 0;
  for (const Computation& computation : module.computations) {
    count += static_cast<int64_t>(computation.instructions.size());
  }
  return std::max(kSmallModule, kMaxCopies * count);
}

// Whether the instruction makes sense with operands that have no elements;
// others become zeros.
bool TakesEmptyOperands(Opcode opcode) {
  switch (opcode) {
    case Opcode::kTuple:
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kConcatenate:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kScatter:
    case Opcode::kCustomCall:
    case Opcode::kAsyncStart:
    case Opcode::kOptBarrier:
    case Opcode::kAfterAll:
    case Opcode::kAddDependency:
    case Opcode::kGetDimensionSize:
    case Opcode::kPad:
    case Opcode::kReduce:
      return true;
    default:
      return false;
  }
}

// Returns whether an instruction of a compiled module runs as a kernel of its
// own.
bool IsKernel(Opcode opcode) {
  switch (opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kBitcast:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCall:
    case Opcode::kAfterAll:
    case Opcode::kAddDependency:
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kCopyDone:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
    case Opcode::kAllReduceDone:
    case Opcode::kAllGatherDone:
    case Opcode::kCollectivePermuteDone:
    case Opcode::kSendDone:
    case Opcode::kRecvDone:
    case Opcode::kPartitionId:
    case Opcode::kReplicaId:
      return false;
    default:
      return true;
  }
}

// Its shape is that of a pair or a handle, its value that of the result.
bool IsStart(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllGatherStart:
    case Opcode::kAllReduceStart:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kCollectivePermuteStart:
    case Opcode::kCopyStart:
    case Opcode::kRecv:
    case Opcode::kSend:
      return true;
    default:
      return false;
  }
}

bool SameDims(const Shape& made, const HloShape& stated) {
  if (made.dims.size() != stated.dims.size()) return false;
  for (size_t i = 0; i < made.dims.size(); ++i) {
    const int64_t size = stated.dims[i];
    if (size == -1) continue;  // text says no more than "?"
    if (made.dims[i].per_batch != (size < 0)) return false;
    if (made.dims[i].factor != std::abs(size)) return false;
  }
  return true;
}

std::string_view LabelOf(const Instruction& instruction) {
  if (!instruction.more().custom_call_target.empty()) {
    return instruction.more().custom_call_target;
  }
  return instruction.opcode == Opcode::kUnknown ? instruction.more().opcode_text
                                                : OpcodeName(instruction.opcode);
}

}  // namespace

std::vector<OpId> Site::arrays() const {
  std::vector<OpId> ops;
  for (const Value& operand : operands) AppendLeaves(operand, ops);
  return ops;
}

Translation::Translation(const Module& module, std::string path)
    : module_(module),
      path_(std::move(path)),
      emit_(std::string(module.name)),
      work_(module),
      limit_(ExpansionLimit(module)) {
  if (HasTiledLayouts(module)) compilation_.emplace();
}

Location Translation::Place(const Instruction& instruction) const {
  Location place;
  const Metadata& metadata = instruction.metadata;
  if (metadata.source_file.empty()) {
    place.file = path_;
    place.line = instruction.line;
  } else {
    place.file = metadata.source_file;
    place.line = metadata.source_line;
    place.column = metadata.source_column;
  }
  place.item = metadata.op_name.empty() ? instruction.name : metadata.op_name;
  return place;
}

void Translation::Begin(std::string_view name, Location location) {
  emit_.SetName(name);
  emit_.SetLocation(std::move(location));
}

void Translation::Note(std::string_view rule, std::string_view name, const std::string& message) {
  Diagnostic note;
  note.rule = rule;
  note.name = name;
  if (current_ != nullptr) note.location = Place(*current_);
  note.message = message;
  notes_.push_back(std::move(note));
}

absl::StatusOr<Value> Translation::Run(std::span<const Value> arguments) {
  const Computation& entry = module_.computations[module_.entry];
  if (compilation_) RecordFree();
  Value result = RunComputation(entry, arguments);
  if (fatal_.ok()) return result;
  const std::string place = current_ == nullptr ? path_ : FormatLocation(Place(*current_));
  return Annotate(InvalidInput(Message(fatal_)), place);
}

Value Translation::RunComputation(const Computation& computation,
                                  std::span<const Value> arguments) {
  if (!fatal_.ok()) return {};
  if (depth_ >= kMaxDepth) {
    fatal_ = InvalidInput(fmt::format("found calls nested more than {} deep", kMaxDepth));
    return {};
  }
  ++depth_;
  std::vector<Value> values(computation.instructions.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const Instruction& instruction = computation.instructions[i];
    std::vector<Value> operands;
    operands.reserve(instruction.operands.size());
    for (const int32_t operand : instruction.operands) {
      operands.push_back(values[operand]);
    }
    values[i] = Step(computation, instruction, std::move(operands), arguments);
    if (!fatal_.ok()) return {};
  }
  --depth_;
  const size_t root = computation.root;
  return root < values.size() ? values[root] : Value();
}

void Translation::EnterInstruction(const Instruction& instruction) {
  current_ = &instruction;
  ++visited_;
  Begin(instruction.name, Place(instruction));
}

Value Translation::Step(const Computation& computation, const Instruction& instruction,
                        std::vector<Value> operands, std::span<const Value> arguments) {
  if (++steps_ > limit_ || emit_.size() > limit_) {
    fatal_ = InvalidInput(
        fmt::format("found more than {} instructions or ops, calls written out", limit_));
    return {};
  }
  if (instruction.opcode == Opcode::kParameter) {
    const size_t number = instruction.index;
    if (number >= arguments.size()) return {};
    if (compilation_) RecordLayouts(arguments[number], instruction.shape);
    return arguments[number];
  }
  EnterInstruction(instruction);
  HloShape widened;
  if (mapped_ != nullptr) {
    widened = instruction.shape;
    if (widened.kind == HloShape::Kind::kArray) widened.dims = *mapped_;
  }
  const Site site = {computation, instruction, mapped_ != nullptr ? widened : instruction.shape,
                     std::move(operands)};
  int32_t kernel = -1;
  const bool starts = compilation_ && fused_ == 0 && IsKernel(instruction.opcode);
  if (starts) {
    kernel = static_cast<int32_t>(compilation_->kernels.size());
    compilation_->kernels.emplace_back(instruction.name);
  }
  const OpId first(emit_.size());
  Value value = Translate(site);
  if (fatal_.ok()) RecordFacts(*this, site, first, value, facts_);
  if (compilation_) RecordKernel(site, kernel, value);
  if (value.depth() > kMaxDepth) {
    fatal_ = InvalidInput(fmt::format("found tuples nested more than {} deep", kMaxDepth));
  }
  return value;
}

Value Translation::Translate(const Site& site) {
  const Instruction& instruction = site.instruction;
  // Calls are walked whatever they return.
  if (HoldsNothing(site.shape) && instruction.called.empty() && site.shape.elements.empty() &&
      instruction.opcode != Opcode::kOutfeed) {
    return {};
  }
  const Translator translator = TranslatorFor(instruction.opcode);
  if (translator == nullptr) {
    return Unknown(site, LabelOf(instruction), "no such instruction is known");
  }
  if (!TakesEmptyOperands(instruction.opcode)) {
    for (size_t i = 0; i < site.operands.size(); ++i) {
      if (!HasNoElements(site.producer(i).shape)) continue;
      if (site.shape.kind != HloShape::Kind::kArray) continue;
      return emit_.Constant(0, GraphShape(site.shape));
    }
  }
  const GraphBuilder::Mark mark = emit_.MarkHere();
  const EnclosingLoop loop = emit_.loop();
  Value value = translator(*this, site);
  emit_.SetLoop(loop);
  if (!fatal_.ok()) return {};
  if (!emit_.ok()) {
    const absl::Status status = emit_.TakeStatus();
    // Kernels and facts of what it called are recorded by now.
    if (instruction.called.empty()) emit_.RollBack(mark);
    return Unknown(site, LabelOf(instruction), Message(status));
  }
  if (IsStart(instruction.opcode)) return value;
  Value checked = Checked(site, value, site.shape);
  const absl::Status settled = emit_.TakeStatus();
  if (!settled.ok()) fatal_ = settled;
  return checked;
}

Value Translation::OpaqueTree(std::string_view label, const std::vector<OpId>& operands,
                              const HloShape& shape) {
  if (shape.kind == HloShape::Kind::kTuple) {
    std::vector<Value> elements;
    elements.reserve(shape.elements.size());
    for (const HloShape& element : shape.elements) {
      elements.push_back(OpaqueTree(label, operands, element));
    }
    return Value::Tuple(std::move(elements));
  }
  if (shape.kind != HloShape::Kind::kArray || HasNoElements(shape)) return {};
  return emit_.Opaque(label, operands, GraphShape(shape));
}

void Translation::NoteOpaque(std::string_view label, std::string_view why) {
  if (++unknown_[std::string(label)] > 1) return;
  Note("RD001", "unknown-layer", fmt::format("{} is opaque: {}", label, why));
}

Value Translation::Unknown(const Site& site, std::string_view label, const std::string& why) {
  NoteOpaque(label, why);
  Value value = OpaqueTree(label, site.arrays(), site.shape);
  const absl::Status status = emit_.TakeStatus();
  if (!status.ok()) {
    fatal_ = InvalidInput(fmt::format("{}, and it cannot be opaque: {}", why, Message(status)));
  }
  return value;
}

Value Translation::Checked(const Site& site, const Value& value, const HloShape& shape) {
  if (shape.kind == HloShape::Kind::kArray) {
    if (HasNoElements(shape)) return {};
    return CheckedArray(site, value.op(), shape);
  }
  if (shape.kind != HloShape::Kind::kTuple) return {};
  std::vector<Value> elements;
  elements.reserve(shape.elements.size());
  for (size_t i = 0; i < shape.elements.size(); ++i) {
    elements.push_back(Checked(site, i < value.elements().size() ? value.elements()[i] : Value(),
                               shape.elements[i]));
  }
  return Value::Tuple(std::move(elements));
}

OpId Translation::CheckedArray(const Site& site, OpId op, const HloShape& shape) {
  if (op == kNoOp) {
    NoteOpaque(LabelOf(site.instruction), "its value is not in the module");
    return emit_.Opaque(LabelOf(site.instruction), {}, GraphShape(shape));
  }
  const Shape made = emit_.shape(op);
  const bool same_dims = SameDims(made, shape);
  if (same_dims && made.dtype == shape.dtype) return op;
  const bool both_float = IsFloat(made.dtype) && IsFloat(shape.dtype);
  if (same_dims && both_float) return emit_.Convert(op, shape.dtype);
  if (++disagreements_ <= kMaxShownDisagreements) {
    Note("RD004", "shape-disagrees",
         fmt::format("{} {} states {}, but {} follows from its operands", LabelOf(site.instruction),
                     site.instruction.name, FormatShape(GraphShape(shape)), FormatShape(made)));
  }
  if (same_dims) return emit_.Convert(op, shape.dtype);
  ++unknown_[std::string(LabelOf(site.instruction))];
  return emit_.Opaque(LabelOf(site.instruction), {op}, GraphShape(shape));
}

std::vector<Diagnostic> Translation::TakeNotes() {
  current_ = nullptr;
  if (disagreements_ > kMaxShownDisagreements) {
    Note("RD004", "shape-disagrees",
         fmt::format("{} more shapes are not those that follow from operands",
                     disagreements_ - kMaxShownDisagreements));
  }
  return std::move(notes_);
}

}  // namespace tilewise::hlo

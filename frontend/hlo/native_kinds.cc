// One function for each group of kinds that HLO states in its own way. All
// other kinds of elements and data have the same name and no attributes.

#include "frontend/hlo/native_kinds.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "frontend/hlo/word_table.h"
#include "graph/op_traits.h"

namespace tilewise::hlo {
namespace {

constexpr auto kKindNames = std::to_array<std::string_view>({
#define TW_OP(enumerator, name, op_class) name,
#include "graph/op_kinds.def"
#undef TW_OP
});
constexpr WordTable<kKindNames.size()> kKinds(kKindNames);

struct ReducerOpcode {
  Reducer reducer;
  Opcode opcode;
};
constexpr auto kReducers = std::to_array<ReducerOpcode>({
    {Reducer::kSum, Opcode::kAdd},
    {Reducer::kMax, Opcode::kMaximum},
    {Reducer::kMin, Opcode::kMinimum},
    {Reducer::kProduct, Opcode::kMultiply},
    {Reducer::kAnd, Opcode::kAnd},
    {Reducer::kOr, Opcode::kOr},
    {Reducer::kXor, Opcode::kXor},
});

// Kinds whose attrs.dims are HLO's dimensions.
struct DimsKind {
  OpKind kind;
  Opcode opcode;
};
constexpr auto kDimsKinds = std::to_array<DimsKind>({
    {OpKind::kIota, Opcode::kIota},
    {OpKind::kBroadcast, Opcode::kBroadcast},
    {OpKind::kTranspose, Opcode::kTranspose},
    {OpKind::kReverse, Opcode::kReverse},
    {OpKind::kConcatenate, Opcode::kConcatenate},
    {OpKind::kReduce, Opcode::kReduce},
});

bool TakeDims(const Op& op, Instruction& instruction, Attributes& rest) {
  const auto* const found =
      std::find_if(kDimsKinds.begin(), kDimsKinds.end(),
                   [&](const DimsKind& dims) { return dims.kind == op.kind; });
  if (found == kDimsKinds.end()) return false;
  if (op.kind == OpKind::kReduce && OpcodeOf(op.as<ReduceAttrs>().reducer) == Opcode::kUnknown) {
    return false;
  }
  instruction.opcode = found->opcode;
  instruction.dims = *FindAttribute<std::vector<int64_t>>(op, "dims");
  rest = {};
  return true;
}

bool TakeConstant(const Op& op, Instruction& instruction, Attributes& rest) {
  if (op.shape.rank() != 0 || IsComplex(op.shape.dtype)) return false;
  instruction.opcode = Opcode::kConstant;
  Literal& literal = *instruction.literal;
  literal.values = {op.as<ConstantAttrs>().value};
  literal.splat = literal.values[0];
  rest = {};
  return true;
}

bool TakeSlice(const Op& op, Instruction& instruction, Attributes& rest) {
  const size_t rank = op.shape.rank();
  const auto& [starts, limits, strides] = op.as<SliceAttrs>();
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank || rank == 0) {
    return false;
  }
  // kWholeDim is no limit that HLO has.
  if (*std::min_element(limits.begin(), limits.end()) < 0) return false;
  instruction.opcode = Opcode::kSlice;
  SliceDims& slice = *instruction.Extras().slice;
  slice.starts = starts;
  slice.limits = limits;
  slice.strides = strides;
  rest = {};
  return true;
}

bool TakePad(const Op& op, Instruction& instruction, Attributes& rest) {
  const size_t rank = op.shape.rank();
  const auto& [low, high, interior] = op.as<PadAttrs>();
  if (low.size() != rank || high.size() != rank || interior.size() != rank) return false;
  instruction.opcode = Opcode::kPad;
  if (rank == 0) return true;
  PadDims& pad = *instruction.Extras().pad;
  pad.low = low;
  pad.high = high;
  pad.interior = interior;
  rest = {};
  return true;
}

std::vector<int64_t> Counted(int64_t count) {
  std::vector<int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// HLO has a start for every dim.
bool TakeDynamic(const Op& op, Instruction& instruction, Attributes& rest) {
  if (op.shape.rank() == 0 || op.as<DimsAttrs>().dims != Counted(op.shape.rank())) {
    return false;
  }
  const bool is_slice = op.kind == OpKind::kDynamicSlice;
  instruction.opcode = is_slice ? Opcode::kDynamicSlice : Opcode::kDynamicUpdateSlice;
  if (is_slice) instruction.Extras().slice->sizes = op.shape.sizes();
  rest = {};
  return true;
}

void TakePrecision(int64_t passes, Instruction& instruction) {
  using Precision = InstructionExtras::Precision;
  if (passes == 3) {
    instruction.Extras().precision = Precision::kHigh;
  } else if (passes == 6) {
    instruction.Extras().precision = Precision::kHighest;
  }
}

bool TakeDot(const Op& op, Instruction& instruction, Attributes& rest) {
  instruction.opcode = Opcode::kDot;
  instruction.dot = DotDims(op.as<DotAttrs>());
  static_cast<DotDims&>(rest.edit<DotAttrs>()) = {};
  TakePrecision(op.as<DotAttrs>().precision_passes, instruction);
  return true;
}

bool TakeConvolution(const Op& op, Instruction& instruction, Attributes& rest) {
  const int64_t rank = op.shape.rank();
  const int64_t spatial = rank - 2;
  const auto& attrs = op.as<ConvAttrs>();
  if (spatial < 1 || spatial > 8 || static_cast<int64_t>(attrs.window.size()) != spatial) {
    return false;
  }
  instruction.opcode = Opcode::kConvolution;
  InstructionExtras& extras = instruction.Extras();
  ConvDims& dims = *extras.conv;
  const int64_t first = attrs.channels_first ? 2 : 1;
  dims.input_feature = attrs.channels_first ? 1 : rank - 1;
  dims.kernel_in = rank - 2;
  dims.kernel_out = rank - 1;
  for (int64_t i = 0; i < spatial; ++i) {
    dims.input_spatial.push_back(first + i);
    dims.kernel_spatial.push_back(i);
  }
  dims.output_feature = dims.input_feature;
  dims.output_spatial = dims.input_spatial;
  extras.window.reserve(attrs.window.size());
  for (const WindowDim& dim : attrs.window) {
    extras.window.push_back(
        {dim.size, dim.stride, dim.pad_low, dim.pad_high, dim.dilation, dim.base_dilation, false});
  }
  extras.feature_groups = attrs.groups;
  TakePrecision(attrs.precision_passes, instruction);
  ConvAttrs other;
  other.precision_passes = attrs.precision_passes;
  rest = other;
  return true;
}

void FromConvolution(const InstructionExtras& extras, ConvAttrs& attrs) {
  attrs.channels_first = extras.conv->input_feature == 1 && !extras.window.empty();
  attrs.groups = extras.feature_groups;
  attrs.window.reserve(extras.window.size());
  for (const HloWindowDim& dim : extras.window) {
    attrs.window.push_back(
        {dim.size, dim.stride, dim.pad_low, dim.pad_high, dim.window_dilation, dim.base_dilation});
  }
}

// Kinds of one name in both, and no attributes but a comparison.
bool TakeNamed(const Op& op, Instruction& instruction, Attributes& rest) {
  const bool has_none = ClassOf(op.kind) == OpClass::kElementwise || op.kind == OpKind::kReshape ||
                        op.kind == OpKind::kBitcastConvert;
  const Opcode opcode = ParseOpcode(OpName(op.kind));
  if (!has_none || opcode == Opcode::kUnknown) return false;
  instruction.opcode = opcode;
  if (op.kind == OpKind::kCompare) {
    instruction.comparison = op.as<CompareAttrs>().comparison;
    rest = {};
  }
  return true;
}

}  // namespace

std::optional<OpKind> KindNamed(std::string_view name) {
  const size_t place = kKinds.Find(name);
  if (place == kKindNames.size()) return std::nullopt;
  return static_cast<OpKind>(place);
}

Opcode OpcodeOf(Reducer reducer) {
  for (const ReducerOpcode& known : kReducers) {
    if (known.reducer == reducer) return known.opcode;
  }
  return Opcode::kUnknown;
}

Reducer ReducerOf(Opcode opcode) {
  for (const ReducerOpcode& known : kReducers) {
    if (known.opcode == opcode) return known.reducer;
  }
  return Reducer::kOther;
}

bool ToHlo(const Op& op, Instruction& instruction, Attributes& rest) {
  switch (op.kind) {
    case OpKind::kParameter:
    case OpKind::kVariable:
      instruction.opcode = Opcode::kParameter;
      return true;
    case OpKind::kConstant:
      return TakeConstant(op, instruction, rest);
    case OpKind::kSlice:
      return TakeSlice(op, instruction, rest);
    case OpKind::kPad:
      return TakePad(op, instruction, rest);
    case OpKind::kDynamicSlice:
    case OpKind::kDynamicUpdateSlice:
      return TakeDynamic(op, instruction, rest);
    case OpKind::kBarrier:
      if (op.operands.size() != 1) return false;
      instruction.opcode = Opcode::kOptBarrier;
      return true;
    case OpKind::kDot:
      return TakeDot(op, instruction, rest);
    case OpKind::kConvolution:
      return TakeConvolution(op, instruction, rest);
    case OpKind::kGatherSlices:
      instruction.opcode = Opcode::kGather;
      instruction.Extras().gather = GatherDims(op.as<SlicesAttrs>());
      static_cast<GatherDims&>(rest.edit<SlicesAttrs>()) = {};
      return true;
    default:
      return TakeDims(op, instruction, rest) || TakeNamed(op, instruction, rest);
  }
}

bool FromHlo(const Instruction& instruction, Op& op) {
  const InstructionExtras& extras = instruction.more();
  for (const DimsKind& dims : kDimsKinds) {
    if (dims.opcode != instruction.opcode) continue;
    op.kind = dims.kind;
    *FindAttribute<std::vector<int64_t>>(op, "dims") = instruction.dims;
    return true;
  }
  switch (instruction.opcode) {
    case Opcode::kParameter:
      op.kind = OpKind::kParameter;
      return true;
    case Opcode::kConstant:
      op.kind = OpKind::kConstant;
      if (!instruction.literal->values.empty()) {
        op.edit<ConstantAttrs>().value = instruction.literal->values[0];
      }
      return true;
    case Opcode::kSlice:
      op.kind = OpKind::kSlice;
      op.attrs = SliceAttrs{extras.slice->starts, extras.slice->limits, extras.slice->strides};
      return true;
    case Opcode::kPad:
      op.kind = OpKind::kPad;
      op.attrs = PadAttrs{extras.pad->low, extras.pad->high, extras.pad->interior};
      return true;
    case Opcode::kDynamicSlice:
    case Opcode::kDynamicUpdateSlice:
      op.kind = instruction.opcode == Opcode::kDynamicSlice ? OpKind::kDynamicSlice
                                                            : OpKind::kDynamicUpdateSlice;
      op.attrs = DimsAttrs{Counted(op.shape.rank())};
      return true;
    case Opcode::kOptBarrier:
      op.kind = OpKind::kBarrier;
      return true;
    case Opcode::kDot:
      op.kind = OpKind::kDot;
      op.attrs = DotAttrs{*instruction.dot};
      return true;
    case Opcode::kConvolution:
      op.kind = OpKind::kConvolution;
      FromConvolution(extras, op.edit<ConvAttrs>());
      return true;
    case Opcode::kGather:
      op.kind = OpKind::kGatherSlices;
      op.attrs = SlicesAttrs{*extras.gather};
      return true;
    default:
      break;
  }
  const std::optional<OpKind> kind = KindNamed(OpcodeName(instruction.opcode));
  if (!kind) return false;
  op.kind = *kind;
  if (*kind == OpKind::kCompare) op.attrs = CompareAttrs{instruction.comparison};
  return true;
}

}  // namespace tilewise::hlo

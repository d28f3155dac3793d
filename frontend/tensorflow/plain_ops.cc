// Ops of the table, what is done with those it has not, and the comparison of
// shapes with those that the file records.

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "frontend/tensorflow/evaluator.h"
#include "frontend/tensorflow/training_ops.h"
#include "frontend/tensorflow/unknown_sizes.h"

namespace tilewise::tf {
namespace {

// The type of result i as attributes usually have it.
DataType ResultType(Attrs attrs, size_t i) {
  for (const std::string_view name :
       {"Tout", "output_types", "Toutput_types", "Tdense", "dtypes", "component_types"}) {
    const auto types = AttrTypes(attrs, name);
    if (types && i < types->size()) return (*types)[i];
  }
  for (const std::string_view name : {"dtype", "out_type", "output_type", "DstT", "Tout",
                                      "output_dtype", "T", "value_dtype", "type", "Tparams"}) {
    const auto type = AttrType(attrs, name);
    if (type) return *type;
  }
  return DataType::kFloat;
}

bool HasText(Attrs attrs) {
  for (const std::string_view name : {"T", "dtype", "Tparams"}) {
    if (AttrType(attrs, name) == DataType::kString) return true;
  }
  return false;
}

// Ops whose operands must have equal leading dims.
bool JoinsElements(std::string_view op) {
  static constexpr auto kOps = std::to_array<std::string_view>({"Add",
                                                                "AddV2",
                                                                "AddN",
                                                                "Sub",
                                                                "Mul",
                                                                "RealDiv",
                                                                "Div",
                                                                "DivNoNan",
                                                                "Maximum",
                                                                "Minimum",
                                                                "SquaredDifference",
                                                                "Select",
                                                                "SelectV2",
                                                                "Equal",
                                                                "NotEqual",
                                                                "Less",
                                                                "Greater",
                                                                "LessEqual",
                                                                "GreaterEqual",
                                                                "LogicalAnd",
                                                                "LogicalOr",
                                                                "Pow",
                                                                "BatchMatMul",
                                                                "BatchMatMulV2"});
  return std::find(kOps.begin(), kOps.end(), op) != kOps.end();
}

// Whether an op without all of its operands can still say something.
bool ToleratesNothing(std::string_view op) {
  return op == "Identity" || op == "IdentityN" || Contains(op, "Assign") || Contains(op, "Apply") ||
         op == "ReadVariableOp";
}

bool Agrees(const std::vector<Dim>& dims, const TensorShape& recorded) {
  if (recorded.unknown_rank) return true;
  if (recorded.dims.size() != dims.size()) return false;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t size = recorded.dims[i];
    if (size < 0) continue;
    if (dims[i].per_batch ? size % std::max<int64_t>(dims[i].factor, 1) != 0
                          : dims[i].factor != size) {
      return false;
    }
  }
  return true;
}

std::string FormatRecorded(const TensorShape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    if (i > 0) text += ',';
    text += shape.dims[i] < 0 ? "?" : fmt::format("{}", shape.dims[i]);
  }
  return text + "]";
}

}  // namespace

void Evaluator::SetPhase(const NodeDef& node) {
  if (!facts_.training) return;
  Phase phase = Phase::kForward;
  if (IsOptimizerUpdate(node.op)) {
    phase = Phase::kUpdate;
  } else if (node.name.starts_with("gradient") || Contains(node.name, "/gradients/") ||
             Contains(node.name, "gradient_tape/") || node.op.ends_with("Grad") ||
             Contains(node.op, "Backprop")) {
    phase = Phase::kBackward;
  }
  state_.builder.SetPhase(phase);
}

absl::Status Evaluator::Plain(Instance& in, int32_t node, OpFunction function,
                              const LoopScope& loop) {
  const NodeDef& def = in.index().node(node);
  state_.At(def.name, loop);
  SetPhase(def);
  const Attrs attrs = ResolvedAttrs(in, def);
  std::vector<Value> inputs = Inputs(in, node);
  const bool whole = std::none_of(inputs.begin(), inputs.end(), [](const Value& value) {
    return value.kind == Value::Kind::kNone;
  });
  if (!state_.builder.ok()) return state_.builder.status();
  std::string why;
  if (function == nullptr) {
    why = fmt::format("op {} is not known", def.op);
  } else if (!whole && !ToleratesNothing(def.op)) {
    why = fmt::format("an operand of {} was left out", def.op);
  } else {
    if (HasUnknownSizes(def.op)) FillUnknownSizes(state_, def, inputs);
    OpContext context(state_, def, attrs, inputs);
    const absl::Status status = context.Commit(function(context));
    if (status.ok()) {
      CompareRecorded(context);
      in.Set(node, context.results());
      return status;
    }
    if (JoinsElements(def.op)) wanted_batch_ = BakedBatch(inputs);
    if (wanted_batch_) return status;
    why = Message(status);
  }
  OpContext context(state_, def, attrs, std::move(inputs));
  const absl::Status status = context.Commit(Default(context, why));
  if (!status.ok()) return Annotate(status, FormatLocation(state_.LocationOf(def.name)));
  in.Set(node, context.results());
  return absl::OkStatus();
}

std::optional<int64_t> Evaluator::BakedBatch(const std::vector<Value>& inputs) const {
  if (facts_.batch) return std::nullopt;
  std::optional<int64_t> fixed;
  std::optional<size_t> rank;
  bool open = false;
  for (const Value& value : inputs) {
    std::vector<Dim> dims;
    if (value.kind == Value::Kind::kOp) {
      dims = state_.builder.shape(value.op).dims;
    } else if (value.kind == Value::Kind::kKnown) {
      dims = Shape::Of(value.known()->dtype, value.known()->dims).dims;
    }
    if (dims.empty()) continue;
    if (rank && *rank != dims.size()) return std::nullopt;
    rank = dims.size();
    if (dims[0] == BatchDim()) open = true;
    if (!dims[0].per_batch && dims[0].factor > 1) fixed = dims[0].factor;
  }
  return open ? fixed : std::nullopt;
}

absl::Status Evaluator::Default(OpContext& context, const std::string& why) {
  const auto recorded = AttrShapes(context.attrs(), "_output_shapes");
  const size_t results = recorded ? std::max<size_t>(recorded->size(), 1) : 1;
  const bool text = HasText(context.attrs());
  bool any = false;
  bool host = text;
  for (size_t i = 0; i < results; ++i) {
    const auto number = static_cast<int64_t>(i);
    const DataType type = ResultType(context.attrs(), i);
    const std::optional<DType> dtype = ToDType(type);
    if (!dtype) {
      std::optional<std::vector<Dim>> dims;
      const auto shape = context.RecordedShape(number, DType::kU8);
      if (shape) dims = shape->dims;
      context.SetHost(number, std::move(dims));
      host = true;
      continue;
    }
    std::optional<Shape> shape = context.RecordedShape(number, *dtype);
    if (!shape) continue;
    any = true;
    if (context.HasHostInput()) {
      context.SetFedByHost(number, std::move(*shape));
    } else {
      context.SetOpaque(number, std::move(*shape));
    }
  }
  if (host && !any) return absl::OkStatus();
  if (!any) ++state_.opaque[std::string(context.op())];
  context.Note("RD001", fmt::format("{} is {}: {}", context.op(),
                                    any ? "taken as opaque, of the recorded shape"
                                        : "left out, as its shape is not in the file",
                                    why));
  return absl::OkStatus();
}

void Evaluator::CompareRecorded(const OpContext& context) {
  const Attr* attr = FindAttr(context.attrs(), "_output_shapes");
  if (attr == nullptr) return;
  if (attr->value != recorded_bytes_) {
    recorded_bytes_ = attr->value;
    recorded_ = AttrShapes(Attrs(attr, 1), attr->name);
  }
  if (!recorded_) return;
  const std::vector<Value>& results = context.results();
  for (size_t i = 0; i < results.size() && i < recorded_->size(); ++i) {
    if (results[i].kind != Value::Kind::kOp) continue;
    const Shape& shape = state_.builder.shape(results[i].op);
    if (Agrees(shape.dims, (*recorded_)[i])) continue;
    state_.Note("RD004", "shape-disagrees",
                fmt::format("result {} of {} is {}, the file says {}", i, context.op(),
                            FormatShape(shape), FormatRecorded((*recorded_)[i])));
  }
}

}  // namespace tilewise::tf

// Calls of functions, custom calls, and the regions of Shardy.

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/lowerers.h"
#include "frontend/mlir/opcode_names.h"
#include "frontend/mlir/sharding.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;

absl::Status CallFunction(Body& body, const Operation& op, std::string_view name) {
  const Function* function = body.lowering().FindFunction(name);
  if (function == nullptr || function->body == nullptr) {
    // Declared elsewhere: its results have the stated shapes.
    return LowerUnknown(body, op);
  }
  TW_ASSIGN_OR_RETURN(Instruction call, body.OnOperands(op, Opcode::kCall));
  std::vector<Argument> arguments;
  arguments.reserve(call.operands.size());
  for (Index operand : call.operands) {
    const SizeValues* sizes = body.lowering().has_open_sizes() ? body.sizes(operand) : nullptr;
    arguments.push_back(
        {body.shape(operand), sizes == nullptr ? std::nullopt : std::optional<SizeValues>(*sizes)});
  }
  TW_ASSIGN_OR_RETURN(const LoweredFunction lowered, body.lowering().Call(*function, arguments));
  if (lowered.results.size() != static_cast<size_t>(op.results)) {
    return body.lowering().Error(op, fmt::format("@{} returns {} values, expected {}", name,
                                                 lowered.results.size(), op.results));
  }
  call.called = {lowered.computation};
  const bool one = op.results == 1;
  call.shape = one ? lowered.results[0] : TupleShape(lowered.results);
  const Index made = body.Add(op, std::move(call));
  for (int32_t i = 0; i < op.results; ++i) {
    const Index result = one ? made : body.Element(op, made, i);
    body.Bind(op.first_result + i, result);
    const auto& sizes = lowered.sizes[i];
    if (sizes) body.SetSizes(result, *sizes);
  }
  return absl::OkStatus();
}

absl::Status ChangeAllShards(Body& body, const Operation& op, bool to_shard) {
  for (int32_t i = 0; i < op.results; ++i) {
    TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, static_cast<size_t>(i)));
    body.Bind(op.first_result + i, ChangeShards(body, op, x, body.ResultShape(op, i), to_shard));
  }
  return absl::OkStatus();
}

absl::Status OtherCustomCall(Body& body, const Operation& op, std::string_view target);

// (inputs.., initial.., window sizes, strides, dilations, padding): sizes are
// operands.
absl::Status DynamicReduceWindow(Body& body, const Operation& op, std::string_view target) {
  const size_t inputs = op.results;
  TW_ASSIGN_OR_RETURN(const std::vector<Index> operands, body.Operands(op));
  const Attribute* callees = op.Find("called_computations");
  const Function* reducer = callees == nullptr || callees->items.empty()
                                ? nullptr
                                : body.lowering().FindFunction(callees->items[0].text);
  if (inputs == 0 || operands.size() != 2 * inputs + 5 || reducer == nullptr ||
      reducer->body == nullptr) {
    return OtherCustomCall(body, op, target);
  }
  Instruction reduce;
  reduce.opcode = Opcode::kReduceWindow;
  reduce.operands.assign(operands.begin(), operands.begin() + static_cast<ptrdiff_t>(2 * inputs));
  const size_t rank = body.shape(operands[0]).dims.size();
  const auto read = [&](size_t i, size_t count) {
    return ConstantsOf(body, operands[2 * inputs + i], count);
  };
  const auto size = read(0, rank);
  const auto stride = read(1, rank);
  const auto base = read(2, rank);
  const auto dilation = read(3, rank);
  const auto pad = read(4, 2 * rank);
  if (!size || !stride || !base || !dilation || !pad) {
    return OtherCustomCall(body, op, target);
  }
  for (size_t i = 0; i < rank; ++i) {
    if (std::min({(*size)[i], (*stride)[i], (*base)[i], (*dilation)[i]}) < 1) {
      return body.lowering().Error(op, "found a window that cannot be");
    }
    reduce.Extras().window.push_back({(*size)[i], (*stride)[i], (*pad)[2 * i], (*pad)[2 * i + 1],
                                      (*dilation)[i], (*base)[i], false});
  }
  std::vector<Argument> arguments;
  for (ValueId argument : reducer->body->blocks[0].arguments) {
    arguments.push_back({body.file().shape(argument), std::nullopt});
  }
  TW_ASSIGN_OR_RETURN(const LoweredFunction lowered, body.lowering().Call(*reducer, arguments));
  reduce.called = {lowered.computation};
  return body.Finish(op, std::move(reduce));
}

// The settings of a layer that ByteIR keeps whole.
void ReadLayer(const Body& body, const Operation& op, Instruction& call) {
  const Attribute* layer = op.Find("byteir_attrs");
  if (layer == nullptr) return;
  if (const Attribute* axis = layer->Find("axis")) {
    call.dims = Integers(*axis, body.file().types).value_or(std::vector<int64_t>());
  }
  const Attribute* epsilon = layer->Find("epsilon");
  call.Extras().epsilon = epsilon == nullptr ? 1e-5 : epsilon->number;
  if (const Attribute* form = layer->Find("approximate")) {
    call.Extras().frontend.emplace_back("approximate", form->text);
  }
}

absl::Status OtherCustomCall(Body& body, const Operation& op, std::string_view target) {
  if (op.results == 0) return LowerUnknown(body, op);
  TW_ASSIGN_OR_RETURN(Instruction call, body.OnOperands(op, Opcode::kCustomCall));
  hlo::InstructionExtras& extras = call.Extras();
  extras.custom_call_target = target;
  if (const Attribute* config = op.Find("backend_config");
      config != nullptr && config->kind == Attribute::Kind::kString) {
    extras.backend_config = config->text.find('\\') == std::string_view::npos
                                ? config->text
                                : body.lowering().Keep(Unescape(config->text));
  }
  extras.sharding = ReadSharding(body.lowering(), op);
  ReadLayer(body, op, call);
  if (const Attribute* frontend = op.Find("mhlo.frontend_attributes")) {
    for (const NamedAttribute& field : frontend->fields) {
      extras.frontend.emplace_back(field.first, field.second.text);
    }
  }
  if (const Attribute* callees = op.Find("called_computations")) {
    for (const Attribute& item : callees->items) {
      const Function* callee = body.lowering().FindFunction(item.text);
      if (callee == nullptr || callee->body == nullptr) continue;
      std::vector<Argument> arguments;
      for (ValueId argument : callee->body->blocks[0].arguments) {
        arguments.push_back({body.file().shape(argument), std::nullopt});
      }
      TW_ASSIGN_OR_RETURN(const LoweredFunction lowered, body.lowering().Call(*callee, arguments));
      call.called.push_back(lowered.computation);
    }
  }
  return body.Finish(op, std::move(call));
}

}  // namespace

Index ChangeShards(Body& body, const Operation& op, Index x, const HloShape& shape, bool to_shard) {
  if (body.shape(x) == shape) return x;
  Instruction change;
  change.opcode = Opcode::kCustomCall;
  change.operands = {x};
  change.shape = shape;
  change.Extras().custom_call_target = to_shard ? "SPMDFullToShardShape" : "SPMDShardToFullShape";
  return body.Add(op, std::move(change));
}

absl::Status LowerCall(Body& body, const Operation& op) {
  const Attribute* callee = op.FindAny({"callee", "symbol"});
  if (callee == nullptr) {
    return body.lowering().Error(op, "expected the name of a function");
  }
  return CallFunction(body, op, callee->text);
}

// composite "name" %a {decomposition = @f}: what it is made of.
absl::Status LowerComposite(Body& body, const Operation& op) {
  const Attribute* decomposition = op.Find("decomposition");
  if (decomposition == nullptr) return LowerUnknown(body, op);
  return CallFunction(body, op, decomposition->text);
}

absl::Status LowerCustomCall(Body& body, const Operation& op) {
  const Attribute* stated = op.FindAny({"call_target_name", "symbol"});
  if (stated == nullptr) {
    return body.lowering().Error(op, "expected the name of a target");
  }
  const std::string_view target = stated->text;
  if (target == "stablehlo.dynamic_reduce_window") {
    return DynamicReduceWindow(body, op, target);
  }
  if (target == "stablehlo.dynamic_top_k" || target == "mhlo.topk" || target == "mhlo.top_k" ||
      target == "chlo.top_k") {
    return LowerTopK(body, op);
  }
  if (target.ends_with("sdy.FuncResultSharding")) {
    return LowerIdentity(body, op);
  }
  if (target.ends_with("sdy.GlobalToLocalShape")) {
    return ChangeAllShards(body, op, true);
  }
  if (target.ends_with("sdy.LocalToGlobalShape")) {
    return ChangeAllShards(body, op, false);
  }
  if (target == "SPMDFullToShardShape") {
    return ChangeAllShards(body, op, true);
  }
  if (target == "SPMDShardToFullShape") {
    return ChangeAllShards(body, op, false);
  }
  // Operations that were hidden from versions that do not know them.
  for (std::string_view dialect : {"mhlo.", "chlo.", "stablehlo."}) {
    if (!target.starts_with(dialect)) continue;
    const std::string_view name = target.substr(dialect.size());
    Operation hidden;
    hidden.name = target;
    hidden.first_result = op.first_result;
    hidden.results = op.results;
    hidden.line = op.line;
    hidden.operands = op.operands;
    hidden.result_name = op.result_name;
    hidden.location = op.location;
    if (const Attribute* inner = op.Find("mhlo.attributes")) {
      hidden.attributes = inner->fields;
    }
    const Lowerer lowerer = FindLowerer("stablehlo", name);
    if (lowerer != nullptr && lowerer != LowerCustomCall) {
      return lowerer(body, hidden);
    }
  }
  return OtherCustomCall(body, op, target);
}

// The body works on the part of each operand that one device has.
absl::Status LowerManualComputation(Body& body, const Operation& op) {
  if (op.regions.size() != 1 || op.regions[0].blocks.size() != 1) {
    return body.lowering().Error(op, "expected one region of one block");
  }
  const Block& block = op.regions[0].blocks[0];
  if (block.arguments.size() != op.operands.size()) {
    return body.lowering().Error(op, "expected an argument for each operand");
  }
  for (size_t i = 0; i < block.arguments.size(); ++i) {
    TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, i));
    const HloShape& local = body.file().shape(block.arguments[i]);
    body.Bind(block.arguments[i], HasOpenDims(local) ? x : ChangeShards(body, op, x, local, true));
  }
  TW_RETURN_IF_ERROR(body.LowerBlock(block));
  const std::vector<Index> results = body.results();
  if (results.size() != static_cast<size_t>(op.results)) {
    return body.lowering().Error(op, "expected as many results as it returns");
  }
  for (int32_t i = 0; i < op.results; ++i) {
    const Index local = results[i];
    const HloShape shape = body.ResultShape(op, i);
    body.Bind(op.first_result + i,
              HasOpenDims(shape) ? local : ChangeShards(body, op, local, shape, false));
  }
  return absl::OkStatus();
}

// A region with a name, in place.
absl::Status LowerNamedComputation(Body& body, const Operation& op) {
  return LowerManualComputation(body, op);
}

}  // namespace tilewise::mlir

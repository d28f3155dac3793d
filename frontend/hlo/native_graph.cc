// Reads a printed graph back, instruction by instruction, through the builder:
// whatever is read has passed the shape rules.

#include "frontend/hlo/native_graph.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend/hlo/native_kinds.h"
#include "graph/graph_builder.h"
#include "graph/shape_inference.h"
#include "graph/text_lexer.h"
#include "graph/text_names.h"
#include "graph/text_values.h"

namespace tilewise::hlo {
namespace {

// This reads the text that DetailsText wrote.
absl::Status ReadAttributes(std::string_view text, Op& op) {
  TW_ASSIGN_OR_RETURN(std::vector<TextToken> tokens, LexLine(text));
  TokenCursor cursor(std::move(tokens));
  if (cursor.done()) return absl::OkStatus();
  do {
    TW_RETURN_IF_ERROR(ParseAttribute(cursor, op));
  } while (cursor.TakeSign(','));
  if (cursor.done()) return absl::OkStatus();
  return InvalidInput(fmt::format("found {}, expected a comma", cursor.Found()));
}

using NamedText = std::pair<std::string_view, std::string_view>;
constexpr std::string_view kTarget = "tilewise.";

// "" when there is none of that name.
std::string_view Find(const std::vector<NamedText>& attributes, std::string_view name) {
  for (const auto& [key, value] : attributes) {
    if (key == name) return value;
  }
  return {};
}

std::optional<int64_t> WholeNumber(std::string_view text) {
  int64_t value = 0;
  const char* stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value);
  if (error != std::errc() || end != stop) return std::nullopt;
  return value;
}

absl::StatusOr<Shape> StaticShape(const HloShape& shape) {
  if (shape.kind != HloShape::Kind::kArray || !shape.dynamic.empty()) {
    return InvalidInput("found a tuple or dims that vary, expected an array");
  }
  return Shape::Of(shape.dtype, shape.dims);
}

class GraphReader {
 public:
  GraphReader(const Module& module, std::string_view name)
      : module_(module), builder_(std::string(name)) {}

  absl::StatusOr<Graph> Read() {
    const Computation& entry = module_.computations[module_.entry];
    ops_.reserve(entry.instructions.size());
    for (const Instruction& instruction : entry.instructions) {
      TW_RETURN_IF_ERROR(Annotate(
          ReadInstruction(instruction),
          instruction.line == 0
              ? fmt::format("instruction {}", instruction.name)
              : fmt::format("line {}: instruction {}", instruction.line, instruction.name)));
    }
    TW_RETURN_IF_ERROR(ReadOutputs(Find(module_.frontend, "tilewise_outputs")));
    return builder_.Build();
  }

 private:
  absl::Status ReadInstruction(const Instruction& instruction) {
    const std::vector<NamedText>& attributes = instruction.more().frontend;
    const std::string_view role = Find(attributes, "tilewise_role");
    if (role == "auxiliary") {
      ops_.push_back(kNoOp);
      return absl::OkStatus();
    }
    TW_ASSIGN_OR_RETURN(Op op, ReadKind(instruction));
    op.origin = OpId(builder_.size());
    if (op.kind == OpKind::kParameter && role == "variable") {
      op.kind = OpKind::kVariable;
    }
    const Metadata& metadata = instruction.metadata;
    op.name = metadata.op_name.empty() ? instruction.name : metadata.op_name;
    op.location.file = metadata.source_file;
    op.location.line = metadata.source_line;
    op.location.column = metadata.source_column;
    TW_RETURN_IF_ERROR(ReadLoop(attributes, op.loop));
    TW_RETURN_IF_ERROR(ReadAttributes(Find(attributes, "tilewise_attributes"), op));
    TW_RETURN_IF_ERROR(Append(instruction, op));
    ops_.push_back(OpId(builder_.size() - 1));
    return absl::OkStatus();
  }

  absl::StatusOr<Op> ReadKind(const Instruction& instruction) {
    if (IsNative(instruction)) return NativeOp(instruction);
    Op op;
    TW_ASSIGN_OR_RETURN(op.shape, StaticShape(instruction.shape));
    if (!FromHlo(instruction, op)) {
      return InvalidInput(
          fmt::format("found {}, expected an op of graphs", OpcodeName(instruction.opcode)));
    }
    if (op.kind == OpKind::kReduce) op.edit<ReduceAttrs>().reducer = ReducerIn(instruction);
    return op;
  }

  Reducer ReducerIn(const Instruction& instruction) const {
    if (instruction.called.empty()) return Reducer::kOther;
    const Computation& region = module_.computations[instruction.called[0]];
    return ReducerOf(region.instructions[region.root].opcode);
  }

  static absl::Status ReadLoop(const std::vector<NamedText>& attributes, EnclosingLoop& loop) {
    const std::string_view id = Find(attributes, "loop");
    if (id.empty()) return absl::OkStatus();
    const std::optional<int64_t> number = WholeNumber(id);
    const std::optional<int64_t> trips = WholeNumber(Find(attributes, "trip_count"));
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    if (!number || *number < -kMost || *number > kMost || !trips || *trips < 1) {
      return InvalidInput(fmt::format("found loop \"{}\", expected a number and a trip count", id));
    }
    loop = {static_cast<int32_t>(*number), *trips};
    return absl::OkStatus();
  }

  absl::Status Append(const Instruction& instruction, const Op& op) {
    std::vector<OpId> operands;
    operands.reserve(instruction.operands.size());
    std::vector<const Shape*> shapes;
    shapes.reserve(instruction.operands.size());
    for (const int32_t operand : instruction.operands) {
      const OpId id = ops_[operand];
      // The initial value of a reduction.
      if (id == kNoOp && op.kind == OpKind::kReduce) continue;
      if (id == kNoOp) {
        return InvalidInput("found an auxiliary operand, expected an op");
      }
      operands.push_back(id);
      shapes.push_back(&builder_.shape(id));
    }
    TW_ASSIGN_OR_RETURN(const Shape inferred, InferShape(op, shapes));
    // Matmuls may add up in a wider type.
    const bool any_type = ClassOf(op.kind) == OpClass::kMxu;
    if (inferred.dims != op.shape.dims || (!any_type && inferred.dtype != op.shape.dtype)) {
      return InvalidInput(
          fmt::format("found {}, expected {}", FormatShape(op.shape), FormatShape(inferred)));
    }
    builder_.Clone(op, std::move(operands));
    return builder_.status();
  }

  absl::Status ReadOutputs(std::string_view text) {
    while (!text.empty()) {
      const size_t end = std::min(text.find(';'), text.size());
      TW_RETURN_IF_ERROR(ReadOutput(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return absl::OkStatus();
  }

  // "state 5 of 2".
  absl::Status ReadOutput(std::string_view text) {
    const std::string_view whole = text;
    const size_t space = std::min(text.find(' '), text.size());
    const auto* const role = std::find(kRoleNames.begin(), kRoleNames.end(), text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
    const size_t of = text.find(" of ");
    const std::optional<OpId> value = OpNumbered(text.substr(0, of));
    std::optional<OpId> variable = kNoOp;
    if (of != std::string_view::npos) variable = OpNumbered(text.substr(of + 4));
    if (role == kRoleNames.end() || !value || !variable ||
        (of == std::string_view::npos) !=
            (role != kRoleNames.end() && *role != kRoleNames.back())) {
      return InvalidInput(
          fmt::format("found output \"{}\", expected one such as \"result 7\"", whole));
    }
    builder_.AddOutput(*value, static_cast<Output::Role>(role - kRoleNames.begin()), *variable);
    return builder_.status();
  }

  std::optional<OpId> OpNumbered(std::string_view text) const {
    const std::optional<int64_t> number = WholeNumber(text);
    if (!number || *number < 0 || *number >= builder_.size()) {
      return std::nullopt;
    }
    return static_cast<OpId>(*number);
  }

  const Module& module_;
  GraphBuilder builder_;
  std::vector<OpId> ops_;  // of instructions; kNoOp: auxiliary
};

}  // namespace

bool IsNativeModule(const Module& module) { return Find(module.frontend, "tilewise") == "graph"; }

absl::StatusOr<Graph> BuildNativeGraph(const Module& module) {
  return GraphReader(module, Find(module.frontend, "tilewise_name")).Read();
}

bool IsNative(const Instruction& instruction) {
  return instruction.opcode == Opcode::kCustomCall &&
         instruction.more().custom_call_target.starts_with(kTarget);
}

absl::StatusOr<Op> NativeOp(const Instruction& instruction) {
  const InstructionExtras& extras = instruction.more();
  Op op;
  const std::optional<OpKind> kind = KindNamed(extras.custom_call_target.substr(kTarget.size()));
  if (!kind) {
    return InvalidInput(
        fmt::format("found target {}, expected a kind of op", extras.custom_call_target));
  }
  op.kind = *kind;
  TW_ASSIGN_OR_RETURN(op.shape, StaticShape(instruction.shape));
  TW_RETURN_IF_ERROR(ReadAttributes(extras.backend_config, op));
  return op;
}

}  // namespace tilewise::hlo

// Reads a graph from text, line by line, through the builder: whatever parses
// has passed the shape rules.

#include <optional>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "graph/graph_builder.h"
#include "graph/shape_inference.h"
#include "graph/text.h"
#include "graph/text_names.h"
#include "graph/text_values.h"

namespace tilewise {
namespace {

std::optional<OpKind> ParseKind(std::string_view name) {
#define TW_OP(enumerator, kind_name, op_class) \
  if (name == kind_name) return OpKind::enumerator;
#include "graph/op_kinds.def"
#undef TW_OP
  return std::nullopt;
}

class Parser {
 public:
  // One line of the text; blank and comment lines do nothing.
  absl::Status TakeLine(std::string_view line, int number);
  absl::StatusOr<Graph> Finish();

 private:
  struct Named {
    OpId id;
    int line;
  };

  absl::Status Header(TokenCursor& cursor);
  absl::Status OpLine(TokenCursor& cursor, const std::string& name);
  absl::Status OutputLine(TokenCursor& cursor);
  absl::StatusOr<std::vector<OpId>> Operands(TokenCursor& cursor) const;
  absl::StatusOr<OpId> Operand(TokenCursor& cursor) const;
  absl::Status Append(const Op& op, std::vector<OpId> operands);

  std::optional<GraphBuilder> builder_;
  bool closed_ = false;
  int line_ = 0;
  std::unordered_map<std::string, Named> names_;  // never iterated
};

absl::Status Parser::TakeLine(std::string_view line, int number) {
  line_ = number;
  TW_ASSIGN_OR_RETURN(std::vector<TextToken> tokens, LexLine(line));
  if (tokens.empty()) return absl::OkStatus();
  TokenCursor cursor(std::move(tokens));
  if (closed_) {
    return InvalidInput(
        fmt::format("found {} after the closing }}, expected nothing", cursor.Found()));
  }
  if (!builder_) {
    TW_RETURN_IF_ERROR(Header(cursor));
  } else if (cursor.TakeSign('}')) {
    closed_ = true;
  } else {
    TW_ASSIGN_OR_RETURN(const std::string first, cursor.TakeName("a name, output or }"));
    TW_RETURN_IF_ERROR(first == "output" && !cursor.NextIsSign('=') ? OutputLine(cursor)
                                                                    : OpLine(cursor, first));
  }
  if (cursor.done()) return absl::OkStatus();
  return InvalidInput(fmt::format("found {}, expected the end of the line", cursor.Found()));
}

absl::Status Parser::Header(TokenCursor& cursor) {
  TW_ASSIGN_OR_RETURN(const std::string word, cursor.TakeWord("graph"));
  if (word != "graph") {
    return InvalidInput(fmt::format("found \"{}\", expected graph", word));
  }
  TW_ASSIGN_OR_RETURN(const std::string name, cursor.TakeName("the name of the graph"));
  TW_RETURN_IF_ERROR(cursor.ExpectSign('{'));
  builder_.emplace(name);
  return absl::OkStatus();
}

absl::StatusOr<OpId> Parser::Operand(TokenCursor& cursor) const {
  TW_ASSIGN_OR_RETURN(const std::string name, cursor.TakeName("an op"));
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second.id;
  return InvalidInput(fmt::format("found {}, expected an op of an earlier line", name));
}

absl::StatusOr<std::vector<OpId>> Parser::Operands(TokenCursor& cursor) const {
  std::vector<OpId> operands;
  TW_RETURN_IF_ERROR(cursor.ExpectSign('('));
  if (cursor.TakeSign(')')) return operands;
  do {
    TW_ASSIGN_OR_RETURN(const OpId id, Operand(cursor));
    operands.push_back(id);
  } while (cursor.TakeSign(','));
  TW_RETURN_IF_ERROR(cursor.ExpectSign(')'));
  return operands;
}

absl::Status Parser::OpLine(TokenCursor& cursor, const std::string& name) {
  const auto [at, is_new] = names_.try_emplace(name, Named{OpId(builder_->size()), line_});
  if (!is_new) {
    return InvalidInput(fmt::format("{} is already defined on line {}", name, at->second.line));
  }
  TW_RETURN_IF_ERROR(cursor.ExpectSign('='));
  Op op;
  op.name = name;
  op.origin = OpId(builder_->size());
  TW_ASSIGN_OR_RETURN(op.shape, ParseShape(cursor));
  TW_ASSIGN_OR_RETURN(const std::string kind, cursor.TakeWord("an op kind"));
  const std::optional<OpKind> parsed = ParseKind(kind);
  if (!parsed) {
    return InvalidInput(fmt::format("found \"{}\", expected an op kind", kind));
  }
  op.kind = *parsed;
  TW_ASSIGN_OR_RETURN(std::vector<OpId> operands, Operands(cursor));
  for (const OpId id : operands) {
    if (id == builder_->size()) {
      return InvalidInput(fmt::format("{} is its own operand", name));
    }
  }
  while (cursor.TakeSign(',')) {
    TW_RETURN_IF_ERROR(ParseAttribute(cursor, op));
  }
  return Append(op, std::move(operands));
}

// Dims must be those that follow from the operands. So must the type, but for
// matmuls, which may accumulate in a wider one.
absl::Status Parser::Append(const Op& op, std::vector<OpId> operands) {
  std::vector<const Shape*> shapes;
  shapes.reserve(operands.size());
  for (const OpId id : operands) shapes.push_back(&builder_->shape(id));
  absl::StatusOr<Shape> inferred = InferShape(op, shapes);
  if (!inferred.ok()) return Annotate(inferred.status(), OpName(op.kind));
  const bool any_type = ClassOf(op.kind) == OpClass::kMxu;
  if (inferred->dims != op.shape.dims || (!any_type && inferred->dtype != op.shape.dtype)) {
    return InvalidInput(fmt::format("{}: found {}, expected {}", OpName(op.kind),
                                    FormatShape(op.shape), FormatShape(*inferred)));
  }
  builder_->Clone(op, std::move(operands));
  return builder_->status();
}

absl::Status Parser::OutputLine(TokenCursor& cursor) {
  TW_ASSIGN_OR_RETURN(const std::string word, cursor.TakeWord("result, tile, loss or state"));
  Output output;
  size_t role = 0;
  while (role < kRoleNames.size() && kRoleNames[role] != word) ++role;
  if (role == kRoleNames.size()) {
    return InvalidInput(fmt::format("found \"{}\", expected result, tile, loss or state", word));
  }
  output.role = static_cast<Output::Role>(role);
  TW_ASSIGN_OR_RETURN(output.value, Operand(cursor));
  if (output.role == Output::Role::kState) {
    TW_ASSIGN_OR_RETURN(const std::string of, cursor.TakeWord("of"));
    if (of != "of") {
      return InvalidInput(fmt::format("found \"{}\", expected of", of));
    }
    TW_ASSIGN_OR_RETURN(output.variable, Operand(cursor));
  }
  builder_->AddOutput(output.value, output.role, output.variable);
  return builder_->status();
}

absl::StatusOr<Graph> Parser::Finish() {
  if (!builder_) return InvalidInput("found no text, expected graph");
  if (!closed_) return InvalidInput("found the end of the text, expected }");
  return builder_->Build();
}

}  // namespace

absl::StatusOr<Graph> ParseGraph(std::string_view text) {
  Parser parser;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    TW_RETURN_IF_ERROR(Annotate(parser.TakeLine(line, number), fmt::format("line {}", number)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  absl::StatusOr<Graph> graph = parser.Finish();
  if (!graph.ok()) {
    return Annotate(graph.status(), fmt::format("line {}", number));
  }
  return graph;
}

}  // namespace tilewise

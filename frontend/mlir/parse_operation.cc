// See parse.h: one operation, its results, its generic form, its location.

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "frontend/hlo/module.h"
#include "frontend/mlir/parser.h"

namespace tilewise::mlir {
namespace {

// More results than this are a mistake in the text, or an attack.
constexpr int32_t kMaxResults = 1 << 20;

}  // namespace

// loc(...), when it is there.
absl::Status Parser::ParseLocation(std::string_view& location) {
  if (!lexer_.token().IsWord("loc")) return absl::OkStatus();
  lexer_.Next();
  if (!lexer_.token().Is('(')) return lexer_.Error("'(' behind loc");
  TW_ASSIGN_OR_RETURN(const std::string_view text, lexer_.Balanced());
  location = text.substr(1, text.size() - 2);
  return absl::OkStatus();
}

// %a, %b:2 =
absl::Status Parser::ParseResultNames(Names& names) {
  while (lexer_.token().kind == TokenKind::kValueId) {
    const std::string_view name = lexer_.token().text;
    lexer_.Next();
    int32_t count = 1;
    if (lexer_.token().Is(':')) {
      lexer_.Next();
      const std::string_view text = lexer_.token().text;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
      if (error != std::errc() || end != text.data() + text.size() || count < 1 ||
          count > kMaxResults) {
        return lexer_.Error("the number of results");
      }
      lexer_.Next();
    }
    names.names.emplace_back(name, count);
    names.total += count;
    if (names.total > kMaxResults) return lexer_.Error("fewer results");
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  return names.names.empty() ? absl::OkStatus() : Expect('=', "behind the names of results");
}

absl::Status Parser::ParseOperation(std::vector<Operation>& out) {
  Names names;
  if (++operations_ > hlo::kMostInstructions) {
    return lexer_.Error(
        fmt::format("a module of at most {} operations", FormatCount(hlo::kMostInstructions)));
  }
  TW_RETURN_IF_ERROR(ParseResultNames(names));
  const Token token = lexer_.token();
  Operation op;
  op.line = token.line;
  op.results = names.total;
  if (!names.names.empty()) op.result_name = names.names[0].first;
  result_types_.clear();
  if (token.kind == TokenKind::kString) {
    op.name = Unquote(token.text);
    if (op.name.empty()) return lexer_.Error("the name of an operation");
    lexer_.Next();
    TW_RETURN_IF_ERROR(ParseGeneric(op));
  } else if (token.kind == TokenKind::kBareId) {
    op.name = token.text;
    lexer_.Next();
    if (op.name == "func.func" || op.name == "func") {
      op.name = "func.func";
      TW_RETURN_IF_ERROR(ParseFunction(op));
    } else if (op.name == "stablehlo.while" || op.name == "mhlo.while") {
      TW_RETURN_IF_ERROR(ParseWhile(op));
    } else if (op.name == "sdy.manual_computation" || op.name == "sdy.named_computation") {
      TW_RETURN_IF_ERROR(ParseManualComputation(op));
    } else {
      TW_RETURN_IF_ERROR(ParsePretty(op, names.total));
    }
  } else {
    return lexer_.Error("an operation");
  }
  TW_RETURN_IF_ERROR(ParseLocation(op.location));
  TW_RETURN_IF_ERROR(DefineResults(op, names));
  out.push_back(std::move(op));
  return absl::OkStatus();
}

absl::Status Parser::DefineResults(Operation& op, const Names& names) {
  // Results of unused values have no names in generic text; each type is one.
  const int32_t types = static_cast<int32_t>(result_types_.size());
  if (names.total > types) {
    return InvalidInput(fmt::format("line {}: {} has {} results and {} types for them", op.line,
                                    op.name, names.total, types));
  }
  op.results = types;
  op.first_result = static_cast<ValueId>(file_.value_types.size());
  for (TypeId type : result_types_) NewValue(type);
  ValueId next = op.first_result;
  for (const auto& [name, count] : names.names) {
    Define(name, next, count);
    next += count;
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseProperties(Operation& op) {
  lexer_.Next();  // '<'
  AttributeParser attributes(lexer_, file_.types);
  TW_RETURN_IF_ERROR(attributes.ParseDictionary(op.attributes));
  return Expect('>', "behind the properties");
}

// "name"(operands) [successors] <{properties}> (regions) {attributes} : type
absl::Status Parser::ParseGeneric(Operation& op) {
  TW_RETURN_IF_ERROR(Expect('(', "before the operands"));
  while (!lexer_.token().Is(')')) {
    bool known = false;
    TW_ASSIGN_OR_RETURN(const ValueId value, Value(true, known));
    op.operands.push_back(value);
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  TW_RETURN_IF_ERROR(Expect(')', "behind the operands"));
  if (lexer_.token().Is('[')) {
    lexer_.Next();
    while (lexer_.token().kind == TokenKind::kBlockId) {
      TW_RETURN_IF_ERROR(ParseSuccessor(op));
      if (!lexer_.token().Is(',')) break;
      lexer_.Next();
    }
    TW_RETURN_IF_ERROR(Expect(']', "behind the successors"));
  }
  if (lexer_.token().Is('<')) TW_RETURN_IF_ERROR(ParseProperties(op));
  if (lexer_.token().Is('(')) TW_RETURN_IF_ERROR(ParseGenericRegions(op));
  if (lexer_.token().Is('{')) {
    AttributeParser attributes(lexer_, file_.types);
    TW_RETURN_IF_ERROR(attributes.ParseDictionary(op.attributes));
  }
  TW_RETURN_IF_ERROR(Expect(':', "before the type of an operation"));
  TW_ASSIGN_OR_RETURN(const TypeId type, file_.types.Parse(lexer_));
  if (file_.types[type].kind != Type::Kind::kFunction) {
    return InvalidInput(
        fmt::format("line {}: found the type '{}' of {}, expected '(types) -> types'", op.line,
                    file_.types[type].text.substr(0, 60), op.name));
  }
  // Regions have results of their own in between: set when they are read.
  result_types_ = file_.types[type].results;
  if (file_.types[type].inputs.size() != op.operands.size()) {
    return InvalidInput(fmt::format("line {}: {} has {} operands and {} types for them", op.line,
                                    op.name, op.operands.size(), file_.types[type].inputs.size()));
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseGenericRegions(Operation& op) {
  lexer_.Next();
  while (lexer_.token().Is('{')) {
    Region region;
    TW_RETURN_IF_ERROR(ParseRegion(region, false));
    op.regions.push_back(std::move(region));
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  return Expect(')', "behind the regions");
}

}  // namespace tilewise::mlir

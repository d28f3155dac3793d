// See parse.h: functions, while, the reducer of reduce, manual computations:
// pretty forms that define values in front of their regions.

#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/parser.h"

namespace tilewise::mlir {
namespace {

Attribute Symbol(std::string_view text) {
  Attribute attribute;
  attribute.kind = Attribute::Kind::kSymbol;
  attribute.text = text;
  return attribute;
}

Attribute List(std::vector<Attribute> items) {
  Attribute attribute;
  attribute.kind = Attribute::Kind::kArray;
  attribute.items = std::move(items);
  return attribute;
}

}  // namespace

// func.func public @main(%a: t {..}, ...) -> (t {..}, t) attributes {..} {..}
absl::Status Parser::ParseFunction(Operation& op) {
  if (lexer_.token().kind == TokenKind::kBareId) {
    op.attributes.emplace_back("sym_visibility", Symbol(lexer_.token().text));
    lexer_.Next();
  }
  if (lexer_.token().kind != TokenKind::kSymbol) {
    return lexer_.Error("the name of a function");
  }
  op.attributes.emplace_back("sym_name", Symbol(Unquote(lexer_.token().text.substr(1))));
  lexer_.Next();
  const size_t scope = EnterScope();
  Region region;
  region.first_value = static_cast<ValueId>(file_.value_types.size());
  region.blocks.emplace_back();
  std::vector<Attribute> arguments;
  TW_RETURN_IF_ERROR(ParseArguments(region.blocks[0], &arguments));
  op.attributes.emplace_back("arg_attrs", List(std::move(arguments)));
  TW_RETURN_IF_ERROR(ParseFunctionTypes(op));
  if (lexer_.token().IsWord("attributes")) {
    lexer_.Next();
    AttributeParser attributes(lexer_, file_.types);
    TW_RETURN_IF_ERROR(attributes.ParseDictionary(op.attributes));
  }
  if (lexer_.token().Is('{')) {
    TW_RETURN_IF_ERROR(ParseRegion(region, true));
    op.regions.push_back(std::move(region));
  }
  LeaveScope(scope);
  result_types_.clear();
  return absl::OkStatus();
}

// The types of the results become the "function_type", their attributes the
// "res_attrs" that the generic form has.
absl::Status Parser::ParseFunctionTypes(Operation& op) {
  std::vector<Attribute> attributes;
  if (lexer_.token().kind != TokenKind::kArrow) return absl::OkStatus();
  lexer_.Next();
  if (!lexer_.token().Is('(')) {
    return file_.types.Parse(lexer_).status();
  }
  lexer_.Next();
  while (!lexer_.token().Is(')')) {
    TW_RETURN_IF_ERROR(file_.types.Parse(lexer_).status());
    Attribute dictionary;
    dictionary.kind = Attribute::Kind::kDictionary;
    if (lexer_.token().Is('{')) {
      AttributeParser parser(lexer_, file_.types);
      TW_RETURN_IF_ERROR(parser.ParseDictionary(dictionary.fields));
    }
    attributes.push_back(std::move(dictionary));
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  TW_RETURN_IF_ERROR(Expect(')', "behind the results of a function"));
  op.attributes.emplace_back("res_attrs", List(std::move(attributes)));
  return absl::OkStatus();
}

// (%a = %0, %b = %1) : t, t attributes {..} cond {..} do {..}
absl::Status Parser::ParseWhile(Operation& op) {
  TW_RETURN_IF_ERROR(Expect('(', "behind while"));
  std::vector<std::string_view> names;
  while (lexer_.token().kind == TokenKind::kValueId) {
    names.push_back(lexer_.token().text);
    lexer_.Next();
    TW_RETURN_IF_ERROR(Expect('=', "behind what a loop carries"));
    bool known = false;
    TW_ASSIGN_OR_RETURN(const ValueId value, Value(true, known));
    op.operands.push_back(value);
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  TW_RETURN_IF_ERROR(Expect(')', "behind what a loop carries"));
  std::vector<TypeId> types;
  while (lexer_.token().Is(':') || lexer_.token().Is(',')) {
    lexer_.Next();
    TW_ASSIGN_OR_RETURN(const TypeId type, file_.types.Parse(lexer_));
    types.push_back(type);
  }
  if (types.size() != names.size()) {
    return InvalidInput(fmt::format("line {}: a loop carries {} values and has {} types", op.line,
                                    names.size(), types.size()));
  }
  if (lexer_.token().IsWord("attributes")) {
    lexer_.Next();
    AttributeParser attributes(lexer_, file_.types);
    TW_RETURN_IF_ERROR(attributes.ParseDictionary(op.attributes));
  }
  for (std::string_view word : {"cond", "do"}) {
    if (!lexer_.token().IsWord(word)) return lexer_.Error(word);
    lexer_.Next();
    const size_t scope = EnterScope();
    Region region;
    region.first_value = static_cast<ValueId>(file_.value_types.size());
    region.blocks.emplace_back();
    for (size_t i = 0; i < names.size(); ++i) {
      const ValueId value = NewValue(types[i]);
      region.blocks[0].arguments.push_back(value);
      Define(names[i], value, 1);
    }
    TW_RETURN_IF_ERROR(ParseRegion(region, true));
    op.regions.push_back(std::move(region));
    LeaveScope(scope);
  }
  result_types_ = std::move(types);
  return absl::OkStatus();
}

// reduce(%a init: %i), (%b init: %j): inputs, then initial values.
void Parser::OrderReduceOperands(Operation& op) {
  bool pairs = false;
  for (std::string_view word : op.words) pairs = pairs || word == "init";
  if (!pairs || op.operands.size() < 4) return;
  std::vector<ValueId> ordered;
  ordered.reserve(op.operands.size());
  for (size_t i = 0; i < op.operands.size(); i += 2) {
    ordered.push_back(op.operands[i]);
  }
  for (size_t i = 1; i < op.operands.size(); i += 2) {
    ordered.push_back(op.operands[i]);
  }
  op.operands = std::move(ordered);
}

// reducer(%a: t, %b: t) (%c: t, %d: t) {..}: a pair for each input.
absl::Status Parser::ParseReducer(Operation& op) {
  lexer_.Next();
  std::vector<TypeId> results = std::move(result_types_);
  const size_t scope = EnterScope();
  Region region;
  region.first_value = static_cast<ValueId>(file_.value_types.size());
  region.blocks.emplace_back();
  std::vector<ValueId> first;
  std::vector<ValueId> second;
  while (lexer_.token().Is('(')) {
    Block pair;
    TW_RETURN_IF_ERROR(ParseArguments(pair, nullptr));
    if (pair.arguments.size() != 2) {
      return lexer_.Error("two arguments of a reducer");
    }
    first.push_back(pair.arguments[0]);
    second.push_back(pair.arguments[1]);
  }
  first.insert(first.end(), second.begin(), second.end());
  region.blocks[0].arguments = std::move(first);
  TW_RETURN_IF_ERROR(ParseRegion(region, true));
  op.regions.push_back(std::move(region));
  LeaveScope(scope);
  result_types_ = std::move(results);
  return absl::OkStatus();
}

// <"name">(%a) in_shardings=[..] manual_axes={..} (%b: t) {..} {..} : (t) -> t
absl::Status Parser::ParseManualComputation(Operation& op) {
  if (lexer_.token().Is('<')) TW_RETURN_IF_ERROR(lexer_.Balanced().status());
  TW_RETURN_IF_ERROR(Expect('(', "before the operands"));
  while (lexer_.token().kind == TokenKind::kValueId) {
    bool known = false;
    TW_ASSIGN_OR_RETURN(const ValueId value, Value(true, known));
    op.operands.push_back(value);
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  TW_RETURN_IF_ERROR(Expect(')', "behind the operands"));
  while (lexer_.token().kind == TokenKind::kBareId) {
    const std::string_view name = lexer_.token().text;
    lexer_.Next();
    TW_RETURN_IF_ERROR(Expect('=', "behind the name of an attribute"));
    TW_RETURN_IF_ERROR(ParseNamedValue(op, name));
  }
  const size_t scope = EnterScope();
  Region region;
  region.first_value = static_cast<ValueId>(file_.value_types.size());
  region.blocks.emplace_back();
  TW_RETURN_IF_ERROR(ParseArguments(region.blocks[0], nullptr));
  TW_RETURN_IF_ERROR(ParseRegion(region, true));
  op.regions.push_back(std::move(region));
  LeaveScope(scope);
  if (lexer_.token().Is('{')) {
    AttributeParser attributes(lexer_, file_.types);
    TW_RETURN_IF_ERROR(attributes.ParseDictionary(op.attributes));
  }
  if (!lexer_.token().Is(':')) return lexer_.Error("':' before the types");
  return ParseTypes(op, 0);
}

}  // namespace tilewise::mlir

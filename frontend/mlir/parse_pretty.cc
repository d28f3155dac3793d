// See parse.h: the grammar that pretty forms share.
//
//   stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (..) -> t
//   stablehlo.compare LT, %a, %b, SIGNED {attributes} : (..) -> t
//   stablehlo.slice %a [0:2, 4:8] : (t) -> t
//
// Operands are the values wherever they stand, attributes what is behind '=',
// words the rest; after ':' at no depth come the types.

#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/parser.h"

namespace tilewise::mlir {
namespace {

bool IsKnownDialect(std::string_view operation) {
  const std::string_view dialect = DialectOf(operation);
  return dialect == "stablehlo" || dialect == "mhlo" || dialect == "chlo" || dialect == "func" ||
         dialect == "cf";
}

Attribute TextAttribute(std::string_view text) {
  Attribute attribute;
  attribute.kind = Attribute::Kind::kText;
  attribute.text = text;
  return attribute;
}

}  // namespace

// Whether the token begins another operation, or ends the block.
bool Parser::AtStatement() const {
  const Token& token = lexer_.token();
  if (token.kind == TokenKind::kEnd || token.Is('}')) return true;
  if (!token.first_on_line) return false;
  switch (token.kind) {
    case TokenKind::kValueId:
    case TokenKind::kString:
    case TokenKind::kBlockId:
    case TokenKind::kHashId:
      return true;
    case TokenKind::kBareId:
      return token.text.find('.') != std::string_view::npos || token.text == "return" ||
             token.text == "call" || token.text == "func" || token.text == "module" ||
             token.text == "br" || token.text == "cond_br";
    default:
      return false;
  }
}

absl::Status Parser::ParsePretty(Operation& op, int32_t results) {
  const bool known = IsKnownDialect(op.name);
  int parens = 0;
  bool after_comma = true;  // what follows the name belongs to it
  while (true) {
    const Token token = lexer_.token();
    if (token.kind == TokenKind::kEnd || token.kind == TokenKind::kError) {
      if (parens > 0 || token.kind == TokenKind::kError) {
        return lexer_.Error("the rest of the operation");
      }
      break;
    }
    if (parens == 0 && !after_comma && AtStatement()) break;
    if (parens == 0 && token.Is('}')) break;
    if (parens == 0 && token.IsWord("loc")) break;
    if (parens == 0 && token.Is(':')) {
      const char* behind = token.text.data() + 1;
      if (behind < lexer_.end() && *behind == ':') {  // @a::@b
        lexer_.Next();
        lexer_.Next();
        continue;
      }
      TW_RETURN_IF_ERROR(ParseTypes(op, results));
      break;
    }
    // A name on a line of its own begins another operation, even behind the
    // name of one without operands: return.
    if (after_comma && op.operands.empty() && op.words.empty() && op.attributes.empty() &&
        parens == 0 && token.first_on_line && AtStatement()) {
      break;
    }
    after_comma = token.Is(',') ? parens == 0 : false;
    TW_RETURN_IF_ERROR(ParsePrettyToken(op, known, parens));
  }
  if (!known) {  // parts behind the types, of dialects with other grammars
    while (!AtStatement() && !lexer_.token().IsWord("loc")) {
      const Token& token = lexer_.token();
      if (token.kind == TokenKind::kError) return lexer_.Error("an operation");
      if (token.Is('{') || token.Is('(') || token.Is('[')) {
        TW_RETURN_IF_ERROR(lexer_.Balanced().status());
      } else {
        lexer_.Next();
      }
    }
  }
  if (NameOf(op.name) == "reduce" && known) {
    OrderReduceOperands(op);
    if (lexer_.token().IsWord("reducer")) return ParseReducer(op);
  }
  return absl::OkStatus();
}

absl::Status Parser::ParsePrettyToken(Operation& op, bool known, int& parens) {
  const Token token = lexer_.token();
  switch (token.kind) {
    case TokenKind::kValueId: {
      bool defined = false;
      TW_ASSIGN_OR_RETURN(const ValueId value, Value(known, defined));
      if (defined) op.operands.push_back(value);
      return absl::OkStatus();
    }
    case TokenKind::kBareId:
      return ParsePrettyWord(op, known);
    case TokenKind::kBlockId:
      return ParseSuccessor(op);
    case TokenKind::kSymbol:
    case TokenKind::kString:
    case TokenKind::kHashId: {
      AttributeParser attributes(lexer_, file_.types, true);
      TW_ASSIGN_OR_RETURN(Attribute value, attributes.Parse());
      const std::string_view name = token.kind == TokenKind::kSymbol   ? "symbol"
                                    : token.kind == TokenKind::kString ? "string"
                                                                       : "value";
      op.attributes.emplace_back(name, std::move(value));
      return absl::OkStatus();
    }
    case TokenKind::kInteger:
    case TokenKind::kFloat: {
      AttributeParser attributes(lexer_, file_.types, true);
      TW_ASSIGN_OR_RETURN(Attribute value, attributes.Parse());
      op.attributes.emplace_back("value", std::move(value));
      return absl::OkStatus();
    }
    case TokenKind::kTypeId:
      return lexer_.WithAngles().status();
    default:
      break;
  }
  if (token.Is('{')) return ParsePrettyBrace(op, known);
  if (token.Is('[')) {
    TW_ASSIGN_OR_RETURN(const std::string_view text, lexer_.Balanced());
    op.attributes.emplace_back("ranges", TextAttribute(text));
    return absl::OkStatus();
  }
  if (token.Is('<')) {
    if (lexer_.Peek().Is('{')) return ParseProperties(op);
    TW_ASSIGN_OR_RETURN(const std::string_view text, lexer_.Balanced());
    op.attributes.emplace_back("angles", TextAttribute(text));
    return absl::OkStatus();
  }
  if (token.Is('=')) {  // @mesh = <...>
    lexer_.Next();
    return ParseNamedValue(op, "value");
  }
  if (token.Is('(')) ++parens;
  if (token.Is(')') && --parens < 0) return lexer_.Error("':' or an operand");
  lexer_.Next();
  return absl::OkStatus();
}

absl::Status Parser::ParsePrettyWord(Operation& op, bool known) {
  const Token word = lexer_.token();
  if (word.text == "dense" || word.text == "dense_resource" || word.text == "array" ||
      word.text == "tensor" || word.text == "true" || word.text == "false") {
    AttributeParser attributes(lexer_, file_.types, true);
    TW_ASSIGN_OR_RETURN(Attribute value, attributes.Parse());
    if (word.text != "tensor") {
      op.attributes.emplace_back("value", std::move(value));
    }
    return absl::OkStatus();
  }
  lexer_.Next();
  if (lexer_.token().Is('=')) {
    lexer_.Next();
    return ParseNamedValue(op, word.text);
  }
  op.words.push_back(word.text);
  if (word.text == "attributes" && known && lexer_.token().Is('{')) {
    AttributeParser attributes(lexer_, file_.types);
    return attributes.ParseDictionary(op.attributes);
  }
  return absl::OkStatus();
}

// name = value; [0] x [1] are two lists in one; dim_numbers stay text.
absl::Status Parser::ParseNamedValue(Operation& op, std::string_view name) {
  const Token token = lexer_.token();
  Attribute value;
  if (name == "dim_numbers" && token.Is('[')) {
    const char* begin = token.text.data();
    const char* end = begin;
    while (lexer_.token().Is('[') || lexer_.token().IsWord("x") ||
           lexer_.token().kind == TokenKind::kArrow) {
      if (lexer_.token().Is('[')) {
        TW_ASSIGN_OR_RETURN(const std::string_view list, lexer_.Balanced());
        end = list.data() + list.size();
      } else {
        lexer_.Next();
      }
    }
    value = TextAttribute(std::string_view(begin, end - begin));
  } else if (token.kind == TokenKind::kValueId) {
    return absl::OkStatus();  // taken as an operand
  } else {
    AttributeParser attributes(lexer_, file_.types, true);
    TW_ASSIGN_OR_RETURN(value, attributes.Parse());
    if (token.Is('[') && lexer_.token().IsWord("x")) {
      lexer_.Next();
      TW_ASSIGN_OR_RETURN(Attribute second, attributes.Parse());
      Attribute both;
      both.kind = Attribute::Kind::kArray;
      both.items.push_back(std::move(value));
      both.items.push_back(std::move(second));
      value = std::move(both);
    }
  }
  op.attributes.emplace_back(name, std::move(value));
  return absl::OkStatus();
}

// Attributes, or a region of a dialect that is not known.
absl::Status Parser::ParsePrettyBrace(Operation& op, bool known) {
  const Token behind = lexer_.Peek();
  const bool word = behind.kind == TokenKind::kBareId;
  bool attributes = known || behind.Is('}');
  if (!attributes && (word || behind.kind == TokenKind::kString)) {
    // {"x", "y":(2)2} of Shardy are axes of a mesh.
    Lexer ahead = lexer_;
    ahead.Next();
    ahead.Next();
    attributes =
        ahead.token().Is('=') || (word && (ahead.token().Is(',') || ahead.token().Is('}')));
  }
  if (!attributes) {
    TW_ASSIGN_OR_RETURN(const std::string_view text, lexer_.Balanced());
    op.attributes.emplace_back("braces", TextAttribute(text));
    return absl::OkStatus();
  }
  AttributeParser parser(lexer_, file_.types);
  return parser.ParseDictionary(op.attributes);
}

// ^bb1 or ^bb1(%a, %b : t, t); generic successors have their operands apart.
absl::Status Parser::ParseSuccessor(Operation& op) {
  Successor successor;
  successor.block = lexer_.token().text;
  lexer_.Next();
  if (lexer_.token().Is('(')) {
    lexer_.Next();
    while (lexer_.token().kind == TokenKind::kValueId) {
      bool known = false;
      TW_ASSIGN_OR_RETURN(const ValueId value, Value(true, known));
      successor.operands.push_back(value);
      if (!lexer_.token().Is(',')) break;
      lexer_.Next();
    }
    if (lexer_.token().Is(':')) {
      lexer_.Next();
      while (!lexer_.token().Is(')')) {
        TW_RETURN_IF_ERROR(file_.types.Parse(lexer_).status());
        if (!lexer_.token().Is(',')) break;
        lexer_.Next();
      }
    }
    TW_RETURN_IF_ERROR(Expect(')', "behind the operands of a block"));
  }
  op.successors.push_back(std::move(successor));
  return absl::OkStatus();
}

// : t, t   : t -> t   : (t, t) -> t   : t to t
absl::Status Parser::ParseTypes(Operation& op, int32_t results) {
  lexer_.Next();
  std::vector<TypeId> types;
  bool results_apart = false;
  while (true) {
    const Token token = lexer_.token();
    if (token.kind != TokenKind::kBareId && token.kind != TokenKind::kTypeId && !token.Is('(')) {
      return lexer_.Error("a type");
    }
    TW_ASSIGN_OR_RETURN(const TypeId type, file_.types.Parse(lexer_));
    types.push_back(type);
    if (lexer_.token().kind == TokenKind::kArrow || lexer_.token().IsWord("to")) {
      lexer_.Next();
      TW_ASSIGN_OR_RETURN(result_types_, file_.types.ParseResults(lexer_));
      results_apart = true;
      break;
    }
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  const Type& last = file_.types[types.back()];
  if (!results_apart && last.kind == Type::Kind::kFunction) {
    result_types_ = last.results;
    return absl::OkStatus();
  }
  if (results_apart) return absl::OkStatus();
  // The last types are those of the results; one may stand for all.
  result_types_.clear();
  const size_t count = results;
  for (size_t i = 0; i < count; ++i) {
    const size_t at = types.size() >= count ? types.size() - count + i : types.size() - 1;
    result_types_.push_back(types[at]);
  }
  op.operand_types = std::move(types);
  return absl::OkStatus();
}

}  // namespace tilewise::mlir

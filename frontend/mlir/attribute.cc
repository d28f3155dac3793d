// See attribute.h.

#include "frontend/mlir/attribute.h"

#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "frontend/mlir/dense.h"

namespace tilewise::mlir {
namespace {

bool IsWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Returns where the value of `name` begins in "name = value, ..."; npos:
// nowhere.
size_t FieldStart(std::string_view text, std::string_view name) {
  size_t at = text.find(name);
  while (at != std::string_view::npos) {
    size_t end = at + name.size();
    const bool starts = at == 0 || !IsWordChar(text[at - 1]);
    while (end < text.size() && (text[end] == ' ' || text[end] == '\n')) ++end;
    if (starts && end < text.size() && text[end] == '=') {
      ++end;
      while (end < text.size() && (text[end] == ' ' || text[end] == '\n')) {
        ++end;
      }
      return end;
    }
    at = text.find(name, at + 1);
  }
  return std::string_view::npos;
}

}  // namespace

const Attribute* Attribute::Find(std::string_view name) const {
  for (const NamedAttribute& field : fields) {
    if (field.first == name) return &field.second;
  }
  return nullptr;
}

absl::StatusOr<Attribute> AttributeParser::Parse() {
  const Token token = lexer_.token();
  Attribute attribute;
  attribute.text = token.text;
  switch (token.kind) {
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return ParseNumber();
    case TokenKind::kString:
      attribute.kind = Attribute::Kind::kString;
      attribute.text = Unquote(token.text);
      lexer_.Next();
      TW_RETURN_IF_ERROR(ParseTypeBehind(attribute));
      return attribute;
    case TokenKind::kSymbol:
      attribute.kind = Attribute::Kind::kSymbol;
      attribute.text = Unquote(token.text.substr(1));
      lexer_.Next();
      // @module::@function: the last part.
      while (lexer_.token().Is(':') && lexer_.Peek().Is(':')) {
        lexer_.Next();
        lexer_.Next();
        if (lexer_.token().kind != TokenKind::kSymbol) {
          return lexer_.Error("a symbol behind '::'");
        }
        attribute.text = Unquote(lexer_.token().text.substr(1));
        lexer_.Next();
      }
      return attribute;
    case TokenKind::kHashId: {
      attribute.kind = Attribute::Kind::kText;
      TW_ASSIGN_OR_RETURN(attribute.text, lexer_.WithAngles());
      TW_RETURN_IF_ERROR(ParseTypeBehind(attribute));
      return attribute;
    }
    case TokenKind::kBareId:
      return ParseWord();
    case TokenKind::kTypeId: {
      attribute.kind = Attribute::Kind::kText;
      TW_ASSIGN_OR_RETURN(attribute.text, lexer_.WithAngles());
      return attribute;
    }
    default:
      break;
  }
  if (token.Is('[')) return ParseArray();
  if (token.Is('{')) {
    attribute.kind = Attribute::Kind::kDictionary;
    TW_RETURN_IF_ERROR(ParseDictionary(attribute.fields));
    return attribute;
  }
  attribute.kind = Attribute::Kind::kText;
  if (token.Is('(')) {  // a function type
    TW_ASSIGN_OR_RETURN(attribute.type, types_.Parse(lexer_));
    attribute.text = types_[attribute.type].text;
    return attribute;
  }
  if (token.Is('<')) {
    TW_ASSIGN_OR_RETURN(attribute.text, lexer_.Balanced());
    return attribute;
  }
  return lexer_.Error("the value of an attribute");
}

absl::Status AttributeParser::ParseTypeBehind(Attribute& attribute) {
  if (!lexer_.token().Is(':') || (untyped_ && depth_ == 0)) {
    return absl::OkStatus();
  }
  const Token behind = lexer_.Peek();
  const bool type = behind.kind == TokenKind::kBareId || behind.kind == TokenKind::kTypeId;
  if (!type) return absl::OkStatus();
  lexer_.Next();
  TW_ASSIGN_OR_RETURN(attribute.type, types_.Parse(lexer_));
  return absl::OkStatus();
}

absl::StatusOr<Attribute> AttributeParser::ParseNumber() {
  const Token token = lexer_.token();
  Attribute attribute;
  attribute.text = token.text;
  attribute.kind =
      token.kind == TokenKind::kFloat ? Attribute::Kind::kFloat : Attribute::Kind::kInteger;
  lexer_.Next();
  TW_RETURN_IF_ERROR(ParseTypeBehind(attribute));
  const DType dtype = attribute.type == kNoType ? DType::kS64 : types_[attribute.type].shape.dtype;
  attribute.number = NumberValue(token.text, dtype).value_or(0);
  if (attribute.kind == Attribute::Kind::kInteger) {
    const char* end = token.text.data() + token.text.size();
    if (std::from_chars(token.text.data(), end, attribute.integer).ec != std::errc()) {
      // Hexadecimal, or beyond 64 bits: what fits of it.
      constexpr double kLimit = 9e18;
      attribute.integer = attribute.number >= kLimit    ? INT64_MAX
                          : attribute.number <= -kLimit ? INT64_MIN
                                                        : static_cast<int64_t>(attribute.number);
    }
  }
  return attribute;
}

absl::StatusOr<Attribute> AttributeParser::ParseArray() {
  if (depth_ >= kMaxDepth) return lexer_.Error("attributes less deep");
  Attribute attribute;
  attribute.kind = Attribute::Kind::kArray;
  attribute.text = lexer_.token().text;
  lexer_.Next();
  ++depth_;
  while (!lexer_.token().Is(']')) {
    absl::StatusOr<Attribute> item = Parse();
    if (!item.ok()) return item.status();
    attribute.items.push_back(*std::move(item));
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  --depth_;
  if (!lexer_.token().Is(']')) return lexer_.Error("']' or ','");
  lexer_.Next();
  return attribute;
}

absl::StatusOr<Attribute> AttributeParser::ParseWord() {
  const Token token = lexer_.token();
  Attribute attribute;
  attribute.text = token.text;
  if (token.text == "true" || token.text == "false") {
    attribute.kind = Attribute::Kind::kInteger;
    attribute.integer = token.text == "true" ? 1 : 0;
    attribute.number = static_cast<double>(attribute.integer);
    lexer_.Next();
    return attribute;
  }
  if (token.text == "unit") {
    lexer_.Next();
    return attribute;
  }
  if (token.text == "array") return ParseIntegers();
  if (token.text == "dense" || token.text == "dense_resource" || token.text == "sparse" ||
      token.text == "opaque") {
    return ParseDense();
  }
  attribute.kind = Attribute::Kind::kText;
  if (token.text == "loc") {
    lexer_.Next();
    if (lexer_.token().Is('(')) TW_RETURN_IF_ERROR(lexer_.Balanced().status());
    return attribute;
  }
  // A word of a dialect (DEFAULT), affine_map<..>, or a type.
  TW_ASSIGN_OR_RETURN(attribute.text, lexer_.WithAngles());
  return attribute;
}

absl::StatusOr<Attribute> AttributeParser::ParseIntegers() {
  Attribute attribute;
  attribute.kind = Attribute::Kind::kArray;
  const int32_t line = lexer_.token().line;
  TW_ASSIGN_OR_RETURN(const std::string_view text, lexer_.WithAngles());
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return attribute;  // array<i64>
  Lexer items(text.substr(colon + 1, text.size() - colon - 2), line);
  while (items.token().kind != TokenKind::kEnd) {
    Attribute item;
    item.text = items.token().text;
    item.kind = Attribute::Kind::kInteger;
    const std::string_view t = item.text;
    std::from_chars(t.data(), t.data() + t.size(), item.integer);
    if (t == "true") item.integer = 1;
    item.number = NumberValue(t, DType::kF64).value_or(0);
    attribute.items.push_back(std::move(item));
    items.Next();
    if (items.token().Is(',')) items.Next();
  }
  return attribute;
}

absl::StatusOr<Attribute> AttributeParser::ParseDense() {
  Attribute attribute;
  attribute.kind = Attribute::Kind::kDense;
  const bool known = lexer_.token().text == "dense";
  TW_ASSIGN_OR_RETURN(const std::string_view text, lexer_.WithAngles());
  const size_t angle = text.find('<');
  if (known && angle != std::string_view::npos) {
    attribute.text = text.substr(angle + 1, text.size() - angle - 2);
  } else {
    attribute.kind = Attribute::Kind::kText;
    attribute.text = text;
  }
  TW_RETURN_IF_ERROR(ParseTypeBehind(attribute));
  return attribute;
}

absl::Status AttributeParser::ParseDictionary(std::vector<NamedAttribute>& out) {
  if (!lexer_.token().Is('{')) return lexer_.Error("'{'");
  if (depth_ >= kMaxDepth) return lexer_.Error("attributes less deep");
  lexer_.Next();
  ++depth_;
  while (!lexer_.token().Is('}')) {
    const Token name = lexer_.token();
    if (name.kind != TokenKind::kBareId && name.kind != TokenKind::kString &&
        name.kind != TokenKind::kInteger) {
      return lexer_.Error("the name of an attribute or '}'");
    }
    lexer_.Next();
    Attribute value;
    if (lexer_.token().Is('=')) {
      lexer_.Next();
      TW_ASSIGN_OR_RETURN(value, Parse());
    }
    out.emplace_back(Unquote(name.text), std::move(value));
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  --depth_;
  if (!lexer_.token().Is('}')) return lexer_.Error("'}' or ','");
  lexer_.Next();
  return absl::OkStatus();
}

std::optional<std::vector<int64_t>> Integers(const Attribute& attribute, const TypeTable& types) {
  std::vector<int64_t> values;
  switch (attribute.kind) {
    case Attribute::Kind::kInteger:
      values.push_back(attribute.integer);
      return values;
    case Attribute::Kind::kArray:
      values.reserve(attribute.items.size());
      for (const Attribute& item : attribute.items) {
        if (item.kind == Attribute::Kind::kArray) {
          const auto inner = Integers(item, types);
          if (!inner) return std::nullopt;
          values.insert(values.end(), inner->begin(), inner->end());
        } else if (item.kind == Attribute::Kind::kInteger) {
          values.push_back(item.integer);
        } else {
          return std::nullopt;
        }
      }
      return values;
    case Attribute::Kind::kDense: {
      if (attribute.type == kNoType) return std::nullopt;
      const hlo::HloShape& shape = types[attribute.type].shape;
      return DenseIntegers(attribute.text, shape);
    }
    default:
      return std::nullopt;
  }
}

std::vector<int64_t> FieldIntegers(std::string_view text, std::string_view name) {
  std::vector<int64_t> values;
  size_t at = FieldStart(text, name);
  if (at == std::string_view::npos) return values;
  const bool list = at < text.size() && text[at] == '[';
  while (at < text.size()) {
    const char c = text[at];
    if ((c >= '0' && c <= '9') || c == '-') {
      int64_t value = 0;
      const char* end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data() + at, end, value);
      if (error != std::errc()) return values;
      values.push_back(value);
      at = static_cast<size_t>(stop - text.data());
      if (!list) break;
      continue;
    }
    if (c == ']' || !list) break;
    ++at;
  }
  return values;
}

std::string_view FieldWord(std::string_view text, std::string_view name) {
  const size_t at = FieldStart(text, name);
  if (at == std::string_view::npos) return {};
  size_t end = at;
  while (end < text.size() && IsWordChar(text[end])) ++end;
  return text.substr(at, end - at);
}

std::string_view LastWord(std::string_view text) {
  size_t end = text.size();
  while (end > 0 && !IsWordChar(text[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && IsWordChar(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

std::string Unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[i + 1];
    if (i + 2 < text.size() && HexValue(c) >= 0 && HexValue(text[i + 2]) >= 0) {
      out += static_cast<char>(HexValue(c) * 16 + HexValue(text[i + 2]));
      i += 2;
    } else {
      out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
      ++i;
    }
  }
  return out;
}

std::string_view Unquote(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

}  // namespace tilewise::mlir

// See parse.h: sections, modules, aliases, regions and the names of values.

#include "frontend/mlir/parse.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/parser.h"

namespace tilewise::mlir {
namespace {

int64_t ResultNumber(std::string_view digits) {
  int64_t number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

absl::Status Parser::Expect(char c, std::string_view where) {
  if (!lexer_.token().Is(c)) {
    return lexer_.Error(fmt::format("'{}' {}", c, where));
  }
  lexer_.Next();
  return absl::OkStatus();
}

ValueId Parser::NewValue(TypeId type) {
  file_.value_types.push_back(type);
  return static_cast<ValueId>(file_.value_types.size() - 1);
}

Parser::Binding& Parser::BindingOf(std::string_view name) {
  constexpr size_t kMostDigits = 8;
  constexpr size_t kMostNumbered = size_t{1} << 22;
  if (name.size() <= kMostDigits + 1) {
    size_t number = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
    if (error == std::errc() && stop == end && (name[1] != '0' || name.size() == 2) &&
        number < kMostNumbered) {
      if (number >= numbered_.size()) numbered_.resize(number + 1);
      return numbered_[number];
    }
  }
  return bindings_[name];
}

void Parser::Define(std::string_view name, ValueId first, int32_t count) {
  Binding& binding = BindingOf(name);
  undo_.emplace_back(name, binding);
  binding = {first, count};
}

void Parser::LeaveScope(size_t mark) {
  while (undo_.size() > mark) {
    const auto& [name, before] = undo_.back();
    BindingOf(name) = before;
    undo_.pop_back();
  }
}

// %name or %name#2. `required`: an unknown one is an error.
absl::StatusOr<ValueId> Parser::Value(bool required, bool& known) {
  const Token token = lexer_.token();
  if (token.kind != TokenKind::kValueId) return lexer_.Error("a value");
  lexer_.Next();
  int64_t index = 0;
  const Token& behind = lexer_.token();
  if (behind.kind == TokenKind::kHashId &&
      behind.text.data() == token.text.data() + token.text.size()) {
    index = ResultNumber(behind.text.substr(1));
    lexer_.Next();
  }
  const Binding found = BindingOf(token.text);
  known = found.count > 0;
  if (!known) {
    if (!required) return ValueId{0};
    return InvalidInput(fmt::format("line {}: the value {} is used but not defined before",
                                    token.line, token.text.substr(0, 80)));
  }
  if (index < 0 || index >= found.count) {
    return InvalidInput(fmt::format("line {}: result #{} of {} is used, it has {}", token.line,
                                    index, token.text.substr(0, 80), found.count));
  }
  return found.first + static_cast<ValueId>(index);
}

absl::Status Parser::ParseSection() {
  while (lexer_.token().kind != TokenKind::kEnd) {
    TW_RETURN_IF_ERROR(ParseTopOperation());
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseTopOperation() {
  const Token& token = lexer_.token();
  if (token.kind == TokenKind::kHashId || token.kind == TokenKind::kTypeId) {
    return ParseAlias();
  }
  if (token.Is('{')) return SkipFileMetadata();
  if (token.IsWord("module") || token.IsWord("builtin.module")) {
    return ParseModule();
  }
  TW_RETURN_IF_ERROR(ParseOperation(section_.operations));
  Operation& op = section_.operations.back();
  if (op.name != "builtin.module") return absl::OkStatus();
  // The module is in generic form: what is in it stands for it.
  Operation module = std::move(op);
  section_.operations.pop_back();
  section_.attributes.insert(section_.attributes.end(), module.attributes.begin(),
                             module.attributes.end());
  if (const Attribute* name = module.Find("sym_name")) {
    section_.name = name->text;
  }
  for (Region& region : module.regions) {
    for (Block& block : region.blocks) {
      for (Operation& inner : block.operations) {
        section_.operations.push_back(std::move(inner));
      }
    }
  }
  return absl::OkStatus();
}

// #name = attribute, !name = type.
absl::Status Parser::ParseAlias() {
  const Token name = lexer_.token();
  lexer_.Next();
  TW_RETURN_IF_ERROR(Expect('=', "behind the name of an alias"));
  if (name.kind == TokenKind::kTypeId) {
    TW_ASSIGN_OR_RETURN(const TypeId type, file_.types.Parse(lexer_));
    file_.types.DefineAlias(name.text, type);
    return absl::OkStatus();
  }
  if (lexer_.token().IsWord("loc")) {
    std::string_view location;
    TW_RETURN_IF_ERROR(ParseLocation(location));
    section_.aliases[name.text] = location;
    return absl::OkStatus();
  }
  const char* begin = lexer_.position();
  AttributeParser attributes(lexer_, file_.types);
  TW_RETURN_IF_ERROR(attributes.Parse().status());
  section_.aliases[name.text] = std::string_view(begin, lexer_.position() - begin);
  return absl::OkStatus();
}

// {-# dialect_resources: { ... } #-}: the bytes of constants.
absl::Status Parser::SkipFileMetadata() {
  const char* begin = lexer_.position();
  const std::string_view rest(begin, lexer_.end() - begin);
  if (!rest.starts_with("{-#")) return lexer_.Error("an operation");
  const size_t end = rest.find("#-}");
  if (end == std::string_view::npos) {
    return lexer_.Error("'#-}' behind the resources");
  }
  lexer_.SkipTo(begin + end + 3);
  return absl::OkStatus();
}

absl::Status Parser::ParseModule() {
  if (++depth_ > kMaxDepth) return lexer_.Error("modules that are less deep");
  lexer_.Next();
  if (lexer_.token().kind == TokenKind::kSymbol) {
    if (section_.name.empty()) {
      section_.name = Unquote(lexer_.token().text.substr(1));
    }
    lexer_.Next();
    // @reactant_f...: dots that belong to the name.
    while (lexer_.token().Is('.')) lexer_.Next();
  }
  if (lexer_.token().IsWord("attributes")) {
    lexer_.Next();
    AttributeParser attributes(lexer_, file_.types);
    TW_RETURN_IF_ERROR(attributes.ParseDictionary(section_.attributes));
  }
  TW_RETURN_IF_ERROR(Expect('{', "before the operations of a module"));
  while (!lexer_.token().Is('}')) {
    if (lexer_.token().kind == TokenKind::kEnd) {
      return lexer_.Error("'}' behind the operations of the module");
    }
    TW_RETURN_IF_ERROR(ParseTopOperation());
  }
  lexer_.Next();
  --depth_;
  std::string_view location;
  return ParseLocation(location);
}

absl::Status Parser::ParseArguments(Block& block, std::vector<Attribute>* attributes) {
  TW_RETURN_IF_ERROR(Expect('(', "before the arguments"));
  while (!lexer_.token().Is(')')) {
    const Token name = lexer_.token();
    if (name.kind == TokenKind::kValueId) {
      lexer_.Next();
      TW_RETURN_IF_ERROR(Expect(':', "behind the name of an argument"));
    }
    TW_ASSIGN_OR_RETURN(const TypeId type, file_.types.Parse(lexer_));
    const ValueId value = NewValue(type);
    if (name.kind == TokenKind::kValueId) Define(name.text, value, 1);
    block.arguments.push_back(value);
    Attribute dictionary;
    dictionary.kind = Attribute::Kind::kDictionary;
    if (lexer_.token().Is('{')) {
      AttributeParser parser(lexer_, file_.types);
      TW_RETURN_IF_ERROR(parser.ParseDictionary(dictionary.fields));
    }
    std::string_view location;
    TW_RETURN_IF_ERROR(ParseLocation(location));
    if (!location.empty()) {
      Attribute place;
      place.kind = Attribute::Kind::kText;
      place.text = location;
      dictionary.fields.emplace_back("loc", std::move(place));
    }
    if (attributes != nullptr) attributes->push_back(std::move(dictionary));
    if (!lexer_.token().Is(',')) break;
    lexer_.Next();
  }
  return Expect(')', "behind the arguments");
}

absl::Status Parser::ParseBlockHeader(Block& block) {
  block.label = lexer_.token().text;
  lexer_.Next();
  if (lexer_.token().Is('(')) {
    TW_RETURN_IF_ERROR(ParseArguments(block, nullptr));
  }
  return Expect(':', "behind the label of a block");
}

// `entered`: the first block is there, with arguments from what is before the
// region.
absl::Status Parser::ParseRegion(Region& region, bool entered) {
  if (++depth_ > kMaxDepth) return lexer_.Error("regions that are less deep");
  TW_RETURN_IF_ERROR(Expect('{', "before a region"));
  if (!entered) {
    region.first_value = static_cast<ValueId>(file_.value_types.size());
    region.blocks.emplace_back();
  }
  const size_t scope = EnterScope();
  bool fresh = true;
  while (!lexer_.token().Is('}')) {
    if (lexer_.token().kind == TokenKind::kBlockId) {
      if (!fresh || entered || !region.blocks.back().label.empty()) {
        region.blocks.emplace_back();
      }
      TW_RETURN_IF_ERROR(ParseBlockHeader(region.blocks.back()));
      fresh = false;
      continue;
    }
    if (lexer_.token().kind == TokenKind::kEnd) {
      return lexer_.Error("'}' behind a region");
    }
    fresh = false;
    TW_RETURN_IF_ERROR(ParseOperation(region.blocks.back().operations));
  }
  lexer_.Next();
  LeaveScope(scope);
  --depth_;
  return absl::OkStatus();
}

absl::StatusOr<File> ParseFile(std::string_view text) {
  File file;
  int32_t line = 1;
  size_t begin = 0;
  while (begin <= text.size()) {
    // A line of "// -----" is between parts that know nothing of each other.
    size_t end = text.find("\n// -----", begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view part = text.substr(begin, end - begin);
    file.sections.emplace_back();
    Parser parser(part, line, file, file.sections.back());
    TW_RETURN_IF_ERROR(parser.ParseSection());
    for (char c : part) line += c == '\n' ? 1 : 0;
    if (end == text.size()) break;
    ++line;
    begin = end + 1;
  }
  return file;
}

}  // namespace tilewise::mlir

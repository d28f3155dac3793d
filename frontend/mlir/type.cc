// See type.h. Quantised element types stand for their storage type, index for
// s64, i1 for pred; the float8 types that the graph has not, for the one of it
// that is most like them.

#include "frontend/mlir/type.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tilewise::mlir {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t' ||
                           text.front() == '\r')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t' ||
                           text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

struct ElementName {
  std::string_view name;
  DType dtype;
};

constexpr ElementName kElements[] = {
    {"f32", DType::kF32},
    {"f64", DType::kF64},
    {"f16", DType::kF16},
    {"bf16", DType::kBF16},
    {"tf32", DType::kF32},
    {"i1", DType::kPred},
    {"i2", DType::kS4},
    {"i4", DType::kS4},
    {"i8", DType::kS8},
    {"i16", DType::kS16},
    {"i32", DType::kS32},
    {"i64", DType::kS64},
    {"si2", DType::kS4},
    {"si4", DType::kS4},
    {"si8", DType::kS8},
    {"si16", DType::kS16},
    {"si32", DType::kS32},
    {"si64", DType::kS64},
    {"ui2", DType::kU4},
    {"ui4", DType::kU4},
    {"ui8", DType::kU8},
    {"ui16", DType::kU16},
    {"ui32", DType::kU32},
    {"ui64", DType::kU64},
    {"index", DType::kS64},
    {"f8E4M3FN", DType::kF8E4M3},
    {"f8E4M3", DType::kF8E4M3},
    {"f8E4M3FNUZ", DType::kF8E4M3},
    {"f8E4M3B11FNUZ", DType::kF8E4M3},
    {"f8E3M4", DType::kF8E4M3},
    {"f8E5M2", DType::kF8E5M2},
    {"f8E5M2FNUZ", DType::kF8E5M2},
    {"f8E8M0FNU", DType::kF8E5M2},
    {"f4E2M1FN", DType::kF4E2M1},
};

std::optional<DType> ScalarType(std::string_view name) {
  for (const ElementName& element : kElements) {
    if (element.name == name) return element.dtype;
  }
  return std::nullopt;
}

// f6E3M2FN, f128: MLIR has more than there are in XLA.
bool IsFloatName(std::string_view name) {
  return name.size() > 1 && name[0] == 'f' && name[1] >= '0' && name[1] <= '9';
}

std::string FloatNames() {
  std::string names;
  for (const ElementName& element : kElements) {
    if (!IsFloat(element.dtype) || element.name == "tf32") continue;
    names += (names.empty() ? "" : ", ") + std::string(element.name);
  }
  return names;
}

// "quant.uniform<i8:f32, 2.0:15>" -> "i8"; also "i8<-127:127>:f32:0, {..}".
std::string_view StorageType(std::string_view body) {
  size_t end = 0;
  while (end < body.size() && body[end] != ':' && body[end] != '<') ++end;
  return Trim(body.substr(0, end));
}

// The end of the first element of a list: a comma outside of brackets.
size_t ElementEnd(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    if ((c == '>' && i > 0 && text[i - 1] != '-') || c == ')' || c == ']' || c == '}') {
      --depth;
    }
    if (c == ',' && depth == 0) return i;
  }
  return text.size();
}

}  // namespace

TypeId TypeTable::Add(Type type) {
  const TypeId id = static_cast<TypeId>(types_.size());
  by_text_.emplace(type.text, id);
  types_.push_back(std::move(type));
  return id;
}

absl::StatusOr<TypeId> TypeTable::Parse(Lexer& lexer) {
  const Token token = lexer.token();
  if (token.Is('(')) return ParseFunction(lexer);
  if (token.kind != TokenKind::kBareId && token.kind != TokenKind::kTypeId) {
    return lexer.Error("a type");
  }
  TW_ASSIGN_OR_RETURN(const std::string_view text, lexer.WithAngles());
  return FromText(text, token.line);
}

absl::StatusOr<TypeId> TypeTable::FromText(std::string_view text, int32_t line) {
  const auto known = by_text_.find(text);
  if (known != by_text_.end()) return known->second;
  const size_t angle = text.find('<');
  if (angle == std::string_view::npos) {
    return FromBody(text, {}, text, line);
  }
  if (text.back() != '>') {
    return InvalidInput(
        fmt::format("line {}: found the type '{}', expected "
                    "one that ends in '>'",
                    line, text.substr(0, 80)));
  }
  return FromBody(text.substr(0, angle), text.substr(angle + 1, text.size() - angle - 2), text,
                  line);
}

absl::StatusOr<TypeId> TypeTable::FromBody(std::string_view name, std::string_view body,
                                           std::string_view text, int32_t line) {
  if (depth_ >= kMaxDepth) {
    return InvalidInput(fmt::format("line {}: types are more than {} deep", line, kMaxDepth));
  }
  Type type;
  type.text = text;
  if (name == "tensor" || name == "vector") {
    type.kind = Type::Kind::kTensor;
    TW_RETURN_IF_ERROR(ReadTensor(body, line, type));
    if (type.shape.kind == hlo::HloShape::Kind::kOpaque) {
      type.kind = Type::Kind::kOther;
    }
  } else if (name == "tuple") {
    type.kind = Type::Kind::kTuple;
    type.shape.kind = hlo::HloShape::Kind::kTuple;
    TW_RETURN_IF_ERROR(ReadTuple(body, line, type));
  } else if (name == "!stablehlo.token" || name == "!mhlo.token" || name == "!hlo.token") {
    type.kind = Type::Kind::kToken;
    type.shape.kind = hlo::HloShape::Kind::kToken;
  } else if (name.front() == '!') {
    const auto alias = aliases_.find(name);
    if (alias != aliases_.end()) return alias->second;
    type.shape.kind = hlo::HloShape::Kind::kOpaque;
    if (name == "!mhlo.async_bundle") {
      type.kind = Type::Kind::kTuple;
      type.shape.kind = hlo::HloShape::Kind::kTuple;
      TW_RETURN_IF_ERROR(ReadTuple(body, line, type));
    }
  } else if (name == "complex" || ScalarType(name)) {
    type.kind = Type::Kind::kTensor;
    TW_RETURN_IF_ERROR(ReadElement(text, line, type.shape));
  } else {
    type.shape.kind = hlo::HloShape::Kind::kOpaque;  // memref, none
  }
  return Add(std::move(type));
}

absl::Status TypeTable::ReadTensor(std::string_view body, int32_t line, Type& type) {
  std::string_view rest = Trim(body.substr(0, ElementEnd(body)));
  const std::string_view encoding =
      ElementEnd(body) < body.size() ? body.substr(ElementEnd(body) + 1) : "";
  while (!rest.empty() && (rest.front() == '?' || rest.front() == '*' ||
                           (rest.front() >= '0' && rest.front() <= '9'))) {
    int64_t dim = kUnknownDim;
    size_t used = 1;
    if (rest.front() == '*') {
      return InvalidInput(
          fmt::format("line {}: found a tensor of unknown rank, expected a known rank", line));
    }
    if (rest.front() != '?') {
      const char* end = rest.data() + rest.size();
      const auto [stop, error] = std::from_chars(rest.data(), end, dim);
      if (error != std::errc() || dim > (int64_t{1} << 48)) {
        return InvalidInput(
            fmt::format("line {}: found a dim of '{}', "
                        "expected one that fits 48 bits",
                        line, rest.substr(0, 40)));
      }
      used = static_cast<size_t>(stop - rest.data());
    }
    rest = Trim(rest.substr(used));
    if (rest.empty() || rest.front() != 'x') {
      return InvalidInput(
          fmt::format("line {}: found the type 'tensor<{}>', expected 'x' behind each dim", line,
                      body.substr(0, 80)));
    }
    rest = Trim(rest.substr(1));
    type.shape.dims.push_back(dim);
  }
  // #stablehlo.bounds<?, 4>: the largest that a '?' may be.
  if (encoding.find(".bounds<") != std::string_view::npos ||
      encoding.find("type_extensions<bounds") != std::string_view::npos) {
    std::string_view bounds = encoding.substr(encoding.rfind('<') + 1);
    const size_t bracket = bounds.find('[');
    if (bracket != std::string_view::npos) bounds.remove_prefix(bracket + 1);
    for (size_t i = 0; i < type.shape.dims.size(); ++i) {
      const size_t end = ElementEnd(bounds);
      const std::string_view item = Trim(bounds.substr(0, end));
      int64_t bound = 0;
      std::from_chars(item.data(), item.data() + item.size(), bound);
      if (bound > 0 && type.shape.dims[i] == kUnknownDim) {
        type.shape.dims[i] = bound;
        type.shape.dynamic.Add(i);
      }
      bounds = end < bounds.size() ? bounds.substr(end + 1) : "";
    }
  }
  return ReadElement(rest, line, type.shape);
}

absl::Status TypeTable::ReadElement(std::string_view text, int32_t line, hlo::HloShape& shape) {
  text = Trim(text);
  const size_t angle = text.find('<');
  const std::string_view name = text.substr(0, angle);
  const std::string_view body = angle == std::string_view::npos || text.back() != '>'
                                    ? std::string_view()
                                    : text.substr(angle + 1, text.size() - angle - 2);
  if (name == "complex") {
    shape.dtype = Trim(body) == "f64" ? DType::kC128 : DType::kC64;
    return absl::OkStatus();
  }
  if (name.starts_with("!quant.")) {
    return ReadElement(StorageType(body), line, shape);
  }
  // u8, s32: of quantised storage.
  if (name.size() > 1 && name[0] == 'u' && name[1] >= '0' && name[1] <= '9') {
    shape.dtype = name == "u8" ? DType::kU8 : DType::kU16;
    return absl::OkStatus();
  }
  if (const auto alias = aliases_.find(name); alias != aliases_.end()) {
    shape.dtype = (*this)[alias->second].shape.dtype;
    return absl::OkStatus();
  }
  const std::optional<DType> dtype = ScalarType(name);
  if (!dtype && IsFloatName(name)) {
    return InvalidInput(fmt::format("line {}: found element type {}, expected one that XLA has: {}",
                                    line, name.substr(0, 40), FloatNames()));
  }
  if (!dtype) {  // strings, resources: no value of a graph
    shape.kind = hlo::HloShape::Kind::kOpaque;
    return absl::OkStatus();
  }
  shape.dtype = *dtype;
  return absl::OkStatus();
}

absl::Status TypeTable::ReadTuple(std::string_view body, int32_t line, Type& type) {
  body = Trim(body);
  ++depth_;
  while (!body.empty()) {
    const size_t end = ElementEnd(body);
    const absl::StatusOr<TypeId> element = FromText(Trim(body.substr(0, end)), line);
    if (!element.ok()) {
      --depth_;
      return element.status();
    }
    type.shape.elements.push_back((*this)[*element].shape);
    body = end < body.size() ? Trim(body.substr(end + 1)) : "";
  }
  --depth_;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TypeId>> TypeTable::ParseResults(Lexer& lexer) {
  std::vector<TypeId> types;
  if (!lexer.token().Is('(')) {
    TW_ASSIGN_OR_RETURN(const TypeId type, Parse(lexer));
    types.push_back(type);
    return types;
  }
  lexer.Next();
  while (!lexer.token().Is(')')) {
    TW_ASSIGN_OR_RETURN(const TypeId type, Parse(lexer));
    types.push_back(type);
    if (lexer.token().Is('{')) {  // attributes of a result
      TW_RETURN_IF_ERROR(lexer.Balanced().status());
    }
    if (!lexer.token().Is(',')) break;
    lexer.Next();
  }
  if (!lexer.token().Is(')')) return lexer.Error("')' behind the types");
  lexer.Next();
  return types;
}

absl::StatusOr<TypeId> TypeTable::ParseFunction(Lexer& lexer) {
  if (depth_ >= kMaxDepth) return lexer.Error("types that are less deep");
  ++depth_;
  const char* begin = lexer.position();
  absl::StatusOr<std::vector<TypeId>> inputs = ParseResults(lexer);
  absl::StatusOr<std::vector<TypeId>> results = std::vector<TypeId>();
  if (inputs.ok()) {
    if (lexer.token().kind != TokenKind::kArrow) {
      inputs = lexer.Error("'->'");
    } else {
      lexer.Next();
      results = ParseResults(lexer);
    }
  }
  --depth_;
  if (!inputs.ok()) return inputs.status();
  if (!results.ok()) return results.status();
  Type type;
  type.kind = Type::Kind::kFunction;
  type.inputs = *std::move(inputs);
  type.results = *std::move(results);
  type.text = std::string_view(begin, lexer.position() - begin);
  const auto known = by_text_.find(type.text);
  if (known != by_text_.end()) return known->second;
  return Add(std::move(type));
}

}  // namespace tilewise::mlir

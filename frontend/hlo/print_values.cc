// Writes names, shapes and literals.

#include "frontend/hlo/print_values.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "frontend/hlo/shapes.h"
#include "frontend/hlo/text_cursor.h"

namespace tilewise::hlo {
namespace {

// The type's name, with the bits of its layout where it has others.
std::string_view TypeName(DType dtype) {
  if (dtype == DType::kF8E4M3) return "f8e4m3fn";
  if (dtype == DType::kF4E2M1) return "f4e2m1fn";
  return DTypeName(dtype);
}

void AppendTile(std::span<const int64_t> tile, std::string& text) {
  text += '(';
  for (size_t i = 0; i < tile.size(); ++i) {
    if (i > 0) text += ',';
    text += tile[i] < 0 ? "*" : std::to_string(tile[i]);
  }
  text += ')';
}

void AppendLayout(const HloLayout& layout, std::string& text) {
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{{{}", fmt::join(layout.minor_to_major, ","));
  std::string suffix;
  if (!layout.tiles.empty()) suffix += 'T';
  for (const std::vector<int64_t>& tile : layout.tiles) {
    AppendTile(tile, suffix);
  }
  if (layout.element_bits != 0) {
    suffix += fmt::format("E({})", layout.element_bits);
  }
  if (layout.memory_space != 0) {
    suffix += fmt::format("S({})", layout.memory_space);
  }
  if (!suffix.empty()) text += ':' + suffix;
  text += '}';
}

void AppendNumber(double value, DType dtype, std::string& text) {
  if (dtype == DType::kPred && (value == 0 || value == 1)) {
    text += value == 1 ? "true" : "false";
  } else if (IsComplex(dtype)) {
    fmt::format_to(std::back_inserter(text), "({}, 0)", value);
  } else {
    fmt::format_to(std::back_inserter(text), "{}", value);
  }
}

}  // namespace

void AppendName(std::string_view name, std::string& text) {
  text += '%';
  const bool plain = std::all_of(name.begin(), name.end(), IsHloNameChar);
  if (plain && !name.empty()) {
    text += name;
  } else {
    AppendQuoted(name, text);
  }
}

void AppendQuoted(std::string_view value, std::string& text) {
  text += '"';
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  text += '"';
}

void AppendPlain(std::string_view word, std::string& text) {
  const bool starts =
      !word.empty() && word[0] != '-' && word[0] != '.' && (word[0] < '0' || word[0] > '9');
  if (!starts) text += '_';
  for (const char c : word) text += IsHloNameChar(c) ? c : '_';
}

void AppendIntegers(std::span<const int64_t> values, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{{{}}}", fmt::join(values, ","));
}

void AppendShape(const HloShape& shape, std::string& text) {
  switch (shape.kind) {
    case HloShape::Kind::kToken:
      text += "token[]";
      return;
    case HloShape::Kind::kOpaque:
      text += "opaque[]";
      return;
    case HloShape::Kind::kTuple:
      text += '(';
      for (size_t i = 0; i < shape.elements.size(); ++i) {
        if (i > 0) text += ", ";
        AppendShape(shape.elements[i], text);
      }
      text += ')';
      return;
    case HloShape::Kind::kArray:
      break;
  }
  text += TypeName(shape.dtype);
  text += '[';
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    if (i > 0) text += ',';
    if (shape.dims[i] < 0) {
      text += '?';
      continue;
    }
    if (shape.dynamic[i]) text += "<=";
    text += std::to_string(shape.dims[i]);
  }
  text += ']';
  if (shape.layout) AppendLayout(*shape.layout, text);
}

void AppendLiteral(const Literal& literal, const HloShape& shape, std::string& text) {
  const bool kept = !literal.values.empty();
  if (!kept && !(literal.splat && ElementsOf(shape) == 1)) {
    text += ElementsOf(shape) == 0 ? "{}" : "{...}";
    return;
  }
  const size_t rank = shape.dims.size();
  const size_t count = kept ? literal.values.size() : 1;
  std::vector<size_t> place(rank);
  for (size_t i = 0; i < count; ++i) {
    // Braces open at the first place of each dim and close at its last.
    size_t opened = rank;
    while (opened > 0 && place[opened - 1] == 0) --opened;
    if (i > 0) text += ", ";
    text.append(rank - opened, '{');
    AppendNumber(kept ? literal.values[i] : *literal.splat, shape.dtype, text);
    for (size_t dim = rank; dim-- > 0;) {
      if (static_cast<int64_t>(++place[dim]) < shape.dims[dim]) break;
      place[dim] = 0;
      text += '}';
    }
  }
}

void AppendFrontendAttributes(
    std::span<const std::pair<std::string_view, std::string_view>> attributes, std::string& text) {
  text += ", frontend_attributes={";
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (i > 0) text += ',';
    const std::string_view key = attributes[i].first;
    const bool plain = std::all_of(key.begin(), key.end(), IsHloNameChar);
    if (plain && !key.empty() && (key[0] < '0' || key[0] > '9')) {
      text += key;
    } else {
      AppendQuoted(key, text);
    }
    text += '=';
    AppendQuoted(attributes[i].second, text);
  }
  text += '}';
}

}  // namespace tilewise::hlo

// Reads shapes with their layouts. Suffixes of layouts that say nothing about
// place or size (index types, sparse levels, split dims) are skipped.

#include "frontend/hlo/text_shape.h"

#include <fmt/format.h>

#include "frontend/hlo/shapes.h"
#include "frontend/hlo/word_table.h"

namespace tilewise::hlo {
namespace {

struct TypeWord {
  std::string_view name;
  DType dtype;
};

constexpr auto kTypes = std::to_array<TypeWord>({
    {"pred", DType::kPred},
    {"s8", DType::kS8},
    {"u8", DType::kU8},
    {"s16", DType::kS16},
    {"u16", DType::kU16},
    {"f16", DType::kF16},
    {"bf16", DType::kBF16},
    {"s32", DType::kS32},
    {"u32", DType::kU32},
    {"f32", DType::kF32},
    {"s64", DType::kS64},
    {"u64", DType::kU64},
    {"f64", DType::kF64},
    {"c64", DType::kC64},
    {"c128", DType::kC128},
    {"s4", DType::kS4},
    {"u4", DType::kU4},
    {"s2", DType::kS4},
    {"u2", DType::kU4},
    {"s1", DType::kS4},
    {"u1", DType::kU4},
    {"f8e4m3fn", DType::kF8E4M3},
    {"f8e5m2", DType::kF8E5M2},
    {"f8e4m3", DType::kF8E4M3},
    {"f8e3m4", DType::kF8E4M3},
    {"f8e4m3b11fnuz", DType::kF8E4M3},
    {"f8e4m3fnuz", DType::kF8E4M3},
    {"f8e5m2fnuz", DType::kF8E5M2},
    {"f8e8m0fnu", DType::kF8E5M2},
    {"f4e2m1fn", DType::kF4E2M1},
});

constexpr auto kTypeWords = [] {
  std::array<std::string_view, kTypes.size()> words;
  for (size_t i = 0; i < words.size(); ++i) words[i] = kTypes[i].name;
  return words;
}();
constexpr WordTable<kTypes.size()> kTypeTable(kTypeWords);

// The word that a shape starts with, without taking it.
std::string_view WordHere(TextCursor& cursor) {
  cursor.SkipSpace();
  size_t size = 0;
  while (IsHloNameChar(cursor.PeekAfter(size))) ++size;
  return {cursor.at(), size};
}

// Returns whether the '{' here opens a layout rather than a computation.
bool LayoutIsNext(TextCursor& cursor) {
  if (cursor.Peek() != '{') return false;
  const char next = cursor.PeekAfter(1);
  return next == '}' || next == ':' || (next >= '0' && next <= '9');
}

// "(8,128)" into `tile`; "*" is -1.
bool ReadTile(TextCursor& cursor, std::vector<int64_t>& tile) {
  if (!cursor.Expect('(')) return false;
  while (cursor.PeekSign() != ')') {
    if (!tile.empty() && !cursor.Expect(',')) return false;
    if (cursor.Take('*')) {
      tile.push_back(-1);
      continue;
    }
    if (!cursor.Integer(tile.emplace_back())) return false;
  }
  return cursor.Expect(')');
}

bool ReadNumber(TextCursor& cursor, int64_t& number) {
  return cursor.Expect('(') && cursor.Integer(number) && cursor.Expect(')');
}

// What follows the colon of a layout.
bool ReadSuffixes(TextCursor& cursor, HloLayout& layout) {
  while (cursor.PeekSign() != '}') {
    if (!cursor.ok()) return false;
    if (cursor.Take('T')) {
      while (cursor.PeekSign() == '(') {
        if (!ReadTile(cursor, layout.tiles.emplace_back())) return false;
      }
    } else if (cursor.Peek() == 'S' && cursor.PeekAfter(1) == '(') {
      cursor.Take('S');
      if (!ReadNumber(cursor, layout.memory_space)) return false;
    } else if (cursor.Take('E')) {
      if (!ReadNumber(cursor, layout.element_bits)) return false;
    } else if (cursor.Peek() == '(') {
      if (!cursor.SkipBalanced()) return false;
    } else if (cursor.Peek() == '\0') {
      return cursor.FailExpected("'}' after a layout");
    } else {
      cursor.Return(cursor.at() + 1);
    }
  }
  return cursor.Expect('}');
}

}  // namespace

std::optional<DType> ParseElementType(std::string_view name) {
  const size_t place = kTypeTable.Find(name);
  if (place == kTypes.size()) return std::nullopt;
  return kTypes[place].dtype;
}

bool ShapeReader::IsNext(TextCursor& cursor) {
  const std::string_view word = WordHere(cursor);
  if (word.empty()) return cursor.Peek() == '(';
  const char after = cursor.PeekAfter(word.size());
  return after == '[' || (after == '(' && word == "b");
}

bool ShapeReader::Skip(TextCursor& cursor) {
  const std::string_view word = WordHere(cursor);
  cursor.Return(cursor.at() + word.size());
  const char open = cursor.Peek();
  if (open != '(' && open != '[') return cursor.FailExpected("a shape");
  if (!cursor.SkipBalanced()) return false;
  if (open == '[' && LayoutIsNext(cursor)) return cursor.SkipBalanced();
  return cursor.ok();
}

bool ShapeReader::ReadNested(TextCursor& cursor, HloShape& shape, int depth) {
  if (depth > kMaxTupleDepth) {
    return cursor.Fail(
        fmt::format("found a tuple {} deep, expected at most {}", depth, kMaxTupleDepth));
  }
  const std::string_view word = WordHere(cursor);
  if (word.empty()) return ReadTuple(cursor, shape, depth);
  const char* start = cursor.at();
  cursor.Return(start + word.size());
  if (word == "b" && cursor.Peek() == '(') {  // a buffer of that shape
    return cursor.Expect('(') && ReadNested(cursor, shape, depth + 1) && cursor.Expect(')');
  }
  if (word == "token" || word == "opaque") {
    shape.kind = word == "token" ? HloShape::Kind::kToken : HloShape::Kind::kOpaque;
    if (!cursor.Expect('[') || !cursor.Expect(']')) return false;
    return !LayoutIsNext(cursor) || cursor.SkipBalanced();
  }
  const std::optional<DType> dtype = ParseElementType(word);
  if (!dtype && cursor.Peek() == '[') {
    cursor.Return(start);
    return cursor.Fail(fmt::format("found element type {}, expected one of {}", word.substr(0, 40),
                                   fmt::join(kTypeWords, ", ")));
  }
  if (!dtype || cursor.Peek() != '[') {
    cursor.Return(start);
    return cursor.FailExpected("a shape such as f32[8,128]");
  }
  shape.dtype = *dtype;
  if (!ReadDims(cursor, shape)) return false;
  if (IsTooLarge(shape)) {
    return cursor.FailAt(start, "found a shape of more than 2^59 elements");
  }
  return !LayoutIsNext(cursor) || ReadLayout(cursor, shape.layout);
}

bool ShapeReader::ReadTuple(TextCursor& cursor, HloShape& shape, int depth) {
  shape.kind = HloShape::Kind::kTuple;
  if (cursor.Peek() != '(') {
    return cursor.FailExpected("a shape such as f32[8,128]");
  }
  cursor.Take('(');
  while (cursor.PeekSign() != ')') {
    if (!shape.elements.empty() && !cursor.Expect(',')) return false;
    HloShape& element = shape.elements.emplace_back();
    if (!ReadNested(cursor, element, depth + 1)) return false;
  }
  cursor.Take(')');
  // Some printers give tuples a layout too, which says nothing.
  return !LayoutIsNext(cursor) || cursor.SkipBalanced();
}

bool ShapeReader::ReadDims(TextCursor& cursor, HloShape& shape) {
  cursor.Take('[');
  std::array<int64_t, 8> few = {};
  size_t count = 0;
  while (cursor.PeekSign() != ']') {
    if (count > 0 && !cursor.Expect(',')) return false;
    if (cursor.PeekSign() == '<') {
      cursor.Take('<');
      if (!cursor.Expect('=')) return false;
      shape.dynamic.Add(count);
    }
    int64_t dim = -1;
    if (cursor.Take('?')) {
      shape.dynamic.Add(count);
    } else {
      if (!cursor.Integer(dim)) return false;
      if (dim < 0) {
        return cursor.Fail(fmt::format("found dim {}, expected none below 0", dim));
      }
    }
    if (count < few.size()) {
      few[count] = dim;
    } else {
      if (count == few.size()) shape.dims.assign(few.begin(), few.end());
      shape.dims.push_back(dim);
    }
    ++count;
  }
  if (count <= few.size()) shape.dims.assign(few.begin(), few.begin() + count);
  return cursor.Expect(']');
}

bool ShapeReader::ReadLayout(TextCursor& cursor, SharedLayout& layout) {
  const char* start = cursor.at();
  size_t size = 1;
  size_t mixed = 0;
  for (char c = 0; (c = cursor.PeekAfter(size)) != '}' && c != '\0'; ++size) {
    mixed = mixed * 31 + static_cast<unsigned char>(c);
  }
  const std::string_view text(start, size);
  Known& known = known_[(mixed ^ (mixed >> 8)) % known_.size()];
  if (known.text == text) {
    cursor.Return(start + size);
    if (!IsPlain(*known.layout)) layout = SharedLayout(known.layout);
    return cursor.Expect('}');
  }
  auto made = std::make_shared<HloLayout>();
  cursor.Take('{');
  while (cursor.PeekSign() != '}' && cursor.Peek() != ':') {
    if (!made->minor_to_major.empty() && !cursor.Expect(',')) return false;
    if (!cursor.Integer(made->minor_to_major.emplace_back())) return false;
  }
  cursor.Take(':');
  if (!ReadSuffixes(cursor, *made)) return false;
  // Braces inside a layout make the text above too short to tell it by.
  if (cursor.at() == start + size + 1) known = {text, made};
  if (IsPlain(*made)) return true;
  layout = SharedLayout(std::move(made));
  return true;
}

}  // namespace tilewise::hlo

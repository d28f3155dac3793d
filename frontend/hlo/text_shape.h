// Shapes of HLO text: f32[8,<=128]{1,0:T(8,128)(2,1)S(1)}, tuples, token[].

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "frontend/hlo/module.h"
#include "frontend/hlo/text_cursor.h"

namespace tilewise::hlo {

// Shapes more than this deep in tuples are refused.
inline constexpr int kMaxTupleDepth = 64;

// Reads shapes; layouts that are written alike are made once.
class ShapeReader {
 public:
  bool Read(TextCursor& cursor, HloShape& shape) { return ReadNested(cursor, shape, 0); }
  // Moves past a shape. The cursor is at a name of an element type or an open
  // bracket.
  static bool Skip(TextCursor& cursor);
  // Whether a shape stands here, rather than a name.
  static bool IsNext(TextCursor& cursor);

 private:
  bool ReadNested(TextCursor& cursor, HloShape& shape, int depth);
  bool ReadTuple(TextCursor& cursor, HloShape& shape, int depth);
  bool ReadDims(TextCursor& cursor, HloShape& shape);
  bool ReadLayout(TextCursor& cursor, SharedLayout& layout);

  struct Known {
    std::string_view text;
    std::shared_ptr<const HloLayout> layout;
  };
  std::array<Known, 256> known_;
};

// Type by XLA's name, or how a narrower one that tilewise has not is kept.
std::optional<DType> ParseElementType(std::string_view name);

}  // namespace tilewise::hlo

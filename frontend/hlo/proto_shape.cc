// Reads shapes with their layouts from the wire form.

#include "frontend/hlo/proto_shape.h"

#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/proto_fields.h"
#include "frontend/hlo/shapes.h"
#include "frontend/hlo/text_shape.h"

namespace tilewise::hlo {
namespace {

// The text's name of an element type is its enumerator in small letters.
std::optional<DType> ElementType(int32_t type) {
  if (!wire::PrimitiveType_IsValid(type)) return std::nullopt;
  std::string name = wire::PrimitiveType_Name(static_cast<wire::PrimitiveType>(type));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ParseElementType(name);
}

// Returns the type of a number; `known` says whether there is one.
DType KnownType(int32_t type, bool& known) {
  switch (type) {
    case wire::F32:
      return DType::kF32;
    case wire::BF16:
      return DType::kBF16;
    case wire::S32:
      return DType::kS32;
    case wire::PRED:
      return DType::kPred;
    default:
      break;
  }
  const std::optional<DType> dtype = ElementType(type);
  known = dtype.has_value();
  return dtype.value_or(DType::kF32);
}

HloLayout ReadLayout(std::string_view bytes) {
  HloLayout layout;
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case wire::LayoutProto::kMinorToMajorFieldNumber:
        ReadIntegers(reader, layout.minor_to_major);
        break;
      case wire::LayoutProto::kTilesFieldNumber: {
        std::vector<int64_t>& tile = layout.tiles.emplace_back();
        FieldReader inner = reader.get_message();
        while (inner.next()) {
          if (inner.tag() == wire::TileProto::kDimensionsFieldNumber) {
            ReadIntegers(inner, tile);
          } else {
            inner.skip();
          }
        }
        for (int64_t& dim : tile) dim = dim < 0 ? -1 : dim;
        break;
      }
      case wire::LayoutProto::kElementSizeInBitsFieldNumber:
        layout.element_bits = reader.get_int64();
        break;
      case wire::LayoutProto::kMemorySpaceFieldNumber:
        layout.memory_space = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  return layout;
}

void ReadDynamic(FieldReader& reader, size_t& next, DimSet& dynamic) {
  if (reader.wire_type() != protozero::pbf_wire_type::length_delimited) {
    if (reader.get_bool()) dynamic.Add(next);
    ++next;
    return;
  }
  for (const bool flag : reader.get_packed_bool()) {
    if (flag) dynamic.Add(next);
    ++next;
  }
}

void SetKind(int32_t type, HloShape& shape) {
  bool known = true;
  if (type == wire::TUPLE) {
    shape.kind = HloShape::Kind::kTuple;
  } else if (type == wire::TOKEN) {
    shape.kind = HloShape::Kind::kToken;
  } else {
    shape.dtype = KnownType(type, known);
    if (!known) shape.kind = HloShape::Kind::kOpaque;
  }
}

absl::Status CheckDims(HloShape& shape) {
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    int64_t& dim = shape.dims[i];
    if (dim >= 0) continue;
    if (dim != std::numeric_limits<int64_t>::min() && dim != -1) {
      return InvalidInput(fmt::format("found dim {}, expected none below 0", dim));
    }
    dim = -1;
    shape.dynamic.Add(i);
  }
  if (!IsTooLarge(shape)) return absl::OkStatus();
  return InvalidInput("found a shape of more than 2^59 elements");
}

absl::Status ReadNested(std::string_view bytes, HloShape& shape, int depth) {
  if (depth > kMaxTupleDepth) {
    return InvalidInput(
        fmt::format("found a tuple {} deep, expected at most {}", depth, kMaxTupleDepth));
  }
  FieldReader reader = ReaderOf(bytes);
  int32_t type = wire::PRIMITIVE_TYPE_INVALID;
  size_t flags = 0;
  while (reader.next()) {
    switch (reader.tag()) {
      case wire::ShapeProto::kElementTypeFieldNumber:
        type = reader.get_enum();
        break;
      case wire::ShapeProto::kDimensionsFieldNumber:
        ReadIntegers(reader, shape.dims);
        break;
      case wire::ShapeProto::kTupleShapesFieldNumber:
        TW_RETURN_IF_ERROR(ReadNested(ViewOf(reader), shape.elements.emplace_back(), depth + 1));
        break;
      case wire::ShapeProto::kLayoutFieldNumber: {
        HloLayout layout = ReadLayout(ViewOf(reader));
        if (!IsPlain(layout)) shape.layout = SharedLayout(std::move(layout));
        break;
      }
      case wire::ShapeProto::kIsDynamicDimensionFieldNumber:
        ReadDynamic(reader, flags, shape.dynamic);
        break;
      default:
        reader.skip();
    }
  }
  SetKind(type, shape);
  return CheckDims(shape);
}

}  // namespace

absl::Status ReadShapeProto(std::string_view bytes, HloShape& shape) {
  return ReadNested(bytes, shape, 0);
}

}  // namespace tilewise::hlo

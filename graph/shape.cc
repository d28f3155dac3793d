// Element types by name and width, and the arithmetic of shapes.

#include "graph/shape.h"

#include <array>
#include <utility>

#include "base/math.h"

namespace tilewise {
namespace {

struct TypeName {
  std::string_view name;
  DType dtype;
};

// The first name of a type is the one that is printed.
constexpr auto kTypeNames = std::to_array<TypeName>({
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
    {"bool", DType::kPred},
    {"boolean", DType::kPred},
    {"int8", DType::kS8},
    {"uint8", DType::kU8},
    {"int16", DType::kS16},
    {"uint16", DType::kU16},
    {"float16", DType::kF16},
    {"half", DType::kF16},
    {"bfloat16", DType::kBF16},
    {"int32", DType::kS32},
    {"int", DType::kS32},
    {"uint32", DType::kU32},
    {"float32", DType::kF32},
    {"float", DType::kF32},
    {"int64", DType::kS64},
    {"uint64", DType::kU64},
    {"float64", DType::kF64},
    {"double", DType::kF64},
    {"s4", DType::kS4},
    {"int4", DType::kS4},
    {"u4", DType::kU4},
    {"uint4", DType::kU4},
    {"f8e4m3fn", DType::kF8E4M3},
    {"f8e4m3", DType::kF8E4M3},
    {"float8_e4m3fn", DType::kF8E4M3},
    {"float8_e4m3", DType::kF8E4M3},
    {"fp8", DType::kF8E4M3},
    {"f8", DType::kF8E4M3},
    {"f8e5m2", DType::kF8E5M2},
    {"float8_e5m2", DType::kF8E5M2},
    // Eight bits in another split are as wide and as fast.
    {"f8e4m3b11fnuz", DType::kF8E4M3},
    {"f8e4m3fnuz", DType::kF8E4M3},
    {"f8e3m4", DType::kF8E4M3},
    {"f8e8m0fnu", DType::kF8E5M2},
    {"f8e5m2fnuz", DType::kF8E5M2},
    {"float8_e4m3b11fnuz", DType::kF8E4M3},
    {"float8_e4m3fnuz", DType::kF8E4M3},
    {"float8_e8m0fnu", DType::kF8E5M2},
    {"float8_e5m2fnuz", DType::kF8E5M2},
    {"f4e2m1fn", DType::kF4E2M1},
    {"float4_e2m1fn", DType::kF4E2M1},
    {"s2", DType::kS4},
    {"u2", DType::kU4},
    {"s1", DType::kS4},
    {"u1", DType::kU4},
    {"c64", DType::kC64},
    {"complex64", DType::kC64},
    {"c128", DType::kC128},
    {"complex128", DType::kC128},
});

}  // namespace

int64_t BitWidth(DType dtype) {
  switch (dtype) {
    case DType::kS4:
    case DType::kU4:
    case DType::kF4E2M1:
      return 4;
    case DType::kF8E4M3:
    case DType::kF8E5M2:
    case DType::kPred:
    case DType::kS8:
    case DType::kU8:
      return 8;
    case DType::kS16:
    case DType::kU16:
    case DType::kF16:
    case DType::kBF16:
      return 16;
    case DType::kS32:
    case DType::kU32:
    case DType::kF32:
      return 32;
    case DType::kS64:
    case DType::kU64:
    case DType::kF64:
    case DType::kC64:
      return 64;
    case DType::kC128:
      return 128;
  }
  return 0;
}

bool IsFloat(DType dtype) {
  return dtype == DType::kF16 || dtype == DType::kBF16 || dtype == DType::kF32 ||
         dtype == DType::kF64 || dtype == DType::kF8E4M3 || dtype == DType::kF8E5M2 ||
         dtype == DType::kF4E2M1;
}

bool IsComplex(DType dtype) { return dtype == DType::kC64 || dtype == DType::kC128; }

std::string_view DTypeName(DType dtype) {
  for (const TypeName& entry : kTypeNames) {
    if (entry.dtype == dtype) return entry.name;
  }
  return "?";
}

std::optional<DType> ParseDType(std::string_view name) {
  for (const TypeName& entry : kTypeNames) {
    if (entry.name == name) return entry.dtype;
  }
  return std::nullopt;
}

Shape Shape::Of(DType type, const std::vector<int64_t>& sizes) {
  Shape shape;
  shape.dtype = type;
  shape.dims.reserve(sizes.size());
  for (const int64_t size : sizes) shape.dims.push_back({size, false});
  return shape;
}

bool Shape::is_static() const {
  for (const Dim& dim : dims) {
    if (dim.per_batch) return false;
  }
  return true;
}

std::vector<int64_t> Shape::sizes() const {
  std::vector<int64_t> result;
  result.reserve(dims.size());
  for (int64_t dim = 0; dim < rank(); ++dim) result.push_back(size(dim));
  return result;
}

int64_t Shape::elements() const {
  int64_t product = 1;
  for (int64_t dim = 0; dim < rank(); ++dim) {
    const std::optional<int64_t> next = CheckedMul(product, size(dim));
    TW_CHECK(next.has_value());
    product = *next;
  }
  return product;
}

Bytes Shape::unpadded_bytes() const { return {CeilDiv(elements() * BitWidth(dtype), int64_t{8})}; }

Shape Shape::Bound(int64_t batch) const {
  TW_CHECK(batch >= 1);
  Shape bound = *this;
  for (Dim& dim : bound.dims) {
    if (!dim.per_batch) continue;
    const std::optional<int64_t> size = CheckedMul(dim.factor, batch);
    TW_CHECK(size.has_value());
    dim = {*size, false};
  }
  return bound;
}

std::string FormatShape(const Shape& shape) {
  std::string text(DTypeName(shape.dtype));
  text += '[';
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    const Dim& dim = shape.dims[i];
    if (i > 0) text += ',';
    if (!dim.per_batch || dim.factor != 1) text += std::to_string(dim.factor);
    if (dim.per_batch) text += 'N';
  }
  text += ']';
  return text;
}

}  // namespace tilewise

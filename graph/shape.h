// Element types and shapes. A dim is a constant, or a constant times the batch
// size that is bound later; Graph::Bind turns every dim into a constant.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/units.h"

namespace tilewise {

enum class DType : uint8_t {
  kPred,
  kS8,
  kU8,
  kS16,
  kU16,
  kF16,
  kBF16,
  kS32,
  kU32,
  kF32,
  kS64,
  kU64,
  kF64,
  kS4,
  kU4,
  kF8E4M3,  // finite values only, XLA's f8e4m3fn
  kF8E5M2,
  kF4E2M1,
  kC64,   // two f32
  kC128,  // two f64
};

int64_t BitWidth(DType dtype);  // 8 for kPred, as stored unpacked; 4 for kS4
bool IsFloat(DType dtype);      // complex types are not
bool IsComplex(DType dtype);
std::string_view DTypeName(DType dtype);  // "f32", "bf16", "pred"
// Accepts XLA names (f32, s32, pred) and framework names (float32, bool, half).
std::optional<DType> ParseDType(std::string_view name);

struct Dim {
  int64_t factor = 1;      // >= 0
  bool per_batch = false;  // the size is factor x batch
  bool operator==(const Dim&) const = default;
};
inline Dim BatchDim(int64_t factor = 1) { return {factor, true}; }

struct Shape {
  DType dtype = DType::kF32;
  std::vector<Dim> dims;  // logical order, most major first

  Shape() = default;
  Shape(DType type, std::vector<Dim> d) : dtype(type), dims(std::move(d)) {}
  // A static shape.
  static Shape Of(DType type, const std::vector<int64_t>& sizes);

  bool operator==(const Shape&) const = default;
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  bool is_static() const;
  // Size of a constant dim; a bug on a per-batch dim.
  int64_t size(int64_t dim) const {
    TW_CHECK(dim >= 0 && dim < rank());
    const Dim& d = dims[dim];
    TW_CHECK(!d.per_batch);
    return d.factor;
  }
  std::vector<int64_t> sizes() const;  // static shapes only
  int64_t elements() const;            // static shapes only
  Bytes unpadded_bytes() const;        // static shapes only
  Shape Bound(int64_t batch) const;
  Shape WithType(DType type) const { return {type, dims}; }
};

// "f32[8,128]"; per-batch dims print as "N" or "4N".
std::string FormatShape(const Shape& shape);

}  // namespace tilewise

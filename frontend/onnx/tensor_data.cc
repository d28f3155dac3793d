// Elements are little-endian in raw data; narrow types share int32_data.

#include "frontend/onnx/tensor_data.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <protozero/pbf_reader.hpp>

#include "base/math.h"

namespace tilewise::onnx {
namespace {

using Tensor = onnx_format::TensorProto;

// A float of `exponent` and `mantissa` bits below a sign bit.
double SmallFloat(uint32_t bits, int exponent, int mantissa, int bias) {
  const uint32_t sign = bits >> (exponent + mantissa) & 1U;
  const uint32_t power = bits >> mantissa & ((1U << exponent) - 1);
  const uint32_t fraction = bits & ((1U << mantissa) - 1);
  const double digits = std::ldexp(fraction, -mantissa);
  const double value = power == 0 ? std::ldexp(digits, 1 - bias)
                                  : std::ldexp(1 + digits, static_cast<int>(power) - bias);
  return sign != 0 ? -value : value;
}

double HalfFloat(uint16_t bits) {
  if ((bits & 0x7c00U) == 0x7c00U) {
    const double end = (bits & 0x3ffU) == 0 ? INFINITY : NAN;
    return (bits & 0x8000U) != 0 ? -end : end;
  }
  return SmallFloat(bits, 5, 10, 15);
}

double BrainFloat(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value = 0;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

// Converts types that are stored as bit patterns in integers.
double FromBits(DType dtype, uint64_t bits) {
  switch (dtype) {
    case DType::kF16:
      return HalfFloat(static_cast<uint16_t>(bits));
    case DType::kBF16:
      return BrainFloat(static_cast<uint16_t>(bits));
    case DType::kF8E4M3:
      return SmallFloat(static_cast<uint32_t>(bits) & 0xffU, 4, 3, 7);
    case DType::kF8E5M2:
      return SmallFloat(static_cast<uint32_t>(bits) & 0xffU, 5, 2, 15);
    default:
      return static_cast<double>(static_cast<int64_t>(bits));
  }
}

template <typename T>
double Loaded(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

double RawElement(DType dtype, const char* at) {
  switch (dtype) {
    case DType::kF32:
      return Loaded<float>(at);
    case DType::kF64:
      return Loaded<double>(at);
    case DType::kS8:
      return Loaded<int8_t>(at);
    case DType::kU8:
    case DType::kPred:
      return Loaded<uint8_t>(at);
    case DType::kS16:
      return Loaded<int16_t>(at);
    case DType::kU16:
      return Loaded<uint16_t>(at);
    case DType::kS32:
      return Loaded<int32_t>(at);
    case DType::kU32:
      return Loaded<uint32_t>(at);
    case DType::kS64:
      return Loaded<int64_t>(at);
    case DType::kU64:
      return Loaded<uint64_t>(at);
    case DType::kF16:
    case DType::kBF16:
      return FromBits(dtype, static_cast<uint64_t>(Loaded<uint16_t>(at)));
    default:
      return FromBits(dtype, static_cast<uint64_t>(Loaded<uint8_t>(at)));
  }
}

bool OfRaw(const TensorView& tensor, DType dtype, size_t count,
           std::vector<KnownNumber>& elements) {
  const size_t bits = BitWidth(dtype);
  if (bits < 8 || bits > 64 || tensor.raw.size() != count * (bits / 8)) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    elements.push_back({RawElement(dtype, tensor.raw.data() + i * (bits / 8)), false});
  }
  return true;
}

bool OfPacked(const TensorView& tensor, DType dtype, std::vector<KnownNumber>& elements) {
  const char* at = tensor.packed.data();
  const char* const end = at + tensor.packed.size();
  while (at != end && elements.size() <= kMaxKnownElements) {
    double value = 0;
    switch (tensor.packed_field) {
      case Tensor::kFloatDataFieldNumber:
        if (end - at < 4) return false;
        value = Loaded<float>(at);
        at += 4;
        break;
      case Tensor::kDoubleDataFieldNumber:
        if (end - at < 8) return false;
        value = Loaded<double>(at);
        at += 8;
        break;
      default:
        value = FromBits(dtype, protozero::decode_varint(&at, end));
    }
    elements.push_back({value, false});
  }
  return true;
}

}  // namespace

std::optional<DType> ElementOf(int32_t data_type) {
  switch (data_type) {
    case Tensor::FLOAT:
      return DType::kF32;
    case Tensor::UINT8:
      return DType::kU8;
    case Tensor::INT8:
      return DType::kS8;
    case Tensor::UINT16:
      return DType::kU16;
    case Tensor::INT16:
      return DType::kS16;
    case Tensor::INT32:
      return DType::kS32;
    case Tensor::INT64:
      return DType::kS64;
    case Tensor::BOOL:
      return DType::kPred;
    case Tensor::FLOAT16:
      return DType::kF16;
    case Tensor::DOUBLE:
      return DType::kF64;
    case Tensor::UINT32:
      return DType::kU32;
    case Tensor::UINT64:
      return DType::kU64;
    case Tensor::COMPLEX64:
      return DType::kC64;
    case Tensor::COMPLEX128:
      return DType::kC128;
    case Tensor::BFLOAT16:
      return DType::kBF16;
    case Tensor::FLOAT8E4M3FN:
    case Tensor::FLOAT8E4M3FNUZ:
      return DType::kF8E4M3;
    case Tensor::FLOAT8E5M2:
    case Tensor::FLOAT8E5M2FNUZ:
    case Tensor::FLOAT8E8M0:
      return DType::kF8E5M2;
    case Tensor::UINT4:
    case Tensor::UINT2:
      return DType::kU4;
    case Tensor::INT4:
    case Tensor::INT2:
      return DType::kS4;
    case Tensor::FLOAT4E2M1:
      return DType::kF4E2M1;
    default:
      return std::nullopt;
  }
}

absl::StatusOr<Shape> TensorShape(const TensorView& tensor) {
  const std::optional<DType> dtype = ElementOf(tensor.data_type);
  if (!dtype) {
    return InvalidInput(
        fmt::format("tensor {}: found element type {}, expected one that has "
                    "numbers",
                    tensor.name, tensor.data_type));
  }
  if (tensor.dims.size() > static_cast<size_t>(kMaxRank)) {
    return InvalidInput(
        fmt::format("tensor {}: found {} dims, expected at "
                    "most {}",
                    tensor.name, tensor.dims.size(), kMaxRank));
  }
  Shape shape(*dtype, {});
  std::optional<int64_t> elements = 1;
  for (const int64_t dim : tensor.dims) {
    if (dim >= 0 && elements) elements = CheckedMul(*elements, dim);
    if (dim < 0 || !elements || *elements > kMaxElements) {
      return InvalidInput(
          fmt::format("tensor {}: found dims {}, expected 0 or more each and at most {} "
                      "elements",
                      tensor.name, fmt::join(tensor.dims, ","), kMaxElements));
    }
    shape.dims.push_back({dim, false});
  }
  return shape;
}

bool IsZeros(const TensorView& tensor) {
  constexpr size_t kMostBytes = size_t{16} << 20;
  return !tensor.external && !tensor.raw.empty() && tensor.raw.size() <= kMostBytes &&
         tensor.raw.find_first_not_of('\0') == std::string_view::npos;
}

MaybeKnown KnownTensor(const TensorView& tensor) {
  const std::optional<DType> dtype = ElementOf(tensor.data_type);
  int64_t count = 1;
  for (const int64_t dim : tensor.dims) {
    if (dim < 0 || dim > kMaxKnownElements) return std::nullopt;
    count *= dim;
    if (count > kMaxKnownElements) return std::nullopt;
  }
  if (!dtype || IsComplex(*dtype)) return std::nullopt;
  KnownValue known{*dtype, tensor.dims, {}};
  if (tensor.external && count > 0) return std::nullopt;
  const size_t size = count;
  known.elements.reserve(size);
  bool read = count == 0;
  if (!read && !tensor.raw.empty()) {
    read = OfRaw(tensor, *dtype, size, known.elements);
  } else if (!read && !tensor.packed.empty()) {
    try {
      read = OfPacked(tensor, *dtype, known.elements);
    } catch (const protozero::exception&) {
      return std::nullopt;
    }
  } else if (!read) {
    for (const double value : tensor.singles) {
      known.elements.push_back({value, false});
    }
    read = true;
  }
  if (!read || known.elements.size() != size) return std::nullopt;
  return known;
}

}  // namespace tilewise::onnx

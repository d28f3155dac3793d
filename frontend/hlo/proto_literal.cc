// Reads constants from the wire form without copying their elements. Whether
// all are alike is told from the bytes: an array equals itself shifted by one
// element.

#include "frontend/hlo/proto_literal.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/proto_fields.h"
#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

template <typename T>
double As(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return static_cast<double>(value);
}

// A float of few bits: sign, exponent, mantissa. `infinite`: the highest
// exponent stands for infinity and NaN, as in IEEE types; without, only all
// bits set are NaN.
double SmallFloat(uint32_t bits, int exponent_bits, int mantissa_bits, bool infinite) {
  const uint32_t mantissa = bits & ((1U << mantissa_bits) - 1);
  const uint32_t top = (1U << exponent_bits) - 1;
  const uint32_t exponent = (bits >> mantissa_bits) & top;
  const double sign = ((bits >> (exponent_bits + mantissa_bits)) & 1) != 0 ? -1 : 1;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  if (exponent == top) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (infinite) {
      return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : nan;
    }
    if (mantissa == (1U << mantissa_bits) - 1) return nan;
  }
  const double whole = exponent == 0 ? 0 : 1;
  const int power = exponent == 0 ? 1 - bias : static_cast<int>(exponent) - bias;
  return sign *
         std::ldexp(whole + std::ldexp(static_cast<double>(mantissa), -mantissa_bits), power);
}

// Bytes of an element in the field of fixed-size elements; 0: integers in
// varints, or a form that is not read.
size_t ElementBytes(DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return 4;
    case DType::kF64:
    case DType::kC64:  // two floats
      return 8;
    case DType::kC128:
      return 16;
    case DType::kF16:
    case DType::kBF16:
    case DType::kS16:
    case DType::kU16:
      return 2;
    case DType::kS8:
    case DType::kU8:
    case DType::kF8E4M3:
    case DType::kF8E5M2:
      return 1;
    default:
      return 0;
  }
}

double FixedElement(DType dtype, const char* at) {
  switch (dtype) {
    case DType::kF32:
    case DType::kC64:
      return As<float>(at);
    case DType::kF64:
    case DType::kC128:
      return As<double>(at);
    case DType::kF16: {
      uint16_t bits = 0;
      std::memcpy(&bits, at, 2);
      return SmallFloat(bits, 5, 10, true);
    }
    case DType::kBF16: {
      uint16_t bits = 0;
      std::memcpy(&bits, at, 2);
      return SmallFloat(bits, 8, 7, true);
    }
    case DType::kS16:
      return As<int16_t>(at);
    case DType::kU16:
      return As<uint16_t>(at);
    case DType::kS8:
      return As<int8_t>(at);
    case DType::kF8E4M3:
      return SmallFloat(static_cast<unsigned char>(*at), 4, 3, false);
    case DType::kF8E5M2:
      return SmallFloat(static_cast<unsigned char>(*at), 5, 2, true);
    default:
      return As<uint8_t>(at);
  }
}

bool Repeats(std::string_view bytes, size_t period) {
  return bytes.size() <= period ||
         std::memcmp(bytes.data(), bytes.data() + period, bytes.size() - period) == 0;
}

void FixedValues(std::string_view bytes, const HloShape& shape, Literal& literal) {
  const size_t size = ElementBytes(shape.dtype);
  const size_t elements = ElementsOf(shape);
  if (size == 0 || elements == 0 || bytes.size() / size != elements) return;
  if (Repeats(bytes, size)) {
    const bool real = !IsComplex(shape.dtype);
    if (real) literal.splat = FixedElement(shape.dtype, bytes.data());
  }
  if (elements > static_cast<size_t>(Literal::kMaxValues)) return;
  literal.values.reserve(elements);
  for (size_t i = 0; i < elements; ++i) {
    literal.values.push_back(FixedElement(shape.dtype, bytes.data() + i * size));
  }
}

double Signed(uint64_t value, DType dtype) {
  const bool is_unsigned = dtype == DType::kU32 || dtype == DType::kU64 || dtype == DType::kPred;
  return is_unsigned ? static_cast<double>(value)
                     : static_cast<double>(static_cast<int64_t>(value));
}

void VarintValues(std::string_view bytes, const HloShape& shape, Literal& literal) {
  const int64_t elements = ElementsOf(shape);
  if (elements == 0 || bytes.empty()) return;
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  const uint64_t first = protozero::decode_varint(&at, end);
  const size_t size = at - bytes.data();
  const bool alike = bytes.size() == size * static_cast<size_t>(elements) && Repeats(bytes, size);
  if (alike) literal.splat = Signed(first, shape.dtype);
  if (elements > Literal::kMaxValues) return;
  literal.values.reserve(elements);
  literal.values.push_back(Signed(first, shape.dtype));
  while (at < end) {
    literal.values.push_back(Signed(protozero::decode_varint(&at, end), shape.dtype));
  }
  if (static_cast<int64_t>(literal.values.size()) != elements) {
    literal.values.clear();
  }
}

// Elements that are not packed, as older writers leave them: one scalar.
bool ReadScalar(FieldReader& reader, const HloShape& shape, Literal& literal) {
  double value = 0;
  switch (reader.wire_type()) {
    case protozero::pbf_wire_type::varint:
      value = Signed(static_cast<uint64_t>(reader.get_int64()), shape.dtype);
      break;
    case protozero::pbf_wire_type::fixed32:
      value = reader.get_float();
      break;
    case protozero::pbf_wire_type::fixed64:
      value = reader.get_double();
      break;
    default:
      return false;
  }
  if (ElementsOf(shape) == 1 && !IsComplex(shape.dtype)) {
    literal.values.assign(1, value);
    literal.splat = value;
  }
  return true;
}

}  // namespace

Literal ReadLiteralProto(std::string_view bytes, const HloShape& shape) {
  Literal literal;
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    const auto tag = reader.tag();
    if (tag == wire::LiteralProto::kShapeFieldNumber) {
      reader.skip();
      continue;
    }
    if (ReadScalar(reader, shape, literal)) continue;
    switch (tag) {
      case wire::LiteralProto::kPredsFieldNumber:
      case wire::LiteralProto::kS32SFieldNumber:
      case wire::LiteralProto::kS64SFieldNumber:
      case wire::LiteralProto::kU32SFieldNumber:
      case wire::LiteralProto::kU64SFieldNumber:
        VarintValues(ViewOf(reader), shape, literal);
        break;
      default:
        FixedValues(ViewOf(reader), shape, literal);
    }
  }
  return literal;
}

}  // namespace tilewise::hlo

// Decodes constants: TensorProto and TensorShapeProto messages. Elements of
// large tensors are not looked at.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/tensorflow/wire.h"

namespace tilewise::tf {
namespace {

using Proto = tensorflow::TensorProto;
using protozero::pbf_wire_type;

constexpr size_t kMaxStrings = 4096;
constexpr size_t kMaxRank = 64;

// Elements as the fields of a tensor have them: fewer than the shape says means
// that the last one repeats.
struct Elements {
  std::string_view content;  // raw little-endian, all of them
  std::vector<double> values;
  bool too_many = false;  // more than are kept

  void Push(double value) {
    if (values.size() < static_cast<size_t>(kMaxKnownElements)) {
      values.push_back(value);
    } else {
      too_many = true;
    }
  }
};

template <typename T>
double Raw(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

double Half(uint32_t bits) {
  const uint32_t exponent = (bits >> 10U) & 31U;
  const auto mantissa = static_cast<double>(bits & 1023U);
  double magnitude = std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25);
  if (exponent == 0) magnitude = std::ldexp(mantissa, -24);
  if (exponent == 31) {
    magnitude = mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                              : std::numeric_limits<double>::infinity();
  }
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

double BrainFloat(uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits << 16U)); }

// nullopt: a type whose elements are not looked at.
std::optional<double> RawElement(DataType type, const char* at) {
  uint16_t half = 0;
  switch (type) {
    case DataType::kFloat:
      return Raw<float>(at);
    case DataType::kDouble:
      return Raw<double>(at);
    case DataType::kInt32:
    case DataType::kQint32:
      return Raw<int32_t>(at);
    case DataType::kUint32:
      return Raw<uint32_t>(at);
    case DataType::kInt64:
      return Raw<int64_t>(at);
    case DataType::kUint64:
      return Raw<uint64_t>(at);
    case DataType::kInt16:
    case DataType::kQint16:
      return Raw<int16_t>(at);
    case DataType::kUint16:
    case DataType::kQuint16:
      return Raw<uint16_t>(at);
    case DataType::kInt8:
    case DataType::kQint8:
      return Raw<int8_t>(at);
    case DataType::kUint8:
    case DataType::kQuint8:
    case DataType::kBool:
      return Raw<uint8_t>(at);
    case DataType::kHalf:
    case DataType::kBfloat16:
      std::memcpy(&half, at, sizeof half);
      return type == DataType::kHalf ? Half(half) : BrainFloat(half);
    default:
      return std::nullopt;
  }
}

void ReadVarints(protozero::pbf_reader& reader, DataType type, Elements& elements) {
  const auto push = [&](int64_t value) {
    if (type == DataType::kHalf) {
      elements.Push(Half(static_cast<uint32_t>(value)));
    } else if (type == DataType::kBfloat16) {
      elements.Push(BrainFloat(static_cast<uint32_t>(value)));
    } else {
      elements.Push(static_cast<double>(value));
    }
  };
  if (reader.wire_type() == pbf_wire_type::varint) {
    push(reader.get_int64());
    return;
  }
  for (const int64_t value : reader.get_packed_int64()) {
    if (elements.too_many) return;
    push(value);
  }
}

void ReadFloats(protozero::pbf_reader& reader, Elements& elements) {
  if (reader.wire_type() == pbf_wire_type::fixed32) {
    elements.Push(static_cast<double>(reader.get_float()));
    return;
  }
  for (const float value : reader.get_packed_float()) {
    if (elements.too_many) return;
    elements.Push(static_cast<double>(value));
  }
}

void ReadDoubles(protozero::pbf_reader& reader, Elements& elements) {
  if (reader.wire_type() == pbf_wire_type::fixed64) {
    elements.Push(reader.get_double());
    return;
  }
  for (const double value : reader.get_packed_double()) {
    if (elements.too_many) return;
    elements.Push(value);
  }
}

// The type comes before the elements in every file that a writer of protobufs
// made; halves read before it would be taken for integers.
void ReadField(protozero::pbf_reader& reader, TensorValue& tensor, Elements& elements) {
  switch (reader.tag()) {
    case Proto::kDtypeFieldNumber:
      tensor.type = WithoutReference(Varint(reader));
      return;
    case Proto::kTensorShapeFieldNumber:
      tensor.shape = DecodeShape(Bytes(reader)).value_or(TensorShape{true, {}});
      return;
    case Proto::kTensorContentFieldNumber:
      elements.content = Bytes(reader);
      return;
    case Proto::kFloatValFieldNumber:
      return ReadFloats(reader, elements);
    case Proto::kDoubleValFieldNumber:
      return ReadDoubles(reader, elements);
    case Proto::kIntValFieldNumber:
    case Proto::kInt64ValFieldNumber:
    case Proto::kBoolValFieldNumber:
    case Proto::kHalfValFieldNumber:
    case Proto::kUint32ValFieldNumber:
    case Proto::kUint64ValFieldNumber:
      return ReadVarints(reader, tensor.type, elements);
    case Proto::kStringValFieldNumber:
      if (tensor.strings.size() < kMaxStrings) {
        tensor.strings.push_back(Bytes(reader));
        return;
      }
      return reader.skip();
    default:
      reader.skip();
  }
}

// Elements of the shape, or nullopt when it is not known or has more than any
// tensor here.
std::optional<int64_t> Count(const TensorShape& shape) {
  if (shape.unknown_rank) return std::nullopt;
  int64_t count = 1;
  for (const int64_t dim : shape.dims) {
    if (dim < 0) return std::nullopt;
    if (__builtin_mul_overflow(count, dim, &count)) return std::nullopt;
  }
  return count;
}

void ReadContent(const TensorValue& tensor, int64_t count, Elements& elements) {
  const std::optional<DType> dtype = ToDType(tensor.type);
  if (!dtype || BitWidth(*dtype) < 8) return;
  const size_t width = BitWidth(*dtype) / 8;
  if (count > kMaxKnownElements || elements.content.size() < static_cast<size_t>(count) * width) {
    return;
  }
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    const std::optional<double> value =
        RawElement(tensor.type, elements.content.data() + i * width);
    if (!value) return elements.values.clear();
    elements.Push(*value);
  }
}

void Keep(TensorValue& tensor, Elements& elements) {
  const std::optional<DType> dtype = ToDType(tensor.type);
  const std::optional<int64_t> count = Count(tensor.shape);
  if (!dtype || !count || IsComplex(*dtype)) return;
  if (!elements.content.empty()) ReadContent(tensor, *count, elements);
  if (elements.values.empty() || elements.too_many) {
    const bool empty = *count == 0;
    // A tensor without elements in the file is all zeros.
    const bool zeros = elements.content.empty() && !elements.too_many;
    if (!empty && !zeros) return;
    elements.values.assign(1, 0.0);
  }
  bool same = true;
  for (const double value : elements.values) {
    same = same && value == elements.values.front();
  }
  if (same) tensor.splat = elements.values.front();
  if (*count > kMaxKnownElements) return;
  KnownValue known;
  known.dtype = *dtype;
  known.dims = tensor.shape.dims;
  known.elements.reserve(*count);
  for (size_t i = 0; i < static_cast<size_t>(*count); ++i) {
    known.elements.push_back({elements.values[std::min(i, elements.values.size() - 1)], false});
  }
  tensor.known = std::move(known);
}

}  // namespace

std::optional<TensorShape> DecodeShape(std::string_view bytes) {
  TensorShape shape;
  try {
    protozero::pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      if (reader.tag() == tensorflow::TensorShapeProto::kUnknownRankFieldNumber) {
        shape.unknown_rank = Varint(reader) != 0;
      } else if (reader.tag() == tensorflow::TensorShapeProto::kDimFieldNumber) {
        int64_t size = 0;
        protozero::pbf_reader dim = Reader(Bytes(reader));
        while (dim.next()) {
          if (dim.tag() == tensorflow::TensorShapeProto::Dim::kSizeFieldNumber) {
            size = Varint(dim);
          } else {
            dim.skip();
          }
        }
        if (shape.dims.size() == kMaxRank || size < -1) return std::nullopt;
        shape.dims.push_back(size);
      } else {
        reader.skip();
      }
    }
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
  return shape;
}

std::optional<TensorValue> DecodeTensor(std::string_view bytes) {
  TensorValue tensor;
  Elements elements;
  try {
    protozero::pbf_reader reader = Reader(bytes);
    while (reader.next()) ReadField(reader, tensor, elements);
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
  Keep(tensor, elements);
  return tensor;
}

}  // namespace tilewise::tf

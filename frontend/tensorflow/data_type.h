// Element types as TensorFlow numbers them, and what they are here.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/shape.h"

namespace tilewise::tf {

// The numbers of DataType. A reference to a variable of a type is that type
// plus 100 in files; readers take the 100 off.
enum class DataType : int32_t {
  kInvalid = 0,
  kFloat = 1,
  kDouble = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kString = 7,
  kComplex64 = 8,
  kInt64 = 9,
  kBool = 10,
  kQint8 = 11,
  kQuint8 = 12,
  kQint32 = 13,
  kBfloat16 = 14,
  kQint16 = 15,
  kQuint16 = 16,
  kUint16 = 17,
  kComplex128 = 18,
  kHalf = 19,
  kResource = 20,
  kVariant = 21,
  kUint32 = 22,
  kUint64 = 23,
  kFloat8E5m2 = 24,
  kFloat8E4m3fn = 25,
  kInt4 = 29,
  kUint4 = 30,
  kFloat4E2m1fn = 33,
};

// The type of a number in a file; kInvalid when it is none.
DataType WithoutReference(int64_t number);
// nullopt: strings, resources, variants, and types without numbers here.
std::optional<DType> ToDType(DataType type);
// "DT_FLOAT", as text formats have it; kInvalid when it is none.
DataType ParseDataType(std::string_view name);

}  // namespace tilewise::tf

// Element types of TensorFlow.

#include "frontend/tensorflow/data_type.h"

#include <array>
#include <string>
#include <utility>

#include "frontend/tensorflow/tensorflow.pb.h"

namespace tilewise::tf {

std::optional<DType> ToDType(DataType type) {
  static constexpr std::array<std::pair<DataType, DType>, 24> kTypes = {{
      {DataType::kFloat, DType::kF32},         {DataType::kDouble, DType::kF64},
      {DataType::kInt32, DType::kS32},         {DataType::kUint8, DType::kU8},
      {DataType::kInt16, DType::kS16},         {DataType::kInt8, DType::kS8},
      {DataType::kComplex64, DType::kC64},     {DataType::kInt64, DType::kS64},
      {DataType::kBool, DType::kPred},         {DataType::kQint8, DType::kS8},
      {DataType::kQuint8, DType::kU8},         {DataType::kQint32, DType::kS32},
      {DataType::kBfloat16, DType::kBF16},     {DataType::kQint16, DType::kS16},
      {DataType::kQuint16, DType::kU16},       {DataType::kUint16, DType::kU16},
      {DataType::kComplex128, DType::kC128},   {DataType::kHalf, DType::kF16},
      {DataType::kUint32, DType::kU32},        {DataType::kUint64, DType::kU64},
      {DataType::kFloat8E5m2, DType::kF8E5M2}, {DataType::kFloat8E4m3fn, DType::kF8E4M3},
      {DataType::kInt4, DType::kS4},           {DataType::kUint4, DType::kU4},
  }};
  for (const auto& [tensorflow, dtype] : kTypes) {
    if (tensorflow == type) return dtype;
  }
  if (type == DataType::kFloat4E2m1fn) return DType::kF4E2M1;
  return std::nullopt;
}

DataType ParseDataType(std::string_view name) {
  tensorflow::DataType type = tensorflow::DT_INVALID;
  if (!tensorflow::DataType_Parse(std::string(name), &type)) {
    return DataType::kInvalid;
  }
  return WithoutReference(type);
}

DataType WithoutReference(int64_t number) {
  constexpr int64_t kReference = 100;
  if (number > kReference) number -= kReference;
  if (number < 0 || number > kReference) return DataType::kInvalid;
  return static_cast<DataType>(number);
}

}  // namespace tilewise::tf

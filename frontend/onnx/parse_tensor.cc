// Data fields are kept as views; numbers that are not packed are kept only as
// far as known tensors go.

#include "frontend/onnx/parse_tensor.h"

#include "library/known_value.h"

namespace tilewise::onnx {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using Tensor = onnx_format::TensorProto;

bool IsDataField(uint32_t tag) {
  return tag == Tensor::kFloatDataFieldNumber || tag == Tensor::kInt32DataFieldNumber ||
         tag == Tensor::kInt64DataFieldNumber || tag == Tensor::kDoubleDataFieldNumber ||
         tag == Tensor::kUint64DataFieldNumber;
}

// One number of a data field that is not packed.
void AppendSingle(pbf_reader& reader, TensorView& tensor) {
  if (tensor.singles.size() > static_cast<size_t>(kMaxKnownElements)) {
    reader.skip();
    return;
  }
  tensor.packed_field = static_cast<int32_t>(reader.tag());
  switch (reader.wire_type()) {
    case pbf_wire_type::varint:
      tensor.singles.push_back(static_cast<double>(reader.get_int64()));
      break;
    case pbf_wire_type::fixed32:
      tensor.singles.push_back(reader.get_float());
      break;
    case pbf_wire_type::fixed64:
      tensor.singles.push_back(reader.get_double());
      break;
    default:
      reader.skip();
  }
}

void AppendField(pbf_reader& reader, TensorView& tensor) {
  const bool bytes = reader.wire_type() == pbf_wire_type::length_delimited;
  switch (reader.tag()) {
    case Tensor::kDimsFieldNumber:
      AppendIntegers(reader, tensor.dims);
      return;
    case Tensor::kDataTypeFieldNumber:
      if (reader.wire_type() != pbf_wire_type::varint) break;
      tensor.data_type = reader.get_int32();
      return;
    case Tensor::kNameFieldNumber:
      if (!bytes) break;
      tensor.name = Text(reader);
      return;
    case Tensor::kRawDataFieldNumber:
      if (!bytes) break;
      tensor.raw = Text(reader);
      return;
    case Tensor::kDataLocationFieldNumber:
      if (reader.wire_type() != pbf_wire_type::varint) break;
      tensor.external = reader.get_enum() == Tensor::EXTERNAL;
      return;
    default:
      break;
  }
  if (!IsDataField(reader.tag())) {
    reader.skip();
  } else if (bytes) {
    tensor.packed_field = static_cast<int32_t>(reader.tag());
    tensor.packed = Text(reader);
  } else {
    AppendSingle(reader, tensor);
  }
}

}  // namespace

TensorView ParseTensor(std::string_view bytes) {
  TensorView tensor;
  pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) AppendField(reader, tensor);
  return tensor;
}

void AppendIntegers(pbf_reader& reader, std::vector<int64_t>& numbers) {
  if (reader.wire_type() == pbf_wire_type::varint) {
    numbers.push_back(reader.get_int64());
  } else if (reader.wire_type() == pbf_wire_type::length_delimited) {
    for (const int64_t number : reader.get_packed_int64()) {
      numbers.push_back(number);
    }
  } else {
    reader.skip();
  }
}

void AppendFloats(pbf_reader& reader, std::vector<double>& numbers) {
  if (reader.wire_type() == pbf_wire_type::fixed32) {
    numbers.push_back(reader.get_float());
  } else if (reader.wire_type() == pbf_wire_type::length_delimited) {
    for (const float number : reader.get_packed_float()) {
      numbers.push_back(number);
    }
  } else {
    reader.skip();
  }
}

}  // namespace tilewise::onnx

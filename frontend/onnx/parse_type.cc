// Types of ModelProto: tensors with dims that are numbers or names, sequences
// and optional values of them; maps are of the host.

#include "frontend/onnx/parse_type.h"

namespace tilewise::onnx {
namespace {

namespace pb = onnx_format;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

void ShapeOf(pbf_reader reader, ParseState& state, TypeView& type) {
  type.has_shape = true;
  while (reader.next(pb::TensorShapeProto::kDimFieldNumber, pbf_wire_type::length_delimited)) {
    pbf_reader fields = state.Message(reader);
    DimView dim;
    while (fields.next()) {
      switch (fields.tag_and_type()) {
        case protozero::tag_and_type(pb::TensorShapeProto::Dimension::kDimValueFieldNumber,
                                     pbf_wire_type::varint):
          dim.kind = DimView::Kind::kValue;
          dim.value = fields.get_int64();
          break;
        case protozero::tag_and_type(pb::TensorShapeProto::Dimension::kDimParamFieldNumber,
                                     pbf_wire_type::length_delimited):
          dim.parameter = Text(fields);
          if (!dim.parameter.empty()) dim.kind = DimView::Kind::kParameter;
          break;
        default:
          fields.skip();
      }
    }
    type.dims.push_back(dim);
  }
}

void TensorType(pbf_reader reader, ParseState& state, TypeView& type) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case protozero::tag_and_type(pb::TypeProto::Tensor::kElemTypeFieldNumber,
                                   pbf_wire_type::varint):
        type.element = reader.get_int32();
        break;
      case protozero::tag_and_type(pb::TypeProto::Tensor::kShapeFieldNumber,
                                   pbf_wire_type::length_delimited):
        ShapeOf(state.Message(reader), state, type);
        break;
      default:
        reader.skip();
    }
  }
}

TypeView Type(pbf_reader reader, ParseState& state, int depth) {
  TypeView type;
  if (depth > ParseState::kMaxDepth) {
    state.too_deep = true;
    return type;
  }
  while (reader.next()) {
    if (reader.wire_type() != pbf_wire_type::length_delimited) {
      reader.skip();
      continue;
    }
    switch (reader.tag()) {
      case pb::TypeProto::kTensorTypeFieldNumber:
      case pb::TypeProto::kSparseTensorTypeFieldNumber:
        type.kind = TypeView::Kind::kTensor;
        TensorType(state.Message(reader), state, type);
        break;
      case pb::TypeProto::kSequenceTypeFieldNumber:
      case pb::TypeProto::kOptionalTypeFieldNumber: {
        const bool sequence = reader.tag() == pb::TypeProto::kSequenceTypeFieldNumber;
        pbf_reader fields = state.Message(reader);
        while (fields.next(pb::TypeProto::Sequence::kElemTypeFieldNumber,
                           pbf_wire_type::length_delimited)) {
          type = Type(state.Message(fields), state, depth + 1);
        }
        if (type.kind != TypeView::Kind::kSequence) {
          type.kind = sequence ? TypeView::Kind::kSequence : TypeView::Kind::kOptional;
        }
        break;
      }
      case pb::TypeProto::kMapTypeFieldNumber:
        type.kind = TypeView::Kind::kHost;
        reader.skip();
        break;
      default:
        reader.skip();
    }
  }
  return type;
}

}  // namespace

ValueInfoView ParseValueInfo(pbf_reader reader, ParseState& state) {
  ValueInfoView info;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case protozero::tag_and_type(pb::ValueInfoProto::kNameFieldNumber,
                                   pbf_wire_type::length_delimited):
        info.name = Text(reader);
        break;
      case protozero::tag_and_type(pb::ValueInfoProto::kTypeFieldNumber,
                                   pbf_wire_type::length_delimited):
        info.type = Type(state.Message(reader), state, 0);
        break;
      default:
        reader.skip();
    }
  }
  return info;
}

}  // namespace tilewise::onnx

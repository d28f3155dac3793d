// Tells models from other protobuf files by the fields at the top: a walk from
// length to length, which touches little of a large file.

#include <protozero/pbf_reader.hpp>

#include "frontend/onnx/parse_model.h"
#include "frontend/onnx/parse_type.h"

namespace tilewise::onnx {
namespace {

namespace pb = onnx_format;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

// The wire type that ModelProto has for a field; nothing for unknown fields.
bool IsModelField(uint32_t tag, pbf_wire_type wire) {
  switch (tag) {
    case pb::ModelProto::kIrVersionFieldNumber:
    case pb::ModelProto::kModelVersionFieldNumber:
      return wire == pbf_wire_type::varint;
    case pb::ModelProto::kProducerNameFieldNumber:
    case pb::ModelProto::kProducerVersionFieldNumber:
    case pb::ModelProto::kDomainFieldNumber:
    case pb::ModelProto::kDocStringFieldNumber:
    case pb::ModelProto::kGraphFieldNumber:
    case pb::ModelProto::kOpsetImportFieldNumber:
    case pb::ModelProto::kMetadataPropsFieldNumber:
    case pb::ModelProto::kTrainingInfoFieldNumber:
    case pb::ModelProto::kFunctionsFieldNumber:
      return wire == pbf_wire_type::length_delimited;
    default:
      return tag > 20;
  }
}

// The first few fields of `bytes` are those of a GraphProto.
bool StartsLikeGraph(std::string_view bytes) {
  constexpr int kFields = 4;
  pbf_reader reader(bytes.data(), bytes.size());
  for (int i = 0; i < kFields && reader.next(); ++i) {
    if (reader.wire_type() != pbf_wire_type::length_delimited) return false;
    const uint32_t tag = reader.tag();
    const bool known = tag == pb::GraphProto::kNodeFieldNumber ||
                       tag == pb::GraphProto::kNameFieldNumber ||
                       tag == pb::GraphProto::kInitializerFieldNumber ||
                       (tag >= pb::GraphProto::kDocStringFieldNumber &&
                        tag <= pb::GraphProto::kSparseInitializerFieldNumber + 1);
    if (!known) return false;
    reader.skip();
  }
  return true;
}

}  // namespace

bool LooksLikeModel(std::string_view bytes) {
  constexpr int kFields = 10000;
  bool graph = false;
  bool other = false;
  try {
    pbf_reader reader(bytes.data(), bytes.size());
    for (int i = 0; i < kFields && reader.next(); ++i) {
      if (!IsModelField(reader.tag(), reader.wire_type())) return false;
      if (reader.tag() == pb::ModelProto::kGraphFieldNumber) {
        // A cut-off file is still one.
        graph = true;
        if (!StartsLikeGraph(Text(reader))) return false;
        continue;
      }
      other = other || reader.tag() == pb::ModelProto::kIrVersionFieldNumber ||
              reader.tag() == pb::ModelProto::kOpsetImportFieldNumber;
      reader.skip();
    }
  } catch (const protozero::exception&) {
    return graph && other;
  }
  return graph && other;
}

}  // namespace tilewise::onnx

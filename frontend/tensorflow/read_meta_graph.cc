// Walks MetaGraphDef messages: versions, collections, signatures, and of the
// object graph the variables and what functions capture.

#include "frontend/tensorflow/read_meta_graph.h"

#include <utility>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/node_locations.h"
#include "frontend/tensorflow/read_graph.h"
#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/tensorflow/wire.h"

namespace tilewise::tf {
namespace {

using protozero::pbf_reader;

constexpr size_t kMaxGraphs = 64;

// An entry of a map from texts to messages.
std::pair<std::string_view, std::string_view> MapEntry(std::string_view bytes) {
  std::pair<std::string_view, std::string_view> entry;
  pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    if (reader.tag() == 1) {
      entry.first = Bytes(reader);
    } else if (reader.tag() == 2) {
      entry.second = Bytes(reader);
    } else {
      reader.skip();
    }
  }
  return entry;
}

void ReadMetaInfo(std::string_view bytes, MetaGraph& meta) {
  using Info = tensorflow::MetaGraphDef::MetaInfoDef;
  pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    if (reader.tag() == Info::kTagsFieldNumber) {
      meta.tags.push_back(Bytes(reader));
    } else if (reader.tag() == Info::kTensorflowVersionFieldNumber) {
      meta.tensorflow_version = Bytes(reader);
    } else {
      reader.skip();
    }
  }
}

void ReadCollection(std::string_view bytes, MetaGraph& meta) {
  using Collection = tensorflow::CollectionDef;
  const auto [name, value] = MapEntry(bytes);
  pbf_reader reader = Reader(value);
  while (reader.next()) {
    const bool nodes = reader.tag() == Collection::kNodeListFieldNumber;
    if (!nodes && reader.tag() != Collection::kBytesListFieldNumber) {
      reader.skip();
      continue;
    }
    std::vector<std::string_view>& values =
        nodes ? meta.node_collections[name] : meta.bytes_collections[name];
    pbf_reader list = Reader(Bytes(reader));
    while (list.next()) {
      if (list.tag() == 1) {
        values.push_back(Bytes(list));
      } else {
        list.skip();
      }
    }
  }
}

TensorInfo ReadTensorInfo(std::string_view bytes);

// The tensors of a sparse tensor, by their fields in CooSparse; those of
// composite tensors one level deep.
void ReadComponents(std::string_view bytes, bool sparse, TensorInfo& info) {
  pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    const uint32_t tag = reader.tag();  // reading its value ends it
    const std::string_view part = Bytes(reader);
    if (sparse) {
      info.components.push_back(part);
      continue;
    }
    if (tag != tensorflow::TensorInfo::CompositeTensor::kComponentsFieldNumber) {
      continue;
    }
    pbf_reader component = Reader(part);
    while (component.next()) {
      if (component.tag() == tensorflow::TensorInfo::kNameFieldNumber) {
        info.components.push_back(Bytes(component));
      } else {
        component.skip();
      }
    }
  }
}

TensorInfo ReadTensorInfo(std::string_view bytes) {
  TensorInfo info;
  pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case tensorflow::TensorInfo::kNameFieldNumber:
        info.name = Bytes(reader);
        break;
      case tensorflow::TensorInfo::kDtypeFieldNumber:
        info.type = WithoutReference(Varint(reader));
        break;
      case tensorflow::TensorInfo::kTensorShapeFieldNumber:
        info.shape = DecodeShape(Bytes(reader));
        break;
      case tensorflow::TensorInfo::kCooSparseFieldNumber:
        ReadComponents(Bytes(reader), true, info);
        break;
      case tensorflow::TensorInfo::kCompositeTensorFieldNumber:
        ReadComponents(Bytes(reader), false, info);
        break;
      default:
        reader.skip();
    }
  }
  return info;
}

void ReadSignature(std::string_view bytes, MetaGraph& meta) {
  const auto [name, value] = MapEntry(bytes);
  SignatureDef& signature = meta.signatures[name];
  pbf_reader reader = Reader(value);
  while (reader.next()) {
    if (reader.tag() == tensorflow::SignatureDef::kMethodNameFieldNumber) {
      signature.method = Bytes(reader);
      continue;
    }
    const bool input = reader.tag() == tensorflow::SignatureDef::kInputsFieldNumber;
    if (!input && reader.tag() != tensorflow::SignatureDef::kOutputsFieldNumber) {
      reader.skip();
      continue;
    }
    const auto [key, info] = MapEntry(Bytes(reader));
    (input ? signature.inputs : signature.outputs)[key] = ReadTensorInfo(info);
  }
}

SavedVariable ReadVariable(std::string_view bytes) {
  SavedVariable variable;
  pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case tensorflow::SavedVariable::kDtypeFieldNumber:
        variable.type = WithoutReference(Varint(reader));
        break;
      case tensorflow::SavedVariable::kShapeFieldNumber:
        variable.shape = DecodeShape(Bytes(reader)).value_or(TensorShape{true, {}});
        break;
      case tensorflow::SavedVariable::kTrainableFieldNumber:
        variable.trainable = Varint(reader) != 0;
        break;
      case tensorflow::SavedVariable::kNameFieldNumber:
        variable.name = Bytes(reader);
        break;
      default:
        reader.skip();
    }
  }
  return variable;
}

void ReadConcreteFunction(std::string_view bytes, MetaGraph& meta) {
  using Function = tensorflow::SavedConcreteFunction;
  const auto [name, value] = MapEntry(bytes);
  std::vector<int32_t>& bound = meta.concrete_functions[name];
  pbf_reader reader = Reader(value);
  while (reader.next(Function::kBoundInputsFieldNumber)) {
    if (reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
      for (const int32_t v : reader.get_packed_int32()) bound.push_back(v);
    } else {
      bound.push_back(static_cast<int32_t>(Varint(reader)));
    }
  }
}

void ReadObjectGraph(std::string_view bytes, MetaGraph& meta) {
  using Objects = tensorflow::SavedObjectGraph;
  int32_t number = 0;
  pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    if (reader.tag() == Objects::kConcreteFunctionsFieldNumber) {
      ReadConcreteFunction(Bytes(reader), meta);
    } else if (reader.tag() == Objects::kNodesFieldNumber) {
      pbf_reader object = Reader(Bytes(reader));
      while (object.next()) {
        if (object.tag() == tensorflow::SavedObject::kVariableFieldNumber) {
          meta.variables[number] = ReadVariable(Bytes(object));
        } else {
          object.skip();
        }
      }
      ++number;
    } else {
      reader.skip();
    }
  }
}

absl::Status ReadGraphDef(std::string_view bytes, MetaGraph& meta) {
  meta.debug_info = DebugInfoOf(bytes);
  return ReadGraph(bytes, "graph_def", meta.graph);
}

absl::Status ReadMeta(std::string_view bytes, MetaGraph& meta) {
  pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case tensorflow::MetaGraphDef::kMetaInfoDefFieldNumber:
        ReadMetaInfo(Bytes(reader), meta);
        break;
      case tensorflow::MetaGraphDef::kGraphDefFieldNumber:
        TW_RETURN_IF_ERROR(ReadGraphDef(Bytes(reader), meta));
        break;
      case tensorflow::MetaGraphDef::kCollectionDefFieldNumber:
        ReadCollection(Bytes(reader), meta);
        break;
      case tensorflow::MetaGraphDef::kSignatureDefFieldNumber:
        ReadSignature(Bytes(reader), meta);
        break;
      case tensorflow::MetaGraphDef::kObjectGraphDefFieldNumber:
        ReadObjectGraph(Bytes(reader), meta);
        break;
      default:
        reader.skip();
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadMetaGraph(std::string_view bytes, MetaGraph& meta) {
  return Fenced("MetaGraphDef", [&] { return ReadMeta(bytes, meta); });
}

absl::Status ReadSavedModel(std::string_view bytes, std::vector<MetaGraph>& graphs) {
  return Fenced("SavedModel", [&]() -> absl::Status {
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      if (reader.tag() != tensorflow::SavedModel::kMetaGraphsFieldNumber) {
        reader.skip();
        continue;
      }
      if (graphs.size() == kMaxGraphs) {
        return InvalidInput("found more than 64 graphs in a SavedModel");
      }
      graphs.emplace_back();
      TW_RETURN_IF_ERROR(ReadMeta(Bytes(reader), graphs.back()));
    }
    return absl::OkStatus();
  });
}

}  // namespace tilewise::tf

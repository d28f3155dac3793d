// One pass over the bytes with protozero, which throws on malformed ones: the
// exceptions end here. Nested graphs are bounded in depth.

#include "frontend/onnx/parse_model.h"

#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>
#include <protozero/pbf_reader.hpp>

#include "frontend/onnx/parse_tensor.h"
#include "frontend/onnx/parse_type.h"

namespace tilewise::onnx {
namespace {

namespace pb = onnx_format;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

class Parser {
 public:
  explicit Parser(std::string_view bytes) : bytes_(bytes) { state_.at = bytes.data(); }

  ModelView Model();
  size_t offset() const { return static_cast<size_t>(state_.at - bytes_.data()); }
  bool too_deep() const { return state_.too_deep; }

 private:
  using Attribute = pb::AttributeProto;

  pbf_reader Message(pbf_reader& reader) { return state_.Message(reader); }

  GraphView Graph(pbf_reader reader, int depth);
  NodeView Node(pbf_reader reader, int depth);
  AttributeView AttributeOf(pbf_reader reader, int depth);
  void ListItem(pbf_reader& reader, AttributeView& attribute);
  ValueInfoView ValueInfo(pbf_reader& reader) { return ParseValueInfo(Message(reader), state_); }
  TensorView SparseTensor(pbf_reader reader);
  OpsetView Opset(pbf_reader reader);
  FunctionView Function(pbf_reader reader);

  std::string_view bytes_;
  ParseState state_;
};

OpsetView Parser::Opset(pbf_reader reader) {
  OpsetView opset;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case protozero::tag_and_type(pb::OperatorSetIdProto::kDomainFieldNumber,
                                   pbf_wire_type::length_delimited):
        opset.domain = Text(reader);
        break;
      case protozero::tag_and_type(pb::OperatorSetIdProto::kVersionFieldNumber,
                                   pbf_wire_type::varint):
        opset.version = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  return opset;
}

// A tensor of the dense dims, without its data.
TensorView Parser::SparseTensor(pbf_reader reader) {
  TensorView tensor;
  std::vector<int64_t> dims;
  while (reader.next()) {
    if (reader.tag() == pb::SparseTensorProto::kValuesFieldNumber &&
        reader.wire_type() == pbf_wire_type::length_delimited) {
      tensor = ParseTensor(Text(reader));
    } else if (reader.tag() == pb::SparseTensorProto::kDimsFieldNumber) {
      AppendIntegers(reader, dims);
    } else {
      reader.skip();
    }
  }
  TensorView dense;
  dense.name = tensor.name;
  dense.data_type = tensor.data_type;
  dense.dims = std::move(dims);
  dense.external = true;
  return dense;
}

void Parser::ListItem(pbf_reader& reader, AttributeView& attribute) {
  switch (reader.tag()) {
    case Attribute::kFloatsFieldNumber:
      AppendFloats(reader, attribute.floats);
      break;
    case Attribute::kIntsFieldNumber:
      AppendIntegers(reader, attribute.ints);
      break;
    default:
      reader.skip();
  }
}

AttributeView Parser::AttributeOf(pbf_reader reader, int depth) {
  AttributeView attribute;
  while (reader.next()) {
    const pbf_wire_type wire = reader.wire_type();
    if (wire == pbf_wire_type::length_delimited) {
      switch (reader.tag()) {
        case Attribute::kNameFieldNumber:
          attribute.name = Text(reader);
          continue;
        case Attribute::kRefAttrNameFieldNumber:
          attribute.reference = Text(reader);
          continue;
        case Attribute::kSFieldNumber:
          attribute.s = Text(reader);
          continue;
        case Attribute::kStringsFieldNumber:
          attribute.strings.push_back(Text(reader));
          continue;
        case Attribute::kTFieldNumber:
          attribute.tensor = std::make_unique<TensorView>(ParseTensor(Text(reader)));
          continue;
        case Attribute::kSparseTensorFieldNumber:
          attribute.tensor = std::make_unique<TensorView>(SparseTensor(Message(reader)));
          continue;
        case Attribute::kGFieldNumber:
          attribute.graph = std::make_unique<GraphView>(Graph(Message(reader), depth + 1));
          continue;
        default:
          ListItem(reader, attribute);
          continue;
      }
    }
    switch (reader.tag_and_type()) {
      case protozero::tag_and_type(Attribute::kFFieldNumber, pbf_wire_type::fixed32):
        attribute.f = reader.get_float();
        break;
      case protozero::tag_and_type(Attribute::kIFieldNumber, pbf_wire_type::varint):
        attribute.i = reader.get_int64();
        break;
      case protozero::tag_and_type(Attribute::kTypeFieldNumber, pbf_wire_type::varint):
        attribute.type = reader.get_enum();
        break;
      default:
        ListItem(reader, attribute);
    }
  }
  return attribute;
}

NodeView Parser::Node(pbf_reader reader, int depth) {
  NodeView node;
  while (reader.next()) {
    if (reader.wire_type() != pbf_wire_type::length_delimited) {
      reader.skip();
      continue;
    }
    switch (reader.tag()) {
      case pb::NodeProto::kInputFieldNumber:
        node.inputs.push_back(Text(reader));
        break;
      case pb::NodeProto::kOutputFieldNumber:
        node.outputs.push_back(Text(reader));
        break;
      case pb::NodeProto::kNameFieldNumber:
        node.name = Text(reader);
        break;
      case pb::NodeProto::kOpTypeFieldNumber:
        node.op_type = Text(reader);
        break;
      case pb::NodeProto::kDomainFieldNumber:
        node.domain = Text(reader);
        break;
      case pb::NodeProto::kAttributeFieldNumber:
        node.attributes.push_back(AttributeOf(Message(reader), depth));
        break;
      default:
        reader.skip();
    }
  }
  if (node.domain == "ai.onnx") node.domain = {};
  return node;
}

GraphView Parser::Graph(pbf_reader reader, int depth) {
  GraphView graph;
  if (depth > ParseState::kMaxDepth) {
    state_.too_deep = true;
    return graph;
  }
  while (reader.next()) {
    if (reader.wire_type() != pbf_wire_type::length_delimited) {
      reader.skip();
      continue;
    }
    switch (reader.tag()) {
      case pb::GraphProto::kNodeFieldNumber:
        graph.nodes.push_back(Node(Message(reader), depth));
        break;
      case pb::GraphProto::kNameFieldNumber:
        graph.name = Text(reader);
        break;
      case pb::GraphProto::kInitializerFieldNumber:
        graph.initializers.push_back(ParseTensor(Text(reader)));
        break;
      case pb::GraphProto::kSparseInitializerFieldNumber:
        graph.initializers.push_back(SparseTensor(Message(reader)));
        break;
      case pb::GraphProto::kInputFieldNumber:
        graph.inputs.push_back(ValueInfo(reader));
        break;
      case pb::GraphProto::kOutputFieldNumber:
        graph.outputs.push_back(ValueInfo(reader));
        break;
      case pb::GraphProto::kValueInfoFieldNumber:
        graph.values.push_back(ValueInfo(reader));
        break;
      default:
        reader.skip();
    }
  }
  return graph;
}

FunctionView Parser::Function(pbf_reader reader) {
  FunctionView function;
  while (reader.next()) {
    if (reader.wire_type() != pbf_wire_type::length_delimited) {
      reader.skip();
      continue;
    }
    switch (reader.tag()) {
      case pb::FunctionProto::kNameFieldNumber:
        function.name = Text(reader);
        break;
      case pb::FunctionProto::kDomainFieldNumber:
        function.domain = Text(reader);
        break;
      case pb::FunctionProto::kInputFieldNumber:
        function.inputs.push_back(Text(reader));
        break;
      case pb::FunctionProto::kOutputFieldNumber:
        function.outputs.push_back(Text(reader));
        break;
      case pb::FunctionProto::kNodeFieldNumber:
        function.nodes.push_back(Node(Message(reader), 0));
        break;
      case pb::FunctionProto::kOpsetImportFieldNumber:
        function.opsets.push_back(Opset(Message(reader)));
        break;
      case pb::FunctionProto::kAttributeProtoFieldNumber:
        function.defaults.push_back(AttributeOf(Message(reader), 0));
        break;
      default:
        reader.skip();
    }
  }
  return function;
}

ModelView Parser::Model() {
  ModelView model;
  pbf_reader reader(bytes_.data(), bytes_.size());
  while (reader.next()) {
    if (reader.tag_and_type() ==
        protozero::tag_and_type(pb::ModelProto::kIrVersionFieldNumber, pbf_wire_type::varint)) {
      model.ir_version = reader.get_int64();
      continue;
    }
    if (reader.wire_type() != pbf_wire_type::length_delimited) {
      reader.skip();
      continue;
    }
    switch (reader.tag()) {
      case pb::ModelProto::kProducerNameFieldNumber:
        model.producer = Text(reader);
        break;
      case pb::ModelProto::kProducerVersionFieldNumber:
        model.producer_version = Text(reader);
        break;
      case pb::ModelProto::kOpsetImportFieldNumber:
        model.opsets.push_back(Opset(Message(reader)));
        break;
      case pb::ModelProto::kGraphFieldNumber:
        model.graph = Graph(Message(reader), 0);
        model.has_graph = true;
        break;
      case pb::ModelProto::kTrainingInfoFieldNumber:
        model.has_training = true;
        reader.skip();
        break;
      case pb::ModelProto::kFunctionsFieldNumber:
        model.functions.push_back(Function(Message(reader)));
        break;
      default:
        reader.skip();
    }
  }
  return model;
}

}  // namespace

absl::StatusOr<ModelView> ParseModel(std::string_view bytes) {
  Parser parser(bytes);
  try {
    ModelView model = parser.Model();
    if (parser.too_deep()) {
      return InvalidInput(
          fmt::format("found graphs nested deeper than {}, expected fewer", ParseState::kMaxDepth));
    }
    return model;
  } catch (const protozero::exception& error) {
    return InvalidInput(
        fmt::format("found malformed bytes ({}) in the message at byte {}, "
                    "expected an ONNX model; the file may be cut off",
                    error.what(), parser.offset()));
  }
}

}  // namespace tilewise::onnx

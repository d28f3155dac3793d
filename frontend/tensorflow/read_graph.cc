// Walks GraphDef messages once. Attributes are found, not decoded.

#include "frontend/tensorflow/read_graph.h"

#include <algorithm>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/tensorflow/wire.h"

namespace tilewise::tf {

const FunctionDef* GraphDef::Function(std::string_view name) const {
  const auto found = function_index.find(name);
  return found == function_index.end() ? nullptr : &functions[found->second];
}

namespace {

// These bound one file. The largest public models have some 10^5 nodes.
constexpr size_t kMaxNodes = 3'000'000;
constexpr size_t kMaxAttrs = 12'000'000;
constexpr size_t kMaxInputs = 16'000'000;

using protozero::pbf_reader;

class GraphReader {
 public:
  explicit GraphReader(GraphDef& graph) : graph_(graph) {}

  absl::Status Graph(std::string_view bytes) {
    // Nodes take a hundred bytes or more each, unless they have weights.
    constexpr size_t kNodeBytes = 100;
    constexpr size_t kMostReserved = 1'000'000;
    graph_.nodes.reserve(std::min(bytes.size() / kNodeBytes, kMostReserved));
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      switch (reader.tag()) {
        case tensorflow::GraphDef::kNodeFieldNumber:
          graph_.nodes.emplace_back();
          TW_RETURN_IF_ERROR(Node(Bytes(reader), graph_.nodes.back()));
          break;
        case tensorflow::GraphDef::kLibraryFieldNumber:
          TW_RETURN_IF_ERROR(Library(Bytes(reader)));
          break;
        case tensorflow::GraphDef::kVersionsFieldNumber:
          Versions(Bytes(reader));
          break;
        default:
          reader.skip();
      }
    }
    return absl::OkStatus();
  }

  absl::Status Library(std::string_view bytes) {
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      if (reader.tag() == tensorflow::FunctionDefLibrary::kFunctionFieldNumber) {
        FunctionDef function;
        TW_RETURN_IF_ERROR(Function(Bytes(reader), function));
        graph_.function_index.try_emplace(function.name,
                                          static_cast<int32_t>(graph_.functions.size()));
        graph_.functions.push_back(std::move(function));
      } else if (reader.tag() == tensorflow::FunctionDefLibrary::kGradientFieldNumber) {
        Gradient(Bytes(reader));
      } else {
        reader.skip();
      }
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Node(std::string_view bytes, NodeDef& node) {
    attrs_.clear();
    inputs_.clear();
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      switch (reader.tag()) {
        case tensorflow::NodeDef::kNameFieldNumber:
          node.name = Bytes(reader);
          break;
        case tensorflow::NodeDef::kOpFieldNumber:
          node.op = Known(Bytes(reader));
          break;
        case tensorflow::NodeDef::kDeviceFieldNumber:
          node.device = Bytes(reader);
          break;
        case tensorflow::NodeDef::kInputFieldNumber:
          inputs_.push_back(Bytes(reader));
          break;
        case tensorflow::NodeDef::kAttrFieldNumber:
          attrs_.push_back(Entry(Bytes(reader)));
          break;
        default:
          reader.skip();
      }
    }
    if (node.name.empty() || node.op.empty()) {
      return InvalidInput(fmt::format("node {} ('{}') has no {}", nodes_, node.name,
                                      node.name.empty() ? "name" : "op"));
    }
    node.inputs = graph_.input_pool.Add(inputs_);
    node.attrs = graph_.attr_pool.Add(attrs_);
    return Counted(1, attrs_.size(), inputs_.size());
  }

  // The text of the first node of that op: ops are few and looked at often, and
  // so stay where the processor finds them at once.
  std::string_view Known(std::string_view op) { return *ops_.insert(op).first; }

  absl::Status Counted(size_t nodes, size_t attrs, size_t inputs) {
    nodes_ += nodes;
    all_attrs_ += attrs;
    all_inputs_ += inputs;
    if (nodes_ > kMaxNodes || all_attrs_ > kMaxAttrs || all_inputs_ > kMaxInputs) {
      return InvalidInput(
          fmt::format("found more than {} nodes, {} attributes or {} inputs of nodes, "
                      "which no model has",
                      kMaxNodes, kMaxAttrs, kMaxInputs));
    }
    return absl::OkStatus();
  }

  static Attr Entry(std::string_view bytes) {
    Attr attr;
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      if (reader.tag() == 1) {
        attr.name = Bytes(reader);
      } else if (reader.tag() == 2) {
        attr.value = Bytes(reader);
      } else {
        reader.skip();
      }
    }
    return attr;
  }

  static std::pair<std::string_view, std::string_view> TextEntry(std::string_view bytes) {
    const Attr entry = Entry(bytes);
    return {entry.name, entry.value};
  }

  absl::Status Function(std::string_view bytes, FunctionDef& function) {
    std::vector<NodeDef> nodes;
    std::vector<std::pair<std::string_view, std::string_view>> ret;
    std::vector<Attr> attrs;
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      switch (reader.tag()) {
        case tensorflow::FunctionDef::kSignatureFieldNumber:
          TW_RETURN_IF_ERROR(Signature(Bytes(reader), function));
          break;
        case tensorflow::FunctionDef::kNodeDefFieldNumber:
          nodes.emplace_back();
          TW_RETURN_IF_ERROR(Node(Bytes(reader), nodes.back()));
          break;
        case tensorflow::FunctionDef::kRetFieldNumber:
          ret.push_back(TextEntry(Bytes(reader)));
          break;
        case tensorflow::FunctionDef::kAttrFieldNumber:
          attrs.push_back(Entry(Bytes(reader)));
          break;
        case tensorflow::FunctionDef::kArgAttrFieldNumber:
          ArgAttrs(Bytes(reader), function);
          break;
        default:
          reader.skip();
      }
    }
    function.nodes = graph_.node_pool.Add(nodes);
    function.ret = graph_.ret_pool.Add(ret);
    function.attrs = graph_.attr_pool.Add(attrs);
    return Counted(1, attrs.size(), ret.size());
  }

  absl::Status Signature(std::string_view bytes, FunctionDef& function) {
    std::vector<ArgDef> inputs;
    std::vector<ArgDef> outputs;
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      switch (reader.tag()) {
        case tensorflow::OpDef::kNameFieldNumber:
          function.name = Bytes(reader);
          break;
        case tensorflow::OpDef::kInputArgFieldNumber:
          inputs.push_back(Arg(Bytes(reader)));
          break;
        case tensorflow::OpDef::kOutputArgFieldNumber:
          outputs.push_back(Arg(Bytes(reader)));
          break;
        default:
          reader.skip();
      }
    }
    function.inputs = graph_.arg_pool.Add(inputs);
    function.outputs = graph_.arg_pool.Add(outputs);
    return Counted(0, inputs.size() + outputs.size(), 0);
  }

  static ArgDef Arg(std::string_view bytes) {
    ArgDef arg;
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      switch (reader.tag()) {
        case tensorflow::OpDef::ArgDef::kNameFieldNumber:
          arg.name = Bytes(reader);
          break;
        case tensorflow::OpDef::ArgDef::kTypeFieldNumber:
          arg.type = WithoutReference(Varint(reader));
          break;
        case tensorflow::OpDef::ArgDef::kTypeAttrFieldNumber:
          arg.type_attr = Bytes(reader);
          break;
        case tensorflow::OpDef::ArgDef::kNumberAttrFieldNumber:
          arg.number_attr = Bytes(reader);
          break;
        case tensorflow::OpDef::ArgDef::kTypeListAttrFieldNumber:
          arg.type_list_attr = Bytes(reader);
          break;
        case tensorflow::OpDef::ArgDef::kHandleDataFieldNumber:
          HandleData(Bytes(reader), arg);
          break;
        default:
          reader.skip();
      }
    }
    return arg;
  }

  static void HandleData(std::string_view bytes, ArgDef& arg) {
    using Data = tensorflow::ResourceHandleProto::DtypeAndShape;
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      if (reader.tag() == Data::kDtypeFieldNumber) {
        arg.handle_type = WithoutReference(Varint(reader));
      } else if (reader.tag() == Data::kShapeFieldNumber) {
        arg.handle_shape = DecodeShape(Bytes(reader));
      } else {
        reader.skip();
      }
    }
  }

  void ArgAttrs(std::string_view bytes, FunctionDef& function) {
    uint32_t number = 0;
    std::vector<Attr> attrs;
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      if (reader.tag() == 1) {
        number = static_cast<uint32_t>(Varint(reader));
      } else if (reader.tag() == 2) {
        pbf_reader inner = Reader(Bytes(reader));
        while (inner.next()) {
          if (inner.tag() == tensorflow::FunctionDef::ArgAttrs::kAttrFieldNumber) {
            attrs.push_back(Entry(Bytes(inner)));
          } else {
            inner.skip();
          }
        }
      } else {
        reader.skip();
      }
    }
    function.arg_attrs[number] = graph_.attr_pool.Add(attrs);
  }

  void Gradient(std::string_view bytes) {
    std::string_view function;
    std::string_view gradient;
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      if (reader.tag() == tensorflow::GradientDef::kFunctionNameFieldNumber) {
        function = Bytes(reader);
      } else if (reader.tag() == tensorflow::GradientDef::kGradientFuncFieldNumber) {
        gradient = Bytes(reader);
      } else {
        reader.skip();
      }
    }
    graph_.gradients.try_emplace(function, gradient);
  }

  void Versions(std::string_view bytes) {
    pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      if (reader.tag() == tensorflow::VersionDef::kProducerFieldNumber) {
        graph_.producer = static_cast<int32_t>(Varint(reader));
      } else {
        reader.skip();
      }
    }
  }

  GraphDef& graph_;
  std::vector<Attr> attrs_;  // of the node at hand
  std::vector<std::string_view> inputs_;
  absl::flat_hash_set<std::string_view> ops_;
  size_t nodes_ = 0, all_attrs_ = 0, all_inputs_ = 0;
};

}  // namespace

absl::Status ReadGraph(std::string_view bytes, std::string_view what, GraphDef& graph) {
  return Fenced(what, [&] { return GraphReader(graph).Graph(bytes); });
}

absl::Status ReadLibrary(std::string_view bytes, GraphDef& graph) {
  return Fenced("function library", [&] { return GraphReader(graph).Library(bytes); });
}

}  // namespace tilewise::tf

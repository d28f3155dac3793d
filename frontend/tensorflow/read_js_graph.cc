// libprotobuf turns the JSON into the binary form, which has one reader.

#include "frontend/tensorflow/read_js_graph.h"

#include <exception>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/json_util.h>
#include <nlohmann/json.hpp>

#include "frontend/tensorflow/read_graph.h"
#include "frontend/tensorflow/tensorflow.pb.h"

namespace tilewise::tf {
namespace {

using nlohmann::json;
namespace pb = google::protobuf;

constexpr int kMaxJsonDepth = 64;

// Constants have type and shape alone; content that is too short for them says
// that their values are not known.
void MarkConstants(tensorflow::GraphDef& graph) {
  for (tensorflow::NodeDef& node : *graph.mutable_node()) {
    if (node.op() != "Const") continue;
    const auto value = node.mutable_attr()->find("value");
    if (value == node.mutable_attr()->end()) continue;
    tensorflow::TensorProto& tensor = *value->second.mutable_tensor();
    const bool stated = !tensor.tensor_content().empty() || tensor.float_val_size() > 0 ||
                        tensor.int_val_size() > 0 || tensor.int64_val_size() > 0 ||
                        tensor.bool_val_size() > 0 || tensor.double_val_size() > 0 ||
                        tensor.string_val_size() > 0 || tensor.half_val_size() > 0;
    if (!stated) tensor.set_tensor_content(std::string(1, '\0'));
  }
}

absl::Status ToWire(const json& part, pb::Message& message, std::string_view what) {
  pb::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const auto status = pb::util::JsonStringToMessage(part.dump(), &message, options);
  if (status.ok()) return absl::OkStatus();
  return InvalidInput(fmt::format("found {} that is no {} ({})", what,
                                  message.GetDescriptor()->name(),
                                  std::string(status.message().data(), status.message().size())));
}

absl::Status Read(std::string_view bytes, MetaGraph& meta) {
  bool too_deep = false;
  const json document =
      json::parse(bytes.begin(), bytes.end(), [&](int depth, json::parse_event_t, json&) {
        too_deep = too_deep || depth > kMaxJsonDepth;
        return depth <= kMaxJsonDepth;
      });
  if (too_deep) {
    return InvalidInput(
        fmt::format("found JSON nested more than {} deep, expected less", kMaxJsonDepth));
  }
  if (!document.is_object() || !document.contains("modelTopology")) {
    return InvalidInput("found no \"modelTopology\", expected one");
  }
  const pb::LogSilencer quiet;  // of names that are not UTF-8
  tensorflow::GraphDef graph;
  TW_RETURN_IF_ERROR(ToWire(document["modelTopology"], graph, "a modelTopology"));
  MarkConstants(graph);
  meta.graph.texts.push_back(graph.SerializePartialAsString());
  TW_RETURN_IF_ERROR(ReadGraph(meta.graph.texts.back(), "modelTopology", meta.graph));
  for (const std::string_view name : {"signature", "userDefinedMetadata"}) {
    const auto found = document.find(std::string(name));
    if (found == document.end() || !found->is_object()) continue;
    const json& signature = found->contains("signature") ? (*found)["signature"] : *found;
    tensorflow::SignatureDef message;
    if (!ToWire(signature, message, "a signature").ok()) continue;
    SignatureDef& read = meta.signatures["serving_default"];
    for (const auto& [key, info] : message.outputs()) {
      meta.graph.texts.push_back(key);
      TensorInfo& tensor = read.outputs[meta.graph.texts.back()];
      meta.graph.texts.push_back(info.name());
      tensor.name = meta.graph.texts.back();
    }
  }
  const auto by = document.find("convertedBy");
  if (by != document.end() && by->is_string()) {
    meta.graph.texts.push_back(fmt::format("js, {}", by->get_ref<const std::string&>()));
    meta.tensorflow_version = meta.graph.texts.back();
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadJsGraph(std::string_view bytes, MetaGraph& meta) {
  try {
    return Read(bytes, meta);
  } catch (const std::exception& e) {
    return InvalidInput(fmt::format("found malformed JSON: {}", e.what()));
  }
}

}  // namespace tilewise::tf

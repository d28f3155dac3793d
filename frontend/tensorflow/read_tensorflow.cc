// Which message a file holds, and which of its graphs is the step.

#include "frontend/tensorflow/read_tensorflow.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend/tensorflow/build_workload.h"
#include "frontend/tensorflow/node_locations.h"
#include "frontend/tensorflow/read_graph.h"
#include "frontend/tensorflow/read_js_graph.h"
#include "frontend/tensorflow/read_meta_graph.h"
#include "frontend/tensorflow/sniff.h"
#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/tensorflow/text_template.h"
#include "frontend/wire/text_to_wire.h"
#include "workload/reader_note.h"

namespace tilewise {
namespace {

using tf::FileKind;

constexpr std::string_view kGraphFormat = "graphdef";
constexpr std::string_view kModelFormat = "saved-model";
constexpr std::string_view kMetaFormat = "metagraph";
constexpr std::string_view kJsFormat = "tfjs-graph";

// The binary form: the file itself, or made of its text and kept in `made`.
absl::StatusOr<std::string_view> Wire(const InputFile& file, bool text,
                                      const google::protobuf::Message& schema, std::string& made) {
  if (!text) return file.bytes;
  if (tf::HasOpenFields(file.bytes)) {
    TW_ASSIGN_OR_RETURN(made, TextToWire(tf::CloseTemplate(file.bytes), schema));
    return made;
  }
  TW_ASSIGN_OR_RETURN(made, TextToWire(file.bytes, schema));
  return made;
}

// Whether the form that was asked for must be text: content that no kind
// claims is taken as binary unless it reads like text.
bool IsText(const tf::FileForm& form, std::string_view bytes) {
  if (form.kind != FileKind::kNone) return form.text;
  for (const char c : bytes.substr(0, 256)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') {
      return false;
    }
  }
  return true;
}

absl::StatusOr<Workload> Build(const tf::MetaGraph& meta, const InputFile& file,
                               std::string_view format) {
  absl::StatusOr<Workload> workload = tf::BuildWorkload(meta, file.path, format);
  if (!workload.ok()) return Annotate(workload.status(), file.path);
  return workload;
}

// How well a graph is what a TPU would be given: that to serve on one, that to
// serve anywhere, that to serve on something else.
int Fit(const tf::MetaGraph& graph) {
  const auto has = [&](std::string_view tag) {
    return std::ranges::find(graph.tags, tag) != graph.tags.end();
  };
  if (!has("serve") || graph.graph.nodes.empty()) return 0;
  if (has("tpu")) return 3;
  return graph.tags.size() == 1 ? 2 : 1;
}

// The first of the best.
tf::MetaGraph& ChooseGraph(std::vector<tf::MetaGraph>& graphs) {
  return *std::ranges::max_element(graphs, {}, Fit);
}

void NoteOthers(const std::vector<tf::MetaGraph>& graphs, const tf::MetaGraph& chosen,
                const std::string& file, Workload& workload) {
  if (graphs.size() < 2) return;
  workload.notes.push_back(NoteOnFile(
      "RD003", "other-graphs", file,
      fmt::format("the file has {} graphs; the one tagged {} is read", graphs.size(),
                  chosen.tags.empty() ? std::string("by nothing")
                                      : fmt::format("{}", fmt::join(chosen.tags, ", ")))));
}

}  // namespace

bool LooksLikeGraphDef(const InputFile& file) {
  const FileKind kind = tf::Sniff(file.bytes).kind;
  return kind == FileKind::kGraphDef || kind == FileKind::kFunctionLibrary;
}

bool LooksLikeSavedModel(const InputFile& file) {
  return tf::Sniff(file.bytes).kind == FileKind::kSavedModel;
}

bool LooksLikeMetaGraph(const InputFile& file) {
  return tf::Sniff(file.bytes).kind == FileKind::kMetaGraph;
}

bool LooksLikeTfjsGraph(const InputFile& file) { return tf::LooksLikeJsGraph(file.bytes); }

absl::StatusOr<Workload> ReadGraphDef(const InputFile& file, const LoadOptions& /*options*/) {
  const tf::FileForm form = tf::Sniff(file.bytes);
  const bool library = form.kind == FileKind::kFunctionLibrary;
  std::string made;
  absl::StatusOr<std::string_view> wire =
      library
          ? Wire(file, form.text, tensorflow::FunctionDefLibrary::default_instance(), made)
          : Wire(file, IsText(form, file.bytes), tensorflow::GraphDef::default_instance(), made);
  if (!wire.ok()) return Annotate(wire.status(), file.path);
  tf::MetaGraph meta;
  const absl::Status read =
      library ? tf::ReadLibrary(*wire, meta.graph) : tf::ReadGraph(*wire, "GraphDef", meta.graph);
  if (!read.ok()) return Annotate(read, file.path);
  if (!library) meta.debug_info = tf::DebugInfoOf(*wire);
  return Build(meta, file, kGraphFormat);
}

absl::StatusOr<Workload> ReadSavedModel(const InputFile& file, const LoadOptions& /*options*/) {
  const tf::FileForm form = tf::Sniff(file.bytes);
  std::string made;
  absl::StatusOr<std::string_view> wire =
      Wire(file, IsText(form, file.bytes), tensorflow::SavedModel::default_instance(), made);
  if (!wire.ok()) return Annotate(wire.status(), file.path);
  std::vector<tf::MetaGraph> graphs;
  const absl::Status read = tf::ReadSavedModel(*wire, graphs);
  if (!read.ok()) return Annotate(read, file.path);
  if (graphs.empty()) {
    return InvalidInput(
        fmt::format("{}: found a SavedModel without graphs, expected one", file.path));
  }
  tf::MetaGraph& chosen = ChooseGraph(graphs);
  if (!file.beside.empty()) chosen.debug_info = file.beside;
  absl::StatusOr<Workload> workload = Build(chosen, file, kModelFormat);
  if (workload.ok()) NoteOthers(graphs, chosen, file.path, *workload);
  return workload;
}

absl::StatusOr<Workload> ReadMetaGraph(const InputFile& file, const LoadOptions& /*options*/) {
  const tf::FileForm form = tf::Sniff(file.bytes);
  std::string made;
  absl::StatusOr<std::string_view> wire =
      Wire(file, IsText(form, file.bytes), tensorflow::MetaGraphDef::default_instance(), made);
  if (!wire.ok()) return Annotate(wire.status(), file.path);
  tf::MetaGraph meta;
  const absl::Status read = tf::ReadMetaGraph(*wire, meta);
  if (!read.ok()) return Annotate(read, file.path);
  return Build(meta, file, kMetaFormat);
}

absl::StatusOr<Workload> ReadTfjsGraph(const InputFile& file, const LoadOptions& /*options*/) {
  tf::MetaGraph meta;
  const absl::Status read = tf::ReadJsGraph(file.bytes, meta);
  if (!read.ok()) return Annotate(read, file.path);
  return Build(meta, file, kJsFormat);
}

}  // namespace tilewise

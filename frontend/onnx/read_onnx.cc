// A model is read with its symbolic dims as the batch. Where ops cannot work on
// an unknown number of examples, it is read again with a number in their place.

#include "frontend/onnx/read_onnx.h"

#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "frontend/onnx/graph_reader.h"
#include "frontend/onnx/parse_model.h"
#include "frontend/wire/text_to_wire.h"
#include "workload/reader_note.h"

namespace tilewise {
namespace {

constexpr size_t kTextPrefix = size_t{1} << 16;

bool IsModelField(std::string_view word) {
  constexpr std::string_view kFields[] = {
      "ir_version", "producer_name", "producer_version", "model_version", "doc_string",    "domain",
      "graph",      "opset_import",  "training_info",    "functions",     "metadata_props"};
  for (const std::string_view field : kFields) {
    if (word == field) return true;
  }
  return false;
}

// The first word of protobuf text, after spaces and comments.
std::string_view FirstWord(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '#') {
      while (at < text.size() && text[at] != '\n') ++at;
    } else if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else {
      break;
    }
  }
  size_t end = at;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
    ++end;
  }
  return text.substr(at, end - at);
}

bool LooksLikeText(std::string_view bytes) {
  const std::string_view prefix = bytes.substr(0, kTextPrefix);
  if (!IsModelField(FirstWord(prefix))) return false;
  return prefix.find("op_type:") != std::string_view::npos ||
         prefix.find("opset_import") != std::string_view::npos;
}

struct Reading {
  Graph graph;
  onnx::ReadSummary summary;
};

absl::StatusOr<Reading> ReadGraph(const onnx::ModelView& model, const onnx::ReadSettings& settings,
                                  int64_t& not_lowered, std::string& reason) {
  onnx::GraphReader reader(model, settings);
  absl::StatusOr<Graph> graph = reader.Read();
  not_lowered = reader.summary().not_lowered;
  reason = reader.summary().first_failure;
  if (!graph.ok()) {
    reason = Message(graph.status());
    return graph.status();
  }
  return Reading{*std::move(graph), std::move(reader.summary())};
}

// The better of the two readings: per batch, unless fewer ops fail without.
absl::StatusOr<Reading> BestReading(const onnx::ModelView& model, onnx::ReadSettings settings) {
  int64_t failed = 0;
  std::string reason;
  absl::StatusOr<Reading> first = ReadGraph(model, settings, failed, reason);
  const onnx::DimPolicy dims(onnx::DataInputs(model.graph), true);
  if (!dims.has_batch() || (first.ok() && failed == 0)) return first;
  settings.batch = false;
  int64_t failed_static = 0;
  std::string other_reason;
  absl::StatusOr<Reading> second = ReadGraph(model, settings, failed_static, other_reason);
  if (!second.ok() || (first.ok() && failed_static >= failed)) return first;
  Diagnostic note =
      NoteOnFile("RD002", "cannot-resolve", settings.file,
                 fmt::format("dim {} is taken as a number, not as the batch: the model "
                             "does not work for every size of it: {}",
                             dims.batch_name(), reason));
  second->summary.notes.insert(second->summary.notes.begin(), std::move(note));
  return second;
}

std::string ProducerOf(const onnx::ModelView& model) {
  if (model.producer.empty() || model.producer_version.empty()) {
    return std::string(model.producer);
  }
  return fmt::format("{} {}", model.producer, model.producer_version);
}

StepKind StepOf(const onnx::ReadSummary& summary, const LoadOptions& options) {
  if (summary.has_gradients) return StepKind::kTrainingStep;
  return options.training.value_or(false) ? StepKind::kTraining : StepKind::kInference;
}

}  // namespace

bool LooksLikeOnnx(const InputFile& file) {
  return onnx::LooksLikeModel(file.bytes) || LooksLikeText(file.bytes);
}

absl::StatusOr<Workload> ReadOnnx(const InputFile& file, const LoadOptions& options) {
  std::string wire;
  std::string_view bytes = file.bytes;
  if (!onnx::LooksLikeModel(bytes) && LooksLikeText(bytes)) {
    absl::StatusOr<std::string> converted = TextToWire(bytes, onnx_format::ModelProto());
    if (!converted.ok()) return Annotate(converted.status(), file.path);
    wire = *std::move(converted);
    bytes = wire;
  }
  absl::StatusOr<onnx::ModelView> model = onnx::ParseModel(bytes);
  if (!model.ok()) return Annotate(model.status(), file.path);
  if (!model->has_graph) {
    return InvalidInput(
        fmt::format("{}: found an ONNX message without a graph, expected a model", file.path));
  }
  onnx::ReadSettings settings;
  settings.file = file.path;
  settings.training = options.training.value_or(false);
  absl::StatusOr<Reading> reading = BestReading(*model, settings);
  if (!reading.ok()) {
    const std::string message = Message(reading.status());
    if (message.find(file.path) != std::string::npos) return reading.status();
    return Annotate(reading.status(), file.path);
  }
  Workload workload;
  workload.name = model->graph.name.empty() ? file.path : std::string(model->graph.name);
  workload.format = "onnx";
  workload.producer = ProducerOf(*model);
  workload.step = StepOf(reading->summary, options);
  workload.source_ops = std::move(reading->summary.source_ops);
  workload.layers = reading->summary.nodes;
  workload.opaque_layers = std::move(reading->summary.opaque_ops);
  workload.notes = std::move(reading->summary.notes);
  workload.module = std::move(reading->summary.facts);
  workload.graph = std::move(reading->graph);
  return workload;
}

}  // namespace tilewise

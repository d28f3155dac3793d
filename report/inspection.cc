// The text has one paragraph of figures for each file, then its tables. In
// JSON, shares are 0..1; sizes of inputs that grow with the batch are per
// example.

#include "report/inspection.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include <fmt/format.h>

#include "report/finding_lines.h"
#include "report/json.h"
#include "report/text.h"

namespace tilewise {
namespace {

std::string_view StepWords(StepKind step) {
  switch (step) {
    case StepKind::kTraining:
      return "forward pass, to be trained";
    case StepKind::kInference:
      return "inference";
    case StepKind::kTrainingStep:
      return "training step with its gradients";
  }
  return "";
}

// Names and numbers, the largest number first, equal ones by name.
std::vector<std::pair<std::string, int64_t>> ByCount(const std::map<std::string, int64_t>& counts) {
  std::vector<std::pair<std::string, int64_t>> rows(counts.begin(), counts.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return rows;
}

constexpr size_t kShownRows = 20;
constexpr std::string_view kRowIndent = "  ";

std::string Line(std::string_view label, const std::string& value) {
  return value.empty() ? "" : fmt::format("  {:<15} {}\n", label, Printable(value));
}

std::string NativeText(const Coverage& coverage) {
  return fmt::format("{} of ops, {} of FLOPs, {} of bytes", FormatPercent(coverage.native_ops),
                     FormatPercent(coverage.native_flops), FormatPercent(coverage.native_bytes));
}

std::string BatchText(const InspectedFile& file) {
  const bool symbolic = !file.workload.graph->is_static();
  return symbolic ? fmt::format("symbolic; figures are for {}", FormatCount(file.coverage.batch))
                  : "fixed by the file";
}

std::string FiguresText(const InspectedFile& file) {
  const Workload& workload = file.workload;
  const Coverage& coverage = file.coverage;
  std::string text = Line("format", workload.format) + Line("producer", workload.producer);
  if (!workload.graph) {
    text += Line("model", "none");
    if (!workload.model_size) return text;
    return text + Line("parameters", fmt::format("{}, and {} that are not trained",
                                                 FormatCount(workload.model_size->trainable),
                                                 FormatCount(workload.model_size->other)));
  }
  text += Line("step", std::string(StepWords(workload.step)));
  text += Line("batch", BatchText(file));
  text += Line("ops", fmt::format("{} in the file, {} in the graph", FormatCount(workload.layers),
                                  FormatCount(coverage.ops)));
  // Statistics of norms, and weights that follow the trained ones, are no parameters of the model.
  const int64_t trained = workload.graph->trainable_parameters();
  const bool some = trained > 0 && trained < coverage.parameters;
  text +=
      Line("parameters", fmt::format("{}{} ({})", FormatCount(some ? trained : coverage.parameters),
                                     some ? fmt::format(", and {} that are not trained",
                                                        FormatCount(coverage.parameters - trained))
                                          : "",
                                     FormatBytes(coverage.parameter_bytes)));
  text += Line("FLOPs", FormatShortCount(coverage.flops));
  text += Line("bytes moved", FormatBytes({static_cast<int64_t>(coverage.bytes)}));
  text += Line("native", NativeText(coverage));
  return text;
}

std::string CountOrUnknown(const Count& count) {
  return count.kind == Count::Kind::kValue ? FormatCount(count.value) : "not known";
}

// The update that is simulated, and the program's word for it.
std::string OptimizerText(const TrainingSpec& spec) {
  std::string simulated(OptimizerName(spec.optimizer));
  if (!spec.optimizer_known) {
    return spec.optimizer_name.empty()
               ? "not known; " + simulated + " stands in"
               : fmt::format("{}; {} stands in", spec.optimizer_name, simulated);
  }
  std::string name = spec.optimizer_name;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name.empty() || name == simulated) return simulated;
  return fmt::format("{} ({} in the program)", simulated, spec.optimizer_name);
}

std::string LossText(const TrainingSpec& spec) {
  if (!spec.loss_known) return "not known";
  return spec.loss_name.empty() ? "as the program computes it" : spec.loss_name;
}

// What trains the model, as the program was read.
std::string TrainingText(const Workload& workload) {
  if (!workload.training.has_value() || !workload.training->location.known()) return "";
  const TrainingSpec& spec = *workload.training;
  std::string text = Line("trained at", FormatLocation(spec.location));
  text += Line("optimizer", OptimizerText(spec));
  text += Line("loss", LossText(spec));
  const std::optional<int64_t> batch = workload.declared_global_batch();
  text += Line("global batch", batch.has_value() ? FormatCount(*batch) : "not known");
  if (spec.accumulation_steps > 1) text += Line("in parts", FormatCount(spec.accumulation_steps));
  text += Line("epochs", CountOrUnknown(workload.host_loop.epochs));
  return text;
}

// The lines of the program that cost most, in its order.
std::string LinesText(const Coverage& coverage, const RenderOptions& options) {
  if (coverage.lines.empty()) return "";
  std::vector<LineCost> lines = coverage.lines;
  if (!options.verbose && lines.size() > kShownRows) {
    std::vector<double> flops;
    flops.reserve(lines.size());
    for (const LineCost& line : lines) flops.push_back(line.flops);
    std::nth_element(flops.begin(), flops.begin() + kShownRows, flops.end(), std::greater<>());
    const double least = flops[kShownRows];
    std::erase_if(lines, [&](const LineCost& line) { return line.flops <= least; });
  }
  Table table({{"line", Align::kLeft}, {"ops"}, {"parameters"}, {"FLOPs"}});
  for (const LineCost& line : lines) {
    table.AddRow({FormatLocation(line.place), FormatCount(line.ops), FormatCount(line.parameters),
                  FormatShortCount(line.flops)});
  }
  std::string text = "\n" + table.Text(kRowIndent);
  if (lines.size() < coverage.lines.size()) {
    text += fmt::format("  and {} more (--verbose)\n", coverage.lines.size() - lines.size());
  }
  return text;
}

std::string CountText(const char* title, const std::map<std::string, int64_t>& counts,
                      const RenderOptions& options) {
  if (counts.empty()) return "";
  Table table({{title, Align::kLeft}, {"number"}});
  const auto rows = ByCount(counts);
  const size_t shown = options.verbose ? rows.size() : std::min(kShownRows, rows.size());
  for (size_t i = 0; i < shown; ++i) {
    table.AddRow({rows[i].first, FormatCount(rows[i].second)});
  }
  std::string text = "\n" + table.Text(kRowIndent);
  if (shown < rows.size()) {
    text += fmt::format("  and {} more (--verbose)\n", rows.size() - shown);
  }
  return text;
}

std::string InputText(const Workload& workload, const RenderOptions& options) {
  if (!workload.graph) return "";
  Table table({{"input", Align::kLeft}, {"shape", Align::kLeft}});
  size_t left = 0;
  size_t shown = 0;
  for (const Op& op : workload.graph->ops()) {
    if (op.kind != OpKind::kParameter) continue;
    if (!options.verbose && shown == kShownRows) {
      ++left;
      continue;
    }
    ++shown;
    table.AddRow({op.name, FormatShape(op.shape)});
  }
  if (table.empty()) return "";
  std::string text = "\n" + table.Text(kRowIndent);
  if (left > 0) text += fmt::format("  and {} more (--verbose)\n", left);
  return text;
}

std::string PipelineText(const Workload& workload) {
  std::string text;
  for (const Pipeline& pipeline : workload.pipelines) {
    std::string stages;
    for (const Stage& stage : pipeline.stages) {
      stages += fmt::format("{}{}", stages.empty() ? "" : ", ", StageName(stage.kind));
    }
    const std::string name =
        pipeline.name.empty() ? FormatLocation(pipeline.location) : pipeline.name;
    text += fmt::format("  {}: {}\n", Printable(name), stages);
  }
  return text.empty() ? "" : "\nPipelines\n" + text;
}

std::string NoteText(const Workload& workload, const RenderOptions& options) {
  if (workload.notes.empty()) return "";
  std::string text = "\nNot read or not resolved\n";
  const size_t shown =
      options.verbose ? workload.notes.size() : std::min(kShownRows, workload.notes.size());
  for (size_t i = 0; i < shown; ++i) {
    const Diagnostic& note = workload.notes[i];
    const std::string place = note.location.known() ? FormatLocation(note.location) + ": " : "";
    text += Wrap(fmt::format("{}{} [{}]", place, note.message, note.rule), options.width,
                 kRowIndent, "    ");
  }
  if (shown < workload.notes.size()) {
    text += fmt::format("  and {} more (--verbose)\n", workload.notes.size() - shown);
  }
  return text;
}

// What the log of a run says, a line for each fact.
std::vector<std::string> RunLogLines(const RunLog& log) {
  std::vector<std::string> lines;
  const auto add = [&](const Location& place, const std::string& what) {
    lines.push_back(fmt::format("{}: {}", FormatLocation(place), what));
  };
  for (const LoggedSteps& series : log.steps) {
    add(series.location,
        series.settled > 0
            ? fmt::format("{}: {} a step, the median of {} lines, {} to {}", series.writer,
                          FormatSeconds(series.steady), FormatCount(series.settled),
                          FormatSeconds(series.least), FormatSeconds(series.most))
            : fmt::format("{}: {} lines, too few to tell a step time", series.writer,
                          FormatCount(static_cast<int64_t>(series.lines.size()))));
  }
  for (const LoggedCompile& compile : log.compiles) {
    const std::string what = compile.name.substr(0, 120);
    add(compile.location,
        compile.time > Seconds{}
            ? fmt::format("compiling {}: {}, {} times", what, FormatSeconds(compile.time),
                          FormatCount(compile.times))
            : fmt::format("compiling {}: more than {}", what, FormatSeconds(compile.at_least)));
  }
  for (const RepeatedCompile& repeated : log.repeated) {
    add(repeated.location,
        fmt::format("{}: {} compilations, {} steps", repeated.writer,
                    FormatCount(repeated.compiles), FormatCount(repeated.steps)));
  }
  for (const HostTraffic& traffic : log.traffic) {
    add(traffic.location,
        fmt::format("{} programs started, {} values read, {} ops on the host, {} steps",
                    FormatCount(traffic.executions), FormatCount(traffic.reads),
                    traffic.fallbacks.size(), FormatCount(traffic.steps)));
  }
  for (const StatedMemory& stated : log.memory) {
    add(stated.location, fmt::format("{}: {} of memory", stated.writer, FormatBytes(stated.total)));
  }
  for (const RunFailure& failure : log.failures) {
    add(failure.location, fmt::format("{}: {}", failure.code, failure.what));
  }
  return lines;
}

std::string ReportText(const Workload& workload, const RenderOptions& options) {
  std::string text;
  for (const MemoryReport& report : workload.memory_reports) {
    text += Wrap(fmt::format("{}: out of memory: {} of {} of {}, {} allocations listed",
                             FormatLocation(report.location), FormatBytes(report.used),
                             FormatBytes(report.capacity), report.space, report.largest.size()),
                 options.width, kRowIndent, "    ");
  }
  for (const std::string& line : RunLogLines(workload.run_log)) {
    text += Wrap(line, options.width, kRowIndent, "    ");
  }
  for (const RecompiledFunction& function : workload.recompiled) {
    text += Wrap(fmt::format("{}: compiled {} times for {} shapes", function.name, function.modules,
                             function.shapes),
                 options.width, kRowIndent, "    ");
  }
  return text.empty() ? "" : "\nReports of the compiler and the run ('tilewise lint')\n" + text;
}

std::string ExplanationText(const InspectedFile& file) {
  if (file.batch_explanation.empty()) return "";
  std::string text = "\nBatch\n";
  for (const std::string& line : file.batch_explanation) {
    text += fmt::format("  {}\n", Printable(line));
  }
  return text;
}

std::string InspectionText(const Inspection& inspection, const RenderOptions& options) {
  const Style style(options.color);
  std::string text;
  for (const InspectedFile& file : inspection.files) {
    if (!text.empty()) text += "\n";
    text += style.Bold(Printable(file.path)) + "\n" + FiguresText(file) +
            TrainingText(file.workload) + LinesText(file.coverage, options) +
            InputText(file.workload, options) +
            CountText("op of the file", file.workload.source_ops, options) +
            CountText("op of the graph", file.coverage.by_kind, options) +
            CountText("unsupported", file.workload.opaque_layers, options) + ExplanationText(file) +
            PipelineText(file.workload) + ReportText(file.workload, options) +
            NoteText(file.workload, options);
  }
  return text;
}

constexpr int kInspectSchemaVersion = 1;

std::string_view StepName(StepKind step) {
  switch (step) {
    case StepKind::kTraining:
      return "forward";
    case StepKind::kInference:
      return "inference";
    case StepKind::kTrainingStep:
      return "training_step";
  }
  return "";
}

Json CountsJson(const std::map<std::string, int64_t>& counts) {
  Json rows = Json::array();
  for (const auto& [name, count] : ByCount(counts)) {
    rows.push_back({{"name", name}, {"count", count}});
  }
  return rows;
}

Json InputsJson(const Graph& graph) {
  Json inputs = Json::array();
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter) continue;
    Json dims = Json::array();
    Json batch_dims = Json::array();
    for (size_t i = 0; i < op.shape.dims.size(); ++i) {
      dims.push_back(op.shape.dims[i].factor);
      if (op.shape.dims[i].per_batch) batch_dims.push_back(i);
    }
    inputs.push_back({{"name", op.name},
                      {"type", DTypeName(op.shape.dtype)},
                      {"dims", std::move(dims)},
                      {"batch_dims", std::move(batch_dims)}});
  }
  return inputs;
}

// The field is null for a model that is not read from its source.
Json SizeJson(const InspectedFile& file, int64_t ModelSize::*part) {
  const std::optional<ModelSize>& size = file.workload.model_size;
  return size.has_value() ? Json(*size.*part) : Json();
}
Json MultiplyAddsJson(const InspectedFile& file) {
  const std::optional<ModelSize>& size = file.workload.model_size;
  return size.has_value() && size->multiply_adds.has_value() ? Json(*size->multiply_adds) : Json();
}

Json LinesJson(const Coverage& coverage) {
  Json rows = Json::array();
  for (const LineCost& line : coverage.lines) {
    rows.push_back({{"location", JsonLocation(line.place)},
                    {"ops", line.ops},
                    {"parameters", line.parameters},
                    {"flops", line.flops}});
  }
  return rows;
}

Json ModelJson(const InspectedFile& file) {
  const Coverage& coverage = file.coverage;
  const Graph& graph = *file.workload.graph;
  return {{"step", StepName(file.workload.step)},
          {"batch_is_symbolic", !graph.is_static()},
          {"figures_for_batch", coverage.batch},
          {"inputs", InputsJson(graph)},
          {"layers", file.workload.layers},
          {"ops", coverage.ops},
          {"parameters", coverage.parameters},
          {"parameter_bytes", coverage.parameter_bytes.value},
          {"parameters_count", SizeJson(file, &ModelSize::trainable)},
          {"buffers_count", SizeJson(file, &ModelSize::other)},
          {"macs_count", MultiplyAddsJson(file)},
          {"flops", coverage.flops},
          {"bytes", coverage.bytes},
          {"native",
           {{"ops", coverage.native_ops},
            {"flops", coverage.native_flops},
            {"bytes", coverage.native_bytes}}},
          {"source_ops", CountsJson(file.workload.source_ops)},
          {"graph_ops", CountsJson(coverage.by_kind)},
          {"unsupported", CountsJson(file.workload.opaque_layers)},
          {"lines", LinesJson(coverage)},
          {"batch_explanation", file.batch_explanation}};
}

Json CountJson(const Count& count) {
  return count.kind == Count::Kind::kValue ? Json(count.value) : Json();
}

Json TrainingJson(const Workload& workload) {
  const TrainingSpec& spec = *workload.training;
  const std::optional<int64_t> batch = workload.declared_global_batch();
  return {
      {"location", JsonLocation(spec.location)},
      {"optimizer", spec.optimizer_known ? Json(OptimizerName(spec.optimizer)) : Json()},
      {"optimizer_in_program", spec.optimizer_name.empty() ? Json() : Json(spec.optimizer_name)},
      {"loss_is_known", spec.loss_known},
      {"loss", spec.loss_name.empty() ? Json() : Json(spec.loss_name)},
      {"global_batch", batch.has_value() ? Json(*batch) : Json()},
      {"accumulation_steps", spec.accumulation_steps},
      {"epochs", CountJson(workload.host_loop.epochs)}};
}

Json PipelinesJson(const std::vector<Pipeline>& pipelines) {
  Json rows = Json::array();
  for (const Pipeline& pipeline : pipelines) {
    Json stages = Json::array();
    for (const Stage& stage : pipeline.stages) {
      stages.push_back(StageName(stage.kind));
    }
    rows.push_back({{"name", pipeline.name},
                    {"location", JsonLocation(pipeline.location)},
                    {"stages", std::move(stages)}});
  }
  return rows;
}

Json AllocationJson(const ReportedAllocation& allocation) {
  return {{"bytes", allocation.size.value},
          {"unpadded_bytes", allocation.unpadded.value},
          {"shape", allocation.shape},
          {"operation", allocation.operation},
          {"kind", allocation.kind}};
}

Json MemoryReportsJson(const std::vector<MemoryReport>& reports) {
  Json rows = Json::array();
  for (const MemoryReport& report : reports) {
    Json largest = Json::array();
    for (const ReportedAllocation& allocation : report.largest) {
      largest.push_back(AllocationJson(allocation));
    }
    rows.push_back({{"space", report.space},
                    {"used_bytes", report.used.value},
                    {"capacity_bytes", report.capacity.value},
                    {"exceeded_bytes", report.exceeded.value},
                    {"location", JsonLocation(report.location)},
                    {"largest", std::move(largest)}});
  }
  return rows;
}

Json RecompiledJson(const std::vector<RecompiledFunction>& functions) {
  Json rows = Json::array();
  for (const RecompiledFunction& function : functions) {
    rows.push_back({{"function", function.name},
                    {"modules", function.modules},
                    {"shapes", function.shapes},
                    {"differences", function.differences}});
  }
  return rows;
}

Json FileJson(const InspectedFile& file) {
  const Workload& workload = file.workload;
  Json json = {{"path", file.path}, {"format", workload.format}, {"producer", workload.producer}};
  if (workload.graph) {
    json["model"] = ModelJson(file);
  } else if (workload.model_size) {
    json["model_size"] = {{"parameters_count", workload.model_size->trainable},
                          {"buffers_count", workload.model_size->other}};
  }
  if (workload.training) json["training"] = TrainingJson(workload);
  json["pipelines"] = PipelinesJson(workload.pipelines);
  json["memory_reports"] = MemoryReportsJson(workload.memory_reports);
  json["recompiled"] = RecompiledJson(workload.recompiled);
  json["notes"] = JsonDiagnostics(workload.notes);
  return json;
}

std::string InspectionJson(const Inspection& inspection, const RenderOptions&) {
  Json json = JsonDocument(kInspectSchemaVersion, inspection.version, "inspect");
  Json& files = json["files"] = Json::array();
  for (const InspectedFile& file : inspection.files) {
    files.push_back(FileJson(file));
  }
  return JsonText(json);
}

}  // namespace

template <>
std::span<const FormatOf<Inspection>> FormatsOf<Inspection>() {
  static constexpr FormatOf<Inspection> kFormats[] = {{"text", InspectionText},
                                                      {"json", InspectionJson}};
  return kFormats;
}

}  // namespace tilewise

// The JSON of `tilewise inspect`. Shares are 0..1; sizes of inputs that grow
// with the batch are per example.

#include "report/inspection.h"
#include "report/json_sections.h"

namespace tilewise {
namespace {

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
          {"flops", coverage.flops},
          {"bytes", coverage.bytes},
          {"native",
           {{"ops", coverage.native_ops},
            {"flops", coverage.native_flops},
            {"bytes", coverage.native_bytes}}},
          {"source_ops", CountsJson(file.workload.source_ops)},
          {"graph_ops", CountsJson(coverage.by_kind)},
          {"unsupported", CountsJson(file.workload.opaque_layers)},
          {"batch_explanation", file.batch_explanation}};
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
  if (workload.graph) json["model"] = ModelJson(file);
  json["pipelines"] = PipelinesJson(workload.pipelines);
  json["memory_reports"] = MemoryReportsJson(workload.memory_reports);
  json["recompiled"] = RecompiledJson(workload.recompiled);
  json["notes"] = JsonDiagnostics(workload.notes);
  return json;
}

}  // namespace

std::string RenderInspectionJson(const Inspection& inspection, const RenderOptions&) {
  Json json = {{"schema_version", kInspectSchemaVersion},
               {"tool", {{"name", "tilewise"}, {"version", inspection.version}}},
               {"command", "inspect"}};
  Json& files = json["files"] = Json::array();
  for (const InspectedFile& file : inspection.files) {
    files.push_back(FileJson(file));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilewise

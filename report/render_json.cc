// The report as JSON, described by docs/schema/report.schema.json. A change
// that breaks a reader of the old form raises kSchemaVersion.

#include "report/json_sections.h"
#include "report/renderers.h"
#include "report/verdict.h"

namespace tilewise {
namespace {

constexpr int kSchemaVersion = 1;

Json Setting(const Report& report) {
  return {{"target", report.target},
          {"mode", report.training ? "train" : "infer"},
          {"cores_count", report.cores},
          {"global_batch_examples", report.global_batch},
          {"batch_per_core_examples", report.batch_per_core},
          {"batch_assumed", report.batch_assumed},
          {"steps_per_execution_count", report.steps_per_execution}};
}

}  // namespace

std::string RenderJson(const Report& report, const RenderOptions&) {
  Json json = {
      {"schema_version", kSchemaVersion},
      {"tool", {{"name", "tilewise"}, {"version", report.version}}},
      {"command", report.command},
      {"workload", report.workload},
      {"accuracy", kEstimateLabel},
      {"setting", Setting(report)},
      {"coverage", {{"layers_count", report.layers}, {"costed_ratio", report.costed_share}}},
      {"verdict", VerdictSentences(report)},
      {"findings", JsonDiagnostics(report.findings)},
      {"notes", JsonDiagnostics(report.notes)}};
  AddJsonSummary(report, json);
  if (report.timeline || report.estimate) json["step"] = JsonStep(report);
  if (!report.ops.empty()) json["ops"] = JsonOps(report.ops);
  if (report.split) json["losses"] = JsonLosses(*report.split);
  if (!report.kernels.empty()) json["kernels"] = JsonKernels(report.kernels);
  if (report.program) json["memory"] = JsonMemory(report);
  if (report.loop) {
    json["loop"] = JsonLoop(*report.loop);
    json["stages"] = JsonStages(report.stages);
  }
  if (report.tuning) json["tuning"] = JsonTuning(*report.tuning);
  // Names from users' files may hold bytes that are not UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilewise

// Findings, their costs, savings and fixes as JSON. Unknown places and what was
// not simulated have no key.

#include "report/json_sections.h"

namespace tilewise {
namespace {

Json CostJson(const Cost& cost) {
  Json json = Json::object();
  if (cost.time_per_step) {
    json["seconds_per_step"] = cost.time_per_step->value;
  }
  if (cost.share_of_step) {
    json["share_of_step"] = *cost.share_of_step;
    json["step"] = cost.of_wall_step ? "wall" : "device";
  }
  if (cost.bytes) json["hbm_bytes"] = cost.bytes->value;
  if (cost.flops) json["flops_per_step_and_core"] = *cost.flops;
  if (cost.once_per_run) {
    json["seconds_once_per_run"] = cost.once_per_run->value;
  }
  if (json.empty() && !cost.unknown.empty()) {
    json["unknown_because"] = cost.unknown;
  }
  return json;
}

Json FixJson(const Fix& fix) {
  Json edits = Json::array();
  for (const TextEdit& edit : fix.edits) {
    edits.push_back({{"file", edit.span.file},
                     {"cell", edit.span.cell},
                     {"begin_byte", edit.span.begin},
                     {"end_byte", edit.span.end},
                     {"replacement", edit.replacement}});
  }
  return {{"applicability", ApplicabilityName(fix.applicability)},
          {"changes_numerics", fix.changes_numerics},
          {"text", fix.text},
          {"edits", edits}};
}

Json SavingJson(const Saving& saving) {
  return {{"seconds_per_step", saving.time_per_step.value},
          {"share_of_step", saving.share_of_step},
          {"step", saving.of_wall_step ? "wall" : "device"},
          {"hbm_bytes", saving.hbm.value}};
}

}  // namespace

Json JsonLocation(const Location& location) {
  Json json = Json::object();
  if (!location.file.empty()) json["file"] = location.file;
  if (location.cell > 0) json["cell"] = location.cell;
  if (location.line > 0) json["line"] = location.line;
  if (location.column > 0) json["column"] = location.column;
  if (!location.item.empty()) json["item"] = location.item;
  return json;
}

Json JsonDiagnostic(const Diagnostic& diagnostic) {
  Json json = {{"rule", diagnostic.rule},
               {"name", diagnostic.name},
               {"severity", SeverityName(diagnostic.severity)},
               {"location", JsonLocation(diagnostic.location)},
               {"message", diagnostic.message},
               {"cost", CostJson(diagnostic.cost)},
               {"fix", FixJson(diagnostic.fix)},
               {"related", diagnostic.related}};
  if (diagnostic.saving) json["saving"] = SavingJson(*diagnostic.saving);
  if (diagnostic.op_line) {
    json["op_line"] = {{"text", diagnostic.op_line->text},
                       {"begin_byte", diagnostic.op_line->begin},
                       {"end_byte", diagnostic.op_line->end}};
  }
  if (!diagnostic.fingerprint.empty()) {
    json["fingerprint"] = diagnostic.fingerprint;
  }
  return json;
}

Json JsonDiagnostics(const std::vector<Diagnostic>& diagnostics) {
  Json json = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    json.push_back(JsonDiagnostic(diagnostic));
  }
  return json;
}

}  // namespace tilewise

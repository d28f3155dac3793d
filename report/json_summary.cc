// What the findings come to as JSON: counts, what fixes would reach, programs,
// rules. Only counts and failures are always there.

#include "report/json_sections.h"
#include "report/rule_statistics.h"

namespace tilewise {
namespace {

Json OutcomeJson(const Outcome& outcome) {
  Json json = {{"device_seconds", outcome.step.value},
               {"hbm_peak_bytes", outcome.peak.value},
               {"mxu_use_ratio", outcome.mxu_use}};
  if (outcome.wall_step.value > 0) {
    json["wall_seconds"] = outcome.wall_step.value;
  }
  if (outcome.per_example.value > 0) {
    json["seconds_per_example"] = outcome.per_example.value;
  }
  return json;
}

Json ReachableJson(const Reachable& reachable) {
  return {{"now", OutcomeJson(reachable.now)},   {"safe", OutcomeJson(reachable.safe)},
          {"all", OutcomeJson(reachable.all)},   {"safe_findings", reachable.safe_fixes},
          {"all_findings", reachable.all_fixes}, {"not_simulated_count", reachable.not_simulated}};
}

Json ProgramsJson(const std::vector<ProgramSummary>& programs) {
  Json json = Json::array();
  for (const ProgramSummary& program : programs) {
    Json entry = {{"name", program.name}, {"findings_count", program.findings}};
    if (program.step.value > 0) {
      entry["target"] = program.target;
      entry["global_batch_examples"] = program.global_batch;
      entry["batch_per_core_examples"] = program.batch_per_core;
      entry["device_seconds"] = program.step.value;
      entry["mxu_use_ratio"] = program.mxu_use;
    }
    if (program.reachable) {
      entry["reachable"] = ReachableJson(*program.reachable);
    }
    json.push_back(std::move(entry));
  }
  return json;
}

Json SilencedJson(const std::vector<SilencedFinding>& silenced) {
  Json json = Json::array();
  for (const SilencedFinding& entry : silenced) {
    json.push_back({{"by", entry.in_source ? "source" : "external"},
                    {"reason", entry.reason},
                    {"finding", JsonDiagnostic(entry.finding)}});
  }
  return json;
}

Json StatisticsJson(const std::vector<RuleCount>& rows) {
  Json json = Json::array();
  for (const RuleCount& row : rows) {
    json.push_back({{"rule", row.rule},
                    {"name", row.name},
                    {"findings_count", row.findings},
                    {"safe_fixes_count", row.safe},
                    {"unsafe_fixes_count", row.unsafe},
                    {"saved_seconds_per_step_at_most", row.time_per_step.value},
                    {"saved_hbm_bytes_at_most", row.hbm.value}});
  }
  return json;
}

}  // namespace

void AddJsonSummary(const Report& report, Json& json) {
  json["counts"] = {{"suppressed_count", report.counts.suppressed},
                    {"baselined_count", report.counts.baselined},
                    {"fixed_count", report.counts.fixed}};
  json["failures"] = report.failures;
  if (report.reachable) json["reachable"] = ReachableJson(*report.reachable);
  if (!report.programs.empty()) {
    json["programs"] = ProgramsJson(report.programs);
  }
  if (!report.silenced.empty()) {
    json["silenced"] = SilencedJson(report.silenced);
  }
  if (report.statistics) {
    json["statistics"] = StatisticsJson(CountByRule(report));
  }
}

}  // namespace tilewise

// The report as JSON, described by docs/schema/report.schema.json. A change
// that breaks a reader of the old form raises kSchemaVersion.
// Unknown locations and what was not simulated have no key.

#include <fmt/format.h>

#include "base/printable.h"
#include "report/json.h"
#include "report/renderers.h"
#include "report/summary_lines.h"
#include "report/verdict.h"

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

Json JsonStep(const Report& report) {
  Json json = Json::object();
  if (report.timeline) {
    const Timeline& timeline = *report.timeline;
    json["device_seconds"] = timeline.step.value;
    if (report.time_range) {
      json["device_seconds_low"] = timeline.step.value * report.time_range->low;
      json["device_seconds_high"] = timeline.step.value * report.time_range->high;
    }
    json["mxu_busy_seconds"] = timeline.mxu_busy.value;
    json["vector_busy_seconds"] = timeline.vector_busy.value;
    json["dma_busy_seconds"] = timeline.dma_busy.value;
    json["collective_seconds"] = timeline.collective.value;
    json["useful_flops_per_core"] = timeline.useful_flops;
    json["mxu_use_ratio"] = timeline.mxu_use;
  }
  if (report.estimate) {
    const Estimate& estimate = *report.estimate;
    json["lower_bound_seconds"] = estimate.step.value;
    json["lower_bound_hbm_traffic_bytes"] = estimate.hbm_traffic.value;
  }
  if (report.program) json["kernel_count"] = report.program->kernels.size();
  return json;
}

Json JsonOps(const std::vector<OpRow>& ops) {
  Json json = Json::array();
  for (const OpRow& row : ops) {
    json.push_back({{"layer", row.name},
                    {"op", row.kind},
                    {"location", JsonLocation(row.location)},
                    {"seconds", row.total().value},
                    {"forward_seconds", row.forward.value},
                    {"backward_seconds", row.backward.value},
                    {"update_seconds", row.update.value},
                    {"share_of_step", row.share},
                    {"mxu_use_ratio", row.mxu_use},
                    {"padding_ratio", row.padding},
                    {"bound_by", BoundName(row.bound)}});
  }
  return json;
}

Json JsonBuffers(const std::vector<LargeBuffer>& buffers) {
  Json json = Json::array();
  for (const LargeBuffer& buffer : buffers) {
    json.push_back({{"name", buffer.name},
                    {"shape", buffer.shape},
                    {"use", BufferUseName(buffer.use)},
                    {"count", buffer.count},
                    {"padded_bytes", buffer.padded.value},
                    {"unpadded_bytes", buffer.unpadded.value}});
    if (buffer.location.known()) json.back()["location"] = JsonLocation(buffer.location);
  }
  return json;
}

Json JsonLoop(const LoopTimeline& loop) {
  return {{"wall_step_seconds", loop.step.value},
          {"device_step_seconds", loop.device_step.value},
          {"input_seconds", loop.input.value},
          {"input_overlaps_device", loop.input_overlaps},
          {"transfer_seconds", loop.transfer.value},
          {"dispatch_seconds", loop.dispatch.value},
          {"exposed_host_seconds", loop.exposed_host.value},
          {"steps_per_epoch_count", loop.steps_per_epoch},
          {"epoch_seconds", loop.epoch.value},
          {"first_epoch_seconds", loop.first_epoch.value},
          {"epoch_host_seconds", loop.epoch_host.value},
          {"mxu_use_ratio", loop.mxu_use},
          {"examples_per_second", loop.examples_per_second}};
}

Json JsonStages(const std::vector<StageRow>& stages) {
  Json json = Json::array();
  for (const StageRow& stage : stages) {
    json.push_back({{"stage", stage.stage},
                    {"location", JsonLocation(stage.location)},
                    {"seconds_per_batch", stage.per_batch.value},
                    {"work_seconds_per_batch", stage.work.value},
                    {"parallelism_cores", stage.parallelism},
                    {"unknown_ops", stage.unknown_ops}});
  }
  return json;
}

Json JsonLosses(const LossSplit& split) {
  Json json = Json::object();
  for (const LossPart& part : kLossParts) {
    json[fmt::format("{}_seconds", part.key)] = (split.*part.seconds).value;
  }
  return json;
}

Json JsonKernels(const std::vector<KernelRow>& kernels) {
  Json json = Json::array();
  for (const KernelRow& row : kernels) {
    const Roofline& roofline = row.roofline;
    json.push_back({{"name", row.name},
                    {"layer", row.layer},
                    {"kind", KernelKindName(row.kind)},
                    {"phase", PhaseName(row.phase)},
                    {"start_seconds", row.start.value},
                    {"seconds", row.duration.value},
                    {"overlapped", row.overlapped},
                    {"bound_by", BoundName(row.bound)},
                    {"losses", JsonLosses(row.split)},
                    {"roofline",
                     {{"intensity_flops_per_byte", roofline.intensity},
                      {"attainable_flops_per_second", roofline.attainable},
                      {"achieved_flops_per_second", roofline.achieved},
                      {"hbm_bandwidth_share", roofline.hbm_share}}}});
  }
  return json;
}

Json JsonMemoryUse(const MemoryUse& use) {
  Json json = {{"hbm_nameplate_bytes", use.nameplate.value},
               {"reserved_bytes", use.reserved.value},
               {"input_bytes", use.of(BufferUse::kInput).value},
               {"variable_bytes", use.of(BufferUse::kVariable).value},
               {"optimizer_state_bytes", use.of(BufferUse::kOptimizerState).value},
               {"activation_bytes", use.of(BufferUse::kActivation).value},
               {"gradient_bytes", use.of(BufferUse::kGradient).value},
               {"temporary_bytes", use.of(BufferUse::kTemporary).value},
               {"padding_bytes", use.padding.value}};
  if (use.fragmentation) {
    json["fragmentation_bytes"] = use.fragmentation->value;
  }
  return json;
}

Json JsonRemedies(const std::vector<Remedy>& remedies) {
  Json json = Json::array();
  for (const Remedy& remedy : remedies) {
    json.push_back({{"change", remedy.change},
                    {"batch_per_core_examples", remedy.batch_per_core},
                    {"fits", remedy.fits()},
                    {"fit_certainty_ratio", remedy.certainty},
                    {"hbm_peak_bytes", remedy.hbm_peak.value},
                    {"hbm_available_bytes", remedy.hbm_available.value},
                    {"device_step_seconds", remedy.device_step.value}});
  }
  return json;
}

Json JsonMemory(const Report& report) {
  const Memory& memory = report.program->memory;
  Json json = {{"fits", memory.fits()},
               {"verdict", MemoryVerdictName(VerdictOn(report))},
               {"hbm_peak_bytes", memory.peak.value},
               {"hbm_peak_low_bytes", LowPeak(report).value},
               {"hbm_peak_high_bytes", HighPeak(report).value},
               {"hbm_available_bytes", memory.available.value},
               {"variables_bytes", memory.variables.value},
               {"optimizer_state_bytes", memory.optimizer_state.value},
               {"arguments_bytes", memory.arguments.value},
               {"largest_buffers", JsonBuffers(report.largest)}};
  if (report.memory_use) json["at_peak"] = JsonMemoryUse(*report.memory_use);
  if (const auto again = RematerializationOf(report)) {
    json["rematerialization"] = {{"kernel_count", again->kernels},
                                 {"seconds", again->time.value},
                                 {"hbm_peak_without_bytes", again->peak_without.value}};
  }
  if (!report.remedies.empty()) {
    json["ways_to_fit"] = JsonRemedies(report.remedies);
  }
  return json;
}

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

Json JsonTooSmall(const std::vector<TooSmall>& all) {
  Json json = Json::array();
  for (const TooSmall& small : all) {
    json.push_back({{"reason", small.why}, {"finding", JsonDiagnostic(small.finding)}});
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

Json TrialJson(const Trial& trial) {
  Json json = {{"batch_per_core_examples", trial.batch_per_core},
               {"global_batch_examples", trial.global_batch},
               {"steps_per_execution_count", trial.steps_per_execution},
               {"fits", trial.fits},
               {"fit_certainty_ratio", trial.certainty},
               {"aligned", trial.aligned},
               {"allowed", trial.allowed},
               {"hbm_peak_bytes", trial.hbm_peak.value},
               {"hbm_available_bytes", trial.hbm_available.value},
               {"largest_buffers", JsonBuffers(trial.largest)}};
  if (trial.pruned) json["examples_per_second_at_most"] = Throughput(trial);
  if (IsSimulated(trial)) json["loop"] = JsonLoop(trial.loop);
  return json;
}

Json TrialsJson(const std::vector<Trial>& trials) {
  Json json = Json::array();
  for (const Trial& trial : trials) json.push_back(TrialJson(trial));
  return json;
}

Json ContendersJson(const Tuning& tuning) {
  Json json = Json::array();
  for (const Contender& contender : tuning.contenders) {
    Json row = {{"machine", contender.machine},
                {"changes", contender.changes},
                {"chips_count", contender.chips},
                {"on_front", contender.on_front},
                {"trial", TrialJson(contender.trial)}};
    if (contender.cost) row["cost_per_million_examples"] = *contender.cost;
    json.push_back(std::move(row));
  }
  return json;
}

Json EffortJson(const Effort& effort) {
  Json json = {{"settings_count", effort.settings},
               {"candidates_count", effort.candidates},
               {"pruned_count", effort.pruned},
               {"points_count", effort.points},
               {"simulated_points_count", effort.simulated},
               {"recalled_count", effort.recalled}};
  if (effort.untried_at_most) json["untried_at_most_ratio"] = *effort.untried_at_most;
  return json;
}

Json JsonTuning(const Tuning& tuning) {
  Json json = Json::object();
  json["changes"] = tuning.changes;
  json["effort"] = EffortJson(tuning.effort);
  if (!tuning.contenders.empty()) json["contenders"] = ContendersJson(tuning);
  if (tuning.best) json["best"] = TrialJson(*tuning.best);
  if (tuning.gamble) json["gamble"] = TrialJson(*tuning.gamble);
  if (tuning.runner_up) {
    json["runner_up"] = TrialJson(tuning.runner_up->trial);
    json["runner_up_changes"] = tuning.runner_up->changes;
  }
  if (tuning.current) json["current"] = TrialJson(*tuning.current);
  json["why"] = tuning.why;
  json["learning_rate"] = tuning.learning_rate;
  json["certainty_ratio"] = tuning.certainty;
  json["constraints"] = tuning.constraints;
  json["curve"] = TrialsJson(tuning.curve);
  json["executions"] = TrialsJson(tuning.executions);
  return json;
}

constexpr int kSchemaVersion = 1;

Json Setting(const Report& report) {
  return {{"target", report.target},
          {"mode", report.training ? "train" : "infer"},
          {"cores_count", report.cores},
          {"idle_cores_count", report.idle_cores},
          {"global_batch_examples", report.global_batch},
          {"batch_per_core_examples", report.batch_per_core},
          {"batch_assumed", report.batch_assumed},
          {"steps_per_execution_count", report.steps_per_execution}};
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

Json JsonDiagnostics(const std::vector<Diagnostic>& diagnostics) {
  Json json = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    json.push_back(JsonDiagnostic(diagnostic));
  }
  return json;
}

Json JsonDocument(int schema, std::string_view version, std::string_view command) {
  return {{"schema_version", schema},
          {"tool", {{"name", "tilewise"}, {"version", version}}},
          {"command", command}};
}

std::string JsonText(const Json& json, int indent) {
  return PrintableJson(json.dump(indent, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::string RenderJson(const Report& report, const RenderOptions&) {
  Json json = JsonDocument(kSchemaVersion, report.version, report.command);
  json["workload"] = report.workload;
  json["accuracy"] = EstimateLabel(report);
  json["setting"] = Setting(report);
  json["coverage"] = {{"layers_count", report.layers}, {"costed_ratio", report.costed_share}};
  json["verdict"] = VerdictSentences(report);
  json["findings"] = JsonDiagnostics(report.findings);
  json["notes"] = JsonDiagnostics(report.notes);
  if (!report.too_small.empty()) json["too_small"] = JsonTooSmall(report.too_small);
  AddJsonSummary(report, json);
  if (report.timeline || report.estimate) json["step"] = JsonStep(report);
  if (!report.ops.empty()) json["ops"] = JsonOps(report.ops);
  if (report.split) json["losses"] = JsonLosses(*report.split);
  if (!report.kernels.empty()) json["kernels"] = JsonKernels(report.kernels);
  if (report.program) json["memory"] = JsonMemory(report);
  if (report.loop) {
    json["loop"] = JsonLoop(*report.loop);
    json["stages"] = JsonStages(report.stages);
    json["execution_assumed"] = report.execution_assumed;
    json["length_assumed"] = report.length_assumed;
    if (report.run_steps) json["run_steps"] = *report.run_steps;
    if (!report.files_from.empty()) json["files_from"] = report.files_from;
    if (report.first_batch) json["first_batch_seconds"] = report.first_batch->time.value;
  }
  if (report.tuning) json["tuning"] = JsonTuning(*report.tuning);
  return JsonText(json);
}

std::string RenderJsonLines(const Report& report, const RenderOptions&) {
  std::string text;
  for (const Diagnostic& finding : report.findings) text += JsonText(JsonDiagnostic(finding), -1);
  return text;
}

}  // namespace tilewise

// Fields are copied from what is known; nothing is computed but shares.

#include "cli/describe_run.h"

namespace tilewise {
namespace {

std::vector<StageRow> StageRows(const Pipeline& pipeline, const LoopTimeline& loop) {
  std::vector<StageRow> rows;
  for (const StageTime& time : loop.stages) {
    if (time.stage >= pipeline.stages.size()) continue;
    const Stage& stage = pipeline.stages[time.stage];
    rows.push_back({.stage = std::string(StageName(stage.kind)),
                    .location = stage.location,
                    .per_batch = time.per_batch,
                    .parallelism = time.parallelism});
  }
  return rows;
}

double CostedShare(const Workload& workload) {
  int64_t opaque = 0;
  for (const auto& [name, count] : workload.opaque_layers) opaque += count;
  if (workload.layers <= 0) return 1;
  return 1 - static_cast<double>(opaque) / static_cast<double>(workload.layers);
}

void AddSimulated(const Facts& facts, Report& report) {
  if (facts.model != nullptr) {
    report.program = facts.model->program;
    report.timeline = facts.model->timeline;
    report.estimate = facts.model->estimate;
    report.largest = LargestBuffers(facts.model->program);
    if (facts.source != nullptr) {
      report.ops =
          MakeOpRows(facts.model->program, facts.model->timeline, *facts.source, facts.target);
    }
  }
  if (facts.loop == nullptr) return;
  report.loop = *facts.loop;
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline != nullptr) report.stages = StageRows(*pipeline, *facts.loop);
}

}  // namespace

Report DescribeRun(std::string_view command, const Subject& subject) {
  const Workload& workload = subject.workload;
  const Session& session = *subject.session;
  const Facts& facts = subject.facts();
  Report report;
  report.version = TILEWISE_VERSION;
  report.command = command;
  report.workload = workload.name;
  report.target = subject.target.description();
  report.cores = subject.target.cores;
  report.batch_per_core = facts.batch_per_core;
  report.global_batch = facts.global_batch;
  report.batch_assumed = facts.batch_assumed;
  report.steps_per_execution = session.steps_per_execution();
  report.training = facts.training;
  report.layers = workload.layers;
  report.costed_share = CostedShare(workload);
  report.files = workload.files;
  report.notes = workload.notes;
  report.notes.insert(report.notes.end(), session.notes().begin(), session.notes().end());
  AddSimulated(facts, report);
  return report;
}

void AddMemory(const Subject& subject, Report& report) {
  if (!report.program) return;
  const Program& program = *report.program;
  report.memory_use = MemoryUseAtPeak(program, subject.target.chip);
  if (program.memory.fits()) return;
  report.ways_to_fit = WaysToFit(*subject.session);
}

}  // namespace tilewise

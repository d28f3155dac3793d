// Round numbers, so that tests can name what they expect.

#include "tests/report/sample_report.h"

namespace tilewise {
namespace {

LoopTimeline SampleLoop() {
  LoopTimeline loop;
  loop.device_step = {0.010};
  loop.input = {0.025};
  loop.transfer = {0.001};
  loop.dispatch = {0.005};
  loop.step = {0.040};
  loop.exposed_host = {0.030};
  loop.stages = {{.stage = 0, .per_batch = {0.020}, .parallelism = 1}};
  loop.steps_per_epoch = 12;
  loop.epoch = {0.48};
  loop.epoch_host = {0.36};
  loop.mxu_use = 0.02;
  loop.examples_per_second = 102400;
  return loop;
}

Trial SampleTrial(int64_t batch_per_core, bool fits) {
  Trial trial;
  trial.batch_per_core = batch_per_core;
  trial.global_batch = batch_per_core * 8;
  trial.steps_per_execution = 6;
  trial.fits = fits;
  trial.aligned = batch_per_core % 8 == 0;
  trial.hbm_peak = {batch_per_core << 20};
  trial.hbm_available = {int64_t{8} << 30};
  trial.largest = {{"conv1/activation", "f32[512,32,32,32]", {4 << 20}, {1}}};
  if (fits) trial.loop = SampleLoop();
  return trial;
}

Tuning SampleTuning() {
  Tuning tuning;
  tuning.curve = {SampleTrial(512, true), SampleTrial(1024, true),
                  SampleTrial(16384, false)};
  tuning.current = SampleTrial(512, true);
  tuning.current->steps_per_execution = 1;
  tuning.best = SampleTrial(1024, true);
  tuning.best->loop.examples_per_second *= 2;
  tuning.best->loop.epoch = {0.24};
  tuning.best->loop.steps_per_epoch = 6;
  tuning.executions = {SampleTrial(1024, true)};
  tuning.why = "it is the smallest within 1 % of the best";
  tuning.learning_rate = "scale by 1.41";
  tuning.constraints = {"global batch at most 50,000"};
  return tuning;
}

Program SampleProgram() {
  Program program;
  program.memory.available = {int64_t{8} << 30};
  program.memory.peak = {int64_t{2} << 30};
  return program;
}

Timeline SampleTimeline() {
  Timeline timeline;
  timeline.step = {0.010};
  timeline.mxu_use = 0.08;
  return timeline;
}

}  // namespace

Diagnostic SampleFinding() {
  Diagnostic finding;
  finding.rule = "IP002";
  finding.name = "prefetch-not-last";
  finding.location = {.file = "train.py", .line = 2, .column = 5};
  finding.message = "prefetch stands before batch, expected it last";
  finding.cost.time_per_step = Seconds{0.012};
  finding.cost.share_of_step = 0.3;
  finding.fix = {.applicability = Applicability::kSafe,
                 .text = "move .prefetch() to the end",
                 .edits = {{.span = {.file = "train.py", .begin = 9, .end = 20},
                            .replacement = ""}}};
  finding.related = {"IP001"};
  return finding;
}

Report SampleReport() {
  Report report;
  report.version = "1.2.3";
  report.command = "advise";
  report.workload = "train.py";
  report.target = "v2-8";
  report.program = SampleProgram();
  report.timeline = SampleTimeline();
  report.estimate = Estimate{};
  report.estimate->step = {0.008};
  report.loop = SampleLoop();
  report.stages = {{"map", {.file = "train.py", .line = 1}, {0.020}, 1}};
  for (int i = 0; i < 20; ++i) {
    OpRow row;
    row.name = "layer" + std::to_string(i);
    row.kind = "convolution 3x3";
    row.forward = {0.0002};
    row.backward = {0.0003};
    row.share = 0.05;
    row.bound = Bound::kMatrix;
    report.ops.push_back(row);
  }
  report.largest = {{"conv1", "f32[8]", {4096}, {32}}};
  report.tuning = SampleTuning();
  report.findings = {SampleFinding()};
  report.batch_per_core = 512;
  report.global_batch = 4096;
  report.cores = 8;
  report.layers = 9;
  report.files = {
      {.path = "train.py", .text = "ds = (\n    ds.prefetch(1)\n)"}};
  return report;
}

}  // namespace tilewise

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
  tuning.curve = {SampleTrial(512, true), SampleTrial(1024, true), SampleTrial(16384, false)};
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
  finding.fix = {
      .applicability = Applicability::kSafe,
      .text = "move .prefetch() to the end",
      .edits = {{.span = {.file = "train.py", .begin = 9, .end = 20}, .replacement = ""}}};
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
  report.stages = {{"map", {.file = "train.py", .line = 1}, {0.020}, {0.020}, 1}};
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
  report.files = {{.path = "train.py", .text = "ds = (\n    ds.prefetch(1)\n)"}};
  return report;
}

namespace {

Diagnostic GraphFinding() {
  Diagnostic finding;
  finding.rule = "AL001";
  finding.name = "tile-pad-waste";
  finding.severity = Severity::kError;
  finding.location = {.file = "m.onnx", .item = "block/conv1"};
  finding.message = "dim 3 of 600 is padded to 640, expected no padding";
  finding.cost.bytes = Bytes{3 << 20};
  finding.fix = {
      .applicability = Applicability::kUnsafe, .text = "widen it to 640", .changes_numerics = true};
  finding.saving = Saving{.time_per_step = {0.002}, .share_of_step = 0.2, .hbm = {1 << 20}};
  finding.op_line = OpLine{.text = "conv1: f32[128,600] dot(x, w)", .begin = 7, .end = 10};
  finding.fingerprint = "00000000000000a1";
  return finding;
}

Diagnostic NotebookFinding() {
  Diagnostic finding;
  finding.rule = "HL001";
  finding.name = "steps-per-execution-one";
  finding.severity = Severity::kInfo;
  finding.location = {.file = "b.ipynb", .line = 1, .column = 3, .cell = 2};
  finding.message = "one step per execution";
  finding.cost.unknown = "no model was read";
  finding.fix = {
      .applicability = Applicability::kSafe,
      .text = "set steps_per_execution",
      .edits = {{.span = {.file = "b.ipynb", .cell = 2, .begin = 0}, .replacement = "x"}}};
  return finding;
}

Outcome SampleOutcome(double step, int64_t peak, double mxu_use) {
  return {.step = {step},
          .wall_step = {},
          .peak = {peak},
          .mxu_use = mxu_use,
          .per_example = {step / 1024}};
}

Reachable SampleReachable() {
  return {.now = SampleOutcome(0.010, 4 << 20, 0.2),
          .safe = SampleOutcome(0.008, 4 << 20, 0.25),
          .all = SampleOutcome(0.005, 3 << 20, 0.4),
          .safe_fixes = {1},
          .all_fixes = {0, 1},
          .not_simulated = 0};
}

}  // namespace

Report LintSample() {
  Report report;
  report.version = "1.2.3";
  report.command = "lint";
  report.workload = "3 programs";
  report.findings = {GraphFinding(), SampleFinding(), NotebookFinding()};
  report.findings[1].fingerprint = "00000000000000b2";
  report.findings[1].saving = Saving{.time_per_step = {0.012}, .share_of_step = 0.3};
  report.reachable = SampleReachable();
  report.programs = {{.name = "train.py", .findings = 1},
                     {.name = "m.onnx",
                      .target = "v2-8",
                      .batch_per_core = 128,
                      .global_batch = 1024,
                      .step = {0.010},
                      .mxu_use = 0.2,
                      .findings = 1,
                      .reachable = SampleReachable()},
                     {.name = "clean.py"}};
  report.silenced = {{.finding = SampleFinding(), .in_source = true, .reason = "measured: faster"},
                     {.finding = SampleFinding()}};
  report.counts = {.suppressed = 1, .baselined = 1, .fixed = 2};
  report.notes = {{.rule = "RD001",
                   .severity = Severity::kInfo,
                   .location = {.file = "m.onnx", .item = "custom"},
                   .message = "unknown op Custom"}};
  report.failures = {"broken.json: found the end of the file, expected }"};
  report.statistics = true;
  report.exit_code = 1;
  report.files = {{.path = "train.py", .text = "ds = (\n    ds.prefetch(1)\n)"},
                  {.path = "b.ipynb",
                   .text = "{\"cells\": [\n"
                           "{\"cell_type\": \"code\", \"source\": \"a\"},\n"
                           "{\"cell_type\": \"code\", \"source\": [\n"
                           "\"  compile()\\n\",\n\"x\"]}]}",
                   .cells = {"a", "  compile()\nx"}},
                  {.path = "clean.py", .text = "x = 1\n"}};
  return report;
}

}  // namespace tilewise

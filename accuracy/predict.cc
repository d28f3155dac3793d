// A point is loaded, lowered, simulated and put under the clock that its
// figure was read from.

#include "accuracy/predict.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "accuracy/ranges.h"
#include "session/session.h"

namespace tilewise {
namespace {

// The entry of a host's runtimes for one call of a compiled function.
constexpr std::string_view kCallRuntime = "jax";
// That for what a run takes before its first step.
constexpr std::string_view kRunRuntime = "jax-start";

// FLOPs of a training step over those of its forward pass, as model FLOPs are
// counted: the gradients of both operands of each matmul (PaLM, appendix B).
constexpr double kTrainingFlops = 3;

// Returns whether no input has a batch dim.
bool IsStatic(const Graph& graph) {
  return std::all_of(graph.ops().begin(), graph.ops().end(), [](const Op& op) {
    return op.kind != OpKind::kParameter || op.shape.is_static();
  });
}

// The last kernel is one transfer into on-chip memory: what it reads is never
// stored from there, and it has no windows.
void KeepResultOnChip(Program& program) {
  if (program.kernels.empty()) return;
  Kernel& last = program.kernels.back();
  last.hbm_write = {};
  last.on_chip_write = {};
  last.windows = {};
  last.windows.read_per_step = last.hbm_read;
}

absl::Status Adjust(const Point& point, const Chip& chip, Program& program) {
  if (point.result_on_chip) KeepResultOnChip(program);
  if (!point.windows) return absl::OkStatus();
  return SetStatedWindows(*point.windows, chip, program);
}

absl::StatusOr<TrainingSpec> SpecOf(const Point& point, const Workload& workload) {
  TrainingSpec spec = workload.training.value_or(TrainingSpec{});
  if (point.optimizer) {
    spec.optimizer = *point.optimizer;
    spec.optimizer_known = true;
  }
  if (point.momentum_type) spec.momentum_type = point.momentum_type;
  if (point.gradient_type) spec.gradient_type = point.gradient_type;
  if (!point.remat.empty()) {
    TW_ASSIGN_OR_RETURN(RematPolicy remat, ParseRematPolicy(point.remat));
    spec.remat = remat.base;
    spec.remat_tensors = std::move(remat.tensors);
  }
  return spec;
}

absl::StatusOr<SessionOptions> SessionOptionsOf(const Point& point, const Workload& workload,
                                                const Target& target) {
  SessionOptions options;
  options.global_batch = std::max(point.global_batch, target.batch_shards());
  options.training = point.training && workload.graph->trainable_parameters() > 0;
  TW_ASSIGN_OR_RETURN(options.spec, SpecOf(point, workload));
  TW_ASSIGN_OR_RETURN(options.xla_flags, ParseXlaFlags(point.xla_flags));
  options.matmul_cuts = point.matmul_cuts;
  if (point.windows) {
    TW_ASSIGN_OR_RETURN(options.matmul_cuts, CutsOf(*point.windows, workload));
  }
  if (point.clock != Clock::kTrainLoop) options.compiler = CompilerHabits{};
  options.steps_per_execution = point.steps_per_execution;
  if (point.examples_per_epoch > 0) {
    options.examples_per_epoch = point.examples_per_epoch;
  }
  if (point.bytes_per_example.value > 0) {
    options.bytes_per_example = point.bytes_per_example;
  }
  options.one_hot_bytes_per_example = point.one_hot_bytes_per_example;
  options.adjust_program = [&point, &target](Program& program) {
    return Adjust(point, target.chip, program);
  };
  return options;
}

// A point's workload and the session about it.
struct Run {
  Workload workload;
  std::unique_ptr<const Session> session;
  StepTotals step;
};

absl::StatusOr<std::unique_ptr<const Run>> RunStep(const Point& point, const Target& target,
                                                   const WorkloadLoader& load) {
  auto run = std::make_unique<Run>();
  Workload& workload = run->workload;
  TW_ASSIGN_OR_RETURN(workload, load(point.spec, point.training, target.batch_shards()));
  if (!workload.graph) {
    return InvalidInput(fmt::format("{}: found no model", point.spec));
  }
  if (point.global_batch == 0 && !IsStatic(*workload.graph)) {
    return InvalidInput("found no batch size");
  }
  if (point.framework != Framework::kUnknown) {
    workload.host_loop.framework = point.framework;
  }
  // Whole batches are there already: the pipeline has no stages.
  if (point.whole_batch_source) workload.pipelines.clear();
  TW_ASSIGN_OR_RETURN(const SessionOptions options, SessionOptionsOf(point, workload, target));
  TW_ASSIGN_OR_RETURN(run->session, MakeSession(workload, target, options));
  TW_ASSIGN_OR_RETURN(run->step, run->session->StepAt(run->session->batch_per_core()));
  return run;
}

absl::StatusOr<Timeline> RunForward(Point point, const Target& target, const WorkloadLoader& load) {
  point.training = false;
  TW_ASSIGN_OR_RETURN(const auto run, RunStep(point, target, load));
  return run->step.timeline;
}

absl::StatusOr<Seconds> TimeOf(std::string_view name, const Target& target) {
  const HostRuntime& runtime = target.host.runtime(name);
  if (runtime.framework != name) {
    return InvalidInput(fmt::format("host '{}': found no runtime '{}', expected one for the clock",
                                    target.host.name, name));
  }
  return runtime.per_execution;
}

// Whoever has an answer makes room for the next, whose prompt is read in between.
absl::StatusOr<Seconds> PromptsOfStep(Point point, const Target& target,
                                      const WorkloadLoader& load) {
  if (point.prompt.empty()) return Seconds{};
  point.spec = point.prompt;
  point.global_batch = 1;
  TW_ASSIGN_OR_RETURN(const Timeline prompt, RunForward(point, target, load));
  return prompt.step * point.prompts_per_step;
}

// Device FLOPs of one forward pass and what a training step adds.
absl::StatusOr<double> ModelFlops(const Point& point, const Target& target,
                                  const WorkloadLoader& load) {
  if (const double tokens = point.figure.tokens_by_parameters; tokens > 0) {
    TW_ASSIGN_OR_RETURN(const Workload workload,
                        load(point.spec, point.training, target.batch_shards()));
    if (!workload.graph) return InvalidInput(fmt::format("{}: found no model", point.spec));
    const auto parameters = static_cast<double>(workload.graph->trainable_parameters());
    return 2 * (point.training ? kTrainingFlops : 1) * parameters * tokens /
           static_cast<double>(target.cores);
  }
  TW_ASSIGN_OR_RETURN(const Timeline forward, RunForward(point, target, load));
  return forward.useful_flops * (point.training ? kTrainingFlops : 1);
}

absl::StatusOr<double> FigureOf(const Point& point, const StepTotals& step, Seconds span,
                                const Target& target, const WorkloadLoader& load) {
  const Figure& figure = point.figure;
  const double peak = target.chip.peak_flops() * span.value;
  switch (figure.quantity) {
    case Quantity::kTime:
      return figure.scale * span.value;
    case Quantity::kRate:
      return figure.scale / span.value;
    case Quantity::kModelRate:
    case Quantity::kModelUse: {
      TW_ASSIGN_OR_RETURN(const double flops, ModelFlops(point, target, load));
      const double all = figure.scale * flops * figure.steps;
      return all / (figure.quantity == Quantity::kModelUse ? peak : span.value);
    }
    case Quantity::kDeviceUse:
      return figure.scale * step.timeline.useful_flops * figure.steps / peak;
    case Quantity::kFits:
      return step.fits() ? 1 : 0;
    case Quantity::kPeak:
      return static_cast<double>(step.peak.value) / (1 << 30);
  }
  return 0;
}

struct Loop {
  Seconds step, span;
};

absl::StatusOr<Loop> TimeLoop(const Point& point, const Run& run) {
  const Target& target = run.session->target();
  const Timeline& step = run.step.timeline;
  Loop loop;
  loop.step = step.step;
  if (point.clock == Clock::kHostCall) {
    TW_ASSIGN_OR_RETURN(const Seconds call, TimeOf(kCallRuntime, target));
    loop.step += call;
  }
  if (point.clock == Clock::kTrainLoop) {
    const int64_t batch = point.global_batch > 0 ? point.global_batch : run.session->global_batch();
    const LoopTimeline timeline =
        run.session->Loop(step, batch, run.session->steps_per_execution());
    loop.step = timeline.step;
    if (point.examples_per_epoch > 0) return Loop{loop.step, timeline.epoch};
  }
  loop.span = loop.step * point.figure.steps;
  if (point.clock == Clock::kRun) {
    TW_ASSIGN_OR_RETURN(const Seconds start, TimeOf(kRunRuntime, target));
    loop.span += start;
  }
  return loop;
}

// Two cores of a chip are two devices on some chips and one on others.
int64_t Devices(double chips, const Chip& chip) {
  const double devices = std::round(chips * static_cast<double>(chip.cores_per_chip));
  return std::max<int64_t>(1, static_cast<int64_t>(devices));
}

}  // namespace

void ForEachRow(size_t count, int threads, const std::function<void(size_t row)>& work) {
  std::atomic<size_t> next = 0;
  const auto work_on = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;  // joined at the end
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work_on);
  work_on();
}

absl::StatusOr<Target> TargetOf(const Point& point, const NamedMachine& otherwise) {
  TW_ASSIGN_OR_RETURN(Mesh mesh, ParseMesh(point.mesh));
  mesh.slices = point.slices;
  const std::string& name = point.chip.empty() ? otherwise.chip : point.chip;
  if (name.empty()) {
    return InvalidInput("found no chip, expected a column 'chip' or --chip");
  }
  TW_ASSIGN_OR_RETURN(const Chip chip, FindChip(name));
  const int64_t cores = point.chips > 0 ? Devices(point.chips, chip)
                                        : (point.cores > 0 ? point.cores : otherwise.cores);
  return MakeTarget(name, cores, point.host.empty() ? otherwise.host : point.host, mesh);
}

absl::StatusOr<Prediction> Predict(const Point& point, const Target& target,
                                   const WorkloadLoader& load) {
  TW_ASSIGN_OR_RETURN(const auto run, RunStep(point, target, load));
  TW_ASSIGN_OR_RETURN(Loop loop, TimeLoop(point, *run));
  if (point.figure.evaluations > 0) {
    TW_ASSIGN_OR_RETURN(const Timeline forward, RunForward(point, target, load));
    loop.span += forward.step * point.figure.evaluations;
  }
  TW_ASSIGN_OR_RETURN(const Seconds prompts, PromptsOfStep(point, target, load));
  loop.span += prompts * point.figure.steps;
  const Timeline& step = run->step.timeline;
  Prediction prediction;
  prediction.chip = target.chip.name;
  prediction.fits = run->step.fits();
  prediction.device = step.step;
  prediction.step = loop.step;
  prediction.loops_over_layers = run->step.loops_over_layers;
  prediction.made_to_fit = IsMadeToFit(run->step.roomy_part);
  prediction.fit_certainty = FitCertainty(
      run->step.peak, run->step.available, run->step.roomy_part,
      MemoryRange(run->step.loops_over_layers, target.chip.name), run->step.peak_without_barriers);
  const bool host = loop.step > 2 * step.step;
  prediction.bound = host ? "host" : std::string(LongestPart(step));
  TW_ASSIGN_OR_RETURN(prediction.value, FigureOf(point, run->step, loop.span, target, load));
  return prediction;
}

Prediction PredictPipeline(const Point& point) {
  const PipelineComparison& input = *point.input;
  const Figure& figure = point.figure;
  Prediction prediction;
  prediction.fits = true;
  prediction.bound = "host";
  prediction.step = TimePipeline(input.run);
  const double span = prediction.step.value;
  prediction.value = figure.quantity == Quantity::kTime ? figure.scale * span : figure.scale / span;
  if (input.baseline) prediction.value = TimePipeline(*input.baseline) / prediction.step;
  return prediction;
}

}  // namespace tilewise

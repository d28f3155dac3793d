// A point is loaded, lowered, simulated and put under the clock that its
// figure was read from.

#include "accuracy/predict.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/math.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "workload/example_size.h"

namespace tilewise {
namespace {

// The entry of a host's runtimes for one call of a compiled function.
constexpr std::string_view kCallRuntime = "jax";

// FLOPs of a training step over those of its forward pass, as model FLOPs are
// counted: the gradients of both operands of each product (PaLM, appendix B).
constexpr double kTrainingFlops = 3;

struct Run {
  Program program;
  Timeline step;
};

// No input has a batch dim.
bool IsStatic(const Graph& graph) {
  return std::all_of(graph.ops().begin(), graph.ops().end(), [](const Op& op) {
    return op.kind != OpKind::kParameter || op.shape.is_static();
  });
}

// The last kernel is one transfer into on-chip memory: what it reads is never
// stored from there.
void KeepResultOnChip(Program& program) {
  if (program.kernels.empty()) return;
  Kernel& last = program.kernels.back();
  last.hbm_write = {};
  last.on_chip_write = {};
  last.windows.write_per_step = {};
}

int64_t BatchPerCore(const Point& point, const Target& target) {
  return std::max<int64_t>(1,
                           CeilDiv(point.global_batch, target.batch_shards()));
}

Framework FrameworkOf(const Point& point, const Workload& workload) {
  return point.framework != Framework::kUnknown ? point.framework
                                                : workload.host_loop.framework;
}

absl::StatusOr<Run> RunStep(const Point& point, const Workload& workload,
                            bool training, const Target& target) {
  if (!workload.graph) {
    return InvalidInput(fmt::format("{}: found no model", point.spec));
  }
  if (point.global_batch == 0 && !IsStatic(*workload.graph)) {
    return InvalidInput("found no batch size");
  }
  LowerOptions options;
  options.training = training && workload.graph->trainable_parameters() > 0;
  if (workload.training) options.spec = *workload.training;
  if (point.optimizer) {
    options.spec.optimizer = *point.optimizer;
    options.spec.optimizer_known = true;
  }
  TW_ASSIGN_OR_RETURN(
      RematPolicy remat,
      ParseRematPolicy(point.remat.empty() ? "none" : point.remat));
  options.spec.remat = remat.base;
  options.spec.remat_tensors = std::move(remat.tensors);
  TW_ASSIGN_OR_RETURN(options.xla_flags, ParseXlaFlags(point.xla_flags));
  options.product_cuts = point.product_cuts;
  if (workload.compilation) options.compilation = &*workload.compilation;
  if (point.windows) {
    TW_ASSIGN_OR_RETURN(options.product_cuts, CutsOf(*point.windows, workload));
  }
  if (point.clock == Clock::kTrainLoop) {
    const Framework framework = FrameworkOf(point, workload);
    options.compiler = target.host.runtime(FrameworkName(framework)).compiler;
  }
  Run run;
  TW_ASSIGN_OR_RETURN(
      run.program,
      Lower(*workload.graph, BatchPerCore(point, target), target, options));
  if (point.result_on_chip) KeepResultOnChip(run.program);
  if (point.windows) {
    TW_RETURN_IF_ERROR(
        SetStatedWindows(*point.windows, target.chip, run.program));
  }
  run.step = SimulateStep(run.program, target);
  return run;
}

absl::StatusOr<Run> RunForward(const Point& point, const Target& target,
                               const WorkloadLoader& load) {
  TW_ASSIGN_OR_RETURN(const Workload workload, load(point.spec, false));
  return RunStep(point, workload, false, target);
}

LoopTimeline RunLoop(const Point& point, const Workload& workload,
                     const Timeline& step, const Target& target) {
  LoopInput input;
  input.step = &step;
  // Without stages: whole batches that are there.
  input.pipeline =
      point.whole_batch_source ? nullptr : workload.training_pipeline();
  input.framework = FrameworkOf(point, workload);
  input.one_hot_bytes_per_example = point.one_hot_bytes_per_example;
  input.global_batch = point.global_batch;
  input.steps_per_execution = point.steps_per_execution;
  if (point.examples_per_epoch > 0) {
    input.examples_per_epoch = point.examples_per_epoch;
  }
  input.bytes_per_example = point.bytes_per_example.value > 0
                                ? point.bytes_per_example
                                : BytesPerExample(workload);
  return SimulateLoop(input, target);
}

absl::StatusOr<Seconds> CallTime(const Target& target) {
  const HostRuntime& runtime = target.host.runtime(kCallRuntime);
  if (runtime.framework != kCallRuntime) {
    return InvalidInput(fmt::format(
        "host '{}': found no runtime '{}', expected one for a call timed there",
        target.host.name, kCallRuntime));
  }
  return runtime.per_execution;
}

std::string_view LongestPart(const Timeline& step) {
  struct Part {
    std::string_view name;
    Seconds time;
  };
  const Part parts[] = {{"MXU", step.mxu_busy},
                        {"vector", step.vector_busy},
                        {"HBM", step.dma_busy},
                        {"collective", step.collective}};
  const Part* longest = &parts[0];
  for (const Part& part : parts) {
    if (part.time > longest->time) longest = &part;
  }
  return longest->name;
}

// Device FLOPs of one forward pass and what a training step adds.
absl::StatusOr<double> ModelFlops(const Point& point, const Target& target,
                                  const WorkloadLoader& load) {
  TW_ASSIGN_OR_RETURN(const Run forward, RunForward(point, target, load));
  return forward.step.useful_flops * (point.training ? kTrainingFlops : 1);
}

absl::StatusOr<double> FigureOf(const Point& point, const Run& run,
                                Seconds span, const Target& target,
                                const WorkloadLoader& load) {
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
      return figure.scale * run.step.useful_flops * figure.steps / peak;
    case Quantity::kFits:
      return run.program.memory.fits() ? 1 : 0;
  }
  return 0;
}

struct Loop {
  Seconds step, span;
};

absl::StatusOr<Loop> TimeLoop(const Point& point, const Workload& workload,
                              const Run& run, const Target& target) {
  Loop loop;
  loop.step = run.step.step;
  if (point.clock == Clock::kHostCall) {
    TW_ASSIGN_OR_RETURN(const Seconds call, CallTime(target));
    loop.step += call;
  }
  if (point.clock == Clock::kTrainLoop) {
    const LoopTimeline timeline = RunLoop(point, workload, run.step, target);
    loop.step = timeline.step;
    if (point.examples_per_epoch > 0) return Loop{loop.step, timeline.epoch};
  }
  loop.span = loop.step * point.figure.steps;
  return loop;
}

// Two cores of a chip are two devices on some chips and one on others.
int64_t Devices(double chips, const Chip& chip) {
  const double devices =
      std::round(chips * static_cast<double>(chip.cores_per_chip));
  return std::max<int64_t>(1, static_cast<int64_t>(devices));
}

}  // namespace

absl::StatusOr<Target> TargetOf(const Point& point, const Machine& otherwise) {
  TW_ASSIGN_OR_RETURN(Mesh mesh, ParseMesh(point.mesh));
  mesh.slices = point.slices;
  const std::string& name = point.chip.empty() ? otherwise.chip : point.chip;
  if (name.empty()) {
    return InvalidInput("found no chip, expected a column 'chip' or --chip");
  }
  TW_ASSIGN_OR_RETURN(const Chip chip, FindChip(name));
  const int64_t cores = point.chips > 0
                            ? Devices(point.chips, chip)
                            : (point.cores > 0 ? point.cores : otherwise.cores);
  return MakeTarget(name, cores,
                    point.host.empty() ? otherwise.host : point.host, mesh);
}

absl::StatusOr<Prediction> Predict(const Point& point, const Target& target,
                                   const WorkloadLoader& load) {
  TW_ASSIGN_OR_RETURN(const Workload workload,
                      load(point.spec, point.training));
  TW_ASSIGN_OR_RETURN(const Run run,
                      RunStep(point, workload, point.training, target));
  TW_ASSIGN_OR_RETURN(Loop loop, TimeLoop(point, workload, run, target));
  if (point.figure.evaluations > 0) {
    TW_ASSIGN_OR_RETURN(const Run forward, RunForward(point, target, load));
    loop.span += forward.step.step * point.figure.evaluations;
  }
  Prediction prediction;
  prediction.fits = run.program.memory.fits();
  prediction.device = run.step.step;
  prediction.step = loop.step;
  const bool host = loop.step > 2 * run.step.step;
  prediction.bound = host ? "host" : std::string(LongestPart(run.step));
  TW_ASSIGN_OR_RETURN(prediction.value,
                      FigureOf(point, run, loop.span, target, load));
  return prediction;
}

}  // namespace tilewise

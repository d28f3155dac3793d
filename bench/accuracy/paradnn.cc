// ParaDnn's fully connected networks (Wang, Wei, Brooks 2019) on a v2-8:
// RMSProp with momentum, 100 iterations a loop, examples made on one host.

#include <fstream>

#include <fmt/format.h>

#include "bench/accuracy/comparisons.h"
#include "bench/accuracy/csv.h"
#include "bench/accuracy/errors.h"
#include "graph/graph_builder.h"
#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

constexpr int64_t kIterationsPerLoop = 100;

struct Network {
  int64_t layers = 0, nodes = 0, input = 0, output = 0, batch = 0;
};

OpId Dense(GraphBuilder& b, OpId x, int64_t units, std::string_view scope) {
  b.SetScope(scope);
  const int64_t features = b.shape(x).dims.back().factor;
  const OpId kernel =
      b.Variable(Shape::Of(DType::kF32, {features, units}), "kernel", true);
  const OpId bias = b.Variable(Shape::Of(DType::kF32, {units}), "bias", true);
  const OpId y = b.MatMul(x, kernel);
  return b.Binary(OpKind::kAdd, y, b.Broadcast(bias, b.shape(y).dims, {1}));
}

absl::StatusOr<Graph> Build(const Network& network) {
  GraphBuilder b("fc");
  OpId x =
      b.Parameter(Shape(DType::kF32, {BatchDim(), Dim{network.input}}), "x");
  for (int64_t i = 0; i < network.layers; ++i) {
    x = Dense(b, x, network.nodes, fmt::format("dense_{}", i));
    x = b.BinaryScalar(OpKind::kMaximum, x, 0);
  }
  x = b.Softmax(Dense(b, x, network.output, "out"), 1);
  b.AddOutput(x, Output::Role::kResult);
  return b.Build();
}

struct Outcome {
  bool fits = false;
  Timeline step;
  LoopTimeline loop;
};

// TPUEstimator's input function: examples repeated, batched and prefetched.
Pipeline InputFunction(const Network& network) {
  Pipeline pipeline;
  for (const StageKind kind : {StageKind::kFromTensorSlices, StageKind::kBatch,
                               StageKind::kPrefetch}) {
    Stage stage;
    stage.kind = kind;
    if (kind == StageKind::kBatch) {
      stage.amount = {Count::Kind::kValue, network.batch};
    }
    pipeline.stages.push_back(stage);
  }
  return pipeline;
}

absl::StatusOr<Outcome> Simulate(const Network& network, const Target& target) {
  TW_ASSIGN_OR_RETURN(const Graph graph, Build(network));
  LowerOptions options;
  options.spec.optimizer = OptimizerKind::kRmsPropMomentum;
  options.spec.optimizer_known = options.spec.loss_known = true;
  TW_ASSIGN_OR_RETURN(
      const Program program,
      Lower(graph, network.batch / target.cores, target, options));
  Outcome outcome;
  outcome.fits = program.memory.fits();
  outcome.step = SimulateStep(program, target);
  const Pipeline pipeline = InputFunction(network);
  LoopInput input;
  input.step = &outcome.step;
  input.pipeline = &pipeline;
  input.framework = Framework::kTpuEstimator;
  input.global_batch = network.batch;
  input.steps_per_execution = kIterationsPerLoop;
  input.bytes_per_example = {4 * (network.input + network.output)};
  outcome.loop = SimulateLoop(input, target);
  return outcome;
}

// What the simulated step is made of for the most part.
std::string RegimeOf(const Outcome& outcome) {
  const LoopTimeline& loop = outcome.loop;
  const Timeline& step = outcome.step;
  if (std::max(loop.input, loop.transfer) > loop.device_step) return "host";
  if (loop.dispatch > loop.device_step) return "floor";
  return step.mxu_busy > 0.5 * step.step ? "compute" : "weights";
}

class Sweep {
 public:
  absl::Status Add(const Csv& csv, size_t row, const Target& target) {
    const auto number = [&](std::string_view column) {
      return static_cast<int64_t>(csv.Number(row, column));
    };
    const Network network = {number("layers"), number("nodes"), number("input"),
                             number("output"), number("batch_global")};
    TW_ASSIGN_OR_RETURN(const Outcome outcome, Simulate(network, target));
    const bool ran = csv.Cell(row, "steps_per_s") != "OOM";
    (ran ? (outcome.fits ? fits_both_ : fits_measured_)
         : (outcome.fits ? fits_simulated_ : fits_neither_))++;
    const std::string label = fmt::format(
        "{}x{} in {} out {} batch {}", network.layers, network.nodes,
        network.input, network.output, network.batch);
    if (ran != outcome.fits) wrong_memory_.push_back(label);
    if (!ran) return absl::OkStatus();
    runs_.push_back({label,
                     RegimeOf(outcome),
                     {1 / csv.Number(row, "steps_per_s")},
                     outcome.loop.step});
    rows_ += fmt::format(
        "{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{}\n",
        network.layers, network.nodes, network.input, network.output,
        network.batch, 1e3 / csv.Number(row, "steps_per_s"),
        outcome.loop.step.value * 1e3, outcome.step.step.value * 1e3,
        outcome.step.mxu_busy.value * 1e3, outcome.step.dma_busy.value * 1e3,
        outcome.step.collective.value * 1e3,
        std::max(outcome.loop.input, outcome.loop.transfer).value * 1e3,
        RegimeOf(outcome));
    return absl::OkStatus();
  }

  void Print(const std::string& csv_out) const {
    PrintSummary("ParaDnn step time", runs_);
    PrintWorst(runs_, 10);
    const int right = fits_both_ + fits_neither_;
    const int all = right + fits_measured_ + fits_simulated_;
    fmt::print(
        "out of memory: {} of {} right; ran {} (said to fail {}), failed {} "
        "(said to run {})\n",
        right, all, fits_both_ + fits_measured_, fits_measured_,
        fits_neither_ + fits_simulated_, fits_simulated_);
    for (size_t i = 0; i < wrong_memory_.size() && i < 10; ++i) {
      fmt::print("  {}\n", wrong_memory_[i]);
    }
    if (csv_out.empty()) return;
    std::ofstream(csv_out)
        << "layers,nodes,input,output,batch,measured_ms,simulated_ms,"
           "device_ms,mxu_ms,dma_ms,collective_ms,host_ms,regime\n"
        << rows_;
  }

 private:
  std::vector<Run> runs_;
  std::vector<std::string> wrong_memory_;
  std::string rows_;
  int fits_both_ = 0, fits_neither_ = 0;
  int fits_measured_ = 0;   // ran, but is simulated not to fit
  int fits_simulated_ = 0;  // failed, but is simulated to fit
};

}  // namespace

absl::Status CompareParaDnn(const std::string& folder,
                            const std::string& csv_out) {
  TW_ASSIGN_OR_RETURN(const Csv csv,
                      Csv::Read(folder + "/paradnn-fc-v2-8.csv"));
  TW_ASSIGN_OR_RETURN(const Target target, MakeTarget("v2", 8, "tpu-node"));
  Sweep sweep;
  for (size_t row = 0; row < csv.rows(); ++row) {
    TW_RETURN_IF_ERROR(sweep.Add(csv, row, target));
  }
  sweep.Print(csv_out);
  return absl::OkStatus();
}

}  // namespace tilewise

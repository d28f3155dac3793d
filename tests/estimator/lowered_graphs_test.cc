// Promises of the whole path from graph to time, on random graphs and every
// chip: the estimate is a lower bound, nothing beats the hardware, a larger
// batch is never faster, and lowering keeps what the graph computes.

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "estimator/estimate.h"
#include "graph/training.h"
#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "tests/reference/evaluator.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

constexpr double kRounding = 1e-9;

Target TargetOf(const std::string& chip, int64_t cores = 0) {
  const absl::StatusOr<Target> target = MakeTarget(chip, cores, "");
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

Program Lowered(const Graph& graph, int64_t batch, const Target& target, bool training) {
  LowerOptions options;
  options.training = training;
  absl::StatusOr<Program> program = Lower(graph, batch, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

struct Case {
  std::string chip;
  uint32_t seed;
  bool rare_kinds;  // ops that compilers write and layers do not
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.chip << " seed " << c.seed << (c.rare_kinds ? " rare" : "");
}

class LoweredGraphs : public testing::TestWithParam<Case> {
 protected:
  const Target target_ = TargetOf(GetParam().chip);
  const Graph graph_ = reference::RandomClassifier(GetParam().seed, 12, 3, GetParam().rare_kinds);
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const std::string& chip : ChipNames()) {
    for (uint32_t seed = 0; seed < 6; ++seed) {
      cases.push_back({chip, seed, false});
      cases.push_back({chip, seed, true});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, LoweredGraphs, testing::ValuesIn(Cases()),
                         [](const testing::TestParamInfo<Case>& param) {
                           return param.param.chip + "_seed" + std::to_string(param.param.seed) +
                                  (param.param.rare_kinds ? "_rare" : "");
                         });

TEST_P(LoweredGraphs, AreNeverSimulatedFasterThanEstimated) {
  for (const bool training : {true, false}) {
    for (const int64_t batch : {1, 8, 100, 128}) {
      const Program program = Lowered(graph_, batch, target_, training);
      const Estimate estimate = EstimateProgram(program, target_);
      const Timeline timeline = SimulateStep(program, target_);
      for (const KernelSpan& span : timeline.spans) {
        const size_t kernel = span.kernel;
        EXPECT_GE(span.duration.value * (1 + kRounding), estimate.kernels[kernel].total.value)
            << program.kernels[kernel].name << " at batch " << batch;
      }
      EXPECT_GE(timeline.step.value * (1 + kRounding), estimate.step.value);
    }
  }
}

TEST_P(LoweredGraphs, NeverBeatTheHardware) {
  const Program program = Lowered(graph_, 128, target_, true);
  const Timeline timeline = SimulateStep(program, target_);
  const Chip& chip = target_.chip;
  EXPECT_LE(timeline.useful_flops, timeline.step.value * chip.peak_flops() * (1 + kRounding));
  EXPECT_LE(timeline.mxu_use, 1);
  for (const KernelSpan& span : timeline.spans) {
    const Kernel& kernel = program.kernels[span.kernel];
    EXPECT_LE(kernel.matrix.useful_flops, kernel.matrix.padded_flops * (1 + kRounding))
        << kernel.name;
    const auto bytes = static_cast<double>((kernel.from_hbm() + kernel.to_hbm()).value);
    EXPECT_LE(bytes, span.duration.value * chip.hbm_bandwidth.value * (1 + kRounding))
        << kernel.name;
  }
}

// The same kernels, each with its values in the same dim orders.
bool AreAlike(const Program& a, const Program& b) {
  if (a.kernels.size() != b.kernels.size() || a.graph.size() != b.graph.size()) {
    return false;
  }
  for (size_t i = 0; i < a.kernels.size(); ++i) {
    if (a.kernels[i].ops != b.kernels[i].ops) return false;
  }
  for (size_t i = 0; i < a.layouts.size(); ++i) {
    if (a.layouts[i] != b.layouts[i]) return false;
  }
  return true;
}

double Count(const Program& program) { return static_cast<double>(program.kernels.size()); }

// Whether `batch` is the first of the doubled ones that fills whole sublanes or
// lanes.
bool EndsAtTile(int64_t batch) { return batch == 8 || batch == 128; }

// Of kernels that reverse along lanes, which in another order of dims costs next
// to nothing: the compiler does not choose orders by it.
double TimeOfLaneReverses(const Program& program, const Timeline& timeline) {
  double time = 0;
  for (const KernelSpan& span : timeline.spans) {
    const std::vector<OpId>& ops = program.kernels[span.kernel].ops;
    const bool turns = std::ranges::any_of(ops, [&](OpId id) {
      const Op& op = program.graph.op(id);
      return op.kind == OpKind::kReverse && op.shape.rank() > 0 &&
             std::ranges::count(op.as<DimsAttrs>().dims, program.layouts[id].minor_to_major[0]) > 0;
    });
    if (turns) time += span.duration.value;
  }
  return time;
}

// Never, for the same kernels with their values in the same orders, but where
// the larger batch ends at a whole tile and parts of values need not be shifted
// any more: seen up to 0.1 %. Orders and fusions are chosen as the compiler
// does, value by value and without the time of the whole step; at another batch
// the choice may be another and a better one: then by the fixed times of the
// kernels that it saves, and seen up to 0.33 % of steps this small.
TEST_P(LoweredGraphs, AreNotFasterAtTwiceTheBatch) {
  constexpr double kWholeTile = 0.001;
  constexpr double kOtherChoice = 0.004;
  const Seconds fixed = target_.chip.kernel_overhead + target_.chip.dma_latency * 2;
  for (const bool training : {true, false}) {
    std::optional<Program> half;
    double before = 0;
    double reverses = 0;
    for (int64_t batch = 2; batch <= 8192; batch *= 2) {
      Program program = Lowered(graph_, batch, target_, training);
      const Timeline timeline = SimulateStep(program, target_);
      const double step = timeline.step.value;
      double allowed = EndsAtTile(batch) ? kWholeTile : kRounding;
      double saved = 0;
      if (half && !AreAlike(*half, program)) {
        allowed = kOtherChoice;
        saved = fixed.value * std::max(0.0, Count(*half) - Count(program)) + reverses;
      }
      EXPECT_GE(step * (1 + allowed) + saved, before) << "batch " << batch;
      before = step;
      reverses = TimeOfLaneReverses(program, timeline);
      half = std::move(program);
    }
  }
}

TEST_P(LoweredGraphs, HoldTheirLargestBufferAtThePeak) {
  const Program program = Lowered(graph_, 128, target_, true);
  for (const Buffer& buffer : program.buffers) {
    EXPECT_LE(buffer.unpadded, buffer.padded);
    // One that stays on the chip is no part of the peak, which is of HBM.
    if (buffer.adds_at(buffer.last)) {
      EXPECT_LE(buffer.padded, program.memory.peak);
    }
  }
}

// The program's graph has copies, fused-away composites and merged ops; its
// outputs are those of the plain training step.
TEST_P(LoweredGraphs, ComputeWhatTheTrainingStepComputes) {
  constexpr int64_t kBatch = 3;
  const Target target = TargetOf(GetParam().chip, 1);
  const Graph bound = graph_.Bind(kBatch);
  const absl::StatusOr<Graph> step = ExpandTraining(bound, TrainingSpec{});
  ASSERT_TRUE(step.ok()) << step.status();
  const Program program = Lowered(graph_, kBatch, target, true);
  const reference::Tensors leaves = reference::RandomLeaves(*step, GetParam().seed);
  const auto expected = reference::Evaluate(*step, leaves);
  const auto found = reference::Evaluate(program.graph, leaves);
  ASSERT_EQ(expected.size(), found.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(expected[i].data.size(), found[i].data.size());
    for (size_t k = 0; k < expected[i].data.size(); ++k) {
      const double want = expected[i].data[k];
      EXPECT_NEAR(found[i].data[k], want, 1e-6 * (1 + std::abs(want))) << "output " << i;
    }
  }
}

}  // namespace
}  // namespace tilewise

// Layers that run as the iterations of a loop: what begins and ends in its
// iteration.

#include "sim/lowering/latency_hiding_schedule/layer_trips.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

constexpr int kLayers = 5;

Graph Layers(bool scan) {
  GraphBuilder b("layers");
  const Dim features = {2048, false};
  OpId x = b.Parameter({DType::kBF16, {BatchDim(), features}}, "x");
  for (int i = 0; i < kLayers; ++i) {
    b.SetScope("layer" + std::to_string(i));
    if (scan) b.SetLoop({i + 1, 1});
    const auto dense = [&](std::string_view name, OpId input) {
      const Shape square(DType::kBF16, {features, features});
      return b.MatMul(input, b.Variable(square, name, true));
    };
    const OpId y = b.Unary(OpKind::kTanh, dense("up", x));
    x = b.Binary(OpKind::kAdd, x, dense("down", y));
  }
  b.AddOutput(x, Output::Role::kResult);
  return *b.Build();
}

Program Lowered(const Graph& graph, std::string_view remat = "full", const XlaFlags& flags = {},
                int64_t slices = 1) {
  auto target =
      MakeTarget("v6e", 4 * slices, "", {.data = 1, .fsdp = 4 * slices, .slices = slices});
  EXPECT_TRUE(target.ok()) << target.status();
  LowerOptions options;
  options.spec = SpecOf(LossKind::kMeanSquaredError);
  const auto policy = ParseRematPolicy(remat);
  EXPECT_TRUE(policy.ok()) << policy.status();
  options.spec.remat = policy->base;
  options.spec.remat_tensors = policy->tensors;
  options.xla_flags = flags;
  auto program = Lower(graph, 8192, *target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

Program Lowered(bool scan, std::string_view remat = "full", const XlaFlags& flags = {},
                int64_t slices = 1) {
  return Lowered(Layers(scan), remat, flags, slices);
}

// Whether a kernel of an earlier iteration than `iteration` stands behind `k`.
bool IsBeforeIteration(const Program& program, size_t k, int32_t iteration) {
  const auto begin = program.kernels.begin() + static_cast<std::ptrdiff_t>(k);
  return std::any_of(begin, program.kernels.end(), [iteration](const Kernel& later) {
    return !later.overlappable && later.iteration > 0 && later.iteration < iteration;
  });
}

// The iteration of the first kernel that reads what `k` makes; 0: outside of
// any.
int32_t IterationOfReader(const Program& program, size_t k) {
  const OpId made = program.kernels[k].outputs.front();
  for (const Kernel& kernel : program.kernels) {
    const auto& inputs = kernel.inputs;
    if (std::find(inputs.begin(), inputs.end(), made) != inputs.end()) {
      return kernel.iteration;
    }
  }
  return 0;
}

bool IsWeightGather(const Kernel& kernel) {
  return kernel.overlappable && kernel.collective == OpKind::kAllGather &&
         kernel.kind == KernelKind::kCollective && kernel.phase != Phase::kUpdate;
}

bool ComesFromHost(const Kernel& kernel) {
  return kernel.kind == KernelKind::kHostCopy && !kernel.goes_to_host();
}

// Of those that `select` takes: how many start before their reader's iteration.
template <typename Select>
int CountAhead(const Program& program, const Select& select) {
  int ahead = 0;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    if (!select(program.kernels[k])) continue;
    if (IsBeforeIteration(program, k, IterationOfReader(program, k))) ++ahead;
  }
  return ahead;
}

TEST(LayerIterations, AreOneALayerAndPass) {
  std::set<int32_t> trips;
  for (const Kernel& kernel : Lowered(true).kernels) {
    if (kernel.iteration > 0) trips.insert(kernel.iteration);
  }
  EXPECT_EQ(trips.size(), 2u * kLayers);
  EXPECT_EQ(*trips.rbegin(), 2 * kLayers);
}

TEST(LayerIterations, AreNoneWhereLayersAreWrittenOut) {
  for (const Kernel& kernel : Lowered(false).kernels) {
    EXPECT_EQ(kernel.iteration, 0) << kernel.name;
  }
}

TEST(LayerIterations, FollowEachOtherInTheIssueOrder) {
  int32_t last = 0;
  for (const Kernel& kernel : Lowered(true).kernels) {
    if (kernel.iteration == 0) continue;
    EXPECT_GE(kernel.iteration, last) << kernel.name;
    last = kernel.iteration;
  }
}

// How many updates stand before a kernel of an iteration.
int UpdatesBeforeTheEnd(const Program& program) {
  int updates = 0;
  int before = 0;
  for (const Kernel& kernel : program.kernels) {
    if (kernel.iteration > 0) before = updates;
    if (kernel.phase == Phase::kUpdate && kernel.kind != KernelKind::kCollective) {
      ++updates;
    }
  }
  EXPECT_GT(updates, 0);
  return before;
}

TEST(LayerIterations, UpdatesWaitForTheLoopThatHandsTheirGradientsOut) {
  EXPECT_EQ(UpdatesBeforeTheEnd(Lowered(true)), 0);
  const Program written_out = Lowered(false);
  const auto first_update =
      std::find_if(written_out.kernels.begin(), written_out.kernels.end(),
                   [](const Kernel& kernel) { return kernel.phase == Phase::kUpdate; });
  EXPECT_TRUE(std::any_of(first_update, written_out.kernels.end(),
                          [](const Kernel& kernel) { return kernel.phase == Phase::kBackward; }));
}

TEST(LayerIterations, WeightsAreGatheredInTheirIteration) {
  EXPECT_EQ(CountAhead(Lowered(true), IsWeightGather), 0);
}

constexpr std::string_view kOffload = "full,decoder_layer_input=offload";

TEST(LayerIterations, CopiesFromTheHostStartInTheirIterationUnlessAFlagLetsThemCross) {
  EXPECT_EQ(CountAhead(Lowered(true, kOffload), ComesFromHost), 0);
  EXPECT_GT(CountAhead(Lowered(true, kOffload, {.copies_across_trips = true}), ComesFromHost), 0);
}

// The flag that moves gathers over the edge of a loop does so between slices.
TEST(LayerIterations, GathersCrossBetweenSlicesAlone) {
  const XlaFlags across = {.slice_gathers_across_trips = true};
  EXPECT_EQ(CountAhead(Lowered(true, "full", across, 1), IsWeightGather), 0);
  EXPECT_EQ(CountAhead(Lowered(true, "full", {}, 2), IsWeightGather), 0);
  EXPECT_GT(CountAhead(Lowered(true, "full", across, 2), IsWeightGather), 0);
}

// A table in another type for each layer, as of rotary positions: made of no data, it stands before
// the first layer.
TEST(LayerIterations, DoNotBeginWithWhatIsMadeOfNoData) {
  GraphBuilder b("layers");
  const Dim features = {2048, false};
  const OpId data = b.Parameter({DType::kBF16, {BatchDim(), features}}, "x");
  const OpId table = b.Unary(OpKind::kExp, b.Iota(Shape(DType::kF32, {features}), 0));
  std::vector<OpId> casts;
  for (int i = 0; i < kLayers; ++i) {
    b.SetLoop({i + 1, 1});
    b.SetScope("cast" + std::to_string(i));
    casts.push_back(b.Unary(OpKind::kTanh, table));
  }
  OpId x = data;
  for (int i = 0; i < kLayers; ++i) {
    b.SetLoop({i + 1, 1});
    b.SetScope("layer" + std::to_string(i));
    const OpId row = b.Convert(casts[i], DType::kBF16);
    const OpId y = b.Binary(OpKind::kMultiply, x, b.Broadcast(row, {BatchDim(), features}, {1}));
    x = b.MatMul(y, b.Variable(Shape(DType::kBF16, {features, features}), "w", true));
  }
  b.AddOutput(x, Output::Role::kResult);
  const Program program = Lowered(*b.Build());
  int32_t last = 0;
  for (const Kernel& kernel : program.kernels) {
    if (kernel.kind != KernelKind::kMatrix || kernel.phase != Phase::kForward) continue;
    EXPECT_EQ(kernel.iteration, program.graph.op(kernel.root).loop.id) << kernel.name;
    last = std::max(last, kernel.iteration);
  }
  EXPECT_EQ(last, kLayers);
}

// Layers written out whose inputs stay on the device; what goes up is kept for their gradients.
Graph WrittenOut() {
  GraphBuilder b("layers");
  const Dim features = {2048, false};
  OpId x = b.Parameter({DType::kBF16, {BatchDim(), features}}, "x");
  for (int i = 0; i < kLayers; ++i) {
    const auto dense = [&](const std::string& name, OpId input) {
      b.SetScope("layer" + std::to_string(i) + "/" + name);
      const Shape square(DType::kBF16, {features, features});
      return b.MatMul(input, b.Variable(square, "w", true));
    };
    const OpId y = dense("up", b.Unary(OpKind::kTanh, x));
    x = b.Binary(OpKind::kAdd, x, dense("down", b.Unary(OpKind::kTanh, y)));
  }
  b.AddOutput(x, Output::Role::kResult);
  return *b.Build();
}

constexpr std::string_view kOffloadUp = "full,mlpwi_0=offload";

TEST(LayerTrips, WithoutBarriersSecondRunsOfLayersWrittenOutWaitInMemory) {
  const Program held = Lowered(WrittenOut(), kOffloadUp, {.removes_barriers = false});
  const Program ahead = Lowered(WrittenOut(), kOffloadUp, {.removes_barriers = true});
  const Bytes of_a_layer{8192LL * 2048 * 2};
  EXPECT_GE(ahead.memory.peak, held.memory.peak + of_a_layer * (kLayers - 2));
  EXPECT_EQ(held.memory.without_barriers, Bytes{});
  EXPECT_EQ(ahead.memory.without_barriers, Bytes{});
  // Nothing is known of barriers: that is said where values go to the host.
  const Program open = Lowered(WrittenOut(), kOffloadUp);
  EXPECT_EQ(open.memory.peak, held.memory.peak);
  EXPECT_EQ(open.memory.without_barriers, ahead.memory.peak);
  EXPECT_EQ(Lowered(WrittenOut()).memory.without_barriers, Bytes{});
  const XlaFlags by_layer = {.schedules_by_layer = true};
  EXPECT_GT(Lowered(WrittenOut(), "full", by_layer).memory.without_barriers, held.memory.peak);
  EXPECT_EQ(Lowered(true, kOffload).memory.without_barriers, Bytes{});
}

TEST(LayerTrips, WrittenOutFetchAheadUpToTheLimit) {
  const auto peak = [](int32_t percent) {
    return Lowered(WrittenOut(), kOffloadUp, {.memory_percent = percent}).memory.peak;
  };
  EXPECT_GT(peak(100), peak(1));
  EXPECT_EQ(peak(100), peak(0));
}

TEST(LayerTrips, MatmulsAroundARingHaveTheirOperandsInMemory) {
  const auto peak = [](const XlaFlags& flags) {
    return Lowered(WrittenOut(), "none", flags).memory.peak;
  };
  EXPECT_GT(peak({.gathers_around_ring = true}), peak({}));
  EXPECT_GT(peak({.scatters_around_ring = true}), peak({}));
  EXPECT_EQ(peak({.gathers_around_ring = true, .least_ring_mib = 1000}), peak({}));
}

TEST(LayerTrips, WrittenOutGatherAheadUpToALimitAboveTheMemory) {
  const auto peak = [](bool scan, int32_t percent) {
    return Lowered(scan, "full", {.memory_percent = percent}).memory.peak;
  };
  EXPECT_GT(peak(false, 150), peak(false, 100));
  EXPECT_EQ(peak(false, 100), peak(false, 0));
  EXPECT_EQ(peak(true, 150), peak(true, 0));
}

}  // namespace
}  // namespace tilewise

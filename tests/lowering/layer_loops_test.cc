// What loops over layers keep, and for how long.

#include "sim/lowering/buffer_assignment/layer_loops.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sim/lowering/buffer_assignment/live_ranges.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

// Two layers, each with a value for its gradients and a gradient of a weight.
constexpr std::string_view kLayers = R"(graph "layers" {
  x = f32[1024,1024] parameter()
  w = f32[1024,1024] variable()
  f1 = f32[1024,1024] opaque(x), label="f1", loop=1, first_trip=1
  f2 = f32[1024,1024] opaque(f1), label="f2", loop=2, first_trip=1
  top = f32[1024,1024] opaque(f2), label="top"
  g2 = f32[1024,1024] opaque(top, f2), label="g2", phase=backward, loop=-2, first_trip=1
  h2 = f32[1024,1024] opaque(g2), label="h2", phase=backward, loop=-2, first_trip=1
  g1 = f32[1024,1024] opaque(h2, f1), label="g1", phase=backward, loop=-1, first_trip=1
  m1 = f32[1024,1024] opaque(g1), label="m1", phase=backward, loop=-1, first_trip=1
  n1 = f32[1024,1024] opaque(m1), label="n1", phase=backward, loop=-1, first_trip=1
  h1 = f32[1024,1024] opaque(n1), label="h1", phase=backward, loop=-1, first_trip=1
  u = f32[1024,1024] opaque(w, g2, h1), label="u", phase=update
  output state u of w
})";

OpId Named(const Program& program, std::string_view name) {
  for (const Op& op : program.graph.ops()) {
    if (op.name == name) return op.id;
  }
  return kNoOp;
}

KernelId Writes(const Program& program, std::string_view name) {
  const OpId id = Named(program, name);
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    for (const OpId output : program.kernels[k].outputs) {
      if (output == id) return k;
    }
  }
  return {};
}

TEST(LayerLoops, KeepWhatGradientsNeedInArraysToTheEndOfTheGradientLoop) {
  const Program program = Backend(kLayers, BackendTarget());
  const LayerLoops loops(program);
  EXPECT_EQ(loops.ReadTo(Named(program, "f2")), Writes(program, "h1"));
  EXPECT_EQ(loops.ReadTo(Named(program, "f1")), Writes(program, "h1"));
  EXPECT_EQ(loops.ReadTo(Named(program, "top")), KernelId());
  EXPECT_EQ(loops.ReadTo(Named(program, "h2")), KernelId());
}

TEST(LayerLoops, FillArraysOfGradientsFromTheStartOfTheGradientLoop) {
  const Program program = Backend(kLayers, BackendTarget());
  const LayerLoops loops(program);
  EXPECT_EQ(loops.FilledFrom(Named(program, "h1")), Writes(program, "g2"));
  EXPECT_EQ(loops.FilledFrom(Named(program, "f1")), KernelId());
}

TEST(LayerLoops, CountOnlyIterationsOfGradients) {
  const Program program = Backend(kLayers, BackendTarget());
  const LayerLoops loops(program);
  EXPECT_EQ(loops.IterationEnd(Writes(program, "f1")), KernelId());
  EXPECT_EQ(loops.IterationEnd(Writes(program, "g2")), Writes(program, "h2"));
}

// A value of an iteration stays until it ends if there is room.
TEST(LayerLoops, IterationsFreeValuesEarlyWhereThereIsNoRoom) {
  const auto memory = [](int64_t bytes) {
    Target target = BackendTarget();
    target.chip.hbm = {bytes};
    target.chip.hbm_reserved = {};
    return Backend(kLayers, target).memory;
  };
  const Memory roomy = memory(int64_t{1} << 30);
  const Memory tight = memory(roomy.peak.value - 1);
  EXPECT_EQ(roomy.freed_early, Bytes{});
  EXPECT_GT(tight.freed_early, Bytes{});
  EXPECT_LT(tight.peak, roomy.peak);
  EXPECT_EQ(tight.least + tight.freed_early, roomy.peak);
}

TEST(LayerLoops, SchedulersThatTrackMemoryEndAllValuesWithTheirLastReader) {
  const Target target = BackendTarget();
  Program program = Backend(kLayers, target);
  const Bytes untracked = program.memory.peak;
  AssignBuffers(program, target.chip, {.tracks_memory = true, .memory_percent = 100});
  EXPECT_LT(program.memory.peak, untracked);
  EXPECT_EQ(program.memory.freed_early, Bytes{});
  AssignBuffers(program, target.chip, {.tracks_memory = true, .memory_percent = 150});
  EXPECT_EQ(program.memory.peak, untracked);
}

// Two layers that keep a value on the host for their gradients. The gradient loop begins behind
// "loss", when the copy for its first iteration is under way.
constexpr std::string_view kOffloaded = R"(graph "offloaded" {
  x = f32[1024,1024] parameter()
  w = f32[1024,1024] variable()
  f1 = f32[1024,1024] opaque(x), label="f1", loop=1, first_trip=1
  c1 = f32[1024,1024] copy-to-host(f1), loop=1, first_trip=1
  f2 = f32[1024,1024] opaque(f1), label="f2", loop=2, first_trip=1
  c2 = f32[1024,1024] copy-to-host(f2), loop=2, first_trip=1
  top = f32[1024,1024] opaque(f2), label="top"
  k2 = f32[1024,1024] copy-from-host(c2, f2), phase=backward, loop=-2, first_trip=1
  loss = f32[1024,1024] opaque(top), label="loss", phase=backward
  g2 = f32[1024,1024] opaque(loss, k2), label="g2", phase=backward, loop=-2, first_trip=1
  k1 = f32[1024,1024] copy-from-host(c1, g2), phase=backward, loop=-1, first_trip=1
  g1 = f32[1024,1024] opaque(g2, k1), label="g1", phase=backward, loop=-1, first_trip=1
  u = f32[1024,1024] opaque(w, g2, g1), label="u", phase=update
  output state u of w
})";

TEST(LayerLoops, BeginBehindWhatIsCopiedAheadForTheirFirstIteration) {
  const Program program = Backend(kOffloaded, BackendTarget());
  EXPECT_LT(Writes(program, "k2"), Writes(program, "g2"));
  EXPECT_EQ(LayerLoops(program).FilledFrom(Named(program, "g1")), Writes(program, "g2"));
}

TEST(LayerLoops, CopiesOfTheLastIterationReadToTheGradientLoopWhereTheyRunIntoTheNext) {
  const Target target = BackendTarget();
  Program program = Backend(kOffloaded, target);
  const auto read_to = [&](std::string_view name) {
    const OpId id = Named(program, name);
    return std::ranges::find(program.buffers, id, &Buffer::value)->last;
  };
  EXPECT_LT(read_to("f2"), Writes(program, "g2"));
  AssignBuffers(program, target.chip, {.copies_across_trips = true});
  EXPECT_EQ(read_to("f2"), Writes(program, "g2"));
  EXPECT_LT(read_to("f1"), Writes(program, "top"));
}

// A gradient of what no loop trains, summed before the loop over the only layer.
constexpr std::string_view kOutside = R"(graph "outside" {
  x = f32[1024,1024] parameter()
  w = f32[1024,1024] variable()
  v = f32[128,1024] variable()
  f1 = f32[1024,1024] opaque(x), label="f1", loop=1, first_trip=1
  top = f32[1024,1024] opaque(f1), label="top", phase=backward
  s = f32[128,1024] reduce-scatter(top), dims={0}, group_size=8, phase=backward
  g1 = f32[1024,1024] opaque(top, f1), label="g1", phase=backward, loop=-1, first_trip=1
  h1 = f32[1024,1024] opaque(g1), label="h1", phase=backward, loop=-1, first_trip=1
  u = f32[1024,1024] opaque(w, h1), label="u", phase=update
  t = f32[128,1024] opaque(v, s), label="t", phase=update
  output state u of w
  output state t of v
})";

TEST(LayerLoops, SumsOnSparseCoresAreWholeBeforeAndAfterUntilTheLoopEnds) {
  const Target target = BackendTarget();
  Program program = Backend(kOutside, target);
  const auto buffer = [&](std::string_view name) {
    return *std::ranges::find(program.buffers, Named(program, name), &Buffer::value);
  };
  const Bytes part = buffer("s").unpadded;
  EXPECT_LT(buffer("top").last, Writes(program, "h1"));
  AssignBuffers(program, target.chip, {.sums_on_sparse_cores = true});
  EXPECT_GE(buffer("top").last, Writes(program, "h1"));
  EXPECT_GE(buffer("s").last, Writes(program, "h1"));
  EXPECT_EQ(buffer("s").unpadded, part * 8);
}

// Gradients of a layer, each summed over the cores: a small one between two large ones.
constexpr std::string_view kGradients = R"(graph "gradients" {
  x = f32[1024,1024] parameter()
  w = f32[1024,1024] variable()
  f1 = f32[1024,1024] opaque(x), label="f1", loop=1, first_trip=1
  top = f32[1024,1024] opaque(f1), label="top"
  g1 = f32[1024,1024] opaque(top, f1), label="g1", phase=backward, loop=-1, first_trip=1
  s1 = f32[1024,1024] all-reduce(g1), group_size=8, phase=backward, loop=-1, first_trip=1
  g2 = f32[512,1024] opaque(top, s1), label="g2", phase=backward, loop=-1, first_trip=1
  s2 = f32[512,1024] all-reduce(g2), group_size=8, phase=backward, loop=-1, first_trip=1
  g3 = f32[1024,1024] opaque(top, s2), label="g3", phase=backward, loop=-1, first_trip=1
  s3 = f32[1024,1024] all-reduce(g3), group_size=8, phase=backward, loop=-1, first_trip=1
  last = f32[1024,1024] opaque(s3), label="last", phase=backward, loop=-1, first_trip=1
  u = f32[1024,1024] opaque(w, s1, s2, last), label="u", phase=update
  output state u of w
})";

TEST(LayerLoops, SchedulersThatWorkLayerByLayerHoldAWholeGradientUntilOneAsLargeIsSummed) {
  const Target target = BackendTarget();
  Program program = Backend(kGradients, target);
  const auto held_to = [&](std::string_view name) {
    const OpId id = Named(program, name);
    const auto& buffers = program.buffers;
    return std::ranges::find(buffers, id, &Buffer::value)->held_to;
  };
  EXPECT_EQ(held_to("g1"), Writes(program, "last"));
  AssignBuffers(program, target.chip, {.schedules_by_layer = true});
  EXPECT_EQ(held_to("g1"), Writes(program, "s3"));
  EXPECT_EQ(held_to("g2"), Writes(program, "s3"));
  EXPECT_EQ(held_to("g3"), Writes(program, "last"));
}

}  // namespace
}  // namespace tilewise

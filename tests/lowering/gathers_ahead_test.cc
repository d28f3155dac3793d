// Asynchronous gathers in the issue order.

#include "sim/lowering/latency_hiding_schedule/gathers_ahead.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

size_t At(const Program& program, std::string_view value) {
  return static_cast<size_t>(WriterOf(program, value) - program.kernels.data());
}

Target FsdpTarget(bool async = true) {
  Target target = BackendTarget();
  target.cores = 4;
  target.mesh = {.data = 1, .fsdp = 4};
  target.chip.ici_link_bandwidth = {50e9};
  target.chip.async_all_gather = async;
  return target;
}

// Two layers: the second weight can be gathered while the first is used.
constexpr std::string_view kTwoLayers = R"(graph "g" {
  x = f32[4096,4096] parameter()
  w1 = f32[1024,4096] variable()
  g1 = f32[4096,4096] all-gather(w1), dims={0}, group_size=4, axis="fsdp"
  y1 = f32[4096,4096] dot(x, g1), lhs_contract={1}, rhs_contract={0}
  t = f32[4096,4096] tanh(y1)
  y2 = f32[4096,4096] dot(t, g1), lhs_contract={1}, rhs_contract={0}
  w2 = f32[1024,4096] variable()
  g2 = f32[4096,4096] all-gather(w2), dims={0}, group_size=4, axis="fsdp"
  y3 = f32[4096,4096] dot(y2, g2), lhs_contract={1}, rhs_contract={0}
  output result y3
})";

TEST(GathersAhead, IssuesAGatherBeforeTheWorkThatHidesIt) {
  const Program program = Backend(kTwoLayers, FsdpTarget());
  EXPECT_TRUE(WriterOf(program, "g2")->overlappable);
  EXPECT_LT(At(program, "g1"), At(program, "g2"));
  EXPECT_LT(At(program, "g2"), At(program, "y2"));
}

TEST(GathersAhead, LeavesSynchronousGathersWhereTheyAreUsed) {
  const Program program = Backend(kTwoLayers, FsdpTarget(false));
  EXPECT_FALSE(WriterOf(program, "g2")->overlappable);
  EXPECT_EQ(At(program, "g2") + 1, At(program, "y3"));
}

// A gradient that needs token ids of all cores does not wait for loops over layers,
// through which what else it reads would be kept.
TEST(GathersAhead, GathersOfInputsDoNotHoldUpWhatNeedsThem) {
  constexpr std::string_view kLookup = R"(graph "g" {
  ids = s32[1024] parameter()
  x = f32[4096,4096] parameter()
  w = f32[4096,4096] variable()
  all = s32[4096] all-gather(ids), dims={0}, group_size=4, axis="fsdp", phase=backward
  rows = f32[4096,4096] dot(x, w), lhs_contract={1}, rhs_contract={0}
  sum = f32[4096,4096] opaque(all, rows), label="scatter", phase=backward
  y1 = f32[4096,4096] opaque(rows), label="y1", phase=backward, loop=-2, first_trip=1
  y2 = f32[4096,4096] opaque(y1), label="y2", phase=backward, loop=-1, first_trip=1
  output result sum
  output result y2
})";
  const Program program = Backend(kLookup, FsdpTarget());
  EXPECT_LT(At(program, "sum"), At(program, "y1"));
}

// Gathering everything at once would keep all weights in memory.
TEST(GathersAhead, DoesNotGatherLongBeforeTheUse) {
  std::string text = R"(graph "g" {
  x0 = f32[4096,4096] parameter())";
  for (int i = 1; i <= 8; ++i) {
    text += fmt::format(R"(
  w{0} = f32[1024,4096] variable()
  g{0} = f32[4096,4096] all-gather(w{0}), dims={{0}}, group_size=4, axis="fsdp"
  x{0} = f32[4096,4096] dot(x{1}, g{0}), lhs_contract={{1}}, rhs_contract={{0}})",
                        i, i - 1);
  }
  text += "\n  output result x8\n}";
  const Program program = Backend(text, FsdpTarget());
  EXPECT_GT(At(program, "g8"), At(program, "x4"));
  for (int i = 1; i <= 8; ++i) {
    EXPECT_LT(At(program, fmt::format("g{}", i)), At(program, fmt::format("x{}", i)));
  }
}

// As many products as there are layers in a small model, each of which takes a
// tenth of the time that the gather of its weight takes.
TEST(GathersAhead, GathersFewAheadWhereTheLinksAreTheBottleneck) {
  std::string text = R"(graph "g" {
  x0 = f32[128,4096] parameter())";
  for (int i = 1; i <= 40; ++i) {
    text += fmt::format(R"(
  w{0} = f32[1024,4096] variable()
  g{0} = f32[4096,4096] all-gather(w{0}), dims={{0}}, group_size=4, axis="fsdp"
  x{0} = f32[128,4096] dot(x{1}, g{0}), lhs_contract={{1}}, rhs_contract={{0}})",
                        i, i - 1);
  }
  text += "\n  output result x40\n}";
  const Program program = Backend(text, FsdpTarget());
  EXPECT_GT(At(program, "g20"), At(program, "x10"));
  EXPECT_LT(At(program, "g20"), At(program, "x17"));
  EXPECT_LT(program.memory.peak - program.memory.variables, Bytes{8 * 4096 * 4096 * 4});
}

// One gather is read by the last layer of all: the others do not wait for it.
TEST(GathersAhead, StandBeforeWhatReadsThem) {
  std::string text = R"(graph "g" {
  x0 = f32[4096,4096] parameter()
  w0 = f32[1024,4096] variable()
  g0 = f32[4096,4096] all-gather(w0), dims={0}, group_size=4, axis="fsdp")";
  for (int i = 1; i <= 12; ++i) {
    text += fmt::format("\n  w{0} = f32[1024,4096] variable()", i);
    text += fmt::format(
        "\n  g{0} = f32[4096,4096] all-gather(w{0}), dims={{0}}, "
        "group_size=4, axis=\"fsdp\"",
        i);
  }
  for (int i = 1; i <= 12; ++i) {
    text += fmt::format(
        "\n  x{0} = f32[4096,4096] dot(x{1}, g{2}), lhs_contract={{1}}, "
        "rhs_contract={{0}}",
        i, i - 1, 13 - i);
  }
  text +=
      "\n  y = f32[4096,4096] dot(x12, g0), lhs_contract={1}, "
      "rhs_contract={0}\n  output result y\n}";
  const Program program = Backend(text, FsdpTarget());
  for (int i = 1; i <= 12; ++i) {
    EXPECT_GT(At(program, fmt::format("g{}", 13 - i)) + 5, At(program, fmt::format("x{}", i)));
  }
  EXPECT_GT(At(program, "g0"), At(program, "x10"));
}

TEST(GathersAhead, WaitsForWhatItReads) {
  const Program program = Backend(R"(graph "g" {
    x = f32[4096,1024] parameter()
    y = f32[1024,4096] transpose(x), dims={1,0}
    t = f32[1024,4096] tanh(y)
    g = f32[4096,4096] all-gather(t), dims={0}, group_size=4, axis="fsdp"
    z = f32[4096,4096] dot(g, g), lhs_contract={1}, rhs_contract={0}
    output result z
  })",
                                  FsdpTarget());
  EXPECT_GT(At(program, "g"), At(program, "t"));
}

TEST(Schedule, CombinesOnlySumsOfOneKind) {
  const Program program = Backend(R"(graph "g" {
    a = f32[256] parameter()
    b = f32[512] parameter()
    c = f32[512] parameter()
    d = f32[512] parameter()
    e = f32[512] parameter()
    ra = f32[256] all-reduce(a), group_size=4, axis="fsdp"
    rb = f32[512] all-reduce(b), group_size=4, axis="fsdp"
    rc = f32[512] all-reduce(c)
    rd = f32[128] reduce-scatter(d), dims={0}, group_size=4, axis="fsdp"
    re = f32[128] reduce-scatter(e), dims={0}, group_size=4, axis="fsdp"
    output result ra
    output result rb
    output result rc
    output result rd
    output result re
  })",
                                  FsdpTarget());
  ASSERT_EQ(program.kernels.size(), 3u);
  EXPECT_EQ(WriterOf(program, "ra"), WriterOf(program, "rb"));
  EXPECT_EQ(WriterOf(program, "rd"), WriterOf(program, "re"));
  EXPECT_EQ(WriterOf(program, "rd")->collective, OpKind::kReduceScatter);
  EXPECT_EQ(WriterOf(program, "rd")->mesh_axis, "fsdp");
  EXPECT_EQ(WriterOf(program, "rd")->participants, 4);
}

}  // namespace
}  // namespace tilewise

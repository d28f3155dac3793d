// Products of any size and type on every chip: the estimate is a lower bound
// of the simulation, and no product beats the peak.

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "estimator/estimate.h"
#include "graph/text.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

class Products : public testing::TestWithParam<std::string> {};

Graph Product(int64_t m, int64_t k, int64_t n, std::string_view type) {
  absl::StatusOr<Graph> graph = ParseGraph(
      fmt::format("graph \"g\" {{\n"
                  "  x = {3}[{0},{1}] parameter()\n"
                  "  w = {3}[{1},{2}] parameter()\n"
                  "  y = {3}[{0},{2}] dot(x, w), lhs_contract={{1}}, rhs_contract={{0}}\n"
                  "  output result y\n}}",
                  m, k, n, type));
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

TEST_P(Products, AreBoundedByEstimateAndPeak) {
  constexpr double kRounding = 1 + 1e-9;
  const absl::StatusOr<Target> target = MakeTarget(GetParam(), 0, "");
  ASSERT_TRUE(target.ok()) << target.status();
  LowerOptions options;
  options.training = false;
  std::mt19937 random(1);
  const auto size = [&] { return int64_t{1} << (random() % 13); };
  for (int i = 0; i < 60; ++i) {
    const int64_t odd = i % 3;
    const int64_t m = size() + odd, k = size() + odd, n = size() + odd;
    const char* type = i % 2 == 0 ? "f16" : "bf16";
    const auto program = Lower(Product(m, k, n, type), 1, *target, options);
    ASSERT_TRUE(program.ok()) << program.status();
    const Timeline timeline = SimulateStep(*program, *target);
    EXPECT_GE(timeline.step.value * kRounding, EstimateProgram(*program, *target).step.value)
        << m << " " << k << " " << n << " " << type;
    EXPECT_LE(timeline.useful_flops, timeline.step.value * target->chip.peak_flops() * kRounding);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Products, testing::ValuesIn(ChipNames()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace tilewise

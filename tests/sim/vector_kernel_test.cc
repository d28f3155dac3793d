// Elementwise kernels on v4 as published (tpu-v4-vector): float16 values that
// the vector unit converts.

#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "graph/text.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

struct Measured {
  const char* op;
  int operands;
  const char* dims;
  double microseconds;
};

void PrintTo(const Measured& row, std::ostream* out) { *out << row.op << " of " << row.dims; }

double Simulated(const Measured& row) {
  const std::string type = "f16[" + std::string(row.dims) + "]";
  std::string text = "graph \"g\" {\n  x = " + type + " parameter()\n";
  if (row.operands == 2) text += "  y = " + type + " parameter()\n";
  text += "  z = " + type + " " + row.op + (row.operands == 2 ? "(x, y)" : "(x)") +
          "\n  output result z\n}";
  const absl::StatusOr<Graph> graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<Target> target = MakeTarget("v4", 1, "");
  LowerOptions options;
  options.training = false;
  const absl::StatusOr<Program> program = Lower(*graph, 1, *target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return SimulateStep(*program, *target).step.value * 1e6;
}

class PublishedKernel : public ::testing::TestWithParam<Measured> {};

TEST_P(PublishedKernel, TakesItsTime) {
  EXPECT_NEAR(Simulated(GetParam()) / GetParam().microseconds, 1, 0.06);
}

INSTANTIATE_TEST_SUITE_P(V4, PublishedKernel,
                         ::testing::Values(Measured{"add", 2, "64", 0.8668},
                                           Measured{"add", 2, "64,64", 1.0316},
                                           Measured{"add", 2, "128,128", 1.2341},
                                           Measured{"add", 2, "512,512", 5.5645},
                                           Measured{"divide", 2, "1024,1024", 22.5954},
                                           Measured{"logistic", 1, "1024,1024", 15.3717}));

TEST(VectorKernel, CountsThePaddingOfTheBetterOrder) {
  const double narrow = Simulated({"add", 2, "1024,8", 0});
  EXPECT_NEAR(narrow, Simulated({"add", 2, "8,1024", 0}), 1e-9);
  EXPECT_LT(narrow, Simulated({"add", 2, "1024,128", 0}));
}

}  // namespace
}  // namespace tilewise

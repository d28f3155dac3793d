// The sizes tell one program from the other.

#include "tests/tuner/classifier.h"

#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/text.h"

namespace tilewise {

Workload Classifier(int64_t inputs, int64_t width) {
  absl::StatusOr<Graph> graph = ParseGraph(fmt::format(
      R"(graph "mlp" {{
    x = f32[N,{0}] parameter()
    w1 = f32[{0},{1}] variable()
    h = f32[N,{1}] dot(x, w1), lhs_contract={{1}}, rhs_contract={{0}}
    t = f32[N,{1}] tanh(h)
    w2 = f32[{1},10] variable()
    y = f32[N,10] dot(t, w2), lhs_contract={{1}}, rhs_contract={{0}}
    output result y
  }})",
      inputs, width));
  EXPECT_TRUE(graph.ok()) << graph.status();
  Workload workload;
  workload.name = "mlp";
  workload.graph = *std::move(graph);
  workload.host_loop.framework = Framework::kKeras;
  return workload;
}

}  // namespace tilewise

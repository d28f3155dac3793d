// Modules with a program of one device inside one of all (shard_map).

#include "frontend/hlo/fit_shards.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/hlo/build_graph.h"
#include "frontend/hlo/read_text.h"
#include "graph/text.h"

namespace tilewise::hlo {
namespace {

struct Fitted {
  int64_t inside = 0;
  std::string graph;
};

Fitted Fit(const std::string& body) {
  auto modules = ReadHloText("HloModule m, num_partitions=4\nENTRY e {\n" + body + "}\n");
  if (!modules.ok()) {
    ADD_FAILURE() << Message(modules.status());
    return {};
  }
  Fitted fitted;
  fitted.inside = FitShards(modules->front());
  const auto workload = BuildWorkload(modules->front(), "m.hlo");
  if (!workload.ok()) {
    ADD_FAILURE() << Message(workload.status());
    return {};
  }
  EXPECT_TRUE(workload->opaque_layers.empty());
  for (const Op& op : workload->graph->ops()) {
    fitted.graph += fmt::format("{} {}; ", FormatShape(op.shape), std::string(OpName(op.kind)));
  }
  return fitted;
}

TEST(FitShards, ArgumentsAndResultsGetTheShapesOfTheDevice) {
  const Fitted fitted = Fit(R"(
  x = f32[16,8] parameter(0), sharding={devices=[4,1]<=[4]}
  s = f32[16,8] custom-call(x), custom_call_target="Sharding", sharding={devices=[4,1]<=[4]}
  p = f32[4,8] custom-call(s), custom_call_target="SPMDFullToShardShape", sharding={manual}
  y = f32[4,8] tanh(p)
  c = f32[4,8] custom-call(y), custom_call_target="Sharding", sharding={manual}
  ROOT f = f32[16,8] custom-call(c), custom_call_target="SPMDShardToFullShape", sharding={devices=[4,1]<=[4]}
)");
  EXPECT_EQ(fitted.inside, 0);
  EXPECT_EQ(fitted.graph, "f32[4,8] parameter; f32[4,8] tanh; ");
}

TEST(FitShards, WhatStandsInBetweenTakesAndGivesThePart) {
  const Fitted fitted = Fit(R"(
  x = f32[16,8] parameter(0)
  e = f32[16,8] exponential(x)
  p = f32[4,8] custom-call(e), custom_call_target="SPMDFullToShardShape", sharding={manual}
  y = f32[4,8] tanh(p)
  f = f32[16,8] custom-call(y), custom_call_target="SPMDShardToFullShape", sharding={devices=[4,1]<=[4]}
  ROOT r = f32[16,8] negate(f)
)");
  EXPECT_EQ(fitted.inside, 2);
  EXPECT_EQ(fitted.graph,
            "f32[16,8] parameter; f32[] constant; f32[16,8] exponential; "
            "f32[4,8] slice; f32[4,8] tanh; f32[16,8] pad; f32[16,8] negate; ");
}

TEST(FitShards, AnArgumentThatIsAlsoUsedWholeStaysWhole) {
  const Fitted fitted = Fit(R"(
  x = f32[16,8] parameter(0)
  p = f32[4,8] custom-call(x), custom_call_target="SPMDFullToShardShape", sharding={manual}
  y = f32[4,8] tanh(p)
  n = f32[16,8] negate(x)
  ROOT r = (f32[4,8], f32[16,8]) tuple(y, n)
)");
  EXPECT_EQ(fitted.inside, 1);
  EXPECT_EQ(fitted.graph,
            "f32[16,8] parameter; f32[4,8] slice; f32[4,8] tanh; "
            "f32[16,8] negate; ");
}

}  // namespace
}  // namespace tilewise::hlo

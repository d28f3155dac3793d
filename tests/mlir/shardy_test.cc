// Collectives of Shardy: from the axes of a mesh to groups of devices and the
// part that each of them sends.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/mlir/read_mlir.h"
#include "graph/text.h"

namespace tilewise {
namespace {

// "all-gather f32[8,8] of 4" of one operation on a value of 16x8.
std::string Collectives(const std::string& operation,
                        const std::string& type = "tensor<16x8xf32>") {
  const std::string text = R"(
module @m attributes {mhlo.num_partitions = 16 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=4, "c"=2]>
  func.func public @main(%x: )" +
                           type + ") -> " + type + R"( {
    %0 = stablehlo.tanh %x : )" +
                           type + "\n    %1 = " + operation + R"(
    %2 = stablehlo.cosine %1 : )" +
                           type + R"(
    return %2 : )" + type + "\n  }\n}\n";
  const absl::StatusOr<Workload> read = ReadMlir({"f.mlir", text}, {});
  if (!read.ok()) return Message(read.status());
  std::string found;
  for (const Op& op : read->graph->ops()) {
    if (op.kind == OpKind::kCosine && FormatShape(op.shape) != "f32[16,8]" &&
        type == "tensor<16x8xf32>") {
      found += "of another shape: ";
    }
    if (ClassOf(op.kind) != OpClass::kCollective) continue;
    if (!found.empty()) found += ", ";
    found += std::string(OpName(op.kind)) + " " + FormatShape(op.shape) + " of " +
             std::to_string(op.as<CollectiveAttrs>().group_size);
  }
  return found;
}

struct Case {
  const char* operation;
  const char* collectives;
};

class Shardy : public testing::TestWithParam<Case> {};

TEST_P(Shardy, ExchangesThePartOfADevice) {
  const std::string behind = " : tensor<16x8xf32>";
  EXPECT_EQ(Collectives(GetParam().operation + behind), GetParam().collectives);
}

INSTANTIATE_TEST_SUITE_P(
    Mlir, Shardy,
    testing::Values(
        Case{R"(sdy.all_gather [{"b"}, {}] %0 out_sharding=<@mesh, [{"a"}, {}]>)",
             "all-gather f32[8,8] of 4"},
        Case{R"(sdy.all_gather [{"b", "c"}, {"a"}] %0 out_sharding=<@mesh, [{}, {}]>)",
             "all-gather f32[16,4] of 8, all-gather f32[16,8] of 2"},
        Case{R"(sdy.all_gather [{"b":(2)2}, {}] %0 out_sharding=<@mesh, [{"b":(1)2}, {}]>)",
             "all-gather f32[8,8] of 2"},
        Case{R"(sdy.all_gather [{"a"}, {}] %0 out_sharding=<mesh<["a"=16]>, [{}, {}]>)",
             "all-gather f32[16,8] of 16"},
        Case{R"(sdy.all_slice [{"b"}, {}] %0 out_sharding=<@mesh, [{"b"}, {}]>)", ""},
        Case{R"(sdy.all_to_all [{"b"}: 0->1] %0 out_sharding=<@mesh, [{}, {"b"}]>)",
             "all-to-all f32[4,8] of 4"},
        Case{
            R"(sdy.all_to_all [{"a"}: 0->1, {"c"}: 0->1] %0 out_sharding=<@mesh, [{}, {"a", "c"}]>)",
            "all-to-all f32[4,8] of 2, all-to-all f32[8,4] of 2"},
        Case{R"(sdy.all_reduce {"b", "c"} %0 out_sharding=<@mesh, [{"a"}, {}]>)",
             "all-reduce f32[8,8] of 8"},
        Case{R"(sdy.all_reduce {"b":(2)2} %0 out_sharding=<@mesh, [{}, {}]>)",
             "all-reduce f32[16,8] of 2"},
        Case{R"(sdy.reduce_scatter [{"b"}, {"a"}] %0 out_sharding=<@mesh, [{"b"}, {"c", "a"}]>)",
             "reduce-scatter f32[4,4] of 4, reduce-scatter f32[4,2] of 2"},
        Case{R"(sdy.collective_permute %0 out_sharding=<@mesh, [{"c"}, {"a"}]>)",
             "collective-permute f32[8,4] of 16"},
        Case{
            R"(sdy.sharded_to_unreduced [{"a"}, {}] %0 out_sharding=<@mesh, [{}, {}], unreduced={"a"}>)",
            ""},
        Case{R"(sdy.reshard %0 <@mesh, [{"b"}, {}]>)", ""},
        // A mesh that is not in the file says nothing of sizes.
        Case{R"(sdy.all_gather [{"b"}, {}] %0 out_sharding=<@other, [{}, {}]>)", ""},
        // Dims that the value has not.
        Case{R"(sdy.all_to_all [{"b"}: 0->7] %0 out_sharding=<@mesh, [{}, {"b"}]>)", ""}));

TEST(ShardyParts, AreRoundedUpWhereADimIsNotDivisible) {
  EXPECT_EQ(Collectives(R"(sdy.all_gather [{"b"}] %0 out_sharding=<@mesh, [{}]> : tensor<7xf32>)",
                        "tensor<7xf32>"),
            "all-gather f32[8] of 4");
  EXPECT_EQ(
      Collectives(R"(sdy.reduce_scatter [{"b"}] %0 out_sharding=<@mesh, [{"b"}]> : tensor<7xf32>)",
                  "tensor<7xf32>"),
      "reduce-scatter f32[2] of 4");
}

TEST(ShardyParts, GenericTextSaysTheSame) {
  EXPECT_EQ(
      Collectives(
          R"("sdy.all_gather"(%0) <{gathering_axes = #sdy<list_of_axis_ref_lists[{"b"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>)"),
      "all-gather f32[8,8] of 4");
  EXPECT_EQ(
      Collectives(
          R"("sdy.all_reduce"(%0) <{reduction_axes = #sdy<axis_ref_list{"b"}>, out_sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>)"),
      "all-reduce f32[8,8] of 4");
}

}  // namespace
}  // namespace tilewise

// What readers of all formats tell of a program beside its graph.

#include "workload/module_facts.h"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"

namespace tilewise {
namespace {

Workload Load(const std::string& path, const std::string& text) {
  absl::StatusOr<Workload> workload = LoadBytes({path, text}, {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload.ok() ? *std::move(workload) : Workload();
}

const SourceOp* Find(const Workload& workload, OpTrait trait) {
  const auto& ops = workload.module.ops;
  const auto at = std::ranges::find(ops, trait, &SourceOp::trait);
  return at == ops.end() ? nullptr : &*at;
}

const std::string kAdd = R"(
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
)";

std::string ScatterText(std::string_view flags) {
  return "HloModule m\n" + kAdd +
         fmt::format(R"(
ENTRY main {{
  t = f32[64,8] parameter(0)
  i = s32[16,1] parameter(1)
  u = f32[16,8] parameter(2)
  ROOT s = f32[64,8] scatter(t, i, u), update_window_dims={{1}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1{}, to_apply=add
}}
)",
                     flags);
}

TEST(ModuleFacts, FlagsOfIndicesAreThoseOfTheText) {
  const Workload plain = Load("m.hlo", ScatterText(""));
  ASSERT_EQ(plain.module.index_flags.size(), 1U);
  EXPECT_FALSE(plain.module.index_flags.begin()->second.sorted);
  const Workload stated =
      Load("m.hlo", ScatterText(", indices_are_sorted=true, unique_indices=true"));
  ASSERT_EQ(stated.module.index_flags.size(), 1U);
  EXPECT_TRUE(stated.module.index_flags.begin()->second.sorted);
  EXPECT_TRUE(stated.module.index_flags.begin()->second.unique);
}

TEST(ModuleFacts, DonatedArgumentsAreThoseOfTheHeader) {
  const Workload workload = Load("m.hlo", "HloModule m, buffer_donor={ (1, {}) }\n" + kAdd + R"(
ENTRY main {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
  ROOT s = f32[8] add(p, q)
}
)");
  EXPECT_TRUE(workload.module.states_aliases);
  ASSERT_EQ(workload.module.donated.size(), 1U);
  EXPECT_EQ(workload.graph->op(workload.module.donated[0]).name, "q");
}

std::string Sharded(std::string_view header) {
  return fmt::format(R"(HloModule m, num_partitions=4{}

ENTRY main {{
  p = f32[8,16] parameter(0), sharding={{devices=[2,2]<=[4]}}
  q = f32[8,16] parameter(1), sharding={{replicated}}
  ROOT s = f32[8,16] add(p, q)
}}
)",
                     header);
}

TEST(ModuleFacts, ShardingsHaveAPartForEachDim) {
  const Workload workload = Load("m.hlo", Sharded(""));
  EXPECT_EQ(workload.module.partitions, 4);
  ASSERT_EQ(workload.module.shardings.size(), 2U);
  for (const auto& [op, sharding] : workload.module.shardings) {
    const bool divided = workload.graph->op(op).name == "p";
    EXPECT_EQ(sharding.replicated(), !divided);
    if (divided) {
      EXPECT_THAT(sharding.tiles, testing::ElementsAre(2, 2));
    }
  }
}

TEST(ModuleFacts, ShardingsOfAPartitionedModuleAreNotThoseOfItsSizes) {
  EXPECT_TRUE(Load("m.hlo", Sharded(", is_scheduled=true")).module.shardings.empty());
}

TEST(ModuleFacts, InstructionsThatRunAgainAreNamedSo) {
  const Workload workload = Load("m.hlo", R"(HloModule m

ENTRY main {
  p = f32[8] parameter(0)
  e = f32[8] exponential(p)
  e.remat = f32[8] exponential(p)
  ROOT s = f32[8] add(e, e.remat)
}
)");
  ASSERT_EQ(workload.module.recomputed.size(), 1U);
  EXPECT_EQ(workload.graph->op(workload.module.recomputed[0]).name, "e.remat");
}

TEST(ModuleFacts, ConstantsOfManyValuesAreListed) {
  const Workload workload = Load("m.hlo", R"(HloModule m

ENTRY main {
  p = f32[2] parameter(0)
  c = f32[2] constant({1, 3})
  z = f32[2] constant({0, 0})
  s = f32[2] add(p, c)
  ROOT t = f32[2] add(s, z)
}
)");
  ASSERT_EQ(workload.module.constants.size(), 1U);
  EXPECT_EQ(workload.graph->op(workload.module.constants[0].op).name, "c");
}

std::string GraphDef(std::string_view nodes) {
  return fmt::format("{}\nversions {{ producer: 1286 }}\n", nodes);
}

constexpr std::string_view kInput =
    R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: -1 } dim { size: -1 } dim { size: 8 } } } } }
)";

TEST(ModuleFacts, OpenDimsButTheBatchAreListed) {
  const Workload workload = Load(
      "g.pbtxt",
      GraphDef(
          std::string(kInput) +
          R"(node { name: "y" op: "Tanh" input: "x" attr { key: "T" value { type: DT_FLOAT } } })"));
  ASSERT_EQ(workload.module.unknown_dims.size(), 1U);
  EXPECT_EQ(workload.module.unknown_dims[0].dim, 1);
  EXPECT_EQ(workload.module.unknown_dims[0].taken, 128);
}

TEST(ModuleFacts, AHostOpReadsTheDeviceOnlyBehindAnOpOfIt) {
  constexpr std::string_view kFunction =
      R"(node { name: "f" op: "PyFunc" input: "IN" attr { key: "Tin" value { list { type: DT_FLOAT } } } attr { key: "Tout" value { list { type: DT_FLOAT } } } attr { key: "_output_shapes" value { list { shape { dim { size: 4 } } } } } }
node { name: "z" op: "Tanh" input: "f" attr { key: "T" value { type: DT_FLOAT } } })";
  const auto with = [&](std::string_view input) {
    std::string nodes = std::string(kInput);
    nodes +=
        R"(node { name: "y" op: "Tanh" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
)";
    nodes += kFunction;
    nodes.replace(nodes.find("IN"), 2, input);
    return Load("g.pbtxt", GraphDef(nodes));
  };
  const Workload fed = with("x");
  const SourceOp* first = Find(fed, OpTrait::kHost);
  ASSERT_NE(first, nullptr);
  EXPECT_FALSE(first->reads_device);
  const Workload between = with("y");
  const SourceOp* second = Find(between, OpTrait::kHost);
  ASSERT_NE(second, nullptr);
  EXPECT_TRUE(second->reads_device);
  EXPECT_EQ(second->location.item, "f");
}

TEST(ModuleFacts, DevicesAreThoseOfTheNodes) {
  const Workload workload = Load(
      "g.pbtxt",
      GraphDef(
          std::string(kInput) +
          R"(node { name: "y" op: "Tanh" input: "x" device: "/device:TPU:1" attr { key: "T" value { type: DT_FLOAT } } })"));
  ASSERT_EQ(workload.module.devices.size(), 1U);
  EXPECT_EQ(workload.module.devices.begin()->second, "/device:TPU:1");
}

TEST(ModuleFacts, KerasInputsOfOpenSizeAreListed) {
  const Workload workload = Load("m.json", R"({"class_name": "Sequential",
    "config": {"name": "s", "layers": [{"class_name": "Dense", "config":
    {"name": "d", "units": 4, "batch_input_shape": [null, null, 8]}}]}})");
  ASSERT_EQ(workload.module.unknown_dims.size(), 1U);
  EXPECT_EQ(workload.module.unknown_dims[0].dim, 1);
}

TEST(ModuleFacts, OnnxOpsOfDataSizeAndComputedSizesAreListed) {
  const Workload workload = Load("m.onnx.txt", R"(ir_version: 8
graph {
  name: "m"
  node { input: "x" output: "places" name: "nz" op_type: "NonZero" }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } dim { dim_value: 4 } } } } }
  output { name: "places" type { tensor_type { elem_type: 7 shape { dim { dim_value: 2 } dim { dim_value: 16 } } } } }
}
opset_import { version: 17 }
)");
  const SourceOp* op = Find(workload, OpTrait::kDataDependentShape);
  ASSERT_NE(op, nullptr);
  EXPECT_EQ(op->kind, "NonZero");
  EXPECT_EQ(op->location.item, "nz");
}

}  // namespace
}  // namespace tilewise

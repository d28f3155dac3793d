// HLO text: every form that XLA prints or its tests write.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/hlo/print.h"
#include "frontend/hlo/read_text.h"
#include "tests/hlo/describe.h"

namespace tilewise::hlo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// The only module of the text. `text` must outlive it.
Module Read(std::string_view text) {
  absl::StatusOr<std::vector<Module>> modules = ReadHloText(text);
  EXPECT_TRUE(modules.ok()) << modules.status();
  if (!modules.ok() || modules->size() != 1) {
    ADD_FAILURE() << "expected one module of " << text;
    return {};
  }
  return std::move(modules->front());
}

std::string ErrorOf(std::string_view text) {
  const absl::StatusOr<std::vector<Module>> modules = ReadHloText(text);
  return modules.ok() ? "no error" : Message(modules.status());
}

const Instruction& Root(const Module& module) {
  const Computation& entry = module.computations[module.entry];
  return entry.instructions[entry.root];
}

const Instruction& Named(const Module& module, std::string_view name) {
  for (const Computation& computation : module.computations) {
    for (const Instruction& i : computation.instructions) {
      if (i.name == name) return i;
    }
  }
  ADD_FAILURE() << "no instruction " << name;
  return Root(module);
}

// "ROOT r = <text>" after two parameters, with computations to call.
std::string Around(std::string_view instruction) {
  return "HloModule m\n"
         "sum { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
         "  ROOT s = f32[] add(a, b) }\n"
         "other { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
         "  ROOT s = f32[] multiply(a, b) }\n"
         "ENTRY main {\n  x = f32[8,4] parameter(0)\n"
         "  y = f32[8,4] parameter(1)\n  z = f32[] constant(0)\n  ROOT r = " +
         std::string(instruction) + "\n}\n";
}

TEST(HloText, ReadsWhatXlaPrints) {
  const Module module = Read(R"(HloModule jit_f, is_scheduled=true,
    input_output_alias={ {0}: (1, {}, may-alias), {1}: (0, {2}, must-alias) },
    entry_computation_layout={(f32[8,128]{1,0:T(8,128)}, /*index=1*/s32[])->f32[8]},
    replica_count=2, num_partitions=4, frontend_attributes={fingerprint="ab"}

%fused (p: f32[8,128]) -> f32[8,128] {
  %p = f32[8,128]{1,0:T(8,128)} parameter(0)
  ROOT %e = f32[8,128]{1,0:T(8,128)} exponential(f32[8,128]{1,0} %p)
}, execution_thread="main"

ENTRY %main.5 (a: f32[8,128], n: s32[]) -> f32[8,128] {
  %a = f32[8,128]{1,0:T(8,128)S(1)} parameter(0), sharding={replicated}
  %n = s32[]{:T(128)} parameter(1)
  ROOT %f = f32[8,128]{1,0:T(8,128)} fusion(f32[8,128]{1,0} %a), kind=kLoop, calls=%fused, metadata={op_type="Exp" op_name="jit(f)/exp" source_file="a.py" source_line=12}, backend_config={"window_config":{"kernel_window_bounds":["1","2"]}}
}
)");
  EXPECT_EQ(module.name, "jit_f");
  EXPECT_TRUE(module.is_scheduled);
  EXPECT_EQ(module.replica_count, 2);
  EXPECT_EQ(module.num_partitions, 4);
  EXPECT_THAT(module.frontend, ElementsAre(Pair("fingerprint", "ab")));
  ASSERT_EQ(module.aliases.size(), 2U);
  EXPECT_THAT(module.aliases[1].index, ElementsAre(2));
  ASSERT_EQ(module.computations.size(), 2U);
  EXPECT_TRUE(module.computations[0].is_fusion);
  const Instruction& fusion = Root(module);
  EXPECT_EQ(fusion.opcode, Opcode::kFusion);
  EXPECT_EQ(fusion.line, 14);
  EXPECT_THAT(fusion.called, ElementsAre(0));
  EXPECT_EQ(fusion.metadata.op_name, "jit(f)/exp");
  EXPECT_EQ(fusion.metadata.source_line, 12);
  EXPECT_EQ(fusion.more().fusion_kind, "kLoop");
  EXPECT_THAT(std::string(fusion.more().backend_config), HasSubstr("kernel_window_bounds"));
  const Instruction& a = Named(module, "a");
  EXPECT_THAT(a.shape.layout->tiles, ElementsAre(ElementsAre(8, 128)));
  EXPECT_EQ(a.shape.layout->memory_space, 1);
  EXPECT_EQ(a.more().sharding->kind, Sharding::Kind::kReplicated);
}

TEST(HloText, NeedsNoHeaderNoMarksNoTypesAndNoRoot) {
  const Module module = Read(
      "sum {\n a = f32[4] parameter(0)\n"
      " b = f32[4] add(a, a)\n}\n");
  EXPECT_EQ(Root(module).name, "b");
  EXPECT_THAT(Root(module).operands, ElementsAre(0, 0));
}

TEST(HloText, TakesTheLastComputationThatNoneCallsAsEntry) {
  const Module module = Read(
      "body { p = (s32[]) parameter(0) }\ncond { p = (s32[]) parameter(0)\n"
      " c = pred[] constant(false) }\n"
      "main { i = (s32[]) parameter(0)\n"
      " w = (s32[]) while(i), condition=cond, body=body,\n"
      "   backend_config={\"known_trip_count\":{\"n\":\"7\"}} }\n");
  EXPECT_EQ(Root(module).opcode, Opcode::kWhile);
  EXPECT_EQ(Root(module).more().trip_count, 7);
  EXPECT_THAT(Root(module).called, ElementsAre(1, 0));
}

TEST(HloText, ReadsInstructionsOutsideOfComputations) {
  const Module module = Read(
      "%s = f32[4]{0} add(f32[4]{0} %p, f32[4]{0} %q), metadata={}\n"
      "ROOT %t = f32[4] negate(%s)\n");
  const Computation& entry = module.computations[0];
  ASSERT_EQ(entry.instructions.size(), 4U);
  EXPECT_EQ(entry.instructions[1].opcode, Opcode::kParameter);
  EXPECT_EQ(entry.instructions[1].index, 1);
  EXPECT_EQ(Root(module).opcode, Opcode::kNegate);
}

TEST(HloText, ReadsOperandsThatAreInstructions) {
  const Module module = Read(
      "HloModule m\nENTRY e { ROOT r = f32[4] add(f32[4] parameter(0), f32[4] "
      "negate(f32[4] parameter(1))) }\n");
  EXPECT_EQ(module.computations[0].instructions.size(), 4U);
  EXPECT_THAT(Root(module).operands, ElementsAre(0, 2));
}

TEST(HloText, ReadsComputationsInThePlaceOfNames) {
  const std::string text = Around(
      "f32[8] reduce(x, z), dimensions={1}, to_apply={ a = f32[] parameter(0)\n"
      "b = f32[] parameter(1)\n ROOT m = f32[] maximum(a, b) }");
  const Module module = Read(text);
  const size_t callee = Root(module).called.at(0);
  EXPECT_EQ(module.computations[callee].instructions[2].opcode, Opcode::kMaximum);
}

TEST(HloText, ReadsSeveralModulesAndPartedFiles) {
  const std::string_view module = "ENTRY e { a = f32[] parameter(0) }\n";
  const std::string text = "// RUN: opt %s\nHloModule a\n" + std::string(module) + "HloModule b\n" +
                           std::string(module) + "// -----\n" + std::string(module);
  const auto modules = ReadHloText(text);
  ASSERT_TRUE(modules.ok()) << modules.status();
  ASSERT_EQ(modules->size(), 3U);
  EXPECT_EQ((*modules)[1].name, "b");
  EXPECT_EQ((*modules)[2].computations.size(), 1U);
}

TEST(HloText, FindsSourceLinesInTablesOfFrames) {
  const Module module = Read(R"(HloModule m

FileNames
1 "lib.py"
2 "model.py"

FunctionNames
1 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=5 end_column=9}
2 {file_name_id=2 function_name_id=1 line=35 end_line=35 column=2 end_column=4}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}

ENTRY e {
  ROOT a = f32[] parameter(0), metadata={op_name="x" stack_frame_id=2}
}
)");
  EXPECT_EQ(Root(module).metadata.source_file, "model.py");
  EXPECT_EQ(Root(module).metadata.source_line, 35);
  EXPECT_EQ(Root(module).metadata.source_column, 2);
}

TEST(HloText, WrapsOperationsThatAreStarted) {
  const Module module = Read(
      "ENTRY e { p = f32[8] parameter(0)\n"
      " s = ((f32[8]), f32[4], u32[]) slice-start(p), slice={[0:4]}\n"
      " ROOT d = f32[4] slice-done(s) }\n");
  const Instruction& start = module.computations[module.entry].instructions[1];
  EXPECT_EQ(start.opcode, Opcode::kAsyncStart);
  const Computation& wrapped = module.computations[start.called.at(0)];
  const Instruction& slice = wrapped.instructions[wrapped.root];
  EXPECT_EQ(slice.opcode, Opcode::kSlice);
  EXPECT_THAT(slice.shape.dims, ElementsAre(4));
  EXPECT_THAT(slice.more().slice->limits, ElementsAre(4));
  EXPECT_EQ(Root(module).opcode, Opcode::kAsyncDone);
}

TEST(HloText, ReadsShapes) {
  const std::string text = Around(
      "(bf16[2,<=4,?]{2,1,0:T(8,128)(2,1)E(16)S(3)}, /*index=1*/ token[], "
      "(f8e4m3fn[], u4[3]{0:T(*,128)L(1024)D(D)}), opaque[]) custom-call(), "
      "custom_call_target=\"t\"");
  const HloShape shape = Root(Read(text)).shape;
  ASSERT_EQ(shape.elements.size(), 4U);
  const HloShape& first = shape.elements[0];
  EXPECT_THAT(first.dims, ElementsAre(2, 4, -1));
  EXPECT_FALSE(first.dynamic[0]);
  EXPECT_TRUE(first.dynamic[1] && first.dynamic[2]);
  EXPECT_THAT(first.layout->tiles, ElementsAre(ElementsAre(8, 128), ElementsAre(2, 1)));
  EXPECT_EQ(first.layout->element_bits, 16);
  EXPECT_EQ(first.layout->memory_space, 3);
  EXPECT_EQ(shape.elements[1].kind, HloShape::Kind::kToken);
  EXPECT_EQ(shape.elements[2].elements[0].dtype, DType::kF8E4M3);
  EXPECT_THAT(shape.elements[2].elements[1].layout->tiles, ElementsAre(ElementsAre(-1, 128)));
  EXPECT_EQ(shape.elements[3].kind, HloShape::Kind::kOpaque);
}

struct LiteralCase {
  std::string_view text;
  std::vector<double> values;
  std::optional<double> splat;
};

TEST(HloText, ReadsLiterals) {
  const std::vector<LiteralCase> cases = {
      {"f32[] constant(-1.5e3)", {-1500}, -1500},
      {"pred[2] constant({true, false})", {1, 0}, {}},
      {"f32[] constant(-inf)", {-HUGE_VAL}, -HUGE_VAL},
      {"s32[2,2] constant({ { 1, 2 }, /*i0=1*/ { 3, 4 } })", {1, 2, 3, 4}, {}},
      {"f32[2,2] constant(f32[2,2] { {7,7}, {7,7} })", {7, 7, 7, 7}, 7},
      {"f32[3] constant({...})", {}, {}},
      {"c64[2] constant({(1, 2), (3, -4)})", {1, 3}, {}},
      {"c64[] constant((1, -2))", {1}, {}},
      {"f32[0] constant({})", {}, {}},
      {"(f32[], s32[2]) constant((1, {2, 3}))", {}, {}},
      {"u8[3] constant({1, 2})", {}, {}},
  };
  for (const LiteralCase& c : cases) {
    const std::string text = Around(c.text);
    const Module module = Read(text);
    const Literal& literal = Root(module).literal;
    EXPECT_EQ(literal.values, c.values) << c.text;
    EXPECT_EQ(literal.splat, c.splat) << c.text;
  }
  const std::string nan = Around("f32[2] constant({nan, -nan(0x7f)})");
  const Module module = Read(nan);
  EXPECT_EQ(Root(module).literal->values.size(), 2U);
  for (const double value : Root(module).literal->values) {
    EXPECT_TRUE(std::isnan(value));
  }
}

TEST(HloText, KeepsTheOneValueOfLargeConstants) {
  std::string text = "ENTRY e { ROOT c = f32[5000] constant({0.5";
  for (int i = 1; i < 5000; ++i) text += ", 0.5";
  text += "}) }";
  const Module module = Read(text);
  EXPECT_TRUE(Root(module).literal->values.empty());
  EXPECT_EQ(Root(module).literal->splat, 0.5);
}

TEST(HloText, ReadsWindowsAndDimLabels) {
  const std::string text = Around(
      "f32[1] convolution(x, y), window={size=3x2 stride=2x1 pad=-1_0x1_1 "
      "lhs_dilate=1x2 rhs_dilate=4x1 rhs_reversal=0x1}, "
      "dim_labels=bf?01_01io->b01f, feature_group_count=2, "
      "batch_group_count=3, operand_precision={default,highest}");
  const Module module = Read(text);
  const InstructionExtras& extras = Root(module).more();
  ASSERT_EQ(extras.window.size(), 2U);
  EXPECT_EQ(extras.window[0].pad_low, -1);
  EXPECT_EQ(extras.window[0].window_dilation, 4);
  EXPECT_EQ(extras.window[1].base_dilation, 2);
  EXPECT_TRUE(extras.window[1].reversal);
  EXPECT_THAT(extras.conv->input_spatial, ElementsAre(3, 4));
  EXPECT_EQ(extras.conv->kernel_out, 3);
  EXPECT_EQ(extras.conv->output_feature, 3);
  EXPECT_EQ(extras.feature_groups, 2);
  EXPECT_EQ(extras.batch_groups, 3);
  EXPECT_EQ(extras.precision, InstructionExtras::Precision::kHighest);
}

struct ShardingCase {
  std::string_view text;
  Sharding::Kind kind;
  std::vector<int64_t> tiles;
  bool last = false;
};

TEST(HloText, ReadsShardings) {
  using Kind = Sharding::Kind;
  const std::vector<ShardingCase> cases = {
      {"{replicated}", Kind::kReplicated, {}},
      {"{manual}", Kind::kManual, {}},
      {"{maximal device=3}", Kind::kMaximal, {}},
      {"{devices=[2,1]<=[2]}", Kind::kTiled, {2, 1}},
      {"{devices=[2,2]0,1,2,3}", Kind::kTiled, {2, 2}},
      {"{devices=[64,1,2]<=[2,64]T(1,0) last_tile_dim_replicate}", Kind::kTiled, {64, 1, 2}, true},
      {"{{devices=[4]<=[4]}}", Kind::kTiled, {4}},
      {"{{replicated}, /*index=1*/{manual}}", Kind::kNone, {}},
      {"{devices=[2,2]<=[4] last_tile_dims={manual} metadata={op_name=\"a}\"}}",
       Kind::kTiled,
       {2, 2}},
      {"{@mesh<[\"x\"=2]>, [{\"x\"}]}", Kind::kNone, {}},
  };
  for (const ShardingCase& c : cases) {
    const std::string text = Around("f32[8,4] negate(x), sharding=" + std::string(c.text) +
                                    ", metadata={op_name=\"after\"}");
    const Module module = Read(text);
    const Sharding& sharding = Root(module).more().sharding;
    EXPECT_EQ(sharding.kind, c.kind) << c.text;
    EXPECT_EQ(sharding.tiles, c.tiles) << c.text;
    EXPECT_EQ(sharding.last_dim_replicated, c.last) << c.text;
    EXPECT_EQ(sharding.text, c.text);
    EXPECT_EQ(Root(module).metadata.op_name, "after") << c.text;
  }
}

TEST(HloText, SkipsAttributesThatItDoesNotKnow) {
  const std::string balanced = Around(
      "f32[8,4] negate(x), origin={{\"a}\"}, {}}, a=b01_c->d, "
      "n=[2,4]<=[8]T(1,0), control-predecessors={%x}, s=\"a, \\\" b\", "
      "metadata={op_name=\"last\" profile_type={1} size=0 tags=\"x\"}");
  EXPECT_EQ(Root(Read(balanced)).metadata.op_name, "last");
}

TEST(HloText, RemovesEscapes) {
  const std::string text =
      Around(R"(f32[] custom-call(x), custom_call_target="a\"b\\c\n\x41\102")");
  EXPECT_EQ(Root(Read(text)).more().custom_call_target, "a\"b\\c\nAB");
}

struct ErrorCase {
  std::string_view text, error;
};

TEST(HloText, SaysWhereAndWhatIsWrong) {
  const std::vector<ErrorCase> cases = {
      {"", "expected HloModule or a computation"},
      {"hello world", "line 1:1: found \"hello\""},
      {"HloModule m\n", "found the end of the text"},
      {"e {\n}", "line 1:4: found computation e without instructions"},
      {"e {\n a = f32[] parameter(0)\n b = f32[] add(a, c)\n}",
       "line 3:19: found operand c, expected the name of a value"},
      {"e {\n a = f32[] parameter(0)\n a = f32[] negate(a)\n}",
       "line 3:2: found a second value named a, the first is in line 2"},
      {"e {\n b = f32[] negate(a)\n a = f32[] parameter(0)\n}", "line 2:19: found operand a"},
      {"e {\n a = f32[-3] parameter(0)\n}", "found dim -3"},
      {"e {\n a = f32[99999999999999999999] parameter(0)\n}", "an integer of 64 bits"},
      {"e {\n a = f32[4000000000,4000000000] parameter(0)\n}", "more than 2^59 elements"},
      {"e {\n a = g32[4] parameter(0)\n}", "found element type g32, expected one of pred, s8, u8"},
      {"e {\n a = f6e3m2fn[8,128]{1,0} parameter(0)\n}",
       "found element type f6e3m2fn, expected one of pred"},
      {"e {\n a = f32 parameter(0)\n}", "a shape such as"},
      {"e {\n a = f32[4] parameter(-1)\n}", "found a parameter below 0"},
      {"e {\n a = f32[4] call(), to_apply=g\n}",
       "line 2:30: found computation g, expected the name of one"},
      {"e {\n a = f32[] call(), to_apply=e\n}", "computation e calls itself"},
      {"e {\n a = f32[] while(), body=e\n}", "some of its computations"},
      {"e { a = f32[] parameter(0) }\ne { a = f32[] parameter(0) }",
       "line 2:1: found a second computation named e"},
      {"ENTRY e { a = f32[] parameter(0) }\nENTRY f { a = f32[] iota() }", "found a second ENTRY"},
      {"e { a = f32[] constant({1, 2)", "never closed"},
      {"e { a = f32[] negate(a", "found operand a"},
      {"e { a = f32[] iota(), metadata={op_name=\"x", "string without end"},
      {"e { a = f32[] compare(), direction=XX }", "found direction XX"},
      {"e { a = f32[] convolution(), dim_labels=b0f_0i->b0f }", "dim labels"},
  };
  for (const ErrorCase& c : cases) {
    EXPECT_THAT(ErrorOf(c.text), HasSubstr(c.error)) << c.text;
  }
}

// One instruction for each form of attributes.
TEST(HloText, PrintsWhatItReads) {
  const std::vector<std::string_view> instructions = {
      "f32[8,4]{1,0:T(8,128)(2,1)E(4)S(5)} negate(x)",
      "pred[8,4] compare(x, y), direction=GE",
      "f32[4,8] transpose(x), dimensions={1,0}",
      "f32[4] slice(x), slice={[0:8:2], [1:3]}",
      "f32[9,9] pad(x, z), padding=0_1x2_3_1",
      "f32[2,2] dynamic-slice(x, z, z), dynamic_slice_sizes={2,2}",
      "s32[8] iota(), iota_dimension=0",
      "f32[8] reduce(x, z), dimensions={1}, to_apply=sum",
      "f32[8,8] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
      "operand_precision={high,highest}, algorithm=dot_bf16_bf16_f32_x3",
      "f32[2] convolution(x, y), window={size=3x3 stride=2x1 pad=0_1x1_0 "
      "lhs_dilate=1x2 rhs_dilate=2x1 rhs_reversal=1x0}, "
      "dim_labels=b01f_01io->b01f, feature_group_count=4",
      "f32[2] gather(x, y), offset_dims={1}, collapsed_slice_dims={0}, "
      "start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}, "
      "operand_batching_dims={2}, start_indices_batching_dims={1}",
      "f32[8,4] scatter(x, y, y), update_window_dims={1}, "
      "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
      "index_vector_dim=1, to_apply=sum",
      "f32[8,4] select-and-scatter(x, y, z), window={size=2x2}, select=other, "
      "scatter=sum",
      "(f32[8,4], f32[8,4]) sort(x, y), dimensions={1}, is_stable=true, "
      "to_apply=sum",
      "f32[8,4] all-reduce(x), channel_id=3, replica_groups={{0,1},{2,3}}, "
      "to_apply=sum",
      "f32[8,4] all-gather(x), replica_groups=[2,4]<=[8], dimensions={0}",
      "f32[8,4] collective-permute(x), source_target_pairs={{0,1},{1,0}}",
      "f32[8,4] rng(z, z), distribution=rng_uniform",
      "u32[8] rng-bit-generator(x), algorithm=rng_three_fry",
      "f32[8,4] batch-norm-inference(x, z), epsilon=0.001, feature_index=1",
      "f32[8,4] reduce-precision(x), exponent_bits=5, mantissa_bits=10",
      "c64[8] fft(x), fft_type=RFFT, fft_length={8}",
      "(f32[8,2], s32[8,2]) topk(x), k=2, largest=false",
      "(f32[8,4], token[]) infeed(z), infeed_config=\"ab\"",
      "f32[] conditional(z, x, y), branch_computations={sum, other}",
      "(f32[]) while(z), condition=sum, body=other, "
      "backend_config=\"{\\\"known_trip_count\\\":{\\\"n\\\":\\\"5\\\"}}\"",
      "f32[8,4] custom-call(x), custom_call_target=\"Sharding\", "
      "sharding={devices=[2,1]<=[2]}, frontend_attributes={a=\"b\\\"\",c=\"\"}",
      "f32[8,4] custom-call(x), custom_call_target=\"q\", "
      "called_computations={sum, other}",
      "f32[8,4] brand-new-op(x), dimensions={3}",
      "f32[8,4] negate(x), metadata={op_type=\"Neg\" op_name=\"a/b\" "
      "source_file=\"f.py\" source_line=3 source_column=9}",
      "((f32[8,4]), f32[2,4]) slice-start(x), slice={[0:2], [0:4]}",
      "pred[3] constant({true, false, true})",
      "f32[2,2,1] constant({{{1},{2}},{{0.1},{-inf}}})",
      "c128[2] constant({(1, 0), (2, 0)})",
      "f32[100] constant({...})",
  };
  for (const std::string_view instruction : instructions) {
    const std::string text = Around(instruction);
    const Module module = Read(text);
    const std::string printed = PrintModule(module);
    const Module again = Read(printed);
    EXPECT_EQ(Describe(module), Describe(again)) << printed;
  }
}

TEST(HloText, NamesPrintedModulesApart) {
  const Module module = Read("e { ROOT r = f32[4] add(f32[4] parameter(0), f32[4] parameter(1)) }");
  EXPECT_EQ(ErrorOf(PrintModule(module)), "no error") << PrintModule(module);
}

}  // namespace
}  // namespace tilewise::hlo

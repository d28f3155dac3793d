// XLA's module protobufs: the same modules as from the text of the same
// program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/read_hlo.h"
#include "frontend/hlo/read_proto.h"
#include "frontend/hlo/read_text.h"
#include "frontend/wire/text_to_wire.h"
#include "tests/hlo/describe.h"

namespace tilewise::hlo {
namespace {

using ::testing::HasSubstr;

std::string Wire(std::string_view text) {
  absl::StatusOr<std::string> bytes = TextToWire(text, wire::HloModuleProto());
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.ok() ? *bytes : std::string();
}

// `bytes` as the field 1 of a message.
std::string Inside(const std::string& bytes) {
  std::string message = "\x0a";
  for (size_t size = bytes.size(); true; size >>= 7) {
    if (size < 128) {
      message += static_cast<char>(size);
      return message + bytes;
    }
    message += static_cast<char>((size & 127) | 128);
  }
}

std::string ErrorOf(std::string_view bytes) {
  const absl::StatusOr<Module> module = ReadHloProto(bytes);
  return module.ok() ? "no error" : Message(module.status());
}

struct Pair {
  std::string_view proto, text;
};

constexpr std::string_view kF32x8x4 = "shape { element_type: F32 dimensions: 8 dimensions: 4 } ";

// A module of two parameters of f32[8,4] and one more instruction.
std::string ProtoAround(std::string_view instruction) {
  return "name: \"m\" entry_computation_id: 7\n"
         "computations { name: \"sum\" id: 3 root_id: 2\n"
         " instructions { name: \"a\" opcode: \"parameter\" id: 0 "
         "shape { element_type: F32 layout {} } }\n"
         " instructions { name: \"b\" opcode: \"parameter\" id: 1 "
         "parameter_number: 1 shape { element_type: F32 } }\n"
         " instructions { name: \"s\" opcode: \"add\" id: 2 operand_ids: 0 "
         "operand_ids: 1 shape { element_type: F32 } } }\n"
         "computations { name: \"main\" id: 7 root_id: 12\n"
         " instructions { name: \"x\" opcode: \"parameter\" id: 10 " +
         std::string(kF32x8x4) +
         "}\n instructions { name: \"y\" opcode: \"parameter\" id: 11 "
         "parameter_number: 1 " +
         std::string(kF32x8x4) + "}\n instructions { name: \"r\" id: 12 " +
         std::string(instruction) + " } }\n";
}

std::string TextAround(std::string_view instruction) {
  return "HloModule m\nsum { a = f32[] parameter(0)\n"
         " b = f32[] parameter(1)\n ROOT s = f32[] add(a, b) }\n"
         "ENTRY main { x = f32[8,4] parameter(0)\n"
         " y = f32[8,4] parameter(1)\n ROOT r = " +
         std::string(instruction) + " }\n";
}

// Instructions as a protobuf and as text.
const std::vector<Pair>& Pairs() {
  static const std::vector<Pair> pairs = {
      {"opcode: \"compare\" operand_ids: 10 operand_ids: 11 "
       "comparison_direction: \"LT\" metadata { op_type: \"Less\" "
       "source_file: \"a.py\" source_line: 4 } shape { element_type: PRED "
       "dimensions: 8 dimensions: 4 layout { minor_to_major: 1 "
       "minor_to_major: 0 tiles { dimensions: 8 dimensions: 128 } "
       "tiles { dimensions: 4 dimensions: 1 } memory_space: 1 } }",
       "pred[8,4]{1,0:T(8,128)(4,1)S(1)} compare(x, y), direction=LT, "
       "metadata={op_type=\"Less\" source_file=\"a.py\" source_line=4}"},
      {"opcode: \"reduce\" operand_ids: [10, 11] called_computation_ids: 3 "
       "dimensions: 1 shape { element_type: F32 dimensions: 8 }",
       "f32[8] reduce(x, y), dimensions={1}, to_apply=sum"},
      {"opcode: \"while\" operand_ids: 10 called_computation_ids: [7, 3] "
       "shape { element_type: F32 }",
       "no text: a computation that calls itself"},
      {"opcode: \"slice\" operand_ids: 10 slice_dimensions { limit: 4 "
       "stride: 2 } slice_dimensions { start: 1 limit: 3 stride: 1 } "
       "shape { element_type: F32 dimensions: 2 dimensions: 2 }",
       "f32[2,2] slice(x), slice={[0:4:2], [1:3]}"},
      {"opcode: \"pad\" operand_ids: [10, 11] padding_config { dimensions { "
       "edge_padding_low: 1 } dimensions { edge_padding_high: 2 "
       "interior_padding: 3 } } shape { element_type: F32 dimensions: 9 "
       "dimensions: 15 }",
       "f32[9,15] pad(x, y), padding=1_0x0_2_3"},
      {"opcode: \"dot\" operand_ids: [10, 11] dot_dimension_numbers { "
       "lhs_contracting_dimensions: 1 rhs_contracting_dimensions: 1 } "
       "precision_config { operand_precision: [DEFAULT, HIGH] algorithm: "
       "ALG_DOT_BF16_BF16_F32_X3 } shape { element_type: F32 dimensions: "
       "[8, 8] }",
       "f32[8,8] dot(x, y), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={1}, operand_precision={default,high}, "
       "algorithm=dot_bf16_bf16_f32_x3"},
      {"opcode: \"convolution\" operand_ids: [10, 11] window { dimensions { "
       "size: 3 stride: 2 padding_low: -1 padding_high: 1 window_dilation: 1 "
       "base_dilation: 2 window_reversal: true } } "
       "convolution_dimension_numbers { kernel_input_feature_dimension: 1 "
       "kernel_output_feature_dimension: 2 kernel_spatial_dimensions: 0 "
       "input_feature_dimension: 2 input_spatial_dimensions: 1 "
       "output_feature_dimension: 2 output_spatial_dimensions: 1 } "
       "feature_group_count: 4 batch_group_count: 1 shape { element_type: "
       "BF16 dimensions: [1, 2, 3] }",
       "bf16[1,2,3] convolution(x, y), window={size=3 stride=2 pad=-1_1 "
       "lhs_dilate=2 rhs_reversal=1}, dim_labels=b0f_0io->b0f, "
       "feature_group_count=4"},
      {"opcode: \"gather\" operand_ids: [10, 11] gather_dimension_numbers { "
       "offset_dims: 1 collapsed_slice_dims: 0 start_index_map: 0 "
       "index_vector_dim: 1 } gather_slice_sizes: [1, 4] shape { "
       "element_type: F32 dimensions: [8, 4] }",
       "f32[8,4] gather(x, y), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}"},
      {"opcode: \"all-reduce\" operand_ids: 10 called_computation_ids: 3 "
       "channel_id: 5 replica_groups { replica_ids: [0, 1] } replica_groups { "
       "replica_ids: [2, 3] } collective_device_list { replica_groups { "
       "replica_ids: [0, 1] } replica_groups { replica_ids: [2, 3] } } "
       "shape { element_type: F32 dimensions: [8, 4] }",
       "f32[8,4] all-reduce(x), channel_id=5, replica_groups={{0,1},{2,3}}, "
       "to_apply=sum"},
      {"opcode: \"all-gather\" operand_ids: 10 dimensions: 1 "
       "collective_device_list { iota_replica_group_list { "
       "num_replica_groups: 2 num_devices_per_group: 4 iota_reshape_dims: 8 "
       "} } shape { element_type: F32 dimensions: [8, 16] }",
       "f32[8,16] all-gather(x), replica_groups=[2,4]<=[8], dimensions={1}"},
      {"opcode: \"collective-permute\" operand_ids: 10 source_target_pairs { "
       "target: 1 } source_target_pairs { source: 1 } shape { element_type: "
       "F32 dimensions: [8, 4] }",
       "f32[8,4] collective-permute(x), source_target_pairs={{0,1},{1,0}}"},
      {"opcode: \"constant\" literal { shape { element_type: F32 dimensions: "
       "3 } f32s: [1, 2, -0.5] } shape { element_type: F32 dimensions: 3 }",
       "f32[3] constant({1, 2, -0.5})"},
      {"opcode: \"constant\" literal { s32s: [-7, -7] } shape { element_type: "
       "S32 dimensions: 2 }",
       "s32[2] constant({-7, -7})"},
      {"opcode: \"constant\" literal { preds: [true, false] } shape { "
       "element_type: PRED dimensions: 2 }",
       "pred[2] constant({true, false})"},
      {"opcode: \"constant\" literal { bf16s: \"\\200\\077\\000\\300\" } shape "
       "{ element_type: BF16 dimensions: 2 }",
       "bf16[2] constant({1, -2})"},
      {"opcode: \"constant\" literal { f16s: \"\\000\\074\" } shape { "
       "element_type: F16 }",
       "f16[] constant(1)"},
      {"opcode: \"constant\" literal { c64s: [1, 2] } shape { element_type: "
       "C64 }",
       "c64[] constant((1, 2))"},
      {"opcode: \"constant\" literal { f8e4m3fns: \"\\070\" } shape { "
       "element_type: F8E4M3FN }",
       "f8e4m3fn[] constant(1)"},
      {"opcode: \"custom-call\" custom_call_target: \"t\" backend_config: "
       "\"{\\\"a\\\":1}\" sharding { type: OTHER tile_assignment_dimensions: "
       "[2, 1, 2] replicate_on_last_tile_dim: true iota_reshape_dims: 4 } "
       "frontend_attributes { map { key: \"k\" value: \"v\" } map { key: "
       "\"a\" value: \"b\" } } shape { element_type: TUPLE tuple_shapes { "
       "element_type: TOKEN } tuple_shapes { element_type: S4 dimensions: 4 "
       "is_dynamic_dimension: true } }",
       "(token[], s4[<=4]) custom-call(), custom_call_target=\"t\", "
       "backend_config={\"a\":1}, sharding={devices=[2,1,2]<=[4] "
       "last_tile_dim_replicate}, frontend_attributes={a=\"b\",k=\"v\"}"},
      {"opcode: \"topk\" operand_ids: 10 k: 2 largest: true shape { "
       "element_type: TUPLE tuple_shapes { element_type: F32 dimensions: [8, "
       "2] } tuple_shapes { element_type: S32 dimensions: [8, 2] } }",
       "(f32[8,2], s32[8,2]) topk(x), k=2, largest=true"},
      {"opcode: \"rng\" operand_ids: [10, 11] distribution: RNG_NORMAL shape { "
       "element_type: F32 dimensions: 8 }",
       "f32[8] rng(x, y), distribution=rng_normal"},
      {"opcode: \"iota\" dimensions: 0 shape { element_type: U32 dimensions: 8 "
       "}",
       "u32[8] iota(), iota_dimension=0"},
      {"opcode: \"something-new\" shape { element_type: F32 dimensions: 8 }",
       "f32[8] something-new()"},
  };
  return pairs;
}

TEST(HloProto, IsTheSameModuleAsItsText) {
  for (const Pair& pair : Pairs()) {
    const std::string bytes = Wire(ProtoAround(pair.proto));
    if (pair.text.starts_with("no text")) {
      EXPECT_THAT(ErrorOf(bytes), HasSubstr("main calls itself"));
      continue;
    }
    const absl::StatusOr<Module> from_proto = ReadHloProto(bytes);
    ASSERT_TRUE(from_proto.ok()) << from_proto.status() << pair.proto;
    const std::string text = TextAround(pair.text);
    const absl::StatusOr<std::vector<Module>> from_text = ReadHloText(text);
    ASSERT_TRUE(from_text.ok()) << from_text.status() << pair.text;
    EXPECT_EQ(Describe(*from_proto), Describe(from_text->front()));
  }
}

TEST(HloProto, IsKnownInEveryWrapping) {
  const std::string text =
      ProtoAround("opcode: \"negate\" operand_ids: 10 " + std::string(kF32x8x4));
  const std::string module = Wire(text);
  const std::string proto = Inside(module);
  const std::string snapshot = Inside(proto);
  EXPECT_EQ(ModuleDepth(module), 0);
  EXPECT_EQ(ModuleDepth(proto), 1);
  EXPECT_EQ(ModuleDepth(snapshot), 2);
  const std::string expected = Describe(*ReadHloProto(module));
  for (const std::string& bytes : {proto, snapshot}) {
    const absl::StatusOr<std::vector<Module>> read = ReadModules({"m.pb", bytes});
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(Describe(read->front()), expected);
  }
  const std::string text_proto = "# comment\nhlo_module {\n" + text + "}\n";
  const std::string text_snapshot = "hlo { hlo_module {" + text + "} }";
  for (const std::string& form : {text, text_proto, text_snapshot}) {
    EXPECT_TRUE(LooksLikeHloTextproto({"m.pbtxt", form}));
    const absl::StatusOr<std::vector<Module>> read = ReadModules({"m.pbtxt", form});
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(Describe(read->front()), expected);
  }
}

TEST(HloProto, OrdersInstructionsByTheSchedule) {
  const std::string module =
      Wire(ProtoAround("opcode: \"add\" operand_ids: [10, 11] " + std::string(kF32x8x4)) +
           "schedule { sequences { key: 7 value { instruction_ids: [11, 10, 12] } } "
           "sequences { key: 3 value { instruction_ids: [2, 0, 1] } } }");
  const absl::StatusOr<Module> read = ReadHloProto(module);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->is_scheduled);
  EXPECT_EQ(read->computations[1].instructions[0].name, "y");
  EXPECT_THAT(read->computations[1].instructions[2].operands, ::testing::ElementsAre(1, 0));
  // A schedule that has users before operands is none.
  EXPECT_EQ(read->computations[0].instructions[0].name, "a");
}

TEST(HloProto, FindsSourceLinesAliasesAndDevices) {
  const std::string module =
      Wire(ProtoAround("opcode: \"negate\" operand_ids: 10 metadata { "
                       "stack_frame_id: 1 } " +
                       std::string(kF32x8x4)) +
           "stack_frame_index { file_names: [\"a.py\", \"b.py\"] file_locations { "
           "file_name_id: 2 line: 9 column: 3 } stack_frames { file_location_id: 1 "
           "} } input_output_alias { entries { output_shape_index: 0 "
           "parameter_number: 1 parameter_shape_index: 2 kind: MAY_ALIAS } } "
           "device_assignment { replica_count: 2 computation_count: 4 }");
  const absl::StatusOr<Module> read = ReadHloProto(module);
  ASSERT_TRUE(read.ok()) << read.status();
  const Metadata& metadata = read->computations[1].instructions[2].metadata;
  EXPECT_EQ(metadata.source_file, "b.py");
  EXPECT_EQ(metadata.source_line, 9);
  ASSERT_EQ(read->aliases.size(), 1U);
  EXPECT_EQ(read->aliases[0].parameter, 1);
  EXPECT_EQ(read->replica_count, 2);
  EXPECT_EQ(read->num_partitions, 4);
}

TEST(HloProto, KeepsTheOneValueOfLargeConstants) {
  wire::HloModuleProto proto;
  auto* computation = proto.add_computations();
  auto* constant = computation->add_instructions();
  constant->set_opcode("constant");
  constant->mutable_shape()->set_element_type(wire::S64);
  constant->mutable_shape()->add_dimensions(100'000);
  for (int i = 0; i < 100'000; ++i) {
    constant->mutable_literal()->add_s64s(1'000'000);
  }
  const std::string alike = proto.SerializeAsString();
  const absl::StatusOr<Module> read = ReadHloProto(alike);
  ASSERT_TRUE(read.ok()) << read.status();
  const Literal& literal = read->computations[0].instructions[0].literal;
  EXPECT_EQ(literal.splat, 1'000'000);
  EXPECT_TRUE(literal.values.empty());
  constant->mutable_literal()->set_s64s(70'000, 1);
  const std::string different = proto.SerializeAsString();
  EXPECT_FALSE(ReadHloProto(different)->computations[0].instructions[0].literal->splat);
}

TEST(HloProto, SaysWhatIsWrong) {
  const std::string shape(kF32x8x4);
  const std::vector<Pair> cases = {
      {"opcode: \"negate\" operand_ids: 13 ",
       "computation main: instruction r: found operand id 13, expected the id "
       "of an instruction before it"},
      {"opcode: \"negate\" operand_ids: 12 ", "found operand id 12"},
      {"opcode: \"call\" called_computation_ids: 9 ",
       "instruction r: found computation id 9, expected one that the module"},
      {"opcode: \"get-tuple-element\" tuple_index: -1 ", "found index -1"},
  };
  for (const Pair& c : cases) {
    EXPECT_THAT(ErrorOf(Wire(ProtoAround(std::string(c.proto) + shape))), HasSubstr(c.text));
  }
  EXPECT_THAT(ErrorOf(Wire(ProtoAround("opcode: \"negate\" shape { "
                                       "element_type: F32 dimensions: -3 }"))),
              HasSubstr("instruction r: found dim -3"));
  EXPECT_THAT(ErrorOf(Wire(ProtoAround("opcode: \"negate\" shape { element_type: F32 "
                                       "dimensions: [4000000000, 4000000000] }"))),
              HasSubstr("more than 2^59 elements"));
  EXPECT_THAT(ErrorOf("garbage"), HasSubstr("expected an HloModuleProto"));
}

TEST(HloProto, EndsAnywhereWithAMessage) {
  const std::string module =
      Inside(Wire(ProtoAround("opcode: \"negate\" operand_ids: 10 " + std::string(kF32x8x4))));
  ASSERT_EQ(ErrorOf(module), "no error");
  for (size_t size = 0; size < module.size(); ++size) {
    EXPECT_NE(ErrorOf(std::string_view(module).substr(0, size)), "no error") << size;
  }
}

TEST(HloProto, SurvivesAnyByteChanged) {
  const std::string module =
      Wire(ProtoAround("opcode: \"all-reduce\" operand_ids: 10 called_computation_ids: 3 "
                       "literal { f32s: [1, 2] } window { dimensions { size: 3 } } "
                       "sharding { tuple_shardings { type: OTHER } } " +
                       std::string(kF32x8x4)));
  for (size_t at = 0; at < module.size(); ++at) {
    for (const int change : {1, 2, 8, 64, 128, 255}) {
      std::string changed = module;
      changed[at] = static_cast<char>(changed[at] ^ change);
      FuzzHloProto(changed);
    }
  }
}

}  // namespace
}  // namespace tilewise::hlo

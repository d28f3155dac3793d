// Pretty and generic forms of operations give the graph that they should, and
// the same one.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/mlir/read_mlir.h"
#include "graph/op_traits.h"
#include "graph/text.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

// Kinds and shapes of the ops that are no inputs, one a line.
std::string Computed(const std::string& text) {
  const absl::StatusOr<Workload> read = ReadMlir({"f.mlir", text}, {});
  if (!read.ok()) return Message(read.status());
  std::string lines;
  for (const Op& op : read->graph->ops()) {
    if (op.kind == OpKind::kParameter || op.kind == OpKind::kVariable) continue;
    lines += std::string(OpName(op.kind)) + " " + FormatShape(op.shape);
    if (const auto* dims = FindAttribute<std::vector<int64_t>>(op, "dims")) {
      for (const int64_t dim : *dims) lines += " " + std::to_string(dim);
    }
    lines += "\n";
  }
  return lines;
}

std::string Function(const std::string& arguments, const std::string& body) {
  return "func.func @main(" + arguments + ") -> tensor<f32> {\n" + body + "}\n";
}

struct Form {
  const char* name;
  const char* arguments;
  const char* pretty;
  const char* generic;
  const char* computed;  // a part of what comes out
};

void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }

class Forms : public testing::TestWithParam<Form> {};

TEST_P(Forms, GiveTheSameGraph) {
  const Form& form = GetParam();
  const std::string pretty = Computed(Function(form.arguments, form.pretty));
  EXPECT_THAT(pretty, HasSubstr(form.computed));
  EXPECT_EQ(pretty, Computed(Function(form.arguments, form.generic)));
}

INSTANTIATE_TEST_SUITE_P(
    Mlir, Forms,
    testing::Values(Form{"Add", "%a: tensor<4x8xf32>, %b: tensor<4x8xf32>",
                         "%0 = stablehlo.add %a, %b : tensor<4x8xf32>\n"
                         "return %0 : tensor<4x8xf32>\n",
                         "%0 = \"stablehlo.add\"(%a, %b) : (tensor<4x8xf32>, "
                         "tensor<4x8xf32>) -> tensor<4x8xf32>\n"
                         "\"func.return\"(%0) : (tensor<4x8xf32>) -> ()\n",
                         "add f32[4,8]\n"},
                    Form{"BroadcastStretches", "%a: tensor<1x8xf32>",
                         "%0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : "
                         "(tensor<1x8xf32>) -> tensor<4x8xf32>\n"
                         "return %0 : tensor<4x8xf32>\n",
                         "%0 = \"mhlo.broadcast_in_dim\"(%a) {broadcast_dimensions = "
                         "dense<[0, 1]> : tensor<2xi64>} : (tensor<1x8xf32>) -> "
                         "tensor<4x8xf32>\n"
                         "return %0 : tensor<4x8xf32>\n",
                         "reshape f32[8]\nbroadcast f32[4,8] 1\n"},
                    Form{"Transpose", "%a: tensor<2x3x4xf32>",
                         "%0 = stablehlo.transpose %a, dims = [2, 0, 1] : "
                         "(tensor<2x3x4xf32>) -> tensor<4x2x3xf32>\n"
                         "return %0 : tensor<4x2x3xf32>\n",
                         "%0 = \"stablehlo.transpose\"(%a) <{permutation = array<i64: 2, "
                         "0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>\n"
                         "return %0 : tensor<4x2x3xf32>\n",
                         "transpose f32[4,2,3] 2 0 1\n"},
                    Form{"Slice", "%a: tensor<4x8xf32>",
                         "%0 = stablehlo.slice %a [1:3, 0:8:2] : (tensor<4x8xf32>) -> "
                         "tensor<2x4xf32>\nreturn %0 : tensor<2x4xf32>\n",
                         "%0 = \"stablehlo.slice\"(%a) {start_indices = array<i64: 1, 0>, "
                         "limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>} : "
                         "(tensor<4x8xf32>) -> tensor<2x4xf32>\n"
                         "return %0 : tensor<2x4xf32>\n",
                         "slice f32[2,4]\n"},
                    Form{"Pad", "%a: tensor<4xf32>, %v: tensor<f32>",
                         "%0 = stablehlo.pad %a, %v, low = [1], high = [2], interior = "
                         "[1] : (tensor<4xf32>, tensor<f32>) -> tensor<10xf32>\n"
                         "return %0 : tensor<10xf32>\n",
                         "%0 = \"mhlo.pad\"(%a, %v) {edge_padding_low = dense<1> : "
                         "tensor<1xi64>, edge_padding_high = dense<2> : tensor<1xi64>, "
                         "interior_padding = dense<1> : tensor<1xi64>} : (tensor<4xf32>, "
                         "tensor<f32>) -> tensor<10xf32>\nreturn %0 : tensor<10xf32>\n",
                         "pad f32[10]\n"},
                    Form{"Concatenate", "%a: tensor<4x2xf32>, %b: tensor<4x3xf32>",
                         "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x2xf32>, "
                         "tensor<4x3xf32>) -> tensor<4x5xf32>\n"
                         "return %0 : tensor<4x5xf32>\n",
                         "%0 = \"stablehlo.concatenate\"(%a, %b) {dimension = 1 : i64} : "
                         "(tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<4x5xf32>\n"
                         "return %0 : tensor<4x5xf32>\n",
                         "concatenate f32[4,5] 1\n"},
                    Form{"Compare", "%a: tensor<4xf32>, %b: tensor<4xf32>",
                         "%0 = stablehlo.compare  GE, %a, %b,  FLOAT : (tensor<4xf32>, "
                         "tensor<4xf32>) -> tensor<4xi1>\nreturn %0 : tensor<4xi1>\n",
                         "%0 = \"stablehlo.compare\"(%a, %b) {comparison_direction = "
                         "#stablehlo<comparison_direction GE>, compare_type = "
                         "#stablehlo<comparison_type FLOAT>} : (tensor<4xf32>, "
                         "tensor<4xf32>) -> tensor<4xi1>\nreturn %0 : tensor<4xi1>\n",
                         "compare pred[4]\n"},
                    Form{"Iota", "%a: tensor<f32>",
                         "%0 = stablehlo.iota dim = 1 : tensor<2x3xi32>\n"
                         "return %0 : tensor<2x3xi32>\n",
                         "%0 = \"stablehlo.iota\"() {iota_dimension = 1 : i64} : () -> "
                         "tensor<2x3xi32>\nreturn %0 : tensor<2x3xi32>\n",
                         "iota s32[2,3] 1\n"},
                    Form{"DotGeneral", "%a: tensor<2x4x8xf32>, %b: tensor<2x8x3xf32>",
                         "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], "
                         "contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : "
                         "(tensor<2x4x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>\n"
                         "return %0 : tensor<2x4x3xf32>\n",
                         "%0 = \"stablehlo.dot_general\"(%a, %b) {dot_dimension_numbers = "
                         "#stablehlo.dot<lhs_batching_dimensions = [0], "
                         "rhs_batching_dimensions = [0], lhs_contracting_dimensions = "
                         "[2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, "
                         "tensor<2x8x3xf32>) -> tensor<2x4x3xf32>\n"
                         "return %0 : tensor<2x4x3xf32>\n",
                         "dot f32[2,4,3]\n"},
                    Form{"Convolution", "%a: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>",
                         "%0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, "
                         "f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = "
                         "[[1, 1], [1, 1]]} {batch_group_count = 1 : i64, "
                         "feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, "
                         "tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>\n"
                         "return %0 : tensor<1x4x4x4xf32>\n",
                         "%0 = \"stablehlo.convolution\"(%a, %k) {dimension_numbers = "
                         "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, "
                         "window_strides = array<i64: 2, 2>, padding = dense<1> : "
                         "tensor<2x2xi64>, batch_group_count = 1 : i64, "
                         "feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, "
                         "tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>\n"
                         "return %0 : tensor<1x4x4x4xf32>\n",
                         "convolution f32[1,4,4,4]\n"},
                    Form{"Reduce", "%a: tensor<4x8xf32>, %i: tensor<f32>",
                         "%0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across "
                         "dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> "
                         "tensor<4xf32>\nreturn %0 : tensor<4xf32>\n",
                         "%0 = \"stablehlo.reduce\"(%a, %i) ({\n^bb0(%x: tensor<f32>, %y: "
                         "tensor<f32>):\n%1 = stablehlo.add %x, %y : tensor<f32>\n"
                         "stablehlo.return %1 : tensor<f32>\n}) {dimensions = array<i64: "
                         "1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>\n"
                         "return %0 : tensor<4xf32>\n",
                         "reduce f32[4] 1\n"},
                    Form{"ReduceOfPairs",
                         "%a: tensor<4x8xf32>, %b: tensor<4x8xi32>, %i: tensor<f32>, %j: "
                         "tensor<i32>",
                         "%0:2 = stablehlo.reduce(%a init: %i), (%b init: %j) across "
                         "dimensions = [1] : (tensor<4x8xf32>, tensor<4x8xi32>, "
                         "tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)\n"
                         " reducer(%x: tensor<f32>, %y: tensor<f32>) (%m: tensor<i32>, "
                         "%n: tensor<i32>)  {\n"
                         "%1 = stablehlo.maximum %x, %y : tensor<f32>\n"
                         "%2 = stablehlo.minimum %m, %n : tensor<i32>\n"
                         "stablehlo.return %1, %2 : tensor<f32>, tensor<i32>\n}\n"
                         "return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>\n",
                         "%0:2 = \"stablehlo.reduce\"(%a, %b, %i, %j) ({\n^bb0(%x: "
                         "tensor<f32>, %m: tensor<i32>, %y: tensor<f32>, %n: "
                         "tensor<i32>):\n"
                         "%1 = stablehlo.maximum %x, %y : tensor<f32>\n"
                         "%2 = stablehlo.minimum %m, %n : tensor<i32>\n"
                         "stablehlo.return %1, %2 : tensor<f32>, tensor<i32>\n}) "
                         "{dimensions = array<i64: 1>} : (tensor<4x8xf32>, "
                         "tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, "
                         "tensor<4xi32>)\n"
                         "return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>\n",
                         "reduce s32[4] 1\n"},
                    Form{"DynamicSlice", "%a: tensor<4x8xf32>, %i: tensor<i32>",
                         "%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 8] : "
                         "(tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> "
                         "tensor<2x8xf32>\nreturn %0 : tensor<2x8xf32>\n",
                         "%0 = \"stablehlo.dynamic_slice\"(%a, %i, %i) {slice_sizes = "
                         "array<i64: 2, 8>} : (tensor<4x8xf32>, tensor<i32>, "
                         "tensor<i32>) -> tensor<2x8xf32>\nreturn %0 : tensor<2x8xf32>\n",
                         "dynamic-slice f32[2,8]"},
                    Form{"While", "%a: tensor<8xf32>",
                         "%i = stablehlo.constant dense<0> : tensor<i32>\n"
                         "%n = stablehlo.constant dense<5> : tensor<i32>\n"
                         "%one = stablehlo.constant dense<1> : tensor<i32>\n"
                         "%0:2 = stablehlo.while(%x = %i, %y = %a) : tensor<i32>, "
                         "tensor<8xf32>\n cond {\n"
                         "%1 = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) "
                         "-> tensor<i1>\nstablehlo.return %1 : tensor<i1>\n} do {\n"
                         "%1 = stablehlo.add %x, %one : tensor<i32>\n"
                         "%2 = stablehlo.multiply %y, %y : tensor<8xf32>\n"
                         "stablehlo.return %1, %2 : tensor<i32>, tensor<8xf32>\n}\n"
                         "return %0#1 : tensor<8xf32>\n",
                         "%i = \"stablehlo.constant\"() {value = dense<0> : tensor<i32>} : "
                         "() -> tensor<i32>\n"
                         "%n = \"stablehlo.constant\"() {value = dense<5> : tensor<i32>} : "
                         "() -> tensor<i32>\n"
                         "%one = \"stablehlo.constant\"() {value = dense<1> : "
                         "tensor<i32>} : () -> tensor<i32>\n"
                         "%0:2 = \"stablehlo.while\"(%i, %a) ({\n^bb0(%x: tensor<i32>, "
                         "%y: tensor<8xf32>):\n"
                         "%1 = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) "
                         "-> tensor<i1>\n\"stablehlo.return\"(%1) : (tensor<i1>) -> ()\n"
                         "}, {\n^bb0(%x: tensor<i32>, %y: tensor<8xf32>):\n"
                         "%1 = stablehlo.add %x, %one : tensor<i32>\n"
                         "%2 = stablehlo.multiply %y, %y : tensor<8xf32>\n"
                         "\"stablehlo.return\"(%1, %2) : (tensor<i32>, tensor<8xf32>) -> "
                         "()\n}) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, "
                         "tensor<8xf32>)\nreturn %0#1 : tensor<8xf32>\n",
                         "multiply f32[8]\n"},
                    Form{"CustomCall", "%a: tensor<8xf32>",
                         "%0 = stablehlo.custom_call @mine(%a) {api_version = 2 : i32} : "
                         "(tensor<8xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>\n",
                         "%0 = \"stablehlo.custom_call\"(%a) {call_target_name = "
                         "\"mine\"} : (tensor<8xf32>) -> tensor<4xf32>\n"
                         "return %0 : tensor<4xf32>\n",
                         "opaque f32[4]\n"},
                    Form{"TopK", "%a: tensor<2x8xf32>",
                         "%0:2 = chlo.top_k(%a, k = 3) : tensor<2x8xf32> -> "
                         "(tensor<2x3xf32>, tensor<2x3xi32>)\n"
                         "return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>\n",
                         "%0:2 = \"chlo.top_k\"(%a) <{k = 3 : i64}> : (tensor<2x8xf32>) "
                         "-> (tensor<2x3xf32>, tensor<2x3xi32>)\n"
                         "return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>\n",
                         "top-k s32[2,3]\n"},
                    Form{"ImplicitBroadcast", "%a: tensor<4x8xf32>, %b: tensor<8xf32>",
                         "%0 = chlo.broadcast_add %a, %b : (tensor<4x8xf32>, "
                         "tensor<8xf32>) -> tensor<4x8xf32>\n"
                         "return %0 : tensor<4x8xf32>\n",
                         "%0 = \"chlo.broadcast_add\"(%a, %b) {broadcast_dimensions = "
                         "array<i64: 1>} : (tensor<4x8xf32>, tensor<8xf32>) -> "
                         "tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>\n",
                         "broadcast f32[4,8] 1\nadd f32[4,8]\n"},
                    Form{"Call", "%a: tensor<8xf32>",
                         "%0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>\n"
                         "return %0 : tensor<8xf32>\n}\n"
                         "func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                         "%0 = stablehlo.tanh %x : tensor<8xf32>\n"
                         "return %0 : tensor<8xf32>\n",
                         "%0 = \"func.call\"(%a) {callee = @f} : (tensor<8xf32>) -> "
                         "tensor<8xf32>\nreturn %0 : tensor<8xf32>\n}\n"
                         "\"func.func\"() ({\n^bb0(%x: tensor<8xf32>):\n"
                         "%0 = mhlo.tanh %x : tensor<8xf32>\n"
                         "\"func.return\"(%0) : (tensor<8xf32>) -> ()\n}) {function_type "
                         "= (tensor<8xf32>) -> tensor<8xf32>, sym_name = \"f\"} : () -> "
                         "()\nfunc.func private @g() {\nreturn\n",
                         "tanh f32[8]\n"}),
    [](const auto& form) { return std::string(form.param.name); });

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> read = ReadMlir({"f.mlir", text}, {});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? *std::move(read) : Workload();
}

TEST(Mlir, KnowsHowOftenALoopRuns) {
  const Workload read = Read(R"(
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %lo = stablehlo.constant dense<1> : tensor<i64>
  %hi = stablehlo.constant dense<12> : tensor<i64>
  %0 = stablehlo.convert %hi : tensor<i64>
  %i = stablehlo.constant dense<0> : tensor<i64>
  %1:4 = stablehlo.while(%x = %i, %l = %lo, %h = %0, %y = %a) : tensor<i64>, tensor<i64>, tensor<i64>, tensor<8xf32>
   cond {
    %2 = stablehlo.subtract %h, %l : tensor<i64>
    %3 = stablehlo.divide %2, %l : tensor<i64>
    %4 = stablehlo.add %3, %l : tensor<i64>
    %5 = stablehlo.compare LT, %x, %4 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  } do {
    %2 = stablehlo.add %x, %lo : tensor<i64>
    %3 = stablehlo.tanh %y : tensor<8xf32>
    stablehlo.return %2, %l, %h, %3 : tensor<i64>, tensor<i64>, tensor<i64>, tensor<8xf32>
  }
  return %1#3 : tensor<8xf32>
})");
  int64_t trips = 0;
  for (const Op& op : read.graph->ops()) {
    if (op.kind == OpKind::kTanh) trips = op.loop.trip_count;
  }
  EXPECT_EQ(trips, 12);
}

TEST(Mlir, SeesLimitsThroughLoopsThatHandThemOn) {
  const Workload read = Read(R"(
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %n = stablehlo.constant dense<6> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%x = %i, %h = %n, %y = %a) : tensor<i32>, tensor<i32>, tensor<8xf32>
   cond {
    %1 = stablehlo.compare LT, %x, %h : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1:3 = stablehlo.while(%j = %i, %k = %h, %z = %y) : tensor<i32>, tensor<i32>, tensor<8xf32>
     cond {
      %3 = stablehlo.add %k, %k : tensor<i32>
      %4 = stablehlo.compare LT, %j, %3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %3 = stablehlo.add %j, %one : tensor<i32>
      %4 = stablehlo.tanh %z : tensor<8xf32>
      stablehlo.return %3, %k, %4 : tensor<i32>, tensor<i32>, tensor<8xf32>
    }
    %2 = stablehlo.add %x, %one : tensor<i32>
    stablehlo.return %2, %1#1, %1#2 : tensor<i32>, tensor<i32>, tensor<8xf32>
  }
  return %0#2 : tensor<8xf32>
})");
  int64_t trips = 0;
  for (const Op& op : read.graph->ops()) {
    if (op.kind == OpKind::kTanh) trips = op.loop.trip_count;
  }
  EXPECT_EQ(trips, 6 * 12);
}

TEST(Mlir, OpenLeadingDimsAreTheBatch) {
  EXPECT_THAT(Computed(R"(
func.func @main(%a: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.constant dense<4> : tensor<1xi32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.dynamic_broadcast_in_dim %b, %3, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %5 = stablehlo.add %a, %4 : tensor<?x4xf32>
  return %5 : tensor<?x4xf32>
})"),
              HasSubstr("broadcast f32[N,4] 1\nadd f32[N,4]\n"));
}

TEST(Mlir, KeepsThePlaceInTheUsersSource) {
  const Workload read = Read(R"(
#loc3 = loc("jit(f)/mul"(#loc1))
func.func @main(%a: tensor<8xf32> loc("x")) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32> loc(#loc3)
  %1 = stablehlo.sine %0 : tensor<8xf32> loc(callsite("inner"("m.py":7:2) at #loc1))
  %2 = stablehlo.cosine %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
#loc1 = loc("train.py":12:5)
)");
  std::string places;
  for (const Op& op : read.graph->ops()) {
    places += FormatLocation(op.location) + " " + op.location.item + "\n";
  }
  EXPECT_THAT(places, HasSubstr("train.py:12:5"));
  EXPECT_THAT(places, HasSubstr("jit(f)/mul"));
  EXPECT_THAT(places, HasSubstr("m.py:7:2"));
  EXPECT_THAT(places, HasSubstr("f.mlir:6"));
}

TEST(Mlir, ArgumentsOfADeviceHaveItsShapes) {
  EXPECT_THAT(Computed(R"(
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=8]>
  func.func public @main(%a: tensor<64x4xf32>) -> tensor<64x4xf32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<8x4xf32>) {
      %1 = stablehlo.tanh %b : tensor<8x4xf32>
      sdy.return %1 : tensor<8x4xf32>
    } : (tensor<64x4xf32>) -> tensor<64x4xf32>
    return %0 : tensor<64x4xf32>
  }
})"),
              "tanh f32[8,4]\n");
}

TEST(Mlir, JumpsThatGoRoundAreLoops) {
  EXPECT_THAT(Computed(R"(
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %i = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<3> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  cf.br ^bb1(%i, %a : tensor<i32>, tensor<8xf32>)
^bb1(%0: tensor<i32>, %1: tensor<8xf32>):  // 2 preds: ^bb0, ^bb2
  %2 = stablehlo.compare LT, %0, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %e = tensor.extract %2[] : tensor<i1>
  cf.cond_br %e, ^bb2(%0, %1 : tensor<i32>, tensor<8xf32>), ^bb3(%1 : tensor<8xf32>)
^bb2(%3: tensor<i32>, %4: tensor<8xf32>):  // pred: ^bb1
  %5 = stablehlo.add %3, %one : tensor<i32>
  %6 = stablehlo.tanh %4 : tensor<8xf32>
  cf.br ^bb1(%5, %6 : tensor<i32>, tensor<8xf32>)
^bb3(%7: tensor<8xf32>):  // pred: ^bb1
  return %7 : tensor<8xf32>
})"),
              HasSubstr("tanh f32[8]"));
}

TEST(Mlir, DonatedArgumentsAreState) {
  const Workload read = Read(R"(
func.func @main(%a: tensor<8xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = stablehlo.add %a, %a : tensor<8xf32>
  %1 = stablehlo.tanh %b : tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<8xf32>
})");
  EXPECT_THAT(PrintGraph(*read.graph), HasSubstr("output state"));
}

TEST(Mlir, NamesTheDialectThatIsNotRead) {
  const absl::StatusOr<Workload> read = ReadMlir({"f.mlir", R"(
func.func @main(%arg0: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = tosa.add %arg0, %arg0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
})"},
                                                 {});
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(Message(read.status()), HasSubstr("'tosa'"));
}

TEST(Mlir, OperationsOfOtherDialectsAreOpaque) {
  EXPECT_EQ(Computed(R"(
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mine.twist %arg0 by 3 {weird} : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
})"),
            "opaque f32[4]\ntanh f32[4]\n");
}

}  // namespace
}  // namespace tilewise

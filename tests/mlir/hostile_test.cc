// Text that is cut off, nested without end, circular or plainly wrong ends in
// one message, and soon.

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/mlir/read_mlir.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

std::string Failure(const std::string& text) {
  const absl::StatusOr<Workload> read = ReadMlir({"f.mlir", text}, {});
  return read.ok() ? "" : Message(read.status());
}

std::string Times(const std::string& text, int count) {
  std::string all;
  all.reserve(text.size() * static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

const char* const kProgram = R"(#loc1 = loc("a.py":3:4)
module @m attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32> {mhlo.sharding = "{replicated}"} loc("x"), %arg1: tensor<f32>) -> (tensor<2xf32> {jax.result_info = ""}) {
    %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    %0 = "stablehlo.gather"(%arg0, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xf32>, tensor<2x2xi64>) -> tensor<2xf32> loc(#loc1)
    %1:2 = stablehlo.while(%iterArg = %0, %iterArg_0 = %arg1) : tensor<2xf32>, tensor<f32>
     cond {
      %3 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = stablehlo.add %iterArg, %iterArg : tensor<2xf32>
      stablehlo.return %3, %arg1 : tensor<2xf32>, tensor<f32>
    }
    %2 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %4 = stablehlo.add %1#0, %2 : tensor<2xf32>
    return %4 : tensor<2xf32>
  }
}
)";

TEST(HostileMlir, FloatsThatXlaHasNotAreNamed) {
  EXPECT_THAT(Failure("func.func @main(%a: tensor<4xf6E3M2FN>) -> "
                      "tensor<4xf6E3M2FN> {\n"
                      "  return %a : tensor<4xf6E3M2FN>\n}\n"),
              HasSubstr("line 1: found element type f6E3M2FN, expected one "
                        "that XLA has: f32, f64, f16, bf16, f8E4M3FN"));
}

TEST(HostileMlir, TheProgramThatIsCutIsRight) { EXPECT_EQ(Failure(kProgram), ""); }

TEST(HostileMlir, CutAnywhereEndsInAMessage) {
  const std::string whole = kProgram;
  for (size_t end = 0; end + 2 < whole.size(); ++end) {
    EXPECT_NE(Failure(whole.substr(0, end)), "") << end;
  }
}

TEST(HostileMlir, AChangedByteNeverCrashes) {
  const std::string whole = kProgram;
  for (size_t at = 0; at < whole.size(); ++at) {
    for (char c : {'<', '"', '%', '9', '}', '\0'}) {
      std::string changed = whole;
      changed[at] = c;
      Failure(changed);
    }
  }
}

TEST(HostileMlir, NestingWithoutEnd) {
  constexpr int kDeep = 1'000'000;
  for (const char* open : {"module {\n", "[", "{a = ", "((", "<<", "tuple<", "\"a.b\"() ({\n",
                           "stablehlo.constant dense<[["}) {
    EXPECT_NE(Failure("module {\n" + Times(open, kDeep)), "") << open;
    EXPECT_NE(Failure("#a = " + Times(open, kDeep)), "") << open;
  }
  EXPECT_NE(
      Failure("func.func @main(%a: " + Times("tuple<", kDeep) + Times(">", kDeep) + ") { return }"),
      "");
}

TEST(HostileMlir, AliasesInACircle) {
  EXPECT_EQ(Failure("#loc1 = loc(\"a\"(#loc2))\n#loc2 = loc(\"b\"(#loc1))\n"
                    "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                    "  %0 = stablehlo.tanh %a : tensor<2xf32> loc(#loc1)\n"
                    "  return %0 : tensor<2xf32>\n}\n"),
            "");
}

TEST(HostileMlir, FunctionsThatCallThemselves) {
  EXPECT_THAT(Failure("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                      "  %0 = call @main(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
                      "  return %0 : tensor<2xf32>\n}\n"),
              HasSubstr("calls itself"));
}

TEST(HostileMlir, CallsThatDoubleWithEachFunction) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += "func.func private @f" + std::to_string(i) + "(%a: tensor<2xf32>) -> tensor<2xf32> {\n";
    const std::string callee =
        i == 0 ? "stablehlo.tanh %a : tensor<2xf32>"
               : "call @f" + std::to_string(i - 1) + "(%a) : (tensor<2xf32>) -> tensor<2xf32>";
    text += "  %0 = " + callee + "\n  %1 = " + callee +
            "\n  %2 = stablehlo.add %0, %1 : tensor<2xf32>\n"
            "  return %2 : tensor<2xf32>\n}\n";
  }
  text +=
      "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %0 = call @f59(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
      "  return %0 : tensor<2xf32>\n}\n";
  EXPECT_NE(Failure(text), "");
}

struct Wrong {
  const char* line;
  const char* message;
};

TEST(HostileMlir, WrongOperationsAreNamedWithTheirLine) {
  const Wrong wrong[] = {
      {"%0 = stablehlo.tanh %b : tensor<2x4xf32>", "line 2: the value %b"},
      {"%0 = stablehlo.tanh %a#1 : tensor<2x4xf32>", "result #1 of %a"},
      {"%0 = stablehlo.tanh %a : tensor<2x99999999999999999999xf32>",
       "expected one that fits 48 bits"},
      {"%0 = stablehlo.transpose %a, dims = [0, 7] : (tensor<2x4xf32>) -> "
       "tensor<2x4xf32>",
       "found dim 7"},
      {"%0 = stablehlo.transpose %a, dims = [-1, 0] : (tensor<2x4xf32>) -> "
       "tensor<2x4xf32>",
       "found dim -1"},
      {"%0 = stablehlo.slice %a [0:1] : (tensor<2x4xf32>) -> tensor<1xf32>",
       "found 1 ranges, expected 2"},
      {"%0 = stablehlo.slice %a [0:1:0, 0:1] : (tensor<2x4xf32>) -> "
       "tensor<1x1xf32>",
       "found a stride of 0"},
      {"%0:9999999999 = stablehlo.tanh %a : tensor<2x4xf32>", "expected the number of results"},
      {"%0 = \"stablehlo.tanh\"(%a) : tensor<2x4xf32>", "expected '(types) -> types'"},
      {"%0 = \"stablehlo.tanh\"(%a) : () -> tensor<2x4xf32>", "has 1 operands and 0 types"},
      {"%0 = stablehlo.get_tuple_element %a[3] : (tensor<2x4xf32>) -> "
       "tensor<f32>",
       "found element 3"},
      {"%0 = mine.op %a", "has 1 results and 0 types"},
      {"%0 = stablehlo.dot_general %a, %a, contracting_dims = [5] x [0] : "
       "(tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x2xf32>",
       "found dim 5"},
      {"%0 = stablehlo.convolution(%a, %a) dim_numbers = [b, f]x[i]->[b, f] : "
       "(tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x2xf32>",
       "expected dim_numbers"},
  };
  for (const Wrong& some : wrong) {
    const std::string text = "func.func @main(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {\n" +
                             std::string(some.line) +
                             "\n%c = stablehlo.tanh %a : tensor<2x4xf32>\n"
                             "return %a : tensor<2x4xf32>\n}\n";
    const std::string message = Failure(text);
    EXPECT_THAT(message, HasSubstr(some.message));
    EXPECT_THAT(message, HasSubstr("line 2")) << message;
  }
}

}  // namespace
}  // namespace tilewise

// Functions of CHLO and layers of ByteIR as the op library has them.

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "frontend/mlir/read_mlir.h"

namespace tilewise {
namespace {

struct Case {
  const char* name;
  const char* arguments;
  const char* body;
  OpKind kind;  // one that the function is made of
  const char* result;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class LibraryCall : public testing::TestWithParam<Case> {};

TEST_P(LibraryCall, IsMadeOfKnownOps) {
  const Case& c = GetParam();
  const std::string text =
      "func.func @main(" + std::string(c.arguments) + ") -> tensor<f32> {\n" + c.body + "}\n";
  const absl::StatusOr<Workload> read = ReadMlir({"f.mlir", text}, {});
  ASSERT_TRUE(read.ok()) << read.status();
  std::map<OpKind, int> kinds;
  for (const Op& op : read->graph->ops()) ++kinds[op.kind];
  EXPECT_EQ(kinds.count(OpKind::kOpaque), 0u);
  EXPECT_GE(kinds[c.kind], 1);
  const OpId result = read->graph->outputs()[0].value;
  EXPECT_EQ(FormatShape(read->graph->op(result).shape), c.result);
}

INSTANTIATE_TEST_SUITE_P(
    Mlir, LibraryCall,
    testing::Values(Case{"ErfInv", "%a: tensor<8xf32>",
                         "%0 = chlo.erf_inv %a : tensor<8xf32> -> tensor<8xf32>\n"
                         "return %0 : tensor<8xf32>\n",
                         OpKind::kLogPlusOne, "f32[8]"},
                    Case{"HiddenErfInv", "%a: tensor<8xf32>",
                         "%0 = stablehlo.custom_call @chlo.erf_inv(%a) : "
                         "(tensor<8xf32>) -> tensor<8xf32>\nreturn %0 : tensor<8xf32>\n",
                         OpKind::kLogPlusOne, "f32[8]"},
                    Case{"Asinh", "%a: tensor<8xf32>",
                         "%0 = chlo.asinh %a : tensor<8xf32> -> tensor<8xf32>\n"
                         "return %0 : tensor<8xf32>\n",
                         OpKind::kLogPlusOne, "f32[8]"},
                    Case{"IsNegInf", "%a: tensor<8xf32>",
                         "%0 = chlo.is_neg_inf %a : tensor<8xf32> -> tensor<8xi1>\n"
                         "return %0 : tensor<8xi1>\n",
                         OpKind::kCompare, "pred[8]"},
                    Case{"Conjugate", "%a: tensor<8xcomplex<f32>>",
                         "%0 = chlo.conj %a : tensor<8xcomplex<f32>> -> "
                         "tensor<8xcomplex<f32>>\nreturn %0 : tensor<8xcomplex<f32>>\n",
                         OpKind::kComplex, "c64[8]"},
                    Case{"Einsum", "%a: tensor<4x8x16xf32>, %b: tensor<4x16x2xf32>",
                         "%0 = \"stablehlo.einsum\"(%a, %b) {einsum_config = "
                         "\"bij,bjk->bik\"} : (tensor<4x8x16xf32>, tensor<4x16x2xf32>) "
                         "-> tensor<4x8x2xf32>\nreturn %0 : tensor<4x8x2xf32>\n",
                         OpKind::kDot, "f32[4,8,2]"},
                    Case{"IndexSelect", "%a: tensor<9x8xf32>, %b: tensor<5xi32>",
                         "%0 = \"stablehlo.torch_index_select\"(%a, %b) {dim = 0 : i64, "
                         "batch_dims = 0 : i64} : (tensor<9x8xf32>, tensor<5xi32>) -> "
                         "tensor<5x8xf32>\nreturn %0 : tensor<5x8xf32>\n",
                         OpKind::kGather, "f32[5,8]"},
                    Case{"Softmax", "%a: tensor<4x8xf32>",
                         "%0 = stablehlo.custom_call @byteir.softmax(%a) {byteir_attrs = "
                         "{axis = 1 : i64}} : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
                         "return %0 : tensor<4x8xf32>\n",
                         OpKind::kSoftmax, "f32[4,8]"},
                    Case{"LayerNorm", "%a: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>",
                         "%0 = stablehlo.custom_call @byteir.layer_norm(%a, %g, %b) "
                         "{byteir_attrs = {axis = [1], epsilon = 1.0e-05 : f64}} : "
                         "(tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> "
                         "tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>\n",
                         OpKind::kLayerNorm, "f32[4,8]"},
                    Case{"Gelu", "%a: tensor<4x8xf32>",
                         "%0 = stablehlo.custom_call @byteir.gelu(%a) {byteir_attrs = "
                         "{approximate = \"tanh\"}} : (tensor<4x8xf32>) -> "
                         "tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>\n",
                         OpKind::kGelu, "f32[4,8]"}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace tilewise

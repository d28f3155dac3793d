// Computations of XLA's builder: tests, collectives, normalisation, custom calls, element types.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using testing::HasSubstr;
using testing::Not;

// A function that builds a computation out of `x`, an f32[4,8,16,16].
std::string Building(const std::string& body) {
  return R"(#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/lib/pooling.h"
using namespace xla;
XlaComputation Net() {
  XlaBuilder builder("net");
  XlaOp x = Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {4, 8, 16, 16}), "x");
)" + body +
         "  return builder.Build().value();\n}\n";
}

constexpr char kTests[] = R"(#include "xla/hlo/builder/xla_builder.h"
#include "xla/tests/client_library_test_base.h"
#include "xla/tests/test_macros.h"
namespace xla {
class DotTest : public ClientLibraryTestBase {
 protected:
  XlaOp Product(XlaOp a, XlaOp b) { return Tanh(Dot(a, b)); }
};
XLA_TEST_F(DotTest, OfLiterals) {
  XlaBuilder builder(TestName());
  Add(ConstantR2<float>(&builder, {{1, 2}}), ConstantR2<float>(&builder, {{3, 4}}));
  ComputeAndCompareR2<float>(&builder, {{4, 6}}, {});
}
TEST_F(DotTest, OfParameters) {
  XlaBuilder builder(TestName());
  XlaOp a, b;
  auto sent = CreateR2Parameter<float>(Array2D<float>(64, 32), 0, "a", &builder, &a);
  auto more = CreateR2Parameter<float>(Array2D<float>(32, 128), 1, "b", &builder, &b);
  Product(a, b);
  ComputeAndCompareR2<float>(&builder, Array2D<float>(64, 128), {sent.get(), more.get()});
}
}  // namespace xla
)";

TEST(XlaModel, ReadsTheLastTestOfASource) {
  const Workload w = Read(kTests);
  ASSERT_TRUE(w.graph.has_value()) << Notes(w);
  EXPECT_EQ(CountOf(w, OpKind::kDot), 1) << Notes(w);
  EXPECT_THAT(Notes(w), HasSubstr("DotTest_OfParameters_Test is called by nothing here"));
  EXPECT_THAT(Notes(w), HasSubstr("of 1 other, --model NAME reads it"));
}

TEST(XlaModel, ReadsTheTestThatIsAskedFor) {
  LoadOptions options;
  options.program.model = "DotTest_OfLiterals_Test";
  const Workload w = Read(kTests, options);
  EXPECT_EQ(CountOf(w, OpKind::kDot), 0) << Notes(w);
}

TEST(XlaModel, TakesPartsOfTheHostsDataAsParameters) {
  const Workload w = Read(kTests);
  EXPECT_EQ(CountOf(w, OpKind::kParameter), 2) << Notes(w);
}

TEST(XlaModel, HasTheCollectivesOfTheProgram) {
  const Workload w = Read(Building(R"(
  XlaOp y = AllGather(x, 1, 4);
  y = ReduceScatter(y, CreateScalarAddComputation(F32, &builder), 1, 4);
  y = AllToAll(y, 1, 0, 2, {});
  y = CollectivePermute(y, {{0, 1}, {1, 0}});
  y = AllReduce(y, CreateScalarAddComputation(F32, &builder));
)"));
  for (const OpKind kind : {OpKind::kAllGather, OpKind::kReduceScatter, OpKind::kAllToAll,
                            OpKind::kCollectivePermute, OpKind::kAllReduce}) {
    EXPECT_EQ(CountOf(w, kind), 1) << OpName(kind) << "\n" << Notes(w);
  }
}

TEST(XlaModel, NamesACustomCallWhoseCostIsNotKnown) {
  const Workload w = Read(Building(
      "  CustomCall(&builder, \"my_kernel\", {x}, ShapeUtil::MakeShape(BF16, {4, 32}));\n"));
  EXPECT_EQ(CountOf(w, OpKind::kOpaque), 1) << Notes(w);
  EXPECT_THAT(Notes(w), HasSubstr("'my_kernel' has a result of known shape, and a cost that is"));
}

TEST(XlaModel, FollowsNormalisationAndItsGradient) {
  const Workload w = Read(Building(R"(
  XlaOp scale = Parameter(&builder, 1, ShapeUtil::MakeShape(F32, {8}), "scale");
  XlaOp made = BatchNormTraining(x, scale, scale, 0.001f, 1);
  BatchNormGrad(x, scale, GetTupleElement(made, 1), GetTupleElement(made, 2),
                GetTupleElement(made, 0), 0.001f, 1);
)"));
  ASSERT_TRUE(w.graph.has_value()) << Notes(w);
  EXPECT_THAT(Notes(w), Not(HasSubstr("not known")));
  EXPECT_GE(CountOf(w, OpKind::kReduce), 4) << Notes(w);
}

TEST(XlaModel, AveragesOverWindows) {
  const Workload w = Read(Building(
      "  AvgPool(x, {1, 1, 2, 2}, {1, 1, 2, 2}, {{0, 0}, {0, 0}}, TensorFormat(0, 1, {2, 3}),\n"
      "          true);\n"));
  EXPECT_EQ(CountOf(w, OpKind::kReduceWindow), 1) << Notes(w);
}

TEST(XlaModel, KeepsTheTypesThatTemplatesName) {
  const Workload w = Read(R"(#include "xla/hlo/builder/xla_builder.h"
xla::XlaComputation Sum() {
  xla::XlaBuilder b("sum");
  auto x = xla::Parameter(&b, 0, xla::ShapeUtil::MakeShape(xla::F64, {64}), "x");
  return b.Build(x * xla::ConstantR1<double>(&b, 64, 2.5)).value();
}
)");
  ASSERT_TRUE(w.graph.has_value()) << Notes(w);
  for (const Op& op : w.graph->ops()) EXPECT_EQ(op.shape.dtype, DType::kF64) << OpName(op.kind);
}

TEST(XlaModel, NumbersParametersByACounterOfTheClass) {
  const Workload w = Read(R"(#include "xla/hlo/builder/xla_builder.h"
class Net {
 public:
  explicit Net(xla::XlaBuilder* builder) : builder_(builder) {}
  xla::XlaOp Weight(absl::Span<const int64_t> dims) {
    return xla::Parameter(builder_, next_++, xla::ShapeUtil::MakeShape(xla::F32, dims), "w");
  }
 private:
  xla::XlaBuilder* builder_;
  int64_t next_ = 0;
};
int main() {
  xla::XlaBuilder b("net");
  Net net(&b);
  xla::XlaOp x = net.Weight({8, 32});
  b.Build(xla::Dot(x, net.Weight({32, 16})));
}
)");
  EXPECT_EQ(CountOf(w, OpKind::kParameter), 2) << Notes(w);
  EXPECT_EQ(CountOf(w, OpKind::kDot), 1) << Notes(w);
}

TEST(XlaModel, SetsDimensionNumbersByTheirPlace) {
  const Workload w = Read(Building(R"(
  ConvolutionDimensionNumbers dims = XlaBuilder::CreateDefaultConvDimensionNumbers(2);
  dims.set_input_feature_dimension(3);
  dims.set_input_spatial_dimensions(0, 1);
  dims.set_input_spatial_dimensions(1, 2);
  XlaOp f = Parameter(&builder, 1, ShapeUtil::MakeShape(F32, {32, 16, 3, 3}), "f");
  ConvGeneralDilated(x, f, {1, 1}, {{1, 1}, {1, 1}}, {}, {}, dims);
)"));
  EXPECT_EQ(CountOf(w, OpKind::kConvolution), 1) << Notes(w);
}

TEST(XlaModel, GathersRowsByIndicesWithoutADimOfVectors) {
  const Workload w = Read(Building(R"(
  XlaOp ids = Parameter(&builder, 1, ShapeUtil::MakeShape(S32, {4, 32}), "ids");
  XlaOp table = Parameter(&builder, 2, ShapeUtil::MakeShape(F32, {1000, 64}), "table");
  GatherDimensionNumbers dims;
  dims.add_offset_dims(2);
  dims.add_collapsed_slice_dims(0);
  dims.add_start_index_map(0);
  dims.set_index_vector_dim(2);
  Tanh(Gather(table, ids, dims, {1, 64}));
)"));
  EXPECT_EQ(CountOf(w, OpKind::kGather), 1) << Notes(w);
}

TEST(XlaModel, KeepsTheBatchOutOfWeightsAmongTheParameters) {
  const Workload w = Read(R"(#include "xla/hlo/builder/xla_builder.h"
xla::XlaComputation Net() {
  xla::XlaBuilder b("net");
  auto x = xla::Parameter(&b, 0, xla::ShapeUtil::MakeShape(xla::F32, {100, 1000}), "x");
  auto w = xla::Parameter(&b, 1, xla::ShapeUtil::MakeShape(xla::F32, {1000, 1000}), "w");
  return b.Build(xla::Tanh(xla::Dot(x, w))).value();
}
)");
  ASSERT_TRUE(w.graph.has_value()) << Notes(w);
  int64_t per_batch = 0;
  for (const Op& op : w.graph->ops()) {
    if (op.kind != OpKind::kParameter) continue;
    for (const Dim& dim : op.shape.dims) per_batch += dim.per_batch ? 1 : 0;
  }
  EXPECT_EQ(per_batch, 1) << Notes(w);
}

TEST(CppTranslation, NamesAnAssignmentToWhatACallGives) {
  EXPECT_THAT(Translated("struct A { int& at(int i); }; void f(A a) { a.at(3) = 4; }"),
              HasSubstr("_cpp.unfollowed('\\'a.at(3) = 4\\' is not followed')"));
}

TEST(CppTranslation, ReachesWhatAClassSharesThroughAnObject) {
  EXPECT_THAT(Translated("struct A { static const int wide = 4; };\n"
                         "template <class T> int f(T a) { return a.wide; }\n"
                         "int g() { return f(A()); }\n"),
              HasSubstr("    wide = wide\n"));
}

TEST(XlaModel, CountsThePassesOfAPrecision) {
  const Workload w = Read(Building(R"(
  PrecisionConfig precision;
  precision.mutable_operand_precision()->Resize(2, PrecisionConfig::HIGHEST);
  Dot(Reshape(x, {32, 256}), Reshape(x, {256, 32}), &precision);
)"));
  ASSERT_TRUE(w.graph.has_value()) << Notes(w);
  for (const Op& op : w.graph->ops()) {
    if (op.kind != OpKind::kDot) continue;
    EXPECT_EQ(op.as<DotAttrs>().precision_passes, 6);
  }
  EXPECT_EQ(CountOf(w, OpKind::kDot), 1) << Notes(w);
}

TEST(XlaModel, CountsThePassesOfAPrecisionOfBatches) {
  for (const char* product : {"BatchDot(a, a, PrecisionConfig::HIGHEST)",
                              "BatchDot(a, false, a, true, PrecisionConfig::HIGHEST)",
                              "Einsum(a, a, \"bij,bjk->bik\", PrecisionConfig::HIGHEST)"}) {
    const Workload w =
        Read(Building(std::string("  auto a = Reshape(x, {2, 64, 64});\n  ") + product + ";\n"));
    ASSERT_TRUE(w.graph.has_value()) << Notes(w);
    EXPECT_EQ(CountOf(w, OpKind::kDot), 1) << Notes(w);
    for (const Op& op : w.graph->ops()) {
      if (op.kind != OpKind::kDot) continue;
      EXPECT_EQ(op.as<DotAttrs>().precision_passes, 6) << product;
    }
  }
}

}  // namespace
}  // namespace tilewise

// Attributes by kind: what holds them, and what is known of their fields.

#include "graph/attributes.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/op_traits.h"
#include "graph/text.h"

namespace tilewise {
namespace {

Op OpOf(OpKind kind, Attributes attrs = {}) {
  Op op;
  op.kind = kind;
  op.attrs = std::move(attrs);
  return op;
}

TEST(Attributes, TakeOnePointerAndNothingMoreAtTheirDefaults) {
  EXPECT_EQ(sizeof(Attributes), sizeof(void*));
  EXPECT_TRUE(Attributes().empty());
  EXPECT_TRUE(Attributes(VariableAttrs{.trainable = true}).empty());
  EXPECT_FALSE(Attributes(VariableAttrs{.trainable = false}).empty());
}

TEST(Attributes, ReadAsDefaultsUntilTheyAreWritten) {
  Op op = OpOf(OpKind::kConvolution);
  EXPECT_EQ(op.as<ConvAttrs>().groups, 1);
  EXPECT_TRUE(op.attrs.empty());
  op.edit<ConvAttrs>().groups = 4;
  EXPECT_EQ(std::as_const(op).as<ConvAttrs>().groups, 4);
}

TEST(Attributes, CopyAndCompareByValue) {
  const Attributes first = TransposeAttrs{{1, 0}};
  Attributes second = first;
  EXPECT_EQ(first, second);
  second.edit<TransposeAttrs>().dims = {0, 1};
  EXPECT_NE(first, second);
  EXPECT_EQ(first.as<TransposeAttrs>().dims[0], 1);
  EXPECT_NE(first, Attributes());
  EXPECT_NE(first, Attributes(DimsAttrs{{1, 0}}));
  second.edit<TransposeAttrs>().dims.clear();
  EXPECT_EQ(second, Attributes());
  EXPECT_EQ(Attributes(), second);
}

TEST(AttributesDeathTest, AreReadAsTheStructThatIsHeld) {
  EXPECT_DEATH(OpOf(OpKind::kDot, DotAttrs{.wide = true}).as<ConvAttrs>(), "internal error");
  EXPECT_DEATH(OpOf(OpKind::kAdd).edit<DotAttrs>(), "internal error");
}

TEST(Attributes, OfEveryKindHaveNamesOfTheirOwn) {
  for (const OpKind kind : {
#define TW_OP(enumerator, name, op_class) OpKind::enumerator,
#include "graph/op_kinds.def"
#undef TW_OP
       }) {
    const AttributeTraits& traits = TraitsOf(kind).attributes;
    EXPECT_EQ(traits.id == nullptr, traits.fields.empty()) << OpName(kind);
    std::set<std::string_view> names;
    for (const AttributeField& field : traits.fields) {
      EXPECT_TRUE(names.insert(field.name).second) << OpName(kind) << " " << field.name;
    }
  }
}

TEST(Attributes, AreFoundByName) {
  Op dot = OpOf(OpKind::kDot, DotAttrs{{.lhs_contract = {1}}, 3});
  EXPECT_EQ(*FindAttribute<int64_t>(std::as_const(dot), "precision_passes"), 3);
  EXPECT_EQ(FindAttribute<int64_t>(std::as_const(dot), "groups"), nullptr);
  *FindAttribute<std::vector<int64_t>>(dot, "rhs_contract") = {0};
  EXPECT_EQ(dot.as<DotAttrs>().rhs_contract, std::vector<int64_t>{0});
  EXPECT_EQ(AttributesText(dot), ", lhs_contract={1}, rhs_contract={0}, precision_passes=3");
}

TEST(Attributes, MayDifferInOneField) {
  const Op values = OpOf(OpKind::kTopK, TopKAttrs{.k = 4});
  const Op places = OpOf(OpKind::kTopK, TopKAttrs{.k = 4, .result = 1});
  EXPECT_TRUE(AlikeBut("result", values, places));
  EXPECT_FALSE(AlikeBut("k", values, places));
}

TEST(Attributes, HashAlikeWhereTheyAreEqual) {
  const auto hash = [](double value) {
    return HashAttributes(OpOf(OpKind::kConstant, ConstantAttrs{value}));
  };
  EXPECT_EQ(hash(0.0), hash(-0.0));
  EXPECT_NE(hash(1), hash(2));
  Op written = OpOf(OpKind::kReduce, ReduceAttrs{{0}, Reducer::kMax});
  written.edit<ReduceAttrs>() = {};
  EXPECT_EQ(HashAttributes(written), HashAttributes(OpOf(OpKind::kReduce)));
}

// The text reads them by either, and writes the first.
TEST(Attributes, OfBlocksAndPermutationsHaveTwoNames) {
  const auto read = ParseGraph(R"(graph "g" {
q = bf16[N,512,8,128] parameter()
a = bf16[N,512,8,128] attention(q, q, q), causal=true, flash=true, window={size=256x128x256x128}
b = bf16[N,512,8,128] attention(q, q, q), causal=true, flash=true, blocks={256,128,256,128}
x = f32[4,8] parameter()
i = s32[4] parameter()
y = f32[4,8] gather(x, i), assign=true
})");
  ASSERT_TRUE(read.ok()) << read.status();
  const Graph& graph = *read;
  EXPECT_EQ(graph.op(1).attrs, graph.op(2).attrs);
  EXPECT_EQ(graph.op(2).as<AttentionAttrs>().blocks, (std::vector<int64_t>{256, 128, 256, 128}));
  EXPECT_EQ(AttributesText(graph.op(1)), ", blocks={256,128,256,128}, causal=true, flash=true");
  EXPECT_EQ(AttributesText(graph.op(5)), ", permutes=true");
}

}  // namespace
}  // namespace tilewise

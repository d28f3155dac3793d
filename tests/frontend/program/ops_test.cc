// The ops of traces, each once: what it makes of shapes.

#include <gmock/gmock.h>

#include "frontend/program/op_table.h"
#include "tests/frontend/program/traced.h"

namespace tilewise::program {
namespace {

struct Case {
  std::string name;
  std::vector<std::string> inputs;  // "f32[2,3]"
  AttributeMap attrs;
  std::string wanted;  // shapes of the results
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name << " -> " << c.wanted; }

class OpCase : public testing::TestWithParam<Case> {};

// The text of a shape, as messages print it.
Value InputOf(Trace& t, const std::string& text) {
  if (text.empty()) return {};
  const size_t open = text.find('[');
  std::vector<int64_t> sizes;
  for (size_t at = open + 1; at < text.size() && text[at] != ']';) {
    size_t length = 0;
    sizes.push_back(std::stoll(text.substr(at), &length));
    at += length + 1;
  }
  return t.Input(sizes, *ParseDType(text.substr(0, open)), std::nullopt);
}

TEST_P(OpCase, HasItsShape) {
  Trace t;
  std::vector<Value> inputs;
  for (const std::string& input : GetParam().inputs) inputs.push_back(InputOf(t, input));
  const std::string& wanted = GetParam().wanted;
  const int outputs = 1 + static_cast<int>(std::count(wanted.begin(), wanted.end(), ' '));
  std::string found;
  for (const Value& value : t.Ops("tw." + GetParam().name, inputs, GetParam().attrs, outputs)) {
    found += (found.empty() ? "" : " ") + t.ShapeOf(value);
  }
  EXPECT_EQ(found, wanted);
}

AttributeMap Kind(std::string_view kind) { return {{"kind", Text(kind)}}; }

const Case kElementwise[] = {
    {"unary", {"f32[2,3]"}, Kind("rsqrt"), "f32[2,3]"},
    {"unary", {"bf16[2]"}, Kind("gelu_tanh"), "bf16[2]"},
    {"unary", {"f32[2]"}, Kind("is-finite"), "pred[2]"},
    {"binary", {"f32[2,1]", "f32[3]"}, Kind("power"), "f32[2,3]"},
    {"binary", {"s32[2]", "s32[2]"}, Kind("floor_divide"), "s32[2]"},
    {"binary", {"s32[2]", "s32[2]"}, Kind("shift-left"), "s32[2]"},
    {"compare", {"f32[2]", "f32[]"}, {{"direction", Text("GE")}}, "pred[2]"},
    {"select", {"pred[2]", "f32[2]", "f32[]"}, {}, "f32[2]"},
    {"clamp", {"f32[2]"}, {{"min", 0.0}, {"max", int64_t{6}}}, "f32[2]"},
    {"convert", {"f32[2]"}, {{"dtype", Text("s32")}}, "s32[2]"},
    {"bitcast", {"f32[2]"}, {{"dtype", Text("s32")}}, "s32[2]"},
    {"leaky_relu", {"f32[2]"}, {{"alpha", 0.2}}, "f32[2]"},
};

const Case kMoves[] = {
    {"reshape", {"f32[2,6]"}, {{"shape", Ints{3, -1}}}, "f32[3,4]"},
    {"transpose", {"f32[2,3,4]"}, {{"permutation", Ints{2, 0, 1}}}, "f32[4,2,3]"},
    {"transpose", {"f32[2,3,4]"}, {}, "f32[4,3,2]"},
    {"squeeze", {"f32[2,1]"}, {{"dims", int64_t{1}}}, "f32[2]"},
    {"unsqueeze", {"f32[2]"}, {{"dims", Ints{0, 2}}}, "f32[1,2,1]"},
    {"broadcast_in_dim", {"f32[3]"}, {{"shape", Ints{3, 2}}, {"dims", Ints{0}}}, "f32[3,2]"},
    {"slice", {"f32[8,4]"}, {{"starts", Ints{1, 0}}, {"limits", Ints{-1, 2}}}, "f32[6,2]"},
    {"slice", {"f32[8,4]"}, {{"limits", Ints{0, 4}}}, "f32[0,4]"},
    {"concatenate", {"f32[2,3]", "f32[2,1]"}, {{"dim", int64_t{-1}}}, "f32[2,4]"},
    {"stack", {"f32[2]", "f32[2]"}, {{"dim", int64_t{1}}}, "f32[2,2]"},
    {"pad", {"f32[2]"}, {{"low", Ints{1}}, {"high", Ints{-1}}, {"interior", Ints{0}}}, "f32[2]"},
    {"pad_mode", {"f32[4]"}, {{"mode", Text("reflect")}, {"low", Ints{2}}}, "f32[6]"},
    {"reverse", {"f32[4,2]"}, {{"dims", Ints{0}}}, "f32[4,2]"},
    {"dynamic_slice", {"f32[4,2]", "s32[]", "s32[]"}, {{"sizes", Ints{1, 2}}}, "f32[1,2]"},
    {"dynamic_slice", {"f32[4,2]", "s32[2]"}, {{"sizes", Ints{1, 2}}}, "f32[1,2]"},
    {"dynamic_update_slice", {"f32[4,2]", "f32[1,2]", "s32[]", "s32[]"}, {}, "f32[4,2]"},
    {"iota", {}, {{"shape", Ints{2, 3}}, {"dim", int64_t{1}}, {"dtype", Text("f32")}}, "f32[2,3]"},
    {"tile", {"f32[2]"}, {{"repeats", Ints{3, 2}}}, "f32[3,4]"},
    {"triangle", {"f32[4,4]"}, {{"lower", false}, {"k", int64_t{1}}}, "f32[4,4]"},
    {"eye", {}, {{"rows", int64_t{4}}, {"columns", int64_t{3}}}, "f32[4,3]"},
};

const Case kReductions[] = {
    {"reduce", {"f32[2,3]"}, {{"kind", Text("mean")}, {"dims", Ints{-1}}}, "f32[2]"},
    {"reduce", {"f32[2,3]"}, {{"kind", Text("l2")}, {"keep", true}}, "f32[1,1]"},
    {"reduce", {"f32[2,3]"}, {{"kind", Text("logsumexp")}, {"dims", int64_t{0}}}, "f32[3]"},
    {"reduce", {"pred[2,3]"}, Kind("any"), "pred[]"},
    {"arg_reduce", {"f32[2,3]"}, {{"dim", int64_t{1}}, {"dtype", Text("s64")}}, "s64[2]"},
    {"cumulative", {"f32[2,3]"}, {{"dim", int64_t{1}}, {"reverse", true}}, "f32[2,3]"},
    {"sort", {"f32[2,3]", "s32[2,3]"}, {{"dim", int64_t{1}}}, "f32[2,3] s32[2,3]"},
    {"arg_sort", {"f32[2,3]"}, {}, "s32[2,3]"},
    {"top_k", {"f32[2,3]"}, {{"k", int64_t{2}}}, "f32[2,2] s32[2,2]"},
};

const Case kMatrix[] = {
    {"dot_general",
     {"bf16[5,2,3]", "bf16[5,3,4]"},
     {{"lhs_contract", Ints{2}},
      {"rhs_contract", Ints{1}},
      {"lhs_batch", Ints{0}},
      {"rhs_batch", Ints{0}},
      {"dtype", Text("f32")}},
     "f32[5,2,4]"},
    {"matmul", {"f32[2,3]", "f32[5,3,4]"}, {}, "f32[5,2,4]"},
    {"einsum", {"f32[2,3]", "f32[4,3]"}, {{"equation", Text("bi,oi->ob")}}, "f32[4,2]"},
    {"tensordot", {"f32[2,3]", "f32[3,4]"}, {{"x_dims", Ints{1}}, {"y_dims", Ints{0}}}, "f32[2,4]"},
    {"conv",
     {"f32[2,8,8,4]", "f32[3,3,2,6]"},
     {{"groups", int64_t{2}}, {"rhs_dilation", Ints{2, 2}}},
     "f32[2,4,4,6]"},
    {"conv",
     {"f32[2,4,8,8]", "f32[6,4,3,3]"},
     {{"channels_first", true}, {"lhs_dilation", Ints{2, 2}}, {"low", Ints{1, 1}}},
     "f32[2,6,14,14]"},
};

const Case kWindows[] = {
    {"reduce_window", {"f32[2,8,8,4]"}, {{"window", Ints{2, 2}}}, "f32[2,7,7,4]"},
    {"reduce_window",
     {"f32[2,4,8,8]"},
     {{"kind", Text("sum")}, {"window", Ints{1, 1, 2, 2}}, {"strides", Ints{1, 1, 2, 2}}},
     "f32[2,4,4,4]"},
    {"reduce_window", {"f32[8,6]"}, {{"window", Ints{2, 3}}}, "f32[7,4]"},
    {"avg_pool",
     {"f32[2,4,7,7]"},
     {{"window", Ints{3, 3}},
      {"strides", Ints{2, 2}},
      {"padding", Text("SAME")},
      {"channels_first", true}},
     "f32[2,4,4,4]"},
    {"resize",
     {"f32[2,4,4,3]"},
     {{"dims", Ints{1, 2}}, {"sizes", Ints{8, 6}}, {"mode", Text("bilinear")}},
     "f32[2,8,6,3]"},
};

const Case kNn[] = {
    {"softmax", {"f32[2,3]"}, {{"dim", int64_t{0}}}, "f32[2,3]"},
    {"log_softmax", {"f32[2,3]"}, {}, "f32[2,3]"},
    {"unit_length", {"f32[2,3]"}, {}, "f32[2,3]"},
    {"layer_norm", {"bf16[2,3]", "f32[3]", "f32[3]"}, {}, "bf16[2,3]"},
    {"rms_norm", {"bf16[2,3]", "bf16[3]"}, {}, "bf16[2,3]"},
    {"group_norm", {"f32[2,5,6]", "f32[6]", "f32[6]"}, {{"groups", int64_t{3}}}, "f32[2,5,6]"},
    {"batch_norm",
     {"f32[2,5,6]", "f32[6]", "f32[6]", "f32[6]", "f32[6]"},
     {{"training", true}, {"feature_dim", int64_t{-1}}},
     "f32[2,5,6]"},
    {"attention",
     {"bf16[2,8,4,16]", "bf16[2,8,2,16]", "bf16[2,8,2,16]", "pred[8,8]"},
     {{"causal", true}, {"flash", true}, {"scale", 0.5}},
     "bf16[2,8,4,16]"},
    {"dropout", {"f32[2,3]"}, {{"rate", 0.1}}, "f32[2,3]"},
    {"recurrent",
     {"f32[2,7,3]", "f32[3,20]", "f32[5,20]", "f32[20]"},
     {{"cell", Text("lstm")}},
     "f32[2,7,5] f32[2,5]"},
    {"cross_entropy", {"bf16[2,4,3]", "s64[2,4]"}, {}, "f32[2,4]"},
    {"cross_entropy", {"f32[2,3]", "f32[2,3]"}, {}, "f32[2]"},
    {"negative_log_likelihood", {"f32[2,3]", "s32[2]"}, {}, "f32[2]"},
};

const Case kRandomAndIndex[] = {
    {"random",
     {},
     {{"kind", Text("normal")}, {"shape", Ints{2}}, {"dtype", Text("bf16")}},
     "bf16[2]"},
    {"random", {}, {{"kind", Text("bits")}, {"shape", Ints{2}}}, "u32[2]"},
    {"categorical", {"f32[2,3]"}, {}, "s32[2]"},
    {"permutation", {}, {{"size", int64_t{5}}}, "s32[5]"},
    {"take", {"f32[9,3]", "s32[2,4]"}, {}, "f32[2,4,3]"},
    {"take",
     {"f32[2,9,3]", "s32[2,4]"},
     {{"axis", int64_t{1}}, {"batch_dims", int64_t{1}}},
     "f32[2,4,3]"},
    {"take_along", {"f32[2,9]", "s32[2,4]"}, {}, "f32[2,4]"},
    {"gather_nd", {"f32[9,8,3]", "s32[5,2]"}, {}, "f32[5,3]"},
    {"scatter",
     {"f32[9,3]", "s32[5]", "f32[5,3]"},
     {{"axis", int64_t{0}}, {"kind", Text("add")}},
     "f32[9,3]"},
    {"scatter_along", {"f32[2,9]", "s32[2,4]", "f32[2,4]"}, {}, "f32[2,9]"},
    {"scatter_nd", {"f32[9,8,3]", "s32[5,2]", "f32[5,3]"}, Kind("max"), "f32[9,8,3]"},
    {"scatter_nd",
     {"f32[2,9,3]", "s32[2,5,1]", "f32[2,5,3]"},
     {{"batch_dims", int64_t{1}}, {"kind", Text("add")}},
     "f32[2,9,3]"},
    {"one_hot", {"s64[2,4]"}, {{"depth", int64_t{7}}, {"axis", int64_t{1}}}, "f32[2,7,4]"},
};

INSTANTIATE_TEST_SUITE_P(Elementwise, OpCase, testing::ValuesIn(kElementwise));
INSTANTIATE_TEST_SUITE_P(Moves, OpCase, testing::ValuesIn(kMoves));
INSTANTIATE_TEST_SUITE_P(Reductions, OpCase, testing::ValuesIn(kReductions));
INSTANTIATE_TEST_SUITE_P(Matrix, OpCase, testing::ValuesIn(kMatrix));
INSTANTIATE_TEST_SUITE_P(Windows, OpCase, testing::ValuesIn(kWindows));
INSTANTIATE_TEST_SUITE_P(Nn, OpCase, testing::ValuesIn(kNn));
INSTANTIATE_TEST_SUITE_P(RandomAndIndex, OpCase, testing::ValuesIn(kRandomAndIndex));

TEST(Ops, ReadAKnownPlaceAsASlice) {
  Trace t;
  const Value x = t.Input({4, 6});
  const Value row = t.Op("tw.take", {x, Tracer::Known(KnownScalar(-1))}, {{"axis", int64_t{1}}});
  EXPECT_EQ(t.ShapeOf(row), "f32[4]");
  const Value zero = Tracer::Known(KnownScalar(0)), two = Tracer::Known(KnownScalar(2));
  const Value part = t.Op("tw.dynamic_slice", {x, zero, two}, {{"sizes", Ints{4, 3}}});
  EXPECT_EQ(t.ShapeOf(part), "f32[4,3]");
  const Graph graph = t.Finished({.results = {row, part}}).graph;
  EXPECT_EQ(Count(graph, OpKind::kSlice), 2);
  EXPECT_EQ(Count(graph, OpKind::kDynamicSlice), 0);
}

TEST(Ops, UpdateTheStatisticsOfABatchNorm) {
  Trace t;
  const Value x = t.Input({4, 6});
  const std::vector<Value> inputs = {x, t.Weight({6}, "scale"), t.Weight({6}, "offset"),
                                     t.Weight({6}, "mean", false),
                                     t.Weight({6}, "variance", false)};
  const Value y = t.Op("tw.batch_norm", inputs, {{"training", true}});
  const Value z = t.Op("onnx.BatchNormalization", inputs, {{"training_mode", int64_t{0}}});
  const Graph graph = t.Finished({.results = {y, z}}).graph;
  EXPECT_EQ(Find(graph, OpKind::kBatchNormTraining)->operands.size(), 5U);
  EXPECT_EQ(Count(graph, OpKind::kBatchNormInference), 1);
}

}  // namespace
}  // namespace tilewise::program

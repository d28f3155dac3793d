// ai.onnx.ml: linear models are matmuls; what works on strings and maps is
// left to the host.

#include "frontend/onnx/ops/classical.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/normalizations.h"

namespace tilewise::onnx {

OpId FeatureRows(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  OpId x = ctx.Input(0);
  if (!ctx.ok()) return kNoOp;
  if (b.shape(x).rank() == 1) x = Unsqueezed(b, x, {0});
  if (b.shape(x).rank() != 2) {
    ctx.Fail(fmt::format("found {}, expected rows of features", FormatShape(b.shape(x))));
  }
  return b.Convert(x, DType::kF32);
}

int64_t ClassCount(NodeContext& ctx) {
  for (const char* name : {"classlabels_int64s", "classlabels_ints"}) {
    if (const auto labels = ctx.Ints(name); !labels.empty()) {
      return static_cast<int64_t>(labels.size());
    }
  }
  const AttributeView* strings = ctx.Find("classlabels_strings");
  return strings == nullptr ? 0 : static_cast<int64_t>(strings->strings.size());
}

void SetLabels(NodeContext& ctx, OpId scores) {
  const AttributeView* strings = ctx.Find("classlabels_strings");
  if (strings != nullptr && !strings->strings.empty()) {
    return ctx.SetValue(0, Value::Host());
  }
  GraphBuilder& b = ctx.builder();
  ctx.Set(0, b.Convert(b.ArgReduce(Reducer::kMax, scores, 1), DType::kS64));
}

OpId Transformed(NodeContext& ctx, OpId y) {
  const std::string_view by = ctx.Text("post_transform", "NONE");
  if (by == "LOGISTIC") return ctx.builder().Unary(OpKind::kLogistic, y);
  if (by == "SOFTMAX" || by == "SOFTMAX_ZERO") {
    return ctx.builder().Softmax(y, 1);
  }
  return y;
}

namespace {

// Rows times coefficients [outputs, features] plus intercepts.
OpId Linear(NodeContext& ctx, std::string_view coefficients, int64_t outputs) {
  GraphBuilder& b = ctx.builder();
  const OpId x = FeatureRows(ctx);
  if (!ctx.ok()) return kNoOp;
  const auto count = static_cast<int64_t>(ctx.Floats(coefficients).size());
  const Dim features = b.shape(x).dims[1];
  if (outputs < 1 || features.per_batch || count != outputs * features.factor) {
    ctx.Fail(fmt::format("found {} coefficients for {} outputs", count, outputs));
    return kNoOp;
  }
  const OpId weights = b.Variable(Shape::Of(DType::kF32, {features.factor, outputs}),
                                  "coefficients", /*trainable=*/true);
  OpId y = b.MatMul(x, weights);
  if (!ctx.Floats("intercepts").empty()) {
    const OpId offset =
        b.Variable(Shape::Of(DType::kF32, {outputs}), "intercepts", /*trainable=*/true);
    y = b.Binary(OpKind::kAdd, y, AlongDim(b, offset, y, 1));
  }
  return y;
}

void LinearRegressor(NodeContext& ctx) {
  ctx.Set(0, Transformed(ctx, Linear(ctx, "coefficients", ctx.Int("targets", 1))));
}

void LinearClassifier(NodeContext& ctx) {
  const int64_t classes = ClassCount(ctx);
  const OpId y = Transformed(ctx, Linear(ctx, "coefficients", classes));
  if (!ctx.ok()) return;
  SetLabels(ctx, y);
  ctx.Set(1, y);
}

// (x - offset) * scale.
void Scaler(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = b.Convert(ctx.Input(0), DType::kF32);
  const auto count = static_cast<int64_t>(ctx.Floats("scale").size());
  if (!ctx.ok() || b.shape(x).rank() < 1 || count < 1) {
    return ctx.Fail("found nothing to scale by");
  }
  const Shape weights = Shape::Of(DType::kF32, {count});
  const OpId offset = b.Variable(weights, "offset", false);
  const OpId scale = b.Variable(weights, "scale", false);
  const OpId moved = BinaryOf(b, OpKind::kSubtract, x, offset);
  ctx.Set(0, BinaryOf(b, OpKind::kMultiply, moved, scale));
}

void Normalizer(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = b.Convert(ctx.Input(0), DType::kF32);
  const std::string_view norm = ctx.Text("norm", "MAX");
  if (norm != "MAX") return ctx.Set(0, LpNormalize(b, x, -1, norm == "L1" ? 1 : 2));
  const int64_t last = b.shape(x).rank() - 1;
  if (!ctx.ok() || last < 0) return ctx.Fail("found no features");
  const OpId largest = Unsqueezed(b, b.Reduce(Reducer::kMax, x, {last}), {-1});
  ctx.Set(0, BinaryOf(b, OpKind::kDivide, x, largest));
}

void Binarizer(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const OpId above = CompareScalar(b, Comparison::kGt, x, ctx.Float("threshold", 0));
  ctx.Set(0, b.Convert(above, b.shape(x).dtype));
}

// Values that are missing are replaced.
void Imputer(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const OpId missing = b.Compare(Comparison::kNe, x, x);
  ctx.Set(0, b.Select(missing, FilledLike(b, x, 0), x));
}

void ArrayFeatureExtractor(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  OpId indices = ctx.Input(1);
  if (!ctx.ok()) return;
  if (b.shape(indices).rank() == 2) indices = Squeezed(b, indices, {0});
  ctx.Set(0, TakeAlong(b, ctx.Input(0), indices, -1));
}

void FeatureVectorizer(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  std::vector<OpId> parts;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    OpId x = b.Convert(ctx.Input(i), DType::kF32);
    if (ctx.ok() && b.shape(x).rank() == 1) x = Unsqueezed(b, x, {0});
    parts.push_back(x);
  }
  if (parts.empty() || !ctx.ok()) return ctx.Fail("found no features");
  ctx.Set(0, parts.size() == 1 ? parts[0] : b.Concatenate(parts, 1));
}

// Keys to values: a search through a table.
void LabelEncoder(NodeContext& ctx) {
  const Value* value = ctx.InputValue(0);
  if (value == nullptr || !value->is_tensor() || ctx.Find("values_strings") != nullptr) {
    return ctx.Fail("found strings");
  }
  const bool reals = ctx.Find("values_floats") != nullptr;
  ctx.SetOpaque(0, ctx.ShapeOf(0).WithType(reals ? DType::kF32 : DType::kS64));
}

void OneHotEncoder(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const auto count = static_cast<int64_t>(ctx.Ints("cats_int64s").size());
  if (count < 1) return ctx.Fail("found no categories that are numbers");
  const OpId x = b.Convert(ctx.Input(0), DType::kS32);
  ctx.Set(0, OneHot(b, x, count, -1, b.Scalar(1, DType::kF32), b.Scalar(0, DType::kF32)));
}

// A map on the host: [1, vocabulary] on the device.
void DictVectorizer(NodeContext& ctx) {
  const AttributeView* strings = ctx.Find("string_vocabulary");
  const size_t words =
      strings == nullptr ? ctx.Ints("int64_vocabulary").size() : strings->strings.size();
  if (words == 0) return ctx.Fail("found no vocabulary");
  ctx.Set(0,
          ctx.builder().Parameter(Shape::Of(DType::kF32, {1, static_cast<int64_t>(words)}),
                                  ctx.node().outputs.empty() ? "features" : ctx.node().outputs[0]));
}

constexpr OpEntry kClassicalOps[] = {
    {kClassical, "LinearRegressor", LinearRegressor},
    {kClassical, "LinearClassifier", LinearClassifier},
    {kClassical, "TreeEnsembleRegressor", TreeEnsembleRegressor},
    {kClassical, "TreeEnsembleClassifier", TreeEnsembleClassifier},
    {kClassical, "TreeEnsemble", TreeEnsemble},
    {kClassical, "SVMClassifier", SvmClassifier},
    {kClassical, "SVMRegressor", SvmRegressor},
    {kClassical, "Scaler", Scaler},
    {kClassical, "Normalizer", Normalizer},
    {kClassical, "Binarizer", Binarizer},
    {kClassical, "Imputer", Imputer},
    {kClassical, "ArrayFeatureExtractor", ArrayFeatureExtractor},
    {kClassical, "FeatureVectorizer", FeatureVectorizer},
    {kClassical, "LabelEncoder", LabelEncoder},
    {kClassical, "OneHotEncoder", OneHotEncoder},
    {kClassical, "DictVectorizer", DictVectorizer},
    {kClassical, "ZipMap", FirstOperand},
};

}  // namespace

std::span<const OpEntry> ClassicalOps() { return kClassicalOps; }

}  // namespace tilewise::onnx

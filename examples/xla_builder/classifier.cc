// A convolution, a pool and two matmuls, built with XlaBuilder.
//   tilewise simulate examples/xla_builder/classifier.cc

#include "xla/client/lib/arithmetic.h"
#include "xla/client/xla_builder.h"
#include "xla/shape_util.h"

namespace example {

constexpr int64_t kBatch = 64;
constexpr int64_t kHidden = 500;

xla::XlaOp Positive(xla::XlaOp x) { return xla::Max(x, xla::ZerosLike(x)); }

// The larger of two numbers, for pools.
xla::XlaComputation Larger() {
  xla::XlaBuilder builder("larger");
  const xla::Shape scalar = xla::ShapeUtil::MakeShape(xla::F32, {});
  xla::XlaOp a = xla::Parameter(&builder, 0, scalar, "a");
  xla::XlaOp b = xla::Parameter(&builder, 1, scalar, "b");
  xla::Max(a, b);
  return builder.Build().value();
}

xla::XlaComputation Classifier() {
  xla::XlaBuilder builder("classifier");
  auto images = xla::Parameter(&builder, 0,
                               xla::ShapeUtil::MakeShape(xla::F32, {kBatch, 3, 32, 32}), "images");
  auto filters =
      xla::Parameter(&builder, 1, xla::ShapeUtil::MakeShape(xla::F32, {40, 3, 5, 5}), "filters");
  auto weights = xla::Parameter(
      &builder, 2, xla::ShapeUtil::MakeShape(xla::F32, {40 * 14 * 14, kHidden}), "weights");
  auto bias = xla::Parameter(&builder, 3, xla::ShapeUtil::MakeShape(xla::F32, {kHidden}), "bias");
  auto last =
      xla::Parameter(&builder, 4, xla::ShapeUtil::MakeShape(xla::F32, {kHidden, 10}), "last");
  auto x = Positive(xla::Conv(images, filters, {1, 1}, xla::Padding::kValid));
  x = xla::ReduceWindow(x, xla::MinValue(&builder, xla::F32), Larger(), {1, 1, 2, 2}, {1, 1, 2, 2},
                        xla::Padding::kValid);
  x = xla::Reshape(x, {kBatch, 40 * 14 * 14});
  x = Positive(xla::Add(xla::Dot(x, weights), bias, {1}));
  return builder.Build(xla::Dot(x, last)).value();
}

}  // namespace example
